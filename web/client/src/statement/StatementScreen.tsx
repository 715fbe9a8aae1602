import { type Failure, type Period, type Statement, statement } from "@cardroom/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { failureText } from "../texts/failure.js";
import { dayAndTime } from "../texts/moment.js";
import { download } from "../ui/download.js";
import { Field } from "../ui/Field.js";
import { csvOf } from "./csv.js";
import { dayIn, dayOf, daysBefore, ownZone } from "./days.js";
import { PursePanel } from "./PursePanel.js";

/** What is asked for as the page opens. */
const DAYS = 7;
const UTC = "UTC";

/** One's own statement: what was booked, and what hands left, for days that one chooses. */
export default function StatementScreen() {
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const { room, guest } = visit;
  const [zone] = useState(ownZone);
  /** The room has nothing of the device's zone. */
  const [isUnknown, setUnknown] = useState(false);
  const [period, setPeriod] = useState<Period>(() => {
    const to = dayOf(room.clock.now(), zone);
    return { zone, from: daysBefore(to, DAYS - 1), to };
  });
  const [found, setFound] = useState<Statement | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [answers, setAnswers] = useState<number | null>(0);
  useEffect(() => {
    if (guest) return;
    let gone = false;
    setFound(null);
    setFailure(null);
    setAnswers(0);
    const heed = { progress: (count: number) => setAnswers(count), stopped: () => gone };
    void statement(room, period, heed).then((answer) => {
      if (gone) return;
      if (!answer.ok && answer.error.code === "unknown_zone" && period.zone !== UTC) {
        setUnknown(true);
        setPeriod({ ...period, zone: UTC });
        return;
      }
      setAnswers(null);
      if (answer.ok) setFound(answer.value);
      else setFailure(answer.error);
    });
    return () => {
      gone = true;
    };
  }, [room, guest, period]);
  const save = () => {
    if (found === null) return;
    const name = ["statement", room.player, found.period.from, found.period.to].filter(Boolean).join("-");
    download(new Blob([csvOf(found)], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
  };
  const said = guest
    ? texts.statement.guest
    : failure
      ? `${texts.statement.failed} ${failureText(failure, texts, numerals, "")}`
      : answers !== null
        ? texts.statement.reading(answers)
        : found?.purses.length === 0
          ? texts.statement.none
          : found && texts.statement.asOf(dayAndTime(found.now));
  return (
    <main className="page statement-page" data-testid="statement">
      <h1>{texts.statement.title}</h1>
      {!guest && <PeriodForm zone={zone} isUnknown={isUnknown} period={period} onAsk={setPeriod} />}
      <div className="statement-head">
        <p role="status" data-testid="statement-note">
          {said}
        </p>
        {found && (
          <button type="button" className="button" onClick={save} data-testid="statement-csv">
            {texts.statement.csv}
          </button>
        )}
      </div>
      {found && found.unreadable.length > 0 && (
        <p className="statement-amiss">
          {texts.statement.unreadable(
            found.unreadable.map(({ table, hand }) => texts.replay.of(hand, table)).join("; "),
          )}
        </p>
      )}
      {found?.purses.map((purse) => (
        <PursePanel key={purse.currency} purse={purse} statement={found} />
      ))}
      {found && found.sat.length > 0 && <p className="form-note">{texts.statement.note}</p>}
    </main>
  );
}

interface FormProps {
  /** The device's. */
  readonly zone: string;
  readonly isUnknown: boolean;
  readonly period: Period;
  readonly onAsk: (period: Period) => void;
}

function PeriodForm({ zone, isUnknown, period, onAsk }: FormProps) {
  const { statement: texts } = useTexts();
  const [from, setFrom] = useState(period.from ?? "");
  const [to, setTo] = useState(period.to ?? "");
  const [wished, setWished] = useState(period.zone);
  const zones = isUnknown ? [UTC] : [...new Set([zone, UTC])];
  const chosen = zones.includes(wished) ? wished : UTC;
  const [first, last] = [dayIn(from), dayIn(to)];
  const turned = first !== null && last !== null && last < first;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!turned) onAsk({ zone: chosen, from: first, to: last });
  };
  return (
    <form className="statement-form" onSubmit={submit}>
      <Field
        label={texts.from}
        note={texts.fromNote}
        type="date"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        data-testid="statement-from"
      />
      <Field
        label={texts.to}
        note={texts.toNote}
        type="date"
        value={to}
        fault={turned ? texts.turned : null}
        onChange={(event) => setTo(event.target.value)}
        data-testid="statement-to"
      />
      <label className="select">
        <span>{texts.zone}</span>
        <select value={chosen} onChange={(event) => setWished(event.target.value)} data-testid="statement-zone">
          {zones.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="button button-strong" disabled={turned} data-testid="statement-show">
        {texts.show}
      </button>
      <p className="form-note" data-testid="statement-days">
        {texts.days(period.from ?? texts.beginning, period.to ?? texts.today, period.zone)}
        {isUnknown && ` ${texts.zoneUnknown(zone)}`}
      </p>
    </form>
  );
}
