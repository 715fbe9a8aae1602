import type { Failure } from "@cardroom/sdk";
import { shown } from "../money/amount.js";
import type { Numerals } from "../money/numerals.js";
import type { Texts } from "./index.js";
import { dayAndTime } from "./moment.js";

/** One sentence on why something was not done. A code that nothing is known of is told in the room's own words. */
export function failureText(failure: Failure, texts: Texts, numerals: Numerals, currency: string): string {
  const said = Object.hasOwn(texts.errors, failure.code) && texts.errors[failure.code as keyof Texts["errors"]];
  if (!said) return failure.message;
  // An older or a newer room names other numbers: then its own sentence has to do.
  let missing = false;
  const fact = (name: string): number => {
    const value = failure.facts[name];
    missing ||= value === undefined;
    return value ?? 0;
  };
  const sentence = said({
    money: (name) => shown(fact(name), currency, numerals),
    moment: (name) => dayAndTime(fact(name)),
  });
  return missing ? failure.message : sentence;
}
