"""Everything that the room sends about a table, as strict models: the contract with the clients.

The engine's views make these messages; no function builds or checks them by these models at run
time (that would cost at every start and push). Tests hold the views to them, and schemas are made
of them.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

type Card = Annotated[str, Field(pattern=r"^[2-9TJQKA][cdhs]$")]
type Seat = Annotated[int, Field(ge=0, le=9)]
type Chips = Annotated[int, Field(ge=0)]
type Moment = Annotated[int, Field(ge=0)]
type Count = Annotated[int, Field(ge=0)]
type Street = Literal["preflop", "flop", "turn", "river"]
type Exit = Literal["left", "removed", "sat_out", "closed"]
type Plan = Literal["sit_out", "leave"]
type PreDo = Literal["check_fold", "call", "fold"]
type Hole = Annotated[list[Card], Field(min_length=2, max_length=2)]


class View(BaseModel):
    """Amounts are minor units, moments milliseconds since 1970, seats counted from 0."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SettingsView(View):
    game: Literal["nl", "fl"]
    currency: str
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    ante: Chips
    ante_by: Literal["each", "big_blind"]
    rake: str
    seats: Annotated[int, Field(ge=2, le=10)]
    minimum: Chips
    maximum: Chips | None
    clock_ms: Count
    pause_ms: Count
    time_bank_ms: Count
    delay_s: Annotated[int, Field(ge=0, le=900)]


class Owes(View):
    small: bool
    big: bool


class PreView(View):
    """What the seat will do on its turn, if the price is still this one."""

    do: PreDo
    price: Chips


class OwnView(View):
    """What only its player is told of a seat, whole each time."""

    plan: Plan | None
    pre: PreView | None
    refill: Chips
    owes: Owes


class SeatView(View):
    """`plan`, `pre`, `refill` and `owes` are on one's own seat alone, `bank` where the table has
    time banks. `stack` is what is left behind.
    """

    seat: Seat
    player: str
    stack: Chips
    topup: Chips
    status: Literal["active", "waiting", "posting", "out"]
    exit: Exit | None
    bet: Chips
    in_hand: bool
    folded: bool
    all_in: bool
    bank: Count | None = None
    plan: Plan | None = None
    pre: PreView | None = None
    refill: Chips | None = None
    owes: Owes | None = None


class PotView(View):
    """`rake` and `shares` (seat, chips) once it is settled."""

    amount: Chips
    seats: list[Seat]
    rake: Chips | None = None
    shares: list[tuple[Seat, Chips]] | None = None


class ShownView(View):
    seat: Seat
    cards: list[Card]


class HandView(View):
    number: Count
    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None
    street: Street
    board: Annotated[list[Card], Field(max_length=5)]
    pot: Chips
    pots: list[PotView]
    shown: list[ShownView]
    over: bool
    voided: bool


class TurnView(View):
    """Whose turn it is, with all that his controls need (RULES 8)."""

    hand: Count
    number: Count
    seat: Seat
    deadline: Moment
    price: Chips
    to_call: Chips
    call_to: Chips
    check: bool
    verb: Literal["bet", "raise"]
    min_to: Chips | None
    max_to: Chips | None
    step: Chips


class Opened(View):
    e: Literal["opened"]
    settings: SettingsView


class Seated(View):
    e: Literal["seated"]
    seat: Seat
    player: str
    chips: Chips
    posting: bool
    owes_small: bool


class ToppedUp(View):
    e: Literal["topped_up", "top_up_played"]
    seat: Seat
    chips: Chips


class SatOut(View):
    e: Literal["sat_out"]
    seat: Seat
    at: Moment


class SatIn(View):
    e: Literal["sat_in"]
    seat: Seat
    status: Literal["active", "waiting", "posting"]


class Planned(View):
    """Told to its owner alone."""

    e: Literal["planned"]
    seat: Seat
    plan: Plan | None


class RefillSet(View):
    """Told to its owner alone."""

    e: Literal["refill_set"]
    seat: Seat
    to: Chips


class Prepared(View):
    """Told to its owner alone."""

    e: Literal["prepared"]
    seat: Seat
    do: PreDo | None
    price: Chips


class Going(View):
    e: Literal["going"]
    seat: Seat
    exit: Exit


class SeatEmptied(View):
    e: Literal["seat_emptied"]
    seat: Seat
    player: str
    chips: Chips
    exit: Exit
    at: Moment


class HandScheduled(View):
    e: Literal["hand_scheduled"]
    at: Moment


class HandStarted(View):
    e: Literal["hand_started"]
    number: Count
    at: Moment
    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None
    dealt: list[Seat]
    fresh: bool
    missed_small: list[Seat]
    missed_big: list[Seat]


class Posted(View):
    e: Literal["posted"]
    seat: Seat
    post: Literal["ante", "small_blind", "big_blind", "live", "dead"]
    amount: Chips


class TurnBegan(View):
    e: Literal["turn_began"]
    number: Count
    seat: Seat
    deadline: Moment


class BankOpened(View):
    e: Literal["bank_opened"]
    seat: Seat
    deadline: Moment


class BankClosed(View):
    e: Literal["bank_closed"]
    seat: Seat
    left: Count


class Acted(View):
    e: Literal["acted"]
    seat: Seat
    do: Literal["fold", "check", "call", "bet", "raise"]
    to: Chips
    paid: Chips
    cause: Literal["own", "expired", "leaving", "removed"]


class BoardDealt(View):
    e: Literal["board_dealt"]
    street: Street
    cards: list[Card]


class Returned(View):
    e: Literal["returned"]
    seat: Seat
    amount: Chips


class Shown(View):
    e: Literal["shown"]
    seat: Seat
    cards: list[Card]


class Mucked(View):
    e: Literal["mucked"]
    seat: Seat


class PotWon(View):
    e: Literal["pot_won"]
    pot: Count
    amount: Chips
    rake: Chips
    contenders: list[Seat]
    shares: list[tuple[Seat, Chips]]


class HandEnded(View):
    e: Literal["hand_ended"]
    number: Count
    at: Moment


class HandVoided(View):
    e: Literal["hand_voided"]
    number: Count
    at: Moment
    reason: str


class Bare(View):
    e: Literal["paused", "closing", "closed", "frozen"]


class Thawed(View):
    e: Literal["thawed"]
    at: Moment


type EventView = Annotated[
    Opened
    | Seated
    | ToppedUp
    | SatOut
    | SatIn
    | Planned
    | Going
    | SeatEmptied
    | HandScheduled
    | HandStarted
    | Posted
    | TurnBegan
    | Acted
    | BoardDealt
    | Returned
    | Shown
    | Mucked
    | PotWon
    | HandEnded
    | HandVoided
    | Bare
    | RefillSet
    | Thawed
    | Prepared
    | BankOpened
    | BankClosed,
    Field(discriminator="e"),
]


class StateView(View):
    """`hole` are the recipient's own cards, where he was dealt in."""

    settings: SettingsView
    button: Seat | None
    hands: Count
    next_hand_at: Moment | None
    closing: bool
    frozen: bool
    seats: list[SeatView | None]
    hand: HandView | None
    turn: TurnView | None
    log: list[EventView]
    hole: Hole | None = None


class Snapshot(View):
    """In the replies to watch, sync and sit. `away` are the seats whose players are not connected,
    `now` is when the table was as it is here.
    """

    seq: Count
    now: Moment
    away: list[Seat]
    state: StateView


class SnapshotPush(Snapshot):
    """To spectators; the newest wins."""

    type: Literal["snapshot"]
    table: str


class EventsPush(View):
    """To a seat: what took the table from seq `before` to `seq`."""

    type: Literal["events"]
    table: str
    seq: Count
    before: Count
    now: Moment
    events: list[EventView]
    turn: TurnView | None
    pots: list[PotView]
    away: list[Seat]
    own: OwnView | None = None
    hole: Hole | None = None


class PresencePush(View):
    """To a seat: who is away now; the newest wins, and nothing counts it."""

    type: Literal["presence"]
    table: str
    now: Moment
    away: list[Seat]


class WaitingView(View):
    """In the reply to wait: one's place in the line of `length`, from 1, and the table where a seat
    is on offer until then, null while none is.
    """

    structure: str
    place: Annotated[int, Field(ge=1)]
    length: Annotated[int, Field(ge=1)]
    table: str | None
    until: Moment | None


class OfferPush(View):
    """To all connections of one who waits; the newest wins. Without a table nothing is on offer to
    him, and `waiting` tells whether he still has his place.
    """

    type: Literal["offer"]
    structure: str
    table: str | None
    until: Moment | None
    waiting: bool
    now: Moment


class StakeView(View):
    """A stake, over its open tables; `waiting` is the length of its waiting list."""

    structure: str
    game: Literal["nl", "fl"]
    currency: str
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    tables: Count
    taken: Count
    seats: Count
    waiting: Count


class RowView(View):
    """A table; null where nothing is known yet."""

    table: str
    structure: str
    game: Literal["nl", "fl"]
    currency: str
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    seats: Annotated[int, Field(ge=2, le=10)]
    taken: Count
    active: Count
    waiting: Count
    players: list[str | None]
    average_pot: Chips | None
    flop_permille: Annotated[int, Field(ge=0, le=1000)] | None
    hands_hour: Count | None
    acting_ms: Count | None
    state: Literal["open", "closing", "frozen"]
    minimum: Chips
    maximum: Chips | None
    delay_s: Annotated[int, Field(ge=0, le=900)]
    time_bank_ms: Count
    watching: Count


class LobbyView(View):
    """In the reply to lobby."""

    now: Moment
    part: Annotated[int, Field(ge=1)]
    parts: Annotated[int, Field(ge=1)]
    stakes: list[StakeView]
    tables: list[RowView]


class LobbyPush(LobbyView):
    """To those who watch the lobby; the newest wins."""

    type: Literal["lobby"]


class NextLimit(View):
    """What a limit will be from `at` on; null: none."""

    value: Count | None
    at: Moment


class LimitView(View):
    """A limit in force, null for none, and the change that is under way, if there is one."""

    value: Count | None
    next: NextLimit | None


class MoneyLimits(View):
    """Of a currency: the limits of a day, and how much of them is used. `lost` is what went to
    tables less what came back, 0 where more came back.
    """

    currency: str
    deposit_day: LimitView
    deposited: Chips
    loss_day: LimitView
    lost: int


class LimitsView(View):
    """In the replies to limits and account; the day ends at 00:00 UTC."""

    day_ends: Moment
    reminder_minutes: LimitView
    exclude_until: Moment | None
    currencies: list[MoneyLimits]


class BalanceView(View):
    currency: str
    balance: Chips


class AccountView(View):
    """In the reply to account. `standing` is null for one who is no player of this room yet."""

    player: str
    standing: Literal["open", "suspended", "closed"] | None
    balances: list[BalanceView]
    seats: list[str]
    limits: LimitsView


class ReminderView(View):
    """In the reply to ping: here since then, for so many minutes at least."""

    since: Moment
    minutes: Annotated[int, Field(ge=1)]
