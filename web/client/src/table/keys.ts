import { useEffect, useRef } from "react";
import { preferences } from "../app/preferences.js";

/** By the key's name, in lower case; `digit` is any of 0 to 9. */
export interface Keys {
  readonly digit?: (digit: string) => unknown;
  readonly [key: string]: ((digit: string) => unknown) | undefined;
}

/** Keys work while nothing else has them: no box, no menu, no dialog, no modifier. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        !preferences.get().keys ||
        event.repeat ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.altKey ||
        event.metaKey
      )
        return;
      if (isTaken(event.target, event.key)) return;
      const name = event.key.toLowerCase();
      const act = /^[0-9]$/.test(name) ? latest.current.digit : latest.current[name];
      if (act === undefined) return;
      event.preventDefault();
      act(name);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

function isTaken(target: EventTarget | null, key: string): boolean {
  if (document.querySelector("dialog[open], [role=menu]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "range" || key.startsWith("Arrow");
  if (target.matches("[role=log]") && key.startsWith("Arrow")) return true;
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
