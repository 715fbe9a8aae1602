/**
 * What five to seven cards are worth: the greater number wins, the same is a tie. It serves the odds that the replayer shows; who wins
 * what, the server says.
 */
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

/** 0 to 51: four times the rank and the suit. Throws a RangeError where it is none. */
export function cardNumber(card: string): number {
  const rank = RANKS.indexOf(card.charAt(0));
  const suit = SUITS.indexOf(card.charAt(1));
  if (card.length !== 2 || rank < 0 || suit < 0) throw new RangeError("not a card");
  return rank * 4 + suit;
}

/** Sets of ranks are 13 bits, the deuce the lowest. */
const SETS = 1 << 13;
const WHEEL = 0b1_0000_0000_1111;

const COUNT = new Uint8Array(SETS);
/** The highest card of five in a row, 0 where there are none; an ace below the deuce makes five high. */
const STRAIGHT = new Uint8Array(SETS);
for (let set = 1; set < SETS; set += 1) {
  COUNT[set] = (COUNT[set >> 1] ?? 0) + (set & 1);
  const runs = set & (set >> 1) & (set >> 2) & (set >> 3) & (set >> 4);
  STRAIGHT[set] = runs ? 35 - Math.clz32(runs) : (set & WHEEL) === WHEEL ? 3 : 0;
}

const KIND = 1 << 26;

export function rank(cards: ArrayLike<number>): number {
  let [ones, twos, threes, fours] = [0, 0, 0, 0];
  let [clubs, diamonds, hearts, spades] = [0, 0, 0, 0];
  for (let at = 0; at < cards.length; at += 1) {
    const card = cards[at] as number;
    const bit = 1 << (card >> 2);
    fours |= threes & bit;
    threes |= twos & bit;
    twos |= ones & bit;
    ones |= bit;
    const suit = card & 3;
    if (suit === 0) clubs |= bit;
    else if (suit === 1) diamonds |= bit;
    else if (suit === 2) hearts |= bit;
    else spades |= bit;
  }
  const flush = ofFive(clubs) || ofFive(diamonds) || ofFive(hearts) || ofFive(spades);
  const running = flush && (STRAIGHT[flush] as number);
  if (running) return 8 * KIND + running;
  if (fours) return 7 * KIND + fours * SETS + best(ones & ~fours, 1);
  const three = best(threes, 1);
  const pair = best(twos & ~three, 1);
  if (three && pair) return 6 * KIND + three * SETS + pair;
  if (flush) return 5 * KIND + best(flush, 5);
  const straight = STRAIGHT[ones] as number;
  if (straight) return 4 * KIND + straight;
  if (three) return 3 * KIND + three * SETS + best(ones & ~three, 2);
  if (!pair) return best(ones, 5);
  const pairs = best(twos, 2);
  if (pairs !== pair) return 2 * KIND + pairs * SETS + best(ones & ~pairs, 1);
  return KIND + pair * SETS + best(ones & ~pair, 3);
}

function ofFive(suit: number): number {
  return (COUNT[suit] as number) >= 5 ? suit : 0;
}

/** The highest so many of a set of ranks. */
function best(set: number, most: number): number {
  let found = set;
  for (let extra = (COUNT[set] as number) - most; extra > 0; extra -= 1) found &= found - 1;
  return found;
}
