/** The user pool as everybody may use it: signing up, in and out. Nothing here needs any right of an operator. */
import type { Pool } from "../config.js";
import { BadChallenge, Handshake } from "./srp.js";

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  /** When the access token ends, by the local clock, in milliseconds. */
  readonly until: number;
}

/** Signed in, or a password that an operator gave is to be replaced first. */
export type SignedIn = { readonly tokens: Tokens } | { readonly replace: (password: string) => Promise<SignedIn> };

export type RefusalCode =
  | "wrong"
  | "not_confirmed"
  | "code_wrong"
  | "code_old"
  | "name_taken"
  | "name_length"
  | "name_characters"
  | "name_separators"
  | "name_reserved"
  | "email_missing"
  | "password_weak"
  | "too_many"
  | "busy"
  | "no_answer"
  | "not_supported"
  | "other";

/** The pool says no. The message is its own sentence, where it has one. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message = "") {
    super(message);
    this.code = code;
  }
}

const CODES: Readonly<Record<string, RefusalCode>> = {
  NotAuthorizedException: "wrong",
  UserNotFoundException: "wrong",
  UserNotConfirmedException: "not_confirmed",
  CodeMismatchException: "code_wrong",
  ExpiredCodeException: "code_old",
  UsernameExistsException: "name_taken",
  InvalidPasswordException: "password_weak",
  LimitExceededException: "too_many",
  TooManyRequestsException: "too_many",
  TooManyFailedAttemptsException: "too_many",
};

/** What the room's own function says of a name: `PreSignUp failed with error name_taken: this name is taken.` */
const TRIGGERED = /^\w+ failed with error (\w+): /;
const OURS: ReadonlySet<string> = new Set([
  "name_taken",
  "name_length",
  "name_characters",
  "name_separators",
  "name_reserved",
  "email_missing",
  "busy",
]);

/** What an error of the pool means. */
export function refusal(type: string, message: string): Refused {
  const ours = TRIGGERED.exec(message)?.[1];
  if (ours !== undefined && OURS.has(ours)) return new Refused(ours as RefusalCode, message);
  const name = type.slice(type.lastIndexOf("#") + 1).replace(/:.*$/, "");
  if (name === "InvalidParameterException" && /password/i.test(message)) return new Refused("password_weak", message);
  return new Refused(CODES[name] ?? "other", message || name);
}

interface AuthAnswer {
  readonly ChallengeName?: string;
  readonly ChallengeParameters?: Record<string, string>;
  readonly Session?: string;
  readonly AuthenticationResult?: {
    readonly AccessToken?: string;
    readonly RefreshToken?: string;
    readonly ExpiresIn?: number;
  };
}

export class UserPool {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #now: () => number;

  constructor(pool: Pool, now: () => number = Date.now) {
    this.#pool = pool;
    this.#url = pool.endpoint ?? `https://cognito-idp.${pool.region}.amazonaws.com/`;
    this.#now = now;
  }

  /** By SRP: the password does not leave this page. Throws Refused. */
  async signIn(name: string, password: string): Promise<SignedIn> {
    const handshake = new Handshake();
    const begun = await this.#ask<AuthAnswer>("InitiateAuth", {
      ClientId: this.#pool.clientId,
      AuthFlow: "USER_SRP_AUTH",
      AuthParameters: { USERNAME: name, SRP_A: handshake.public },
    });
    let proof: Record<string, string>;
    try {
      proof = await handshake.answer(this.#pool.userPoolId, password, begun.ChallengeParameters ?? {});
    } catch (error) {
      if (error instanceof BadChallenge) throw new Refused("not_supported");
      throw error;
    }
    return this.#respond("PASSWORD_VERIFIER", proof, begun.Session);
  }

  /** New tokens for old ones. Throws Refused with `wrong` where the pool gives none any more. */
  async refresh(tokens: Tokens): Promise<Tokens> {
    const answer = await this.#ask<AuthAnswer>("InitiateAuth", {
      ClientId: this.#pool.clientId,
      AuthFlow: "REFRESH_TOKEN_AUTH",
      AuthParameters: { REFRESH_TOKEN: tokens.refresh },
    });
    return this.#tokens(answer, tokens.refresh);
  }

  async signUp(name: string, password: string, email: string): Promise<void> {
    await this.#ask("SignUp", {
      ClientId: this.#pool.clientId,
      Username: name,
      Password: password,
      UserAttributes: [{ Name: "email", Value: email }],
    });
  }

  async confirm(name: string, code: string): Promise<void> {
    await this.#ask("ConfirmSignUp", { ClientId: this.#pool.clientId, Username: name, ConfirmationCode: code });
  }

  async resend(name: string): Promise<void> {
    await this.#ask("ResendConfirmationCode", { ClientId: this.#pool.clientId, Username: name });
  }

  async forget(name: string): Promise<void> {
    await this.#ask("ForgotPassword", { ClientId: this.#pool.clientId, Username: name });
  }

  async replaceForgotten(name: string, code: string, password: string): Promise<void> {
    await this.#ask("ConfirmForgotPassword", {
      ClientId: this.#pool.clientId,
      Username: name,
      ConfirmationCode: code,
      Password: password,
    });
  }

  /** So that nobody can go on with these tokens. */
  async revoke(tokens: Tokens): Promise<void> {
    await this.#ask("RevokeToken", { ClientId: this.#pool.clientId, Token: tokens.refresh });
  }

  async #respond(challenge: string, responses: Record<string, string>, session: string | undefined): Promise<SignedIn> {
    const answer = await this.#ask<AuthAnswer>("RespondToAuthChallenge", {
      ClientId: this.#pool.clientId,
      ChallengeName: challenge,
      ChallengeResponses: responses,
      ...(session === undefined ? {} : { Session: session }),
    });
    if (answer.ChallengeName === "NEW_PASSWORD_REQUIRED") {
      const { USERNAME = "" } = responses;
      return {
        replace: (password) =>
          this.#respond("NEW_PASSWORD_REQUIRED", { USERNAME, NEW_PASSWORD: password }, answer.Session),
      };
    }
    return { tokens: this.#tokens(answer, "") };
  }

  #tokens({ AuthenticationResult: result }: AuthAnswer, refresh: string): Tokens {
    if (result?.AccessToken === undefined) throw new Refused("not_supported");
    const lasts = (result.ExpiresIn ?? 3600) * 1000;
    return { access: result.AccessToken, refresh: result.RefreshToken ?? refresh, until: this.#now() + lasts };
  }

  async #ask<T = unknown>(action: string, body: object): Promise<T> {
    let answer: Response;
    let told: Record<string, unknown>;
    try {
      answer = await fetch(this.#url, {
        method: "POST",
        headers: {
          "Content-Type": "application/x-amz-json-1.1",
          "X-Amz-Target": `AWSCognitoIdentityProviderService.${action}`,
        },
        body: JSON.stringify(body),
        credentials: "omit",
        cache: "no-store",
      });
      const text = await answer.text();
      told = text === "" ? {} : JSON.parse(text);
    } catch {
      throw new Refused("no_answer");
    }
    if (answer.ok) return told as T;
    const { __type: type, message, Message } = told;
    throw answer.status >= 500
      ? new Refused("no_answer")
      : refusal(String(type ?? ""), String(message ?? Message ?? ""));
  }
}
