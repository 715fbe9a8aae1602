"""A law: what has been done is answered so, however often it is asked for."""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation.record import Call, Record

BUYS: Final = frozenset({"sit", "topup"})
PASSING: Final = frozenset({"busy", "internal"})
"""Codes of refusals that say nothing of the command."""

type Json = dict[str, Any]


@dataclass
class Answers:
    record: Record
    bought: Set[tuple[str, str]]
    """By player and id, what was charged."""
    _again: dict[Call, Json] = field(default_factory=dict)
    """Of the calls that run: what they ask for, where that was done before they began."""

    def begun(self, call: Call, message: Json) -> None:
        if self._known(call, message):
            self._again[call] = message

    def ended(self, call: Call, reply: Json | None) -> None:
        message = self._again.pop(call, None)
        # The room may have forgotten it meanwhile.
        if message is None or reply is None or not self._known(call, message):
            return
        self.record.counts["answered again"] += 1
        if reply["type"] == "error" and reply["code"] not in PASSING:
            said = f"{message['id']} was done, and is refused: {reply['code']}"
            self.record.fail(f"{call.player}'s {said}")

    def _known(self, call: Call, message: Json) -> bool:
        """Whether it has been done, and its answer is kept."""
        if call.route in BUYS and (call.player, message["id"]) in self.bought:
            return True
        stored = self.record.tables.get(message.get("table", ""))
        return stored is not None and stored.results.find(call.player, message["id"]) is not None
