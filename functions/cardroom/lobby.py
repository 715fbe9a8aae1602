"""The lobby: what there is to play, kept up to date for those who watch it.

While anybody watches, a chain of ticks runs through the floor's queue, one in each slot of time.
Whoever comes sends the tick of the next slot; as a slot is claimed once, that starts a chain where
none is running and changes nothing where one is.
"""

import json
from dataclasses import asdict
from typing import Any

from cardroom.errands import Tick, ask
from cardroom.listing import Row, State
from cardroom.ports import Clock, Delivery, Lines, Listing, Push, Queue, Signals, Views, Watchers
from poker_engine.frozen import dataclass

SLOT_MS = 3_000
"""Ticks are this far apart, and as much further as a message and its push take."""
AHEAD = 1_200
"""Slots: an hour. None comes so long before its time."""
MOST_ROWS = 120
"""In one message: API Gateway sends at most 128 KB."""

type View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tables: None and False leave it open."""

    game: str | None = None
    currency: str | None = None
    structure: str | None = None
    free: bool = False
    """Only where a seat can be taken."""

    def stake(self, row: Row) -> bool:
        return (
            self.game in (None, row.game)
            and self.currency in (None, row.currency)
            and self.structure in (None, row.structure)
        )

    def table(self, row: Row) -> bool:
        return not self.free or (row.taken < row.seats and row.state is State.OPEN)


EVERYTHING = Wanted()


class Lobby:
    def __init__(
        self, listing: Listing, watchers: Watchers, lines: Lines, floor: Queue, clock: Clock
    ) -> None:
        self._listing = listing
        self._watchers = watchers
        self._lines = lines
        self._floor = floor
        self._clock = clock

    def watch(self, connection: str, player: str) -> None:
        """From now on the connection is told how things stand, a slot and a moment apart."""
        self._watchers.watch(connection, player, self._clock.now())
        # After it, so that the tick, or the one that was before it in its slot, finds somebody.
        self.go_on()

    def unwatch(self, connection: str) -> None:
        self._watchers.unwatch(connection)

    def go_on(self, slot: int = 0) -> None:
        ask_for_tick(self._floor, self._clock.now(), slot)

    def parts(self, wanted: Wanted = EVERYTHING) -> list[View]:
        """The lobby as it is now: one view, or more where there are too many tables for a message.

        Each has all stakes; the tables are dealt out, those of a stake together, fullest first.
        """
        now = self._clock.now()
        rows = [row for row in self._listing.rows() if wanted.stake(row)]
        crowds = self._watchers.crowds(now)
        stakes = self._stakes(rows)
        tables = [
            {**asdict(row), "watching": crowds.get(row.table, 0)}
            for row in sorted(rows, key=_place)
            if wanted.table(row)
        ]
        starts = range(0, len(tables), MOST_ROWS) or range(1)
        return [
            {
                "now": now,
                "part": number,
                "parts": len(starts),
                "stakes": stakes,
                "tables": tables[start : start + MOST_ROWS],
            }
            for number, start in enumerate(starts, 1)
        ]

    def _stakes(self, rows: list[Row]) -> list[View]:
        """The stakes of these tables, smallest first."""
        by_stake: dict[str, list[Row]] = {}
        for row in sorted(rows, key=_place):
            by_stake.setdefault(row.structure, []).append(row)
        waiting = self._lines.lengths(by_stake)
        return [
            {
                "structure": structure,
                "game": of[0].game,
                "currency": of[0].currency,
                "small_blind": of[0].small_blind,
                "big_blind": of[0].big_blind,
                "small_bet": of[0].small_bet,
                "big_bet": of[0].big_bet,
                "tables": len(of),
                "taken": sum(row.taken for row in of),
                "seats": sum(row.seats for row in of),
                "waiting": waiting.get(structure, 0),
            }
            for structure, of in by_stake.items()
        ]


def ask_for_tick(floor: Queue, now: int, slot: int = 0) -> None:
    """The next one, after this slot if one is named."""
    following = max(slot, now // SLOT_MS) + 1
    ask(floor, Tick(following), delay_ms=following * SLOT_MS - now)


def _place(row: Row) -> tuple[str, str, int, int, str]:
    return row.currency, row.game, row.big_blind, -row.active, row.table


class Ticks:
    """What the floor does for the lobby."""

    def __init__(
        self,
        lobby: Lobby,
        watchers: Watchers,
        views: Views,
        push: Push,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._lobby = lobby
        self._watchers = watchers
        self._views = views
        self._push = push
        self._clock = clock
        self._signals = signals

    def tick(self, slot: int, errand: str) -> None:
        """Tell all who watch the lobby, and ask for the next tick; with nobody there the chain
        ends.
        """
        if slot > self._clock.now() // SLOT_MS + AHEAD:
            # Once it is claimed none before it can be.
            self._signals.count("ErrandDamaged")
            return
        # Before the claim: a slot that is claimed has a successor, which finds who has come since.
        connections = self._watchers.watchers(self._clock.now())
        if not connections or not self._watchers.claim(slot, errand):
            return
        self._lobby.go_on(slot)
        try:
            self._tell(connections)
        except Exception as error:  # The next tick tells it all.
            self._signals.count("LobbyFailed")
            self._signals.fault("lobby", error)

    def _tell(self, connections: list[str]) -> None:
        parts = self._lobby.parts()
        for part in parts:
            data = json.dumps({"type": "lobby", **part}, separators=(",", ":")).encode()
            for connection, outcome in self._push.post([(one, data) for one in connections]):
                if outcome is Delivery.GONE:
                    self._signals.count("ConnectionGone")
                    self._views.disconnect(connection)
                    # Also where it ended while it began to watch, and its own item is no more.
                    self._watchers.unwatch(connection)
                elif outcome is Delivery.FAILED:
                    self._signals.count("PushFailed")
        self._signals.count("LobbySent", len(connections))
