import type { Answer, SeatState, TableSnapshot } from "@cardroom/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useNumerals, useObservable, useTexts } from "../app/hooks.js";
import { plain } from "../money/amount.js";
import { failureText } from "../texts/failure.js";
import { Dialog } from "../ui/Dialog.js";
import { MoneyBox } from "../ui/MoneyBox.js";
import { checked } from "../ui/money-field.js";

interface Props {
  readonly state: TableSnapshot;
  readonly own: SeatState;
  readonly onBuy: (amount: number) => Promise<Answer<undefined>>;
  readonly onClose: () => void;
}

export function TopUpDialog({ state, own, onBuy, onClose }: Props) {
  const texts = useTexts();
  const { currency, maximum, minimum } = state.settings;
  const money = useMoney(currency);
  const has = own.stack + own.topup;
  const most = maximum === null ? null : Math.max(0, maximum - has);
  const first = own.stack === 0 ? Math.max(1, minimum - own.topup) : Math.max(1, Math.min(most ?? minimum, minimum));
  return (
    <AmountDialog
      title={texts.own.topUpTitle}
      currency={currency}
      first={first}
      least={1}
      most={most}
      note={most === null ? "" : texts.own.topUpTo(money(most))}
      shortcuts={most === null || most === 0 ? [] : [[texts.buyIn.most, most]]}
      submit={texts.own.topUpSubmit}
      onSubmit={onBuy}
      onClose={onClose}
      testId="top-up-dialog"
    />
  );
}

export function AutoTopUpDialog({ state, own, onBuy, onClose }: Props) {
  const texts = useTexts();
  const { currency, maximum, minimum } = state.settings;
  return (
    <AmountDialog
      title={texts.own.autoTopUp}
      currency={currency}
      first={own.refill || maximum || minimum}
      least={minimum}
      most={maximum}
      note={texts.own.autoTopUpNote}
      shortcuts={maximum === null ? [] : [[texts.buyIn.most, maximum]]}
      submit={texts.own.autoTopUpSubmit}
      off={own.refill ? texts.own.autoTopUpOff : null}
      onSubmit={onBuy}
      onClose={onClose}
      testId="auto-top-up-dialog"
    />
  );
}

interface AmountProps {
  readonly title: string;
  readonly currency: string;
  readonly first: number;
  readonly least: number;
  readonly most: number | null;
  readonly note: string;
  readonly shortcuts: readonly (readonly [string, number])[];
  readonly submit: (amount: string) => string;
  /** The button that sets it to 0, where there is one. */
  readonly off?: string | null;
  readonly onSubmit: (amount: number) => Promise<Answer<undefined>>;
  readonly onClose: () => void;
  readonly testId: string;
}

function AmountDialog({
  title,
  currency,
  first,
  least,
  most,
  note,
  shortcuts,
  submit,
  off = null,
  onSubmit,
  onClose,
  testId,
}: AmountProps) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const money = useMoney(currency);
  useObservable(visit.account);
  useEffect(() => {
    void visit.look();
  }, [visit]);
  const [text, setText] = useState(() => plain(first, numerals));
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { amount, fault } = checked(text, { least, most }, numerals, currency, texts, money);
  const balance = visit.balance(currency);
  const send = async (chips: number) => {
    if (busy) return;
    setBusy(true);
    const answer = await onSubmit(chips);
    setBusy(false);
    if (answer.ok) {
      void visit.look();
      onClose();
    } else setRefusal(failureText(answer.error, texts, numerals, currency));
  };
  return (
    <Dialog title={title} onClose={onClose} testId={testId}>
      <form
        className="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (amount !== null) void send(amount);
        }}
      >
        <MoneyBox
          label={texts.buyIn.amount}
          note={[note, balance === null ? "" : texts.buyIn.balance(money(balance))].filter(Boolean).join(". ")}
          fault={fault}
          text={text}
          onType={setText}
          shortcuts={shortcuts}
          testId={`${testId}-amount`}
        />
        <p className="form-fault" role="alert">
          {refusal}
        </p>
        <button
          type="submit"
          className="button button-strong button-wide"
          disabled={amount === null || busy}
          data-testid={`${testId}-submit`}
        >
          {amount === null ? texts.buyIn.cannot : submit(money(amount))}
        </button>
        {off !== null && (
          <button
            type="button"
            className="button button-wide"
            onClick={() => void send(0)}
            disabled={busy}
            data-testid={`${testId}-off`}
          >
            {off}
          </button>
        )}
      </form>
    </Dialog>
  );
}
