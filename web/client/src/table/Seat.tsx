import type { Do, SeatState, TableView } from "@cardroom/sdk";
import type { CSSProperties } from "react";
import { useTexts } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import type { Texts } from "../texts/index.js";
import { made } from "../words/made.js";
import { Card } from "./Card.js";
import { Chips } from "./Chips.js";
import { Clock } from "./Clock.js";
import type { Badge } from "./Stage.js";

interface Props {
  readonly room: Pick<RoomPort, "clock">;
  readonly view: TableView;
  readonly number: number;
  readonly deed: Do | undefined;
  readonly won: number;
  /** Whether it is its turn. */
  readonly acting?: boolean;
  readonly badge?: Badge | undefined;
  readonly betHere: boolean;
  readonly money: (amount: number) => string;
  readonly style: CSSProperties;
  /** Null where he may not sit down. */
  readonly onSit: (() => void) | null;
}

export function Seat({ room, view, number, deed, won, acting, badge, betHere, money, style, onSit }: Props) {
  const texts = useTexts();
  const seat = view.state?.seats[number] ?? null;
  const isButton = view.state?.button === number;
  if (seat === null) {
    return (
      <li
        className="seat seat-empty"
        style={style}
        data-testid={`seat-${number}`}
        data-seat={number}
        aria-label={texts.table.emptySeat(number + 1)}
      >
        {onSit ? (
          <button
            type="button"
            className="seat-sit"
            onClick={onSit}
            aria-label={texts.table.sitHere(number + 1)}
            data-testid={`sit-${number}`}
          >
            {texts.table.sit}
          </button>
        ) : (
          <span className="seat-free">{texts.table.free}</span>
        )}
        {isButton && <DealerButton />}
      </li>
    );
  }
  const isOwn = number === view.seat;
  const isTurn = acting ?? view.turn?.seat === number;
  const cards = cardsOf(view, seat);
  const state = stateText(view, seat, deed, won, money, texts);
  const words = wordsOf(view, seat, cards, texts);
  return (
    <li
      className="seat"
      style={style}
      data-testid={`seat-${number}`}
      data-seat={number}
      data-own={isOwn ? "" : undefined}
      data-turn={isTurn ? "" : undefined}
      data-folded={seat.folded || (!seat.in_hand && !isOwn) ? "" : undefined}
      data-won={won > 0 ? "" : undefined}
      aria-label={`${texts.table.seat(number + 1)}, ${seat.player}${isOwn ? ` (${texts.common.you})` : ""}`}
      aria-current={isTurn ? "true" : undefined}
    >
      <span className="seat-cards" data-testid={isOwn ? "own-cards" : undefined}>
        {cards.map((card, at) => (
          <Card key={card ?? `hidden-${at}`} card={card} dim={seat.folded} />
        ))}
      </span>
      <span className="plate">
        <bdi className="plate-name" data-testid={`name-${number}`}>
          {seat.player}
        </bdi>
        <span className="plate-stack" data-testid={`stack-${number}`}>
          <span className="sr-only">{texts.table.stack(money(seat.stack))}</span>
          <span aria-hidden="true">{money(seat.stack)}</span>
        </span>
        {state && (
          <span className="plate-state" data-testid={`state-${number}`} data-kind={state.kind}>
            {state.text}
          </span>
        )}
        {badge && (
          <span className="plate-badge" data-testid={`badge-${number}`}>
            <span className="sr-only">{badge.name}</span>
            <span aria-hidden="true">{badge.text}</span>
          </span>
        )}
        {words && !badge && (
          <span className="plate-words" data-testid={`words-${number}`}>
            {words}
          </span>
        )}
        {isTurn && view.turn && <Clock room={room} view={view} />}
        {isButton && <DealerButton />}
      </span>
      {betHere && seat.bet > 0 && <Bet amount={seat.bet} number={number} money={money} />}
    </li>
  );
}

export function Bet({
  amount,
  number,
  money,
  style,
}: {
  amount: number;
  number: number;
  money: (amount: number) => string;
  style?: CSSProperties;
}) {
  const texts = useTexts();
  return (
    <span className="bet" style={style} data-testid={`bet-${number}`}>
      <Chips amount={amount} />
      <span className="sr-only">{texts.table.bet(money(amount))}</span>
      <span aria-hidden="true">{money(amount)}</span>
    </span>
  );
}

function DealerButton() {
  const texts = useTexts();
  return (
    <span className="dealer" role="img" aria-label={texts.table.button} data-testid="dealer-button">
      D
    </span>
  );
}

/** What is seen of a seat's cards; null is a card that is hidden. */
export function cardsOf(view: TableView, seat: SeatState): readonly (string | null)[] {
  const hand = view.state?.hand ?? null;
  if (hand === null) return [];
  const shown = hand.shown.find((one) => one.seat === seat.seat)?.cards;
  const own = seat.seat === view.seat ? view.hole : [];
  if (own.length > 0) return own;
  if (shown) return shown.length === 1 && seat.in_hand ? [...shown, null] : shown;
  return seat.in_hand && !seat.folded && !hand.over ? [null, null] : [];
}

function wordsOf(view: TableView, seat: SeatState, cards: readonly (string | null)[], texts: Texts): string | null {
  const hand = view.state?.hand;
  if (!hand || seat.seat === view.seat || !hand.shown.some((one) => one.seat === seat.seat && one.cards.length === 2))
    return null;
  const known = [...cards, ...hand.board].filter((card) => card !== null);
  const found = known.length >= 5 ? made(known) : null;
  return found && texts.hand(found);
}

interface StateText {
  readonly kind: string;
  readonly text: string;
}

function stateText(
  view: TableView,
  seat: SeatState,
  deed: Do | undefined,
  won: number,
  money: (amount: number) => string,
  texts: Texts,
): StateText | null {
  const running = view.state?.hand && !view.state.hand.over;
  if (won > 0) return { kind: "won", text: texts.table.won(money(won)) };
  if (seat.exit !== null) return { kind: "note", text: texts.table.leaving };
  if (running && seat.all_in) return { kind: "all_in", text: texts.table.allIn };
  if (view.away.includes(seat.seat)) return { kind: "away", text: texts.table.away };
  if (running && seat.folded) return { kind: "note", text: texts.table.deeds.fold };
  if (running && seat.in_hand && deed !== undefined) return { kind: deed, text: texts.table.deeds[deed] };
  if (seat.status === "out") return { kind: "note", text: texts.table.out };
  if (seat.status === "waiting" && !(running && seat.in_hand)) return { kind: "note", text: texts.table.waiting };
  if (seat.status === "posting" && !(running && seat.in_hand)) return { kind: "note", text: texts.table.posting };
  if (seat.topup > 0) return { kind: "note", text: texts.table.topUp(money(seat.topup)) };
  return null;
}
