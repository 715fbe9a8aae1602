/** The books that are kept of a table, and what each push does to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Book, emptyBook, inBank, isBehind, loaded, ownSeat, present, pushed, sits } from "../src/book.js";
import type { EventsPush, EventView, OwnView, Snapshot } from "../src/index.js";
import { askAt, nextToAct } from "../src/silence.js";
import { recording, shown } from "./recorded.js";

const OWN: OwnView = { plan: null, pre: null, refill: 0, owes: { small: false, big: false } };

/** The first step at which a hand runs and it is this seat's turn, or any. */
function running(seat?: number): Snapshot {
  const found = recording.steps.find(({ snapshots }) => {
    const { turn } = snapshots.ana.state;
    return turn !== null && (seat === undefined || turn.seat === seat);
  });
  assert.ok(found);
  return found.snapshots.ana;
}

function opened(snapshot: Snapshot = running(), player: string | null = "ana"): Book {
  return loaded(emptyBook(player), snapshot, true).book;
}

function push(book: Book, by: number, events: EventView[] = [], more: Partial<EventsPush> = {}): EventsPush {
  return {
    type: "events",
    table: "t",
    seq: book.seq + by,
    before: book.seq,
    now: book.ownAt + 1_000,
    events,
    turn: book.state?.turn ? structuredClone(book.state.turn) : null,
    pots: [],
    away: [],
    own: OWN,
    ...more,
  };
}

function deepFrozen<T>(value: T): T {
  if (value !== null && typeof value === "object") {
    for (const inner of Object.values(value)) deepFrozen(inner);
    Object.freeze(value);
  }
  return value;
}

test("nothing that was given away is changed", () => {
  let book = deepFrozen(opened(recording.steps[0]?.snapshots.ana));
  for (const { pushes } of recording.steps.slice(1)) {
    for (const one of pushes.ana) {
      if (one.type === "events") book = deepFrozen(pushed(book, deepFrozen(one)).book);
      else if (one.type === "presence") book = deepFrozen(present(book, one));
    }
  }
  assert.deepEqual(book.state, shown(recording.steps.at(-1)?.snapshots.ana as Snapshot));
});

test("pushes are taken in their order, however they come", () => {
  const first = opened();
  const one = push(first, 2);
  const after = pushed(first, one).book;
  const two = push(after, 3);
  const gap = pushed(first, two);
  assert.deepEqual([gap.outcome, gap.book.seq, isBehind(gap.book)], ["gap", first.seq, true]);
  const both = pushed(gap.book, one);
  assert.deepEqual([both.outcome, both.book.seq, isBehind(both.book)], ["applied", first.seq + 5, false]);
  assert.equal(pushed(both.book, one).outcome, "dropped");
  assert.equal(pushed(both.book, two).outcome, "dropped");
});

test("a push that reaches over what is known is a gap too", () => {
  const book = opened();
  const over = push(book, 4, [], { before: book.seq - 2 });
  assert.equal(pushed(book, over).outcome, "gap");
});

test("a snapshot closes the gap, and what was kept goes on from it", () => {
  const book = opened();
  const later = push(book, 6, [], { before: book.seq + 4 });
  const gap = pushed(book, later).book;
  const shot = { ...running(), seq: book.seq + 4 };
  assert.deepEqual([loaded(gap, shot, true).book.seq, isBehind(loaded(gap, shot, true).book)], [book.seq + 6, false]);
});

test("an older snapshot changes nothing but who is away, if that is newer", () => {
  const book = opened();
  const old = { ...running(), seq: book.seq - 1, now: book.awayAt + 5, away: [2] };
  const turned = loaded(book, old, true);
  assert.equal(turned.outcome, "dropped");
  assert.equal(turned.book.state, book.state);
  assert.deepEqual(turned.book.away, [2]);
});

test("a seat takes no spectator's snapshot", () => {
  const book = opened();
  const shot = { ...running(), seq: book.seq + 9 };
  assert.equal(loaded(book, shot, false).book.state, book.state);
  assert.equal(loaded(book, shot, true).book.seq, book.seq + 9);
});

test("who looks on may be shown in a seat that is not his own to see", () => {
  const guests = recording.steps.at(-3)?.snapshots.guest as Snapshot;
  const book = opened(guests);
  assert.deepEqual([sits(book), ownSeat(book)], [true, null]);
});

test("of what the seat alone is told the later holds, whichever comes first", () => {
  const book = opened();
  const leave = push(book, 0, [{ e: "planned", seat: 0, plan: "leave" }], {
    now: book.ownAt + 20,
    own: { ...OWN, plan: "leave" },
  });
  const stay = push(book, 0, [{ e: "planned", seat: 0, plan: null }], { now: book.ownAt + 10 });
  for (const order of [
    [stay, leave],
    [leave, stay],
    [leave, stay, stay, leave, stay],
  ]) {
    const end = order.reduce((known, one) => pushed(known, one).book, book);
    assert.equal(ownSeat(end)?.plan, "leave");
    assert.equal(end.seq, book.seq);
  }
});

test("a snapshot that was overtaken by what the seat alone was told does not take it back", () => {
  const book = opened();
  const told = pushed(book, push(book, 0, [], { own: { ...OWN, refill: 7 } })).book;
  const late = loaded(told, { ...running(), now: book.ownAt + 1 }, true).book;
  assert.equal(ownSeat(late)?.refill, 7);
  const newer = loaded(told, { ...running(), now: told.ownAt + 1 }, true).book;
  assert.notEqual(ownSeat(newer)?.refill, 7);
});

test("what the seat alone is told, and what everybody is, may wait for the same push", () => {
  const book = opened();
  const before = push(book, 1);
  const after = pushed(book, before).book;
  const alone = push(after, 0, [], { own: { ...OWN, refill: 3 } });
  const all = push(after, 2, [], { now: after.ownAt + 2_000, own: { ...OWN, refill: 3 } });
  for (const order of [
    [alone, all, before],
    [all, alone, before],
  ]) {
    const end = order.reduce((known, one) => pushed(known, one).book, book);
    assert.deepEqual([end.seq, ownSeat(end)?.refill, isBehind(end)], [book.seq + 3, 3, false]);
  }
});

test("what a void hand puts back, and what nobody knows, only a snapshot tells", () => {
  const book = opened();
  const voided: EventView = { e: "hand_voided", number: 1, at: 1, reason: "a fault" };
  const unknown = { e: "of_next_year", seat: 1 } as unknown as EventView;
  for (const event of [voided, unknown]) {
    const after = pushed(book, push(book, 1, [event])).book;
    assert.equal(after.stale, true);
    assert.equal(loaded(after, { ...running(), seq: after.seq }, true).book.stale, false);
  }
});

test("the log is the hand's, without what one seat alone is told", () => {
  const end = recording.steps.at(-1)?.snapshots.ana as Snapshot;
  const { log } = loaded(emptyBook("ana"), end, true).book.state ?? { log: [] };
  assert.equal(log[0]?.e, "hand_started");
  const kinds = new Set(log.map((event) => event.e));
  for (const kind of ["prepared", "planned", "refill_set", "hand_scheduled"] as const) assert.ok(!kinds.has(kind));
});

test("names stay with the hand when those have gone who bore them", () => {
  const over = recording.steps.find(({ snapshots }) => snapshots.ana.state.hand?.over);
  assert.ok(over);
  const before = recording.steps[recording.steps.indexOf(over) - 1]?.snapshots.ana as Snapshot;
  let book = opened(before, null);
  book = loaded(book, over.snapshots.ana, true).book;
  const emptied = { ...over.snapshots.ana, seq: book.seq + 1 };
  emptied.state = { ...emptied.state, seats: emptied.state.seats.map(() => null) };
  book = loaded(book, emptied, true).book;
  assert.deepEqual(book.names.players.slice(0, 4), ["ana", "ben", "cora", "dan"]);
});

test("events of a snapshot are those that are new in the same hand", () => {
  const [one, two] = recording.steps.filter(({ snapshots }) => snapshots.guest.state.turn !== null);
  const known = opened(one?.snapshots.guest as Snapshot, null);
  const { events } = loaded(known, two?.snapshots.guest as Snapshot, false);
  const log = two?.snapshots.guest.state.log ?? [];
  assert.ok(events.length > 0 && events.length < log.length);
  assert.deepEqual(events, log.slice(-events.length));
  assert.deepEqual(loaded(emptyBook(null), two?.snapshots.guest as Snapshot, false).events, []);
});

test("the time bank is open from its opening to its end", () => {
  const { steps } = recording;
  const open = steps.find(({ snapshots }) => snapshots.ana.state.log.at(-1)?.e === "bank_opened");
  assert.ok(open);
  assert.equal(inBank(opened(open.snapshots.ana).state), true);
  const after = steps[steps.indexOf(open) + 1]?.snapshots.ana as Snapshot;
  assert.equal(inBank(opened(after).state), after.state.log.at(-1)?.e === "bank_opened");
});

test("silence: who is next asks after 5 seconds, the others 2 seconds past the deadline", () => {
  const shot = running();
  const { turn } = shot.state;
  assert.ok(turn);
  const next = nextToAct(opened(shot).state as NonNullable<Book["state"]>);
  const seats = shot.state.seats.map((seat, number) => {
    if (seat === null) return null;
    const { plan: _plan, pre: _pre, refill: _refill, owes: _owes, ...open } = seat;
    return { ...open, player: `p${number}` };
  });
  const view = (number: number | null) =>
    opened(
      {
        ...shot,
        state: { ...shot.state, seats: seats.map((seat) => (seat?.seat === number ? { ...seat, ...OWN } : seat)) },
      },
      number === null ? null : `p${number}`,
    );
  const heard = turn.deadline - 14_000;
  for (const seat of seats) {
    if (seat === null) continue;
    const expected: number = seat.seat === next ? heard + 5_000 : turn.deadline + 2_000;
    assert.equal(askAt(view(seat.seat), heard, 0), expected, `seat ${seat.seat}`);
  }
  assert.equal(askAt(view(null), heard, 0), turn.deadline + 30_000, "a spectator has patience");
  assert.equal(askAt(view(null), heard, 60_000), turn.deadline + 90_000, "and sees some tables late");
});
