/** Events that are rare at a table: what each does to it. All others are in the recorded hands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fold, type TableSnapshot } from "../src/fold.js";
import type { EventView } from "../src/index.js";
import { recording } from "./recorded.js";

const found = recording.steps.find(({ snapshots }) => snapshots.guest.state.turn !== null);
assert.ok(found);
const TABLE: TableSnapshot = { ...found.snapshots.guest.state, next_hand_at: 5 };

function after(...events: EventView[]): TableSnapshot {
  return events.reduce<TableSnapshot>((state, event) => fold(state, event) ?? assert.fail(event.e), TABLE);
}

/** What is another than before. */
function changed(...events: EventView[]): Record<string, unknown> {
  const state = after(...events);
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => value !== TABLE[name as keyof TableSnapshot]),
  );
}

test("what concerns the whole table", () => {
  assert.deepEqual(changed({ e: "frozen" }), { frozen: true, next_hand_at: null });
  assert.deepEqual(changed({ e: "frozen" }, { e: "thawed", at: 9 }, { e: "hand_scheduled", at: 10 }), {
    next_hand_at: 10,
  });
  assert.deepEqual(changed({ e: "closing" }), { closing: true, next_hand_at: null });
  assert.deepEqual(changed({ e: "closed" }), { closing: true, next_hand_at: null });
  assert.deepEqual(changed({ e: "paused" }), { next_hand_at: null });
  const settings = { ...TABLE.settings, clock_ms: 1 };
  assert.deepEqual(changed({ e: "opened", settings }), { settings });
});

test("what concerns one seat", () => {
  const seat = (...events: EventView[]) => after(...events).seats[1];
  const before = TABLE.seats[1];
  assert.deepEqual(seat({ e: "going", seat: 1, exit: "removed" }), { ...before, exit: "removed" });
  assert.deepEqual(seat({ e: "sat_out", seat: 1, at: 1 }, { e: "sat_in", seat: 1, status: "waiting" }), {
    ...before,
    status: "waiting",
  });
  assert.deepEqual(seat({ e: "bank_closed", seat: 1, left: 70 }), { ...before, bank: 70 });
  assert.equal(seat({ e: "seat_emptied", seat: 1, player: "ben", chips: 1, exit: "left", at: 1 }), null);
});

test("of a hand: void, shown one card after the other, and what changes nothing", () => {
  assert.deepEqual(
    [after({ e: "hand_voided", number: 1, at: 1, reason: "" }).hand].map((hand) => [hand?.over, hand?.voided]),
    [[true, true]],
  );
  const shown = after(
    { e: "shown", seat: 2, cards: ["As"] },
    { e: "shown", seat: 0, cards: ["2c"] },
    { e: "shown", seat: 2, cards: ["As", "Kd"] },
  );
  assert.deepEqual(shown.hand?.shown, [
    { seat: 2, cards: ["As", "Kd"] },
    { seat: 0, cards: ["2c"] },
  ]);
  assert.deepEqual(changed({ e: "mucked", seat: 1 }, { e: "bank_opened", seat: 1, deadline: 1 }), {});
});

test("chips only move: what is paid, returned and won is what stacks and pot lose and gain", () => {
  const chips = (state: TableSnapshot) =>
    state.seats.reduce((sum, seat) => sum + (seat?.stack ?? 0), 0) + (state.hand?.pot ?? 0);
  const one = TABLE.seats[1];
  assert.ok(one);
  const all: EventView = { e: "acted", seat: 1, do: "raise", to: one.bet + one.stack, paid: one.stack, cause: "own" };
  assert.equal(chips(after(all)), chips(TABLE));
  assert.equal(after(all).seats[1]?.all_in, true);
  const back: EventView = { e: "returned", seat: 1, amount: 100 };
  assert.equal(chips(after(all, back)), chips(TABLE));
  assert.deepEqual([after(all, back).seats[1]?.stack, after(all, back).seats[1]?.all_in], [100, false]);
});

test("an event that nobody knows is told as such", () => {
  assert.equal(fold(TABLE, { e: "of_next_year" } as unknown as EventView), null);
});
