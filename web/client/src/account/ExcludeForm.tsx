import { type FormEvent, useState } from "react";
import { useTexts } from "../app/hooks.js";
import { dayAndTime } from "../texts/moment.js";

interface Props {
  readonly now: () => number;
  /** It can only be prolonged beyond this. */
  readonly after: number | null;
  readonly onExclude: (until: number) => Promise<boolean>;
}

const DAY_MS = 86_400_000;
const DAYS = [1, 7, 30, 90, 180, 365, 1825] as const;

export function ExcludeForm({ now, after, onExclude }: Props) {
  const texts = useTexts();
  const [days, setDays] = useState<number>(1);
  const [sure, setSure] = useState(false);
  // A little less, so that five years are never more than five years to the room.
  const until = Math.floor(now() + days * DAY_MS - (days === 1825 ? DAY_MS : 0));
  const longer = after === null || until > after;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sure && longer) void onExclude(until).then(() => setSure(false));
  };
  return (
    <form className="limit" onSubmit={submit} data-testid="exclude-form">
      <label className="select">
        <span>{texts.account.excludeFor}</span>
        <select
          value={days}
          data-testid="exclude-days"
          onChange={(event) => {
            setDays(Number(event.target.value));
            setSure(false);
          }}
        >
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {texts.common.days(one)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={sure}
          onChange={(event) => setSure(event.target.checked)}
          data-testid="exclude-sure"
        />
        <span>{texts.account.excludeSure(dayAndTime(until))}</span>
      </label>
      <button type="submit" className="button button-danger" disabled={!sure || !longer} data-testid="exclude-submit">
        {texts.account.excludeSubmit}
      </button>
    </form>
  );
}
