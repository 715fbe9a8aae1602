"""Presence: which of the seated players have no connection that watches their table.

It is told to the seats, and to spectators with their snapshots. It decides nothing: it may come
late or twice, each time as it is then, and the newest is true.
"""

import json
from collections.abc import Iterable
from typing import Any

from cardroom.gone import forget_gone
from cardroom.ports import Clock, Push, Signals, Tables, Viewer, Views
from cardroom.trouble import may_pass
from poker_engine.frozen import dataclass
from poker_engine.state import Table


@dataclass(frozen=True, slots=True)
class Change:
    """A connection has begun or ceased to watch from a seat; `sequence` is the stream's own number
    of it.
    """

    sequence: str
    table_id: str


def away(table: Table, viewers: Iterable[Viewer]) -> list[int]:
    """The seats whose players are away."""
    here = {viewer.player for viewer in viewers}
    return [
        number
        for number, seat in enumerate(table.seats)
        if seat is not None and seat.player not in here
    ]


class Attendance:
    def __init__(
        self, tables: Tables, audiences: Views, push: Push, clock: Clock, signals: Signals
    ) -> None:
        self._tables = tables
        self._audiences = audiences
        self._push = push
        self._clock = clock
        self._signals = signals

    def tell(self, changes: Iterable[Change]) -> str | None:
        """A batch, each table once; returns the stream's number of the first change to come again,
        or None.
        """
        first: dict[str, str] = {}
        for change in changes:
            first.setdefault(change.table_id, change.sequence)
        again: list[str] = []
        for table_id, sequence in first.items():
            try:
                self._tell(table_id)
            except Exception as error:
                self._signals.count("PresenceFailed")
                self._signals.fault("attendance", error, table=table_id)
                if may_pass(error):
                    again.append(sequence)
        return again[0] if again else None

    def _tell(self, table_id: str) -> None:
        # The moment before it is read: what is newer is never taken for older.
        now = self._clock.now()
        stored = self._tables.load(table_id)
        if stored is None:
            return
        table, viewers = stored.table, self._audiences.audience(table_id, now).seated
        message: dict[str, Any] = {
            "type": "presence",
            "table": table_id,
            "now": now,
            "away": away(table, viewers),
        }
        data = json.dumps(message, separators=(",", ":")).encode()
        # Who has lost his seat may still be here, and is told nothing any more.
        seated = [one for one in viewers if table.seat_of(one.player) is not None]
        outcomes = self._push.post([(viewer.connection, data) for viewer in seated])
        forget_gone(table_id, outcomes, self._audiences, self._signals)
