import type { TableEvent, TableView } from "@cardroom/sdk";
import { Fragment, useEffect, useRef } from "react";
import { useObservable } from "../app/hooks.js";
import type { Chronicle } from "./chronicle.js";
import { boardOf, line, type Speaker } from "./lines.js";
import { nameAt, useSpeaker } from "./useSpeaker.js";

interface Props {
  readonly view: TableView;
  readonly chronicle: Chronicle;
}

export function HandLog({ view, chronicle }: Props) {
  const { after, earlier } = useObservable(chronicle);
  const speaker = useSpeaker(view);
  const end = useRef<HTMLDivElement>(null);
  const events = [...view.log, ...after];
  const { length } = events;
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
        <Fragment key={hand.number}>
          <Lines
            events={hand.events}
            speaker={{
              ...speaker,
              board: boardOf(hand.events),
              name: (seat) =>
                hand.names[seat] === view.own?.player
                  ? speaker.name(view.seat ?? seat)
                  : nameAt(hand.names, seat, null, speaker.texts),
            }}
          />
        </Fragment>
      ))}
      <Lines events={events} speaker={speaker} />
      {earlier.length === 0 && events.length === 0 && <p className="log-line">{speaker.texts.table.logEmpty}</p>}
      <div ref={end} />
    </div>
  );
}

function Lines({ events, speaker }: { events: readonly TableEvent[]; speaker: Speaker }) {
  return events.map((event, at) => {
    const text = line(event, speaker);
    if (text === null) return null;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: an event has no other name than its place
      <p key={at} className="log-line" data-event={event.e}>
        {text}
      </p>
    );
  });
}
