import { useEffect } from "react";
import { play } from "../sound/sounds.js";
import { useKeys } from "../table/keys.js";
import { CloseMark } from "../ui/Dialog.js";
import { useVisit } from "./context.js";
import { useObservable, useTexts } from "./hooks.js";
import { hashOf } from "./route.js";
import { useTurns } from "./useTurns.js";
import type { Opened } from "./visit.js";

/** The open tables, with those marked where it is one's turn. */
export function Tabs() {
  const visit = useVisit();
  const texts = useTexts();
  const tables = useObservable(visit.tables);
  const route = useObservable(visit.route);
  const turns = useTurns(tables, () => play("turn"));
  const here = route.page === "table" ? route.table : null;
  const waiting = turns.length;
  useEffect(() => {
    const title = here === null ? texts.name : `${here} · ${texts.name}`;
    document.title = waiting > 0 ? `● ${texts.act.title} · ${title}` : title;
  }, [here, waiting, texts]);
  useKeys({
    n: () => {
      const next = turns.find((one) => one !== here) ?? turns[0];
      if (next !== undefined) visit.go({ page: "table", table: next });
    },
  });
  return (
    <nav className="tabs" aria-label={texts.nav.tables} data-testid="tabs">
      <a
        className="tab"
        href={hashOf({ page: "lobby" })}
        aria-current={route.page === "lobby" ? "page" : undefined}
        data-testid="tab-lobby"
      >
        {texts.nav.lobby}
      </a>
      {tables.map((opened) => (
        <Tab
          key={opened.table.id}
          opened={opened}
          isHere={here === opened.table.id}
          isTurn={turns.includes(opened.table.id)}
        />
      ))}
    </nav>
  );
}

function Tab({ opened: { table }, isHere, isTurn }: { opened: Opened; isHere: boolean; isTurn: boolean }) {
  const visit = useVisit();
  const texts = useTexts();
  const view = useObservable(table);
  return (
    <span className="tab tab-table" data-turn={isTurn ? "" : undefined} data-current={isHere ? "" : undefined}>
      <a
        href={hashOf({ page: "table", table: table.id })}
        aria-current={isHere ? "page" : undefined}
        data-testid={`tab-${table.id}`}
      >
        <bdi>{table.id}</bdi>
        {isTurn && <span className="tab-turn">{texts.nav.yourTurn}</span>}
      </a>
      {view.own === null && (
        <button
          type="button"
          className="tab-close"
          aria-label={texts.nav.closeTab(table.id)}
          onClick={() => visit.close(table.id)}
          data-testid={`close-${table.id}`}
        >
          <CloseMark />
        </button>
      )}
    </span>
  );
}
