/** Tables: what a player does at them, and what he is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventView, Snapshot, TableEvent, TableView } from "../src/index.js";
import { Listeners } from "../src/observable.js";
import { recording } from "./recorded.js";
import { connected, type Scene } from "./scene.js";

const MINUTE = 60_000;

/** A moment of the recording at which it is ana's turn. */
function herTurn(): Snapshot {
  const found = recording.steps.find(({ snapshots }) => snapshots.ana.state.turn?.seat === 0);
  assert.ok(found);
  return found.snapshots.ana;
}

/** The same for who has no seat. */
function asSpectator(shot: Snapshot): Snapshot {
  const found = recording.steps.find(({ snapshots }) => snapshots.guest.seq === shot.seq);
  assert.ok(found);
  return found.snapshots.guest;
}

/** As of now, so that its deadline is ahead. */
function fresh(shot: Snapshot, scene: Scene): Snapshot {
  const later = scene.time.now - shot.now;
  const { turn } = shot.state;
  const state = turn === null ? shot.state : { ...shot.state, turn: { ...turn, deadline: turn.deadline + later } };
  return { ...shot, now: scene.time.now, state };
}

/** Watching a table that is shown as `shot`. */
async function at(shot: Snapshot) {
  const scene = await connected();
  const { answer } = scene.server;
  const server = { shot };
  scene.server.answer = (message, socket) => {
    const snapshot = fresh(server.shot, scene);
    const { seq } = snapshot;
    switch (message.route) {
      case "watch":
      case "sit":
        return { seq, snapshot };
      case "sync":
        return message.seq === seq ? { seq } : { seq, snapshot };
      case "quickseat":
        return { seq, snapshot, table: "t", seat: 0 };
      default:
        return answer(message, socket);
    }
  };
  const push = (message: object, table = "t") => {
    for (const socket of scene.server.open) scene.server.send(socket, { table, now: scene.time.now, ...message });
    return scene.time.go(20);
  };
  const table = scene.room.table("t");
  await scene.time.go(50);
  return { ...scene, shown: server, table, push };
}

test("on one's turn the view has the turn, and the action names it", async () => {
  const { table, server, time } = await at(herTurn());
  const view = table.get();
  assert.ok(view.yourTurn);
  assert.equal(view.seat, 0);
  assert.equal(view.hole.length, 2);
  void table.act(view.turn, "raise", 4_000);
  void table.act(view.turn, "fold");
  await time.go(50);
  const { hand, number: turn } = view.turn;
  const [raise, fold] = server.asked("act").map(({ id: _, ...rest }) => rest);
  assert.deepEqual(raise, { route: "act", v: 1, table: "t", hand, turn, do: "raise", to: 4_000 });
  assert.deepEqual(fold, { route: "act", v: 1, table: "t", hand, turn, do: "fold" });
});

test("every call is the message that the protocol has for it", async () => {
  const { table, room, server, time } = await at(herTurn());
  const turn = table.get().turn;
  assert.ok(turn);
  const before = server.said.length;
  void table.preAct(turn, "check_fold");
  void table.sit({ seat: 3, chips: 5, post: true });
  void table.topUp(7);
  void table.autoTopUp(9);
  void table.sitOut("big_blind");
  void table.sitIn({ post: true });
  void table.leave();
  void table.show([1]);
  void room.quickSeat({ structure: "nl-PHP-500-1000", chips: 5 });
  void room.wait("nl-PHP-500-1000");
  void room.unwait("nl-PHP-500-1000");
  void room.limits({ reminder_minutes: 60 });
  await time.go(50);
  const said = server.said.slice(before).map(({ id: _, v: __, ...rest }) => rest);
  assert.deepEqual(said, [
    { route: "preact", table: "t", hand: turn.hand, price: turn.price, do: "check_fold" },
    { route: "sit", table: "t", seat: 3, chips: 5, post: true },
    { route: "topup", table: "t", chips: 7 },
    { route: "autotopup", table: "t", to: 9 },
    { route: "sitout", table: "t", when: "big_blind" },
    { route: "sitin", table: "t", post: true },
    { route: "leave", table: "t", when: "now" },
    { route: "show", table: "t", cards: [1] },
    { route: "quickseat", structure: "nl-PHP-500-1000", chips: 5 },
    { route: "wait", structure: "nl-PHP-500-1000" },
    { route: "unwait", structure: "nl-PHP-500-1000" },
    { route: "limits", reminder_minutes: 60 },
  ]);
});

test("a listener is told each change once, and what has just happened", async () => {
  const { table, push } = await at(herTurn());
  const views: TableView[] = [];
  const told: TableEvent[] = [];
  const end = table.subscribe((view) => views.push(view));
  const endEvents = table.onEvents((events, view) => {
    assert.equal(view, table.get());
    told.push(...events);
  });
  const { seq } = table.get();
  const event: EventView = { e: "topped_up", seat: 1, chips: 500 };
  const message = { type: "events", seq: seq + 1, before: seq, events: [event], turn: null, pots: [], away: [] };
  await push(message);
  await push(message);
  assert.deepEqual([views.length, told], [1, [event]]);
  assert.equal(views[0], table.get());
  end();
  endEvents();
  await push({ ...message, seq: seq + 2, before: seq + 1 });
  assert.equal(views.length, 1);
});

test("a gap waits a moment for what is late, and then asks", async () => {
  const { table, server, push, time, shown } = await at(herTurn());
  const { seq } = table.get();
  const later = { type: "events", seq: seq + 3, before: seq + 1, events: [], turn: null, pots: [], away: [] };
  await push(later);
  await time.go(200);
  assert.equal(server.asked("sync").length, 0);
  await push({ ...later, seq: seq + 1, before: seq });
  await time.go(1_000);
  assert.equal(server.asked("sync").length, 0, "it was late");
  assert.equal(table.get().seq, seq + 3);

  await push({ ...later, seq: seq + 9, before: seq + 8 });
  shown.shot = { ...herTurn(), seq: seq + 9 };
  await time.go(400);
  assert.deepEqual(
    server.asked("sync").map((one) => one.seq),
    [seq + 3],
  );
  assert.equal(table.get().seq, seq + 9);
  assert.equal(table.get().status, "live");
});

test("several tables share one connection, and what is told of one is not told of another", async () => {
  const { room, server, table, push, time } = await at(herTurn());
  const other = room.table("other");
  assert.equal(room.table("other"), other);
  await time.go(50);
  assert.equal(server.sockets.length, 1);
  const { seq } = other.get();
  await push({ type: "events", seq: seq + 1, before: seq, events: [], turn: null, pots: [], away: [3] }, "other");
  assert.deepEqual([other.get().seq, table.get().seq], [seq + 1, seq]);
  server.open[0]?.lose();
  await time.go(10);
  assert.deepEqual([other.get().status, table.get().status], ["behind", "behind"]);
  await time.go(2_000);
  const watched = server.asked("watch").map((one) => one.table);
  assert.deepEqual(watched.slice(-2).sort(), ["other", "t"]);
  assert.deepEqual([other.get().status, table.get().status], ["live", "live"]);
});

test("closed, a table is no more of the room's business, and may be opened anew", async () => {
  const { room, server, table, push, time } = await at(herTurn());
  void table.close();
  await time.go(50);
  assert.equal(server.asked("unwatch").length, 1);
  const before = table.get();
  await push({ type: "presence", away: [1, 2] });
  assert.equal(table.get(), before);
  await time.go(5 * MINUTE);
  assert.equal(server.asked("sync").length, 0);
  const again = room.table("t");
  assert.notEqual(again, table);
  await time.go(50);
  assert.equal(again.get().status, "live");
});

test("no such table: it says why, and begins anew if there is one later", async () => {
  const { room, server, time } = await connected();
  const { answer } = server;
  server.answer = () => ({ type: "error", code: "unknown_table", message: "There is no such table." });
  const table = room.table("nowhere");
  assert.equal(table.get().status, "loading");
  await time.go(50);
  assert.deepEqual([table.get().status, table.get().refusal?.code], ["refused", "unknown_table"]);
  await time.go(MINUTE);
  assert.equal(server.asked("watch").length, 1);
  server.answer = answer;
  const asking = table.refresh();
  await time.go(50);
  assert.equal((await asking).ok, true);
  assert.deepEqual([table.get().status, table.get().refusal], ["live", null]);
});

test("a spectator's snapshot in one's seat: is the seat lost?", async () => {
  const { server, table, push, time, shown } = await at(herTurn());
  const { seq } = table.get();
  await push({ type: "snapshot", ...asSpectator(herTurn()) });
  await time.go(50);
  assert.equal(server.asked("sync").length, 0, "it is as old as what is known");
  const lost = { ...asSpectator(herTurn()), seq: seq + 1 };
  lost.state = { ...lost.state, seats: lost.state.seats.map((seat, number) => (number ? seat : null)) };
  shown.shot = lost;
  await push({ type: "snapshot", ...lost });
  await time.go(50);
  assert.equal(server.asked("sync").length, 1);
  assert.deepEqual([table.get().seat, table.get().seq, table.get().yourTurn], [null, seq + 1, false]);
});

test("seated on another device: this one asks for its seat's view", async () => {
  const { server, table, push, time, shown } = await at({
    ...asSpectator(herTurn()),
    state: { ...asSpectator(herTurn()).state, seats: Array(6).fill(null) },
    seq: herTurn().seq - 1,
  });
  assert.equal(table.get().seat, null);
  shown.shot = herTurn();
  await push({ type: "snapshot", ...asSpectator(herTurn()) });
  await time.go(50);
  assert.equal(server.asked("watch").length, 2);
  assert.equal(table.get().seat, 0);
});

test("of a table that is seen late the clock learns nothing, and the view says how late it is", async () => {
  const made = await connected({ player: "nobody" });
  const { room, server, time } = made;
  const shot = asSpectator(herTurn());
  const late = { ...shot, state: { ...shot.state, settings: { ...shot.state.settings, delay_s: 30 } } };
  server.answer = (message) =>
    message.route === "watch" ? { seq: late.seq, snapshot: { ...late, now: time.now - 30_000 } } : { now: time.now };
  const table = room.table("t");
  await time.go(50);
  assert.ok(Math.abs(table.get().lateMs - 30_000) < 50);
  assert.ok(Math.abs(room.clock.now() - time.now) < 50);
});

test("what one's seat alone is told, if it does not come after the answer, is asked for", async () => {
  const { server, table, time, push } = await at(herTurn());
  const { seq } = table.get();
  const own = { plan: null, pre: null, refill: 900, owes: { small: false, big: false } };
  void table.autoTopUp(900);
  await time.go(30);
  await push({ type: "events", seq, before: seq, events: [], turn: null, pots: [], away: [], own });
  await time.go(3_000);
  assert.equal(table.get().own?.refill, 900);
  assert.equal(server.asked("watch").length, 1, "it came");
  void table.autoTopUp(700);
  await time.go(3_000);
  assert.equal(server.asked("watch").length, 2);
});

test("a stale turn means that something was missed", async () => {
  const { server, table, time } = await at(herTurn());
  const { answer } = server;
  server.answer = (message, socket) =>
    message.route === "act"
      ? { type: "error", code: "stale_turn", message: "The game has gone on." }
      : answer(message, socket);
  const acting = table.act({ hand: 1, number: 1 }, "fold");
  await time.go(100);
  const answered = await acting;
  assert.equal(!answered.ok && answered.error.code, "stale_turn");
  assert.equal(server.asked("sync").length, 1);
});

test("a click while the connection is lost is sent when it is back, and acts on no other turn", async () => {
  const { server, table, time } = await at(herTurn());
  const { turn } = table.get();
  assert.ok(turn);
  server.open[0]?.lose();
  await time.go(10);
  const acting = table.act(turn, "call");
  await time.go(3_000);
  assert.equal((await acting).ok, true);
  const [act, ...more] = server.asked("act");
  assert.deepEqual([act?.hand, act?.turn, more.length], [turn.hand, turn.number, 0]);
});

test("quick seat gives the table, subscribed from the seat", async () => {
  const { room, server, time } = await at(herTurn());
  void room.table("t").close();
  await time.go(50);
  const asking = room.quickSeat({ structure: "nl-PHP-500-1000", chips: 50_000, post: true });
  await time.go(50);
  const answer = await asking;
  assert.ok(answer.ok);
  const { table, seat } = answer.value;
  assert.deepEqual([table, seat, table.get().seat, table.get().status], [room.table("t"), 0, 0, "live"]);
  assert.equal(server.asked("watch").length, 1, "of the table before");
});

test("a seat that was taken over another connection than the reply's is watched over this one", async () => {
  const { room, server, time } = await at(herTurn());
  void room.table("t").close();
  await time.go(50);
  const lost = server.told.length;
  server.fate = (index) => (index === lost ? { copies: [], cut: "before" } : { copies: [5] });
  const asking = room.quickSeat({ structure: "nl-PHP-500-1000", chips: 50_000 });
  await time.go(3_000);
  const answer = await asking;
  assert.ok(answer.ok);
  assert.equal(server.asked("quickseat").length, 2);
  assert.equal(server.asked("watch").length, 2);
  assert.equal(answer.value.table.get().status, "live");
});

test("silence that brings nothing is asked about less and less often", async () => {
  const { server, time } = await at(herTurn());
  await time.go(10 * MINUTE);
  const asked = server.asked("sync").length;
  assert.ok(asked >= 5 && asked < 20, String(asked));
});

test("a listener that fails keeps no other from being told", () => {
  const errors: unknown[] = [];
  const told: string[] = [];
  const listeners = new Listeners<[string]>((error) => errors.push(error));
  listeners.add(() => {
    throw new Error("a listener's own");
  });
  const end = listeners.add((word) => {
    told.push(word);
    end();
  });
  listeners.tell("one");
  listeners.tell("two");
  assert.deepEqual([told, errors.length], [["one"], 2]);
});
