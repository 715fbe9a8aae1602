import type { TableView } from "@cardroom/sdk";
import { useEffect, useRef } from "react";
import { useObservable } from "../app/hooks.js";
import { type Chronicle, type Entry, together } from "./chronicle.js";
import { boardOf, line, type Speaker } from "./lines.js";
import { useSpeaker } from "./useSpeaker.js";

interface Props {
  readonly view: TableView;
  readonly chronicle: Chronicle;
}

export function HandLog({ view, chronicle }: Props) {
  const { beside, earlier } = useObservable(chronicle);
  const speaker = useSpeaker(view);
  const end = useRef<HTMLDivElement>(null);
  const now = together(view.log, view.names, beside);
  const { length } = now;
  useEffect(() => {
    const box = end.current?.parentElement;
    // Who has scrolled back to read is left there.
    if (box && length >= 0 && box.scrollHeight - box.scrollTop - box.clientHeight < 120)
      box.scrollTop = box.scrollHeight;
  }, [length]);
  useEffect(() => {
    const box = end.current?.parentElement;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  return (
    <div
      className="log"
      role="log"
      aria-live="off"
      aria-label={speaker.texts.table.log}
      data-testid="hand-log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
    >
      {[...earlier].reverse().map((hand) => (
        <Lines key={hand.number} entries={hand.entries} speaker={speaker} />
      ))}
      <Lines entries={now} speaker={speaker} />
      {earlier.length === 0 && length === 0 && <p className="log-line">{speaker.texts.table.logEmpty}</p>}
      <div ref={end} />
    </div>
  );
}

function Lines({ entries, speaker }: { entries: readonly Entry[]; speaker: Speaker }) {
  let board: readonly string[] = [];
  return entries.map((entry, at) => {
    const text = line(entry, board, speaker);
    board = [...board, ...boardOf([entry.event])];
    if (text === null) return null;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: an event has no other name than its place
      <p key={at} className="log-line" data-event={entry.event.e}>
        {text}
      </p>
    );
  });
}
