/** What has happened at a table while it was open: the hand that is shown, what came after it, and the hands before. */
import type { TableEvent, TableView } from "@cardroom/sdk";
import { Cell } from "../app/cell.js";
import type { TablePort } from "../app/ports.js";

export interface HandRecord {
  readonly number: number;
  readonly events: readonly TableEvent[];
  readonly names: readonly (string | null)[];
}

export interface Told {
  /** Between the hand that is shown and the next. */
  readonly after: readonly TableEvent[];
  /** Newest first. */
  readonly earlier: readonly HandRecord[];
}

const EARLIER_MOST = 20;
const AFTER_MOST = 20;

/** Worth a line where no hand runs. */
const BETWEEN: ReadonlySet<TableEvent["e"]> = new Set([
  "seated",
  "topped_up",
  "sat_out",
  "sat_in",
  "going",
  "seat_emptied",
  "frozen",
  "thawed",
  "closing",
]);

export class Chronicle extends Cell<Told> {
  readonly #ends: readonly (() => void)[];
  #last: HandRecord | null = null;

  constructor(table: Pick<TablePort, "subscribe" | "onEvents" | "get">) {
    super({ after: [], earlier: [] });
    this.#note(table.get());
    this.#ends = [
      table.subscribe((view) => this.#note(view)),
      table.onEvents((events, view) => this.#hear(events, view)),
    ];
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  /** Keeps the hand that is shown, and puts it with the earlier ones when another begins. */
  #note({ state, log, names }: TableView): void {
    const number = state?.hand?.number;
    if (number === undefined) return;
    const last = this.#last;
    if (last !== null && last.number !== number && last.events.length > 0) {
      const { after, earlier } = this.get();
      const record = { ...last, events: [...last.events, ...after] };
      this.set({ after: [], earlier: [record, ...earlier].slice(0, EARLIER_MOST) });
    }
    this.#last = { number, events: log, names };
  }

  #hear(events: readonly TableEvent[], { log }: TableView): void {
    const news = events.filter((event) => BETWEEN.has(event.e) && !log.includes(event));
    if (news.length === 0) return;
    const { after, earlier } = this.get();
    this.set({ after: [...after, ...news].slice(-AFTER_MOST), earlier });
  }
}
