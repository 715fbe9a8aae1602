import type { Observable } from "@cardroom/sdk";

/** A value that its owner sets, and that may be observed. */
export class Cell<T> implements Observable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: (value: T) => void): (() => void) => {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }
}
