import { type Book, ownSeat } from "./book.js";
import type { TableSnapshot } from "./fold.js";

/** In milliseconds. */
export const NEXT_SILENT = 5_000;
export const PAST_DEADLINE = 2_000;
/** Spectators are told six times a hand at most: silence is nothing strange to them. */
export const SPECTATOR_PATIENCE = 30_000;

/** The seat that is asked after the one whose turn it is, as far as anybody can tell. */
export function nextToAct(state: TableSnapshot): number | null {
  if (state.turn === null) return null;
  const seats = state.seats.length;
  for (let step = 1; step < seats; step += 1) {
    const number = (state.turn.seat + step) % seats;
    const seat = state.seats[number];
    if (seat?.in_hand && !seat.all_in) return number;
  }
  return null;
}

/** Where nothing has to come: somebody may have sat down. */
export const IDLE = 60_000;
export const SPECTATOR_IDLE = 240_000;

/**
 * When to ask for news if nothing comes, so that a last push that is lost stalls nothing; null before the first snapshot.
 *
 * `heard` is when the table was heard of last, `lateMs` how long ago it was as it is shown, both by the server's clock.
 */
export function askAt(book: Book, heard: number, lateMs: number): number | null {
  const { state } = book;
  if (state === null) return null;
  const own = ownSeat(book);
  const patience = own === null ? SPECTATOR_PATIENCE : PAST_DEADLINE;
  const running = state.hand !== null && !state.hand.over;
  if (!running && state.next_hand_at === null) return heard + (own === null ? SPECTATOR_IDLE : IDLE);
  if (!running) return Math.max((state.next_hand_at ?? 0) + lateMs, heard) + patience;
  if (state.turn === null) return heard + (own === null ? SPECTATOR_PATIENCE : NEXT_SILENT);
  const late = Math.max(state.turn.deadline + lateMs, heard) + patience;
  return own !== null && own.seat === nextToAct(state) ? Math.min(late, heard + NEXT_SILENT) : late;
}
