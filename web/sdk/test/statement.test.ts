/** A statement of what the room tells; web/client holds it to the operator's, sign by sign. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Answer,
  type EntryView,
  type Frozen,
  type LedgerView,
  type ResultsView,
  statement,
} from "../src/index.js";

const HOUR = 3_600_000;
const WHOLE = { zone: "UTC", from: null, to: null } as const;
const done = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ ok: true, value });

function entry(
  number: number,
  kind: EntryView["kind"],
  amount: number,
  at: number,
  table: string | null = "t",
): EntryView {
  const day = `1970-01-0${1 + Math.floor(at / (24 * HOUR))}`;
  const texts = { time: "00:00:00", reference: table === null ? "r" : null, who: "ana", why: "" };
  return { currency: "PHP", number, kind, amount, at, day, balance: 0, table, ...texts };
}

/** A table at which a hand ends each hour; one's own leave what is said. */
function room(entries: readonly EntryView[], nets: Readonly<Record<number, number>>, hands: number, most = 2) {
  const asked: number[] = [];
  const wallets = [{ currency: "PHP", balance: 0, entries: entries.length }];
  const ledger = (): Promise<Answer<Frozen<LedgerView>>> =>
    done({ now: hands * HOUR, zone: "UTC", wallets, entries: [...entries].reverse(), next: null });
  const results = ({
    since = 0,
    until = null,
    hand = null,
  }: {
    since?: number;
    until?: number | null;
    hand?: number | null;
  }) => {
    const first = hand ?? Math.max(1, Math.ceil(since / HOUR));
    const numbers = Array.from({ length: most }, (_, place) => first + place).filter(
      (number) => number <= hands && number * HOUR <= (until ?? Infinity),
    );
    asked.push(...numbers);
    const days = numbers.flatMap((number) => {
      const net = nets[number];
      const day = `1970-01-0${1 + Math.floor(number / 24)}`;
      return net === undefined ? [] : [{ day, hands: 1, net, rake: 0 }];
    });
    const last = numbers.at(-1) ?? 0;
    const view: Frozen<ResultsView> = {
      table: "t",
      stake: "nl-PHP-500-1000",
      days,
      unreadable: [],
      last,
      ended: last === 0 ? null : last * HOUR,
      next: numbers.length === most && first + most <= hands ? first + most : null,
    };
    return done(view);
  };
  return { ledger, results, asked };
}

test("who has lost all his chips is looked for no further, until he buys more", async () => {
  const entries = [
    entry(1, "deposit", 9_000, 0, null),
    entry(2, "buy_in", -500, HOUR / 2),
    entry(3, "top_up", -300, 60.5 * HOUR),
    entry(4, "buy_in", -200, 80.5 * HOUR),
  ];
  const there = room(entries, { 1: -100, 2: -400, 61: 50, 63: -350, 81: 40 }, 400);
  const found = await statement(there, WHOLE);
  assert(found.ok);
  const [purse] = found.value.purses;
  assert.deepEqual([purse?.closing, purse?.chips], [8_000, 240]);
  const early = there.asked.filter((hand) => hand < 81);
  assert(early.length < 20, `${early}`);
});

test("chips that were paid out after the next buy-in are found all the same", async () => {
  const entries = [
    entry(1, "buy_in", -500, HOUR / 2),
    entry(2, "buy_in", -400, 30.5 * HOUR),
    entry(3, "pay_out", 600, 31.5 * HOUR),
    entry(4, "pay_out", 350, 40.5 * HOUR),
  ];
  const there = room(entries, { 1: 100, 31: -50 }, 60);
  const found = await statement(there, { zone: "UTC", from: "1970-01-02", to: null });
  assert(found.ok);
  const [purse] = found.value.purses;
  assert.deepEqual([purse?.opening, purse?.closing, purse?.chips], [-500, 50, 0]);
  assert.deepEqual(
    found.value.sat.map(({ day, bought, paid, net, chips }) => ({ day, bought, paid, net, chips })),
    [{ day: "1970-01-02", bought: 400, paid: 950, net: -50, chips: 0 }],
  );
});

test("records that tell no time: progress is told, and nothing stands still", async () => {
  const there = room([entry(1, "buy_in", -500, HOUR / 2)], {}, 9);
  const { results } = there;
  const answers: number[] = [];
  const blind = {
    ...there,
    results: async (asked: Parameters<typeof results>[0]) => {
      const page = await results(asked);
      return page.ok ? done({ ...page.value, ended: null, unreadable: [page.value.last] }) : page;
    },
  };
  const found = await statement(blind, WHOLE, { progress: (number) => answers.push(number) });
  assert(found.ok);
  assert.deepEqual(answers, [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(
    found.value.unreadable.map(({ hand }) => hand),
    [2, 4, 6, 8, 9],
  );
});
