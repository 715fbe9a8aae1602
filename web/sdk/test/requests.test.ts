/** What is asked is answered, or said to be unanswered; and it is the same message each time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientMessage } from "../src/index.js";
import type { FakeRoom } from "./fake-room.js";
import { connected, scene } from "./scene.js";

const ACCOUNT = { account: { player: "ana" } };

/** Answers so, one after another, and then as it is. */
function answering(server: FakeRoom, ...answers: (Record<string, unknown> | null)[]): void {
  server.answer = (message: ClientMessage) => {
    if (message.route === "ping") return { now: server.time.now };
    return answers.length ? (answers.shift() ?? null) : ACCOUNT;
  };
}

function refusal(code: string, facts = {}): Record<string, unknown> {
  return { type: "error", code, message: "A sentence.", facts };
}

test("a lost reply: the same message goes again, with the same id", async () => {
  const { server, room, time } = await connected();
  answering(server, null, null);
  const asking = room.account();
  await time.go(16_000);
  assert.equal((await asking).ok, true);
  const asked = server.asked("account");
  assert.equal(asked.length, 3);
  assert.deepEqual(asked[1], asked[0]);
  assert.deepEqual(asked[2], asked[0]);
});

test("a lost connection: it goes again over the next one, at once", async () => {
  const { server, room, time } = await connected();
  answering(server, null);
  const asking = room.account();
  await time.go(50);
  server.open[0]?.lose();
  await time.go(1_000);
  assert.equal((await asking).ok, true);
  const [first, second, ...rest] = server.asked("account");
  assert.deepEqual([first, rest.length], [second, 0]);
});

test("what is asked before there is a connection waits for it", async () => {
  const { server, room, time } = scene();
  answering(server);
  const asking = room.account();
  room.connect();
  await time.go(100);
  assert.equal((await asking).ok, true);
  assert.equal(server.asked("account").length, 1);
});

test("no two messages have the same id, and all fit the protocol", async () => {
  const { server, room, time } = await connected();
  const other = await connected({ random: Math.random });
  for (let count = 0; count < 50; count += 1) {
    void room.account();
    void other.room.account();
  }
  await time.go(100);
  await other.time.go(100);
  const ids = [...server.said, ...other.server.said].map((one) => one.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{1,36}$/);
});

test("unanswered, it is given up after fifty seconds", async () => {
  const { server, room, time } = await connected();
  answering(server, null, null, null, null, null);
  const asking = room.account();
  const lobby = { type: "lobby", part: 1, parts: 1, stakes: [], tables: [] };
  for (let second = 0; second < 49; second += 1) {
    // Others are answered.
    for (const socket of server.open) server.send(socket, { ...lobby, now: time.now });
    await time.go(1_000);
  }
  assert.equal(server.asked("account").length, 4);
  await time.go(1_100);
  const answer = await asking;
  assert.equal(!answer.ok && answer.error.code, "unanswered");
});

test("a room that answers nobody for long is not overrun with connections", async () => {
  const { server, room, time } = await connected();
  server.answer = () => null;
  for (let minute = 0; minute < 10; minute += 1) {
    void room.account();
    await time.go(60_000);
  }
  assert.ok(server.sockets.length < 20, String(server.sockets.length));
});

test("busy: again with the same id, a few times", async () => {
  const { server, room, time } = await connected();
  answering(server, refusal("busy"), refusal("busy"));
  const asking = room.account();
  await time.go(3_000);
  assert.equal((await asking).ok, true);
  assert.equal(new Set(server.asked("account").map((one) => one.id)).size, 1);

  answering(server, ...Array.from({ length: 9 }, () => refusal("busy")));
  const again = room.account();
  await time.go(20_000);
  const answer = await again;
  assert.equal(!answer.ok && answer.error.code, "busy");
});

test("slow_down: again with the same id, not before the time it names", async () => {
  const { server, room, time } = await connected();
  answering(server, refusal("slow_down", { retry_ms: 4_000 }));
  const asking = room.account();
  await time.go(3_900);
  assert.equal(server.asked("account").length, 1);
  await time.go(1_500);
  assert.equal((await asking).ok, true);
  assert.equal(new Set(server.asked("account").map((one) => one.id)).size, 1);
});

test("what the gateway did not pass on goes again soon", async () => {
  const { server, room, time } = await connected();
  answering(server, null);
  const asking = room.account();
  await time.go(50);
  server.open[0]?.hear('{"message":"Too Many Requests","connectionId":"a","requestId":"b"}');
  await time.go(2_500);
  assert.equal((await asking).ok, true);
});

test("a refusal is a value, with code, sentence and numbers", async () => {
  const { server, room, time } = await connected();
  answering(server, refusal("loss_limit", { limit: 5, left: 1 }));
  const asking = room.account();
  await time.go(50);
  const error = { code: "loss_limit", message: "A sentence.", facts: { limit: 5, left: 1 } };
  assert.deepEqual(await asking, { ok: false, error });
  assert.equal(server.asked("account").length, 1);
});

test("a late second answer changes nothing", async () => {
  const { server, room, time } = await connected();
  server.fate = () => ({ copies: [5, 200, 9_000] });
  const asking = room.account();
  await time.go(10_000);
  assert.equal((await asking).ok, true);
});
