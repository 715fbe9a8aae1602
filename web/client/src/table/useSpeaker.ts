import type { TableView } from "@cardroom/sdk";
import { useVisit } from "../app/context.js";
import { useMoney, useTexts } from "../app/hooks.js";
import { cardName } from "./Card.js";
import type { Speaker } from "./lines.js";

/** Rank and the sign of the suit, as in print. */
const SIGNS: Readonly<Record<string, string>> = { s: "♠", h: "♥", d: "♦", c: "♣" };

export function printed(card: string): string {
  return `${card.charAt(0) === "T" ? "10" : card.charAt(0)}${SIGNS[card.charAt(1)] ?? ""}`;
}

/** Who speaks of this table; aloud, cards have their names. */
export function useSpeaker(view: TableView, aloud = false): Speaker {
  const { room } = useVisit();
  const texts = useTexts();
  const money = useMoney(view.state?.settings.currency ?? "");
  return { texts, money, card: aloud ? (card) => cardName(card, texts) : printed, you: room.player };
}
