import { useEffect, useRef, useState } from "react";
import type { Opened } from "./visit.js";

/** The tables where it is one's turn; `alert` is called once for each turn that comes. */
export function useTurns(tables: readonly Opened[], alert: () => void): readonly string[] {
  const [turns, setTurns] = useState<readonly string[]>([]);
  const told = useRef(new Map<string, string>());
  const latest = useRef(alert);
  latest.current = alert;
  useEffect(() => {
    const look = () => {
      const now: string[] = [];
      for (const { table } of tables) {
        const view = table.get();
        if (!view.yourTurn) {
          told.current.delete(table.id);
          continue;
        }
        now.push(table.id);
        const turn = `${view.turn.hand}:${view.turn.number}`;
        if (told.current.get(table.id) !== turn) latest.current();
        told.current.set(table.id, turn);
      }
      setTurns((before) => (before.join(" ") === now.join(" ") ? before : now));
    };
    const ends = tables.map(({ table }) => table.subscribe(look));
    look();
    return () => {
      for (const end of ends) end();
    };
  }, [tables]);
  return turns;
}
