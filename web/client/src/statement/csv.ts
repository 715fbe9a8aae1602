/**
 * A statement as a table for spreadsheets: the same columns, words and signs as the operator's, whatever the language of the page, so that
 * both may be laid side by side. The first column says which part a row is of.
 */
import type { Sat, Statement, Sums } from "@cardroom/sdk";

const COLUMNS = [
  "part",
  "currency",
  "number",
  "day",
  "time",
  "kind",
  "amount",
  "balance",
  "about",
  "who",
  "why",
  "table",
  "stake",
  "hands",
  "bought",
  "paid out",
  "result",
  "rake",
  "at table",
] as const;

/** What a spreadsheet would take for the beginning of a formula; the last four are wide signs. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

export function csvOf(statement: Statement): string {
  const rows = [...statement.purses.flatMap((purse) => ledgerRows(purse, statement)), ...resultRows(statement)];
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name] ?? ""))];
  return lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

function ledgerRows(
  { currency, opening, entries, closing }: Statement["purses"][number],
  { period }: Statement,
): Row[] {
  const part = `${currency} ledger`;
  const balance = (kind: string, day: string | null, held: number): Row => ({
    part,
    currency,
    day: day ?? "",
    kind,
    balance: decimal(held),
  });
  return [
    balance("opening", period.from, opening),
    ...entries.map(
      ({ day, entry }): Row => ({
        part,
        currency,
        number: String(entry.number),
        day,
        time: entry.time,
        kind: entry.kind,
        amount: decimal(entry.amount),
        balance: decimal(entry.balance),
        about: entry.table === null ? `reference ${entry.reference ?? ""}` : `table ${entry.table}`,
        who: text(entry.who),
        why: text(entry.why),
      }),
    ),
    balance("closing", period.to, closing),
  ];
}

function resultRows({ sat, stakes }: Statement): Row[] {
  const results = (one: Sat): Row => ({
    part: "results by day and table",
    day: one.day,
    table: one.table,
    stake: one.stake,
    currency: one.currency,
    ...sumsOf(one),
    "at table": decimal(one.chips),
  });
  return [
    ...sat.map(results),
    ...stakes.map(
      (one): Row => ({ part: "results by stake", stake: one.stake, currency: one.currency, ...sumsOf(one) }),
    ),
  ];
}

function sumsOf({ hands, bought, paid, net, rake }: Sums): Row {
  return {
    hands: String(hands),
    bought: decimal(bought),
    "paid out": decimal(paid),
    result: decimal(net),
    rake: decimal(rake),
  };
}

/** Minor units as 12.50, with a point and nothing between thousands. */
function decimal(amount: number): string {
  const all = String(Math.abs(amount)).padStart(3, "0");
  return `${amount < 0 ? "-" : ""}${all.slice(0, -2)}.${all.slice(-2)}`;
}

/** Of somebody's making: no formula. */
function text(written: string): string {
  return FORMULA.test(written) ? `'${written}` : written;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
