/** What has happened at a table while it was open: the hand that is shown, what was heard beside it, and the hands before. */
import type { TableEvent, TableView } from "@cardroom/sdk";
import { Cell } from "../app/cell.js";
import type { TablePort } from "../app/ports.js";

type Names = readonly (string | null)[];

/** Something that happened, and by seat whom it is said of. */
export interface Entry {
  readonly event: TableEvent;
  readonly names: Names;
}

/** No part of a hand's log; it happened when so many events of the log had. */
export interface Beside extends Entry {
  readonly after: number;
}

export interface HandRecord {
  readonly number: number;
  readonly entries: readonly Entry[];
}

export interface Told {
  /** Beside the hand that is shown, oldest first. */
  readonly beside: readonly Beside[];
  /** Newest first. */
  readonly earlier: readonly HandRecord[];
}

const EARLIER_MOST = 20;
const BESIDE_MOST = 40;

/** Worth a line where it is no part of a hand. */
const BESIDE: ReadonlySet<TableEvent["e"]> = new Set([
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
  #last: { readonly number: number; readonly log: readonly TableEvent[]; readonly names: Names } | null = null;

  constructor(table: Pick<TablePort, "subscribe" | "onEvents" | "get">) {
    super({ beside: [], earlier: [] });
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
    if (last !== null && last.number !== number && last.log.length > 0) {
      const { beside, earlier } = this.get();
      const record = { number: last.number, entries: together(last.log, last.names, beside) };
      this.set({ beside: [], earlier: [record, ...earlier].slice(0, EARLIER_MOST) });
    }
    this.#last = { number, log, names };
  }

  #hear(events: readonly TableEvent[], { state, log, names }: TableView): void {
    const logged = new Set(log);
    const sitting = names.map((name, seat) => state?.seats[seat]?.player ?? name);
    let after = log.length - events.filter((event) => logged.has(event)).length;
    const news: Beside[] = [];
    for (const event of events) {
      if (logged.has(event)) after += 1;
      else if (BESIDE.has(event.e)) news.push({ event, names: sitting, after });
    }
    if (news.length === 0) return;
    const { beside, earlier } = this.get();
    this.set({ beside: [...beside, ...news].slice(-BESIDE_MOST), earlier });
  }
}

/** A hand's log with what was heard beside it, in the order in which it happened. */
export function together(log: readonly TableEvent[], names: Names, beside: readonly Beside[]): readonly Entry[] {
  const told = log.map((event, at) => ({ event, names, after: at + 1 }));
  // Sorting keeps what is alike in its order: of the same moment the log's comes first.
  return [...told, ...beside].sort((one, other) => one.after - other.after);
}
