import type { PreDo, SeatState, Turn } from "@cardroom/sdk";
import { useTexts } from "../app/hooks.js";
import type { Guarded } from "./useGuard.js";

interface Props {
  readonly turn: Turn;
  readonly own: SeatState;
  readonly money: (amount: number) => string;
  readonly guard: Guarded;
  readonly onPrepare: (act: PreDo | "none") => void;
}

/** Before one's turn: what to do on it, if the price is still this one. */
export function PreBar({ turn, own, money, guard, onPrepare }: Props) {
  const texts = useTexts();
  const owed = Math.min(Math.max(0, turn.price - own.bet), own.stack);
  const options: readonly (readonly [PreDo, string])[] =
    owed > 0
      ? [
          ["fold", texts.pre.fold],
          ["check_fold", texts.pre.check_fold],
          ["call", texts.pre.call(money(owed))],
        ]
      : [["check_fold", texts.pre.check_fold]];
  return (
    <section
      className="pre-bar"
      aria-label={texts.pre.title}
      data-testid="pre-bar"
      data-ready={guard.ready ? "" : undefined}
    >
      {options.map(([act, text]) => {
        const on = own.pre?.do === act;
        return (
          <button
            key={act}
            type="button"
            className="pre"
            aria-pressed={on}
            aria-disabled={!guard.ready}
            data-testid={`pre-${act}`}
            {...guard.bind(() => onPrepare(on ? "none" : act))}
          >
            <span className="pre-mark" aria-hidden="true" />
            {text}
          </button>
        );
      })}
    </section>
  );
}
