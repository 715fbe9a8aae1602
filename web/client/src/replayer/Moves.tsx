import { useEffect, useRef } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useTexts } from "../app/hooks.js";
import { cardName } from "../table/Card.js";
import { boardOf, line, type Speaker } from "../table/lines.js";
import { printed } from "../table/useSpeaker.js";
import type { Playback } from "./playback.js";

/** By beat, its events in words. */
function told({ beats, names }: Playback, speaker: Speaker): readonly (readonly string[])[] {
  let board: readonly string[] = [];
  return beats.map(({ events }) =>
    events.flatMap((event) => {
      const text = line({ event, names }, board, speaker);
      board = [...board, ...boardOf([event])];
      return text === null ? [] : [text];
    }),
  );
}

function useTold(playback: Playback, aloud: boolean): readonly (readonly string[])[] {
  const { room } = useVisit();
  const texts = useTexts();
  const money = useMoney(playback.hand.state.settings.currency);
  const card = aloud ? (one: string) => cardName(one, texts) : printed;
  return told(playback, { texts, money, card, you: room.player });
}

interface Props {
  readonly playback: Playback;
  readonly at: number;
  readonly onJump: (at: number) => void;
}

/** The whole hand in words; each step leads to its place. */
export function Moves({ playback, at, onJump }: Props) {
  const here = useRef<HTMLButtonElement>(null);
  const steps = useTold(playback, false);
  useEffect(() => {
    if (at >= 0) here.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <ol className="replay-moves" data-testid="replay-moves">
      {steps.map((lines, place) =>
        lines.length === 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
          <li key={place}>
            <button
              type="button"
              ref={place === at ? here : null}
              aria-current={place === at ? "step" : undefined}
              onClick={() => onJump(place)}
            >
              {lines.map((text) => (
                <span key={text}>{text}</span>
              ))}
            </button>
          </li>
        ),
      )}
    </ol>
  );
}

/** What happened at this step, for who hears it. */
export function Said({ playback, at }: Omit<Props, "onJump">) {
  const steps = useTold(playback, true);
  return (
    <p className="sr-only" role="status" aria-live="polite" data-testid="replay-said">
      {steps[at]?.join(". ")}
    </p>
  );
}
