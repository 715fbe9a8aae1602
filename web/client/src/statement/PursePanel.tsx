import type { Booked, Purse, Statement, Sums } from "@cardroom/sdk";
import { type ReactNode, useState } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useObservable, useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { stakesText } from "../table/stakes.js";
import { Grid, type Head } from "./Grid.js";

/** Rows that are shown at once: a page of thousands would stand still. */
const ROWS = 200;

/** All of one currency: balances, results and transactions. */
export function PursePanel({ purse, statement }: { purse: Purse; statement: Statement }) {
  const { currency, opening, closing, chips, entries } = purse;
  const { statement: texts } = useTexts();
  const money = useMoney(currency);
  const sums: readonly (readonly [string, number])[] = [
    [texts.opening, opening],
    [texts.closing, closing],
    [texts.chips, chips],
    [texts.together, closing + chips],
  ];
  return (
    <section className="panel" aria-labelledby={`purse-${currency}`} data-testid={`statement-${currency}`}>
      <h2 id={`purse-${currency}`}>{currency}</h2>
      <dl className="statement-sums">
        {sums.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
      </dl>
      <Results currency={currency} statement={statement} money={money} />
      <Entries currency={currency} entries={entries} money={money} />
    </section>
  );
}

interface OfCurrency {
  readonly currency: string;
  readonly money: (amount: number) => string;
}

function Results({ currency, statement, money }: OfCurrency & { readonly statement: Statement }) {
  const { statement: texts } = useTexts();
  const stakeText = useStakeText(money);
  const sat = statement.sat.filter((one) => one.currency === currency);
  const stakes = statement.stakes.filter((one) => one.currency === currency);
  if (sat.length === 0) return <p>{texts.noHands}</p>;
  const numbers: readonly Head[] = [texts.hands, texts.bought, texts.paid, texts.result, texts.rake].map((name) => ({
    name,
    number: true,
  }));
  const cells = ({ hands, bought, paid, net, rake }: Sums): readonly ReactNode[] => [
    hands,
    money(bought),
    money(paid),
    <b key="net" className="statement-net" data-won={net > 0 ? "" : undefined}>
      {money(net)}
    </b>,
    money(rake),
  ];
  const all = total(sat);
  return (
    <>
      <Grid
        caption={texts.byDay}
        heads={[
          { name: texts.day },
          { name: texts.table },
          { name: texts.stake },
          ...numbers,
          { name: texts.atTable, number: true },
        ]}
        rows={sat.map((one) => ({
          key: `${one.day} ${one.table}`,
          cells: [
            one.day,
            <TableLink key="t" table={one.table} />,
            stakeText(one.stake),
            ...cells(one),
            money(one.chips),
          ],
        }))}
        foot={[texts.all, "", "", ...cells(all), ""]}
        testId={`by-day-${currency}`}
      />
      <Grid
        caption={texts.byStake}
        heads={[{ name: texts.stake }, ...numbers]}
        rows={stakes.map((one) => ({ key: one.stake, cells: [stakeText(one.stake), ...cells(one)] }))}
        foot={[texts.all, ...cells(all)]}
        testId={`by-stake-${currency}`}
      />
    </>
  );
}

function Entries({ currency, entries, money }: OfCurrency & { readonly entries: readonly Booked[] }) {
  const { statement: texts } = useTexts();
  const [most, setMost] = useState(ROWS);
  if (entries.length === 0) return <p>{texts.noEntries}</p>;
  const shown = entries.slice(0, most);
  const more = Math.min(ROWS, entries.length - shown.length);
  return (
    <>
      <Grid
        caption={texts.entries}
        heads={[
          { name: texts.number, number: true },
          { name: texts.day },
          { name: texts.time },
          { name: texts.kind },
          { name: texts.amount, number: true },
          { name: texts.balance, number: true },
          { name: texts.about },
        ]}
        rows={shown.map(({ day, entry }) => ({
          key: String(entry.number),
          cells: [
            entry.number,
            day,
            entry.time,
            texts.kinds[entry.kind],
            money(entry.amount),
            money(entry.balance),
            entry.table === null ? (
              <bdi key="r">{`${entry.reference ?? ""}${entry.why && ` (${entry.why})`}`}</bdi>
            ) : (
              <TableLink key="t" table={entry.table} />
            ),
          ],
        }))}
        testId={`entries-${currency}`}
      />
      {more > 0 && (
        <button type="button" className="button statement-more" onClick={() => setMost(most + ROWS)}>
          {texts.more(more)}
        </button>
      )}
    </>
  );
}

/** To his hands there. */
function TableLink({ table }: { table: string }) {
  return (
    <a href={hashOf({ page: "hands", table })}>
      <bdi>{table}</bdi>
    </a>
  );
}

/** A stake as the lobby calls it; of one that is not open, as the room names it. */
function useStakeText(money: (amount: number) => string): (stake: string) => string {
  const { room } = useVisit();
  const { lobby } = useTexts();
  const hall = useObservable(room.lobby);
  return (stake) => {
    const open = hall?.stakes.find(({ structure }) => structure === stake);
    return open ? `${lobby.short[open.game]} ${stakesText(open, money)}` : stake;
  };
}

function total(all: readonly Sums[]): Sums {
  const sum = (of: (one: Sums) => number) => all.reduce((so, one) => so + of(one), 0);
  return {
    hands: sum(({ hands }) => hands),
    bought: sum(({ bought }) => bought),
    paid: sum(({ paid }) => paid),
    net: sum(({ net }) => net),
    rake: sum(({ rake }) => rake),
  };
}
