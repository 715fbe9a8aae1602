import { type KeyboardEvent, type Ref, useId } from "react";
import { useNumerals, useTexts } from "../app/hooks.js";
import type { Entry } from "../betting/entry.js";
import type { Shortcut } from "../betting/shortcuts.js";
import { amountAt, type Bounds, lastStop, moved, stopAt } from "../betting/stops.js";
import { faultText } from "../ui/money-field.js";

interface Props {
  readonly verb: "bet" | "raise";
  readonly bounds: Bounds;
  readonly entry: Entry;
  /** What the slider shows while the box holds no amount. */
  readonly shownAmount: number;
  readonly shortcuts: Readonly<Record<Shortcut, number | null>>;
  readonly money: (amount: number) => string;
  readonly boxRef: Ref<HTMLInputElement>;
  readonly onType: (text: string) => void;
  readonly onChoose: (amount: number) => void;
  readonly onEnter: () => void;
}

const LARGE_STEP = 5;

/** Bet box and slider (RULES 8.2, 8.3), with shortcuts. */
export function BetBox({
  verb,
  bounds,
  entry,
  shownAmount,
  shortcuts,
  money,
  boxRef,
  onType,
  onChoose,
  onEnter,
}: Props) {
  const texts = useTexts();
  const numerals = useNumerals();
  const id = useId();
  const fault = entry.fault;
  const hint = fault === "decimals" || fault === "group" ? faultText(fault, numerals, texts) : null;
  const step = (by: number) => onChoose(moved(bounds, shownAmount, by));
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = SLIDER_KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  return (
    <div className="betting" data-testid="betting">
      <div className="slider-row">
        <button
          type="button"
          className="button-step"
          aria-label={texts.act.less}
          onClick={() => step(-1)}
          data-testid="step-less"
        >
          −
        </button>
        <input
          type="range"
          className="slider"
          data-testid="bet-slider"
          aria-label={texts.act.slider}
          aria-valuetext={money(shownAmount)}
          min={0}
          max={lastStop(bounds)}
          step={1}
          value={stopAt(bounds, shownAmount)}
          onChange={(event) => onChoose(amountAt(bounds, Number(event.target.value)))}
          onKeyDown={onKey}
        />
        <button
          type="button"
          className="button-step"
          aria-label={texts.act.more}
          onClick={() => step(1)}
          data-testid="step-more"
        >
          +
        </button>
      </div>
      <div className="box-row">
        <label className="box" htmlFor={id}>
          <span>{verb === "bet" ? texts.act.betBox : texts.act.raiseBox}</span>
          <input
            id={id}
            ref={boxRef}
            data-testid="bet-box"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            value={entry.text}
            aria-invalid={fault !== null}
            aria-describedby={`${id}-hint`}
            onFocus={(event) => event.target.select()}
            onChange={(event) => onType(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.repeat) onEnter();
              else if (event.key === "Escape") event.currentTarget.blur();
              else if (event.key === "ArrowUp" || event.key === "ArrowDown") onKey(event);
              else return;
              event.preventDefault();
            }}
          />
        </label>
        <span className="shortcuts">
          <ShortcutButton
            text={texts.act.half}
            title={texts.act.halfLong}
            amount={shortcuts.half}
            money={money}
            onChoose={onChoose}
            testId="shortcut-half"
          />
          <ShortcutButton
            text={texts.act.pot}
            title={texts.act.pot}
            amount={shortcuts.pot}
            money={money}
            onChoose={onChoose}
            testId="shortcut-pot"
          />
          <ShortcutButton
            text={texts.act.max}
            title={texts.act.max}
            amount={shortcuts.all_in}
            money={money}
            onChoose={onChoose}
            testId="shortcut-all-in"
          />
        </span>
      </div>
      <p id={`${id}-hint`} className="box-hint" role="status" data-testid="bet-fault">
        {hint}
      </p>
    </div>
  );
}

const SLIDER_KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: LARGE_STEP,
  PageDown: -LARGE_STEP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface ShortcutProps {
  readonly text: string;
  readonly title: string;
  readonly amount: number | null;
  readonly money: (amount: number) => string;
  readonly onChoose: (amount: number) => void;
  readonly testId: string;
}

function ShortcutButton({ text, title, amount, money, onChoose, testId }: ShortcutProps) {
  return (
    <button
      type="button"
      className="button-small"
      data-testid={testId}
      disabled={amount === null}
      title={amount === null ? title : `${title}: ${money(amount)}`}
      onClick={() => amount !== null && onChoose(amount)}
    >
      {text}
    </button>
  );
}
