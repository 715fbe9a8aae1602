import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerClock } from "../src/clock.js";

/** A local clock that is wrong by `skew`. */
function clocks(skew: number) {
  const server = { now: 1_700_000_000_000 };
  const local = { skew };
  return { server, local, clock: new ServerClock(() => server.now + local.skew) };
}

test("a round trip places the server's clock within half of itself", () => {
  const { server, clock } = clocks(-3_600_000);
  const sentAt = server.now - 3_600_000;
  server.now += 30;
  const said = server.now;
  server.now += 70;
  clock.measure(said, sentAt);
  assert.ok(Math.abs(clock.now() - server.now) <= 50);
});

test("the shortest round trip counts, until it is old", () => {
  const { server, clock } = clocks(5_000);
  const trip = (there: number, back: number) => {
    const sentAt = server.now + 5_000;
    server.now += there;
    const said = server.now;
    server.now += back;
    clock.measure(said, sentAt);
    return clock.now() - server.now;
  };
  assert.equal(trip(10, 10), 0);
  assert.equal(trip(0, 900), 0, "a worse one changes nothing");
  server.now += 11 * 60_000;
  assert.equal(trip(0, 100), -50, "what is old is replaced");
});

test("it never shows less than what a push says", () => {
  const { server, clock } = clocks(-9_000);
  clock.hear(server.now);
  assert.equal(clock.now(), server.now);
  server.now += 1_000;
  clock.hear(server.now - 400);
  assert.equal(clock.now(), server.now, "what was under way for long takes nothing back");
});

for (const jump of [3_600_000, -3_600_000]) {
  test(`a local clock that is set by ${jump} ms is noticed at the next round trip`, () => {
    const { server, local, clock } = clocks(0);
    clock.measure(server.now, server.now);
    local.skew = jump;
    const sentAt = server.now + jump;
    server.now += 80;
    clock.measure(server.now - 40, sentAt);
    assert.ok(Math.abs(clock.now() - server.now) <= 40);
  });
}
