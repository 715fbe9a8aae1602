/** How amounts are written: with a decimal point or a comma, and what stands between thousands. */
export interface Numerals {
  readonly point: "." | ",";
  readonly group: "," | "." | "\u00a0";
}

export const POINT: Numerals = { point: ".", group: "," };
export const COMMA: Numerals = { point: ",", group: "." };

/** As a language writes them, like `en-PH` or `de`. */
export function numeralsOf(language: string): Numerals {
  let parts: Intl.NumberFormatPart[];
  try {
    parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(1_234_567.5);
  } catch {
    return POINT;
  }
  const of = (type: Intl.NumberFormatPart["type"]) => parts.find((part) => part.type === type)?.value;
  if (of("decimal") === ",") return { point: ",", group: of("group") === "." ? "." : "\u00a0" };
  return { point: ".", group: of("group") === "," ? "," : "\u00a0" };
}
