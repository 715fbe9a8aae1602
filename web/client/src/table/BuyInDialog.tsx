import type { Answer } from "@cardroom/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useNumerals, useObservable, useTexts } from "../app/hooks.js";
import { plain } from "../money/amount.js";
import { failureText } from "../texts/failure.js";
import { Choice } from "../ui/Choice.js";
import { Dialog } from "../ui/Dialog.js";
import { MoneyBox } from "../ui/MoneyBox.js";
import { checked } from "../ui/money-field.js";

export interface BuyIn {
  readonly chips: number;
  readonly post: boolean;
}

interface Props {
  readonly what: string;
  readonly currency: string;
  readonly minimum: number;
  /** Null: there is none. */
  readonly maximum: number | null;
  readonly onBuy: (wish: BuyIn) => Promise<Answer<unknown>>;
  readonly onClose: () => void;
}

/** Of the least buy-in, for a start. */
const USUAL = 4;

export function BuyInDialog({ what, currency, minimum, maximum, onBuy, onClose }: Props) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const money = useMoney(currency);
  useObservable(visit.account);
  const balance = visit.balance(currency);
  const [text, setText] = useState(() =>
    plain(
      Math.max(minimum, Math.min(minimum * USUAL, maximum ?? Infinity, visit.balance(currency) ?? Infinity)),
      numerals,
    ),
  );
  const [post, setPost] = useState(true);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    void visit.look();
  }, [visit]);
  // Who left such a table may have to bring more than its maximum: the room says so.
  const { amount, fault } = checked(text, { least: 0, most: balance }, numerals, currency, texts, money);
  const bounds =
    maximum === null ? texts.buyIn.from(money(minimum)) : texts.buyIn.between(money(minimum), money(maximum));
  const outside =
    amount === null
      ? null
      : amount < minimum
        ? texts.buyIn.low(money(minimum))
        : maximum !== null && amount > maximum
          ? texts.buyIn.high(money(maximum))
          : null;
  const [exact, setExact] = useState<number | null>(null);
  const good = amount !== null && (outside === null || amount === exact);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!good || busy || amount === null) return;
    setBusy(true);
    const answer = await onBuy({ chips: amount, post });
    setBusy(false);
    if (answer.ok) {
      void visit.look();
      onClose();
      return;
    }
    setRefusal(failureText(answer.error, texts, numerals, currency));
    const { amount: fixed, minimum: least } = answer.error.facts;
    if (answer.error.code === "buy_in_fixed" && fixed !== undefined) setExact(fixed);
    else if (answer.error.code === "buy_in_too_small" && least !== undefined) setExact(least);
  };
  const most = Math.min(maximum ?? Infinity, balance ?? Infinity);
  const shortcuts: (readonly [string, number])[] = [[texts.buyIn.least, minimum]];
  if (Number.isFinite(most) && most > minimum) shortcuts.push([texts.buyIn.most, most]);
  if (exact !== null) shortcuts.push([money(exact), exact]);
  return (
    <Dialog title={texts.buyIn.title(what)} onClose={onClose} testId="buy-in">
      <form onSubmit={submit} className="form">
        <MoneyBox
          label={texts.buyIn.amount}
          note={balance === null ? bounds : `${bounds}. ${texts.buyIn.balance(money(balance))}`}
          fault={
            fault !== null && amount === null && balance !== null && fault === texts.buyIn.high(money(balance))
              ? texts.buyIn.poor
              : (fault ?? (good ? null : outside))
          }
          text={text}
          onType={(typed) => {
            setText(typed);
            setRefusal(null);
          }}
          shortcuts={shortcuts}
          testId="buy-in-amount"
        />
        <Choice
          label={texts.buyIn.when}
          value={post ? "post" : "wait"}
          options={[
            ["post", texts.buyIn.post],
            ["wait", texts.buyIn.waitForBlind],
          ]}
          onChange={(value) => setPost(value === "post")}
          testId="buy-in-post"
        />
        <p className="form-fault" role="alert" data-testid="buy-in-fault">
          {refusal}
        </p>
        <button
          type="submit"
          className="button button-strong button-wide"
          disabled={!good || busy}
          data-testid="buy-in-submit"
        >
          {busy ? texts.sign.working : amount === null ? texts.buyIn.cannot : texts.buyIn.submit(money(amount))}
        </button>
      </form>
    </Dialog>
  );
}
