import { en } from "./en.js";
import { fil } from "./fil.js";

export type { Facts } from "./en.js";

/** The shape of the English texts with any words. */
type Worded<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Name in keyof T]: Worded<T[Name]> };

export type Texts = Worded<typeof en>;

export type Language = "en" | "fil";

export const TEXTS: Readonly<Record<Language, Texts>> = { en, fil };

/** The first of the wished languages that there are texts in. */
export function languageOf(wished: readonly string[]): Language {
  for (const one of wished) {
    const [language] = one.toLowerCase().split("-");
    if (language === "fil" || language === "tl") return "fil";
    if (language === "en") return "en";
  }
  return "en";
}
