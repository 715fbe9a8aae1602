/** The lobby, places in line, and reminders. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { filterStakes, filterTables, type Hall, type LobbyView, type RowView, type StakeView } from "../src/index.js";
import { type Parts, withPart } from "../src/lobby.js";
import { connected } from "./scene.js";

const STAKE = "nl-PHP-500-1000";

function row(table: string, more: Partial<RowView> = {}): RowView {
  return {
    table,
    structure: STAKE,
    game: "nl",
    currency: "PHP",
    players: [null, "ben"],
    state: "open",
    ...more,
  } as RowView;
}

function part(now: number, number: number, parts: number, ...tables: string[]): LobbyView {
  return { now, part: number, parts, stakes: [], tables: tables.map((table) => row(table)) };
}

function names(known: Parts): string[] | undefined {
  return known.hall?.tables.map((one) => one.table);
}

test("parts of one moment make one lobby; the first is shown as it comes, later ones when all are there", () => {
  let known: Parts = { hall: null, parts: [] };
  known = withPart(known, part(10, 1, 2, "a"));
  assert.deepEqual(names(known), ["a"]);
  known = withPart(known, part(10, 2, 2, "b"));
  assert.deepEqual(names(known), ["a", "b"]);
  known = withPart(known, part(20, 2, 2, "d"));
  assert.deepEqual(names(known), ["a", "b"]);
  known = withPart(known, part(15, 1, 1, "old"));
  known = withPart(known, part(20, 1, 2, "c"));
  assert.deepEqual(names(known), ["c", "d"]);
  known = withPart(known, part(10, 1, 1, "older"));
  assert.deepEqual(names(known), ["c", "d"]);
});

test("a filter chooses stakes and tables", () => {
  const hall = {
    now: 1,
    stakes: [
      { structure: STAKE, game: "nl", currency: "PHP" } as StakeView,
      { structure: "fl-USD-1-2", game: "fl", currency: "USD" } as StakeView,
    ],
    tables: [
      row("a"),
      row("full", { players: ["ana", "ben"] }),
      row("closing", { state: "closing" }),
      row("usd", { currency: "USD" }),
    ],
  } satisfies Hall;
  const chosen = (filter: Parameters<typeof filterTables>[1]) => filterTables(hall, filter).map((one) => one.table);
  assert.deepEqual(chosen({}), ["a", "full", "closing", "usd"]);
  assert.deepEqual(chosen({ free: true }), ["a", "usd"]);
  assert.deepEqual(chosen({ free: true, currency: "PHP" }), ["a"]);
  assert.deepEqual(chosen({ structure: "none" }), []);
  assert.deepEqual(filterStakes(hall, { game: "fl" }).length, 1);
});

test("it is subscribed to until it is left, also over a new connection, and asked again after six seconds of silence", async () => {
  const { room, server, time } = await connected();
  const asking = room.lobby.enter();
  await time.go(50);
  assert.ok((await asking).ok);
  const asked = () => server.asked("lobby").map((one) => one.watch);
  assert.deepEqual(asked(), [true]);
  for (let count = 0; count < 4; count += 1) {
    await time.go(4_000);
    server.send(server.open[0] as never, { type: "lobby", ...part(time.now, 1, 1, `t${count}`) });
  }
  await time.go(50);
  assert.deepEqual(asked(), [true]);
  assert.equal(room.lobby.get()?.tables[0]?.table, "t3");
  await time.go(6_000);
  assert.deepEqual(asked(), [true, true]);
  server.open[0]?.lose();
  await time.go(1_000);
  assert.deepEqual(asked(), [true, true, true]);
  void room.lobby.exit();
  await time.go(60_000);
  assert.deepEqual(asked(), [true, true, true, false]);
});

test("a place in line, an offer, and its end", async () => {
  const { room, server, time } = await connected();
  const waiting = room.wait(STAKE);
  await time.go(50);
  assert.ok((await waiting).ok);
  assert.deepEqual(room.places.get().get(STAKE), { structure: STAKE, place: 1, length: 1, table: null, until: null });
  const offer = async (more: object) => {
    server.send(server.open[0] as never, {
      type: "offer",
      structure: STAKE,
      table: null,
      until: null,
      waiting: true,
      now: time.now,
      ...more,
    });
    await time.go(50);
    return room.places.get().get(STAKE);
  };
  const until = time.now + 30_000;
  assert.deepEqual((await offer({ table: "t", until }))?.table, "t");
  assert.deepEqual((await offer({ now: time.now - 10_000 }))?.table, "t", "an older one says nothing");
  assert.deepEqual((await offer({}))?.table, null);
  assert.equal(await offer({ waiting: false }), undefined);
});

test("after a reconnection places are those that the room still has: none is taken anew", async () => {
  const { room, server, time } = await connected();
  const { answer } = server;
  const offered = { structure: STAKE, place: 1, length: 3, table: "t", until: time.now + 30_000 };
  let lines: object[] | undefined = [offered];
  server.answer = (message, socket) =>
    message.route === "account" ? { now: time.now, account: { player: "ana", lines } } : answer(message, socket);
  const again = async () => {
    server.open[0]?.lose();
    await time.go(6_000);
    return room.places.get().get(STAKE);
  };
  void room.wait(STAKE);
  await time.go(50);
  assert.deepEqual(await again(), offered, "the offer that was pushed meanwhile");
  lines = undefined;
  assert.deepEqual(await again(), offered, "an older release tells no lines");
  lines = [];
  assert.equal(await again(), undefined);
  await again();
  assert.equal(server.asked("wait").length, 1);
  assert.equal(server.asked("account").length, 3, "who waits nowhere asks nothing");
});

test("a client that has just started knows its places by the account", async () => {
  const { room, server, time } = await connected();
  const place = { structure: STAKE, place: 2, length: 3, table: null, until: null };
  server.answer = () => ({ now: time.now, account: { player: "ana", lines: [place] } });
  void room.account();
  await time.go(50);
  assert.deepEqual([...room.places.get().values()], [place]);
  // What was so before an offer takes nothing of it back.
  server.send(server.open[0] as never, {
    type: "offer",
    ...place,
    table: "t",
    until: 9,
    waiting: true,
    now: time.now + 99,
  });
  await time.go(50);
  server.answer = () => ({ now: time.now, account: { player: "ana", lines: [] } });
  void room.account();
  await time.go(20);
  assert.equal(room.places.get().get(STAKE)?.table, "t");
});

test("who sits at a stake waits for it no more", async () => {
  const { room, server, time } = await connected();
  void room.wait(STAKE);
  await time.go(50);
  assert.equal(room.places.get().size, 1);
  // The recorded table is of this stake, and ana sits there.
  room.table("t");
  await time.go(50);
  assert.equal(room.places.get().size, 0);
  server.open[0]?.lose();
  await time.go(1_000);
  assert.equal(server.asked("wait").length, 1);
});

test("each number of minutes is told once", async () => {
  const { room, server, time } = await connected();
  const told: number[] = [];
  room.onReminder(({ minutes }) => told.push(minutes));
  const minutes = [60, 60, 120, 120];
  server.answer = () => ({ now: time.now, reminder: { since: 5, minutes: minutes.shift() ?? 120 } });
  await time.go(25 * 60_000);
  assert.deepEqual(told, [60, 120]);
});
