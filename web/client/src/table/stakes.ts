import type { Texts } from "../texts/index.js";

interface Stakes {
  readonly game: "nl" | "fl";
  readonly small_blind: number;
  readonly big_blind: number;
  readonly small_bet: number;
  readonly big_bet: number;
}

/** Fixed-limit is called by its bets, no-limit by its blinds: "₱5/₱10". */
export function stakesText(stakes: Stakes, money: (amount: number) => string): string {
  const [low, high] =
    stakes.game === "nl" ? [stakes.small_blind, stakes.big_blind] : [stakes.small_bet, stakes.big_bet];
  return `${money(low)}/${money(high)}`;
}

export function gameText(stakes: Stakes, money: (amount: number) => string, texts: Texts): string {
  return `${texts.lobby.games[stakes.game]} ${stakesText(stakes, money)}`;
}
