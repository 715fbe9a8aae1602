/** Connections: opened, lost, exchanged, refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Connection, SignedOut } from "../src/index.js";
import { connected, scene } from "./scene.js";

const MINUTE = 60_000;

test("each connection has a new token, beside the protocol's name", async () => {
  let made = 0;
  const { server, time } = await connected({
    token: async () => {
      made += 1;
      return `token-${made}`;
    },
  });
  server.open[0]?.lose();
  await time.go(2_000);
  const offered = server.sockets.map((one) => one.protocols);
  assert.deepEqual(offered, [
    ["cardroom.v1", "bearer.token-1"],
    ["cardroom.v1", "bearer.token-2"],
  ]);
});

test("a device's name goes with the token, and only one that a handshake may hold", async () => {
  const name = "0123456789abcdef";
  const offered = async (device: string | null, token: string | null = "token") => {
    const { server } = await connected({ token: () => Promise.resolve(token), device });
    return server.sockets[0]?.protocols;
  };
  assert.deepEqual(await offered(name), ["cardroom.v1", "bearer.token", `device.${name}`]);
  for (const bad of ["short", "has a blank in it!", "x".repeat(65), "", null])
    assert.deepEqual(await offered(bad), ["cardroom.v1", "bearer.token"]);
  assert.deepEqual(await offered(name, null), ["cardroom.v1"]);
});

test("without a token one is a guest, and offers none", async () => {
  const { server, room } = await connected({ token: () => Promise.resolve(null) });
  assert.deepEqual(server.sockets[0]?.protocols, ["cardroom.v1"]);
  assert.equal(room.connection.get().state, "open");
});

test("the states of a connection that is lost and comes back", async () => {
  const { server, room, time } = scene();
  const states: Connection["state"][] = [room.connection.get().state];
  room.connection.subscribe(({ state }) => {
    if (state !== states.at(-1)) states.push(state);
  });
  room.connect();
  await time.go(10_000);
  server.open[0]?.lose();
  await time.go(10);
  const { retryAt } = room.connection.get();
  assert.ok(retryAt !== null && retryAt > time.now && retryAt <= time.now + 500);
  await time.go(1_000);
  room.close();
  assert.deepEqual(states, ["idle", "connecting", "open", "resuming", "open", "closed"]);
  assert.equal(room.connection.get().error?.code, "closed");
});

for (const status of [401, 403]) {
  test(`a handshake refused with ${status} asks for a new token, once and at once`, async () => {
    const asked: boolean[] = [];
    const token = async ({ refused }: { refused: boolean }) => {
      asked.push(refused);
      return "token";
    };
    const made = scene({ token });
    made.server.handshakes.push(status);
    made.room.connect();
    await made.time.go(50);
    assert.deepEqual(asked, [false, true]);
    assert.equal(made.room.connection.get().state, "open");

    asked.length = 0;
    const out = scene({ token });
    out.server.handshakes.push(status, status);
    out.room.connect();
    await out.time.go(MINUTE);
    assert.deepEqual(asked, [false, true]);
    assert.equal(out.room.connection.get().state, "signed_out");
    assert.equal(out.server.sockets.length, 2, "and no third");
    const answer = await out.room.account();
    assert.equal(!answer.ok && answer.error.code, "signed_out");
    out.room.connect();
    await out.time.go(50);
    assert.equal(out.room.connection.get().state, "open", "after a new sign-in");
  });
}

test("a guest who is refused is signed out", async () => {
  const { server, room, time } = scene({ token: () => Promise.resolve(null) });
  server.handshakes.push(403);
  room.connect();
  await time.go(MINUTE);
  assert.equal(room.connection.get().state, "signed_out");
  assert.equal(server.sockets.length, 1);
});

test("where nobody says why, the token is asked for anew, less and less often, and for ever", async () => {
  const asked: { refused: boolean; at: number }[] = [];
  const { server, room, time } = scene({
    token: async ({ refused }) => {
      asked.push({ refused, at: time.now });
      return "token";
    },
  });
  server.handshakes.push(...Array<"mute">(12).fill("mute"));
  room.connect();
  await time.go(10 * MINUTE);
  assert.deepEqual(asked.map(({ refused }) => refused).slice(0, 3), [false, true, true]);
  assert.equal(asked.length, 13);
  const pauses = asked.slice(1).map(({ at }, place) => at - (asked[place]?.at ?? 0));
  for (const [place, pause] of pauses.entries()) {
    const most = Math.min(30_000, 1_000 * 2 ** place);
    assert.ok(pause >= most / 2 && pause <= most + 10, `${pause} of ${most}`);
  }
  assert.equal(room.connection.get().state, "open");
});

test("a pool that gives no token signs out, a network that fails is tried again", async () => {
  const errors: Error[] = [new TypeError("the network"), new SignedOut("no refresh token")];
  const { server, room, time } = scene({
    token: async () => {
      throw errors.shift();
    },
  });
  room.connect();
  await time.go(10);
  assert.equal(room.connection.get().state, "connecting");
  await time.go(5_000);
  assert.equal(room.connection.get().state, "signed_out");
  assert.equal(server.sockets.length, 0);
});

test("who is kept out with 429 stays out for a minute", async () => {
  const { server, room, time } = scene();
  server.handshakes.push(429);
  room.connect();
  await time.go(MINUTE - 10);
  assert.equal(server.sockets.length, 1);
  await time.go(6_000);
  assert.equal(server.sockets.length, 2);
  assert.equal(room.connection.get().state, "open");
});

test("a handshake that hangs is given up after ten seconds", async () => {
  const { server, room, time } = scene();
  server.handshakes.push("hangs");
  room.connect();
  await time.go(9_900);
  assert.equal(server.sockets.length, 1);
  await time.go(1_500);
  assert.equal(room.connection.get().state, "open");
});

test("connections that end at once are tried less and less often", async () => {
  const { server, time } = await connected();
  for (let count = 0; count < 6; count += 1) {
    server.open[0]?.lose();
    while (!server.open.length) await time.go(100);
  }
  server.open[0]?.lose();
  const before = server.sockets.length;
  await time.go(14_000);
  assert.equal(server.sockets.length, before);
});

test("it is exchanged at 90 to 115 minutes, the new one first, and the old one closes when all is watched there", async () => {
  const { server, room, time } = await connected();
  const table = room.table("t");
  await time.go(100);
  await time.go(90 * MINUTE - 300);
  assert.equal(server.sockets.length, 1);
  const { answer } = server;
  server.answer = (message, socket) => (message.route === "watch" ? null : answer(message, socket));
  while (server.sockets.length < 2) await time.go(1_000);
  assert.ok(time.now - 1_700_000_000_000 <= 115 * MINUTE + 2_000);
  await time.go(3_000);
  assert.equal(server.open.length, 2, "not watched there yet");
  assert.equal(table.get().status, "live");
  server.answer = answer;
  await time.go(6_000);
  assert.deepEqual(
    server.sockets.map((one) => one.readyState),
    [3, 1],
  );
  assert.equal(room.connection.get().state, "open");
});

test("what the old connection has not answered when it closes is asked over the new one at once", async () => {
  let ask = () => {};
  const token = async () => {
    ask();
    return "token";
  };
  const { server, room, time } = await connected({ token });
  const { answer } = server;
  server.answer = (message, socket) =>
    message.route === "account" && socket === server.sockets[0] ? null : answer(message, socket);
  let answeredAt = 0;
  let askedAt = 0;
  ask = () => {
    askedAt = time.now;
    void room.account().then(() => {
      answeredAt = time.now;
    });
  };
  while (server.sockets.length < 2) await time.go(10_000);
  await time.go(5_000);
  assert.equal(server.asked("account").length, 2);
  assert.ok(answeredAt - askedAt < 1_100);
});

test("an exchange that fails leaves the old connection, and is tried again in a minute", async () => {
  const { server, room, time } = await connected();
  server.handshakes.push(401);
  while (server.sockets.length < 2) await time.go(10_000);
  await time.go(MINUTE / 2);
  assert.equal(server.open.length, 1);
  assert.equal(room.connection.get().state, "open");
  await time.go(MINUTE);
  assert.equal(server.sockets.length, 3);
  await time.go(3_000);
  assert.equal(server.open.length, 1);
});

test("a ping goes every four minutes, and on each new connection", async () => {
  const { server, time } = await connected();
  assert.equal(server.asked("ping").length, 1);
  await time.go(12 * MINUTE);
  assert.equal(server.asked("ping").length, 4);
  server.open[0]?.lose();
  await time.go(1_000);
  assert.equal(server.asked("ping").length, 5);
  await time.go(4 * MINUTE);
  assert.equal(server.asked("ping").length, 6);
});

test("a hand is disputed by its number and a word, and a refusal is an answer", async () => {
  const { server, room, time } = await connected();
  const asking = room.dispute({ table: "t", hand: 7, text: "my flush" });
  await time.go(100);
  assert.equal((await asking).ok, true);
  const [asked] = server.asked("dispute");
  assert.deepEqual([asked?.table, asked?.hand, asked?.text], ["t", 7, "my flush"]);
  const { answer } = server;
  server.answer = (message, socket) =>
    message.route === "dispute"
      ? { type: "error", code: "not_dealt_in", message: "You had no cards." }
      : answer(message, socket);
  const again = room.dispute({ table: "t", hand: 8, text: "why" });
  await time.go(100);
  const refused = await again;
  assert.equal(!refused.ok && refused.error.code, "not_dealt_in");
});

test("one's ledger and results are asked for as they are wished, and told as the room tells them", async () => {
  const { server, room, time } = await connected();
  const { answer } = server;
  const ledger = { now: 5, zone: "Asia/Manila", wallets: [], entries: [], next: "in#a" };
  const results = { table: "t", stake: null, days: [], unreadable: [], last: 7, ended: 3, next: 8 };
  server.answer = (message, socket) =>
    message.route === "ledger" ? { ledger } : message.route === "results" ? { results } : answer(message, socket);
  const asking = Promise.all([
    room.ledger({ zone: "Asia/Manila", after: "ref#1" }),
    room.results({ table: "t", zone: "UTC", since: 4, until: 9, hand: 2 }),
  ]);
  await time.go(100);
  assert.deepEqual(await asking, [
    { ok: true, value: ledger },
    { ok: true, value: results },
  ]);
  const [asked] = server.asked("ledger");
  assert.deepEqual([asked?.zone, asked?.after], ["Asia/Manila", "ref#1"]);
  const [wished] = server.asked("results");
  assert.deepEqual([wished?.table, wished?.since, wished?.until, wished?.hand], ["t", 4, 9, 2]);
});

test("a network that is gone without a word is noticed, and what was asked is asked over a new one", async () => {
  const { server, room, time } = await connected();
  const [socket] = server.sockets;
  assert.ok(socket);
  socket.dead = true;
  const asking = room.account();
  await time.go(9_000);
  assert.equal(server.sockets.length, 2);
  assert.equal((await asking).ok, true);
});

test("a slow answer is no dead network, while anything else comes", async () => {
  const { server, room, time } = await connected();
  server.answer = () => null;
  void room.account();
  for (let second = 0; second < 30; second += 1) {
    server.send(server.sockets[0] as never, {
      type: "lobby",
      now: time.now,
      part: 1,
      parts: 1,
      stakes: [],
      tables: [],
    });
    await time.go(1_000);
  }
  assert.equal(server.sockets.length, 1);
});

test("woken, it tries at once", async () => {
  const { server, room, time } = scene();
  server.handshakes.push(...Array<"mute">(8).fill("mute"));
  room.connect();
  await time.go(45_000);
  const before = server.sockets.length;
  assert.ok(room.connection.get().retryAt !== null);
  room.wake();
  await time.go(1);
  assert.equal(server.sockets.length, before + 1);
});

test("woken, it looks whether the connection is alive", async () => {
  const { server, room, time } = await connected();
  room.wake();
  await time.go(10_000);
  assert.equal(server.sockets.length, 1);
  const [socket] = server.sockets;
  assert.ok(socket);
  socket.dead = true;
  room.wake();
  await time.go(4_000);
  assert.equal(server.sockets.length, 2);
});

test("closed, it does nothing more", async () => {
  const { server, room, time } = await connected();
  room.table("t");
  await room.lobby.enter().then;
  await time.go(100);
  const asking = room.account();
  room.close();
  const answer = await asking;
  assert.equal(!answer.ok && answer.error.code, "closed");
  await time.go(1_000);
  const said = server.said.length;
  await time.go(200 * MINUTE);
  assert.deepEqual([server.sockets.length, server.open.length, server.said.length], [1, 0, said]);
  assert.equal(time.size, 0, "no timer is left");
});

test("a room that speaks another version ends it, and says so", async () => {
  const { server, room, time } = await connected();
  server.answer = () => ({
    type: "error",
    code: "upgrade_required",
    message: "Load a newer client.",
    facts: { version: 2 },
  });
  void room.account();
  await time.go(100);
  const { state, error } = room.connection.get();
  assert.deepEqual([state, error?.code, error?.facts["version"]], ["closed", "upgrade_required", 2]);
});

test("what is no message harms nothing", async () => {
  const { server, room, time } = await connected();
  for (const text of [
    "",
    "{",
    "null",
    "7",
    '"text"',
    "[]",
    "{}",
    '{"type":"of_next_year"}',
    '{"type":"ok","id":"nobody"}',
  ]) {
    server.open[0]?.hear(text);
  }
  const asking = room.account();
  await time.go(5_000);
  assert.equal((await asking).ok, true);
});
