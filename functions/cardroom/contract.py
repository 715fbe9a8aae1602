"""Everything that the room sends, as strict models: the contract with the clients.

The engine's views make these messages; no function builds or checks them by these models at run
time (that would cost at every start and push). Tests hold what is sent to them, and
`events/messages.schema.json` is made of them.

A field with the default `ABSENT` may be missing; where it is there, it is no null unless it says
so.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from cardroom import messages
from cardroom.codes import SENT, described
from cardroom.messages import (
    Currency,
    Do,
    EntryId,
    Game,
    Id,
    PreDo,
    Structure,
    TableId,
    ZoneName,
)

type Card = Annotated[
    str, Field(pattern=r"^[2-9TJQKA][cdhs]$", description="Rank and suit: `As`, `Td`.")
]
type Seat = Annotated[int, Field(ge=0, le=9, description="Seats count from 0.")]
type Chips = Annotated[int, Field(ge=0, description="Minor units (centavos, cents).")]
type Moment = Annotated[int, Field(ge=0, description="Milliseconds since 1970, UTC.")]
type Count = Annotated[int, Field(ge=0, description="A number of things, or their number.")]
type Milliseconds = Annotated[int, Field(ge=0, description="A length of time.")]
type Seq = Annotated[
    int,
    Field(ge=0, description="How far the table has come: it grows with all that everybody sees."),
]
type SignedChips = Annotated[int, Field(description="Minor units, less than 0 too.")]
type Day = Annotated[
    str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="Of the zone that was asked.")
]
type EntryKind = Annotated[
    Literal["deposit", "withdrawal", "buy_in", "top_up", "pay_out"],
    Field(description="Why money moved: the first two brought it in and took it out."),
]
type Player = Annotated[str, Field(description="A user name; text, never markup.")]
type Street = Annotated[
    Literal["preflop", "flop", "turn", "river"], Field(description="A round of betting.")
]
type Status = Annotated[
    Literal["active", "waiting", "posting", "out"],
    Field(
        description="`active` plays; `waiting` for the big blind; `posting` as soon as the seat's "
        "place allows it; `out` gets no cards."
    ),
]
type Exit = Annotated[
    Literal["left", "removed", "sat_out", "closed"],
    Field(
        description="Why a seat empties: he `left`, was `removed` by the clock, `sat_out` for too "
        "long, or the table `closed`."
    ),
]
type Plan = Annotated[
    Literal["sit_out", "leave"], Field(description="What is done rather than pay the big blind.")
]
type PostKind = Annotated[
    Literal["ante", "small_blind", "big_blind", "live", "dead"],
    Field(
        description="`live` is a late big blind, `dead` a missed small one, straight to the pot; "
        "`ante` and `dead` are no part of the bet."
    ),
]
type Cause = Annotated[
    Literal["own", "expired", "leaving", "removed"],
    Field(description="His `own` wish, or done for him, and why."),
]
type Verb = Annotated[
    Literal["bet", "raise"], Field(description="Which of the two it is that is open.")
]
type TableState = Annotated[
    Literal["open", "closing", "frozen"],
    Field(description="`closing` takes no more players, `frozen` begins no hand for now."),
]
type Standing = Annotated[
    Literal["open", "suspended", "closed"], Field(description="Of an account, by the operator.")
]
type SeatCount = Annotated[int, Field(ge=2, le=10, description="How many seats a table has.")]
type DelaySeconds = Annotated[
    int, Field(ge=0, le=900, description="By how many seconds spectators see the table later.")
]
type Hole = Annotated[
    list[Card], Field(min_length=2, max_length=2, description="The recipient's own cards.")
]
type Share = Annotated[
    tuple[Seat, Chips],
    Field(
        description="A seat, and what it gets of a pot.",
        # For generators of types that know no `prefixItems`; it binds nothing.
        json_schema_extra={"items": {"type": "integer"}},
    ),
]


def _sent(code: str) -> str:
    if code not in SENT:
        raise ValueError("a code that no client is sent")
    return code


type ErrorCode = Annotated[
    str,
    AfterValidator(_sent),
    WithJsonSchema(
        {
            "oneOf": described(SENT),
            "description": "Why it was not done. A code never changes its meaning; there may be "
            "more of them one day.",
        }
    ),
]

ABSENT: Final[Any] = None
"""The default of a field that may be missing."""


class View(BaseModel):
    """Amounts are minor units, moments milliseconds since 1970, seats counted from 0."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class SettingsView(View):
    """The stakes and settings of a table."""

    game: Game
    currency: Currency
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    """In fixed-limit, before the turn; 0 in no-limit."""
    big_bet: Chips
    """In fixed-limit, from the turn on; 0 in no-limit."""
    ante: Chips
    ante_by: Annotated[
        Literal["each", "big_blind"], Field(description="Who pays it: each, or one for all.")
    ]
    rake: Annotated[str, Field(description="The name of the rake's schedule.")]
    seats: SeatCount
    minimum: Chips
    """The least buy-in."""
    maximum: Chips | None
    """The greatest buy-in; null where there is none."""
    clock_ms: Milliseconds
    """What a turn has."""
    pause_ms: Milliseconds
    """Between two hands."""
    time_bank_ms: Milliseconds
    """What a seat's time bank holds at most; 0 where there are none."""
    delay_s: DelaySeconds


class Owes(View):
    """The blinds that a seat was passed by, or has yet to pay as a newcomer."""

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
    """Before each hand chips are bought up to this; 0: none."""
    owes: Owes


class SeatView(View):
    """`plan`, `pre`, `refill` and `owes` are on one's own seat alone, `bank` where the table has
    time banks. `stack` is what is left behind.
    """

    seat: Seat
    player: Player
    stack: Chips
    topup: Chips
    """Paid for, and not on the stack before the hand is over."""
    status: Status
    exit: Exit | None
    """Why the seat empties when the hand is over; null while it does not."""
    bet: Chips
    """What was put in on this street."""
    in_hand: bool
    folded: bool
    all_in: bool
    bank: Milliseconds = ABSENT
    """What is left in the seat's time bank."""
    plan: Plan | None = ABSENT
    pre: PreView | None = ABSENT
    refill: Chips = ABSENT
    owes: Owes = ABSENT


class PotView(View):
    """`rake` and `shares` once it is settled."""

    amount: Chips
    """Before rake."""
    seats: list[Seat]
    """Who may win it."""
    rake: Chips = ABSENT
    shares: list[Share] = ABSENT


class ShownView(View):
    """A hand, or one card of it, that everybody sees."""

    seat: Seat
    cards: list[Card]


class HandView(View):
    """The hand that runs, or the last one. The blinds are seats, which may be empty ones."""

    number: Count
    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None
    street: Street
    board: Annotated[list[Card], Field(max_length=5)]
    pot: Chips
    """All pots together, with the bets of this street."""
    pots: list[PotView]
    shown: list[ShownView]
    over: bool
    voided: bool


class TurnView(View):
    """Whose turn it is, with all that his controls need (RULES 8)."""

    hand: Count
    number: Count
    """Of the turn in its hand: `turn` of the message that acts on it."""
    seat: Seat
    deadline: Moment
    """When his time ends."""
    price: Chips
    """The street's highest bet."""
    to_call: Chips
    """What calling takes from the stack."""
    call_to: Chips
    """What the bet is after that."""
    check: bool
    """Whether he may."""
    verb: Verb
    min_to: Chips | None
    """The least `to` of a bet or raise; null where none is open."""
    max_to: Chips | None
    """The greatest; null where none is open."""
    step: Chips
    """For a slider."""


class Opened(View):
    """The table was opened."""

    e: Literal["opened"]
    settings: SettingsView


class Seated(View):
    """Somebody sat down; `owes_small`: he left here owing a small blind."""

    e: Literal["seated"]
    seat: Seat
    player: Player
    chips: Chips
    posting: bool
    owes_small: bool


class ToppedUp(View):
    """Chips were paid for; they wait in `topup`."""

    e: Literal["topped_up"]
    seat: Seat
    chips: Chips


class TopUpPlayed(View):
    """Of the chips in `topup` so many came onto the stack."""

    e: Literal["top_up_played"]
    seat: Seat
    chips: Chips


class SatOut(View):
    """From now on no cards."""

    e: Literal["sat_out"]
    seat: Seat
    at: Moment


class SatIn(View):
    """Back, as this."""

    e: Literal["sat_in"]
    seat: Seat
    status: Annotated[Literal["active", "waiting", "posting"], Field(description="As a `Status`.")]


class Planned(View):
    """What you will do at the big blind; null takes it back. Told to its owner alone."""

    e: Literal["planned"]
    seat: Seat
    plan: Plan | None


class RefillSet(View):
    """Before each hand chips are bought up to this; 0: no more. Told to its owner alone."""

    e: Literal["refill_set"]
    seat: Seat
    to: Chips


class Prepared(View):
    """What you will do on your turn at this price; null takes it back. Told to its owner alone."""

    e: Literal["prepared"]
    seat: Seat
    do: PreDo | None
    price: Chips


class Going(View):
    """The seat empties when the hand is over."""

    e: Literal["going"]
    seat: Seat
    exit: Exit


class SeatEmptied(View):
    """He is gone, with these chips."""

    e: Literal["seat_emptied"]
    seat: Seat
    player: Player
    chips: Chips
    exit: Exit
    at: Moment


class HandScheduled(View):
    """The next hand begins then."""

    e: Literal["hand_scheduled"]
    at: Moment


class HandStarted(View):
    """The seats in `dealt` have cards, in the order of dealing. `fresh`: the button was drawn.
    `missed_small` and `missed_big` are seats that a blind passed.
    """

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
    """A blind, ante or late post."""

    e: Literal["posted"]
    seat: Seat
    post: PostKind
    amount: Chips


class TurnBegan(View):
    """Whose turn it is, and until when."""

    e: Literal["turn_began"]
    number: Count
    seat: Seat
    deadline: Moment


class BankOpened(View):
    """The time is over, the turn goes on in the seat's time bank until then."""

    e: Literal["bank_opened"]
    seat: Seat
    deadline: Moment


class BankClosed(View):
    """Its turn ends; `left` is what is left in the bank."""

    e: Literal["bank_closed"]
    seat: Seat
    left: Milliseconds


class Acted(View):
    """`to` is his bet on this street now, `paid` what it took from the stack."""

    e: Literal["acted"]
    seat: Seat
    do: Do
    to: Chips
    paid: Chips
    cause: Cause


class BoardDealt(View):
    """New cards; all bets of the street are in the pots."""

    e: Literal["board_dealt"]
    street: Street
    cards: list[Card]


class Returned(View):
    """The part of a bet that nobody called."""

    e: Literal["returned"]
    seat: Seat
    amount: Chips


class Shown(View):
    """One card or two."""

    e: Literal["shown"]
    seat: Seat
    cards: list[Card]


class Mucked(View):
    """A losing hand is not shown."""

    e: Literal["mucked"]
    seat: Seat


class PotWon(View):
    """`pot` 0 is the main pot; `amount` is before `rake`."""

    e: Literal["pot_won"]
    pot: Count
    amount: Chips
    rake: Chips
    contenders: list[Seat]
    shares: list[Share]


class HandEnded(View):
    """All chips are with their stacks."""

    e: Literal["hand_ended"]
    number: Count
    at: Moment


class HandVoided(View):
    """All chips went back: ask for a snapshot."""

    e: Literal["hand_voided"]
    number: Count
    at: Moment
    reason: str


class Paused(View):
    """Too few players: no next hand for now."""

    e: Literal["paused"]


class Closing(View):
    """No more hands after this one."""

    e: Literal["closing"]


class Closed(View):
    """All seats are empty."""

    e: Literal["closed"]


class Frozen(View):
    """No hand begins for now, and nobody sits down."""

    e: Literal["frozen"]


class Thawed(View):
    """It goes on; who sits out may do so as long as if he had begun then."""

    e: Literal["thawed"]
    at: Moment


type EventView = Annotated[
    Opened
    | Seated
    | ToppedUp
    | TopUpPlayed
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
    | Paused
    | Closing
    | Closed
    | Frozen
    | RefillSet
    | Thawed
    | Prepared
    | BankOpened
    | BankClosed,
    Field(discriminator="e", description="What happened at a table, named by `e`."),
]


class StateView(View):
    """A table. `hole` are the recipient's own cards, where he was dealt in."""

    settings: SettingsView
    button: Seat | None
    hands: Count
    """How many were begun."""
    next_hand_at: Moment | None
    closing: bool
    frozen: bool
    seats: list[SeatView | None]
    """By seat; null where it is empty."""
    hand: HandView | None
    turn: TurnView | None
    log: list[EventView]
    """Of the hand so far."""
    hole: Hole = ABSENT


class Snapshot(View):
    """The whole table, as the recipient may see it. `away` are the seats whose players are not
    connected, `now` is when the table was as it is here.
    """

    seq: Seq
    now: Moment
    away: list[Seat]
    state: StateView


class SnapshotPush(Snapshot):
    """To spectators; the one with the highest `seq` wins."""

    type: Literal["snapshot"]
    table: TableId


class EventsPush(View):
    """To a seat: what took the table from seq `before` to `seq`. Where both are the same it
    concerns this seat alone, and does not count.
    """

    type: Literal["events"]
    table: TableId
    seq: Seq
    before: Seq
    now: Moment
    events: list[EventView]
    turn: TurnView | None
    pots: list[PotView]
    away: list[Seat]
    own: OwnView = ABSENT
    """Of the recipient's seat, while he has one."""
    hole: Hole = ABSENT
    """With the start of a hand."""


class PresencePush(View):
    """To a seat: who is away now; the newest wins, and nothing counts it."""

    type: Literal["presence"]
    table: TableId
    now: Moment
    away: list[Seat]


class WaitingView(View):
    """One's place in the line of `length`, from 1, and the table where a seat is on offer until
    then, null while none is.
    """

    structure: Structure
    place: Annotated[int, Field(ge=1)]
    length: Annotated[int, Field(ge=1)]
    table: TableId | None
    until: Moment | None


class OfferPush(View):
    """To all connections of one who waits; the newest wins. Without a table nothing is on offer to
    him, and `waiting` tells whether he still has his place.
    """

    type: Literal["offer"]
    structure: Structure
    table: TableId | None
    until: Moment | None
    waiting: bool
    now: Moment


class StakeView(View):
    """A stake, over its open tables; `waiting` is the length of its waiting list."""

    structure: Structure
    game: Game
    currency: Currency
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    tables: Count
    taken: Count
    seats: Count
    waiting: Count


class RowView(View):
    """A table in the lobby; null where nothing is known yet."""

    table: TableId
    structure: Structure
    game: Game
    currency: Currency
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    seats: SeatCount
    taken: Count
    """Of the seats."""
    active: Count
    """Of those taken, how many play."""
    waiting: Count
    """Of those taken, how many wait to be dealt in."""
    players: list[Player | None]
    """By seat."""
    average_pot: Chips | None
    """Before rake, over the last hands."""
    flop_permille: Annotated[int, Field(ge=0, le=1000)] | None
    """Of those dealt in, how many in 1000 saw a flop."""
    hands_hour: Count | None
    acting_ms: Milliseconds | None
    """What an action took."""
    state: TableState
    minimum: Chips
    """The least buy-in."""
    maximum: Chips | None
    """The greatest buy-in; null where there is none."""
    delay_s: DelaySeconds
    time_bank_ms: Milliseconds
    watching: Count
    """Without a seat."""


class LobbyView(View):
    """The stakes and the tables, or one of several parts: each has all stakes."""

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

    currency: Currency
    deposit_day: LimitView
    deposited: Chips
    loss_day: LimitView
    lost: Chips


class LimitsView(View):
    """A player's own limits; the day ends at 00:00 UTC."""

    day_ends: Moment
    reminder_minutes: LimitView
    exclude_until: Moment | None
    currencies: list[MoneyLimits]


class BalanceView(View):
    """What a wallet holds."""

    currency: Currency
    balance: Chips


class AccountView(View):
    """One's own account. `standing` is null for one who is no player of this room yet."""

    player: Player
    standing: Standing | None
    balances: list[BalanceView]
    seats: list[TableId]
    """The tables where he sits; they may lag by a second."""
    lines: list[WaitingView]
    """His places in line for a seat."""
    limits: LimitsView


class DisputeView(View):
    """What one wrote of a hand to support, and its word once it has looked at it."""

    text: str
    at: Moment
    closed: Moment | None
    """When support answered; null while it has not."""
    word: str | None
    """What it said; text, never markup."""


class StepView(View):
    """What happened in a hand, one thing; `pots` where they are others after it."""

    event: EventView
    pots: list[PotView] = ABSENT


class PastHandView(View):
    """A hand that is over, as the recipient may see it."""

    table: TableId
    number: Count
    started: Moment
    ended: Moment
    seat: Seat | None
    """The recipient's, where he was dealt in."""
    state: StateView
    """The table as the hand began."""
    steps: list[StepView]
    hole: Hole = ABSENT
    """The recipient's, where he was dealt in."""
    dispute: DisputeView = ABSENT
    """The recipient's own, where he disputes this hand."""


class PastRow(View):
    """A hand that one was dealt in."""

    number: Count
    ended: Moment
    game: Game
    currency: Currency
    small_blind: Chips
    big_blind: Chips
    small_bet: Chips
    big_bet: Chips
    hole: list[Card]
    """One's own; empty where they are not known any more."""
    board: list[Card]
    net: Annotated[int, Field(description="What it left one more, or less, in minor units.")]
    voided: bool


class PastView(View):
    """One's own hands at a table, the newest first."""

    tables: list[TableId]
    """Where one has played, the last one first."""
    table: TableId | None
    """Whose hands these are; null where one has played nowhere."""
    hands: list[PastRow]
    next: Annotated[
        int | None,
        Field(ge=1, description="`up_to` of the message that goes on; null where nothing does."),
    ]


class WalletView(View):
    """A wallet, and how many entries made it: numbers 1 to that."""

    currency: Currency
    balance: Chips
    entries: Count


class EntryView(View):
    """A movement of a wallet."""

    currency: Currency
    number: Annotated[int, Field(ge=1, description="Of this wallet, without a gap.")]
    at: Moment
    day: Day
    """Of `at`. It counts on the latest day of this entry and those of the wallet before it."""
    time: Annotated[str, Field(pattern=r"^[0-2][0-9]:[0-5][0-9]:[0-5][0-9]$")]
    kind: EntryKind
    amount: SignedChips
    balance: Chips
    """The wallet's, after it."""
    table: TableId | None
    reference: str | None
    """Of a deposit or withdrawal; text, never markup."""
    who: str
    """Oneself, the `table`, or the `room`."""
    why: str
    """Text, never markup."""


class LedgerView(View):
    """Entries of one's wallets, in no order of time. The wallets were read before the entries: all
    up to the numbers of the first answer's are there in the end, and come to its balances.
    """

    now: Moment
    zone: ZoneName
    wallets: list[WalletView]
    entries: list[EntryView]
    next: EntryId | None
    """`after` of the message that goes on; null where nothing does."""


class ResultView(View):
    """One's hands of a day at a table: how many, what they left one after rake, and one's part of
    the rake of the pots that one won. A void hand counts nowhere.
    """

    day: Day
    hands: Count
    net: SignedChips
    rake: Chips


class ResultsView(View):
    """What hands at a table left one, by the day on which they ended."""

    table: TableId
    stake: Structure | None
    """Null where nobody knows it any more."""
    days: list[ResultView]
    unreadable: list[Count]
    """Numbers of hands of which nothing can be told: they are not counted."""
    last: Count
    """Number of the last hand that was looked at; 0 where there was none."""
    ended: Moment | None
    """When it ended."""
    next: Annotated[
        int | None,
        Field(ge=1, description="`hand` of the message that goes on; null where nothing does."),
    ]


class ReminderView(View):
    """Here since then, for so many minutes at least."""

    since: Moment
    minutes: Annotated[int, Field(ge=1)]


class Done(View):
    """What all replies have that are no errors."""

    id: Id
    type: Literal["ok"]


class Applied(Done):
    """`seq` is the table's after what was asked for."""

    seq: Seq


class Pictured(Applied):
    """With a snapshot, which may be newer than what was asked for."""

    snapshot: Snapshot


class WatchReply(Pictured):
    """Subscribed. The snapshot is where the pushes go on."""


class UnwatchReply(Done):
    """No more pushes from this table."""


class SyncReply(Applied):
    """A snapshot where there is more than the client has; without one it has everything."""

    snapshot: Snapshot = ABSENT


class SitReply(Pictured):
    """Seated, and subscribed from the seat."""


class QuickSeatReply(Pictured):
    """As for `sit`: where he sits. No `seat` where he has left it again meanwhile."""

    table: TableId
    seat: Seat = ABSENT


class WaitReply(Done):
    """The place in the line."""

    now: Moment
    waiting: WaitingView


class UnwaitReply(Done):
    """Out of the line."""


class TopUpReply(Applied):
    """Bought."""


class AutoTopUpReply(Applied):
    """Set."""


class SitOutReply(Applied):
    """Done, or planned."""


class SitInReply(Applied):
    """Back."""


class LeaveReply(Applied):
    """Done, planned, or to be done when the hand is over: the event `seat_emptied` says when."""


class ActReply(Applied):
    """The action stands."""


class PreActReply(Applied):
    """Prepared, or taken back."""


class ShowReply(Applied):
    """Shown."""


class DisputeReply(Done):
    """Support will look at it."""


class LobbyReply(Done):
    """Part 1 of the lobby; the others follow as pushes to who watches it."""

    lobby: LobbyView


class AccountReply(Done):
    """One's own account."""

    now: Moment
    account: AccountView


class HandsReply(Done):
    """One's own hands at a table. Where there are few, or none, and `next` is a number, there may
    be more.
    """

    hands: PastView


class HandReply(Done):
    """The hand, from its start to its end."""

    hand: PastHandView


class LedgerReply(Done):
    """Entries of one's ledger."""

    ledger: LedgerView


class ResultsReply(Done):
    """One's results at a table by day. Where `next` is a number there may be more of each day."""

    results: ResultsView


class LimitsReply(Done):
    """The limits, after what was asked for."""

    now: Moment
    limits: LimitsView


class PingReply(Done):
    """The server's clock. `reminder` as often as he is here for as many minutes as he wants to be
    reminded after; each number of minutes is shown once.
    """

    now: Moment
    reminder: ReminderView = ABSENT


class ErrorReply(View):
    """Not done, and nothing has changed. `id` is null where the message had none that could be
    read. `message` is one sentence for people; `facts` are the numbers in it, by the code.
    """

    id: Id | None
    type: Literal["error"]
    code: ErrorCode
    message: str
    facts: dict[str, int] = ABSENT


class GatewayNotice(View):
    """Not the room's: API Gateway's own answer to a message that it did not pass on, because there
    were too many of all clients together. There is no `type`. Wait, and send the same again.
    """

    message: str
    connectionId: str = ABSENT  # noqa: N815
    requestId: str = ABSENT  # noqa: N815


type ClientMessage = Annotated[
    messages.Asked,
    Field(
        discriminator="route",
        description="What a client sends. The whole message is at most "
        f"{messages.MAX_BYTES} bytes of JSON text.",
    ),
]
type OkReply = Annotated[
    WatchReply
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
    | PingReply,
    Field(description="Done. Which of these it is follows from the route that was asked."),
]
type Reply = Annotated[
    OkReply | ErrorReply,
    Field(description="The answer to the message with this id, on the connection it came from."),
]
type Push = Annotated[
    EventsPush | SnapshotPush | PresencePush | OfferPush | LobbyPush,
    Field(discriminator="type", description="What the room sends of itself."),
]
type ServerMessage = Annotated[
    Reply | Push | GatewayNotice, Field(description="What a client receives.")
]

REPLIES: Final[dict[str, type[Done]]] = {
    "watch": WatchReply,
    "unwatch": UnwatchReply,
    "sync": SyncReply,
    "sit": SitReply,
    "quickseat": QuickSeatReply,
    "wait": WaitReply,
    "unwait": UnwaitReply,
    "topup": TopUpReply,
    "autotopup": AutoTopUpReply,
    "sitout": SitOutReply,
    "sitin": SitInReply,
    "leave": LeaveReply,
    "act": ActReply,
    "preact": PreActReply,
    "show": ShowReply,
    "dispute": DisputeReply,
    "lobby": LobbyReply,
    "account": AccountReply,
    "hands": HandsReply,
    "hand": HandReply,
    "ledger": LedgerReply,
    "results": ResultsReply,
    "limits": LimitsReply,
    "ping": PingReply,
}
"""By the route that was asked."""

PUSHES: Final[dict[str, type[View]]] = {
    "events": EventsPush,
    "snapshot": SnapshotPush,
    "presence": PresencePush,
    "offer": OfferPush,
    "lobby": LobbyPush,
}
"""By `type`."""
