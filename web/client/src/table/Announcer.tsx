import type { TableEvent, TableView } from "@cardroom/sdk";
import { useEffect, useRef, useState } from "react";
import { useObservable } from "../app/hooks.js";
import type { RoomPort, TablePort } from "../app/ports.js";
import { secondsUntil } from "../texts/moment.js";
import { tableNow } from "./Clock.js";
import { boardOf, line } from "./lines.js";
import { useSpeaker } from "./useSpeaker.js";

/** Says what happens at the table to who hears it rather than sees it. */
export function Announcer({ room, table }: { room: Pick<RoomPort, "clock">; table: TablePort }) {
  const view = useObservable(table);
  const speaker = useSpeaker(view, true);
  const latest = useRef(speaker);
  latest.current = speaker;
  const [said, setSaid] = useState("");
  useEffect(() => {
    const tell = (events: readonly TableEvent[], { log, names }: TableView) => {
      const board = (event: TableEvent) => boardOf(log.includes(event) ? log.slice(0, log.indexOf(event)) : log);
      const lines = events
        .map((event) => line({ event, names }, board(event), latest.current))
        .filter((text) => text !== null);
      if (lines.length > 0) setSaid(lines.join(". "));
    };
    return table.onEvents(tell);
  }, [table]);
  const { texts, money } = speaker;
  const turn = view.yourTurn ? view.turn : null;
  const turnKey = turn && `${turn.hand}:${turn.number}`;
  const [urgent, setUrgent] = useState("");
  const heard = useRef<string | null>(null);
  useEffect(() => {
    if (heard.current === turnKey) return;
    heard.current = turnKey;
    if (turn === null) setUrgent("");
    else {
      const price = turn.check ? texts.act.check : texts.act.call(money(turn.to_call));
      setUrgent(`${texts.table.yourTurn(secondsUntil(turn.deadline, tableNow(room, view)))}. ${price}`);
    }
  });
  return (
    <>
      <div className="sr-only" aria-live="polite" data-testid="announcer">
        {said}
      </div>
      <div className="sr-only" aria-live="assertive" data-testid="turn-announcer">
        {urgent}
      </div>
    </>
  );
}
