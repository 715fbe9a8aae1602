/**
 * What a player's cards make, to be said in words. It decides nothing: who wins what, the server says.
 */
export const RANKS = "23456789TJQKA";

/** Ranks as places in `RANKS`. */
export type Made =
  | {
      readonly kind: "high_card" | "pair" | "three" | "straight" | "flush" | "four" | "straight_flush";
      readonly rank: number;
    }
  | { readonly kind: "two_pair" | "full_house"; readonly rank: number; readonly second: number }
  | { readonly kind: "royal_flush" };

const ACE = 12;
const FIVE = 3;

/** The best of 2 to 7 cards, like `As`; null of fewer, or where one is none. */
export function made(cards: readonly string[]): Made | null {
  const ranks = cards.map((card) => RANKS.indexOf(card.charAt(0)));
  if (cards.length < 2 || cards.length > 7 || ranks.some((rank) => rank < 0)) return null;
  const flush = flushOf(cards);
  const running = flush && straightOf(flush);
  if (running !== null) return running === ACE ? { kind: "royal_flush" } : { kind: "straight_flush", rank: running };
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const often = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const [rank = 0, count = 0] = often[0] ?? [];
  // Of two sets of three, or a set and two pairs: the best other pair fills the house.
  const second = Math.max(
    ...[...counts].filter(([other, times]) => other !== rank && times >= 2).map(([other]) => other),
    -1,
  );
  if (count === 4) return { kind: "four", rank };
  if (count === 3 && second >= 0) return { kind: "full_house", rank, second };
  if (flush !== null) return { kind: "flush", rank: Math.max(...flush) };
  const straight = straightOf(ranks);
  if (straight !== null) return { kind: "straight", rank: straight };
  if (count === 3) return { kind: "three", rank };
  if (count === 2 && second >= 0) return { kind: "two_pair", rank, second };
  return count === 2 ? { kind: "pair", rank } : { kind: "high_card", rank: Math.max(...ranks) };
}

/** The ranks of a suit of which there are five. */
function flushOf(cards: readonly string[]): readonly number[] | null {
  for (const suit of "shdc") {
    const of = cards.filter((card) => card.charAt(1) === suit);
    if (of.length >= 5) return of.map((card) => RANKS.indexOf(card.charAt(0)));
  }
  return null;
}

/** The highest card of five in a row, an ace below the deuce too. */
function straightOf(ranks: readonly number[]): number | null {
  const there = new Set(ranks);
  for (let high = ACE; high >= FIVE; high -= 1) {
    const row = [0, 1, 2, 3, 4].map((down) => (high - down + 13) % 13);
    if (row.every((rank) => there.has(rank))) return high;
  }
  return null;
}
