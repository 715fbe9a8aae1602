import type { TableView } from "@cardroom/sdk";
import { useMoney, useTexts } from "../app/hooks.js";
import type { Texts } from "../texts/index.js";
import { cardName } from "./Card.js";
import { boardOf, type Speaker } from "./lines.js";

/** Rank and the sign of the suit, as in print. */
const SIGNS: Readonly<Record<string, string>> = { s: "♠", h: "♥", d: "♦", c: "♣" };

export function printed(card: string): string {
  return `${card.charAt(0) === "T" ? "10" : card.charAt(0)}${SIGNS[card.charAt(1)] ?? ""}`;
}

/** Who speaks of this table; aloud, cards have their names. */
export function useSpeaker(view: TableView, aloud = false): Speaker {
  const texts = useTexts();
  const money = useMoney(view.state?.settings.currency ?? "");
  return {
    texts,
    money,
    name: (seat) => nameAt(view.names, seat, view.seat, texts),
    card: aloud ? (card) => cardName(card, texts) : printed,
    board: view.state?.hand?.board ?? boardOf(view.log),
  };
}

export function nameAt(names: readonly (string | null)[], seat: number, own: number | null, texts: Texts): string {
  if (seat === own) return texts.common.you;
  return names[seat] ?? texts.table.seat(seat + 1);
}
