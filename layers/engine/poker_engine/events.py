"""What happened at a table.

Every event is public: no hidden card is ever in one. Times are milliseconds.
"""

from typing import Final

from poker_engine.frozen import dataclass
from poker_engine.stakes import Settings
from poker_engine.state import Cause, Do, Exit, Plan, Post, PreDo, Status, Street


@dataclass(frozen=True, slots=True)
class Opened:
    settings: Settings


@dataclass(frozen=True, slots=True)
class Seated:
    seat: int
    player: str
    chips: int
    posting: bool
    owes_small: bool
    """He left this table owing a small blind, less than 90 minutes ago (RULES 2.6)."""


@dataclass(frozen=True, slots=True)
class ToppedUp:
    """Chips that are paid for and wait for a settled table (RULES 1.5)."""

    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class TopUpPlayed:
    """Of these, chips that came into play."""

    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class RefillSet:
    """Up to where the seat buys chips before each hand; 0: no more. For that seat alone."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class SatOut:
    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class SatIn:
    """Back at the table: active where nothing is owed, else waiting or posting (RULES 2.6)."""

    seat: int
    status: Status


@dataclass(frozen=True, slots=True)
class Planned:
    """What the seat will do at its next big blind; None takes it back. For that seat alone."""

    seat: int
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class Going:
    """The seat empties when its hand is over (RULES 2.7, 4.3)."""

    seat: int
    exit: Exit


@dataclass(frozen=True, slots=True)
class SeatEmptied:
    seat: int
    player: str
    chips: int
    exit: Exit
    at: int


@dataclass(frozen=True, slots=True)
class HandScheduled:
    at: int


@dataclass(frozen=True, slots=True)
class Paused:
    """Fewer than two can play: debts lapse, the next hand begins by a draw (RULES 2.3)."""


@dataclass(frozen=True, slots=True)
class HandStarted:
    number: int
    deck: str
    at: int
    button: int
    small_blind: int | None
    big_blind: int | None
    dealt: tuple[int, ...]
    fresh: bool
    """Everybody was dealt in by a new draw and debts lapsed (RULES 2.3)."""
    missed_small: tuple[int, ...]
    missed_big: tuple[int, ...]
    """Seats that this hand's blinds passed (RULES 2.6)."""
    rules: int = 1
    """Version of the rules by which it is played."""


@dataclass(frozen=True, slots=True)
class Posted:
    seat: int
    post: Post
    amount: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    number: int
    seat: int
    deadline: int
    expires: int


@dataclass(frozen=True, slots=True)
class BankOpened:
    """The turn goes on in its seat's time bank (RULES 10.4)."""

    seat: int
    deadline: int
    expires: int


@dataclass(frozen=True, slots=True)
class BankClosed:
    """The turn ends; so much is left in the bank."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the seat will do on its turn at this price; None takes it back. For that seat alone.

    Void when the price changes, a street is dealt or the hand ends (RULES 10.3).
    """

    seat: int
    do: PreDo | None
    price: int


@dataclass(frozen=True, slots=True)
class Acted:
    """`to` is the seat's total of this street after it, `paid` the chips that it took."""

    seat: int
    do: Do
    to: int
    paid: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class BoardDealt:
    street: Street
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """The uncalled part (RULES 3.6)."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Shown:
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mucked:
    seat: int


@dataclass(frozen=True, slots=True)
class PotWon:
    """`pot` counts from 0, the main pot; `amount` includes `rake` (RULES 5, 6)."""

    pot: int
    amount: int
    rake: int
    contenders: tuple[int, ...]
    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HandEnded:
    number: int
    at: int


@dataclass(frozen=True, slots=True)
class HandVoided:
    number: int
    at: int
    reason: str


@dataclass(frozen=True, slots=True)
class Closing:
    pass


@dataclass(frozen=True, slots=True)
class Closed:
    pass


@dataclass(frozen=True, slots=True)
class Frozen:
    """No hand begins from here on (RULES 10.2)."""


@dataclass(frozen=True, slots=True)
class Thawed:
    """Who sits out does so from this moment on, as far as the table can tell (RULES 2.6)."""

    at: int


type Event = (
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
    | Paused
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
    | Closing
    | Closed
    | RefillSet
    | Frozen
    | Thawed
    | Prepared
    | BankOpened
    | BankClosed
)

PRIVATE: Final = frozenset({Planned, RefillSet, Prepared})
"""What is told to its seat alone, and counted by no `seq`."""
