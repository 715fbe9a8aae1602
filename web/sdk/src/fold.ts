/**
 * What each event does to the table as a snapshot shows it. It keeps books and knows no rule of poker: the turn, the pots and what
 * one is told of one's own seat come whole with each push.
 */
import type { Frozen } from "./frozen.js";
import type { EventView, HandView, SeatView, StateView } from "./messages.js";

export type TableSnapshot = Frozen<StateView>;
export type SeatState = Frozen<SeatView>;
export type HandState = Frozen<HandView>;
export type TableEvent = Frozen<EventView>;

/** Milliseconds that a time bank gets for each hand. */
const BANK_GROWS = 1_000;

/** Null where this is no event that is known: only a snapshot tells what it did. */
export function fold(state: TableSnapshot, event: TableEvent): TableSnapshot | null {
  switch (event.e) {
    case "opened":
      return { ...state, settings: event.settings };
    case "seated":
      return setSeat(state, event.seat, newcomer(state, event));
    case "topped_up":
      return withSeat(state, event.seat, (seat) => ({ topup: seat.topup + event.chips }));
    case "top_up_played":
      return withSeat(state, event.seat, (seat) => ({
        topup: seat.topup - event.chips,
        stack: seat.stack + event.chips,
      }));
    case "sat_out":
      return withSeat(state, event.seat, () => ({ status: "out" }));
    case "sat_in":
      return withSeat(state, event.seat, () => ({ status: event.status }));
    case "going":
      return withSeat(state, event.seat, () => ({ exit: event.exit }));
    case "seat_emptied":
      return setSeat(state, event.seat, null);
    case "hand_scheduled":
      return { ...state, next_hand_at: event.at };
    case "paused":
      return { ...state, next_hand_at: null };
    case "hand_started":
      return handStarted(state, event);
    case "posted":
      return putIn(state, event.seat, event.amount, (seat) =>
        event.post === "ante" || event.post === "dead" ? seat.bet : seat.bet + event.amount,
      );
    case "acted":
      return acted(state, event);
    case "bank_closed":
      return withSeat(state, event.seat, () => ({ bank: event.left }));
    case "board_dealt":
      return withHand(eachSeat(state, { bet: 0 }), (hand) => ({
        street: event.street,
        board: [...hand.board, ...event.cards],
      }));
    case "returned":
      return withHand(
        withSeat(state, event.seat, (seat) => ({
          stack: seat.stack + event.amount,
          all_in: false,
          bet: Math.max(0, seat.bet - event.amount),
        })),
        (hand) => ({ pot: hand.pot - event.amount }),
      );
    case "shown":
      return withHand(state, (hand) => ({ shown: alsoShown(hand.shown, event.seat, event.cards) }));
    case "pot_won":
      return event.shares.reduce(
        (table, [number, chips]) => withSeat(table, number, (seat) => ({ stack: seat.stack + chips })),
        state,
      );
    case "hand_ended":
      return handOver(state);
    case "hand_voided":
      return withHand(handOver(state), () => ({ voided: true }));
    case "closing":
    case "closed":
      return { ...state, closing: true, next_hand_at: null };
    case "frozen":
      return { ...state, frozen: true, next_hand_at: null };
    case "thawed":
      return { ...state, frozen: false };
    case "planned":
    case "refill_set":
    case "prepared":
    case "turn_began":
    case "bank_opened":
    case "mucked":
      return state;
    default:
      return unknown(event);
  }
}

/** All known events are handled above, or this does not compile. */
function unknown(event: never): null {
  void event;
  return null;
}

function setSeat(state: TableSnapshot, number: number, seat: SeatState | null): TableSnapshot {
  return { ...state, seats: state.seats.map((one, at) => (at === number ? seat : one)) };
}

function withSeat(
  state: TableSnapshot,
  number: number,
  change: (seat: SeatState) => Partial<SeatState>,
): TableSnapshot {
  const seat = state.seats[number];
  return seat ? setSeat(state, number, { ...seat, ...change(seat) }) : state;
}

function eachSeat(state: TableSnapshot, change: Partial<SeatState>): TableSnapshot {
  return { ...state, seats: state.seats.map((seat) => seat && { ...seat, ...change }) };
}

function withHand(state: TableSnapshot, change: (hand: HandState) => Partial<HandState>): TableSnapshot {
  return state.hand ? { ...state, hand: { ...state.hand, ...change(state.hand) } } : state;
}

type Of<Name extends TableEvent["e"]> = Extract<TableEvent, { e: Name }>;

function newcomer(state: TableSnapshot, event: Of<"seated">): SeatState {
  const most = state.settings.time_bank_ms;
  return {
    seat: event.seat,
    player: event.player,
    stack: event.chips,
    topup: 0,
    status: event.posting ? "posting" : "waiting",
    exit: null,
    bet: 0,
    in_hand: false,
    folded: false,
    all_in: false,
    ...(most ? { bank: most } : {}),
  };
}

function handStarted(state: TableSnapshot, event: Of<"hand_started">): TableSnapshot {
  const { hole: _, ...rest } = state;
  const most = state.settings.time_bank_ms;
  return {
    ...rest,
    button: event.button,
    hands: event.number,
    next_hand_at: null,
    hand: {
      number: event.number,
      button: event.button,
      small_blind: event.small_blind,
      big_blind: event.big_blind,
      street: "preflop",
      board: [],
      pot: 0,
      pots: [],
      shown: [],
      over: false,
      voided: false,
    },
    seats: state.seats.map((seat, number) => {
      if (seat === null) return null;
      const playing = event.dealt.includes(number);
      return {
        ...seat,
        ...(playing && seat.bank !== undefined ? { bank: Math.min(most, seat.bank + BANK_GROWS) } : {}),
        bet: 0,
        in_hand: playing,
        folded: false,
        all_in: false,
        status: playing && seat.status !== "out" ? "active" : seat.status,
      };
    }),
  };
}

function putIn(state: TableSnapshot, number: number, amount: number, bet: (seat: SeatState) => number): TableSnapshot {
  const paid = withSeat(state, number, (seat) => ({
    stack: seat.stack - amount,
    all_in: seat.stack === amount,
    bet: bet(seat),
  }));
  return withHand(paid, (hand) => ({ pot: hand.pot + amount }));
}

function acted(state: TableSnapshot, event: Of<"acted">): TableSnapshot {
  if (event.do === "fold") return withSeat(state, event.seat, () => ({ in_hand: false, folded: true }));
  return event.paid ? putIn(state, event.seat, event.paid, () => event.to) : state;
}

function alsoShown(shown: HandState["shown"], seat: number, cards: readonly string[]): HandState["shown"] {
  const before = shown.find((one) => one.seat === seat);
  if (before === undefined) return [...shown, { seat, cards }];
  const more = cards.filter((card) => !before.cards.includes(card));
  return shown.map((one) => (one === before ? { seat, cards: [...one.cards, ...more] } : one));
}

function handOver(state: TableSnapshot): TableSnapshot {
  return withHand(eachSeat(state, { bet: 0, all_in: false }), () => ({ over: true }));
}
