"""`cardroom audit hands`: records of a room that played, held against all that they say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.seals import seal_of
from cli.main import main
from tests.cli.conftest import STACK, Stacks
from tests.room.conftest import Memory, sign_in
from tests.room.world import TABLE, World
from tests.simulation.wire import wired


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Two hands at a table, the second one void."""
    sign_in(monkeypatch)
    monkeypatch.setattr("boto3.client", {"cloudformation": Stacks()}.__getitem__)
    with wired(Memory()):
        world = World()
        world.seat("ana", "ben", "cyd")
        world.deal()
        world.play_out()
        world.deal()
        world.dealer.void("t", "a fault")
        yield world


def audit(*words: str) -> int:
    return main(["audit", "hands", "--stack", STACK, *words])


def key(number: int) -> dict[str, Any]:
    return {"pk": {"S": "HAND#t"}, "sk": {"S": f"{number:09d}"}}


def record(world: World, number: int) -> dict[str, Any]:
    found: dict[str, Any] = world.tables._client.get_item(TableName=TABLE, Key=key(number))["Item"]
    return found


def put(world: World, item: dict[str, Any]) -> None:
    world.tables._client.put_item(TableName=TABLE, Item=item)


def test_what_was_recorded_is_the_game(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit() == 0
    assert capsys.readouterr().out == "2 records of 1 tables: the record is the game\n"


def test_a_running_hand_is_no_flaw(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.deal()
    assert audit("--table", "t") == 0
    capsys.readouterr()


def test_a_changed_record_is_named(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    put(world, record(world, 1) | {"ended": {"N": "1"}})
    assert audit() == 1
    assert capsys.readouterr().out.splitlines() == [
        "t hand 1: its record is not the one that was sealed",
        "2 records of 1 tables: 1 flaws",
    ]


def test_a_last_record_that_is_gone_is_named(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.tables._client.delete_item(TableName=TABLE, Key=key(2))
    assert audit() == 1
    assert capsys.readouterr().out.splitlines()[0] == "t hand 2: it was recorded, and is gone"


def test_a_game_that_was_sealed_but_not_played_by_the_rules_is_named(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another card in the deck: the showdown was not of these."""
    first = record(world, 1)
    deck = first["deck"]["S"]
    other = {**first, "deck": {"S": deck[2:4] + deck[:2] + deck[4:]}}
    put(world, other | {"seal": {"S": seal_of("t", 1, other)}})
    assert audit() == 1
    assert capsys.readouterr().out.splitlines()[0].startswith("t hand 1: what seat ")


def test_heads_are_kept_and_held_against_what_is_there(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = tmp_path / "heads.jsonl"
    assert audit("--keep", str(heads)) == 0
    kept = json.loads(heads.read_text())
    assert (kept["table"], kept["hand"]) == ("t", 2)
    assert audit("--heads", str(heads)) == 0
    second = record(world, 2)
    other = {**second, "ended": {"N": str(int(second["ended"]["N"]) + 1)}}
    put(world, other | {"seal": {"S": seal_of("t", 2, other)}})
    capsys.readouterr()
    assert audit("--heads", str(heads)) == 1
    assert "its seal is not the one that was kept elsewhere" in capsys.readouterr().out


def test_the_functions_own_log_serves_as_heads(world: World, tmp_path: Path) -> None:
    """Lines of other kinds in it are passed over."""
    log = tmp_path / "log.jsonl"
    line = {"level": "INFO", "message": "recorded", "table": "t", "hand": 2, "seal": "x"}
    log.write_text(f"no json\n{json.dumps({'message': 'other'})}\n{json.dumps(line)}\n")
    assert audit("--heads", str(log)) == 1


@pytest.mark.parametrize(
    ("content", "said"), [("[]\n", "has no seal in it"), (None, "no such file or directory")]
)
def test_heads_that_are_none_are_refused(
    world: World,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str | None,
    said: str,
) -> None:
    file = tmp_path / "heads"
    if content is not None:
        file.write_text(content)
    assert audit("--heads", str(file)) == 1
    assert said in capsys.readouterr().err


def test_money_is_still_what_is_audited_by_default(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--stack", STACK]) == 0
    assert "balanced" in capsys.readouterr().out
