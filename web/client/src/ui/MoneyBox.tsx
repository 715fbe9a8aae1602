import { useId } from "react";
import { useNumerals } from "../app/hooks.js";
import { plain } from "../money/amount.js";

interface Props {
  readonly label: string;
  readonly note: string;
  readonly fault: string | null;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly shortcuts: readonly (readonly [text: string, amount: number])[];
  readonly testId: string;
}

/** A box for an amount, with a few amounts that are a press away. */
export function MoneyBox({ label, note, fault, text, onType, shortcuts, testId }: Props) {
  const numerals = useNumerals();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-row">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          data-testid={testId}
          value={text}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-note`}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onType(event.target.value)}
        />
        {shortcuts.map(([name, amount]) => (
          <button key={name} type="button" className="button-small" onClick={() => onType(plain(amount, numerals))}>
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-note`} className="field-note" data-fault={fault ? "" : undefined}>
        {fault ?? note}
      </div>
    </div>
  );
}
