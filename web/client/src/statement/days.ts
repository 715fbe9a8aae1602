/** Days as they are written, 2026-11-30, for the boxes that ask for them. */

/** The zone of the device, by its IANA name. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** The day of a moment in a zone. */
export function dayOf(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(at);
  const of = (type: "year" | "month" | "day") => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}`;
}

/** So many days before this one. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}

/** What is in a box for a day: null where it is empty. */
export function dayIn(box: string): string | null {
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(box) ? box : null;
}
