import { pile } from "./pile.js";

/** A few chips, one on another. */
export function Chips({ amount }: { amount: number }) {
  return (
    <svg className="chips" viewBox="0 0 24 26" aria-hidden="true">
      {pile(amount).map((kind, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is what it is
        <g key={level} className={`chip chip-${kind % 6}`} transform={`translate(0 ${-level * 3.2})`}>
          <ellipse cx="12" cy="21" rx="10" ry="4.6" className="chip-side" />
          <ellipse cx="12" cy="19" rx="10" ry="4.6" className="chip-top" />
          <ellipse cx="12" cy="19" rx="6" ry="2.6" className="chip-ring" />
        </g>
      ))}
    </svg>
  );
}
