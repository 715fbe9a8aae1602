import { Dialog } from "../ui/Dialog.js";
import { usePreferences, useTexts } from "./hooks.js";

type Name = keyof ReturnType<typeof useTexts>["keys"]["list"];

const KEYS: readonly (readonly [Name, string])[] = [
  ["fold", "F"],
  ["call", "C"],
  ["bet", "R"],
  ["box", "B"],
  ["more", "↑ ↓"],
  ["half", "H"],
  ["pot", "P"],
  ["allIn", "A"],
  ["next", "N"],
  ["log", "L"],
  ["help", "?"],
  ["escape", "Esc"],
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { keys } = useTexts();
  const on = usePreferences().keys;
  return (
    <Dialog title={keys.title} onClose={onClose} testId="keys">
      {!on && <p className="form-note">{keys.off}</p>}
      <dl className="keys">
        {KEYS.map(([name, key]) => (
          <div key={name}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{keys.list[name]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
