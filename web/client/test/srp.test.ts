import assert from "node:assert/strict";
import { test } from "node:test";
import { BadChallenge, Handshake } from "../src/auth/srp.js";
import handshakes from "./handshakes.json" with { type: "json" };

const POOL = "eu-west-1_AbC123";
const AT = new Date(Date.UTC(2026, 2, 4, 5, 6, 7));

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

test("a password is proved as another implementation of the protocol proves it", async () => {
  for (const { secret, public: shown, password, challenge, answer } of handshakes) {
    const handshake = new Handshake(bytes(secret));
    assert.equal(handshake.public, shown);
    assert.deepEqual(await handshake.answer(POOL, password, challenge, AT), answer);
  }
});

test("each handshake has a secret of its own", () => {
  assert.notEqual(new Handshake().public, new Handshake().public);
});

test("a challenge that no honest server sends is not answered", async () => {
  const honest = handshakes[0]!.challenge;
  for (const bad of [{ ...honest, SRP_B: "0" }, { ...honest, SRP_B: "xyz" }, { ...honest, SALT: "" }, {}]) {
    await assert.rejects(new Handshake().answer(POOL, "password", bad, AT), BadChallenge);
  }
});
