"""The room counted, as its metrics have it each minute: players, tables, and whether chips are
missing.
"""

from collections.abc import Sequence
from typing import Final

from cardroom.damage import DamagedError
from cardroom.listing import Row
from cardroom.ports import Signals, Tables
from cardroom.spans import MINUTE_MS

CHECKED: Final = 25
"""Tables whose chips are counted in a minute, each by one read; of more, others in the next one."""
PLAYING: Final = 2
"""Active seats from which on a table plays (RULES 1.1)."""


class Census:
    def __init__(self, tables: Tables, signals: Signals) -> None:
        self._tables = tables
        self._signals = signals

    def take(self, rows: Sequence[Row], now: int) -> None:
        """Of the open tables, as the list has them."""
        signals = self._signals
        seated, active = sum(row.taken for row in rows), sum(row.active for row in rows)
        signals.count("OpenTables", len(rows))
        signals.count("SeatedPlayers", seated)
        signals.count("ActivePlayers", active)
        slowest = slowest_of(rows)
        if slowest is not None and slowest.acting_ms is not None:
            signals.milliseconds("SlowestTable", slowest.acting_ms)
        missing = self._missing([row.table for row in rows], now)
        signals.count("ChipDifference", missing)
        signals.note(
            "room",
            tables=len(rows),
            seated=seated,
            active=active,
            slowest=None if slowest is None else slowest.table,
            missing=missing,
        )

    def _missing(self, table_ids: Sequence[str], now: int) -> int:
        """Chips that are missing or too many, of the tables whose turn it is."""
        total = 0
        for table_id in in_turn(table_ids, now // MINUTE_MS):
            try:
                missing = self._tables.chips_missing(table_id) or 0
            except DamagedError:
                continue  # Reported.
            if missing:
                self._signals.note("chips missing", table=table_id, missing=missing)
            total += abs(missing)
        return total


def slowest_of(rows: Sequence[Row]) -> Row | None:
    """Where an action takes longest, of the tables that play."""
    playing = [row for row in rows if row.active >= PLAYING and row.acting_ms is not None]
    return max(playing, key=lambda row: (row.acting_ms or 0, row.table), default=None)


def in_turn(names: Sequence[str], turn: int, most: int = CHECKED) -> list[str]:
    """`most` of them, at the next turn those that follow, so that none is left out for ever."""
    if len(names) <= most:
        return list(names)
    start = turn * most % len(names)
    return [*names[start:], *names[:start]][:most]
