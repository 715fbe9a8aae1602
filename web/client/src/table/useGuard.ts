import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Guard, SETTLING } from "../betting/guard.js";

export interface Guarded {
  /** Whether what is offered has been there long enough to be taken. */
  readonly ready: boolean;
  /** For a button that does `act`. */
  bind(act: () => void): {
    onPointerDown: () => void;
    onPointerCancel: () => void;
    onClick: (event: MouseEvent) => void;
  };
  /** By the keyboard: does `act` where that counts. */
  strike(act: () => void): void;
}

/** A misclick guard over all buttons of an offer, which `key` names. */
export function useGuard(key: string): Guarded {
  const [guard] = useState(() => new Guard());
  const [settled, setSettled] = useState<string | null>(null);
  const shown = useRef(key);
  useLayoutEffect(() => {
    shown.current = key;
    guard.offer(key, performance.now());
    const timer = setTimeout(() => setSettled(key), SETTLING + 10);
    return () => clearTimeout(timer);
  }, [guard, key]);
  useEffect(() => () => guard.cancel(), [guard]);
  const strike = (act: () => void) => {
    if (key === shown.current && guard.strike(performance.now())) act();
  };
  return {
    ready: settled === key,
    strike,
    bind: (act) => ({
      onPointerDown: () => guard.press(performance.now()),
      onPointerCancel: () => guard.cancel(),
      onClick: (event) => {
        if (event.detail === 0) strike(act);
        else if (guard.release(performance.now()) && key === shown.current) act();
      },
    }),
  };
}
