"""A law: who folds in what he is pushed knows the table as it was at that seq."""

import json
from dataclasses import dataclass, field
from typing import Any, Final

from local.table_view import Outcome, TableView
from poker_engine.views import snapshot
from tests.simulation.record import Record
from tests.simulation.secrecy import OWN

PUBLIC: Final = ("seats", "button", "hands", "next_hand_at", "turn", "closing", "frozen")
"""Of a snapshot: what pushes keep up to date, for everybody."""

type Json = dict[str, Any]


@dataclass
class Folding:
    record: Record
    _shown: dict[tuple[str, int], Json] = field(default_factory=dict)
    """By table and seq, as far as it was compared."""

    def fold(self, view: TableView, push: Json) -> Outcome:
        """Fold a push in, as its client does."""
        who = view.player or "a guest"
        try:
            outcome = view.push(push)
        except (LookupError, TypeError):
            self.record.fail(f"{who} cannot fold in what follows {push['before']} of {view.table}")
        tables = self.record.pasts[view.table].tables.get(view.seq)
        if outcome is not Outcome.APPLIED or view.stale or tables is None:
            return outcome
        if tables[-1].settings.delay_s and view.mine is None:
            return outcome  # Who has just left is not told whose turn it is.
        self.record.counts["pushes compared"] += 1
        at = (view.table, view.seq)
        if at not in self._shown:
            state = snapshot(tables[-1], None, None, self.record.now)["state"]
            self._shown[at] = json.loads(json.dumps({part: state[part] for part in PUBLIC}))
        for part, wanted in self._shown[at].items():
            known = view.state.get(part)
            if part == "seats":
                known = [_public(seat) for seat in view.seats]
            if known != wanted:
                self.record.fail(f"{who} has other {part} of {view.table} at {view.seq}")
        return outcome


def _public(seat: Json | None) -> Json | None:
    return seat and {name: value for name, value in seat.items() if name not in OWN}
