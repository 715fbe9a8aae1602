/** A hand that is over, step by step, against what the real room showed while it was played. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { publicLog } from "../src/book.js";
import { course, type EventView, type PastHandView } from "../src/index.js";
import { recording } from "./recorded.js";

/** The last hand of the recording, as a guest saw it. */
function recorded(): { hand: Pick<PastHandView, "state" | "steps">; last: PastHandView["state"] } {
  const states = recording.steps.map(({ snapshots }) => snapshots.guest.state);
  const over = states.find(({ hand }) => hand?.over);
  const before = [...states].reverse().find(({ hand, hands }) => hand === null && hands < (over?.hands ?? 0));
  assert.ok(over && before);
  const steps = publicLog(over.log).map((event) => ({ event: event as EventView }));
  return { hand: { state: before, steps }, last: over };
}

test("it ends as the table stood, and begins with the table before the hand", () => {
  const { hand, last } = recorded();
  const places = course(hand);
  assert.equal(places.length, hand.steps.length + 1);
  assert.equal(places[0], hand.state);
  const end = places.at(-1);
  assert.deepEqual(
    end?.seats.map((seat) => seat?.player),
    last.seats.map((seat) => seat?.player),
  );
  assert.deepEqual([end?.hand?.board, end?.hand?.shown], [last.hand?.board, last.hand?.shown]);
});

test("pots are those that are told, until others are", () => {
  const { hand } = recorded();
  const pots = [{ amount: 7, seats: [0, 1] }];
  const steps = hand.steps.map((step, at) => (at === 2 ? { ...step, pots } : step));
  const places = course({ ...hand, steps });
  assert.deepEqual(places[2]?.hand?.pots, []);
  assert.deepEqual([places[3]?.hand?.pots, places.at(-1)?.hand?.pots], [pots, pots]);
});

test("a void hand ends with what everybody had, and an event that is not known changes nothing", () => {
  const { hand } = recorded();
  const odd = { event: { e: "later" } as unknown as EventView };
  const end: EventView = { e: "hand_voided", number: 1, at: 1, reason: "" };
  const places = course({ ...hand, steps: [...hand.steps.slice(0, 4), odd, { event: end }] });
  assert.equal(places[5], places[4]);
  const stacks = (at: number) => places[at]?.seats.map((seat) => seat?.stack);
  assert.notDeepEqual(stacks(4), stacks(0));
  assert.deepEqual(stacks(6), stacks(0));
});
