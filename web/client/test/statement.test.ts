import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Frozen, type LedgerView, type ResultsView, type Statement, statement } from "@cardroom/sdk";
import { hashOf, routeOf } from "../src/app/route.js";
import { csvOf } from "../src/statement/csv.js";
import { dayIn, dayOf, daysBefore, ownZone } from "../src/statement/days.js";
import recorded from "./statements.json" with { type: "json" };

type Hand = readonly [
  ended: number,
  day: string,
  results: Readonly<Record<string, readonly [net: number, rake: number]>>,
];

interface Recorded {
  readonly zone: string;
  readonly tables: Readonly<Record<string, { readonly stake: string; readonly hands: readonly Hand[] }>>;
  readonly players: Readonly<
    Record<
      string,
      {
        readonly ledger: readonly Frozen<LedgerView>[];
        readonly statements: readonly {
          readonly from: string | null;
          readonly to: string | null;
          readonly csv: string;
        }[];
      }
    >
  >;
}

const ROOM = recorded as unknown as Recorded;
const done = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ ok: true, value });

/** Answers one of them as the room does, so many hands at a time. */
class RecordedRoom {
  readonly asked: Record<string, unknown>[] = [];
  readonly #player: string;
  readonly #most: number;

  constructor(player: string, most: number) {
    this.#player = player;
    this.#most = most;
  }

  ledger = ({ zone, after = null }: { zone?: string; after?: string | null }) => {
    assert.equal(zone, ROOM.zone);
    const { ledger = [] } = ROOM.players[this.#player] ?? {};
    const place = after === null ? 0 : ledger.findIndex(({ next }) => next === after) + 1;
    const page = ledger[place];
    assert(page);
    return done(page);
  };

  results = (asked: { table: string; since?: number; until?: number | null; hand?: number | null }) => {
    this.asked.push(asked);
    const { table, since = 0, until = null, hand = null } = asked;
    const { hands, stake } = ROOM.tables[table] ?? { hands: [], stake: null };
    const found = hands.findIndex(([ended]) => ended >= since);
    const first = hand === null ? (found < 0 ? hands.length : found) : hand - 1;
    const most = hands.slice(first, first + this.#most);
    const seen = until === null ? most : most.filter(([ended]) => ended <= until);
    const days = new Map<string, ResultsView["days"][number]>();
    for (const [, day, results] of seen) {
      const [net, rake] = results[this.#player] ?? [];
      if (net === undefined || rake === undefined) continue;
      const one = days.get(day) ?? { day, hands: 0, net: 0, rake: 0 };
      days.set(day, { day, hands: one.hands + 1, net: one.net + net, rake: one.rake + rake });
    }
    const goesOn = seen.length === this.#most && first + this.#most < hands.length;
    const view: Frozen<ResultsView> = {
      table,
      stake,
      days: [...days.values()],
      unreadable: [],
      last: first + seen.length,
      ended: seen.at(-1)?.[0] ?? null,
      next: goesOn ? first + this.#most + 1 : null,
    };
    return done(view);
  };
}

async function told(room: RecordedRoom, from: string | null, to: string | null): Promise<Statement> {
  const answer = await statement(room, { zone: ROOM.zone, from, to });
  assert(answer.ok);
  return answer.value;
}

for (const most of [1, 2, 5, 90]) {
  test(`a player's statement is the operator's, sign by sign, ${most} hands at a time`, async () => {
    for (const [player, { statements }] of Object.entries(ROOM.players)) {
      assert(statements.length > 6);
      for (const { from, to, csv } of statements) {
        const found = await told(new RecordedRoom(player, most), from, to);
        assert.equal(csvOf(found), csv, `${player} from ${from} to ${to}`);
      }
    }
  });
}

test("it adds up: entries to the balances, and chips at tables day by day", async () => {
  for (const [player, { ledger }] of Object.entries(ROOM.players)) {
    const all = await told(new RecordedRoom(player, 5), null, null);
    assert.deepEqual(
      all.purses.map(({ currency, closing, entries }) => ({ currency, balance: closing, entries: entries.length })),
      ledger[0]?.wallets,
    );
    for (const { currency, chips } of all.purses) {
      const sat = all.sat.filter((one) => one.currency === currency);
      assert.equal(
        sat.reduce((sum, one) => sum + one.bought + one.net - one.paid, 0),
        chips,
      );
      const tables = new Map(sat.map((one) => [one.table, one.chips]));
      assert.equal(
        [...tables.values()].reduce((sum, one) => sum + one, 0),
        chips,
      );
    }
  }
});

test("of a few days only the stays that reach into them are read", async () => {
  const { statements = [] } = ROOM.players["p0"] ?? {};
  const asked = async (from: string | null) => {
    const room = new RecordedRoom("p0", 1);
    await told(room, from, null);
    return room.asked.length;
  };
  const last = statements.at(-2)?.from ?? null;
  assert((await asked(last)) < (await asked(null)));
});

test("what is booked while one reads waits for the next statement", async () => {
  const room = new RecordedRoom("p0", 5);
  const { ledger } = room;
  let pages = 0;
  room.ledger = async (asked) => {
    const page = await ledger(asked);
    pages += 1;
    if (pages === 1 || !page.ok) return page;
    const entries = [...page.value.entries];
    const [one] = entries;
    assert(one);
    const late = { ...one, number: 9_999, amount: 77, at: one.at + 10 ** 9 };
    return { ok: true, value: { ...page.value, entries: [...entries, late] } };
  };
  const found = await told(room, null, null);
  const [usual] = ROOM.players["p0"]?.statements ?? [];
  assert(pages > 1);
  assert.equal(csvOf(found), usual?.csv);
});

test("a refusal is the answer, and nobody who has gone is read for", async () => {
  const room = new RecordedRoom("p0", 5);
  const refusal = { code: "unknown_zone", message: "no", facts: {} } as const;
  room.results = () => Promise.resolve({ ok: false, error: refusal });
  const refused = await statement(room, { zone: ROOM.zone, from: null, to: null });
  assert.deepEqual(refused, { ok: false, error: refusal });
  const left = new RecordedRoom("p0", 1);
  const stopped = await statement(
    left,
    { zone: ROOM.zone, from: null, to: null },
    { stopped: () => left.asked.length > 2 },
  );
  assert.equal(stopped.ok, false);
  assert.equal(left.asked.length, 3);
});

test("hands that cannot be read are named, and a table of which nothing is known is read to its end", async () => {
  const room = new RecordedRoom("p0", 1);
  const { results } = room;
  room.results = async (asked) => {
    const page = await results(asked);
    return page.ok
      ? { ok: true, value: { ...page.value, stake: null, unreadable: [page.value.last], ended: null } }
      : page;
  };
  const found = await told(room, null, null);
  assert(found.unreadable.length > 5);
  assert.deepEqual(new Set(found.sat.map(({ stake }) => stake)), new Set(["?"]));
});

test("nobody's text begins a formula or a new cell", async () => {
  const found = await told(new RecordedRoom("p0", 5), null, null);
  const [purse] = found.purses;
  const [booked] = purse?.entries ?? [];
  assert(purse && booked);
  const odd = ["=1+1", "-2", "\tx", 'a "b", c', "@d", "\uff1d1"].map((why) => ({
    ...booked,
    entry: { ...booked.entry, why },
  }));
  const lines = csvOf({ ...found, purses: [{ ...purse, entries: odd }] }).split("\r\n");
  const ends = lines.slice(2, 8).map((line) => line.split("room,")[1]?.replace(/,+$/, ""));
  assert.deepEqual(ends, ["'=1+1", "'-2", "'\tx", '"a ""b"", c"', "'@d", "'\uff1d1"]);
});

test("days are those of the zone, and boxes hold a day or none", () => {
  const at = Date.parse("2024-03-30T23:30:00Z");
  assert.deepEqual(
    ["UTC", "Asia/Manila", "Europe/Berlin", "America/New_York", ownZone()].map((zone) => dayOf(at, zone)).slice(0, 4),
    ["2024-03-30", "2024-03-31", "2024-03-31", "2024-03-30"],
  );
  assert.deepEqual([daysBefore("2024-03-01", 1), daysBefore("2024-01-03", 6)], ["2024-02-29", "2023-12-28"]);
  assert.deepEqual([dayIn(""), dayIn("2024-03-01"), dayIn("12024-03-01")], [null, "2024-03-01", null]);
  assert.deepEqual(routeOf(hashOf({ page: "statement" })), { page: "statement" });
});
