/**
 * Messages that want an answer. Each is sent again with the same id, over whichever connection there is, until its answer comes: what was
 * done is not done twice.
 */
import { type Answer, done, type Failure, failed, ownFailure } from "./answer.js";
import type { ServerClock } from "./clock.js";
import { Alarm } from "./host.js";
import type { Surroundings } from "./line.js";
import type { ClientMessage, ErrorReply, OkReply, ReplyByRoute } from "./messages.js";
import type { Wire } from "./wire.js";

export const VERSION = 1;
export type Route = keyof ReplyByRoute;
export type Fields<R extends Route> = Omit<Extract<ClientMessage, { route: R }>, "id" | "v" | "route">;

/** Then it is sent again, and after the last of these given up. */
const PATIENCE = [5_000, 10_000, 15_000, 20_000] as const;
const BUSY = 200;
const THROTTLED = 1_000;

interface Pending {
  readonly id: string;
  readonly text: string;
  readonly resolve: (answer: Answer<OkReply>) => void;
  readonly patience: Alarm;
  readonly again: Alarm;
  /** Over which connection it went last; null where it never went. */
  wire: Wire | null;
  sentAt: number;
  sent: number;
  turns: number;
  busy: number;
}

/** An answer, and whether the message may have gone over another connection than the present one. */
export interface Replied<R extends Route> {
  readonly reply: ReplyByRoute[R];
  readonly repeated: boolean;
}

export class Requests {
  readonly #around: Surroundings;
  readonly #clock: ServerClock;
  readonly #wire: () => Wire | null;
  readonly #suspect: (wire: Wire) => void;
  readonly #pending = new Map<string, Pending>();
  readonly #prefix: string;
  #made = 0;

  constructor(around: Surroundings, clock: ServerClock, wire: () => Wire | null, suspect: (wire: Wire) => void) {
    this.#around = around;
    this.#clock = clock;
    this.#wire = wire;
    this.#suspect = suspect;
    // No two clients, and no two lives of one, may take the same: `id_used` would be the mildest that follows.
    const digits = Array.from({ length: 12 }, () => Math.floor(around.random() * 36).toString(36)).join("");
    this.#prefix = `${digits}${Math.floor(around.now()).toString(36)}`;
  }

  async ask<R extends Route>(route: R, fields: Fields<R>): Promise<Answer<Replied<R>>> {
    this.#made += 1;
    const id = `${this.#prefix}-${this.#made.toString(36)}`;
    let repeated = false;
    const answer = await new Promise<Answer<OkReply>>((resolve) => {
      const pending: Pending = {
        id,
        text: JSON.stringify({ route, id, v: VERSION, ...fields }),
        resolve: (value) => {
          repeated = pending.sent > 1;
          resolve(value);
        },
        patience: new Alarm(this.#around.timers),
        again: new Alarm(this.#around.timers),
        wire: null,
        sentAt: 0,
        sent: 0,
        turns: 0,
        busy: 0,
      };
      this.#pending.set(id, pending);
      this.#send(pending);
      this.#wait(pending);
    });
    return answer.ok ? done({ reply: answer.value as ReplyByRoute[R], repeated }) : answer;
  }

  /** Sends what went over no connection that lives. */
  resend(): void {
    for (const pending of [...this.#pending.values()]) {
      if (!pending.again.isSet && !pending.wire?.alive) this.#send(pending);
    }
  }

  /** Takes an answer; true where it was one to something that is still asked. */
  answer(reply: OkReply | ErrorReply): boolean {
    const pending = reply.id === null ? undefined : this.#pending.get(reply.id);
    if (pending === undefined) return false;
    if (reply.type === "ok") {
      this.#tellTime(pending, reply);
      this.#settle(pending, done(reply));
      return true;
    }
    const { code, message, facts = {} } = reply;
    if (code === "slow_down") {
      this.#later(pending, (facts["retry_ms"] ?? THROTTLED) + this.#around.random() * THROTTLED);
    } else if (code === "busy" && pending.busy < PATIENCE.length) {
      pending.busy += 1;
      this.#later(pending, BUSY * 2 ** pending.busy * (0.5 + this.#around.random() / 2));
    } else {
      this.#settle(pending, failed({ code, message, facts }));
    }
    return true;
  }

  /** One of those under way was not passed on; which, it does not say. */
  throttled(): void {
    for (const pending of this.#pending.values()) {
      if (pending.sent && !pending.again.isSet) this.#later(pending, THROTTLED * (1 + this.#around.random()));
    }
  }

  /** Nobody will answer any more. */
  fail(error: Failure): void {
    for (const pending of [...this.#pending.values()]) this.#settle(pending, failed(error));
  }

  #send(pending: Pending): void {
    const wire = this.#wire();
    if (wire === null || !wire.send(pending.text)) return;
    pending.wire = wire;
    pending.sent += 1;
    pending.sentAt = this.#around.now();
  }

  #wait(pending: Pending): void {
    const patience = PATIENCE[pending.turns];
    if (patience === undefined) {
      this.#settle(pending, failed(ownFailure("unanswered")));
      return;
    }
    pending.patience.set(patience, () => {
      pending.turns += 1;
      const { wire, sentAt } = pending;
      if (wire?.alive && wire.heardAt <= sentAt) this.#suspect(wire);
      if (!pending.again.isSet && pending.turns < PATIENCE.length) this.#send(pending);
      this.#wait(pending);
    });
  }

  #later(pending: Pending, ms: number): void {
    pending.again.set(ms, () => this.#send(pending));
  }

  #settle(pending: Pending, answer: Answer<OkReply>): void {
    this.#pending.delete(pending.id);
    pending.patience.clear();
    pending.again.clear();
    pending.resolve(answer);
  }

  /** A round trip tells the server's clock, where it is known which one it was. */
  #tellTime(pending: Pending, reply: OkReply): void {
    if (!("now" in reply)) return;
    if (pending.sent === 1) this.#clock.measure(reply.now, pending.sentAt);
    else this.#clock.hear(reply.now);
  }
}
