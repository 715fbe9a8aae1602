"""The turn clock: one execution serves one hand and the pause before it.

It merely wakes this function. Early, late or doubled wake-ups change nothing: what is due is told
by the stored deadline, and the write is conditional.
"""

from typing import Any

from cardroom import alarm
from cardroom.dealer import Applied, Dealer
from cardroom.errors import Refused
from cardroom.ports import Clock, Signals, Timers
from cardroom.shape import holds
from cardroom.spans import SECOND_MS
from cardroom.systemclock import moment
from poker_engine.clock import wake_at
from poker_engine.frozen import dataclass

LIFETIME_MS = 240_000
"""An execution lives for 5 minutes at most; a wait that would end after this is left to a
successor.
"""


SLOW_MS = 500
"""So far a function's clock may be behind that of the state machine."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A wake-up: for which hand, and since when (ms) its execution runs."""

    table_id: str
    hand: int
    started: int


def read_ring(event: dict[str, Any]) -> Ring:
    """Of the state machine's event. Raises one of damage.UNREADABLE if that is damaged."""
    ring = Ring(event["table"], event["hand"], moment(event["started"]))
    if not holds(ring, Ring):
        raise ValueError("not a wake-up")
    return ring


class TurnClock:
    def __init__(self, dealer: Dealer, timers: Timers, clock: Clock, signals: Signals) -> None:
        self._dealer = dealer
        self._timers = timers
        self._clock = clock
        self._signals = signals

    def ring(self, ring: Ring) -> int | None:
        """Apply what is due. The next moment to wake at (ms, a whole second), or None: the
        execution ends.
        """
        self._signals.context(table=ring.table_id, hand=ring.hand)
        woken = self._clock.now()
        applied = self._applied(ring)
        if isinstance(applied, Refused):
            self._signals.note("clock", code=applied.code)
            return self._busy(ring, woken)
        table = applied.stored.table
        self._signals.note("clock", seq=applied.seq, events=len(applied.events), late=applied.late)
        at = wake_at(table)
        if at is None or not alarm.serves(table, ring.hand):
            return None
        now = self._clock.now()
        wait = alarm.wake(at, now)
        if wait - ring.started > LIFETIME_MS:
            tag = f"{applied.seq}s{now // SECOND_MS}"
            alarm.start(self._timers, ring.table_id, ring.hand, tag, at, now)
            return None
        return wait

    def _applied(self, ring: Ring) -> Applied | Refused:
        """What is due, and what is due in a moment: by a clock that is slow the wait has ended
        too early, and another one would cost more than the moment does. The moment may pass while
        the table is read: what is due is told by when the reading began.
        """
        applied = self._dealer.apply(ring.table_id)
        if isinstance(applied, Refused) or not alarm.serves(applied.stored.table, ring.hand):
            return applied
        at = wake_at(applied.stored.table)
        early = None if at is None else at - self._clock.now()
        if early is None or early > SLOW_MS:
            return applied
        if early > 0:
            self._clock.pause(early)
        return self._dealer.apply(ring.table_id)

    def _busy(self, ring: Ring, now: int) -> int | None:
        """The others who kept the table busy apply what is due; look again, unless there is no
        table.
        """
        if self._dealer.tables.load(ring.table_id) is None:
            return None
        wait = alarm.wake(now, now)
        return wait if wait - ring.started <= LIFETIME_MS else None
