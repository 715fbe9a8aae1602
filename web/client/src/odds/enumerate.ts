/** Odds by exact enumeration: every board that may still come is counted. */
import { rank } from "./rank.js";

/** Of so many `boards`, by hand: those that it wins alone, those that it shares, and its part of all pots. */
export interface Tally {
  readonly boards: number;
  readonly wins: readonly number[];
  readonly ties: readonly number[];
  /** 0 to 1; together 1. */
  readonly shares: readonly number[];
}

type Pair = readonly [number, number];

const BOARD = 5;
const DECK = 52;
/** Divides by each number of hands that may tie. */
const PARTS = 2520;
/** Boards between two pauses. */
const BREATH = 4096;

/**
 * `dead` are cards that cannot come any more. It pauses now and then, so that whoever asks may do something else; what it returns is all.
 */
export function* enumerated(
  hands: readonly Pair[],
  board: readonly number[],
  dead: readonly number[] = [],
): Generator<undefined, Tally> {
  const gone = new Set([...hands.flat(), ...board, ...dead]);
  const deck = Array.from({ length: DECK }, (_, card) => card).filter((card) => !gone.has(card));
  const open = BOARD - board.length;
  const wins = hands.map(() => 0);
  const ties = hands.map(() => 0);
  const parts = hands.map(() => 0);
  const ranks = hands.map(() => 0);
  const seven = new Uint8Array(BOARD + 2);
  seven.set(board);
  const chosen = Array.from({ length: open }, (_, at) => at);
  let boards = 0;
  do {
    for (let at = 0; at < open; at += 1) seven[board.length + at] = deck[chosen[at] as number] as number;
    boards += 1;
    let highest = -1;
    let alike = 0;
    for (let at = 0; at < hands.length; at += 1) {
      const [first, second] = hands[at] as Pair;
      seven[BOARD] = first;
      seven[BOARD + 1] = second;
      const value = rank(seven);
      ranks[at] = value;
      if (value > highest) [highest, alike] = [value, 1];
      else if (value === highest) alike += 1;
    }
    for (let at = 0; at < hands.length; at += 1) {
      if (ranks[at] !== highest) continue;
      const counted = alike === 1 ? wins : ties;
      counted[at] = (counted[at] as number) + 1;
      parts[at] = (parts[at] as number) + PARTS / alike;
    }
    if (boards % BREATH === 0) yield undefined;
  } while (advance(chosen, deck.length));
  return { boards, wins, ties, shares: parts.map((part) => part / (PARTS * boards)) };
}

/** The next choice of places, in order; false after the last one. */
function advance(chosen: number[], places: number): boolean {
  for (let at = chosen.length - 1; at >= 0; at -= 1) {
    const next = (chosen[at] as number) + 1;
    if (next > places - (chosen.length - at)) continue;
    for (let after = at; after < chosen.length; after += 1) chosen[after] = next + after - at;
    return true;
  }
  return false;
}
