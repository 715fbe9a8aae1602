"""How many hands a second are exported, and what it takes of memory, however many they are."""

import io
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bench.hand_files import own_hands
from cardroom.histories import Unreadable
from cardroom.stored import HandRecord
from cli.cases import Case, deck_of, read_cases
from cli.exporting import Format, Wanted, export
from cli.replay import replay_case, table_of
from poker_engine.codec import dump_events, dump_table
from poker_engine.stakes import RULES_VERSION

NOON: Final = 1_764_072_000_000
UNIT: Final = 1024 if sys.platform == "linux" else 1
"""Of ru_maxrss, in bytes."""
MEGABYTE: Final = 1_000_000
TABLES: Final = 10


@dataclass(frozen=True)
class Measured:
    kind: Format
    hands: int
    seconds: float
    """Of the processor."""
    written: int
    """Bytes."""
    before: int
    after: int
    """The most memory that the process had taken, in bytes: before the export, and after it."""


class Tables:
    """Records of the project's own hands, over and over, each as new as if it were just read."""

    def __init__(self, records: Sequence[HandRecord], hands: int) -> None:
        self._records, self._hands = records, hands

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        for hand in range(1, self._hands // TABLES + 1):
            one = self._records[hand % len(self._records)]
            yield replace(
                one,
                table_id=table_id,
                number=hand,
                events=str(one.events.encode(), "ascii"),
                opening=str(one.opening.encode(), "ascii"),
            )


def own_records() -> list[HandRecord]:
    cases = [case for file in own_hands() for case in read_cases(file)]
    return [record_of(case) for case in cases if isinstance(case, Case)]


def record_of(case: Case) -> HandRecord:
    table = table_of(case)
    stakes = replace(table.settings.stakes, rake="php", currency="PHP")
    table = replace(table, settings=replace(table.settings, stakes=stakes))
    return HandRecord(
        table_id="bench",
        number=1,
        opening=dump_table(table),
        events=dump_events(replay_case(case, table).events),
        deck=deck_of(case),
        started=NOON,
        ended=NOON,
        currency="PHP",
        schedule="php",
        rake=0,
        pots="[]",
        rules=RULES_VERSION,
        voided=False,
    )


def measure(hands: int, kind: Format) -> Measured:
    found: Any = Tables(own_records(), hands)
    names = [f"bench-{number}" for number in range(TABLES)]
    with Path(os.devnull).open("w") as out:
        export(found, names, Wanted(number=1), kind, out, io.StringIO())
        before = _most_memory()
        began = time.process_time()
        counted: Any = _Counting(out)
        outcome = export(found, names, Wanted(), kind, counted, io.StringIO())
        seconds = time.process_time() - began
    return Measured(kind, outcome.written, seconds, counted.written, before, _most_memory())


class _Counting(io.TextIOBase):
    """Writes on, and counts."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self.written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        self._out.write(text)
        return len(text)


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT


def report(one: Measured) -> str:
    grown = (one.after - one.before) / MEGABYTE
    return (
        f"{one.kind}: {one.hands} hands, {one.written / MEGABYTE:.0f} MB, in {one.seconds:.0f} s "
        f"of the processor ({one.hands / max(one.seconds, 0.001):.0f} a second); the most memory "
        f"{one.after / MEGABYTE:.0f} MB, {grown:.1f} MB more than for the first hands"
    )
