/** A value that changes from time to time, each one whole and never changed itself. Both members may be passed on alone. */
export interface Observable<T> {
  readonly get: () => T;
  /** Calls the listener after each change; gives the function that ends it. */
  readonly subscribe: (listener: (value: T) => void) => () => void;
}

/** Those who are told something. One that throws keeps nobody else from it. */
export class Listeners<Args extends unknown[]> {
  readonly #all = new Map<symbol, (...args: Args) => void>();
  readonly #report: (error: unknown) => void;

  /** `report` is told what a listener throws; left out, it is a rejection that nobody handles. */
  constructor(report: (error: unknown) => void = (error) => void Promise.reject(error)) {
    this.#report = report;
  }

  readonly add = (listener: (...args: Args) => void): (() => void) => {
    const key = Symbol();
    this.#all.set(key, listener);
    return () => {
      this.#all.delete(key);
    };
  };

  tell(...args: Args): void {
    for (const [key, listener] of [...this.#all]) {
      if (!this.#all.has(key)) continue;
      try {
        listener(...args);
      } catch (error) {
        this.#report(error);
      }
    }
  }
}

/** An observable that its owner sets. */
export class Cell<T> implements Observable<T> {
  #value: T;
  readonly #listeners = new Listeners<[T]>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: (value: T) => void): (() => void) => this.#listeners.add(listener);

  /** Tells nobody where it is the same value. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.#listeners.tell(value);
  }
}
