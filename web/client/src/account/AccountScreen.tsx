import { useEffect } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useObservable, useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { shown } from "../money/amount.js";
import { failureText } from "../texts/failure.js";
import { dayAndTime } from "../texts/moment.js";
import { ExcludeForm } from "./ExcludeForm.js";
import { MoneyLimit } from "./MoneyLimit.js";
import { ReminderForm } from "./ReminderForm.js";
import { type LimitsChange, useLimits } from "./useLimits.js";

export function AccountScreen() {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const account = useObservable(visit.account);
  const failure = useObservable(visit.accountFailure);
  const change = useLimits();
  useEffect(() => {
    void visit.look();
  }, [visit]);
  if (account === null) {
    return (
      <main className="page account-page" data-testid="account">
        <p className="page-note" role="status">
          {visit.guest
            ? texts.errors.not_allowed()
            : failure
              ? `${texts.account.failed} ${failureText(failure, texts, numerals, "")}`
              : texts.loading}
        </p>
      </main>
    );
  }
  const { limits, standing } = account;
  return (
    <main className="page account-page" data-testid="account">
      <h1>
        {texts.account.title} <bdi className="account-name">{account.player}</bdi>
      </h1>
      {standing !== "open" && <p className="account-standing">{texts.account.standing[standing ?? "none"]}</p>}
      <section className="panel" aria-labelledby="balances-title">
        <h2 id="balances-title">{texts.account.balances}</h2>
        {account.balances.length === 0 && <p>{texts.account.noBalance}</p>}
        <ul className="account-balances">
          {account.balances.map((one) => (
            <li key={one.currency} data-testid={`balance-${one.currency}`}>
              <span>{one.currency}</span> <b>{shown(one.balance, one.currency, numerals)}</b>
            </li>
          ))}
        </ul>
      </section>
      <section className="panel" aria-labelledby="seats-title">
        <h2 id="seats-title">{texts.account.seats}</h2>
        {account.seats.length === 0 && <p>{texts.account.noSeats}</p>}
        <ul className="account-seats">
          {account.seats.map((table) => (
            <li key={table}>
              <a href={hashOf({ page: "table", table })}>{table}</a>
            </li>
          ))}
        </ul>
      </section>
      <section className="panel" aria-labelledby="limits-title" data-testid="limits">
        <h2 id="limits-title">{texts.account.limits}</h2>
        <p className="panel-note">{texts.account.limitsNote}</p>
        {limits.currencies.map((one) => (
          <div key={one.currency} className="limit-pair">
            <MoneyLimit
              name="deposit_day"
              label={texts.account.deposit}
              currency={one.currency}
              limit={one.deposit_day}
              used={one.deposited}
              onChange={(value) =>
                change({ currency: one.currency as LimitsChange["currency"] & string, deposit_day: value })
              }
            />
            <MoneyLimit
              name="loss_day"
              label={texts.account.loss}
              currency={one.currency}
              limit={one.loss_day}
              used={one.lost}
              onChange={(value) =>
                change({ currency: one.currency as LimitsChange["currency"] & string, loss_day: value })
              }
            />
          </div>
        ))}
        <ReminderForm limit={limits.reminder_minutes} onChange={(minutes) => change({ reminder_minutes: minutes })} />
      </section>
      <section className="panel" aria-labelledby="exclude-title" data-testid="exclude">
        <h2 id="exclude-title">{texts.account.exclude}</h2>
        <p className="panel-note">{texts.account.excludeNote}</p>
        {limits.exclude_until !== null && (
          <p data-testid="excluded-until">{texts.account.excludedUntil(dayAndTime(limits.exclude_until))}</p>
        )}
        <ExcludeForm
          now={() => visit.room.clock.now()}
          after={limits.exclude_until}
          onExclude={(until) => change({ exclude_until: until })}
        />
      </section>
    </main>
  );
}
