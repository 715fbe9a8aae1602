import assert from "node:assert/strict";
import { test } from "node:test";
import { Guard, SETTLING } from "../src/betting/guard.js";

function settled(key: string): Guard {
  const guard = new Guard();
  guard.offer(key, 0);
  return guard;
}

test("a click on what is offered counts", () => {
  const guard = settled("1:1:200");
  guard.press(1000);
  assert.equal(guard.release(1080), true);
});

test("a click that began on another price does nothing, however late it ends", () => {
  const guard = settled("1:1:200");
  guard.press(1000);
  guard.offer("1:2:400", 1010);
  assert.equal(guard.release(1050), false);
  guard.press(1000 + SETTLING * 2);
  guard.offer("1:3:600", 1010 + SETTLING * 2);
  assert.equal(guard.release(9000), false);
});

test("a click that began on another price does nothing even if that price is back", () => {
  const guard = settled("a");
  guard.offer("b", 1000);
  guard.press(1001);
  guard.offer("a", 1002);
  assert.equal(guard.release(1002 + SETTLING), false);
});

test("for a moment after a change nothing can be pressed", () => {
  const guard = settled("a");
  guard.offer("b", 1000);
  guard.press(1000 + SETTLING - 1);
  assert.equal(guard.release(1000 + SETTLING + 50), false);
  assert.equal(guard.strike(1000 + SETTLING - 1), false);
  assert.equal(guard.strike(1000 + SETTLING), true);
});

test("the same offer again is no change", () => {
  const guard = settled("a");
  guard.press(1000);
  guard.offer("a", 1001);
  assert.equal(guard.release(1002), true);
});

test("each press counts once, and a cancelled one never", () => {
  const guard = settled("a");
  guard.press(1000);
  assert.equal(guard.release(1001), true);
  assert.equal(guard.release(1002), false);
  guard.press(1003);
  guard.cancel();
  assert.equal(guard.release(1004), false);
});

test("where nothing is offered nothing can be struck", () => {
  assert.equal(new Guard().strike(1000), false);
});
