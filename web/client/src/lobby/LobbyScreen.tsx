import { type Filter, filterStakes, filterTables, type Stake } from "@cardroom/sdk";
import { useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useObservable, useTexts, useTicks } from "../app/hooks.js";
import { shown } from "../money/amount.js";
import { BuyInDialog } from "../table/BuyInDialog.js";
import { gameText } from "../table/stakes.js";
import { Filters } from "./Filters.js";
import { StakeList } from "./StakeList.js";
import { TableList } from "./TableList.js";

/** What is older is said to be old. */
const STALE_MS = 6_000;
const PLACE_MS = 20_000;

export function LobbyScreen() {
  const visit = useVisit();
  const { room } = visit;
  const texts = useTexts();
  const numerals = useNumerals();
  const hall = useObservable(room.lobby);
  const places = useObservable(room.places);
  const account = useObservable(visit.account);
  const [filter, setFilter] = useState<Filter>({});
  const [quick, setQuick] = useState<Stake | null>(null);
  useTicks(1_000);
  useEffect(() => {
    // How the line moves on is told when it is asked for.
    const timer = setInterval(() => {
      if (room.places.get().size > 0) void visit.look();
    }, PLACE_MS);
    return () => clearInterval(timer);
  }, [room, visit]);
  if (hall === null) {
    return (
      <main className="page lobby-page" data-testid="lobby" aria-busy="true">
        <p className="page-note" role="status">
          {texts.lobby.waitingForIt}
        </p>
      </main>
    );
  }
  const stakes = filterStakes(hall, filter);
  const tables = filterTables(hall, filter);
  const seated = new Set(hall.tables.flatMap((row) => row.players.filter((player) => player !== null)));
  const age = room.clock.now() - hall.now;
  // The stake's own bounds: those of its tables are alike.
  const bounds = quick && hall.tables.find((row) => row.structure === quick.structure);
  return (
    <main className="page lobby-page" data-testid="lobby">
      <div className="lobby-head">
        <h1>{texts.lobby.title}</h1>
        <p className="lobby-summary">
          {texts.lobby.summary(hall.tables.length, seated.size)}
          {age > STALE_MS && <span role="status"> · {texts.lobby.stale(Math.floor(age / 1000))}</span>}
        </p>
        {account && (
          <ul className="balances" aria-label={texts.account.balances} data-testid="balances">
            {account.balances.map((one) => (
              <li key={one.currency}>{shown(one.balance, one.currency, numerals)}</li>
            ))}
          </ul>
        )}
      </div>
      <Filters hall={hall} filter={filter} onChange={setFilter} />
      <StakeList stakes={stakes} hall={hall} places={places} onQuick={setQuick} />
      <TableList tables={tables} />
      {quick && bounds && (
        <BuyInDialog
          what={gameText(quick, (amount) => shown(amount, quick.currency, numerals), texts)}
          currency={quick.currency}
          minimum={bounds.minimum}
          maximum={bounds.maximum}
          onBuy={async (wish) => {
            const answer = await room.quickSeat({ structure: quick.structure, ...wish });
            if (answer.ok) visit.go({ page: "table", table: answer.value.table.id });
            return answer;
          }}
          onClose={() => setQuick(null)}
        />
      )}
    </main>
  );
}
