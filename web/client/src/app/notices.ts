import { Cell } from "./cell.js";

export interface Notice {
  readonly key: number;
  readonly text: string;
}

const SHOWN_MS = 6_000;
const MOST = 3;

/** Short sentences on what came of something, that go by themselves. */
export class Notices extends Cell<readonly Notice[]> {
  #last = 0;

  constructor() {
    super([]);
  }

  tell(text: string): void {
    this.#last += 1;
    const key = this.#last;
    this.set([...this.get().filter((one) => one.text !== text), { key, text }].slice(-MOST));
    setTimeout(() => this.drop(key), SHOWN_MS);
  }

  drop(key: number): void {
    this.set(this.get().filter((one) => one.key !== key));
  }
}
