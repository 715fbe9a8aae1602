"""Who waits for a seat at a stake, and for whom a free seat is kept.

A stake has one line, first come first served. A free seat is offered to the first in it, for a
time; who does not take it loses his place, and it is offered to the next. A seat that is offered,
or due to somebody who waits, is not there for others.
"""

from collections.abc import Iterable

from cardroom.listing import Row, State
from poker_engine.frozen import dataclass

OFFER_MS = 30_000


@dataclass(frozen=True, slots=True)
class Waiter:
    """A player in the line of a stake, which is in order of `since` (ms)."""

    structure: str
    player: str
    since: int
    table: str = ""
    """Where a seat is offered to him; empty while none is."""
    until: int = 0
    """How long (ms); 0 while none is."""
    told: bool = True
    """Of this offer, or that it was taken back: an offer of which he was not told costs nothing."""

    @property
    def place(self) -> tuple[int, str]:
        """What the line is sorted by: the name decides between two of one moment."""
        return self.since, self.player

    def lapsed(self, now: int) -> bool:
        """The time of his offer is over: he waits no more."""
        return self.told and self.over(now)

    def over(self, now: int) -> bool:
        return bool(self.table) and self.until <= now


type Line = tuple[Waiter, ...]


def waiting(line: Line, now: int) -> Line:
    """Those who still wait."""
    return tuple(one for one in line if not one.lapsed(now))


def place_of(line: Line, player: str) -> Waiter | None:
    return next((one for one in line if one.player == player), None)


@dataclass(frozen=True, slots=True)
class Kept:
    """Seats of a table that a player may not take: those on offer there to others, and one for each
    who came before him and has no offer yet.
    """

    offers: tuple[Waiter, ...]
    before: tuple[Waiter, ...]

    @property
    def seats(self) -> int:
        return len(self.offers) + len(self.before)

    def until(self, now: int) -> int:
        """When the first of them may be free again (ms): an offer that is not made yet is about to
        be.
        """
        running = (one.until for one in self.offers if not one.over(now))
        return min(running, default=now + OFFER_MS)


def kept_from(player: str, table_id: str, line: Line) -> Kept:
    """What those who wait keep from him at this table. To him whose offer it is all seats are open:
    if there are fewer than offers, the first come has it.
    """
    mine = place_of(line, player)
    if mine is not None and mine.table == table_id:
        return Kept((), ())
    others = [one for one in line if one.player != player]
    return Kept(
        tuple(one for one in others if one.table == table_id),
        tuple(one for one in others if not one.table and (mine is None or one.place < mine.place)),
    )


def free_seats(row: Row) -> int:
    """That can be taken: none where the table is closing or frozen."""
    return row.seats - row.taken if row.state is State.OPEN else 0


def best_first(rows: Iterable[Row]) -> list[Row]:
    """The tables of a stake as one would choose among them (before a first hand none is active)."""
    return sorted(
        rows, key=lambda row: (-row.active, -(row.hands_hour or 0), -row.taken, row.table)
    )


@dataclass(frozen=True, slots=True)
class Offer:
    waiter: Waiter
    table: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The seat is not there any more, or he was not told in time: he keeps his place."""

    waiter: Waiter


@dataclass(frozen=True, slots=True)
class Lapse:
    waiter: Waiter


@dataclass(frozen=True, slots=True)
class Seated:
    """He has a seat at the stake: he waits no more."""

    waiter: Waiter


@dataclass(frozen=True, slots=True)
class Dismiss:
    """There is no table of this stake any more."""

    waiter: Waiter


type Step = Offer | TakeBack | Lapse | Seated | Dismiss


def steps(line: Line, rows: Iterable[Row], now: int) -> list[Step]:
    """What has to be done for this line, the tables of the stake being these.

    Offers come when all else is done: who is given back his place is before those behind him.
    """
    rows = best_first(rows)
    players = {player for row in rows for player in row.players}
    left = {row.table: free_seats(row) for row in rows}
    found: list[Step] = []
    without: list[Waiter] = []
    for one in line:
        if one.player in players:
            found.append(Seated(one))
        elif one.lapsed(now):
            found.append(Lapse(one))
        elif not one.table:
            without.append(one)
        elif left.get(one.table, 0) > 0 and not one.over(now):
            left[one.table] -= 1
        else:
            found.append(TakeBack(one))
    if found:
        return found
    for one in without:
        table = next((row.table for row in rows if left[row.table] > 0), None)
        if table is None:
            break
        left[table] -= 1
        found.append(Offer(one, table))
    return found
