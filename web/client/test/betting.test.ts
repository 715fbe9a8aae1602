import assert from "node:assert/strict";
import { test } from "node:test";
import { begun, chosen, typed } from "../src/betting/entry.js";
import { shortcuts } from "../src/betting/shortcuts.js";
import { amountAt, type Bounds, lastStop, moved, stopAt } from "../src/betting/stops.js";
import { POINT } from "../src/money/numerals.js";

/** Blinds 1-2, a stack of 15.50: RULES 8.3. */
const OPEN: Bounds = { least: 400, most: 1550, step: 200 };

function all(bounds: Bounds): number[] {
  return Array.from({ length: lastStop(bounds) + 1 }, (_, stop) => amountAt(bounds, stop));
}

test("8.3 the slider stops at the least, then every step, and last at the whole stack", () => {
  assert.deepEqual(all(OPEN), [400, 600, 800, 1000, 1200, 1400, 1550]);
  assert.deepEqual(all({ least: 400, most: 800, step: 200 }), [400, 600, 800]);
  assert.deepEqual(all({ least: 400, most: 450, step: 200 }), [400, 450]);
});

test("8.3 a single amount has a single stop", () => {
  assert.deepEqual(all({ least: 300, most: 300, step: 200 }), [300]);
});

test("8.3 no stop lies outside of what the server allows, however large the stack", () => {
  const bounds = { least: 400, most: 1_000_000_000_000, step: 200 };
  const last = lastStop(bounds);
  for (const stop of [-3, 0, 1, last - 1, last, last + 7, 1e15]) {
    const amount = amountAt(bounds, stop);
    assert(amount >= bounds.least && amount <= bounds.most && Number.isSafeInteger(amount));
  }
  assert.equal(amountAt(bounds, last), bounds.most);
});

test("8.3 from an amount between two stops the slider goes to the next one, either way", () => {
  assert.equal(moved(OPEN, 450, 1), 600);
  assert.equal(moved(OPEN, 450, -1), 400);
  assert.equal(moved(OPEN, 600, -1), 400);
  assert.equal(moved(OPEN, 1550, -1), 1400);
  assert.equal(moved(OPEN, 1550, 1), 1550);
  assert.equal(moved(OPEN, 400, -1), 400);
  assert.equal(moved(OPEN, 1450, 1), 1550);
  assert.equal(moved(OPEN, 1450, -1), 1400);
  assert.equal(moved(OPEN, 500, 5), 1400);
});

test("the slider shows each stop where it is", () => {
  for (const [stop, amount] of all(OPEN).entries()) assert.equal(stopAt(OPEN, amount), stop);
  assert.equal(stopAt(OPEN, 799), 1);
  assert.equal(stopAt(OPEN, 0), 0);
  assert.equal(stopAt(OPEN, 9999), 6);
});

test("8.1 the button has the least amount at first", () => {
  assert.deepEqual(begun(OPEN, POINT), { text: "4", amount: 400, fault: null });
});

test("8.2 an exact amount in the box is the amount", () => {
  assert.deepEqual(typed("7.25", OPEN, POINT, "USD"), { text: "7.25", amount: 725, fault: null });
});

test("typing is not fought: the text stays, whatever it is, and never becomes another amount", () => {
  const keystrokes = ["", "1", "12", "12.", "12.5", "12.50", "12.505", "x", "1,2", "99999", "0"];
  for (const text of keystrokes) assert.equal(typed(text, OPEN, POINT, "USD").text, text);
  assert.deepEqual(
    keystrokes.map((text) => typed(text, OPEN, POINT, "USD").amount),
    [null, null, 1200, null, 1250, 1250, null, null, null, null, null],
  );
  assert.deepEqual(
    ["", "1", "12.", "12.505", "1,2", "99999"].map((text) => typed(text, OPEN, POINT, "USD").fault),
    ["empty", "low", "form", "decimals", "group", "high"],
  );
});

test("slider and shortcuts fill in what they stand for", () => {
  assert.deepEqual(chosen(1550, OPEN, POINT), { text: "15.50", amount: 1550, fault: null });
});

test("half the pot and the pot count what calling adds", () => {
  // 10 in the pot, of which a bet of 4 is to be called.
  const turn = { call_to: 400, to_call: 400 };
  const wide = { least: 800, most: 10_000, step: 400 };
  assert.deepEqual(shortcuts(turn, 1000, wide), { half: 400 + 700, pot: 400 + 1400, all_in: 10_000 });
  assert.deepEqual(shortcuts({ call_to: 0, to_call: 0 }, 1501, { least: 200, most: 9000, step: 200 }), {
    half: 750,
    pot: 1501,
    all_in: 9000,
  });
});

test("a shortcut to what is not allowed is not offered, and not replaced by another amount", () => {
  const turn = { call_to: 400, to_call: 400 };
  assert.deepEqual(shortcuts(turn, 1000, { least: 1200, most: 1500, step: 400 }), {
    half: null,
    pot: null,
    all_in: 1500,
  });
  assert.deepEqual(shortcuts(turn, 1000, { least: 900, most: 900, step: 400 }), {
    half: null,
    pot: null,
    all_in: null,
  });
});
