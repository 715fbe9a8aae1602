"""Hands of a room, one after another into a file: which, for whom, and in which format.

No more than a page of records is in memory at any time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, TextIO

from cardroom.damage import UNREADABLE
from cardroom.days import Zone
from cardroom.histories import Look, Unreadable
from cardroom.spans import SECOND_MS
from cardroom.stored import HandRecord
from cli.cases import dump_line
from cli.finished import Finished, NoHandError, finished_record
from cli.formats import ohh, phh, pokerstars
from cli.printable import printable
from cli.progress import Progress
from cli.record import NoCaseError, case_of_record
from poker_engine.views import EVERYTHING, Sight

DAMAGED: Final = "its record is damaged"


class Format(StrEnum):
    CASES = "cases"
    """Of replay: see docs/cases.md. It holds all cards."""
    PHH = "phh"
    OHH = "ohh"
    POKERSTARS = "pokerstars"


TELL_VOID: Final = frozenset({Format.PHH, Format.POKERSTARS})
"""Those that can say that a hand was void. In Open Hand History somebody wins each pot; a case is
played to its end.
"""


class Histories(Protocol):
    """Where a room keeps the records of its hands."""

    def tables(self) -> list[str]:
        """Ids of all tables that ever were."""
        ...

    def tables_of(self, player: str) -> list[str]:
        """Ids of those at which he ever bought chips."""
        ...

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        """A table's finished hands in order, or this one."""
        ...

    def put_look(self, look: Look) -> None: ...

    def looks(self) -> Iterator[Look | str]: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hands; all of these must hold. `day` is written as 2026-11-30."""

    player: str | None = None
    day: str | None = None
    number: int | None = None
    zone: Zone = field(default_factory=Zone)

    def moments(self) -> tuple[int, int] | None:
        """The day's first millisecond and the next day's: it has 23 to 25 hours.

        Raises ValueError with one sentence.
        """
        if self.day is None:
            return None
        zone = self.zone.info
        try:
            begins = datetime.strptime(self.day, "%Y-%m-%d").replace(tzinfo=zone)
            ends = (begins + timedelta(days=1)).replace(tzinfo=zone)
            return int(begins.timestamp()) * SECOND_MS, int(ends.timestamp()) * SECOND_MS
        except (ValueError, OverflowError):
            raise ValueError(f"{printable(self.day)!r} is no day, like 2026-11-30") from None

    def __str__(self) -> str:
        words = []
        if self.number is not None:
            words.append(f"hand {self.number}")
        if self.player is not None:
            words.append(f"hands of {printable(self.player)}")
        if self.day is not None:
            words.append(f"hands begun on {self.day} in {self.zone.name}")
        return ", ".join(words) or "all hands"


@dataclass
class Outcome:
    """`void` hands are those left out: void ones that the format can tell are written."""

    written: int = 0
    void: int = 0
    damaged: int = 0


def export(
    histories: Histories,
    tables: Iterable[str],
    wanted: Wanted,
    kind: Format,
    out: TextIO,
    err: TextIO,
    *,
    sight: Sight = EVERYTHING,
    total: Callable[[str], int] = lambda table: 0,
) -> Outcome:
    """Writes them; what was left out and why, and how many, goes to `err`, and on a terminal a bar:
    `total` says how many hands a table has had.
    """
    outcome = Outcome()
    names = list(tables)
    sum_of_all = sum(map(total, names))
    write = _writer(kind, wanted, out)
    moments = wanted.moments()
    done = 0
    with Progress(err) as progress:
        for table in names:
            for record in histories.records(table, wanted.number):
                done += 1
                progress.at(min(done, sum_of_all), sum_of_all)
                why = _written(record, wanted, moments, sight, kind, write, outcome)
                if why is not None:
                    number = record.number
                    if isinstance(number, str):
                        number = printable(number.lstrip("0"))
                    progress.print(err, f"{table} hand {number} left out: {why}")
    print(f"{outcome.written} hands written", file=err)
    return outcome


type Write = Callable[[HandRecord, Finished], None]


def _written(
    record: HandRecord | Unreadable,
    wanted: Wanted,
    moments: tuple[int, int] | None,
    sight: Sight,
    kind: Format,
    write: Write,
    outcome: Outcome,
) -> str | None:
    """Why it was left out, where that is to be said."""
    if isinstance(record, Unreadable):
        outcome.damaged += 1
        return DAMAGED
    if moments is not None and not moments[0] <= record.started < moments[1]:
        return None
    try:
        hand = finished_record(record, sight)
        if wanted.player is not None and hand.seat_of(wanted.player) is None:
            return None
        if hand.void is not None and kind not in TELL_VOID:
            outcome.void += 1
            return f"the hand was void, which {kind} cannot say"
        write(record, hand)
    except (NoHandError, NoCaseError) as error:
        if sight.player is not None and record.opening:
            return None  # He was not dealt in: it is not his to know of.
        return str(error)
    except UNREADABLE:
        outcome.damaged += 1
        return DAMAGED
    outcome.written += 1
    return None


def _writer(kind: Format, wanted: Wanted, out: TextIO) -> Write:
    zone, name = wanted.zone.info, wanted.zone.name
    numbers = iter(range(1, 1 << 62))

    def case(record: HandRecord, hand: Finished) -> None:
        out.write(f"{dump_line(case_of_record(record))}\n")

    def table_of_toml(record: HandRecord, hand: Finished) -> None:
        text = phh.dump(hand, zone, name)
        out.write(text if wanted.number is not None else f"[{next(numbers)}]\n{text}\n")

    def json_object(record: HandRecord, hand: Finished) -> None:
        out.write(f"{ohh.dump(hand)}\n\n")

    def paragraphs(record: HandRecord, hand: Finished) -> None:
        out.write(f"{pokerstars.dump(hand, zone)}\n\n")

    writers: dict[Format, Write] = {
        Format.CASES: case,
        Format.PHH: table_of_toml,
        Format.OHH: json_object,
        Format.POKERSTARS: paragraphs,
    }
    return writers[kind]
