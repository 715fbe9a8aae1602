/** A hand that is over as something to play: all follows from its record. */
import {
  course,
  type Frozen,
  type PastHandView,
  type TableEvent,
  type TableSnapshot,
  type TableView,
} from "@cardroom/sdk";
import { cardNumber } from "../odds/rank.js";

export type PastHand = Frozen<PastHandView>;
export type Street = "preflop" | "flop" | "turn" | "river";
export const STREETS: readonly Street[] = ["preflop", "flop", "turn", "river"];

/** A place to stop at. */
export interface Beat {
  /** What led here, the last of it the newest; at the first beat the start with all posts. */
  readonly events: readonly TableEvent[];
  readonly table: TableSnapshot;
  /** Whose turn it is. */
  readonly acting: number | null;
  readonly street: Street;
}

export interface Playback {
  readonly hand: PastHand;
  readonly beats: readonly Beat[];
  /** Where each street that was played begins. */
  readonly streets: ReadonlyMap<Street, number>;
  /** By seat, who was dealt in, or sat by. */
  readonly names: readonly (string | null)[];
  /** By seat, both cards of those whose cards the viewer came to know. */
  readonly known: ReadonlyMap<number, readonly [string, string]>;
}

/** They change nothing that is seen, but whose turn it is. */
const QUIET: ReadonlySet<TableEvent["e"]> = new Set(["turn_began", "bank_opened", "bank_closed"]);
const OPENING: ReadonlySet<TableEvent["e"]> = new Set(["hand_started", "posted"]);

export function playbackOf(hand: PastHand): Playback {
  const places = course(hand);
  const beats: Beat[] = [];
  const streets = new Map<Street, number>([["preflop", 0]]);
  let events: TableEvent[] = [];
  let acting: number | null = null;
  let street: Street = "preflop";
  hand.steps.forEach(({ event }, at) => {
    if (!QUIET.has(event.e)) {
      events.push(event);
      acting = null;
    }
    if (event.e === "turn_began") acting = event.seat;
    if (event.e === "board_dealt") {
      street = event.street;
      streets.set(street, beats.length);
    }
    const next = hand.steps[at + 1]?.event;
    const goesOn =
      next !== undefined &&
      (QUIET.has(next.e) || next.e === "hand_ended" || (OPENING.has(event.e) && OPENING.has(next.e)));
    const table = places[at + 1];
    if (goesOn || table === undefined || events.length === 0) return;
    beats.push({ events, table, acting, street });
    events = [];
  });
  return { hand, beats, streets, names: hand.state.seats.map((seat) => seat?.player ?? null), known: knownCards(hand) };
}

function knownCards(hand: PastHand): ReadonlyMap<number, readonly [string, string]> {
  const shown = new Map<number, string[]>();
  for (const { event } of hand.steps) {
    if (event.e !== "shown") continue;
    const before = shown.get(event.seat) ?? [];
    shown.set(event.seat, [...before, ...event.cards.filter((card) => !before.includes(card))]);
  }
  if (hand.seat !== null && hand.hole !== undefined) shown.set(hand.seat, [...hand.hole]);
  const known = new Map<number, readonly [string, string]>();
  for (const [seat, [first, second]] of shown) {
    if (first !== undefined && second !== undefined) known.set(seat, [first, second]);
  }
  return known;
}

/** The table at a beat as the screen draws it. `open`: the known cards lie open from the start, not when they were shown. */
export function viewAt(playback: Playback, at: number, open: boolean): TableView {
  const { hand, known } = playback;
  const { table } = beatAt(playback, at);
  const shown = open ? [...known].map(([seat, cards]) => ({ seat, cards })) : (table.hand?.shown ?? []);
  return {
    table: hand.table,
    status: "live",
    refusal: null,
    seq: 0,
    state: { ...table, hand: table.hand && { ...table.hand, shown } },
    seat: hand.seat,
    own: null,
    hole: hand.hole ?? [],
    log: playback.beats.slice(0, at + 1).flatMap(({ events }) => events),
    names: playback.names,
    away: [],
    inBank: false,
    lateMs: 0,
    yourTurn: false,
    turn: null,
  };
}

export function beatAt({ beats }: Playback, at: number): Beat {
  const beat = beats[Math.min(Math.max(at, 0), beats.length - 1)];
  if (beat === undefined) throw new RangeError("a hand without a beginning");
  return beat;
}

/** Whose odds are asked for at a beat; null where there are none to be told. */
export interface Question {
  readonly seats: readonly number[];
  readonly hands: readonly (readonly [number, number])[];
  readonly board: readonly number[];
  /** Known cards of those who have folded. */
  readonly dead: readonly number[];
  /** How many more are in the hand, whose cards nobody knows. */
  readonly others: number;
}

export function questionAt(playback: Playback, at: number): Question | null {
  const { table } = beatAt(playback, at);
  if (table.hand === null || table.hand.over) return null;
  const live = table.seats.filter((seat) => seat !== null).filter((seat) => seat.in_hand && !seat.folded);
  const seats: number[] = [];
  const hands: (readonly [number, number])[] = [];
  const dead: number[] = [];
  for (const [seat, [first, second]] of playback.known) {
    const cards = [cardNumber(first), cardNumber(second)] as const;
    if (live.some((one) => one.seat === seat)) {
      seats.push(seat);
      hands.push(cards);
    } else dead.push(...cards);
  }
  if (seats.length < 2) return null;
  return { seats, hands, board: table.hand.board.map(cardNumber), dead, others: live.length - seats.length };
}
