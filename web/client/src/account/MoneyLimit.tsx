import type { Frozen, LimitView } from "@cardroom/sdk";
import { type FormEvent, useState } from "react";
import { useMoney, useNumerals, useTexts } from "../app/hooks.js";
import { dayAndTime } from "../texts/moment.js";
import { MoneyBox } from "../ui/MoneyBox.js";
import { checked } from "../ui/money-field.js";

interface Props {
  readonly name: string;
  readonly label: string;
  readonly currency: string;
  readonly limit: Frozen<LimitView>;
  readonly used: number;
  readonly onChange: (value: number | null) => Promise<boolean>;
}

export function MoneyLimit({ name, label, currency, limit, used, onChange }: Props) {
  const texts = useTexts();
  const numerals = useNumerals();
  const money = useMoney(currency);
  const [text, setText] = useState("");
  const { amount, fault } = checked(text, { least: 0, most: null }, numerals, currency, texts, money);
  const value = (one: number | null) => (one === null ? texts.account.noLimit : money(one));
  const next = limit.next && texts.account.next(value(limit.next.value), dayAndTime(limit.next.at));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount === null) return;
    void onChange(amount).then((done) => done && setText(""));
  };
  return (
    <form className="limit" onSubmit={submit} data-testid={`limit-${name}-${currency}`}>
      <p className="limit-now">
        <b data-testid={`limit-value-${name}-${currency}`}>{value(limit.value)}</b> · {texts.account.used(money(used))}
        {next && <span className="limit-next"> · {next}</span>}
      </p>
      <MoneyBox
        label={texts.account.setFor(label, currency)}
        note=""
        fault={text === "" ? null : fault}
        text={text}
        onType={setText}
        shortcuts={[]}
        testId={`limit-amount-${name}-${currency}`}
      />
      <div className="limit-buttons">
        <button type="submit" className="button" disabled={amount === null}>
          {texts.account.set}
        </button>
        {(limit.value !== null || limit.next !== null) && (
          <button
            type="button"
            className="button"
            aria-label={texts.account.liftFor(label, currency)}
            onClick={() => void onChange(null)}
          >
            {texts.account.lift}
          </button>
        )}
      </div>
    </form>
  );
}
