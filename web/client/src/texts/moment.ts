/** Moments as the device writes them: the time, and the day too where it is another. */
export function dayAndTime(at: number, now: number = Date.now()): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" })} ${time}`;
}

/** Whole seconds until then, rounded up; 0 where it is past. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}
