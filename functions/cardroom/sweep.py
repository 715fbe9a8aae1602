"""Every minute: tables on which something has been due for too long, and the floor.

Their clock never started or has died, the table only has seats that sit out, or chips that are
leaving it have not reached their owner's wallet yet. What is due is applied, a hand that cannot go
on is voided, and a new clock is started where one should run. The floor is asked to look after the
lobby and each stake, should an errand have been lost.
"""

from cardroom import alarm
from cardroom.dealer import Applied, Dealer
from cardroom.errands import Serve, ask
from cardroom.errors import MissingDeckError, Refused, RulesError
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

    def run(self) -> int:
        """How many tables were overdue. One that fails spoils none of the others."""
        overdue = self._dealer.tables.overdue(self._clock.now() - OVERDUE_MS)
        for table_id in overdue:
            try:
                self._mend(table_id)
            except Exception as error:
                self._signals.count("StuckTable")
                self._signals.fault("sweep", error, table=table_id)
        self._signals.count("Overdue", len(overdue))
        try:
            self._ask_the_floor()
        except Exception as error:
            self._signals.count("SweepFailed")
            self._signals.fault("sweep", error)
        return len(overdue)

    def _ask_the_floor(self) -> None:
        ask_for_tick(self._floor, self._clock.now())
        for structure in sorted({row.structure for row in self._dealer.tables.rows()}):
            ask(self._floor, Serve(structure))

    def _mend(self, table_id: str) -> None:
        applied = self._applied(table_id)
        if isinstance(applied, Refused):
            self._signals.note("sweep", table=table_id, code=applied.code)
            return
        table = applied.stored.table
        self._signals.note("sweep", table=table_id, seq=applied.seq, events=len(applied.events))
        hand, at = alarm.current_hand(table), wake_at(table)
        now = self._clock.now()
        if hand is not None and at is not None and (applied.events or at <= now):
            alarm.start(self._timers, table_id, hand, f"{applied.seq}r", at, now)

    def _applied(self, table_id: str) -> Applied | Refused:
        try:
            return self._dealer.apply(table_id)
        except (MissingDeckError, RulesError) as error:
            self._signals.count("HandVoided")
            self._signals.fault("sweep", error, table=table_id)
            return self._dealer.void(table_id, "fault")
