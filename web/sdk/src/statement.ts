/**
 * A player's own statement: every entry of his wallets, and what hands left him by day, table and stake, for days of a time zone. It adds
 * up as the operator's does: opening balance and entries to the closing one, and of each table chips before, bought, won or lost and paid
 * out to those that are there at the end. Days are compared as they are written; all that a time zone needs, the room does.
 */
import { type Answer, done, failed, ownFailure } from "./answer.js";
import type { Frozen } from "./frozen.js";
import type { EntryView, LedgerView, ResultsView } from "./messages.js";
import type { Room } from "./room.js";

export interface Period {
  /** By its IANA name, like Asia/Manila. */
  readonly zone: string;
  /** The first day, as 2026-11-01; null: from the beginning. */
  readonly from: string | null;
  /** The last day, included; null: till now. */
  readonly to: string | null;
}

/** An entry, and the day on which it counts. */
export interface Booked {
  readonly day: string;
  readonly entry: Frozen<EntryView>;
}

export interface Purse {
  readonly currency: string;
  readonly opening: number;
  readonly entries: readonly Booked[];
  readonly closing: number;
  /** At tables, when the last day ends. */
  readonly chips: number;
}

export interface Sums {
  readonly hands: number;
  readonly bought: number;
  readonly paid: number;
  readonly net: number;
  readonly rake: number;
}

/** Of one table on one day; `chips` are there at its end. */
export interface Sat extends Sums {
  readonly day: string;
  readonly table: string;
  readonly stake: string;
  readonly currency: string;
  readonly chips: number;
}

export interface AtStake extends Sums {
  readonly stake: string;
  readonly currency: string;
}

export interface Statement {
  readonly period: Period;
  /** As of this moment. */
  readonly now: number;
  readonly purses: readonly Purse[];
  /** By day, then by table. */
  readonly sat: readonly Sat[];
  readonly stakes: readonly AtStake[];
  /** Hands whose records are damaged: they are not counted, so that results and chips may be wrong. */
  readonly unreadable: readonly { readonly table: string; readonly hand: number }[];
}

export interface Heed {
  /** How many questions were answered. */
  readonly progress?: (answers: number) => void;
  /** True once nobody wants it any more. */
  readonly stopped?: () => boolean;
}

const UNKNOWN_STAKE = "?";
/** Clocks of two writers may differ by less. */
const GRACE_MS = 60_000;

type Asked = Pick<Room, "ledger" | "results">;

/** It takes as many questions as it takes, one after another: some for the ledger, and one for each 90 hands of a stay at a table. */
export async function statement(room: Asked, period: Period, heed: Heed = {}): Promise<Answer<Statement>> {
  const reader = new Reader(room, period, heed);
  const ledger = await reader.ledger();
  if (!ledger.ok) return ledger;
  const booked = counted(ledger.value);
  const tables = new Map<string, Booked[]>();
  for (const one of booked) {
    const { table } = one.entry;
    if (table === null) continue;
    const there = tables.get(table);
    if (there) there.push(one);
    else tables.set(table, [one]);
  }
  const found: TableRead[] = [];
  for (const [table, entries] of [...tables].sort(byName)) {
    if (entries.every(({ day }) => reader.isAfter(day))) continue;
    const read = await reader.table(table, entries);
    if (!read.ok) return read;
    found.push(read.value);
  }
  return done(laidOut(period, ledger.value[0]?.now ?? 0, ledger.value[0]?.wallets ?? [], booked, found));
}

/** Entries up to what the wallets were when reading began, by currency and in order, each on the day on which it counts. */
function counted(pages: readonly Frozen<LedgerView>[]): readonly Booked[] {
  const most = new Map(pages[0]?.wallets.map(({ currency, entries }) => [currency, entries]));
  const entries = pages
    .flatMap((page) => page.entries)
    .filter(({ currency, number }) => number <= (most.get(currency) ?? 0))
    .sort((one, other) => compared(one.currency, other.currency) || one.number - other.number);
  let latest = { currency: "", at: 0, day: "" };
  return entries.map((entry) => {
    if (entry.currency !== latest.currency || entry.at > latest.at) latest = entry;
    return { day: latest.day, entry };
  });
}

interface Stay {
  readonly entries: readonly Booked[];
  /** The moment after which no hand of it ended; null: it may not be over. */
  readonly until: number | null;
  /** The last day on which it may have been going on. */
  readonly lastDay: string | null;
}

/** Who buys in has no chips there but those that he brings: so each buy-in begins a stay. */
function staysOf(entries: readonly Booked[]): readonly Stay[] {
  const parts: Booked[][] = [];
  for (const one of entries) {
    const part = parts.at(-1);
    if (part === undefined || one.entry.kind === "buy_in") parts.push([one]);
    else part.push(one);
  }
  return parts.map((part, place) => {
    const end = part.at(-1)?.entry.kind === "pay_out" ? part.at(-1) : parts[place + 1]?.[0];
    return {
      entries: part,
      until: end === undefined ? null : end.entry.at + GRACE_MS,
      lastDay: end?.day ?? null,
    };
  });
}

interface Day extends Sums {
  readonly day: string;
}

interface TableRead {
  readonly table: string;
  readonly currency: string;
  readonly stake: string;
  /** Of the stays that reach into the period, from their begin on. */
  readonly days: readonly Day[];
  readonly unreadable: readonly number[];
}

class Reader {
  readonly #room: Asked;
  readonly #period: Period;
  readonly #heed: Heed;
  #answers = 0;

  constructor(room: Asked, period: Period, heed: Heed) {
    this.#room = room;
    this.#period = period;
    this.#heed = heed;
  }

  isAfter(day: string): boolean {
    return this.#period.to !== null && day > this.#period.to;
  }

  async ledger(): Promise<Answer<readonly Frozen<LedgerView>[]>> {
    const pages: Frozen<LedgerView>[] = [];
    let after: string | null = null;
    do {
      const { zone } = this.#period;
      const asked: Answer<Frozen<LedgerView>> = await this.#room.ledger(after === null ? { zone } : { zone, after });
      const page = this.#noted(asked);
      if (!page.ok) return page;
      pages.push(page.value);
      after = page.value.next;
    } while (after !== null);
    return done(pages);
  }

  async table(table: string, entries: readonly Booked[]): Promise<Answer<TableRead>> {
    const { from } = this.#period;
    const told = new Tally(table, entries[0]?.entry.currency ?? "");
    for (const stay of staysOf(entries)) {
      const [first] = stay.entries;
      if (first === undefined || this.isAfter(first.day)) continue;
      if (from !== null && stay.lastDay !== null && stay.lastDay < from) continue;
      const read = await this.#stay(told, stay);
      if (!read.ok) return read;
    }
    const [last] = entries.slice(-1);
    const ends = last?.entry.kind === "pay_out" && !this.isAfter(last.day);
    if (told.unreadable.size > 0 || !told.isOff(ends)) return done(told.read());
    // Chips of a stay were paid out in a later one: all that ever was there is looked at.
    const whole = new Tally(table, told.currency);
    const read = await this.#stay(whole, { entries, until: null, lastDay: null });
    return read.ok ? done(whole.read()) : read;
  }

  /** Adds what a stay's hands left. */
  async #stay(told: Tally, { entries, until }: Stay): Promise<Answer<null>> {
    for (const one of entries) told.move(one, this.isAfter(one.day));
    const { zone } = this.#period;
    let since = Math.max(0, (entries[0]?.entry.at ?? 0) - GRACE_MS, told.ended + 1);
    let hand: number | null = null;
    while (true) {
      const page: Answer<Frozen<ResultsView>> = this.#noted(
        await this.#room.results({ table: told.table, zone, since, hand, until }),
      );
      if (!page.ok) return page;
      const { days, ended }: Frozen<ResultsView> = page.value;
      told.see(page.value);
      for (const day of days) told.play(day, this.isAfter(day.day));
      hand = page.value.next;
      if (hand === null || days.some(({ day }) => this.isAfter(day))) return done(null);
      // Without chips nobody is dealt in: nothing is to be found before he buys more.
      if (ended === null || told.chipsAt(ended) !== 0) continue;
      if (entries.some(({ entry }) => Math.abs(entry.at - ended) <= GRACE_MS)) continue;
      const more = entries.find(({ entry }) => entry.at > ended);
      if (more === undefined) return done(null);
      since = more.entry.at - GRACE_MS;
      hand = null;
    }
  }

  #noted<T>(answer: Answer<T>): Answer<T> {
    if (this.#heed.stopped?.()) return failed(ownFailure("closed"));
    this.#answers += 1;
    this.#heed.progress?.(this.#answers);
    return answer;
  }
}

const NOTHING: Sums = { hands: 0, bought: 0, paid: 0, net: 0, rake: 0 };

function plus(one: Sums, more: Partial<Sums>): Sums {
  return {
    hands: one.hands + (more.hands ?? 0),
    bought: one.bought + (more.bought ?? 0),
    paid: one.paid + (more.paid ?? 0),
    net: one.net + (more.net ?? 0),
    rake: one.rake + (more.rake ?? 0),
  };
}

/** What is known of a table so far. */
class Tally {
  readonly table: string;
  readonly currency: string;
  readonly unreadable = new Set<number>();
  /** The end of the last hand that was looked at. */
  ended = -1;
  readonly #days = new Map<string, Sums>();
  readonly #moves: Booked[] = [];
  #net = 0;
  #stake: string | null = null;

  constructor(table: string, currency: string) {
    this.table = table;
    this.currency = currency;
  }

  /** `late`: after the last day that is asked for. */
  move(one: Booked, late: boolean): void {
    const { kind, amount } = one.entry;
    this.#moves.push(one);
    if (!late) this.#add(one.day, kind === "pay_out" ? { paid: amount } : { bought: -amount });
  }

  see({ stake, unreadable, ended }: Frozen<ResultsView>): void {
    this.#stake = stake ?? this.#stake;
    for (const hand of unreadable) this.unreadable.add(hand);
    this.ended = Math.max(this.ended, ended ?? -1);
  }

  play({ day, hands, net, rake }: Frozen<ResultsView["days"][number]>, late: boolean): void {
    this.#net += net;
    if (!late) this.#add(day, { hands, net, rake });
  }

  /** What he had there at this moment, by the hands that were looked at. */
  chipsAt(moment: number): number {
    return this.#moves.reduce((chips, { entry }) => (entry.at <= moment ? chips - entry.amount : chips), this.#net);
  }

  /** Whether it cannot be so: less than nothing at the end of a day, or something where the last stay is `over`. */
  isOff(over: boolean): boolean {
    let held = 0;
    for (const { bought, net, paid } of this.read().days) {
      held += bought + net - paid;
      if (held < 0) return true;
    }
    return over && held !== 0;
  }

  read(): TableRead {
    const days = [...this.#days].sort(byName).map(([day, sums]) => ({ day, ...sums }));
    const { table, currency } = this;
    return { table, currency, stake: this.#stake ?? UNKNOWN_STAKE, days, unreadable: [...this.unreadable] };
  }

  #add(day: string, more: Partial<Sums>): void {
    this.#days.set(day, plus(this.#days.get(day) ?? NOTHING, more));
  }
}

function laidOut(
  period: Period,
  now: number,
  wallets: Frozen<LedgerView["wallets"]>,
  booked: readonly Booked[],
  tables: readonly TableRead[],
): Statement {
  const isBefore = (day: string) => period.from !== null && day < period.from;
  const isIn = (day: string) => !isBefore(day) && (period.to === null || day <= period.to);
  const sat: Sat[] = [];
  const chips = new Map<string, number>();
  for (const { table, currency, stake, days } of tables) {
    let held = 0;
    for (const { day, ...sums } of days) {
      held += sums.bought + sums.net - sums.paid;
      if (isIn(day)) sat.push({ day, table, stake, currency, ...sums, chips: held });
    }
    chips.set(currency, (chips.get(currency) ?? 0) + held);
  }
  sat.sort((one, other) => compared(one.day, other.day) || compared(one.table, other.table));
  const stakes = new Map<string, AtStake>();
  for (const { stake, currency, ...one } of sat) {
    const key = `${stake} ${currency}`;
    stakes.set(key, { stake, currency, ...plus(stakes.get(key) ?? NOTHING, one) });
  }
  const purses = [...wallets].map(({ currency }) => {
    const own = booked.filter(({ entry }) => entry.currency === currency);
    const opening = sum(own.filter(({ day }) => isBefore(day)));
    const entries = own.filter(({ day }) => isIn(day));
    return { currency, opening, entries, closing: opening + sum(entries), chips: chips.get(currency) ?? 0 };
  });
  return {
    period,
    now,
    purses: purses.sort((one, other) => compared(one.currency, other.currency)),
    sat,
    stakes: [...stakes].sort(byName).map(([, one]) => one),
    unreadable: tables.flatMap(({ table, unreadable }) => unreadable.map((hand) => ({ table, hand }))),
  };
}

function sum(entries: readonly Booked[]): number {
  return entries.reduce((total, { entry }) => total + entry.amount, 0);
}

/** As texts are ordered everywhere alike, whatever the language. */
function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function byName(one: readonly [string, unknown], other: readonly [string, unknown]): number {
  return compared(one[0], other[0]);
}
