import { play } from "../sound/sounds.js";
import { type Language, TEXTS } from "../texts/index.js";
import { Choice } from "../ui/Choice.js";
import { Dialog } from "../ui/Dialog.js";
import { Switch } from "../ui/Switch.js";
import { usePreferences, useTexts } from "./hooks.js";
import { type Preferences, prefer } from "./preferences.js";

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { settings } = useTexts();
  const preferred = usePreferences();
  const languages = (Object.keys(TEXTS) as Language[]).map((one) => [one, TEXTS[one].language] as const);
  const themes = (["system", "dark", "light"] as const).map((one) => [one, settings.themes[one]] as const);
  const numerals = (["auto", ".", ","] as const).map((one) => [one, settings.numerals[one]] as const);
  return (
    <Dialog title={settings.title} onClose={onClose} testId="settings">
      <div className="form">
        <Choice<Preferences["language"]>
          label={settings.language}
          value={preferred.language}
          options={languages}
          onChange={(language) => prefer({ language })}
          testId="set-language"
        />
        <Choice<Preferences["theme"]>
          label={settings.theme}
          value={preferred.theme}
          options={themes}
          onChange={(theme) => prefer({ theme })}
          testId="set-theme"
        />
        <Choice<Preferences["numerals"]>
          label={settings.numbers}
          value={preferred.numerals}
          options={numerals}
          onChange={(one) => prefer({ numerals: one })}
          testId="set-numerals"
        />
        <Switch
          label={settings.deck}
          checked={preferred.fourColours}
          onChange={(fourColours) => prefer({ fourColours })}
          testId="set-deck"
        />
        <Switch
          label={settings.keys}
          checked={preferred.keys}
          onChange={(keys) => prefer({ keys })}
          testId="set-keys"
        />
        <Switch
          label={settings.sound}
          checked={preferred.sound}
          onChange={(sound) => prefer({ sound })}
          testId="set-sound"
        />
        <label className="volume">
          <span>{settings.volume}</span>
          <input
            type="range"
            className="slider"
            min={0}
            max={100}
            value={Math.round(preferred.volume * 100)}
            disabled={!preferred.sound}
            onChange={(event) => prefer({ volume: Number(event.target.value) / 100 })}
            onPointerUp={() => play("chips")}
          />
        </label>
      </div>
    </Dialog>
  );
}
