"""What an operator asks for after pushes were lost: how tables stand is told anew, from STATE.

No money and no record hangs on pushes, so this is all that there is to mend.
"""

from collections.abc import Iterable

from cardroom.broadcast import Broadcast
from cardroom.damage import DamagedError
from cardroom.ports import Signals, Tables

MOST = 20
"""Tables in one request: each of them may have many connections."""


class Redrive:
    def __init__(self, tables: Tables, broadcast: Broadcast, signals: Signals) -> None:
        self._tables = tables
        self._broadcast = broadcast
        self._signals = signals

    def run(self, table_ids: Iterable[str]) -> dict[str, list[str]]:
        """Which were told anew; which were not, as they are not there or a service failed; and
        which cannot be read, however often. One that fails spoils none of the others.
        """
        done: list[str] = []
        failed: list[str] = []
        damaged: list[str] = []
        for table_id in table_ids:
            try:
                stored = self._tables.load(table_id)
                if stored is not None:
                    self._broadcast.tell_anew(stored)
            except DamagedError:
                damaged.append(table_id)  # Reported.
                continue
            except Exception as error:
                self._signals.count("BroadcastFailed")
                self._signals.fault("redrive", error, table=table_id)
                stored = None
            (failed if stored is None else done).append(table_id)
        self._signals.note("redrive", tables=len(done), failed=len(failed) + len(damaged))
        return {"redriven": done, "failed": failed, "damaged": damaged}
