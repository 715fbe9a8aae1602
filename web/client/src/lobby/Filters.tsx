import type { Filter, Hall } from "@cardroom/sdk";
import { useNumerals, useTexts } from "../app/hooks.js";
import { shown } from "../money/amount.js";
import { gameText } from "../table/stakes.js";
import { Choice } from "../ui/Choice.js";
import { Switch } from "../ui/Switch.js";

interface Props {
  readonly hall: Hall;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function Filters({ hall, filter, onChange }: Props) {
  const texts = useTexts();
  const numerals = useNumerals();
  const currencies = [...new Set(hall.stakes.map((stake) => stake.currency))].sort();
  const change = (name: keyof Filter, value: string | boolean) => {
    const { [name]: _, ...rest } = filter;
    onChange(value === "" || value === false ? rest : { ...rest, [name]: value });
  };
  return (
    <section className="filters" aria-label={texts.lobby.filters} data-testid="filters">
      <Choice
        label={texts.lobby.game}
        value={filter.game ?? ""}
        options={[
          ["", texts.lobby.all],
          ["nl", texts.lobby.games.nl],
          ["fl", texts.lobby.games.fl],
        ]}
        onChange={(game) => change("game", game)}
        testId="filter-game"
      />
      <Choice
        label={texts.lobby.currency}
        value={filter.currency ?? ""}
        options={[["", texts.lobby.all], ...currencies.map((currency) => [currency, currency] as const)]}
        onChange={(currency) => change("currency", currency)}
        testId="filter-currency"
      />
      <label className="select">
        <span>{texts.lobby.stake}</span>
        <select
          value={filter.structure ?? ""}
          onChange={(event) => change("structure", event.target.value)}
          data-testid="filter-stake"
        >
          <option value="">{texts.lobby.all}</option>
          {hall.stakes.map((stake) => (
            <option key={stake.structure} value={stake.structure}>
              {gameText(stake, (amount) => shown(amount, stake.currency, numerals), texts)}
            </option>
          ))}
        </select>
      </label>
      <Switch
        label={texts.lobby.free}
        checked={filter.free ?? false}
        onChange={(free) => change("free", free)}
        testId="filter-free"
      />
    </section>
  );
}
