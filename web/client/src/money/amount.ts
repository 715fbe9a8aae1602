/**
 * Amounts as people write them: minor units (centavos, cents) to text and back, without floats.
 *
 * What could be two amounts is none: "1,000" is a thousand where the comma stands between thousands, and nothing where it is the
 * decimal sign, for then it has three decimals.
 */
import type { Numerals } from "./numerals.js";

/** `form`: no number; `decimals`: more than two; `group`: the other sign, not between thousands; `large`: more than is ever written. */
export type AmountFault = "empty" | "form" | "decimals" | "group" | "large";

export type Parsed = { readonly ok: true; readonly amount: number } | { readonly ok: false; readonly why: AmountFault };

/** The largest that a message may carry, in minor units. */
export const LARGEST = 1_000_000_000_000;

const SIGNS: Readonly<Record<string, string>> = { PHP: "₱", USD: "$" };

export function signOf(currency: string): string {
  return SIGNS[currency] ?? "";
}

/** 125000 in PHP is ₱1,250; 1250 is ₱12.50. */
export function shown(amount: number, currency: string, numerals: Numerals): string {
  return `${amount < 0 ? "−" : ""}${signOf(currency)}${digits(Math.abs(amount), numerals, numerals.group)}`;
}

/** As one types it: no sign, nothing between thousands. */
export function plain(amount: number, numerals: Numerals): string {
  return digits(amount, numerals, "");
}

export function parsed(text: string, numerals: Numerals, currency = ""): Parsed {
  const { point, group } = numerals;
  const other = point === "." ? "," : ".";
  const sign = signOf(currency);
  const trimmed = text.trim();
  const bare = sign && trimmed.startsWith(sign) ? trimmed.slice(sign.length).trimStart() : trimmed;
  if (bare === "") return fault("empty");
  // Spaces between thousands are understood everywhere.
  const written = bare.replace(/[\u00a0\u202f ]/g, "\u00a0");
  if (!/^[0-9][0-9.,\u00a0]*$/.test(written)) return fault("form");
  const [whole = "", ...rest] = written.split(point);
  const [decimals, more] = rest;
  if (more !== undefined) return fault("form");
  if (decimals !== undefined && /^[0-9]{3,}$/.test(decimals)) return fault("decimals");
  if (decimals !== undefined && !/^[0-9]{1,2}$/.test(decimals))
    return fault(decimals.includes(other) ? "group" : "form");
  const separator = whole.includes(other) ? other : "\u00a0";
  if (separator === other && group !== other) return fault("group");
  const groups = whole.split(separator);
  if (groups.length > 1) {
    const [first = "", ...others] = groups;
    if (!/^[1-9][0-9]{0,2}$/.test(first) || !others.every((one) => /^[0-9]{3}$/.test(one))) return fault("group");
  }
  const units = groups.join("").replace(/^0+(?=[0-9])/, "");
  if (!/^[0-9]+$/.test(units)) return fault("form");
  // Of many digits no number is made that would not be exact.
  if (units.length > 13) return fault("large");
  const amount = Number(units) * 100 + Number((decimals ?? "").padEnd(2, "0"));
  return amount > LARGEST ? fault("large") : { ok: true, amount };
}

function fault(why: AmountFault): Parsed {
  return { ok: false, why };
}

function digits(amount: number, { point }: Numerals, group: string): string {
  const rest = amount % 100;
  const whole = String((amount - rest) / 100).replace(/\B(?=(?:[0-9]{3})+$)/g, group);
  return rest === 0 ? whole : `${whole}${point}${String(rest).padStart(2, "0")}`;
}
