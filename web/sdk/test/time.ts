import type { Timers } from "../src/index.js";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

/** Time that stands still until told; what is due is done in its order, with all that follows on it. */
export class Time implements Timers {
  now: number;
  #timers = new Set<Timer>();
  #made = 0;

  constructor(now = 1_700_000_000_000) {
    this.now = now;
  }

  set(work: () => void, ms: number): Timer {
    this.#made += 1;
    const timer = { at: this.now + ms, order: this.#made, work };
    this.#timers.add(timer);
    return timer;
  }

  clear(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** How many are set. */
  get size(): number {
    return this.#timers.size;
  }

  async go(ms: number): Promise<void> {
    const end = this.now + ms;
    await settled();
    for (;;) {
      const due = [...this.#timers].filter((one) => one.at <= end);
      const [next] = due.sort((a, b) => a.at - b.at || a.order - b.order);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.work();
      await settled();
    }
    this.now = end;
  }
}

/** All promises that can be kept by now are. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Numbers from 0 to 1 that follow from a seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
