import type { Answer, Do, SeatState, Turn } from "@cardroom/sdk";
import { useRef, useState } from "react";
import { useNumerals, useTexts } from "../app/hooks.js";
import { begun, chosen, type Entry, typed } from "../betting/entry.js";
import { shortcuts } from "../betting/shortcuts.js";
import { type Bounds, moved } from "../betting/stops.js";
import { BetBox } from "./BetBox.js";
import { useKeys } from "./keys.js";
import type { Guarded } from "./useGuard.js";

interface Props {
  readonly turn: Turn;
  readonly own: SeatState;
  readonly pot: number;
  readonly currency: string;
  readonly money: (amount: number) => string;
  readonly guard: Guarded;
  readonly onAct: (act: Do, to?: number) => Promise<Answer<undefined>>;
}

/** One's own turn: what the server allows, and for how much. It is mounted anew with each turn. */
export function TurnBar({ turn, own, pot, currency, money, guard, onAct }: Props) {
  const texts = useTexts();
  const numerals = useNumerals();
  const box = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(false);
  const bounds: Bounds | null =
    turn.min_to === null || turn.max_to === null ? null : { least: turn.min_to, most: turn.max_to, step: turn.step };
  const [entry, setEntry] = useState<Entry | null>(() => bounds && begun(bounds, numerals));
  const [shownAmount, setShownAmount] = useState(bounds?.least ?? 0);
  const open = guard.ready && !sent;
  const act = (what: Do, to?: number) => {
    if (sent) return;
    setSent(true);
    void onAct(what, to).then((answer) => {
      if (!answer.ok) setSent(false);
    });
  };
  const take = (next: Entry) => {
    setEntry(next);
    if (next.amount !== null) setShownAmount(next.amount);
  };
  const choose = (amount: number) => bounds && take(chosen(amount, bounds, numerals));
  const few = bounds && shortcuts(turn, pot, bounds);
  const raise = () => {
    if (entry?.amount != null) act(turn.verb, entry.amount);
  };
  const checkOrCall = () => act(turn.check ? "check" : "call");
  const pick = (amount: number | null | undefined) => amount != null && choose(amount);
  const sized = bounds !== null && bounds.most > bounds.least;
  useKeys({
    f: () => guard.strike(() => act("fold")),
    c: () => guard.strike(checkOrCall),
    k: () => turn.check && guard.strike(checkOrCall),
    r: () => guard.strike(raise),
    h: () => pick(few?.half),
    p: () => pick(few?.pot),
    a: () => pick(few?.all_in),
    b: () => box.current?.focus(),
    arrowup: () => bounds && choose(moved(bounds, shownAmount, 1)),
    arrowdown: () => bounds && choose(moved(bounds, shownAmount, -1)),
    digit: (digit) => {
      if (!sized || !bounds || !box.current) return;
      box.current.focus();
      take(typed(digit, bounds, numerals, currency));
    },
  });
  return (
    <section
      className="turn-bar"
      aria-label={texts.act.title}
      data-testid="action-bar"
      data-ready={open ? "" : undefined}
      data-turn={`${turn.hand}:${turn.number}`}
    >
      {sized && bounds && entry && few && (
        <BetBox
          verb={turn.verb}
          bounds={bounds}
          entry={entry}
          shownAmount={shownAmount}
          shortcuts={few}
          money={money}
          boxRef={box}
          onType={(text) => take(typed(text, bounds, numerals, currency))}
          onChoose={choose}
          onEnter={() => guard.strike(raise)}
        />
      )}
      <div className="act-buttons">
        <button
          type="button"
          className="act act-fold"
          data-testid="fold"
          aria-disabled={!open}
          aria-keyshortcuts="f"
          {...guard.bind(() => act("fold"))}
        >
          {texts.act.fold}
        </button>
        {turn.check ? (
          <button
            type="button"
            className="act act-call"
            data-testid="check"
            aria-disabled={!open}
            aria-keyshortcuts="c"
            {...guard.bind(checkOrCall)}
          >
            {texts.act.check}
          </button>
        ) : (
          turn.to_call > 0 && (
            <button
              type="button"
              className="act act-call"
              data-testid="call"
              aria-disabled={!open}
              aria-keyshortcuts="c"
              {...guard.bind(checkOrCall)}
            >
              {turn.to_call >= own.stack
                ? texts.act.callAllIn(money(turn.to_call))
                : texts.act.call(money(turn.to_call))}
            </button>
          )
        )}
        {bounds && entry && (
          <button
            type="button"
            className="act act-raise"
            data-testid="bet-button"
            data-verb={turn.verb}
            data-amount={entry.amount ?? undefined}
            data-fault={entry.fault ?? undefined}
            aria-disabled={!open || entry.amount === null}
            aria-keyshortcuts="r"
            {...guard.bind(raise)}
          >
            {entry.amount === null
              ? whyNot(entry, bounds, money, texts)
              : verbText(turn, entry.amount, own, money, texts)}
          </button>
        )}
      </div>
    </section>
  );
}

type Texts = ReturnType<typeof useTexts>;

function verbText(turn: Turn, amount: number, own: SeatState, money: (amount: number) => string, texts: Texts): string {
  if (amount >= own.stack + own.bet) return texts.act.allIn(money(amount));
  return turn.verb === "bet" ? texts.act.bet(money(amount)) : texts.act.raise(money(amount));
}

function whyNot({ fault }: Entry, bounds: Bounds, money: (amount: number) => string, texts: Texts): string {
  if (fault === "low") return texts.act.low(money(bounds.least));
  if (fault === "high" || fault === null) return texts.act.high(money(bounds.most));
  return texts.act.amount[fault];
}
