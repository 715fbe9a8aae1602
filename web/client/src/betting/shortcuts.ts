/**
 * Amounts that are a press away. A part of the pot counts what calling would add to it; what the server does not allow is not
 * offered, and never replaced by another amount.
 */
import type { Bounds } from "./stops.js";

export type Shortcut = "half" | "pot" | "all_in";

export interface Priced {
  /** The bet after calling. */
  readonly call_to: number;
  readonly to_call: number;
}

/** The street's total that each stands for; null where that is not allowed. */
export function shortcuts(turn: Priced, pot: number, bounds: Bounds): Readonly<Record<Shortcut, number | null>> {
  const full = pot + turn.to_call;
  const allowed = (to: number) => (to >= bounds.least && to <= bounds.most ? to : null);
  return {
    half: allowed(turn.call_to + Math.floor(full / 2)),
    pot: allowed(turn.call_to + full),
    all_in: bounds.most > bounds.least ? bounds.most : null,
  };
}
