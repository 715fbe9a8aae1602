import assert from "node:assert/strict";
import { test } from "node:test";
import { POINT } from "../src/money/numerals.js";
import { en } from "../src/texts/en.js";
import { failureText } from "../src/texts/failure.js";
import { fil } from "../src/texts/fil.js";
import { languageOf, TEXTS } from "../src/texts/index.js";

/** Every text by its place; a function counts by what it makes of arguments that can be found again. */
function flat(value: unknown, at = ""): [place: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([name, inner]) => flat(inner, at ? `${at}.${name}` : name));
}

test("both languages have the same texts, none of them empty", () => {
  const english = flat(en);
  assert.deepEqual(
    flat(fil).map(([place]) => place),
    english.map(([place]) => place),
  );
  for (const [place, text] of [...english, ...flat(fil)]) {
    assert(
      typeof text === "function" || (typeof text === "string" && (text.trim() !== "" || place === "log.causes.own")),
      place,
    );
  }
});

test("what goes into a text comes out of it, in both languages", () => {
  for (const [language, texts] of Object.entries(TEXTS)) {
    for (const [place, text] of flat(texts)) {
      if (
        typeof text !== "function" ||
        place.startsWith("errors.") ||
        place === "hand" ||
        place.startsWith("cardNames.")
      )
        continue;
      const names = Array.from({ length: text.length }, (_, number) => `${number + 2}9`);
      const made: unknown = text(...names);
      assert(typeof made === "string", place);
      for (const name of names) assert(made.includes(name), `${language} ${place} leaves out an argument: ${made}`);
    }
  }
});

test("each refusal names the same numbers in both languages", () => {
  for (const code of Object.keys(en.errors) as (keyof typeof en.errors)[]) {
    const used = (texts: typeof en | typeof fil) => {
      const names: string[] = [];
      const note = (name: string) => {
        names.push(name);
        return name;
      };
      texts.errors[code]({ money: note, moment: note });
      return names.sort();
    };
    assert.deepEqual(used(en), used(fil), code);
  }
});

test("hardly a text is the same in both: only words of the game and of numbers are", () => {
  const english = new Map(flat(en).filter(([, text]) => typeof text === "string"));
  const same = flat(fil).filter(
    ([place, text]) => typeof text === "string" && english.get(place) === text && text.length > 12,
  );
  assert.deepEqual(same, []);
});

test("a refusal is told with its numbers as money", () => {
  const failure = {
    code: "amount_too_small",
    message: "The least raise is to 5000.",
    facts: { min_to: 5000, max_to: 50_000 },
  } as const;
  assert.equal(failureText(failure, en, POINT, "PHP"), "At least ₱50.");
  assert.equal(failureText(failure, fil, POINT, "PHP"), "Hindi bababa sa ₱50.");
});

test("a refusal that is not known, or lacks a number, is told in the room's own words", () => {
  const told = (code: string, facts = {}) =>
    failureText({ code, message: "As the room says.", facts }, en, POINT, "PHP");
  assert.equal(told("a_code_of_tomorrow"), "As the room says.");
  assert.equal(told("amount_too_small"), "As the room says.");
  assert.equal(told("toString"), "As the room says.");
});

test("the device's languages choose the texts", () => {
  assert.equal(languageOf(["fil-PH", "en"]), "fil");
  assert.equal(languageOf(["tl"]), "fil");
  assert.equal(languageOf(["de", "en-PH"]), "en");
  assert.equal(languageOf([]), "en");
});
