"""When the turn clock is woken, and how its executions are named."""

from cardroom.ports import Timers
from cardroom.spans import SECOND_MS
from poker_engine.state import Table

SOONEST_MS = 1000
"""No wake-up sooner than this: an early one would only have to wait again."""


def wake(at: int, now: int) -> int:
    """The moment (ms) for a wait that should end at `at`: in whole seconds, as waits are cut."""
    return -(-max(at, now + SOONEST_MS) // SECOND_MS) * SECOND_MS


def serves(table: Table, hand: int) -> bool:
    """Whether the execution for this hand still has something to wait for: the hand, or the pause
    before it.
    """
    running = table.running
    if running is not None:
        return running.number == hand
    return table.next_hand_at is not None and table.hands + 1 == hand


def current_hand(table: Table) -> int | None:
    """The hand for which a clock should run: the running one, or the next that is planned."""
    if table.running is not None:
        return table.running.number
    return table.hands + 1 if table.next_hand_at is not None else None


def start(timers: Timers, table_id: str, hand: int, tag: str, at: int, now: int) -> None:
    """`tag` tells apart what asks for a clock; the same asking twice gives the same name."""
    timers.start(f"{table_id}-{hand}-{tag}", table_id, hand, wake(at, now))
