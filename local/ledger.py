"""Whether anybody misses an event: how each client came to each seq, and what each event was.

A client reaches a seq by the push that follows the one before, or by a snapshot that it asked for.
Whoever is told of a seq is told the same; and the same stands in the record of its hand.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from cardroom.stored import HandRecord
from local.table_view import PRIVATE, Json, TableView
from poker_engine import events as happened
from poker_engine.codec import load_events, load_table
from poker_engine.views import event_view

MOST_FINDINGS: Final = 100


@dataclass
class Chronicle:
    """What everybody was told, of all tables: each public event by its seq."""

    findings: list[str] = field(default_factory=list)
    told: dict[str, dict[int, str]] = field(default_factory=dict)
    moved: dict[str, float] = field(default_factory=dict)
    """When somebody last came or went at a table, on this machine's monotonic clock."""

    def note(self, table: str, seq: int, event: Json, player: str) -> None:
        """The player was told that this was the event with this seq."""
        text = _text(event)
        known = self.told.setdefault(table, {}).setdefault(seq, text)
        if event["e"] in ("seated", "seat_emptied"):
            self.moved[table] = time.monotonic()
        if known != text:
            self.find(f"{player}: {table} {seq} was {text}, others were told {known}")

    def find(self, finding: str) -> None:
        """Keep it, unless there are too many already."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    def compare(self, records: Iterable[HandRecord]) -> int:
        """Hold what was told against what is recorded; the number of events compared."""
        compared = 0
        for record in records:
            if not record.opening:
                continue
            told = self.told.get(record.table_id, {})
            seq = load_table(record.opening).seq
            over = False
            for event in load_events(record.events):
                if type(event) in happened.PRIVATE:
                    continue
                over = over or isinstance(event, happened.HandEnded | happened.HandVoided)
                if over and isinstance(event, happened.Shown):
                    # Added to the record later: other events may lie between.
                    break
                seq += 1
                text = _text(json.loads(json.dumps(event_view(event))))
                if seq not in told:
                    continue
                compared += 1
                if told[seq] != text:
                    self.find(f"{record.table_id} {seq}: {text} is recorded, {told[seq]} was told")
        return compared


@dataclass
class Ledger:
    """One client's; the witness of its views."""

    player: str
    chronicle: Chronicle
    reached: dict[str, int] = field(default_factory=dict)
    pushed_events: int = 0
    asked_events: int = 0
    """Those that came with a snapshot it asked for, while it had a seat."""

    def pushed(self, view: TableView, push: Json) -> None:
        seq, before = int(push["seq"]), int(push["before"])
        public = [event for event in push["events"] if event["e"] not in PRIVATE]
        reached = self.reached.get(view.table)
        if before != reached:
            self._find(view, f"from {before} to {seq} by a push, but it was at {reached}")
        if len(public) != seq - before:
            self._find(view, f"from {before} to {seq} by {len(public)} events")
        for number, event in enumerate(public, before + 1):
            self.chronicle.note(view.table, number, event, self.player)
        self.reached[view.table] = seq
        self.pushed_events += seq - before

    def loaded(self, view: TableView, seq: int, *, asked: bool) -> None:
        reached = self.reached.get(view.table)
        if reached is not None and view.mine is not None:
            if not asked:
                self._find(view, f"from {reached} to {seq} by a snapshot it did not ask for")
            self.asked_events += max(0, seq - reached)
        self.reached[view.table] = seq

    def _find(self, view: TableView, what: str) -> None:
        self.chronicle.find(f"{self.player} at {view.table}: {what}")


def _text(event: Json) -> str:
    return json.dumps(event, sort_keys=True, separators=(",", ":"))
