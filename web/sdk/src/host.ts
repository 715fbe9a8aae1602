/**
 * What the SDK needs of where it runs, typed by its shape: browsers, React Native and Node's `ws` have it alike.
 */

export interface Socket {
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

export type SocketConstructor = new (url: string, protocols?: string[]) => Socket;

export interface Timers {
  /** Calls `work` once after `ms`; what it gives is for `clear`. */
  set(work: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

interface Globals {
  readonly WebSocket?: SocketConstructor;
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const globals = globalThis as unknown as Globals;

export const hostTimers: Timers = {
  set: (work, ms) => globals.setTimeout(work, ms),
  clear: (timer) => globals.clearTimeout(timer),
};

/** Throws where there is none: pass one then. */
export function hostSocket(): SocketConstructor {
  if (globals.WebSocket === undefined) throw new TypeError("there is no WebSocket here: pass one as an option");
  return globals.WebSocket;
}

/** One timer at a time: setting it anew forgets what was set. */
export class Alarm {
  readonly #timers: Timers;
  #timer: unknown;
  #set = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get isSet(): boolean {
    return this.#set;
  }

  set(ms: number, work: () => void): void {
    this.clear();
    this.#set = true;
    this.#timer = this.#timers.set(
      () => {
        this.#set = false;
        work();
      },
      Math.max(0, ms),
    );
  }

  clear(): void {
    if (!this.#set) return;
    this.#set = false;
    this.#timers.clear(this.#timer);
  }
}
