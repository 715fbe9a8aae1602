"""The floor: runs the lobby, and looks after tables and waiting lists of each stake.

Its errands come at least once and in no order; what is damaged is passed over.
"""

from typing import Protocol

from cardroom.errands import Tick, load_errand
from cardroom.ports import Signals


class Ticking(Protocol):
    def tick(self, slot: int, errand: str) -> None:
        """Once in this slot, whoever comes first; the errand's id tells one that comes again."""
        ...


class Serving(Protocol):
    def serve(self, structure: str) -> None:
        """Whatever there is to do at this stake now."""
        ...


class Floor:
    def __init__(self, lobby: Ticking, stakes: Serving, signals: Signals) -> None:
        self._lobby = lobby
        self._stakes = stakes
        self._signals = signals

    def deliver(self, errands: list[tuple[str, str]]) -> list[str]:
        """Message ids and bodies of a batch; returns the ids of those that have to come again."""
        ticks: dict[str, int] = {}
        stakes: dict[str, list[str]] = {}
        for message_id, body in errands:
            try:
                errand = load_errand(body)
            except (ValueError, RecursionError) as error:
                self._signals.count("ErrandDamaged")
                self._signals.fault("floor", error)
                continue
            if isinstance(errand, Tick):
                ticks[message_id] = errand.slot
            else:
                stakes.setdefault(errand.structure, []).append(message_id)
        # The lobby's first: it is the one that must not be late.
        again = [one for one, slot in ticks.items() if not self._ticked(slot, one)]
        for structure, message_ids in stakes.items():
            if not self._served(structure):
                again += message_ids
        return again

    def _ticked(self, slot: int, message_id: str) -> bool:
        try:
            self._lobby.tick(slot, message_id)
        except Exception as error:
            self._failed(error)
            return False
        return True

    def _served(self, structure: str) -> bool:
        try:
            self._stakes.serve(structure)
        except Exception as error:
            self._failed(error, structure=structure)
            return False
        return True

    def _failed(self, error: Exception, **fields: str) -> None:
        self._signals.count("FloorFailed")
        self._signals.fault("floor", error, **fields)
