/** The chips that stand for an amount, the largest first: for the eye alone, the amount is written beside them. */
const VALUES = [10_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 25, 5, 1];

/** How many are drawn at most. */
export const PILE_MOST = 5;

/** Places in the list of values, which is how their colours are told apart. */
export function pile(amount: number): readonly number[] {
  const chips: number[] = [];
  let rest = amount;
  VALUES.forEach((value, kind) => {
    while (rest >= value && chips.length < PILE_MOST) {
      chips.push(kind);
      rest -= value;
    }
  });
  return chips;
}
