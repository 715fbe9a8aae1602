/** Where the playback stands, and how it goes on. */
export interface Stand {
  readonly at: number;
  readonly playing: boolean;
  readonly speed: Speed;
}

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** A beat at speed 1. */
const BEAT_MS = 1_200;

export type Press =
  | { readonly press: "play" | "next" | "back" | "first" | "last" | "tick" }
  | { readonly press: "jump"; readonly at: number }
  | { readonly press: "speed"; readonly speed: Speed };

export const START: Stand = { at: 0, playing: false, speed: 1 };

/** `length`: how many beats there are. Who steps or jumps stops the play; who plays at the end begins anew. */
export function pressed(stand: Stand, press: Press, length: number): Stand {
  const last = Math.max(0, length - 1);
  const to = (at: number): Stand => ({ ...stand, at: Math.min(Math.max(at, 0), last), playing: false });
  switch (press.press) {
    case "play":
      if (stand.playing) return { ...stand, playing: false };
      return { ...stand, at: stand.at >= last ? 0 : stand.at, playing: last > 0 };
    case "next":
      return to(stand.at + 1);
    case "back":
      return to(stand.at - 1);
    case "first":
      return to(0);
    case "last":
      return to(last);
    case "jump":
      return to(press.at);
    case "tick": {
      if (!stand.playing) return stand;
      const at = Math.min(stand.at + 1, last);
      return { ...stand, at, playing: at < last };
    }
    case "speed":
      return { ...stand, speed: press.speed };
  }
}

export function beatMs(speed: Speed): number {
  return BEAT_MS / speed;
}
