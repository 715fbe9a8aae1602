import type { TableView } from "@cardroom/sdk";
import { useEffect, useRef } from "react";
import { useTexts, useTicks } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import { play } from "../sound/sounds.js";
import { secondsUntil } from "../texts/moment.js";

/** Seconds at the end that are shown as few, and heard on one's own turn. */
const FEW = 5;

/** The table's time: the server's, less what a spectator sees it late by. */
export function tableNow(room: Pick<RoomPort, "clock">, view: Pick<TableView, "lateMs">): number {
  return room.clock.now() - view.lateMs;
}

interface Props {
  readonly room: Pick<RoomPort, "clock">;
  readonly view: TableView;
}

/** The running seconds of the turn, at its seat. */
export function Clock({ room, view }: Props) {
  const texts = useTexts();
  const { turn } = view;
  useTicks(100, turn !== null);
  const seconds = turn === null ? 0 : secondsUntil(turn.deadline, tableNow(room, view));
  const few = seconds <= FEW && !view.inBank;
  const heard = useRef("");
  useEffect(() => {
    const moment = `${turn?.hand} ${turn?.number} ${seconds}`;
    if (!view.yourTurn || !few || seconds === 0 || heard.current === moment) return;
    heard.current = moment;
    play("hurry");
  });
  if (turn === null) return null;
  const bank = view.state?.seats[turn.seat]?.bank ?? 0;
  const whole = view.inBank ? Math.max(bank, 1) : (view.state?.settings.clock_ms ?? 15_000);
  const left = Math.min(1, Math.max(0, (turn.deadline - tableNow(room, view)) / whole));
  return (
    <span
      className="clock"
      data-few={few ? "" : undefined}
      data-bank={view.inBank ? "" : undefined}
      data-testid="clock"
    >
      <span className="clock-bar" aria-hidden="true">
        <span className="clock-left" style={{ transform: `scaleX(${left})` }} />
      </span>
      <span className="clock-seconds" role="timer">
        {view.inBank ? `${texts.table.inBank} ${texts.common.seconds(seconds)}` : texts.common.seconds(seconds)}
      </span>
    </span>
  );
}
