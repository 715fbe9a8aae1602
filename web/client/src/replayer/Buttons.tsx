import { useTexts } from "../app/hooks.js";
import { type Playback, STREETS } from "./playback.js";
import { type Press, SPEEDS, type Speed, type Stand } from "./player.js";

interface Props {
  readonly stand: Stand;
  readonly playback: Playback;
  readonly press: (press: Press) => void;
}

const MARKS = {
  first: "M5 5h3v14H5zM19 5v14L9 12z",
  back: "M16 5v14L6 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  next: "M8 5v14l10-7z",
  last: "M16 5h3v14h-3zM5 5v14l10-7z",
} as const;

/** Step, play, jump. */
export function Buttons({ stand: { at, playing, speed }, playback: { beats, streets }, press }: Props) {
  const { replay, log } = useTexts();
  const count = beats.length;
  const street = beats[at]?.street;
  return (
    <section className="replay-buttons" aria-label={replay.controls} data-testid="replay-controls">
      <input
        type="range"
        className="replay-place"
        min={1}
        max={count}
        value={at + 1}
        aria-label={replay.place}
        aria-valuetext={replay.at(at + 1, count)}
        onChange={(event) => press({ press: "jump", at: Number(event.target.value) - 1 })}
        data-testid="replay-place"
      />
      <div className="replay-row">
        <Mark name="first" label={replay.first} onPress={() => press({ press: "first" })} />
        <Mark name="back" label={replay.stepBack} onPress={() => press({ press: "back" })} />
        <Mark
          name={playing ? "pause" : "play"}
          label={playing ? replay.pause : replay.play}
          onPress={() => press({ press: "play" })}
          testId="replay-play"
        />
        <Mark name="next" label={replay.step} onPress={() => press({ press: "next" })} />
        <Mark name="last" label={replay.last} onPress={() => press({ press: "last" })} />
        <fieldset className="replay-streets" aria-label={replay.streets}>
          {STREETS.map((one) => {
            const place = streets.get(one);
            return (
              <button
                key={one}
                type="button"
                className="button-small"
                disabled={place === undefined}
                aria-pressed={one === street}
                onClick={() => place !== undefined && press({ press: "jump", at: place })}
                data-testid={`replay-${one}`}
              >
                {log.streets[one]}
              </button>
            );
          })}
        </fieldset>
        <label className="select replay-speed">
          <span className="sr-only">{replay.speed}</span>
          <select
            value={speed}
            onChange={(event) => press({ press: "speed", speed: Number(event.target.value) as Speed })}
            data-testid="replay-speed"
          >
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {replay.times(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}

interface MarkProps {
  readonly name: keyof typeof MARKS;
  readonly label: string;
  readonly onPress: () => void;
  readonly testId?: string;
}

function Mark({ name, label, onPress, testId = `replay-${name}` }: MarkProps) {
  return (
    <button type="button" className="button replay-mark" aria-label={label} onClick={onPress} data-testid={testId}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d={MARKS[name]} fill="currentColor" />
      </svg>
    </button>
  );
}
