"""What has come to be so far, as the laws look at it: tables with their past, calls, counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NoReturn

from cardroom.stored import Stored
from poker_engine.events import Event, Seated, SeatEmptied
from poker_engine.state import Table
from tests.simulation.cloud import Cloud

SKEW_MS: Final = 500
"""How far a function's clock is off at most."""

type Hand = tuple[str, int]
"""A table and the hand's number there."""


class Broken(AssertionError):
    """A law does not hold."""


@dataclass
class Past:
    """Of a table."""

    opened: int = 0
    """Its seq when it was opened."""
    tables: dict[int, list[Table]] = field(default_factory=dict)
    """All that were stored, by seq: what concerns one seat alone is not counted."""
    since: dict[int, int] = field(default_factory=dict)
    """When each seq was stored first (ms)."""
    sat: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By player: when he sat down last, and the table's seq."""
    gone: dict[str, int] = field(default_factory=dict)
    """By player: the seq with which his seat was emptied last."""
    gone_at: dict[str, int] = field(default_factory=dict)
    """And when that was written (ms)."""
    seats_at: int = 0
    """When its seats, or what may be done with them, changed last."""
    listed_at: int = 0
    """When something that the lobby shows of it was written last."""
    told_at: int = 0
    """When something that all are told was written last."""

    def stored_since(self, moment: int) -> list[Table]:
        """The tables that there were since that moment (ms), the one that was there included."""
        found: list[Table] = []
        for seq in reversed(self.tables):
            found += self.tables[seq]
            if self.since[seq] < moment:
                break
        return found

    def seated(self, player: str, seq: int) -> bool:
        """Whether he had a seat at this seq."""
        return any(table.seat_of(player) is not None for table in self.tables.get(seq, ()))

    def happened(self, event: Event, seq: int, now: int) -> None:
        if isinstance(event, Seated):
            self.sat[event.player] = (now, seq)
        elif isinstance(event, SeatEmptied):
            self.gone[event.player] = seq
            self.gone_at[event.player] = now


def since[Value](kept: list[tuple[int, Value]], moment: int, first: Value) -> list[Value]:
    """Of values and when they came to be: those since that moment (ms), the one that was there
    included; `first` before all.
    """
    found: list[Value] = []
    for at, value in reversed(kept):
        found.append(value)
        if at < moment:
            return found
    return [*found, first]


@dataclass(eq=False)
class Call:
    """A client's message while a function works on it."""

    connection: str
    player: str
    route: str
    about: str
    """Its table or structure."""
    begun: int
    leaves: bool = False
    """It asks to be told no more."""
    ended: int | None = None


@dataclass
class Record:
    cloud: Cloud
    tables: dict[str, Stored] = field(default_factory=dict)
    pasts: dict[str, Past] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    """That run now, where clients tell of them."""
    calls_told: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    violation: str | None = None

    @property
    def now(self) -> int:
        return self.cloud.now

    def asks(self, player: str, routes: Iterable[str], about: Iterable[str]) -> list[Call]:
        """Of this player's calls those that run now, of these routes and about one of these."""
        return [
            call
            for call in self.calls
            if call.player == player and call.route in routes and call.about in about
        ]

    def fail(self, what: str) -> NoReturn:
        """Whoever catches it: the history ends with this step."""
        self.violation = self.violation or what
        raise Broken(what)
