"""Laws: what has been done is answered so, however often it is asked for; and who asks how a table
stands is told how it stands.
"""

import json
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any, Final

from poker_engine.state import Table
from poker_engine.views import snapshot
from tests.simulation.record import Call, Record
from tests.simulation.secrecy import OWN

BUYS: Final = frozenset({"sit", "topup"})
ASKS: Final = frozenset({"watch", "sync"})
PARTS: Final = ("seats", "button", "hands", "next_hand_at", "hand", "turn", "closing", "frozen")
"""Of a snapshot: what does not hang on when it is made, nor for whom."""
PASSING: Final = frozenset({"busy", "internal"})
"""Codes of refusals that say nothing of the command."""

type Json = dict[str, Any]


@dataclass
class Answers:
    record: Record
    bought: Set[tuple[str, str]]
    """By player and id, what was charged."""
    _asked: dict[Call, Table] = field(default_factory=dict)
    """Of the calls that run: the table about which they ask, as it was when they began."""
    _again: dict[Call, Json] = field(default_factory=dict)
    """Of the calls that run: what they ask for, where that was done before they began."""

    def begun(self, call: Call, message: Json) -> None:
        if call.route in ASKS and call.about in self.record.tables:
            self._asked[call] = self.record.tables[call.about].table
        if self._known(call, message):
            self._again[call] = message

    def ended(self, call: Call, reply: Json | None) -> None:
        table = self._asked.pop(call, None)
        if table is not None and reply is not None and reply["type"] == "ok":
            self._stands(call, table, reply)
        message = self._again.pop(call, None)
        # The room may have forgotten it meanwhile.
        if message is None or reply is None or not self._known(call, message):
            return
        self.record.counts["answered again"] += 1
        if reply["type"] == "error" and reply["code"] not in PASSING:
            said = f"{message['id']} was done, and is refused: {reply['code']}"
            self.record.fail(f"{call.player}'s {said}")

    def _stands(self, call: Call, table: Table, reply: Json) -> None:
        """This was the table when he began to ask."""
        past, shot = self.record.pasts[call.about], reply.get("snapshot")
        both = (table, self.record.tables[call.about].table)
        late = table.settings.delay_s and any(one.seat_of(call.player) is None for one in both)
        if not late and reply["seq"] < table.seq:
            self.record.fail(f"{call.player} is told {call.about} as it was at {reply['seq']}")
        tables = past.tables.get(reply["seq"], ())
        if shot is None or not tables:
            return
        self.record.counts["answers compared"] += 1
        if not any(_public(shot["state"]) == _public(_shown(one)) for one in tables):
            self.record.fail(f"{call.player} is told another {call.about} at {reply['seq']}")

    def _known(self, call: Call, message: Json) -> bool:
        """Whether it has been done, and its answer is kept."""
        if call.route in BUYS and (call.player, message["id"]) in self.bought:
            return True
        stored = self.record.tables.get(message.get("table", ""))
        return stored is not None and stored.results.find(call.player, message["id"]) is not None


def _shown(table: Table) -> Json:
    state: Json = json.loads(json.dumps(snapshot(table, None, None, 0)["state"]))
    return state


def _public(state: Json) -> Json:
    parts = {part: state[part] for part in PARTS}
    parts["seats"] = [
        seat and {name: value for name, value in seat.items() if name not in OWN}
        for seat in state["seats"]
    ]
    return parts
