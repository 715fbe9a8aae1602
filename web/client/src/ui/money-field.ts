import { type AmountFault, type Parsed, parsed } from "../money/amount.js";
import type { Numerals } from "../money/numerals.js";
import type { Texts } from "../texts/index.js";

/** Between what bounds an amount may lie; null: no bound. */
export interface Limits {
  readonly least: number;
  readonly most: number | null;
}

export type Checked =
  | { readonly amount: number; readonly fault: null }
  | { readonly amount: null; readonly fault: string };

/** What a box of money holds, or in words why that is no amount that goes. */
export function checked(
  text: string,
  limits: Limits,
  numerals: Numerals,
  currency: string,
  texts: Texts,
  money: (amount: number) => string,
): Checked {
  const read: Parsed = parsed(text, numerals, currency);
  if (!read.ok) return { amount: null, fault: faultText(read.why, numerals, texts) };
  if (read.amount < limits.least) return { amount: null, fault: texts.buyIn.low(money(limits.least)) };
  if (limits.most !== null && read.amount > limits.most)
    return { amount: null, fault: texts.buyIn.high(money(limits.most)) };
  return { amount: read.amount, fault: null };
}

/** With an example where the signs are the trouble. */
export function faultText(why: AmountFault, numerals: Numerals, texts: Texts): string {
  const said = texts.act.amount[why];
  return why === "decimals" || why === "group" ? `${said}. ${texts.act.example[numerals.point]}` : said;
}
