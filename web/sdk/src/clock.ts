/** How old the best measurement may be before any newer one is taken: clocks drift, and devices sleep. */
const KEPT_MS = 10 * 60_000;

/**
 * The server's clock, as far as its messages tell, in milliseconds since 1970.
 *
 * A round trip that took `t` places it within half of that: the shortest counts. What is pushed only says that the clock is not
 * behind: it never shows less than a `now` that has come.
 */
export class ServerClock {
  readonly #local: () => number;
  #offset = 0;
  #trip = Number.POSITIVE_INFINITY;
  #measuredAt = 0;
  #heard = false;

  constructor(local: () => number) {
    this.#local = local;
  }

  now(): number {
    return this.#local() + this.#offset;
  }

  /** The server said `now`, in a message that was under way for an unknown time. */
  hear(now: number): void {
    const offset = now - this.#local();
    if (!this.#heard || offset > this.#offset) {
      this.#heard = true;
      this.#offset = offset;
    }
  }

  /** The server said `now` between the local moment `sentAt` and the present one. */
  measure(now: number, sentAt: number): void {
    const local = this.#local();
    const trip = local - sentAt;
    if (trip < 0) return;
    const shown = this.now();
    // Where it cannot be so, the local clock was set meanwhile, and nothing measured before holds.
    const possible = shown >= now && shown <= now + trip;
    if (possible && trip > this.#trip && local - this.#measuredAt < KEPT_MS) return;
    this.#heard = true;
    this.#trip = trip;
    this.#measuredAt = local;
    this.#offset = now - (local - trip / 2);
  }
}
