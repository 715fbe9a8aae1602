import { useEffect, useMemo, useReducer, useState } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useNumerals, useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { useKeys } from "../table/keys.js";
import { Stage } from "../table/Stage.js";
import { gameText } from "../table/stakes.js";
import { dayAndTime } from "../texts/moment.js";
import { Switch } from "../ui/Switch.js";
import { Buttons } from "./Buttons.js";
import { DisputeNote } from "./DisputeNote.js";
import { Moves, Said } from "./Moves.js";
import { type Playback, STREETS, viewAt } from "./playback.js";
import { beatMs, type Press, pressed, START, type Stand } from "./player.js";
import { Share } from "./Share.js";
import { type Odds, useOdds } from "./useOdds.js";

/** A hand played again: the table, what moves it, and what was done in words. */
export function Replayer({ playback }: { playback: Playback }) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const { hand, beats, streets } = playback;
  const { settings } = hand.state;
  const money = useMoney(settings.currency);
  const [stand, press] = useReducer((now: Stand, by: Press) => pressed(now, by, beats.length), START);
  const [open, setOpen] = useState(true);
  const [showsOdds, setShowsOdds] = useState(true);
  const { at, playing, speed } = stand;
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => press({ press: "tick" }), beatMs(speed));
    return () => clearInterval(timer);
  }, [playing, speed]);
  const jump = (digit: string) => {
    const street = STREETS[Number(digit) - 1];
    const place = street && streets.get(street);
    if (place !== undefined) press({ press: "jump", at: place });
  };
  useKeys({
    arrowright: () => press({ press: "next" }),
    arrowleft: () => press({ press: "back" }),
    home: () => press({ press: "first" }),
    end: () => press({ press: "last" }),
    p: () => press({ press: "play" }),
    digit: jump,
  });
  const view = useMemo(() => viewAt(playback, at, open), [playback, at, open]);
  const odds = useOdds(playback, at, showsOdds);
  const badges = new Map(
    odds?.tally?.shares.map((share, place) => {
      const percent = tenth(share).replace(".", numerals.point);
      const seat = odds.question.seats[place] ?? 0;
      return [seat, { text: texts.replay.odds(percent), name: texts.replay.oddsName(percent) }];
    }),
  );
  return (
    <main className="page table-page replay-page" data-testid="replay" data-at={at} data-count={beats.length}>
      <header className="table-head">
        <h1 className="table-title">
          {texts.replay.of(hand.number, hand.table)}
          <span className="table-game">{gameText(settings, money, texts)}</span>
        </h1>
        <span className="table-hand">{dayAndTime(hand.ended, visit.room.clock.now())}</span>
        {!visit.guest && (
          <a className="replay-back" href={hashOf({ page: "hands", table: hand.table })} data-testid="replay-all">
            {texts.replay.back}
          </a>
        )}
      </header>
      <div className="replay-body">
        <Stage
          room={visit.room}
          view={view}
          money={money}
          onSit={null}
          again={{ acting: beats[at]?.acting ?? null, badges }}
        />
        <Buttons stand={stand} playback={playback} press={press} />
        <aside className="side replay-side" aria-label={texts.replay.steps}>
          <h2>{texts.replay.steps}</h2>
          <Moves playback={playback} at={at} onJump={(place) => press({ press: "jump", at: place })} />
          <div className="replay-wishes">
            <Switch label={texts.replay.open} checked={open} onChange={setOpen} testId="replay-open" />
            <Switch label={texts.replay.showOdds} checked={showsOdds} onChange={setShowsOdds} testId="replay-odds" />
            {showsOdds && <OddsNote odds={odds} />}
          </div>
          <DisputeNote hand={hand} />
          <Share playback={playback} at={at} money={money} />
        </aside>
      </div>
      <Said playback={playback} at={at} />
    </main>
  );
}

/** Percent with one decimal. */
function tenth(share: number): string {
  return (share * 100).toFixed(1);
}

function OddsNote({ odds }: { odds: Odds | null }) {
  const texts = useTexts();
  const said =
    odds === null
      ? texts.replay.noOdds
      : odds.tally === null
        ? texts.replay.reckoning
        : texts.replay.exact(odds.tally.boards.toLocaleString());
  return (
    <p className="form-note" data-testid="odds-note" data-boards={odds?.tally?.boards}>
      {said} {odds !== null && odds.question.others > 0 && texts.replay.others(odds.question.others)}
    </p>
  );
}
