/**
 * Where the slider stops (RULES 8.3): first at the least amount, then every `step`, last at the greatest. Stops are counted from 0,
 * and never listed: there may be a great many.
 */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

export function lastStop({ least, most, step }: Bounds): number {
  return most <= least ? 0 : Math.ceil((most - least) / Math.max(1, step));
}

export function amountAt(bounds: Bounds, stop: number): number {
  const last = lastStop(bounds);
  if (stop >= last) return Math.max(bounds.least, bounds.most);
  return bounds.least + Math.max(0, Math.trunc(stop)) * Math.max(1, bounds.step);
}

/** The stop at this amount, or the last one below it. */
export function stopAt(bounds: Bounds, amount: number): number {
  if (amount >= bounds.most) return lastStop(bounds);
  return Math.max(0, Math.floor((amount - bounds.least) / Math.max(1, bounds.step)));
}

/** So many stops up, or down where `by` is negative, from an amount that may lie between two. */
export function moved(bounds: Bounds, amount: number, by: number): number {
  const here = stopAt(bounds, amount);
  const between = amountAt(bounds, here) < amount;
  const stop = by < 0 && between ? here + by + 1 : here + by;
  return amountAt(bounds, Math.min(lastStop(bounds), Math.max(0, stop)));
}
