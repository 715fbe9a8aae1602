import { useEffect, useState } from "react";
import { failureText } from "../texts/failure.js";
import { secondsUntil } from "../texts/moment.js";
import { useVisit } from "./context.js";
import { useNumerals, useObservable, useTexts, useTicks } from "./hooks.js";

/** A short break is mended before anybody has read of it. */
const SILENT_MS = 1_200;

/** What has become of the connection, where it is not open. */
export function ConnectionNote() {
  const { room, tables } = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const { state, retryAt, error } = useObservable(room.connection);
  const lost = state !== "open" && state !== "idle";
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!lost) return;
    const timer = setTimeout(() => setLong(true), SILENT_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  useTicks(500, retryAt !== null);
  if (!lost || (!long && state !== "closed")) return null;
  if (state === "closed" || state === "signed_out") {
    const outdated = error?.code === "upgrade_required";
    return (
      <div className="line-note" role="alert" data-testid="connection-note">
        <span>
          {outdated ? texts.line.upgrade : error ? failureText(error, texts, numerals, "") : texts.line.closed}
        </span>
        <button type="button" className="button-small" onClick={() => location.reload()}>
          {texts.line.reload}
        </button>
      </div>
    );
  }
  const seconds = retryAt === null ? 0 : secondsUntil(retryAt, room.clock.now());
  const seated = tables.get().some(({ table }) => table.get().own !== null);
  return (
    <div className="line-note" role="status" data-testid="connection-note">
      <span>
        {state === "connecting" ? texts.line.connecting : seconds > 1 ? texts.line.retry(seconds) : texts.line.resuming}
        {seated && ` ${texts.line.seatSafe}`}
      </span>
      {seconds > 1 && (
        <button type="button" className="button-small" onClick={() => room.wake()}>
          {texts.line.now}
        </button>
      )}
    </div>
  );
}

/** Always there, small. */
export function ConnectionDot() {
  const { room } = useVisit();
  const texts = useTexts();
  const { state } = useObservable(room.connection);
  const text =
    state === "open"
      ? texts.line.open
      : state === "resuming"
        ? texts.line.resuming
        : state === "connecting" || state === "idle"
          ? texts.line.connecting
          : texts.line.closed;
  return (
    <span className="line-dot" data-state={state} role="img" aria-label={text} title={text} data-testid="connection" />
  );
}
