import type { TableView } from "@cardroom/sdk";
import type { CSSProperties } from "react";
import { useTexts, useTicks } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import { secondsUntil } from "../texts/moment.js";
import { Card } from "./Card.js";
import { Chips } from "./Chips.js";
import { tableNow } from "./Clock.js";

interface Props {
  readonly room: Pick<RoomPort, "clock">;
  readonly view: TableView;
  readonly money: (amount: number) => string;
  /** Says nothing of what comes. */
  readonly quiet?: boolean;
  readonly style: CSSProperties;
}

/** The common cards, the pots, and what is going on where nobody is to act. */
export function Board({ room, view, money, quiet = false, style }: Props) {
  const texts = useTexts();
  const hand = view.state?.hand ?? null;
  const pots = hand?.pots ?? [];
  const settled = pots.some((pot) => pot.shares !== undefined);
  const total = settled ? pots.reduce((sum, pot) => sum + pot.amount, 0) : (hand?.pot ?? 0);
  return (
    <section className="board" style={style} aria-label={texts.table.board} data-testid="board">
      <div className="pot" data-testid="pot">
        {total > 0 && (
          <>
            <Chips amount={total} />
            <span>
              {texts.table.pot} <b>{money(total)}</b>
            </span>
          </>
        )}
      </div>
      <div className="board-cards" data-testid="board-cards">
        {(hand?.board ?? []).map((card) => (
          <Card key={card} card={card} />
        ))}
        {Array.from({ length: 5 - (hand?.board.length ?? 0) }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places without a card are alike
          <span key={at} className="card-place" aria-hidden="true" />
        ))}
        {(hand?.board.length ?? 0) === 0 && <span className="sr-only">{texts.table.boardEmpty}</span>}
      </div>
      {pots.length > 1 ? (
        <ul className="pots" data-testid="pots">
          {pots.map((pot, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pot is named by its number
            <li key={number} data-testid={`pot-${number}`}>
              <span>{number === 0 ? texts.table.mainPot : texts.table.sidePot(number)}</span> <b>{money(pot.amount)}</b>
            </li>
          ))}
        </ul>
      ) : quiet ? null : (
        <Going room={room} view={view} />
      )}
    </section>
  );
}

/** When the next hand begins, or why none does. */
function Going({ room, view }: Pick<Props, "room" | "view">) {
  const texts = useTexts();
  const { state, turn } = view;
  const next = state?.next_hand_at ?? null;
  useTicks(250, next !== null);
  const running = state?.hand && !state.hand.over;
  if (!state || turn) return <p className="going" />;
  const text = running
    ? texts.table.noBetting
    : next !== null
      ? texts.table.nextHand(secondsUntil(next, tableNow(room, view)))
      : state.frozen
        ? texts.lobby.frozen
        : texts.table.waitingForPlayers;
  return (
    <p className="going" data-testid="going">
      {text}
    </p>
  );
}
