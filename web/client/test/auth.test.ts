import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { SignedOut } from "@cardroom/sdk";
import { Keeper } from "../src/auth/keeper.js";
import { Refused, refusal, type Tokens, UserPool } from "../src/auth/userpool.js";
import handshakes from "./handshakes.json" with { type: "json" };

const POOL = {
  endpoint: "http://127.0.0.1:4566",
  region: "eu-west-1",
  clientId: "client",
  userPoolId: "eu-west-1_AbC123",
};
const NOW = 1_000_000;
const HOUR = 3_600_000;
const RESULT = { AccessToken: "access-1", RefreshToken: "refresh-1", ExpiresIn: 3600 };

interface Asked {
  readonly url: string;
  readonly action: string;
  readonly body: Record<string, unknown>;
}

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A user pool that gives these answers one after another. */
function answering(...answers: (object | [status: number, body: object] | Error)[]): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    asked.push({
      url: String(url),
      action: headers.get("X-Amz-Target")?.split(".")[1] ?? "",
      body: JSON.parse(String(init?.body)),
    });
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    const [status, body] = Array.isArray(answer) ? answer : [200, answer];
    return new Response(JSON.stringify(body), { status });
  };
  return asked;
}

const CHALLENGE = {
  ChallengeName: "PASSWORD_VERIFIER",
  ChallengeParameters: handshakes[0]!.challenge,
  Session: "session-1",
};

test("signing in proves the password and never sends it", async () => {
  const asked = answering(CHALLENGE, { AuthenticationResult: RESULT });
  const signed = await new UserPool(POOL, () => NOW).signIn("ann", "Correct-Horse-1");
  assert.deepEqual(signed, { tokens: { access: "access-1", refresh: "refresh-1", until: NOW + HOUR } });
  assert.deepEqual(
    asked.map((one) => one.action),
    ["InitiateAuth", "RespondToAuthChallenge"],
  );
  assert.equal(asked[0]!.url, POOL.endpoint);
  assert.equal(asked[0]!.body["AuthFlow"], "USER_SRP_AUTH");
  assert.equal(asked[1]!.body["Session"], "session-1");
  assert(!JSON.stringify(asked).includes("Correct-Horse-1"));
});

test("without an endpoint it is AWS's own, of the region", async () => {
  const asked = answering({});
  await new UserPool({ ...POOL, endpoint: null }).confirm("ann", "123456");
  assert.equal(asked[0]!.url, "https://cognito-idp.eu-west-1.amazonaws.com/");
});

test("a password that an operator gave is replaced first", async () => {
  answering(
    CHALLENGE,
    { ChallengeName: "NEW_PASSWORD_REQUIRED", Session: "session-2" },
    { AuthenticationResult: RESULT },
  );
  const signed = await new UserPool(POOL, () => NOW).signIn("ann", "given");
  assert("replace" in signed);
  assert.deepEqual(await signed.replace("My-own-password-1"), {
    tokens: { access: "access-1", refresh: "refresh-1", until: NOW + HOUR },
  });
});

const REFUSALS: [type: string, message: string, code: string][] = [
  ["NotAuthorizedException", "Incorrect username or password.", "wrong"],
  ["com.amazonaws.cognito#UserNotFoundException", "", "wrong"],
  ["UserNotConfirmedException", "", "not_confirmed"],
  ["CodeMismatchException:http://internal/", "", "code_wrong"],
  ["ExpiredCodeException", "", "code_old"],
  ["UsernameExistsException", "", "name_taken"],
  ["InvalidPasswordException", "", "password_weak"],
  ["InvalidParameterException", "1 validation error detected: Value at 'password' failed", "password_weak"],
  ["LimitExceededException", "", "too_many"],
  ["UserLambdaValidationException", "PreSignUp failed with error name_taken: this name is taken.", "name_taken"],
  ["UserLambdaValidationException", "PreSignUp failed with error name_reserved: no.", "name_reserved"],
  ["UserLambdaValidationException", "PreSignUp failed with error constructor: no.", "other"],
  ["SomethingNew", "As it says.", "other"],
];

for (const [type, message, code] of REFUSALS) {
  test(`${type} "${message.slice(0, 40)}" is ${code}`, () => assert.equal(refusal(type, message).code, code));
}

test("a pool that cannot be reached, or is broken, has given no answer", async () => {
  for (const answer of [new TypeError("network"), [503, {}] as [number, object]]) {
    answering(answer);
    await assert.rejects(
      new UserPool(POOL).confirm("ann", "1"),
      (error) => error instanceof Refused && error.code === "no_answer",
    );
  }
});

class Drawer {
  readonly kept = new Map<string, string>();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => void this.kept.set(key, value);
  removeItem = (key: string) => void this.kept.delete(key);
}

const OLD: Tokens = { access: "old", refresh: "r", until: NOW + HOUR };
const NEW: Tokens = { access: "new", refresh: "r", until: NOW + 2 * HOUR };

function keeping(refresh: () => Promise<Tokens>, now = () => NOW) {
  const [device, tab] = [new Drawer(), new Drawer()];
  const revoked: Tokens[] = [];
  const pool = {
    refresh,
    revoke: async (tokens: Tokens) => {
      revoked.push(tokens);
    },
  };
  return {
    device,
    tab,
    revoked,
    keeper: new Keeper(pool, "client", device, tab, now),
    again: () => new Keeper(pool, "client", device, tab, now),
  };
}

test("a good token is given as it is, an old or refused one is renewed once for all who ask", async () => {
  let asked = 0;
  let now = NOW;
  const { keeper } = keeping(
    async () => {
      asked += 1;
      return NEW;
    },
    () => now,
  );
  keeper.keep(OLD, false);
  assert.equal(await keeper.token({ refused: false }), "old");
  assert.deepEqual(await Promise.all([keeper.token({ refused: true }), keeper.token({ refused: true })]), [
    "new",
    "new",
  ]);
  assert.equal(asked, 1);
  now = NEW.until - 60_000;
  await keeper.token({ refused: false });
  assert.equal(asked, 2);
});

test("where the pool gives no token any more one is signed out; where it cannot be reached one is not", async () => {
  const gone = keeping(() => Promise.reject(new Refused("wrong")));
  gone.keeper.keep(OLD, true);
  await assert.rejects(gone.keeper.token({ refused: true }) as Promise<unknown>, SignedOut);
  assert.equal(gone.keeper.signedIn, false);
  assert.equal(gone.device.kept.size, 0);
  const far = keeping(() => Promise.reject(new Refused("no_answer")));
  far.keeper.keep(OLD, true);
  await assert.rejects(far.keeper.token({ refused: true }) as Promise<unknown>, Refused);
  assert.equal(far.keeper.signedIn, true);
});

test("tokens are kept for the tab, or for the device where that is wished, renewed ones too", async () => {
  const tab = keeping(async () => NEW);
  tab.keeper.keep(OLD, false);
  await tab.keeper.token({ refused: true });
  assert.equal(tab.device.kept.size, 0);
  assert.equal(await tab.again().token({ refused: false }), "new");
  const device = keeping(async () => NEW);
  device.keeper.keep(OLD, true);
  await device.keeper.token({ refused: true });
  assert.equal(device.tab.kept.size, 0);
  assert.equal(await device.again().token({ refused: false }), "new");
});

test("signing out forgets the tokens and has them revoked", async () => {
  const { keeper, device, tab, revoked, again } = keeping(async () => NEW);
  keeper.keep(OLD, true);
  await keeper.signOut();
  assert.deepEqual([device.kept.size, tab.kept.size, again().signedIn], [0, 0, false]);
  assert.deepEqual(revoked, [OLD]);
});

test("who signs out while a token is renewed stays out", async () => {
  let give: (tokens: Tokens) => void = () => undefined;
  const { keeper, device } = keeping(
    () =>
      new Promise((resolve) => {
        give = resolve;
      }),
  );
  keeper.keep(OLD, true);
  const token = keeper.token({ refused: true });
  await keeper.signOut();
  give(NEW);
  await token;
  assert.equal(keeper.signedIn, false);
  assert.equal(device.kept.size, 0);
});

test("what is kept and is no token is none", () => {
  for (const text of ["", "null", "{", '{"access":1}', '"x"']) {
    const { tab, again } = keeping(async () => NEW);
    tab.kept.set("cardroom.client", text);
    assert.equal(again().signedIn, false, text);
  }
});
