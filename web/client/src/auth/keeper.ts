/** Keeps the tokens of who is signed in: for this tab, or on this device where he wants that; and renews them. */
import { SignedOut, type Token } from "@cardroom/sdk";
import { Refused, type Tokens, type UserPool } from "./userpool.js";

/** Renewed so long before it ends. */
const EARLY = 120_000;

type Box = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class Keeper {
  readonly #pool: Pick<UserPool, "refresh" | "revoke">;
  readonly #device: Box;
  readonly #tab: Box;
  readonly #key: string;
  readonly #now: () => number;
  #tokens: Tokens | null;
  #renewing: Promise<Tokens> | null = null;

  constructor(
    pool: Pick<UserPool, "refresh" | "revoke">,
    clientId: string,
    device: Box,
    tab: Box,
    now: () => number = Date.now,
  ) {
    this.#pool = pool;
    this.#device = device;
    this.#tab = tab;
    this.#key = `cardroom.${clientId}`;
    this.#now = now;
    this.#tokens = this.#stored();
  }

  get signedIn(): boolean {
    return this.#tokens !== null;
  }

  keep(tokens: Tokens, onDevice: boolean): void {
    this.#drop();
    this.#tokens = tokens;
    this.#store(onDevice ? this.#device : this.#tab, tokens);
  }

  /** For the room's connection: a good access token. Throws SignedOut where there is none any more. */
  readonly token: Token = async ({ refused }) => {
    const tokens = this.#tokens;
    if (tokens === null) throw new SignedOut();
    if (!refused && tokens.until - EARLY > this.#now()) return tokens.access;
    this.#renewing ??= this.#renew(tokens).finally(() => {
      this.#renewing = null;
    });
    return (await this.#renewing).access;
  };

  async signOut(): Promise<void> {
    const tokens = this.#tokens;
    this.#drop();
    // Where the pool cannot be asked, the tokens are forgotten here all the same.
    if (tokens?.refresh) await this.#pool.revoke(tokens).catch(() => undefined);
  }

  async #renew(old: Tokens): Promise<Tokens> {
    let tokens: Tokens;
    try {
      tokens = await this.#pool.refresh(old);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "wrong") throw error;
      if (this.#tokens === old) this.#drop();
      throw new SignedOut();
    }
    if (this.#tokens === old) this.keep(tokens, this.#read(this.#device) !== null);
    return tokens;
  }

  #stored(): Tokens | null {
    return this.#read(this.#tab) ?? this.#read(this.#device);
  }

  #read(box: Box): Tokens | null {
    try {
      const found = JSON.parse(box.getItem(this.#key) ?? "null");
      const whole =
        typeof found?.access === "string" && typeof found.refresh === "string" && typeof found.until === "number";
      return whole ? found : null;
    } catch {
      return null;
    }
  }

  #store(box: Box, tokens: Tokens): void {
    try {
      box.setItem(this.#key, JSON.stringify(tokens));
    } catch {
      // Then they last as long as the page.
    }
  }

  #drop(): void {
    this.#tokens = null;
    for (const box of [this.#device, this.#tab]) {
      try {
        box.removeItem(this.#key);
      } catch {
        // Nothing was kept there.
      }
    }
  }
}
