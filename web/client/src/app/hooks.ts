import type { Observable } from "@cardroom/sdk";
import { useEffect, useState, useSyncExternalStore } from "react";
import { shown } from "../money/amount.js";
import type { Numerals } from "../money/numerals.js";
import { TEXTS, type Texts } from "../texts/index.js";
import { deviceLanguages, numeralsFor, type Preferences, preferences } from "./preferences.js";

export function useObservable<T>(source: Observable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get, source.get);
}

export function usePreferences(): Preferences {
  return useObservable(preferences);
}

export function useTexts(): Texts {
  return TEXTS[usePreferences().language];
}

export function useNumerals(): Numerals {
  return numeralsFor(usePreferences().numerals, deviceLanguages());
}

/** Writes amounts of a currency. */
export function useMoney(currency: string): (amount: number) => string {
  const numerals = useNumerals();
  return (amount) => shown(amount, currency, numerals);
}

/** Draws again every so many milliseconds, while `on`. */
export function useTicks(ms: number, on = true): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => tick((number) => number + 1), ms);
    return () => clearInterval(timer);
  }, [ms, on]);
}
