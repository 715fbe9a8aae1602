"""What releases have stored is read and played on, and the numbers are raised one step at a time.

tests/simulation/test_releases.py has the other half: the last release's code beside this one.
"""

import re

import pytest

from poker_engine.schema import SCHEMA, WRITE_SCHEMA
from poker_engine.stakes import PLAYED_RULES, RULES_VERSION
from tests.releases.crew import FOLDERS, STAGES, Crew, numbers, recorded, stored
from tests.simulation.release import OURS, ROOT, last_release, previous


def test_what_is_written_the_last_release_reads() -> None:
    """Else a roll-back, or the half of a canary, puts it on states that it cannot read."""
    last = numbers(last_release())
    assert last["schema"] >= WRITE_SCHEMA
    assert last["rules"] >= PLAYED_RULES


def test_what_any_release_wrote_is_read() -> None:
    assert FOLDERS
    for folder in FOLDERS:
        wrote = numbers(folder)
        assert 1 <= wrote["write_schema"] <= wrote["schema"] <= SCHEMA, folder.name
        assert 1 <= wrote["played_rules"] <= wrote["rules"] <= RULES_VERSION, folder.name


def test_the_page_says_what_each_release_reads_and_writes() -> None:
    page = (ROOT / "docs/upgrade.md").read_text()
    rows = re.findall(r"^\| (\d+\.\d+\.\d+) \| (?:1 to )?(\d+) \| (\d+) \|$", page, re.MULTILINE)
    told = {version: (int(schema), int(writes)) for version, schema, writes in rows}
    recorded_ones = {folder.name: numbers(folder) for folder in FOLDERS}
    assert told == {
        version: (one["schema"], one["write_schema"]) for version, one in recorded_ones.items()
    }


@pytest.mark.parametrize(("version", "stage"), STAGES)
def test_a_table_that_a_release_has_stored_is_played_on(version: str, stage: str) -> None:
    with stored(recorded(version, stage)):
        crew = Crew(OURS)
        assert crew.balanced()
        crew.play_on()
        if crew.table.next_hand_at is not None:
            crew.deal()
            crew.play_out()
        records = crew.records()
        assert len(records) == crew.table.hands
        assert all(crew.replays(record) for record in records)
        assert crew.balanced()


@pytest.mark.parametrize("stage", ["seated", "pre-flop", "turn", "closing"])
def test_the_last_release_plays_on_what_this_one_has_stored(stage: str) -> None:
    """And this one what that one has, hand in hand."""
    schemas = [{"N": str(WRITE_SCHEMA)}, {"N": str(numbers(last_release())["write_schema"])}]
    with stored(recorded(last_release().name, stage)) as memory:
        ours = Crew(OURS)
        theirs = Crew(previous(), ours.clock, decks=200)
        ours.dealer.apply("t")
        if ours.table.running is not None:
            ours.act()
        theirs.play_on()
        while ours.table.next_hand_at is not None and ours.table.hands < 4:
            theirs.deal()
            for crew, schema in zip((ours, theirs), schemas, strict=True):
                # In mid-hand each takes up what the other has left, and leaves it in its own.
                crew.act()
                assert memory.dynamo.partitions["TABLE#t"]["STATE"]["schema"] == schema
            ours.play_out()
            ours.deal()
            theirs.play_out()
        assert ours.balanced()
        assert all(ours.replays(record) for record in ours.records())
        assert all(theirs.replays(record) for record in theirs.records())
