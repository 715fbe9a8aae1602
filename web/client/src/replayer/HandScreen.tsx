import type { Failure } from "@cardroom/sdk";
import { useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { failureText } from "../texts/failure.js";
import { type Playback, playbackOf } from "./playback.js";
import { Replayer } from "./Replayer.js";

/** One hand that is over, by its link. */
export default function HandScreen({ table, hand }: { table: string; hand: number }) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const [found, setFound] = useState<Playback | Failure | null>(null);
  const { room } = visit;
  useEffect(() => {
    let gone = false;
    void room.hand(table, hand).then((answer) => {
      if (!gone) setFound(answer.ok ? playbackOf(answer.value) : answer.error);
    });
    return () => {
      gone = true;
    };
  }, [room, table, hand]);
  if (found !== null && "beats" in found) return <Replayer playback={found} />;
  return (
    <main className="page" data-testid="replay-refused">
      <p className="page-note" role="status">
        {found ? `${texts.replay.refused} ${failureText(found, texts, numerals, "")}` : texts.loading}
      </p>
      {found && !visit.guest && (
        <p className="page-note">
          <a href={hashOf({ page: "hands", table: null })}>{texts.replay.back}</a>
        </p>
      )}
    </main>
  );
}
