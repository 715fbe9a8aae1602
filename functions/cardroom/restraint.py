"""How often a seat may change what is no betting while a hand runs.

All of it is in the hand's log, which is a part of the one item that is the table: without a bound
somebody could make that item larger than any store takes, and lock the table.
"""

from collections.abc import Iterable
from typing import Final

from cardroom.errors import Refused, RoomCode
from poker_engine.commands import (
    AutoTopUp,
    Command,
    Leave,
    PreAct,
    Sit,
    SitIn,
    SitOut,
    TopUp,
    When,
)
from poker_engine.events import (
    Event,
    Planned,
    Prepared,
    RefillSet,
    SatIn,
    SatOut,
    Seated,
    SeatEmptied,
    ToppedUp,
)
from poker_engine.state import Table

MOST: Final = 24
"""Of one seat, in one hand."""
_COUNTED: Final = (Planned, Prepared, RefillSet, SatIn, SatOut, SeatEmptied, Seated, ToppedUp)
_BOUND: Final = (AutoTopUp, Leave, PreAct, Sit, SitIn, SitOut, TopUp)


def restrained(table: Table, player: str, command: Command, log: Iterable[Event]) -> Refused | None:
    """Why this wish is one too many for the running hand, whose events so far are the log. To act,
    to show and to leave are never too much.
    """
    seat = command.seat if isinstance(command, Sit) else table.seat_of(player)
    changes = sum(isinstance(event, _COUNTED) and event.seat == seat for event in log)
    return TOO_MANY if changes >= MOST else None


def bound(command: Command) -> bool:
    """Whether it has a bound at all."""
    if isinstance(command, Leave):
        return command.when is not When.NOW
    return isinstance(command, _BOUND)


TOO_MANY: Final = Refused(
    RoomCode.TOO_MANY_CHANGES,
    f"there were {MOST} changes at this seat already: wait until the hand is over",
    {"most": MOST},
)
