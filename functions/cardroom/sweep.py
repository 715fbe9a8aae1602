"""Every minute: tables on which something has been due for too long, and the floor.

Their clock never started or has died, the table only has seats that sit out, or chips that are
leaving it have not reached their owner's wallet yet. What is due is applied, a hand that cannot go
on is voided, and a new clock is started where one should run. The floor is asked to look after the
lobby and each stake, should an errand have been lost.
"""

from collections.abc import Iterable

from cardroom import alarm
from cardroom.census import Census
from cardroom.dealer import Applied, Dealer
from cardroom.errands import Serve, ask
from cardroom.errors import MissingDeckError, Refused, RulesError
from cardroom.listing import Row
from cardroom.lobby import ask_for_tick
from cardroom.ports import Clock, Queue, Signals, Timers
from poker_engine.clock import wake_at

OVERDUE_MS = 3000
"""A clock that runs is never as late as this."""


class Sweep:
    def __init__(
        self, dealer: Dealer, timers: Timers, floor: Queue, clock: Clock, signals: Signals
    ) -> None:
        self._dealer = dealer
        self._timers = timers
        self._floor = floor
        self._clock = clock
        self._signals = signals
        self._census = Census(dealer.tables, signals)

    def run(self) -> int:
        """How many tables were overdue. One that fails spoils none of the others."""
        overdue = self._dealer.tables.overdue(self._clock.now() - OVERDUE_MS)
        stuck = 0
        for table_id in overdue:
            try:
                stuck += self._mend(table_id)
            except Exception as error:
                stuck += 1
                self._signals.count("StuckTable")
                self._signals.fault("sweep", error, table=table_id)
        self._signals.context(write=None)
        self._signals.count("Overdue", len(overdue))
        self._signals.count("StuckHands", stuck)
        try:
            ask_for_tick(self._floor, self._clock.now())
            rows = self._dealer.tables.rows()
            self._ask_the_floor(rows)
            self._census.take(rows, self._clock.now())
        except Exception as error:
            self._signals.count("SweepFailed")
            self._signals.fault("sweep", error)
        return len(overdue)

    def _ask_the_floor(self, rows: Iterable[Row]) -> None:
        for structure in sorted({row.structure for row in rows}):
            ask(self._floor, Serve(structure))

    def _mend(self, table_id: str) -> bool:
        """Whether it was a hand that waited, or the pause before one."""
        stuck = False
        applied: Applied | Refused
        try:
            applied = self._dealer.apply(table_id)
        except (MissingDeckError, RulesError) as error:
            stuck = True
            self._signals.count("HandVoided")
            self._signals.fault("sweep", error, table=table_id)
            applied = self._dealer.void(table_id, "fault")
        if isinstance(applied, Refused):
            self._signals.note("sweep", table=table_id, code=applied.code)
            return stuck
        late, events = applied.late, len(applied.events)
        self._signals.note("sweep", table=table_id, seq=applied.seq, events=events, late=late)
        if applied.stored.leaving and not applied.written:
            # Tried again, and not paid: a write that leaves chips behind has counted them itself.
            self._signals.count("Unpaid", len(applied.stored.leaving))
        table = applied.stored.table
        hand, at = alarm.current_hand(table), wake_at(table)
        now = self._clock.now()
        if hand is not None and at is not None and (applied.events or at <= now):
            alarm.start(self._timers, table_id, hand, f"{applied.seq}r", at, now)
        return stuck or (late is not None and late >= OVERDUE_MS)
