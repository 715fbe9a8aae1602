import { useEffect, useMemo, useState } from "react";
import { enumerated, type Tally } from "../odds/enumerate.js";
import { type Playback, type Question, questionAt } from "./playback.js";

/** Then the page gets its turn. */
const SLICE_MS = 12;

export interface Odds {
  readonly question: Question;
  /** Null while it is reckoned. */
  readonly tally: Tally | null;
}

/** The odds at a beat, reckoned in slices of time; null where there are none. What was reckoned is kept. */
export function useOdds(playback: Playback, at: number, on: boolean): Odds | null {
  const [found] = useState(() => new Map<string, Tally>());
  const [, drawAgain] = useState(0);
  const question = useMemo(() => (on ? questionAt(playback, at) : null), [playback, at, on]);
  const key = question && JSON.stringify(question);
  useEffect(() => {
    if (question === null || key === null || found.has(key)) return;
    const reckoning = enumerated(question.hands, question.board, question.dead);
    let timer = 0;
    const slice = () => {
      const until = performance.now() + SLICE_MS;
      do {
        const step = reckoning.next();
        if (!step.done) continue;
        found.set(key, step.value);
        drawAgain((number) => number + 1);
        return;
      } while (performance.now() < until);
      timer = window.setTimeout(slice);
    };
    timer = window.setTimeout(slice);
    return () => window.clearTimeout(timer);
  }, [question, key, found]);
  return question && key !== null ? { question, tally: found.get(key) ?? null } : null;
}
