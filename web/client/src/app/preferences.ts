import { COMMA, type Numerals, numeralsOf, POINT } from "../money/numerals.js";
import { type Language, languageOf } from "../texts/index.js";
import { Cell } from "./cell.js";

export interface Preferences {
  readonly language: Language;
  readonly theme: "system" | "dark" | "light";
  readonly fourColours: boolean;
  readonly sound: boolean;
  /** 0 to 1. */
  readonly volume: number;
  readonly keys: boolean;
  readonly numerals: "auto" | "." | ",";
}

const KEY = "cardroom.preferences";

/** What is kept of them, each where it makes sense; the rest as the device has it. */
export function preferencesOf(kept: unknown, languages: readonly string[]): Preferences {
  const found = typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  const oneOf = <T extends string>(name: string, all: readonly T[], otherwise: T): T =>
    all.find((one) => one === found[name]) ?? otherwise;
  const yes = (name: string, otherwise: boolean) => (typeof found[name] === "boolean" ? found[name] : otherwise);
  const volume = found["volume"];
  return {
    language: oneOf("language", ["en", "fil"], languageOf(languages)),
    theme: oneOf("theme", ["system", "dark", "light"], "system"),
    fourColours: yes("fourColours", false),
    sound: yes("sound", true),
    volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 0.6,
    keys: yes("keys", true),
    numerals: oneOf("numerals", ["auto", ".", ","], "auto"),
  };
}

export function numeralsFor(chosen: Preferences["numerals"], languages: readonly string[]): Numerals {
  if (chosen === "auto") return numeralsOf(languages[0] ?? "en");
  return chosen === "." ? POINT : COMMA;
}

function kept(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** As the player has ordered them; none outside of a browser. */
export function deviceLanguages(): readonly string[] {
  return globalThis.navigator?.languages ?? [];
}

export const preferences = new Cell<Preferences>(preferencesOf(kept(), deviceLanguages()));

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.get()));
  } catch {
    // They last as long as the page.
  }
}

/** Shows the page as it is preferred, now and after each change. */
export function applyPreferences(): void {
  const apply = ({ language, theme, fourColours }: Preferences) => {
    const root = document.documentElement;
    root.lang = language;
    root.dataset["theme"] = theme;
    root.dataset["deck"] = fourColours ? "four" : "two";
  };
  apply(preferences.get());
  preferences.subscribe(apply);
}
