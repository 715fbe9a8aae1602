"""What the floor does at a stake: its line is served, tables open and close.

It looks how things stand and does what has to be done, until there is nothing left to do. So an
errand that comes twice, late or with another finds less to do or nothing; whoever changes a seat or
a line sends one afterwards. Each step is conditional on what was seen: where it is not so any more,
it looks again.
"""

import json
from typing import Any

from cardroom.damage import DamagedError
from cardroom.errands import Serve, ask
from cardroom.listing import Row, row_of
from cardroom.ports import Clock, Delivery, Lines, Push, Queue, Signals, Tables, Views
from cardroom.supply import Supply, all_full
from cardroom.waiting import (
    OFFER_MS,
    Dismiss,
    Lapse,
    Offer,
    Seated,
    Step,
    TakeBack,
    Waiter,
    steps,
)

LOOKS = 20
"""In one errand; another one goes on."""
AGAIN_MS = 1_000
MARGIN_MS = 1_000
"""An offer is looked after when it has been over for so long."""


class Stakes:
    def __init__(
        self,
        tables: Tables,
        lines: Lines,
        supply: Supply,
        views: Views,
        push: Push,
        floor: Queue,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._tables = tables
        self._lines = lines
        self._supply = supply
        self._views = views
        self._push = push
        self._floor = floor
        self._clock = clock
        self._signals = signals

    def serve(self, structure: str) -> None:
        for _ in range(LOOKS):
            if not self._changed(structure):
                return
        ask(self._floor, Serve(structure), delay_ms=AGAIN_MS)

    def _changed(self, structure: str) -> bool:
        """Whether something was done, or has changed meanwhile: then there may be more to do."""
        # The line first: who leaves it for a seat between the two is seen in that seat.
        line = self._lines.line(structure)
        self._signals.count("Waiting", len(line))
        rows = self._listed(structure)
        if not line and not all_full(rows) and not self._supply.spare(rows):
            # Each row was written before the errand that its table's last change asked for.
            return False
        if line and not rows and self._is_gone(structure):
            self._do(structure, [Dismiss(one) for one in line])
            return False
        rows = self._as_they_are(rows)
        todo = steps(line, rows, self._clock.now())
        if todo:
            self._do(structure, todo)
            return True
        for waiter in line:
            if not waiter.told:
                self._tell(waiter, self._news(waiter))
                self._lines.told(waiter)
        return self._supply.adjust(rows, lambda: self._as_they_are(self._listed(structure)), line)

    def _listed(self, structure: str) -> list[Row]:
        return [row for row in self._tables.rows() if row.structure == structure]

    def _is_gone(self, structure: str) -> bool:
        """Whether no table of this stake is open: of one that cannot be read nobody knows."""
        known = {row.table for row in self._tables.rows() if row.structure != structure}
        return known.issuperset(self._tables.listed())

    def _as_they_are(self, rows: list[Row]) -> list[Row]:
        """Read from the tables themselves. One that is damaged offers nothing, nor does it make the
        others fewer.
        """
        found: list[Row] = []
        for row in rows:
            try:
                stored = self._tables.load(row.table)
            except DamagedError:
                continue  # Reported.
            if stored is not None:
                found.append(row_of(stored.table_id, stored.table, stored.pace))
        return found

    def _do(self, structure: str, todo: list[Step]) -> None:
        """One after the other, up to the first that meets something else than was seen."""
        until = self._clock.now() + OFFER_MS
        if any(isinstance(step, Offer) for step in todo):
            # First: then no offer is left without somebody who looks after it.
            ask(self._floor, Serve(structure), delay_ms=OFFER_MS + MARGIN_MS)
        for step in todo:
            if not self._done(step, until):
                return

    def _done(self, step: Step, until: int) -> bool:
        match step:
            case Offer(waiter=waiter, table=table):
                done = self._lines.offer(waiter, table, until)
                self._signals.count("SeatOffered", int(done))
            case TakeBack(waiter=waiter):
                done = self._lines.take_back(waiter)
                self._signals.count("OfferTakenBack", int(done))
            case Seated(waiter=waiter):
                done = self._lines.drop(waiter)
            case Dismiss(waiter=waiter):
                self._tell(waiter, {"table": None, "until": None, "waiting": False})
                done = self._lines.drop(waiter)
                self._signals.count("LineClosed", int(done))
            case Lapse(waiter=waiter):
                # First: who is not told would go on believing that he waits.
                self._tell(waiter, {"table": None, "until": None, "waiting": False})
                done = self._lines.drop(waiter)
                self._signals.count("OfferMissed", int(done))
        return done

    def _news(self, waiter: Waiter) -> dict[str, Any]:
        if waiter.table:
            return {"table": waiter.table, "until": waiter.until, "waiting": True}
        return {"table": None, "until": None, "waiting": True}

    def _tell(self, waiter: Waiter, news: dict[str, Any]) -> None:
        """On all his devices. What does not arrive is not sent again: he may ask."""
        now = self._clock.now()
        message = {"type": "offer", "structure": waiter.structure, **news, "now": now}
        data = json.dumps(message, separators=(",", ":")).encode()
        connections = self._views.connections_of(waiter.player)
        for connection, outcome in self._push.post([(one, data) for one in connections]):
            if outcome is Delivery.GONE:
                self._signals.count("ConnectionGone")
                self._views.disconnect(connection)
            elif outcome is Delivery.FAILED:
                self._signals.count("PushFailed")
