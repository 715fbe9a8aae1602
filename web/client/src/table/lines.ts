/** The events of a table in words, a line each. */
import type { TableEvent } from "@cardroom/sdk";
import type { Texts } from "../texts/index.js";
import { made } from "../words/made.js";
import type { Entry } from "./chronicle.js";

export interface Speaker {
  readonly texts: Texts;
  readonly money: (amount: number) => string;
  readonly card: (card: string) => string;
  /** Who listens. */
  readonly you: string | null;
}

/** `board`: as it lay when it happened. Null where an event is worth no line. */
export function line(
  { event, names }: Entry,
  board: readonly string[],
  { texts, money, card, you }: Speaker,
): string | null {
  const { log } = texts;
  const player = (seat: number) => names[seat] ?? texts.table.seat(seat + 1);
  // Whole sentences are not made for "you".
  const name = (seat: number) => (you !== null && names[seat] === you ? texts.common.you : player(seat));
  const cards = (all: readonly string[]) => all.map(card).join(" ");
  switch (event.e) {
    case "hand_started":
      return log.started(event.number, name(event.button));
    case "posted":
      return log.posted[event.post](name(event.seat), money(event.amount));
    case "acted": {
      const amount = event.do === "call" ? event.paid : event.to;
      return log.acted[event.do](name(event.seat), money(amount)) + log.causes[event.cause];
    }
    case "board_dealt":
      return log.dealt(log.streets[event.street], cards(event.cards));
    case "returned":
      return log.returned(name(event.seat), money(event.amount));
    case "shown": {
      const hand = event.cards.length === 2 && board.length >= 3 ? made([...event.cards, ...board]) : null;
      return log.shown(name(event.seat), cards(event.cards), hand ? texts.hand(hand) : "");
    }
    case "mucked":
      return log.mucked(name(event.seat));
    case "pot_won": {
      const pot = event.pot === 0 ? texts.table.mainPot : texts.table.sidePot(event.pot);
      const shares = event.shares.map(([seat, chips]) => `${name(seat)} ${money(chips)}`).join(", ");
      return log.won(pot, money(event.amount), shares, event.rake ? money(event.rake) : "");
    }
    case "hand_voided":
      return log.voided;
    case "seated":
      return log.seated(event.player, money(event.chips));
    case "sat_out":
      return log.satOut(player(event.seat));
    case "sat_in":
      return log.satIn(player(event.seat));
    case "topped_up":
      return log.topped(player(event.seat), money(event.chips));
    case "going":
      return event.exit === "removed" ? log.removed(player(event.seat)) : log.going(player(event.seat));
    case "seat_emptied":
      return log.left(event.player);
    case "bank_opened":
      return log.bank(player(event.seat));
    case "frozen":
      return log.frozen;
    case "thawed":
      return log.thawed;
    case "closing":
      return log.closing;
    default:
      return null;
  }
}

/** As it lies after these events of a hand. */
export function boardOf(events: readonly TableEvent[]): readonly string[] {
  return events.flatMap((event) => (event.e === "board_dealt" ? event.cards : []));
}
