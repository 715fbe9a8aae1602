"""What hands on record were broken with: each fault with others of its kind."""

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from cardroom.histories import Unreadable
from cardroom.stored import HandRecord
from cli.collusion.report import look
from cli.days import Days
from cli.exporting import Format, Wanted, export
from cli.main import main
from poker_engine.codec import dump_events, load_events
from poker_engine.events import Event, PotWon
from tests.cli.conftest import STACK
from tests.cli.recorded import seeded_records
from tests.cli.test_hand_audit import put, record
from tests.cli.test_hand_audit import world as world
from tests.room.world import World

WHY: Final = ("--why", "a test", "--stack", STACK)


class Records:
    """Of one table."""

    def __init__(self, *kept: HandRecord) -> None:
        self.kept = kept

    def tables(self) -> list[str]:
        return ["t"]

    def tables_of(self, player: str) -> list[str]:
        return ["t"]

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        return iter(self.kept)

    def put_look(self, look: Any) -> None: ...

    def looks(self) -> Iterator[Any]:
        return iter(())


def played() -> HandRecord:
    return next(one for one in seeded_records(range(1)) if not one.voided)


def with_events(one: HandRecord, change: Callable[[Event], Event]) -> HandRecord:
    return replace(one, events=dump_events(tuple(map(change, load_events(one.events)))))


def a_pot_that_nobody_won(one: HandRecord) -> HandRecord:
    def change(event: Event) -> Event:
        return replace(event, shares=()) if isinstance(event, PotWon) else event

    return with_events(one, change)


def a_moment_after_all_time(one: HandRecord) -> HandRecord:
    return replace(one, started=10**25, ended=10**25)


def a_player_without_a_name(one: HandRecord) -> HandRecord:
    assert '"p0"' in one.opening
    return replace(one, opening=one.opening.replace('"p0"', "1.5"))


@pytest.mark.parametrize(
    "damaged", [a_pot_that_nobody_won, a_moment_after_all_time, a_player_without_a_name]
)
def test_no_damage_of_a_record_ends_a_command(damaged: Callable[[HandRecord], HandRecord]) -> None:
    good = played()
    records = Records(damaged(good), good)
    for kind in Format:
        out = io.StringIO()
        outcome = export(records, ["t"], Wanted(), kind, out, io.StringIO())
        assert outcome.written == 2 - outcome.damaged
        assert out.getvalue()
    found = look(records, ["t"], Days())
    assert found.tallies.hands == 2 - len(found.amiss)


@pytest.mark.parametrize("name", ["started", "ended"])
def test_a_hand_of_no_moment_is_damaged_and_not_half_told(
    world: World, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    put(world, record(world, 1) | {name: {"N": "9" * 25}})
    assert main(["hands", "show", "t/1", *WHY]) == 1
    assert capsys.readouterr() == ("", "cardroom: t hand 1: its record is damaged\n")
