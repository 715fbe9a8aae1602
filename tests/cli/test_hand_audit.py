"""`cardroom audit hands`: records of a room that played, held against all that they say."""

import json
from argparse import Namespace
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.proof import Heads
from cardroom.seals import seal_of
from cli.hand_audit import _add_logged
from cli.log_heads import GROUPS
from cli.main import main
from cli.served import Failed
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


def test_a_void_hand_whose_cards_are_lost_is_no_flaw(world: World) -> None:
    """RULES 9: so it was void; with them went how the table stood when it began."""
    world.deal()
    hand = world.stored().table.hand
    assert hand is not None
    key_of = {"pk": {"S": "SECRET#t"}, "sk": {"S": hand.deck}}
    world.tables._client.delete_item(TableName=TABLE, Key=key_of)
    world.dealer.decks._kept.clear()
    world.dealer.void("t", "its cards are lost")
    assert record(world, 3)["opening"] == {"S": ""}
    assert audit() == 0


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


class Grouped(Stacks):
    """The stack knows the log groups of its functions."""

    def __init__(self, groups: tuple[str, ...] = GROUPS) -> None:
        self.groups = groups

    def get_paginator(self, operation: str) -> "Grouped":
        assert operation == "list_stack_resources"
        return self

    def paginate(self, StackName: str) -> list[dict[str, Any]]:  # noqa: N803
        assert StackName == STACK
        summaries = [
            {"LogicalResourceId": name, "PhysicalResourceId": f"/{name}"} for name in self.groups
        ]
        return [{"StackResourceSummaries": summaries}]


class Logs:
    """CloudWatch Logs with these lines in the command's group: two to a page, and an empty page."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.asked: list[dict[str, Any]] = []

    def filter_log_events(self, **asked: Any) -> dict[str, Any]:
        self.asked.append(asked)
        lines = self.lines if asked["logGroupName"] == "/CommandLogs" else []
        at = int(asked.get("nextToken", -2))
        if at < 0:
            return {"events": [], "nextToken": "0"}
        page = [{"message": line} for line in lines[at : at + 2]]
        return {"events": page, **({"nextToken": str(at + 2)} if at + 2 < len(lines) else {})}


def logged(world: World) -> list[str]:
    """What the room has logged so far."""
    notes = [line.removeprefix("recorded ") for line in world.signals.lines if "seal" in line]
    return [json.dumps({"message": "recorded", **dict(literal_eval(note))}) for note in notes]


@pytest.fixture
def logs(world: World, monkeypatch: pytest.MonkeyPatch) -> Logs:
    logs = Logs([*logged(world), "not a line of ours"])
    monkeypatch.setattr("boto3.client", {"cloudformation": Grouped(), "logs": logs}.__getitem__)
    return logs


def test_the_log_itself_is_asked_for_seals(
    world: World, logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit("--log") == 0
    assert "the record is the game" in capsys.readouterr().out
    assert {one["logGroupName"] for one in logs.asked} == {f"/{name}" for name in GROUPS}
    assert {one["filterPattern"] for one in logs.asked} == {'{ $.message = "recorded" }'}
    assert all("startTime" not in one for one in logs.asked)


def test_a_chain_made_anew_as_a_whole_is_found_by_the_log(
    world: World, logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last record is gone, and the table says so too: only the log knows of it."""
    state = {"pk": {"S": "TABLE#t"}, "sk": {"S": "STATE"}}
    for number in (1, 2):
        world.tables._client.delete_item(TableName=TABLE, Key=key(number))
    world.tables._client.delete_item(TableName=TABLE, Key=state)
    assert audit("--log") == 1
    assert capsys.readouterr().out.splitlines()[:2] == [
        "t hand 1: it was recorded, and is gone",
        "t hand 2: it was recorded, and is gone",
    ]


def test_of_the_log_a_table_and_a_day_on_are_asked_for(world: World, logs: Logs) -> None:
    assert audit("--log", "--table", "t", "--since", "2023-11-14") == 0
    assert {one["filterPattern"] for one in logs.asked} == {
        '{ $.message = "recorded" && $.table = "t" }'
    }
    assert {one["startTime"] for one in logs.asked} == {1_699_920_000_000}


def test_more_seals_than_there_is_room_for_are_refused(
    world: World,
    logs: Logs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cli.log_heads.MOST", 1)
    assert audit("--log") == 1
    assert "more than 1 seals are logged: say --table or --since" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--log", "--table", 't" || 1'), "is no table's id"),
        (("--log", "--since", "yesterday"), "is no day"),
    ],
    ids=["table", "day"],
)
def test_what_the_log_cannot_be_asked(
    world: World,
    logs: Logs,
    words: tuple[str, ...],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert audit(*words) == 1
    assert says in capsys.readouterr().err
    assert logs.asked == []


def test_a_log_without_a_seal_and_a_stack_without_logs_are_told(
    world: World,
    logs: Logs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs.lines = []
    assert audit("--log") == 1
    assert "no seal is in the log" in capsys.readouterr().err
    known = {"cloudformation": Grouped(()), "logs": logs}
    monkeypatch.setattr("boto3.client", known.__getitem__)
    assert audit("--log") == 1
    assert "the stack has no CommandLogs" in capsys.readouterr().err


def test_a_room_of_this_machine_has_no_such_log(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Failed, match="--stack"):
        _add_logged(Heads(), Namespace(stack=None, table=None, since=None))
