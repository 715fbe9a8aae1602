import type { Do, HandState, TableEvent } from "@cardroom/sdk";

/** What each seat did last on this street. */
export function deeds(log: readonly TableEvent[]): ReadonlyMap<number, Do> {
  const done = new Map<number, Do>();
  for (const event of log) {
    if (event.e === "board_dealt" || event.e === "hand_ended" || event.e === "hand_voided") done.clear();
    if (event.e === "acted") done.set(event.seat, event.do);
  }
  return done;
}

/** What each seat got of the pots, once they are settled. */
export function winnings(hand: HandState | null): ReadonlyMap<number, number> {
  const won = new Map<number, number>();
  for (const { shares } of hand?.pots ?? []) {
    for (const [seat, chips] of shares ?? []) won.set(seat, (won.get(seat) ?? 0) + chips);
  }
  return won;
}
