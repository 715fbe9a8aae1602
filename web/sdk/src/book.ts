/**
 * What a client knows of a table, as one value: the last snapshot, with the pushes since folded in. Nothing here changes a value that
 * was given away, and nothing sends: what has to be asked for is told.
 */
import { fold, type SeatState, type TableEvent, type TableSnapshot } from "./fold.js";
import type { Frozen } from "./frozen.js";
import type { EventsPush, OwnView, PresencePush, Snapshot } from "./messages.js";

/** Pushes that are kept while what came before them is missing. */
const HELD_MOST = 64;

export interface Book {
  /** Whose view it is; null is a guest's. */
  readonly player: string | null;
  /** -1 before the first snapshot. */
  readonly seq: number;
  readonly state: TableSnapshot | null;
  /** Pushes whose predecessor is missing. */
  readonly held: readonly Frozen<EventsPush>[];
  /** Something happened that events do not tell: only a whole snapshot does. */
  readonly stale: boolean;
  /** When what one is told alone was so. */
  readonly ownAt: number;
  readonly away: readonly number[];
  readonly awayAt: number;
  /** Of the hand that is shown: by seat, who was seen there last while it ran. */
  readonly names: { readonly hand: number; readonly players: readonly (string | null)[] };
}

export type Outcome = "applied" | "dropped" | "gap";

/** A book after something came, and the events that this made known, oldest first. */
export interface Turned {
  readonly book: Book;
  readonly outcome: Outcome;
  readonly events: readonly TableEvent[];
}

export function emptyBook(player: string | null): Book {
  const names = { hand: 0, players: [] };
  return { player, seq: -1, state: null, held: [], stale: false, ownAt: -1, away: [], awayAt: -1, names };
}

/** The seat of the book's own player: it shows more than another's. Null also where a spectator is shown it. */
export function ownSeat(book: Book): SeatState | null {
  const seat = book.state?.seats.find((one) => one !== null && one.player === book.player);
  return seat && seat.plan !== undefined ? seat : null;
}

/** Whether its own player is shown in a seat, as its own or not. */
export function sits(book: Book): boolean {
  return book.player !== null && !!book.state?.seats.some((one) => one?.player === book.player);
}

/**
 * Takes over a snapshot, unless more is known already. What a spectator is sent, unasked, holds no cards of a seat: a seat does not
 * take it.
 */
export function loaded(book: Book, snapshot: Frozen<Snapshot>, asked: boolean): Turned {
  const at = { away: snapshot.away, now: snapshot.now };
  if (snapshot.seq < book.seq || (!asked && ownSeat(book) !== null)) {
    return { book: present(book, at), outcome: "dropped", events: [] };
  }
  const log = publicLog(snapshot.state.log);
  const own = ownSeat(book);
  // It may have been overtaken by what this seat alone was told, which counts nothing.
  const overtaken = own !== null && snapshot.seq === book.seq && snapshot.now < book.ownAt;
  const state = { ...snapshot.state, log };
  const next: Book = {
    ...present(book, at),
    seq: snapshot.seq,
    state: overtaken ? withOwn(state, book.player, told(own)) : state,
    stale: false,
    ownAt: overtaken ? book.ownAt : snapshot.now,
  };
  // Whoever has no seat is sent whole snapshots, and nothing that would follow on what is held.
  const rest = replayed(remembering(ownSeat(next) === null ? { ...next, held: [] } : next));
  return { book: rest.book, outcome: "applied", events: [...news(book.state, next.state, log), ...rest.events] };
}

/** Folds a push in where it is the next one; keeps it where something before it is missing. */
export function pushed(book: Book, push: Frozen<EventsPush>): Turned {
  if (book.state !== null && push.before === book.seq) {
    const next = folded(book, book.state, push);
    const rest = replayed(next);
    return { book: rest.book, outcome: "applied", events: [...push.events, ...rest.events] };
  }
  const known = present(book, push);
  if (push.seq <= book.seq) return { book: known, outcome: "dropped", events: [] };
  const twice = book.held.some((one) => one.before === push.before && one.seq === push.seq && one.now === push.now);
  const held = twice || book.held.length >= HELD_MOST ? book.held : [...book.held, push];
  return { book: { ...known, held }, outcome: "gap", events: [] };
}

/** Who is away, where that is not older than what is known. */
export function present(book: Book, told: Pick<Frozen<PresencePush>, "away" | "now">): Book {
  if (told.now < book.awayAt) return book;
  const same = told.away.length === book.away.length && told.away.every((seat, at) => seat === book.away[at]);
  return { ...book, away: same ? book.away : told.away, awayAt: told.now };
}

/** Whether a push is kept whose predecessor is missing. */
export function isBehind(book: Book): boolean {
  return book.held.length > 0;
}

/** Whether the turn that runs has gone on in its seat's time bank. */
export function inBank(state: TableSnapshot | null): boolean {
  for (let place = (state?.log.length ?? 0) - 1; place >= 0; place -= 1) {
    const kind = state?.log[place]?.e;
    if (kind === "bank_opened") return true;
    if (kind === "turn_began" || kind === "bank_closed") return false;
  }
  return false;
}

/** Held pushes that are next, in their order: what concerns one seat alone before what goes on from there. */
function replayed(book: Book): { book: Book; events: readonly TableEvent[] } {
  let now = book;
  const events: TableEvent[] = [];
  while (now.state !== null) {
    const { seq } = now;
    const next = now.held.filter((one) => one.before === seq).sort((a, b) => a.seq - b.seq || a.now - b.now)[0];
    if (next === undefined) break;
    now = { ...folded(now, now.state, next), held: now.held.filter((one) => one !== next) };
    events.push(...next.events);
  }
  const { seq } = now;
  const held = now.held.filter((one) => one.seq > seq);
  return { book: held.length === now.held.length ? now : { ...now, held }, events };
}

function folded(book: Book, before: TableSnapshot, push: Frozen<EventsPush>): Book {
  let state = before;
  let { stale } = book;
  for (const event of push.events) {
    const next = fold(state, event);
    // What a void hand puts back (RULES 9) stands in no event.
    stale ||= next === null || event.e === "hand_voided";
    state = next ?? state;
    if (event.e === "seat_emptied" && event.player === book.player) state = withoutHole(state);
    state = { ...state, log: logged(state.log, event) };
  }
  state = { ...state, turn: push.turn };
  if (push.hole !== undefined) state = { ...state, hole: push.hole };
  if (state.hand !== null) state = { ...state, hand: { ...state.hand, pots: push.pots } };
  let { ownAt } = book;
  if (push.own !== undefined && push.now >= ownAt) {
    ownAt = push.now;
    state = withOwn(state, book.player, push.own);
  }
  return remembering({ ...present(book, push), seq: push.seq, state, stale, ownAt });
}

function withoutHole(state: TableSnapshot): TableSnapshot {
  const { hole: _, ...rest } = state;
  return rest;
}

/** What only its player is told of this seat. */
function told(seat: SeatState): Partial<Frozen<OwnView>> {
  const { plan, pre, refill, owes } = seat;
  return Object.fromEntries(Object.entries({ plan, pre, refill, owes }).filter(([, value]) => value !== undefined));
}

function withOwn(state: TableSnapshot, player: string | null, own: Partial<Frozen<OwnView>>): TableSnapshot {
  return { ...state, seats: state.seats.map((seat) => (seat?.player === player ? { ...seat, ...own } : seat)) };
}

const PRIVATE: ReadonlySet<TableEvent["e"]> = new Set(["planned", "refill_set", "prepared"]);

/**
 * The public events of a hand from its start to its end, and then only whose cards were shown or not. So it is the same, however one
 * came to know of it.
 */
function logged(log: readonly TableEvent[], event: TableEvent): readonly TableEvent[] {
  if (event.e === "hand_started") return [event];
  if (PRIVATE.has(event.e) || log[0]?.e !== "hand_started") return log;
  const over = log.some((one) => one.e === "hand_ended" || one.e === "hand_voided");
  return over && event.e !== "shown" && event.e !== "mucked" ? log : [...log, event];
}

export function publicLog(log: readonly TableEvent[]): readonly TableEvent[] {
  return log.reduce(logged, [] as readonly TableEvent[]);
}

/** The events that a snapshot adds to the hand that was known; none where it shows another, for they are history then. */
function news(
  before: TableSnapshot | null,
  after: TableSnapshot | null,
  log: readonly TableEvent[],
): readonly TableEvent[] {
  if (before === null || after === null) return [];
  const number = after.hand?.number;
  if (number !== undefined && number === before.hand?.number) return log.slice(before.log.length);
  return number === (before.hand?.number ?? before.hands) + 1 ? log : [];
}

function remembering(book: Book): Book {
  const { state, names } = book;
  const hand = state?.hand ?? null;
  if (state === null || hand === null) return book;
  const known = names.hand === hand.number ? names.players : [];
  const players = state.seats.map((seat, number) => (hand.over ? null : seat?.player) ?? known[number] ?? null);
  return { ...book, names: { hand: hand.number, players } };
}
