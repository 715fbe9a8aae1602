"""Each half hour: moves old records of hands into the archive, as far as there is time.

What it does not come to, the next run does: the one that has been old for longest first. A block
that is not as it should be is told, and a table with which a service has trouble; the others go.
"""

from collections.abc import Callable, Iterator
from typing import Final

from cardroom.archiving import Archive, Archiving, Moved, NotMovedError, Records, Step
from cardroom.ports import Clock, Signals
from cardroom.spans import HOUR_MS

BLOCK_MS: Final = 10_000
"""So much is left when the last block is begun. Whoever is stopped in one has lost nothing."""
STRIDE: Final = 7919
"""A prime: so far apart runs begin that are an hour apart."""


class Archivist:
    def __init__(self, records: Records, archive: Archive, clock: Clock, signals: Signals) -> None:
        self._records = records
        self._archive = archive
        self._clock = clock
        self._signals = signals

    def run(self, left: Callable[[], int]) -> int:
        """How many records went. `left` tells how much time there is (ms)."""
        now = self._clock.now()
        archiving = Archiving(self._records, self._archive, now)
        moved = refused = 0
        for step in self._steps(archiving, left, now):
            if isinstance(step, Moved):
                moved += step.records
                self._signals.note(
                    "archived", table=step.table_id, block=step.block, records=step.records
                )
            elif isinstance(step.why, NotMovedError):
                refused += 1
                self._signals.fault("archive", step.why, item=step.why.item)
            else:
                self._signals.count("ArchiveFailed")
                self._signals.fault("archive", step.why, table=step.table_id)
        self._signals.count("BlocksRefused", refused)
        self._signals.count("ArchiveBehind", archiving.behind // 1000)
        return moved

    def _steps(self, archiving: Archiving, left: Callable[[], int], now: int) -> Iterator[Step]:
        """Half the time is for looking. Each run begins it at another table: of more than one run
        can look at, each is looked at some time.
        """
        half = left() // 2
        tables = list(self._records.tables().items())
        first = now // HOUR_MS * STRIDE % len(tables) if tables else 0
        for table_id, closed in tables[first:] + tables[:first]:
            if left() < half:
                break
            yield from archiving.look({table_id: closed})
        steps = archiving.move()
        while left() > BLOCK_MS and (step := next(steps, None)) is not None:
            yield step
