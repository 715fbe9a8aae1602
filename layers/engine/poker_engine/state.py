"""A table and its running hand, as values. Nothing here is hidden: hole cards stay in the deck.

Per-seat tuples are indexed by seat, from 0; sets of seats are bit masks (1 << seat).
"""

from enum import IntEnum, StrEnum
from functools import cache

from poker_engine.frozen import dataclass
from poker_engine.stakes import Settings


class Status(StrEnum):
    """A seat between hands (RULES 1.1, 2.5, 2.6)."""

    ACTIVE = "active"
    WAITING = "waiting"
    """For the big blind."""
    POSTING = "posting"
    """About to post what he owes, as soon as his place allows it."""
    OUT = "out"


class Street(IntEnum):
    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


BOARD_CARDS = (0, 3, 4, 5)
"""Cards on the board at each street."""


class Do(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


class PreDo(StrEnum):
    """What a seat may choose before its turn (RULES 10.3)."""

    CHECK_FOLD = "check_fold"
    """Check where it is free, else fold."""
    CALL = "call"
    FOLD = "fold"


class Cause(StrEnum):
    """Why an action was taken."""

    OWN = "own"
    EXPIRED = "expired"
    LEAVING = "leaving"
    REMOVED = "removed"


class Post(StrEnum):
    ANTE = "ante"
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    LIVE = "live"
    DEAD = "dead"


class Exit(StrEnum):
    """Why a seat empties."""

    LEFT = "left"
    REMOVED = "removed"
    """By the clock (RULES 4.2)."""
    SAT_OUT = "sat_out"
    CLOSED = "closed"


class Plan(StrEnum):
    """What a seat does when the big blind reaches it."""

    SIT_OUT = "sit_out"
    LEAVE = "leave"


@dataclass(frozen=True)
class Standing:
    """What a void hand puts back as it was (RULES 9)."""

    status: Status
    owes_small: bool = False
    owes_big: bool = False
    played: bool = False
    """Has been dealt in since he sat down."""
    big_blind_hand: int = 0
    """Number of the hand in which he last posted the big blind here; 0 if in none."""
    passes: int = 0
    """Big blinds that passed while he sat out, since he was last dealt in."""
    expired: int = 0
    """Betting rounds running that count towards removal (RULES 4.2)."""
    owes_until: int = 0
    """How long a small blind that he owes holds, should he leave (RULES 2.6)."""
    bank: int = 0
    """Milliseconds left in his time bank (RULES 10.4)."""


@dataclass(frozen=True)
class Seat:
    """An occupied seat.

    While a hand runs `stack` stays what it was before the hand: a void hand only forgets.
    """

    player: str
    stack: int
    standing: Standing
    topup: int = 0
    """Paid for, not yet in play (RULES 1.5)."""
    exit: Exit | None = None
    """The seat empties when its hand is over."""
    plan: Plan | None = None
    out_since: int | None = None
    refill: int = 0
    """Before each hand the seat buys chips up to this; 0 if it does not (RULES 10.1)."""

    @property
    def chips(self) -> int:
        """All that leaves with the player."""
        return self.stack + self.topup


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is.

    `deadline` is shown to clients; the turn can expire after `expires` (RULES 4.5).
    """

    number: int
    seat: int
    deadline: int
    expires: int
    banked: bool = False
    """It goes on in its seat's time bank (RULES 10.4)."""


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot when it was settled: `amount` includes `rake`; `shares` are (seat, chips)."""

    amount: int
    rake: int
    contenders: tuple[int, ...]
    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Hand:
    """A hand, running or just over. Built once an event, so without slots: see `evolve.changed`."""

    number: int
    deck: str
    started: int
    button: int
    small_blind: int | None
    big_blind: int | None
    dealt: tuple[int, ...]
    """Seats in dealing order: from the left of the button."""
    before: tuple[Standing | None, ...]
    positions_before: tuple[int | None, int | None, int | None, bool]
    """Table's button, small and big blind, and whether the next hand began by a draw."""
    behind: tuple[int, ...]
    """Chips that are left to each seat; 0 also for seats that were not dealt in."""
    bets: tuple[int, ...]
    """Put in on this street, dead money and antes apart."""
    totals: tuple[int, ...]
    """Put in over the hand for the pots: antes count, dead money does not."""
    dead: int = 0
    live: int = 0
    """Mask of seats still in."""
    acted: int = 0
    """Mask of seats that acted on this street."""
    own: int = 0
    """Mask of seats that took an action of their own on this street (RULES 4.2)."""
    timed: int = 0
    """Mask of seats whose time expired on this street (RULES 4.2)."""
    street: Street = Street.PREFLOP
    board: tuple[int, ...] = ()
    price: int = 0
    """Total of this street that a call makes up."""
    full: int = 0
    """No-limit: the largest full bet or raise of the round.

    Fixed-limit: the total of the last full bet.
    """
    raises: int = 0
    """Fixed-limit: full bets of this round, the big blind included."""
    capped: bool = False
    aggressor: int | None = None
    """Last to bet or raise on this street."""
    voluntary: bool = False
    """Somebody called, bet or raised pre-flop of his own will (RULES 6.1)."""
    turns: int = 0
    turn: Turn | None = None
    shown: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """(seat, cards) in the order in which they were turned up."""
    mucked: int = 0
    pots: tuple[Pot, ...] = ()
    over: bool = False
    voided: bool = False
    fresh: bool = False
    """Began by a draw; the debts of those who are away lapse when it ends (RULES 2.3, 9)."""
    pre: tuple[tuple[int, PreDo, int], ...] = ()
    """(seat, what, price) of pre-actions; the price is the one they were given for (RULES 10.3)."""
    rules: int = 1
    """Version of the rules under which it began, and ends; what decides differently asks for it."""


@dataclass(frozen=True, slots=True)
class Absent:
    """What the table keeps of one who left: debt (RULES 2.6) and last big blind (RULES 2.2)."""

    player: str
    until: int
    """He owes a small blind here until then; 0 if he owes none."""
    big_blind_hand: int = 0


@dataclass(frozen=True)
class Table:
    """The whole of a table's public state.

    Built once an event, so without slots: see `evolve.changed`.
    """

    settings: Settings
    seats: tuple[Seat | None, ...]
    seq: int = 0
    """Number of public events so far."""
    hands: int = 0
    """Number of the last hand that began."""
    hand: Hand | None = None
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    fresh: bool = True
    """The next hand begins by a draw (RULES 2.3)."""
    next_hand_at: int | None = None
    absent: tuple[Absent, ...] = ()
    closing: bool = False
    closed: bool = False
    frozen: bool = False
    """No next hand until it is thawed (RULES 10.2)."""

    def seat_of(self, player: str) -> int | None:
        """The player's seat, or None."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player:
                return number
        return None

    @property
    def running(self) -> Hand | None:
        """The hand, if it is not over."""
        return self.hand if self.hand is not None and not self.hand.over else None


@cache
def clockwise(start: int, seats: int) -> tuple[int, ...]:
    """All seats in order from the left of `start`, `start` itself last."""
    return (*range(start + 1, seats), *range(start + 1))
