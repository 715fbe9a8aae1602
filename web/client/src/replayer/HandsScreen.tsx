import type { Failure, Frozen, PastRow, PastView } from "@cardroom/sdk";
import { useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import { hashOf } from "../app/route.js";
import { shown } from "../money/amount.js";
import { CardWord } from "../table/Card.js";
import { gameText } from "../table/stakes.js";
import { failureText } from "../texts/failure.js";
import { dayAndTime } from "../texts/moment.js";
import { gather } from "./gather.js";

type Found = Frozen<PastView>;

/** One's own hands at a table, the newest first. */
export default function HandsScreen({ table }: { table: string | null }) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const [found, setFound] = useState<Found | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [looking, setLooking] = useState(true);
  const { room, guest } = visit;
  useEffect(() => {
    if (guest) return;
    let gone = false;
    void gather(room, table).then((answer) => {
      if (gone) return;
      setLooking(false);
      if (answer.ok) setFound(answer.value);
      else setFailure(answer.error);
    });
    return () => {
      gone = true;
    };
  }, [room, guest, table]);
  const older = async () => {
    if (found === null) return;
    setLooking(true);
    const answer = await gather(room, found.table, found);
    setLooking(false);
    if (answer.ok) setFound(answer.value);
    setFailure(answer.ok ? null : answer.error);
  };
  const said = guest
    ? texts.replay.guest
    : failure
      ? `${texts.replay.failed} ${failureText(failure, texts, numerals, "")}`
      : looking
        ? texts.replay.looking
        : found?.hands.length
          ? null
          : found?.table === null
            ? texts.replay.nowhere
            : texts.replay.none;
  return (
    <main className="page hands-page" data-testid="hands">
      <h1>{texts.replay.title}</h1>
      {found?.table && (
        <label className="select">
          <span>{texts.replay.table}</span>
          <select
            value={found.table}
            onChange={(event) => visit.go({ page: "hands", table: event.target.value })}
            data-testid="hands-table"
          >
            {[...new Set([...found.tables, found.table])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      <ul className="hands-list">
        {found?.hands.map((row) => (
          <Row key={row.number} row={row} table={found.table ?? ""} room={room} />
        ))}
      </ul>
      <p className="page-note" role="status" data-testid="hands-note">
        {said}
      </p>
      {found?.next && !looking && (
        <button type="button" className="button" onClick={() => void older()} data-testid="hands-older">
          {texts.replay.older}
        </button>
      )}
    </main>
  );
}

function Row({ row, table, room }: { row: Frozen<PastRow>; table: string; room: Pick<RoomPort, "clock"> }) {
  const texts = useTexts();
  const numerals = useNumerals();
  const money = (amount: number) => shown(amount, row.currency, numerals);
  const { net } = row;
  const result = row.voided
    ? texts.replay.void
    : net > 0
      ? texts.replay.won(money(net))
      : net < 0
        ? texts.replay.lost(money(-net))
        : texts.replay.even;
  return (
    <li>
      <a
        className="hands-row"
        href={hashOf({ page: "hand", table, hand: row.number })}
        data-testid={`hand-${row.number}`}
      >
        <b>{texts.replay.hand(row.number)}</b>
        <span className="hands-when">
          {dayAndTime(row.ended, room.clock.now())} · {gameText(row, money, texts)}
        </span>
        <span className="hands-cards">
          {row.hole.map((card) => (
            <CardWord key={card} card={card} />
          ))}
          {row.board.length > 0 && <span aria-hidden="true">·</span>}
          {row.board.map((card) => (
            <CardWord key={card} card={card} />
          ))}
        </span>
        <span className="hands-net" data-won={net > 0 ? "" : undefined}>
          {result}
        </span>
      </a>
    </li>
  );
}
