import type { Row } from "@cardroom/sdk";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { shown } from "../money/amount.js";
import { stakesText } from "../table/stakes.js";

export function TableList({ tables }: { tables: readonly Row[] }) {
  const texts = useTexts();
  const { lobby } = texts;
  if (tables.length === 0) {
    return (
      <p className="page-note" role="status">
        {lobby.none}
      </p>
    );
  }
  return (
    <section className="tables" aria-labelledby="tables-title">
      <h2 id="tables-title">{lobby.tables}</h2>
      <table className="table-list" data-testid="table-list">
        <thead>
          <tr>
            <th scope="col">{lobby.table}</th>
            <th scope="col">{lobby.stake}</th>
            <th scope="col">{lobby.seats}</th>
            <th scope="col" className="number optional-2">
              {lobby.waiting}
            </th>
            <th scope="col" className="number optional-1">
              {lobby.averagePot}
            </th>
            <th scope="col" className="number optional-2">
              {lobby.flop}
            </th>
            <th scope="col" className="number optional-1">
              {lobby.hands}
            </th>
            <th scope="col" className="number optional-2">
              {lobby.pace}
            </th>
            <th scope="col" className="number optional-2">
              {lobby.watching}
            </th>
            <th scope="col" className="number optional-1">
              {lobby.buyIn}
            </th>
            <th scope="col">
              <span className="sr-only">{lobby.open}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tables.map((row) => (
            <TableRow key={row.table} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TableRow({ row }: { row: Row }) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const { lobby, common } = texts;
  const money = (amount: number) => shown(amount, row.currency, numerals);
  const isHere = visit.room.player !== null && row.players.includes(visit.room.player);
  const marks = [
    row.state === "closing" && lobby.closing,
    row.state === "frozen" && lobby.frozen,
    row.delay_s > 0 && lobby.delayed(row.delay_s),
    row.time_bank_ms > 0 && lobby.bank(row.time_bank_ms / 1000),
    isHere && lobby.seated,
  ].filter((mark) => typeof mark === "string");
  return (
    <tr data-testid={`row-${row.table}`} data-state={row.state}>
      <th scope="row">
        <a href={hashOf({ page: "table", table: row.table })}>
          <bdi>{row.table}</bdi>
        </a>
        {marks.length > 0 && <span className="row-marks">{marks.join(", ")}</span>}
      </th>
      <td>
        <span className="stake-game">{lobby.short[row.game]}</span> {stakesText(row, money)}
      </td>
      <td>
        <span className="row-taken">
          {row.taken}/{row.seats}
        </span>
        <SeatDots row={row} />
      </td>
      <td className="number optional-2">{row.waiting}</td>
      <td className="number optional-1">{row.average_pot === null ? common.unknown : money(row.average_pot)}</td>
      <td className="number optional-2">
        {row.flop_permille === null ? common.unknown : `${Math.round(row.flop_permille / 10)}%`}
      </td>
      <td className="number optional-1">{row.hands_hour ?? common.unknown}</td>
      <td className="number optional-2">
        {row.acting_ms === null ? common.unknown : common.seconds(Math.round(row.acting_ms / 100) / 10)}
      </td>
      <td className="number optional-2">{row.watching}</td>
      <td className="number optional-1">
        {row.maximum === null ? lobby.buyInFrom(money(row.minimum)) : `${money(row.minimum)}–${money(row.maximum)}`}
      </td>
      <td>
        <a
          className="button"
          href={hashOf({ page: "table", table: row.table })}
          aria-label={lobby.openTable(row.table)}
          data-testid={`open-${row.table}`}
        >
          {lobby.open}
        </a>
      </td>
    </tr>
  );
}

/** Who sits where, at a glance. */
function SeatDots({ row }: { row: Row }) {
  const texts = useTexts();
  return (
    <span className="dots">
      {row.players.map((player, seat) => {
        const text = player === null ? texts.lobby.seatFree(seat + 1) : texts.lobby.seatTaken(seat + 1, player);
        return (
          <span
            key={text}
            className="dot"
            data-taken={player === null ? undefined : ""}
            title={text}
            role="img"
            aria-label={text}
          />
        );
      })}
    </span>
  );
}
