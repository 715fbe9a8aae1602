import { useId } from "react";

interface Props<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
  readonly testId?: string;
}

/** One of a few, all of them seen. */
export function Choice<T extends string>({ label, value, options, onChange, testId }: Props<T>) {
  const name = useId();
  return (
    <fieldset className="choice" data-testid={testId}>
      <legend>{label}</legend>
      <div className="choice-row">
        {options.map(([one, text]) => (
          <label key={one} className="choice-one">
            <input type="radio" name={name} value={one} checked={one === value} onChange={() => onChange(one)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
