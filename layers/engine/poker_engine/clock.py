"""Deadlines (RULES 4.1, 4.5): when a turn may be expired, and what is due at a given moment."""

from enum import Enum, auto

from poker_engine.state import Status, Table

SECOND = 1000


class Due(Enum):
    EXPIRE = auto()
    """Decide `Expire`."""
    START = auto()
    """Decide `Start`, with a new deck."""


def expires_at(deadline: int, grace: int) -> int:
    """First whole second after deadline and grace: an action before it counts, then it expires.

    Whole, because a state machine's wait is cut to seconds.
    """
    return (deadline + grace) // SECOND * SECOND + SECOND


def nearest_second(moment: int) -> int:
    """For a pause, which half a second more or less does not hurt: then no wait is cut short."""
    return (moment + SECOND // 2) // SECOND * SECOND


def sit_out_ends(table: Table, seat: int) -> int | None:
    """When a seat that sits out is emptied (RULES 2.6).

    None for others, while its hand runs, and at a table that is frozen (RULES 10.2).
    """
    occupant = table.seats[seat]
    if table.frozen:
        return None
    if occupant is None or occupant.out_since is None or occupant.standing.status is not Status.OUT:
        return None
    hand = table.running
    if hand is not None and seat in hand.dealt:
        return None
    return occupant.out_since + table.settings.sit_out_ms


def _deadlines(table: Table) -> list[tuple[int, Due]]:
    if table.closed:
        return []
    deadlines = [
        (at, Due.EXPIRE)
        for seat in range(len(table.seats))
        if (at := sit_out_ends(table, seat)) is not None
    ]
    hand = table.running
    if hand is not None:
        if hand.turn is not None:
            deadlines.append((hand.turn.expires, Due.EXPIRE))
    elif table.next_hand_at is not None:
        deadlines.append((table.next_hand_at, Due.START))
    return deadlines


def wake_at(table: Table) -> int | None:
    """The next moment at which something is due; None if only a command can change the table."""
    return min((at for at, _ in _deadlines(table)), default=None)


def due(table: Table, now: int) -> Due | None:
    """What has to be decided at `now` before anything else."""
    passed = [(at, what) for at, what in _deadlines(table) if at <= now]
    return min(passed, key=lambda one: one[0])[1] if passed else None
