"""The operator's rake by stake and day, from the entries of rake: the ledger's other side.

A hand's rake counts on the day on which it was booked, which is when the hand ended. One entry at a
time is in memory, and a sum for each day and stake.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Protocol

from cardroom.days import Days
from cardroom.takings import Taken, UnreadableTaken
from cli.progress import Progress
from cli.sheets import Column, Holds, Part, Report, Row

UNKNOWN: Final = "?"
"""The stake of a table of which nothing else is known."""
NONE: Final = "no rake was taken"


class Takings(Protocol):
    """Where a room keeps what it took."""

    def tables(self) -> list[str]: ...

    def taken(self, table_id: str) -> Iterator[Taken | UnreadableTaken]: ...

    def stake(self, table_id: str) -> str:
        """As nl-PHP-500-1000; empty where nobody knows it."""
        ...


@dataclass(slots=True)
class Sum:
    hands: int = 0
    rake: int = 0

    def add(self, other: "Sum") -> None:
        self.hands += other.hands
        self.rake += other.rake


@dataclass(slots=True)
class Rakes:
    """`sums` by day, stake and currency; `amiss` is what could not be read."""

    days: Days
    sums: dict[tuple[date, str, str], Sum] = field(default_factory=dict)
    amiss: list[str] = field(default_factory=list)


def rakes(
    takings: Takings,
    days: Days,
    *,
    progress: Progress | None = None,
    total: Callable[[str], int] = lambda table: 0,
) -> Rakes:
    told = Rakes(days)
    names = takings.tables()
    of_all = sum(map(total, names))
    begins, ends, done = days.begins, days.ends, 0
    for name in names:
        stake = takings.stake(name) or UNKNOWN
        for one in takings.taken(name):
            done += 1
            if progress is not None:
                progress.at(min(done, of_all), of_all)
            if isinstance(one, UnreadableTaken):
                told.amiss.append(f"{one.table_id} hand {one.number.lstrip('0')}")
                continue
            if (begins is not None and one.at < begins) or (ends is not None and one.at >= ends):
                continue
            key = days.day(one.at), stake, one.currency
            told.sums.setdefault(key, Sum()).add(Sum(1, one.amount))
    return told


_STAKE: Final = Column("stake", 24)
_CURRENCY: Final = Column("currency", 8)
_SUMS: Final = (Column("raked hands", 12, Holds.COUNT), Column("rake", 14, Holds.MONEY))
_DAYS: Final = (Column("day", 10), _STAKE, _CURRENCY, *_SUMS)


def report(told: Rakes) -> Report:
    return Report(
        "Rake",
        (str(told.days), *(f"cannot be read, and is not counted: {one}" for one in told.amiss)),
        _DAYS,
        (
            Part("by day and stake", _DAYS, _rows(told), NONE),
            Part("by stake", (_STAKE, _CURRENCY, *_SUMS), _grouped(told, (1, 2)), NONE),
            Part("in all", (_CURRENCY, *_SUMS), _grouped(told, (2,)), NONE),
        ),
    )


def _rows(told: Rakes) -> Iterator[Row]:
    for (day, stake, currency), one in sorted(told.sums.items()):
        yield (str(day), stake, currency, one.hands, one.rake)


def _grouped(told: Rakes, places: Iterable[int]) -> Iterator[Row]:
    """Sums over all keys that are equal in these places."""
    kept = tuple(places)
    found: dict[tuple[str, ...], Sum] = {}
    for key, one in told.sums.items():
        found.setdefault(tuple(str(key[place]) for place in kept), Sum()).add(one)
    for name, one in sorted(found.items()):
        yield (*name, one.hands, one.rake)
