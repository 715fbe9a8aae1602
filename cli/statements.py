"""A player's statement: every entry of his ledger, and what he won or lost by day and table.

It adds up twice. Of each currency, the opening balance and the entries come to the closing balance.
And of each table, the chips that he had there, what he bought, what he won or lost in its hands,
and what was paid out come to the chips that he has there at the end of the day.

Entries are told in the order in which they were booked, and count on the day of their moment or of
one before it, where the clocks of two writers differ; a hand counts on the day on which it ended.
The ledger of one player is in memory, and of hands no more than a page of records.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Protocol

from cardroom.damage import UNREADABLE
from cardroom.days import Days, moment
from cardroom.histories import Unreadable
from cardroom.money import Entry, Kind
from cardroom.outcomes import outcome
from cardroom.stored import HandRecord
from cli.progress import Progress
from cli.sheets import Cell, Column, Holds, Part, Report, Row

UNKNOWN: Final = "?"
"""The stake of a table of which nothing else is known."""


class Ledgers(Protocol):
    """Where a room keeps its money and its hands."""

    def entries(self, player: str) -> list[Entry]:
        """His whole ledger, by currency and in order."""
        ...

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]: ...

    def stake(self, table_id: str) -> str:
        """As nl-PHP-500-1000; empty where nobody knows it."""
        ...


@dataclass(slots=True)
class Sat:
    """Of a player at one table on one day, in minor units; `chips` he has there at its end."""

    hands: int = 0
    bought: int = 0
    paid: int = 0
    net: int = 0
    rake: int = 0
    chips: int = 0

    @property
    def moved(self) -> int:
        """What it changes of his chips there."""
        return self.bought + self.net - self.paid


@dataclass(slots=True)
class Purse:
    """Of one currency: the entries of these days, and the balances before and after them."""

    opening: int = 0
    entries: list[tuple[date, Entry]] = field(default_factory=list)

    @property
    def closing(self) -> int:
        return self.opening + sum(entry.amount for _, entry in self.entries)


@dataclass(slots=True)
class Statement:
    """`before` are chips at tables when the first day begins; `amiss` is what could not be read, so
    that results and chips may be wrong.
    """

    player: str
    days: Days
    purses: dict[str, Purse] = field(default_factory=dict)
    sat: dict[tuple[date, str], Sat] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    stakes: dict[str, str] = field(default_factory=dict)
    currencies: dict[str, str] = field(default_factory=dict)
    amiss: list[str] = field(default_factory=list)

    def chips(self, currency: str) -> int:
        """At tables, when the last day ends."""
        tables = [table for table, held in self.currencies.items() if held == currency]
        moved = sum(one.moved for (_, table), one in self.sat.items() if table in tables)
        return sum(self.before.get(table, 0) for table in tables) + moved


def statement(
    ledgers: Ledgers,
    player: str,
    days: Days,
    now: int,
    *,
    currency: str | None = None,
    progress: Progress | None = None,
    total: Callable[[str], int] = lambda table: 0,
) -> Statement:
    """Of these days, as far as they have come at `now`."""
    ends = now + 1 if days.ends is None else min(days.ends, now + 1)
    told = Statement(player, days)
    _count_entries(told, ledgers.entries(player), ends, currency)
    names = sorted(told.currencies)
    sums = {name: total(name) for name in names}
    done, of_all = 0, sum(sums.values())
    for name in names:
        told.stakes[name] = ledgers.stake(name) or UNKNOWN
        for record in ledgers.records(name):
            done += 1
            if progress is not None:
                progress.at(min(done, of_all), of_all)
            _count_hand(told, record, ends)
    _count_chips(told)
    return told


def _count_entries(
    told: Statement, entries: Iterable[Entry], ends: int, currency: str | None
) -> None:
    begins = told.days.begins or 0
    latest: dict[str, int] = {}
    for entry in entries:
        if currency not in (None, entry.currency):
            continue
        purse = told.purses.setdefault(entry.currency, Purse())
        at = latest[entry.currency] = max(latest.get(entry.currency, 0), entry.at)
        if at >= ends:
            continue
        if at < begins:
            purse.opening += entry.amount
        else:
            purse.entries.append((told.days.day(at), entry))
        if entry.table:
            told.currencies[entry.table] = entry.currency
            _count_chips_of(told, entry, None if at < begins else told.days.day(at))


def _count_chips_of(told: Statement, entry: Entry, day: date | None) -> None:
    """`day` is None before the first one."""
    if day is None:
        told.before[entry.table] = told.before.get(entry.table, 0) - entry.amount
        return
    sat = told.sat.setdefault((day, entry.table), Sat())
    if entry.kind is Kind.PAY_OUT:
        sat.paid += entry.amount
    else:
        sat.bought -= entry.amount


def _count_hand(told: Statement, record: HandRecord | Unreadable, ends: int) -> None:
    if isinstance(record, Unreadable):
        told.amiss.append(f"{record.table_id} hand {record.number.lstrip('0')}")
        return
    table = record.table_id
    if record.ended >= ends:
        return
    try:
        found = outcome(record, told.player)
    except UNREADABLE:
        told.amiss.append(f"{table} hand {record.number}")
        return
    if found is None:
        return
    if record.ended < (told.days.begins or 0):
        told.before[table] = told.before.get(table, 0) + found.net
        return
    sat = told.sat.setdefault((told.days.day(record.ended), table), Sat())
    sat.hands += 1
    sat.net += found.net
    sat.rake += found.rake


def _count_chips(told: Statement) -> None:
    """At the end of each day at each table."""
    held = dict(told.before)
    for (_, table), sat in sorted(told.sat.items()):
        held[table] = sat.chips = held.get(table, 0) + sat.moved


_DAY: Final = Column("day", 10)
_CURRENCY: Final = Column("currency", 8)
_ENTRIES: Final = (
    Column("number", 6, Holds.COUNT),
    _DAY,
    Column("time", 8),
    Column("kind", 10),
    Column("amount", 14, Holds.MONEY),
    Column("balance", 14, Holds.MONEY),
    Column("about", 24),
    Column("who", 10),
    Column("why", 10),
)
_RESULTS: Final = (
    _DAY,
    Column("table", 16),
    Column("stake", 22),
    _CURRENCY,
    Column("hands", 6, Holds.COUNT),
    Column("bought", 14, Holds.MONEY),
    Column("paid out", 14, Holds.MONEY),
    Column("result", 14, Holds.MONEY),
    Column("rake", 12, Holds.MONEY),
    Column("at table", 14, Holds.MONEY),
)
_STAKES: Final = tuple(one for one in _RESULTS if one.name not in ("day", "table", "at table"))
_ALL: Final = (
    _CURRENCY,
    *_ENTRIES,
    *(one for one in _RESULTS if one.name not in ("day", "currency")),
)


def report(told: Statement) -> Report:
    """Its parts: for each currency the ledger, then results by day and table, and by stake."""
    return Report(
        f"Statement of {told.player}",
        (str(told.days), *(f"cannot be read, and is not counted: {one}" for one in told.amiss)),
        _ALL,
        _parts(told),
    )


def _parts(told: Statement) -> Iterator[Part]:
    for currency, purse in sorted(told.purses.items()):
        yield Part(
            f"{currency} ledger",
            (_CURRENCY, *_ENTRIES),
            _ledger(told, currency, purse),
            notes=(f"closing balance and chips at tables: {_closing(told, currency, purse)}",),
        )
    if not told.purses:
        yield Part("ledger", (_CURRENCY, *_ENTRIES), (), "nothing was ever booked")
    yield Part("results by day and table", _RESULTS, _results(told), "no chips at any table")
    yield Part(
        "results by stake",
        _STAKES,
        _by_stake(told),
        "no chips at any table",
        (
            "a result is what the hands won or lost after rake; rake is that of pots won",
            "a hand counts on the day on which it ended",
        ),
    )


def _closing(told: Statement, currency: str, purse: Purse) -> str:
    text = Column("", 0, Holds.MONEY).text
    chips = told.chips(currency)
    return f"{text(purse.closing)} + {text(chips)} = {text(purse.closing + chips)} {currency}"


def _ledger(told: Statement, currency: str, purse: Purse) -> Iterator[Row]:
    def balance(kind: str, day: date | None, held: int) -> Row:
        said = None if day is None else str(day)
        return (currency, None, said, None, kind, None, held, None, None, None)

    yield balance("opening", told.days.first, purse.opening)
    zone = told.days.zone.info
    for day, entry in purse.entries:
        about = f"table {entry.table}" if entry.table else f"reference {entry.reference}"
        yield (
            currency,
            entry.number,
            str(day),
            f"{moment(entry.at, zone):%H:%M:%S}",
            str(entry.kind),
            entry.amount,
            entry.balance,
            about,
            entry.who,
            entry.why,
        )
    yield balance("closing", told.days.last, purse.closing)


def _results(told: Statement) -> Iterator[Row]:
    for (day, table), sat in sorted(told.sat.items()):
        cells: tuple[Cell, ...] = (str(day), table, told.stakes[table], told.currencies[table])
        yield (*cells, sat.hands, sat.bought, sat.paid, sat.net, sat.rake, sat.chips)


def _by_stake(told: Statement) -> Iterator[Row]:
    sums: dict[tuple[str, str], Sat] = {}
    for (_, table), sat in told.sat.items():
        key = told.stakes[table], told.currencies[table]
        one = sums.get(key, Sat())
        sums[key] = replace(
            one,
            hands=one.hands + sat.hands,
            bought=one.bought + sat.bought,
            paid=one.paid + sat.paid,
            net=one.net + sat.net,
            rake=one.rake + sat.rake,
        )
    for (stake, currency), one in sorted(sums.items()):
        yield (stake, currency, one.hands, one.bought, one.paid, one.net, one.rake)
