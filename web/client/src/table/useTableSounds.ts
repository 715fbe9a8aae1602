import type { TableEvent, TableView } from "@cardroom/sdk";
import { useEffect } from "react";
import type { TablePort } from "../app/ports.js";
import { play, type Sound } from "../sound/sounds.js";

/** What is heard of an event; the turn is heard wherever one is. */
export function soundOf(event: TableEvent, view: Pick<TableView, "seat">): Sound | null {
  switch (event.e) {
    case "hand_started":
      return "card";
    case "board_dealt":
      return "card";
    case "acted":
      return event.do === "fold" ? "fold" : event.do === "check" ? "check" : "chips";
    case "pot_won":
      return event.shares.some(([seat]) => seat === view.seat) ? "win" : "chips";
    default:
      return null;
  }
}

export function useTableSounds(table: TablePort): void {
  useEffect(
    () =>
      table.onEvents((events, view) => {
        // After a pause all comes at once: then only the last is heard.
        const sounds = events.map((event) => soundOf(event, view)).filter((sound) => sound !== null);
        const last = sounds.at(-1);
        if (last) play(last);
      }),
    [table],
  );
}
