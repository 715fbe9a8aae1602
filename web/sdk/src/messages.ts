// Made of events/messages.schema.json by `npm run types`. Not to be changed by hand.

/**
 * Of the client's making; the reply has the same. Sent again it is the same command, which is not done twice.
 */
export type Id = string;
/**
 * Milliseconds since 1970, UTC.
 */
export type Moment = number;
/**
 * A user name; text, never markup.
 */
export type Player = string;
/**
 * Of an account, by the operator.
 */
export type Standing = "open" | "suspended" | "closed";
/**
 * As ISO 4217 has it.
 */
export type Currency = string;
/**
 * Minor units (centavos, cents).
 */
export type Chips = number;
/**
 * A table's name.
 */
export type TableId = string;
/**
 * A stake: game, currency, and the blinds in minor units.
 */
export type Structure = string;
/**
 * A number of things, or their number.
 */
export type Count = number;
/**
 * A number of the room's, given back to it.
 */
export type Whole = number;
/**
 * What a turn may be used for.
 */
export type Do = "fold" | "check" | "call" | "bet" | "raise";
/**
 * Minor units (centavos, cents), at least 1.
 */
export type SomeChips = number;
/**
 * How far the table has come: it grows with all that everybody sees.
 */
export type Seq = number;
/**
 * Seats count from 0.
 */
export type Seat = number;
/**
 * His `own` wish, or done for him, and why.
 */
export type Cause = "own" | "expired" | "leaving" | "removed";
/**
 * Minor units, 0 included.
 */
export type Amount = number;
/**
 * A length of time.
 */
export type Milliseconds = number;
/**
 * A round of betting.
 */
export type Street = "preflop" | "flop" | "turn" | "river";
/**
 * Rank and suit: `As`, `Td`.
 */
export type Card = string;
/**
 * What a client sends. The whole message is at most 2048 bytes of JSON text.
 */
export type ClientMessage =
  | WatchMessage
  | UnwatchMessage
  | SyncMessage
  | SitMessage
  | QuickSeatMessage
  | WaitMessage
  | UnwaitMessage
  | TopUpMessage
  | AutoTopUpMessage
  | SitOutMessage
  | SitInMessage
  | LeaveMessage
  | ActMessage
  | PreActMessage
  | ShowMessage
  | DisputeMessage
  | LobbyMessage
  | AccountMessage
  | HandsMessage
  | HandMessage
  | LedgerMessage
  | ResultsMessage
  | LimitsMessage
  | PingMessage;
/**
 * At once (a running hand is finished first), rather than pay the next big blind, or not at all, which takes such a wish back.
 */
export type When = "now" | "big_blind" | "never";
/**
 * What may be chosen before one's turn; `check_fold` checks where that is free, and else folds.
 */
export type PreDo = "check_fold" | "call" | "fold";
/**
 * No-limit or fixed-limit hold'em.
 */
export type Game = "nl" | "fl";
/**
 * Hands of a table are counted from 1.
 */
export type HandNumber = number;
/**
 * A time zone by its IANA name, as Asia/Manila: days and times are of it.
 */
export type ZoneName = string;
/**
 * Of the room's making, given back to it.
 */
export type EntryId = string;
/**
 * Of the zone that was asked.
 */
export type Day = string;
/**
 * By how many seconds spectators see the table later.
 */
export type DelaySeconds = number;
/**
 * Why money moved: the first two brought it in and took it out.
 */
export type EntryKind = "deposit" | "withdrawal" | "buy_in" | "top_up" | "pay_out";
/**
 * Minor units, less than 0 too.
 */
export type SignedChips = number;
/**
 * Why it was not done. A code never changes its meaning; there may be more of them one day.
 */
export type ErrorCode =
  | "bad_message"
  | "too_large"
  | "too_deep"
  | "unknown_route"
  | "upgrade_required"
  | "unknown_table"
  | "unknown_hand"
  | "unknown_zone"
  | "archive_unavailable"
  | "unknown_stake"
  | "not_allowed"
  | "busy"
  | "slow_down"
  | "out_of_order"
  | "internal"
  | "insufficient_funds"
  | "suspended"
  | "loss_limit"
  | "excluded"
  | "id_used"
  | "all_full"
  | "seat_reserved"
  | "not_seated"
  | "already_seated"
  | "no_such_seat"
  | "seat_taken"
  | "table_closing"
  | "table_frozen"
  | "buy_in_too_small"
  | "buy_in_too_large"
  | "buy_in_fixed"
  | "leaving"
  | "no_chips"
  | "already_acted"
  | "too_many_changes"
  | "not_dealt_in"
  | "already_disputed"
  | "too_many_disputes"
  | "no_hand"
  | "stale_turn"
  | "not_your_turn"
  | "your_turn"
  | "nothing_to_prepare"
  | "price_changed"
  | "cannot_check"
  | "nothing_to_call"
  | "cannot_bet"
  | "cannot_raise"
  | "amount_too_small"
  | "amount_too_large"
  | "nothing_to_show";
/**
 * What happened at a table, named by `e`.
 */
export type EventView =
  | OpenedEvent
  | SeatedEvent
  | ToppedUpEvent
  | TopUpPlayedEvent
  | SatOutEvent
  | SatInEvent
  | PlannedEvent
  | GoingEvent
  | SeatEmptiedEvent
  | HandScheduledEvent
  | HandStartedEvent
  | PostedEvent
  | TurnBeganEvent
  | ActedEvent
  | BoardDealtEvent
  | ReturnedEvent
  | ShownEvent
  | MuckedEvent
  | PotWonEvent
  | HandEndedEvent
  | HandVoidedEvent
  | PausedEvent
  | ClosingEvent
  | ClosedEvent
  | FrozenEvent
  | RefillSetEvent
  | ThawedEvent
  | PreparedEvent
  | BankOpenedEvent
  | BankClosedEvent;
/**
 * How many seats a table has.
 */
export type SeatCount = number;
/**
 * What is done rather than pay the big blind.
 */
export type Plan = "sit_out" | "leave";
/**
 * Why a seat empties: he `left`, was `removed` by the clock, `sat_out` for too long, or the table `closed`.
 */
export type Exit = "left" | "removed" | "sat_out" | "closed";
/**
 * `live` is a late big blind, `dead` a missed small one, straight to the pot; `ante` and `dead` are no part of the bet.
 */
export type PostKind = "ante" | "small_blind" | "big_blind" | "live" | "dead";
/**
 * A seat, and what it gets of a pot.
 *
 * @minItems 2
 * @maxItems 2
 */
export type Share = [Seat, Chips];
/**
 * Which of the two it is that is open.
 */
export type Verb = "bet" | "raise";
/**
 * The recipient's own cards.
 */
export type Hole = Card[];
/**
 * `active` plays; `waiting` for the big blind; `posting` as soon as the seat's place allows it; `out` gets no cards.
 */
export type Status = "active" | "waiting" | "posting" | "out";
/**
 * `closing` takes no more players, `frozen` begins no hand for now.
 */
export type TableState = "open" | "closing" | "frozen";
/**
 * Done. Which of these it is follows from the route that was asked.
 */
export type OkReply =
  | WatchReply
  | UnwatchReply
  | SyncReply
  | SitReply
  | QuickSeatReply
  | WaitReply
  | UnwaitReply
  | TopUpReply
  | AutoTopUpReply
  | SitOutReply
  | SitInReply
  | LeaveReply
  | ActReply
  | PreActReply
  | ShowReply
  | DisputeReply
  | LobbyReply
  | AccountReply
  | HandsReply
  | HandReply
  | LedgerReply
  | ResultsReply
  | LimitsReply
  | PingReply;
/**
 * What the room sends of itself.
 */
export type Push = EventsPush | SnapshotPush | PresencePush | OfferPush | LobbyPush;
/**
 * The answer to the message with this id, on the connection it came from.
 */
export type Reply = OkReply | ErrorReply;
/**
 * What a client receives.
 */
export type ServerMessage = Reply | Push | GatewayNotice;

/**
 * One's own account: balances, limits, and where one sits or waits for a seat.
 */
export interface AccountMessage {
  id: Id;
  v: 1;
  route: "account";
}
/**
 * One's own account.
 */
export interface AccountReply {
  id: Id;
  type: "ok";
  now: Moment;
  account: AccountView;
}
/**
 * One's own account. `standing` is null for one who is no player of this room yet.
 */
export interface AccountView {
  player: Player;
  standing: Standing | null;
  balances: BalanceView[];
  /**
   * The tables where he sits; they may lag by a second.
   */
  seats: TableId[];
  /**
   * His places in line for a seat.
   */
  lines: WaitingView[];
  limits: LimitsView;
}
/**
 * What a wallet holds.
 */
export interface BalanceView {
  currency: Currency;
  balance: Chips;
}
/**
 * One's place in the line of `length`, from 1, and the table where a seat is on offer until then, null while none is.
 */
export interface WaitingView {
  structure: Structure;
  place: number;
  length: number;
  table: TableId | null;
  until: Moment | null;
}
/**
 * A player's own limits; the day ends at 00:00 UTC.
 */
export interface LimitsView {
  day_ends: Moment;
  reminder_minutes: LimitView;
  exclude_until: Moment | null;
  currencies: MoneyLimits[];
}
/**
 * A limit in force, null for none, and the change that is under way, if there is one.
 */
export interface LimitView {
  value: Count | null;
  next: NextLimit | null;
}
/**
 * What a limit will be from `at` on; null: none.
 */
export interface NextLimit {
  value: Count | null;
  at: Moment;
}
/**
 * Of a currency: the limits of a day, and how much of them is used. `lost` is what went to tables less what came back, 0 where more came back.
 */
export interface MoneyLimits {
  currency: Currency;
  deposit_day: LimitView;
  deposited: Chips;
  loss_day: LimitView;
  lost: Chips;
}
/**
 * Act on one's turn, which `hand` and `turn` name. `to` is the street's total, for bet and raise.
 */
export interface ActMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "act";
  hand: Whole;
  turn: Whole;
  do: Do;
  to?: SomeChips | null;
}
/**
 * The action stands.
 */
export interface ActReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * `to` is his bet on this street now, `paid` what it took from the stack.
 */
export interface ActedEvent {
  e: "acted";
  seat: Seat;
  do: Do;
  to: Chips;
  paid: Chips;
  cause: Cause;
}
/**
 * Before each hand chips are bought up to `to`, 0 for none (RULES 10.1).
 */
export interface AutoTopUpMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "autotopup";
  to: number;
}
/**
 * Set.
 */
export interface AutoTopUpReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Its turn ends; `left` is what is left in the bank.
 */
export interface BankClosedEvent {
  e: "bank_closed";
  seat: Seat;
  left: Milliseconds;
}
/**
 * The time is over, the turn goes on in the seat's time bank until then.
 */
export interface BankOpenedEvent {
  e: "bank_opened";
  seat: Seat;
  deadline: Moment;
}
/**
 * New cards; all bets of the street are in the pots.
 */
export interface BoardDealtEvent {
  e: "board_dealt";
  street: Street;
  cards: Card[];
}
/**
 * Subscribe to a table, from one's seat or as a spectator; the reply holds a snapshot.
 */
export interface WatchMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "watch";
}
/**
 * No more pushes from this table.
 */
export interface UnwatchMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "unwatch";
}
/**
 * `seq` is the last that the client has; the reply holds a snapshot where it is behind.
 */
export interface SyncMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "sync";
  seq: Whole;
}
/**
 * Take a free seat (counted from 0) with `chips` minor units (RULES 1.2 to 1.4, 2.5).
 */
export interface SitMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "sit";
  seat: number;
  chips: SomeChips;
  post?: boolean;
}
/**
 * A free seat at the best table of a stake: the fullest with one (RULES 1.2 to 1.4, 2.5).
 */
export interface QuickSeatMessage {
  id: Id;
  v: 1;
  route: "quickseat";
  structure: Structure;
  chips: SomeChips;
  post?: boolean;
}
/**
 * A place in the line for a seat at a stake; who has one keeps it.
 */
export interface WaitMessage {
  id: Id;
  v: 1;
  route: "wait";
  structure: Structure;
}
/**
 * Out of the line; a seat that is on offer goes to the next.
 */
export interface UnwaitMessage {
  id: Id;
  v: 1;
  route: "unwait";
  structure: Structure;
}
/**
 * More chips, up to the table's maximum; in a hand they wait until it is over.
 */
export interface TopUpMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "topup";
  chips: SomeChips;
}
/**
 * No more cards, from when on is said; `never` takes it back.
 */
export interface SitOutMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "sitout";
  when?: When & string;
}
/**
 * Come back; with `post` one posts what one owes, otherwise one waits for the big blind.
 */
export interface SitInMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "sitin";
  post?: boolean;
}
/**
 * Give the seat up and be paid, from when on is said; `never` takes it back.
 */
export interface LeaveMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "leave";
  when?: When & string;
}
/**
 * Choose before one's turn what to do on it, at the `price` (of `turn`) that the player sees; `none` takes it back (RULES 10.3).
 */
export interface PreActMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "preact";
  hand: Whole;
  price: Whole;
  do: PreDo | "none";
}
/**
 * Show one or both of one's cards, by index, after a hand that was won unseen.
 */
export interface ShowMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "show";
  cards: number[];
}
/**
 * Tell support that something was wrong with a hand that is over, in which one had cards.
 */
export interface DisputeMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "dispute";
  /**
   * Its number at this table.
   */
  hand: number;
  /**
   * What was wrong, in one line.
   */
  text: string;
}
/**
 * The stakes and the open tables: all, or those of a game, currency or structure, or those with a free seat. With `watch` all of it is told again and again from now on, without it no more.
 */
export interface LobbyMessage {
  id: Id;
  v: 1;
  route: "lobby";
  game?: Game | null;
  currency?: Currency | null;
  structure?: Structure | null;
  free?: boolean;
  watch?: boolean;
}
/**
 * One's own hands at a table, from `up_to` back, the newest first; without a table at the one where one played last.
 */
export interface HandsMessage {
  id: Id;
  v: 1;
  route: "hands";
  table?: TableId | null;
  up_to?: HandNumber | null;
}
/**
 * A hand that is over, as one may see it.
 */
export interface HandMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "hand";
  hand: HandNumber;
}
/**
 * One's own ledger: entries after that one, in no order of time.
 */
export interface LedgerMessage {
  id: Id;
  v: 1;
  route: "ledger";
  zone?: ZoneName;
  after?: EntryId | null;
}
/**
 * What one's own hands at a table left one, by day: of those that ended from `since`, or from number `hand` on where reading goes on, to `until`.
 */
export interface ResultsMessage {
  id: Id;
  v: 1;
  table: TableId;
  route: "results";
  zone?: ZoneName;
  since?: Whole;
  until?: Whole | null;
  hand?: HandNumber | null;
}
/**
 * One's own limits, changed where a field is given: null lifts one. A lower one holds at once, a higher one in 24 hours; an exclusion at once, and it can only be prolonged.
 */
export interface LimitsMessage {
  id: Id;
  v: 1;
  route: "limits";
  currency?: ("PHP" | "USD") | null;
  deposit_day?: Amount | null;
  loss_day?: Amount | null;
  reminder_minutes?: number | null;
  exclude_until?: Whole | null;
}
/**
 * Keeps the connection open; the reply tells the server's clock.
 */
export interface PingMessage {
  id: Id;
  v: 1;
  route: "ping";
}
/**
 * All seats are empty.
 */
export interface ClosedEvent {
  e: "closed";
}
/**
 * No more hands after this one.
 */
export interface ClosingEvent {
  e: "closing";
}
/**
 * Support will look at it.
 */
export interface DisputeReply {
  id: Id;
  type: "ok";
}
/**
 * What one wrote of a hand to support, and its word once it has looked at it.
 */
export interface DisputeView {
  text: string;
  at: Moment;
  /**
   * When support answered; null while it has not.
   */
  closed: Moment | null;
  /**
   * What it said; text, never markup.
   */
  word: string | null;
}
/**
 * A movement of a wallet.
 */
export interface EntryView {
  currency: Currency;
  /**
   * Of this wallet, without a gap.
   */
  number: number;
  at: Moment;
  /**
   * Of `at`. It counts on the latest day of this entry and those of the wallet before it.
   */
  day: Day;
  time: string;
  kind: EntryKind;
  amount: SignedChips;
  /**
   * The wallet's, after it.
   */
  balance: Chips;
  table: TableId | null;
  /**
   * Of a deposit or withdrawal; text, never markup.
   */
  reference: string | null;
  /**
   * Oneself, the `table`, or the `room`.
   */
  who: string;
  /**
   * Text, never markup.
   */
  why: string;
}
/**
 * Not done, and nothing has changed. `id` is null where the message had none that could be read. `message` is one sentence for people; `facts` are the numbers in it, by the code.
 */
export interface ErrorReply {
  id: Id | null;
  type: "error";
  code: ErrorCode;
  message: string;
  facts?: {
    [k: string]: number;
  };
}
/**
 * The table was opened.
 */
export interface OpenedEvent {
  e: "opened";
  settings: SettingsView;
}
/**
 * The stakes and settings of a table.
 */
export interface SettingsView {
  game: Game;
  currency: Currency;
  small_blind: Chips;
  big_blind: Chips;
  /**
   * In fixed-limit, before the turn; 0 in no-limit.
   */
  small_bet: Chips;
  /**
   * In fixed-limit, from the turn on; 0 in no-limit.
   */
  big_bet: Chips;
  ante: Chips;
  /**
   * Who pays it: each, or one for all.
   */
  ante_by: "each" | "big_blind";
  /**
   * The name of the rake's schedule.
   */
  rake: string;
  seats: SeatCount;
  /**
   * The least buy-in.
   */
  minimum: Chips;
  /**
   * The greatest buy-in; null where there is none.
   */
  maximum: Chips | null;
  /**
   * What a turn has.
   */
  clock_ms: Milliseconds;
  /**
   * Between two hands.
   */
  pause_ms: Milliseconds;
  /**
   * What a seat's time bank holds at most; 0 where there are none.
   */
  time_bank_ms: Milliseconds;
  delay_s: DelaySeconds;
}
/**
 * Somebody sat down; `owes_small`: he left here owing a small blind.
 */
export interface SeatedEvent {
  e: "seated";
  seat: Seat;
  player: Player;
  chips: Chips;
  posting: boolean;
  owes_small: boolean;
}
/**
 * Chips were paid for; they wait in `topup`.
 */
export interface ToppedUpEvent {
  e: "topped_up";
  seat: Seat;
  chips: Chips;
}
/**
 * Of the chips in `topup` so many came onto the stack.
 */
export interface TopUpPlayedEvent {
  e: "top_up_played";
  seat: Seat;
  chips: Chips;
}
/**
 * From now on no cards.
 */
export interface SatOutEvent {
  e: "sat_out";
  seat: Seat;
  at: Moment;
}
/**
 * Back, as this.
 */
export interface SatInEvent {
  e: "sat_in";
  seat: Seat;
  /**
   * As a `Status`.
   */
  status: "active" | "waiting" | "posting";
}
/**
 * What you will do at the big blind; null takes it back. Told to its owner alone.
 */
export interface PlannedEvent {
  e: "planned";
  seat: Seat;
  plan: Plan | null;
}
/**
 * The seat empties when the hand is over.
 */
export interface GoingEvent {
  e: "going";
  seat: Seat;
  exit: Exit;
}
/**
 * He is gone, with these chips.
 */
export interface SeatEmptiedEvent {
  e: "seat_emptied";
  seat: Seat;
  player: Player;
  chips: Chips;
  exit: Exit;
  at: Moment;
}
/**
 * The next hand begins then.
 */
export interface HandScheduledEvent {
  e: "hand_scheduled";
  at: Moment;
}
/**
 * The seats in `dealt` have cards, in the order of dealing. `fresh`: the button was drawn. `missed_small` and `missed_big` are seats that a blind passed.
 */
export interface HandStartedEvent {
  e: "hand_started";
  number: Count;
  at: Moment;
  button: Seat;
  small_blind: Seat | null;
  big_blind: Seat | null;
  dealt: Seat[];
  fresh: boolean;
  missed_small: Seat[];
  missed_big: Seat[];
}
/**
 * A blind, ante or late post.
 */
export interface PostedEvent {
  e: "posted";
  seat: Seat;
  post: PostKind;
  amount: Chips;
}
/**
 * Whose turn it is, and until when.
 */
export interface TurnBeganEvent {
  e: "turn_began";
  number: Count;
  seat: Seat;
  deadline: Moment;
}
/**
 * The part of a bet that nobody called.
 */
export interface ReturnedEvent {
  e: "returned";
  seat: Seat;
  amount: Chips;
}
/**
 * One card or two.
 */
export interface ShownEvent {
  e: "shown";
  seat: Seat;
  cards: Card[];
}
/**
 * A losing hand is not shown.
 */
export interface MuckedEvent {
  e: "mucked";
  seat: Seat;
}
/**
 * `pot` 0 is the main pot; `amount` is before `rake`.
 */
export interface PotWonEvent {
  e: "pot_won";
  pot: Count;
  amount: Chips;
  rake: Chips;
  contenders: Seat[];
  shares: Share[];
}
/**
 * All chips are with their stacks.
 */
export interface HandEndedEvent {
  e: "hand_ended";
  number: Count;
  at: Moment;
}
/**
 * All chips went back: ask for a snapshot.
 */
export interface HandVoidedEvent {
  e: "hand_voided";
  number: Count;
  at: Moment;
  reason: string;
}
/**
 * Too few players: no next hand for now.
 */
export interface PausedEvent {
  e: "paused";
}
/**
 * No hand begins for now, and nobody sits down.
 */
export interface FrozenEvent {
  e: "frozen";
}
/**
 * Before each hand chips are bought up to this; 0: no more. Told to its owner alone.
 */
export interface RefillSetEvent {
  e: "refill_set";
  seat: Seat;
  to: Chips;
}
/**
 * It goes on; who sits out may do so as long as if he had begun then.
 */
export interface ThawedEvent {
  e: "thawed";
  at: Moment;
}
/**
 * What you will do on your turn at this price; null takes it back. Told to its owner alone.
 */
export interface PreparedEvent {
  e: "prepared";
  seat: Seat;
  do: PreDo | null;
  price: Chips;
}
/**
 * To a seat: what took the table from seq `before` to `seq`. Where both are the same it concerns this seat alone, and does not count.
 */
export interface EventsPush {
  type: "events";
  table: TableId;
  seq: Seq;
  before: Seq;
  now: Moment;
  events: EventView[];
  turn: TurnView | null;
  pots: PotView[];
  away: Seat[];
  /**
   * Of the recipient's seat, while he has one.
   */
  own?: OwnView;
  /**
   * With the start of a hand.
   */
  hole?: Hole;
}
/**
 * Whose turn it is, with all that his controls need (RULES 8).
 */
export interface TurnView {
  hand: Count;
  /**
   * Of the turn in its hand: `turn` of the message that acts on it.
   */
  number: Count;
  seat: Seat;
  /**
   * When his time ends.
   */
  deadline: Moment;
  /**
   * The street's highest bet.
   */
  price: Chips;
  /**
   * What calling takes from the stack.
   */
  to_call: Chips;
  /**
   * What the bet is after that.
   */
  call_to: Chips;
  /**
   * Whether he may.
   */
  check: boolean;
  verb: Verb;
  /**
   * The least `to` of a bet or raise; null where none is open.
   */
  min_to: Chips | null;
  /**
   * The greatest; null where none is open.
   */
  max_to: Chips | null;
  /**
   * For a slider.
   */
  step: Chips;
}
/**
 * `rake` and `shares` once it is settled.
 */
export interface PotView {
  /**
   * Before rake.
   */
  amount: Chips;
  /**
   * Who may win it.
   */
  seats: Seat[];
  rake?: Chips;
  shares?: Share[];
}
/**
 * What only its player is told of a seat, whole each time.
 */
export interface OwnView {
  plan: Plan | null;
  pre: PreView | null;
  /**
   * Before each hand chips are bought up to this; 0: none.
   */
  refill: Chips;
  owes: Owes;
}
/**
 * What the seat will do on its turn, if the price is still this one.
 */
export interface PreView {
  do: PreDo;
  price: Chips;
}
/**
 * The blinds that a seat was passed by, or has yet to pay as a newcomer.
 */
export interface Owes {
  small: boolean;
  big: boolean;
}
/**
 * Not the room's: API Gateway's own answer to a message that it did not pass on, because there were too many of all clients together. There is no `type`. Wait, and send the same again.
 */
export interface GatewayNotice {
  message: string;
  connectionId?: string;
  requestId?: string;
}
/**
 * The hand, from its start to its end.
 */
export interface HandReply {
  id: Id;
  type: "ok";
  hand: PastHandView;
}
/**
 * A hand that is over, as the recipient may see it.
 */
export interface PastHandView {
  table: TableId;
  number: Count;
  started: Moment;
  ended: Moment;
  /**
   * The recipient's, where he was dealt in.
   */
  seat: Seat | null;
  /**
   * The table as the hand began.
   */
  state: StateView;
  steps: StepView[];
  /**
   * The recipient's, where he was dealt in.
   */
  hole?: Hole;
  /**
   * The recipient's own, where he disputes this hand.
   */
  dispute?: DisputeView;
}
/**
 * A table. `hole` are the recipient's own cards, where he was dealt in.
 */
export interface StateView {
  settings: SettingsView;
  button: Seat | null;
  /**
   * How many were begun.
   */
  hands: Count;
  next_hand_at: Moment | null;
  closing: boolean;
  frozen: boolean;
  /**
   * By seat; null where it is empty.
   */
  seats: (SeatView | null)[];
  hand: HandView | null;
  turn: TurnView | null;
  /**
   * Of the hand so far.
   */
  log: EventView[];
  hole?: Hole;
}
/**
 * `plan`, `pre`, `refill` and `owes` are on one's own seat alone, `bank` where the table has time banks. `stack` is what is left behind.
 */
export interface SeatView {
  seat: Seat;
  player: Player;
  stack: Chips;
  /**
   * Paid for, and not on the stack before the hand is over.
   */
  topup: Chips;
  status: Status;
  /**
   * Why the seat empties when the hand is over; null while it does not.
   */
  exit: Exit | null;
  /**
   * What was put in on this street.
   */
  bet: Chips;
  in_hand: boolean;
  folded: boolean;
  all_in: boolean;
  /**
   * What is left in the seat's time bank.
   */
  bank?: Milliseconds;
  plan?: Plan | null;
  pre?: PreView | null;
  refill?: Chips;
  owes?: Owes;
}
/**
 * The hand that runs, or the last one. The blinds are seats, which may be empty ones.
 */
export interface HandView {
  number: Count;
  button: Seat;
  small_blind: Seat | null;
  big_blind: Seat | null;
  street: Street;
  board: Card[];
  /**
   * All pots together, with the bets of this street.
   */
  pot: Chips;
  pots: PotView[];
  shown: ShownView[];
  over: boolean;
  voided: boolean;
}
/**
 * A hand, or one card of it, that everybody sees.
 */
export interface ShownView {
  seat: Seat;
  cards: Card[];
}
/**
 * What happened in a hand, one thing; `pots` where they are others after it.
 */
export interface StepView {
  event: EventView;
  pots?: PotView[];
}
/**
 * One's own hands at a table. Where there are few, or none, and `next` is a number, there may be more.
 */
export interface HandsReply {
  id: Id;
  type: "ok";
  hands: PastView;
}
/**
 * One's own hands at a table, the newest first.
 */
export interface PastView {
  /**
   * Where one has played, the last one first.
   */
  tables: TableId[];
  /**
   * Whose hands these are; null where one has played nowhere.
   */
  table: TableId | null;
  hands: PastRow[];
  /**
   * `up_to` of the message that goes on; null where nothing does.
   */
  next: number | null;
}
/**
 * A hand that one was dealt in.
 */
export interface PastRow {
  number: Count;
  ended: Moment;
  game: Game;
  currency: Currency;
  small_blind: Chips;
  big_blind: Chips;
  small_bet: Chips;
  big_bet: Chips;
  /**
   * One's own; empty where they are not known any more.
   */
  hole: Card[];
  board: Card[];
  /**
   * What it left one more, or less, in minor units.
   */
  net: number;
  voided: boolean;
}
/**
 * Done, planned, or to be done when the hand is over: the event `seat_emptied` says when.
 */
export interface LeaveReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Entries of one's ledger.
 */
export interface LedgerReply {
  id: Id;
  type: "ok";
  ledger: LedgerView;
}
/**
 * Entries of one's wallets, in no order of time. The wallets were read before the entries: all up to the numbers of the first answer's are there in the end, and come to its balances.
 */
export interface LedgerView {
  now: Moment;
  zone: ZoneName;
  wallets: WalletView[];
  entries: EntryView[];
  /**
   * `after` of the message that goes on; null where nothing does.
   */
  next: EntryId | null;
}
/**
 * A wallet, and how many entries made it: numbers 1 to that.
 */
export interface WalletView {
  currency: Currency;
  balance: Chips;
  entries: Count;
}
/**
 * The limits, after what was asked for.
 */
export interface LimitsReply {
  id: Id;
  type: "ok";
  now: Moment;
  limits: LimitsView;
}
/**
 * To those who watch the lobby; the newest wins.
 */
export interface LobbyPush {
  now: Moment;
  part: number;
  parts: number;
  stakes: StakeView[];
  tables: RowView[];
  type: "lobby";
}
/**
 * A stake, over its open tables; `waiting` is the length of its waiting list.
 */
export interface StakeView {
  structure: Structure;
  game: Game;
  currency: Currency;
  small_blind: Chips;
  big_blind: Chips;
  small_bet: Chips;
  big_bet: Chips;
  tables: Count;
  taken: Count;
  seats: Count;
  waiting: Count;
}
/**
 * A table in the lobby; null where nothing is known yet.
 */
export interface RowView {
  table: TableId;
  structure: Structure;
  game: Game;
  currency: Currency;
  small_blind: Chips;
  big_blind: Chips;
  small_bet: Chips;
  big_bet: Chips;
  seats: SeatCount;
  /**
   * Of the seats.
   */
  taken: Count;
  /**
   * Of those taken, how many play.
   */
  active: Count;
  /**
   * Of those taken, how many wait to be dealt in.
   */
  waiting: Count;
  /**
   * By seat.
   */
  players: (Player | null)[];
  /**
   * Before rake, over the last hands.
   */
  average_pot: Chips | null;
  /**
   * Of those dealt in, how many in 1000 saw a flop.
   */
  flop_permille: number | null;
  hands_hour: Count | null;
  /**
   * What an action took.
   */
  acting_ms: Milliseconds | null;
  state: TableState;
  /**
   * The least buy-in.
   */
  minimum: Chips;
  /**
   * The greatest buy-in; null where there is none.
   */
  maximum: Chips | null;
  delay_s: DelaySeconds;
  time_bank_ms: Milliseconds;
  /**
   * Without a seat.
   */
  watching: Count;
}
/**
 * Part 1 of the lobby; the others follow as pushes to who watches it.
 */
export interface LobbyReply {
  id: Id;
  type: "ok";
  lobby: LobbyView;
}
/**
 * The stakes and the tables, or one of several parts: each has all stakes.
 */
export interface LobbyView {
  now: Moment;
  part: number;
  parts: number;
  stakes: StakeView[];
  tables: RowView[];
}
/**
 * To all connections of one who waits; the newest wins. Without a table nothing is on offer to him, and `waiting` tells whether he still has his place.
 */
export interface OfferPush {
  type: "offer";
  structure: Structure;
  table: TableId | null;
  until: Moment | null;
  waiting: boolean;
  now: Moment;
}
/**
 * Subscribed. The snapshot is where the pushes go on.
 */
export interface WatchReply {
  id: Id;
  type: "ok";
  seq: Seq;
  snapshot: Snapshot;
}
/**
 * The whole table, as the recipient may see it. `away` are the seats whose players are not connected, `now` is when the table was as it is here.
 */
export interface Snapshot {
  seq: Seq;
  now: Moment;
  away: Seat[];
  state: StateView;
}
/**
 * No more pushes from this table.
 */
export interface UnwatchReply {
  id: Id;
  type: "ok";
}
/**
 * A snapshot where there is more than the client has; without one it has everything.
 */
export interface SyncReply {
  id: Id;
  type: "ok";
  seq: Seq;
  snapshot?: Snapshot;
}
/**
 * Seated, and subscribed from the seat.
 */
export interface SitReply {
  id: Id;
  type: "ok";
  seq: Seq;
  snapshot: Snapshot;
}
/**
 * As for `sit`: where he sits. No `seat` where he has left it again meanwhile.
 */
export interface QuickSeatReply {
  id: Id;
  type: "ok";
  seq: Seq;
  snapshot: Snapshot;
  table: TableId;
  seat?: Seat;
}
/**
 * The place in the line.
 */
export interface WaitReply {
  id: Id;
  type: "ok";
  now: Moment;
  waiting: WaitingView;
}
/**
 * Out of the line.
 */
export interface UnwaitReply {
  id: Id;
  type: "ok";
}
/**
 * Bought.
 */
export interface TopUpReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Done, or planned.
 */
export interface SitOutReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Back.
 */
export interface SitInReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Prepared, or taken back.
 */
export interface PreActReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * Shown.
 */
export interface ShowReply {
  id: Id;
  type: "ok";
  seq: Seq;
}
/**
 * One's results at a table by day. Where `next` is a number there may be more of each day.
 */
export interface ResultsReply {
  id: Id;
  type: "ok";
  results: ResultsView;
}
/**
 * What hands at a table left one, by the day on which they ended.
 */
export interface ResultsView {
  table: TableId;
  /**
   * Null where nobody knows it any more.
   */
  stake: Structure | null;
  days: ResultView[];
  /**
   * Numbers of hands of which nothing can be told: they are not counted.
   */
  unreadable: Count[];
  /**
   * Number of the last hand that was looked at; 0 where there was none.
   */
  last: Count;
  /**
   * When it ended.
   */
  ended: Moment | null;
  /**
   * `hand` of the message that goes on; null where nothing does.
   */
  next: number | null;
}
/**
 * One's hands of a day at a table: how many, what they left one after rake, and one's part of the rake of the pots that one won. A void hand counts nowhere.
 */
export interface ResultView {
  day: Day;
  hands: Count;
  net: SignedChips;
  rake: Chips;
}
/**
 * The server's clock. `reminder` as often as he is here for as many minutes as he wants to be reminded after; each number of minutes is shown once.
 */
export interface PingReply {
  id: Id;
  type: "ok";
  now: Moment;
  reminder?: ReminderView;
}
/**
 * Here since then, for so many minutes at least.
 */
export interface ReminderView {
  since: Moment;
  minutes: number;
}
/**
 * To a seat: who is away now; the newest wins, and nothing counts it.
 */
export interface PresencePush {
  type: "presence";
  table: TableId;
  now: Moment;
  away: Seat[];
}
/**
 * To spectators; the one with the highest `seq` wins.
 */
export interface SnapshotPush {
  seq: Seq;
  now: Moment;
  away: Seat[];
  state: StateView;
  type: "snapshot";
  table: TableId;
}
/**
 * Which reply, if no error, is the answer to which route. It is never sent.
 */
export interface ReplyByRoute {
  watch: WatchReply;
  unwatch: UnwatchReply;
  sync: SyncReply;
  sit: SitReply;
  quickseat: QuickSeatReply;
  wait: WaitReply;
  unwait: UnwaitReply;
  topup: TopUpReply;
  autotopup: AutoTopUpReply;
  sitout: SitOutReply;
  sitin: SitInReply;
  leave: LeaveReply;
  act: ActReply;
  preact: PreActReply;
  show: ShowReply;
  dispute: DisputeReply;
  lobby: LobbyReply;
  account: AccountReply;
  hands: HandsReply;
  hand: HandReply;
  ledger: LedgerReply;
  results: ResultsReply;
  limits: LimitsReply;
  ping: PingReply;
}
