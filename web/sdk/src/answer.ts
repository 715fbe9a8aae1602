import type { ErrorCode } from "./messages.js";

/** Codes of the SDK's own, beside the room's: see the table in docs/protocol.md. */
export type OwnCode = "unanswered" | "closed" | "signed_out";

/** A code that the room has learned since. */
export type Later = string & { readonly later?: never };

/** Why something was not done: a code that never changes its meaning, one sentence for people, and the numbers in it. */
export interface Failure {
  readonly code: ErrorCode | OwnCode | Later;
  readonly message: string;
  readonly facts: Readonly<Record<string, number>>;
}

/** What came of a call. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

/** To be thrown by `token` where the pool gives no token any more: the player has to sign in anew. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

export function done<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function failed(error: Failure): Answer<never> {
  return { ok: false, error };
}

const SENTENCES: Readonly<Record<OwnCode, string>> = {
  unanswered: "the room did not answer",
  closed: "the connection is closed",
  signed_out: "sign in first",
};

/** A failure of the SDK's own. */
export function ownFailure(code: OwnCode): Failure {
  return { code, message: SENTENCES[code], facts: {} };
}
