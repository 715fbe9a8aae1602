"""What may be asked of a table.

A command states a wish; `decide` answers with events or a refusal.
"""

from enum import StrEnum

from poker_engine.buyin import Left
from poker_engine.frozen import dataclass
from poker_engine.stakes import PLAYED_RULES
from poker_engine.state import Do, Post, PreDo


class When(StrEnum):
    """When to sit out or leave. NOW finishes a running hand first; NEVER takes a plan back."""

    NOW = "now"
    BIG_BLIND = "big_blind"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat with `chips`; `post` asks to be dealt in at once (RULES 2.5).

    `left` are the player's leavings of tables of this structure (RULES 1.4), whatever their age.
    """

    player: str
    seat: int
    chips: int
    post: bool = False
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class TopUp:
    """Add chips up to the maximum; in a hand they wait until it is settled (RULES 1.5)."""

    player: str
    chips: int


@dataclass(frozen=True, slots=True)
class AutoTopUp:
    """Buy chips up to `to` before each hand from now on; 0 ends it (RULES 10.1)."""

    player: str
    to: int


@dataclass(frozen=True, slots=True)
class SitOut:
    player: str
    when: When = When.NOW


@dataclass(frozen=True, slots=True)
class SitIn:
    """Come back, or choose anew between waiting for the big blind and posting (RULES 2.5, 2.6)."""

    player: str
    post: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    player: str
    when: When = When.NOW


@dataclass(frozen=True, slots=True)
class Act:
    """Act on one's turn. `to` is the total of this street and belongs to bet and raise only."""

    player: str
    hand: int
    turn: int
    do: Do
    to: int = 0


@dataclass(frozen=True, slots=True)
class PreAct:
    """Choose before one's turn what to do on it; None takes it back (RULES 10.3).

    `price` is the one that the player saw: the total of this street that a call makes up.
    """

    player: str
    hand: int
    price: int
    do: PreDo | None


@dataclass(frozen=True, slots=True)
class Show:
    """Show one or both hole cards after the hand (RULES 5.4); `cards` are indexes 0 and 1."""

    player: str
    cards: tuple[int, ...] = (0, 1)


@dataclass(frozen=True, slots=True)
class Expire:
    """The turn's time is over (RULES 4), or somebody sat out for too long (RULES 2.6)."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the next hand. `draw` is uniform in range(2520), for a button by a draw (RULES 2.3)."""

    deck: str
    draw: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Begin a hand with a layout given from outside: a recorded hand, not one of the room's own.

    `dealt` are the seats in dealing order; it is trusted, seats must be occupied and amounts
    positive.
    """

    deck: str
    button: int
    small_blind: int | None
    big_blind: int | None
    dealt: tuple[int, ...]
    posts: tuple[tuple[int, Post, int], ...]
    rules: int = PLAYED_RULES
    """Version of the rules by which it was played."""


@dataclass(frozen=True, slots=True)
class Void:
    """The hand cannot go on (RULES 9)."""

    reason: str


@dataclass(frozen=True, slots=True)
class Close:
    """Finish the running hand, pay everybody out, take no more players (RULES 2.8)."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """Finish the running hand, then let nothing happen to anybody (RULES 10.2)."""


@dataclass(frozen=True, slots=True)
class Thaw:
    """Go on where it was frozen (RULES 10.2)."""


type Command = (
    Sit
    | TopUp
    | AutoTopUp
    | SitOut
    | SitIn
    | Leave
    | Act
    | PreAct
    | Show
    | Expire
    | Start
    | Deal
    | Void
    | Close
    | Freeze
    | Thaw
)
