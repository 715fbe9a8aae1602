"""The hands that a room played, as cases: replayed by the engine, and by pokerkit beside it. And as
the formats that other programs read, read by those.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench import foreign
from bench.referee import cannot_judge, final_stacks
from cardroom.stored import HandRecord
from cli.cases import Case, dump_line
from cli.finished import Finished, finished_record
from cli.record import NoCaseError, case_of_record
from cli.replay import replay_case
from local.tables import LocalTables
from poker_engine.codec import load_events, load_table
from poker_engine.events import Acted, Event, Going
from poker_engine.replay import replay
from poker_engine.state import Cause, Exit


@dataclass
class Export:
    """What the hands of a room came to."""

    hands: int = 0
    cases: int = 0
    differ: int = 0
    judged: int = 0
    other_stacks: int = 0
    not_judged: int = 0
    timeouts: int = 0
    removals: int = 0
    findings: list[str] = field(default_factory=list)
    read: dict[str, Counter[str]] = field(default_factory=dict)
    """By foreign reader: how many of the hands it reads as they were, or why not."""
    told: Counter[str] = field(default_factory=Counter)
    """By format: hands that it can tell."""
    agreed: Counter[str] = field(default_factory=Counter)
    """By format: those of them that one of its readers, at least, reads as they were."""

    @property
    def by_nobody(self) -> int:
        """Hands in a format that none of its readers reads as they were."""
        return self.told.total() - self.agreed.total()


PHH: Final = "PHH"
OHH: Final = "Open Hand History"
TEXT: Final = "text"
READERS: dict[str, tuple[str, Callable[[Finished], foreign.Verdict]]] = {
    "PHH by pokerkit": (PHH, foreign.pokerkit_of_phh),
    "text by pokerkit": (TEXT, foreign.pokerkit_of_text),
    "Open Hand History by ohh-pydantic": (OHH, foreign.ohh_pydantic),
}
BY_HHP: Final = "text by hhp"


def export(tables: LocalTables, names: list[str], path: Path) -> Export:
    """Write the hands of these tables to a file, one case a line, and judge each."""
    found = Export()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for name in names:
            told: list[Finished] = []
            for record in tables.hands(name):
                found.hands += 1
                case = _judge(record, found)
                if case is not None:
                    file.write(dump_line(case) + "\n")
                if record.opening:
                    told.append(finished_record(record))
            read_elsewhere(told, found)
    return found


def read_elsewhere(hands: Sequence[Finished], found: Export) -> None:
    """Each of these hands in each format, by readers that are not ours."""
    agreed: dict[str, set[int]] = {PHH: set(), TEXT: set(), OHH: set()}
    for name, (kind, judge) in READERS.items():
        counts = found.read.setdefault(name, Counter())
        for place, hand in enumerate(hands):
            try:
                verdict = judge(hand)
            except ValueError as error:
                counts["differ"] += 1
                found.findings.append(f"{name}: {str(error)[:300]}")
                continue
            counts[verdict] += 1
            # In PHH it reads the hand's stacks and winnings, also where it plays otherwise.
            if verdict is foreign.Verdict.SAME or kind == PHH:
                agreed[kind].add(place)
    agreed[TEXT] |= _read_by_hhp(hands, found)
    void = sum(hand.void is not None for hand in hands)
    found.told.update({PHH: len(hands), TEXT: len(hands), OHH: len(hands) - void})
    found.agreed.update({kind: len(places) for kind, places in agreed.items()})


def _read_by_hhp(hands: Sequence[Finished], found: Export) -> set[int]:
    """Places of the hands that it reads as they were."""
    counts = found.read.setdefault(BY_HHP, Counter())
    try:
        verdicts = foreign.hhp(hands)
    except (OSError, ValueError):
        counts["not read: make web-ready brings hhp"] += len(hands)
        return set()
    for verdict in verdicts:
        if isinstance(verdict, foreign.Differs):
            counts["differ"] += 1
            found.findings.append(f"{BY_HHP}: {verdict}")
        else:
            counts[verdict] += 1
    return {place for place, one in enumerate(verdicts) if one is foreign.Verdict.SAME}


def _judge(record: HandRecord, found: Export) -> Case | None:
    name = f"{record.table_id}-{record.number}"
    events = load_events(record.events)
    _count(events, found)
    after = replay(events, load_table(record.opening))
    if after.hand is None or not after.hand.over or after.hand.number != record.number:
        found.findings.append(f"{name}: its record does not replay to its end")
    rake = sum(int(rake) for _, rake, *_ in json.loads(record.pots))
    if rake != record.rake:
        found.findings.append(f"{name}: rake {record.rake}, but {rake} in its pots")
    try:
        case = case_of_record(record)
    except NoCaseError as error:
        found.findings.append(f"{name}: {error}")
        return None
    found.cases += 1
    verdict = replay_case(case)
    if verdict.difference is not None:
        found.differ += 1
        found.findings.append(f"{name} differs: {verdict.difference}")
    _compare(case, found)
    return case


def _compare(case: Case, found: Export) -> None:
    """pokerkit comes to the same stacks, where it is a judge of the hand."""
    if cannot_judge(case) is not None:
        found.not_judged += 1
        return
    try:
        stacks = final_stacks(case)
    except ValueError:
        # Its known deviations: raises it allows nobody to make, free folds it refuses.
        found.not_judged += 1
        return
    if stacks == case.final_stacks:
        found.judged += 1
    else:
        found.other_stacks += 1
        found.findings.append(f"{case.id}: pokerkit has {stacks}, the room {case.final_stacks}")


def _count(events: tuple[Event, ...], found: Export) -> None:
    for event in events:
        if isinstance(event, Acted) and event.cause is Cause.EXPIRED:
            found.timeouts += 1
        if isinstance(event, Going) and event.exit is Exit.REMOVED:
            found.removals += 1
