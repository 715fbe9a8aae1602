import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly note?: ReactNode;
  readonly fault?: string | null;
}

/** A labelled box with its note and what is wrong with what is in it. */
export function Field({ label, note, fault, ...input }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={`${id}-note`} aria-invalid={fault ? true : undefined} {...input} />
      <div id={`${id}-note`} className="field-note" data-fault={fault ? "" : undefined}>
        {fault || note}
      </div>
    </div>
  );
}
