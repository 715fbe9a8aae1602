import { type Hall, hasFreeSeat, type PlacesByStructure, type Stake } from "@cardroom/sdk";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { shown } from "../money/amount.js";
import { stakesText } from "../table/stakes.js";
import { useDo } from "../table/useDo.js";

interface Props {
  readonly stakes: readonly Stake[];
  readonly hall: Hall;
  readonly places: PlacesByStructure;
  readonly onQuick: (stake: Stake) => void;
}

export function StakeList({ stakes, hall, places, onQuick }: Props) {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const does = useDo("");
  const { room } = visit;
  return (
    <section className="stakes" aria-labelledby="stakes-title">
      <h2 id="stakes-title">{texts.lobby.stakes}</h2>
      <ul className="stake-list">
        {stakes.map((stake) => {
          const name = stakesText(stake, (amount) => shown(amount, stake.currency, numerals));
          const place = places.get(stake.structure);
          const free = hall.tables.some((row) => row.structure === stake.structure && hasFreeSeat(row));
          return (
            <li key={stake.structure} className="stake" data-testid={`stake-${stake.structure}`}>
              <h3>
                <span className="stake-game">{texts.lobby.short[stake.game]}</span> {name}
              </h3>
              <p>
                {texts.lobby.tables} {stake.tables} · {texts.lobby.taken} {stake.taken}/{stake.seats}
                {stake.waiting > 0 && ` · ${texts.lobby.line} ${stake.waiting}`}
              </p>
              {!visit.guest && (
                <div className="stake-buttons">
                  <button
                    type="button"
                    className="button button-strong"
                    disabled={!free}
                    aria-label={texts.lobby.quickAt(name)}
                    data-testid={`quick-${stake.structure}`}
                    onClick={() => onQuick(stake)}
                  >
                    {texts.lobby.quick}
                  </button>
                  {place ? (
                    <>
                      <span className="stake-place" role="status" data-testid={`place-${stake.structure}`}>
                        {place.place === null || place.length === null
                          ? texts.lobby.placeUnknown
                          : texts.lobby.place(place.place, place.length)}
                      </span>
                      <button
                        type="button"
                        className="button"
                        data-testid={`unwait-${stake.structure}`}
                        onClick={() => void does(room.unwait(stake.structure))}
                      >
                        {texts.lobby.unwait}
                      </button>
                    </>
                  ) : (
                    <button
                      type="button"
                      className="button"
                      aria-label={texts.lobby.waitAt(name)}
                      data-testid={`wait-${stake.structure}`}
                      onClick={() => void does(room.wait(stake.structure))}
                    >
                      {texts.lobby.wait}
                    </button>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
