/**
 * What a player is about to bet: the text in the bet box, and the amount that it stands for, or why it stands for none. Typing
 * changes the text alone, never back: nothing is filled in, cut or brought into bounds.
 */
import { type AmountFault, parsed, plain } from "../money/amount.js";
import type { Numerals } from "../money/numerals.js";
import type { Bounds } from "./stops.js";

export type EntryFault = AmountFault | "low" | "high";

export interface Entry {
  readonly text: string;
  /** Minor units, within what the server allows; null where the text stands for no such amount. */
  readonly amount: number | null;
  readonly fault: EntryFault | null;
}

/** At first the least (RULES 8.1). */
export function begun(bounds: Bounds, numerals: Numerals): Entry {
  return chosen(bounds.least, bounds, numerals);
}

export function typed(text: string, bounds: Bounds, numerals: Numerals, currency: string): Entry {
  const read = parsed(text, numerals, currency);
  if (!read.ok) return { text, amount: null, fault: read.why };
  return { text, ...within(read.amount, bounds) };
}

/** By slider or shortcut. */
export function chosen(amount: number, bounds: Bounds, numerals: Numerals): Entry {
  return { text: plain(amount, numerals), ...within(amount, bounds) };
}

function within(amount: number, { least, most }: Bounds): Pick<Entry, "amount" | "fault"> {
  if (amount < least) return { amount: null, fault: "low" };
  if (amount > most) return { amount: null, fault: "high" };
  return { amount, fault: null };
}
