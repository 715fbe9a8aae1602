"""`cardroom report pairs`: which pairs of players are worth a look, and why."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol

from cardroom.damage import UNREADABLE
from cardroom.days import Days
from cardroom.histories import Unreadable
from cardroom.personal import Arrival
from cardroom.spans import DAY_MS
from cardroom.stored import HandRecord
from cli.collusion.measures import Measure, Ranked, What, ranked
from cli.collusion.seen import seen
from cli.collusion.shared import Places
from cli.collusion.tallies import Tallies
from cli.finished import finished_record
from cli.progress import Progress
from cli.sheets import Column, Holds, Part, Report, Row

TOLD_POINTS: Final = 0.5
"""From which on a place that they share is told: ten days of a household of three come to it."""


class Records(Protocol):
    """Where a room keeps the records of its hands."""

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]: ...


@dataclass(slots=True)
class Found:
    """`amiss` is what could not be read."""

    days: Days
    tallies: Tallies = field(default_factory=Tallies)
    places: Places = field(default_factory=Places)
    amiss: list[str] = field(default_factory=list)


def look(
    records: Records,
    tables: Iterable[str],
    days: Days,
    *,
    progress: Progress | None = None,
    total: Callable[[str], int] = lambda table: 0,
) -> Found:
    """At all hands that ended on these days."""
    found = Found(days)
    names = list(tables)
    begins, ends = days.begins, days.ends
    done, of_all = 0, sum(map(total, names))
    for table in names:
        for record in records.records(table):
            done += 1
            if progress is not None:
                progress.at(min(done, of_all), of_all)
            if isinstance(record, Unreadable):
                found.amiss.append(f"{table} hand {record.number.lstrip('0')}")
                continue
            before = begins is not None and record.ended < begins
            if record.voided or before or (ends is not None and record.ended >= ends):
                continue
            try:
                hand = seen(finished_record(record))
                if hand is not None:
                    found.tallies.add(f"{table}/{record.number}", hand)
            except UNREADABLE:
                found.amiss.append(f"{table} hand {record.number}")
    return found


def look_where_from(found: Found, arrivals: Iterable[Arrival | str]) -> None:
    """At who came from where on these days: those of UTC, which the period touches."""
    first = None if found.days.begins is None else found.days.begins // DAY_MS
    last = None if found.days.ends is None else (found.days.ends - 1) // DAY_MS
    for one in arrivals:
        if isinstance(one, str):
            found.amiss.append(one)
        elif (first is None or one.day >= first) and (last is None or one.day <= last):
            found.places.add(one)


_COLUMNS: Final = (
    Column("rank", 4, Holds.COUNT),
    Column("players", 32),
    Column("score", 6, Holds.COUNT),
    Column("play", 6, Holds.COUNT),
    Column("hands", 6, Holds.COUNT),
    Column("net bb", 8, Holds.COUNT),
    Column("expected bb", 11, Holds.COUNT),
    Column("gross bb", 8, Holds.COUNT),
    Column("address", 7, Holds.COUNT),
    Column("device", 6, Holds.COUNT),
    Column("why", 20),
)


def report(found: Found, top: int) -> Report:
    """The `top` pairs, the most striking first."""
    tallies = found.tallies
    notes = (
        "net: what the first won of the second, in big blinds; expected: as both win of others",
        "why: what was counted, what both do elsewhere, and how rare that is by chance: 1 in 10^n",
        "play: the score by play alone; address, device: days on which both came from one",
        "a reason to look at hands, and no proof of anything",
    )
    return Report(
        "Pairs",
        (
            str(found.days),
            f"{tallies.hands} hands, {len(tallies.pairs)} pairs that met",
            *(f"cannot be read, and is not counted: {one}" for one in found.amiss),
        ),
        _COLUMNS,
        (Part("pairs", _COLUMNS, _rows(found, top), "nobody played", notes),),
    )


def _rows(found: Found, top: int) -> Iterator[Row]:
    pairs = ranked(found.tallies, found.places.shared())
    for rank, one in enumerate(islice(pairs, top), 1):
        passed = next(measure for measure in one.measures if measure.what is What.CHIPS)
        expected = passed.expected if one.pair.net > 0 else -passed.expected
        yield (
            rank,
            " ".join(one.names),
            f"{one.score:.1f}",
            f"{one.play:.1f}",
            one.pair.hands,
            f"{one.pair.net:.1f}",
            f"{expected:.1f}",
            f"{one.pair.gross:.1f}",
            one.shared.addresses,
            one.shared.devices,
            "; ".join(why(one)) or "nothing",
        )


def why(one: Ranked) -> Iterator[str]:
    """One sentence for each measure that is striking, the strongest first; then what they share."""
    for measure in one.reasons:
        rare = f"(1 in 10^{measure.surprise:.0f})"
        yield f"{measure.what}: {_told(one, measure)} {rare}"
    if one.shared.points >= TOLD_POINTS:
        text = f"{one.shared.addresses} days from one address, {one.shared.devices} with one device"
        yield f"one place: {text}, where {one.shared.fewest} came from"


def _told(one: Ranked, measure: Measure) -> str:
    taker = next(name for name in one.names if name != measure.giver)
    found, expected = f"{measure.found:.0f}", f"{measure.expected:.1f} expected"
    match measure.what:
        case What.CHIPS:
            return f"{measure.giver} lost {found} bb to {taker}, {expected}"
        case What.GIFTS:
            text = f"{measure.giver} lost 8 bb or more to {taker} with nothing, or by folding much"
            return f"{text}, {found} times, {expected}{_examples(one, measure)}"
        case What.YIELDS:
            text = f"{measure.giver} bet and folded when {taker} raised, nobody else being left"
            return f"{text}, {found} times, {expected}{_examples(one, measure)}"
        case What.SOFT:
            return f"bet or raised {found} of {measure.of} times with nobody else left, {expected}"
        case What.FOLDS:
            return f"folded {found} of {measure.of} times to the other's bet, {expected}"
        case What.SQUEEZE:
            return f"raised {found} of {measure.of} times after the other, others in, {expected}"


def _examples(one: Ranked, measure: Measure) -> str:
    if one.pair.sides is None:
        return ""
    side = one.pair.sides[one.names.index(measure.giver)]
    return f", as in {', '.join(side.examples)}" if side.examples else ""
