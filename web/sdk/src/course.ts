/** A hand that is over, step by step: each place is the table as its events left it. */
import { fold, type TableSnapshot } from "./fold.js";
import type { Frozen } from "./frozen.js";
import type { PastHandView } from "./messages.js";

/**
 * The table before the hand, and after each of its steps: one more than there are steps. A step that is not known leaves it as it was.
 * A void hand ends with what everybody had.
 */
export function course({ state, steps }: Frozen<Pick<PastHandView, "state" | "steps">>): readonly TableSnapshot[] {
  const places: TableSnapshot[] = [state];
  let table: TableSnapshot = state;
  for (const { event, pots } of steps) {
    table = fold(table, event) ?? table;
    if (event.e === "hand_voided") table = withStacks(table, state);
    if (table.hand !== null && pots !== undefined) table = { ...table, hand: { ...table.hand, pots } };
    places.push(table);
  }
  return places;
}

function withStacks(table: TableSnapshot, before: TableSnapshot): TableSnapshot {
  const seats = table.seats.map((seat, number) => {
    const { stack = 0 } = before.seats[number] ?? {};
    return seat && { ...seat, stack };
  });
  return { ...table, seats };
}
