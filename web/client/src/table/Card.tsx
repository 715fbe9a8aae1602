import { useTexts } from "../app/hooks.js";
import type { Texts } from "../texts/index.js";
import { RANKS } from "../words/made.js";

/** Of each suit, in a square of 100. */
export const SHAPES: Readonly<Record<string, string>> = {
  s: "M50 6C62 26 92 42 92 66a19 19 0 0 1-36 9c1 9 4 14 11 19H33c7-5 10-10 11-19a19 19 0 0 1-36-9C8 42 38 26 50 6z",
  h: "M50 92C34 74 6 58 6 33A23 23 0 0 1 50 24 23 23 0 0 1 94 33c0 25-28 41-44 59z",
  d: "M50 4C60 24 74 38 88 50 74 62 60 76 50 96 40 76 26 62 12 50 26 38 40 24 50 4z",
  c: "M50 6a20 20 0 0 1 16 32 20 20 0 1 1-9 37c1 9 4 14 11 19H32c7-5 10-10 11-19a20 20 0 1 1-9-37A20 20 0 0 1 50 6z",
};

export function Suit({ suit }: { suit: string }) {
  return (
    <svg className="suit" viewBox="0 0 100 100" aria-hidden="true">
      <path d={SHAPES[suit]} fill="currentColor" />
    </svg>
  );
}

/** "Ace of spades". */
export function cardName(card: string, texts: Texts): string {
  const { rank, suit } = texts.cardNames;
  return texts.table.card(rank(RANKS.indexOf(card.charAt(0))), suit(card.charAt(1)));
}

interface Props {
  /** Two characters; null is one that is not seen. */
  readonly card: string | null;
  readonly dim?: boolean;
}

export function Card({ card, dim = false }: Props) {
  const texts = useTexts();
  if (card === null)
    return <span className="card card-back" role="img" aria-label={texts.table.hidden} data-card="hidden" />;
  const suit = card.charAt(1);
  const rank = card.charAt(0) === "T" ? "10" : card.charAt(0);
  return (
    <span
      className="card"
      role="img"
      aria-label={cardName(card, texts)}
      data-card={card}
      data-suit={suit}
      data-dim={dim ? "" : undefined}
    >
      <span className="card-corner" aria-hidden="true">
        <span className="card-rank" data-long={rank === "10" ? "" : undefined}>
          {rank}
        </span>
        <Suit suit={suit} />
      </span>
      <span className="card-middle" aria-hidden="true">
        <Suit suit={suit} />
      </span>
    </span>
  );
}

/** In a line of text: rank and suit sign, and the name for who hears it. */
export function CardWord({ card }: { card: string }) {
  const texts = useTexts();
  return (
    <span className="card-word" role="img" aria-label={cardName(card, texts)} data-suit={card.charAt(1)}>
      {card.charAt(0) === "T" ? "10" : card.charAt(0)}
      <Suit suit={card.charAt(1)} />
    </span>
  );
}
