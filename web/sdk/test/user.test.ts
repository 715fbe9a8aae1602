import assert from "node:assert/strict";
import { test } from "node:test";
import { userOf } from "../src/user.js";

function token(claims: unknown): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
}

test("the user name is read in the token", () => {
  for (const username of ["ana", "Rob.1", "a", "ab", "abc", "Ñandú_ñ", "名前"]) {
    assert.equal(userOf(token({ sub: "1", username, more: "x".repeat(username.length) })), username);
  }
});

test("what holds no name gives none", () => {
  for (const text of ["", "a", "a.b", "a.%%.c", token({}), token({ username: 7 }), token(null), token([])]) {
    assert.equal(userOf(text), null);
  }
});
