import type { Frozen, LimitView } from "@cardroom/sdk";
import { type FormEvent, useState } from "react";
import { useTexts } from "../app/hooks.js";
import { dayAndTime } from "../texts/moment.js";
import { Field } from "../ui/Field.js";

interface Props {
  readonly limit: Frozen<LimitView>;
  readonly onChange: (minutes: number | null) => Promise<boolean>;
}

const MOST = 1440;

export function ReminderForm({ limit, onChange }: Props) {
  const texts = useTexts();
  const [text, setText] = useState("");
  const minutes = /^[0-9]{1,4}$/.test(text.trim()) ? Number(text) : null;
  const good = minutes !== null && minutes >= 1 && minutes <= MOST;
  const value = (one: number | null) => (one === null ? texts.common.none : texts.common.minutes(one));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (good) void onChange(minutes).then((done) => done && setText(""));
  };
  return (
    <form className="limit" onSubmit={submit} data-testid="reminder-form">
      <p className="limit-now">
        {texts.account.reminder} <b data-testid="reminder-value">{value(limit.value)}</b>
        {limit.next && (
          <span className="limit-next">
            {" "}
            · {texts.account.next(value(limit.next.value), dayAndTime(limit.next.at))}
          </span>
        )}
      </p>
      <Field
        label={texts.account.reminderMinutes}
        inputMode="numeric"
        autoComplete="off"
        value={text}
        fault={text === "" || good ? null : texts.account.reminderBad}
        onChange={(event) => setText(event.target.value)}
        data-testid="reminder-minutes"
      />
      <div className="limit-buttons">
        <button type="submit" className="button" disabled={!good}>
          {texts.account.set}
        </button>
        {limit.value !== null && (
          <button type="button" className="button" onClick={() => void onChange(null)}>
            {texts.account.lift}
          </button>
        )}
      </div>
    </form>
  );
}
