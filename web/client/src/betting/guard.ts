/**
 * Keeps a click from doing what the player did not see when he began it. What is offered has a key: whose turn, at which price. A
 * press counts where it began and ended on the same offer, and not in the first moments of it.
 */

/** Milliseconds in which a new offer cannot be taken: nobody has seen it yet. */
export const SETTLING = 300;

export class Guard {
  #offer: string | null = null;
  #since = Number.NEGATIVE_INFINITY;
  #pressed: string | null = null;

  /** What is offered from now on; the same again changes nothing. `now` in milliseconds, of any clock. */
  offer(key: string, now: number): void {
    if (key === this.#offer) return;
    this.#since = now;
    this.#offer = key;
  }

  /** Milliseconds until the offer can be taken; 0: it can. */
  settling(now: number): number {
    return Math.max(0, this.#since + SETTLING - now);
  }

  /** A finger or a button goes down. */
  press(now: number): void {
    this.#pressed = this.settling(now) > 0 ? null : this.#offer;
  }

  /** What was begun is given up. */
  cancel(): void {
    this.#pressed = null;
  }

  /** The press ends as a click: whether it counts. */
  release(now: number): boolean {
    const begun = this.#pressed;
    this.#pressed = null;
    return begun !== null && begun === this.#offer && this.settling(now) === 0;
  }

  /** A click that nothing began: by the keyboard or a screen reader. */
  strike(now: number): boolean {
    return this.#offer !== null && this.settling(now) === 0;
  }
}
