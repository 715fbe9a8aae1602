"""`cardroom hands archive`, and that the other commands find a hand in either place."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from botocore.exceptions import ClientError

from cardroom import archive
from cli.main import main
from tests.cli.conftest import STACK, Stacks
from tests.room.conftest import Memory
from tests.room.world import TABLE, FakeBucket, World
from tests.simulation.wire import wired


class Archived(Stacks):
    def describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803
        told = super().describe_stacks(StackName)
        told["Stacks"][0]["Outputs"].append({"OutputKey": "HandsBucket", "OutputValue": "old"})
        return told


class Refusing(FakeBucket):
    def put_object(self, Key: str, Body: bytes, **asked: Any) -> None:  # noqa: N803
        raise ClientError({"Error": {"Code": "SlowDown"}}, "PutObject")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Five hands of years ago, three to a block."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setattr(archive, "BLOCK", 3)
    known = {"cloudformation": Archived(), "s3": FakeBucket()}
    monkeypatch.setattr("boto3.client", known.__getitem__)
    with wired(Memory()):
        world = World()
        world.seat("ana", "ben")
        for _ in range(5):
            world.deal()
            world.act("fold")
        yield world


def hands(action: str, *words: str) -> int:
    return main(["hands", action, "--stack", STACK, *words])


def test_all_commands_find_what_was_moved(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    export = ("export", "--format", "ohh", "--table", "t", "--as", "player", "ana")
    show = ("show", "t/2", "--as", "public")
    assert [hands(*export), hands(*show)] == [0, 0]
    before = capsys.readouterr().out
    assert hands("archive") == 0
    assert capsys.readouterr().out == "3 records moved\n"
    assert [hands(*export), hands(*show)] == [0, 0]
    assert capsys.readouterr().out == before
    assert main(["audit", "hands", "--stack", STACK]) == 0
    assert capsys.readouterr().out == "5 records of 1 tables: the record is the game\n"
    assert hands("archive") == 0
    assert capsys.readouterr().out == "0 records moved\n"


def test_what_cannot_be_moved_is_named(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": "000000002"}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)
    assert hands("archive") == 1
    assert capsys.readouterr().out.splitlines() == [
        "t hand 2: its record is not where it should be; its block stays",
        "0 records moved, 1 blocks left",
    ]


def test_a_table_that_closed_before_there_was_a_list_is_searched_for_once(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.dealer.close("t")
    key = {"pk": {"S": "CLOSED"}, "sk": {"S": "t"}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)
    assert hands("archive") == 0
    assert capsys.readouterr().out == "0 records moved\n"
    assert hands("archive", "--search") == 0
    assert capsys.readouterr().out == "1 closed tables found\n5 records moved\n"
    assert hands("archive", "--search") == 0
    assert capsys.readouterr().out == "0 closed tables found\n0 records moved\n"


def test_a_bucket_in_trouble_is_told_by_table(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"cloudformation": Archived(), "s3": Refusing()}
    monkeypatch.setattr("boto3.client", known.__getitem__)
    assert hands("archive") == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("t: An error occurred (SlowDown)")
    assert last == "0 records moved, 1 blocks left"


def test_a_changed_line_in_the_archive_is_found_by_the_audit(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = FakeBucket()
    known = {"cloudformation": Archived(), "s3": bucket}
    monkeypatch.setattr("boto3.client", known.__getitem__)
    assert hands("archive") == 0
    (name,) = bucket.objects
    bucket.objects[name] = bucket.objects[name].replace(b'"N":"0"', b'"N":"1"', 1)
    capsys.readouterr()
    assert main(["audit", "hands", "--stack", STACK]) == 1
    assert "its record is not the one that was sealed" in capsys.readouterr().out


def test_a_stack_without_an_archive_is_told(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boto3.client", {"cloudformation": Stacks()}.__getitem__)
    assert hands("archive") == 1
    assert "there is no archive" in capsys.readouterr().err


@pytest.fixture
def bucket(world: World, monkeypatch: pytest.MonkeyPatch) -> FakeBucket:
    """With the block that is old."""
    bucket = FakeBucket()
    known = {"cloudformation": Archived(), "s3": bucket}
    monkeypatch.setattr("boto3.client", known.__getitem__)
    assert hands("archive") == 0
    return bucket


COMMANDS: Final = {
    "audit": ("audit", "hands"),
    "show": ("hands", "show", "t/2", "--as", "public"),
    "export": ("hands", "export", "--format", "ohh", "--table", "t", "--as", "public"),
    "statement": ("players", "statement", "ana"),
    "pairs": ("report", "pairs", "--why", "a test"),
}
"""All that read records."""


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: b"",
        lambda body: b"junk\n",
        lambda body: b"null\n[]\n",
        lambda body: b'{"sk":{"N":"1"}}\n',
        lambda body: b"[" * 100_000,
        lambda body: b"\xff" + body,
        lambda body: body[:-30],
        lambda body: body.replace(b"\n", b"\n\n"),
    ],
    ids=["empty", "junk", "no items", "no key", "deep", "no text", "cut", "stretched"],
)
def test_an_object_that_is_none_of_ours_is_damaged_hands_to_every_command(
    bucket: FakeBucket, capsys: pytest.CaptureFixture[str], damage: Callable[[bytes], bytes]
) -> None:
    (name,) = bucket.objects
    bucket.objects[name] = damage(bucket.objects[name])
    for command, words in COMMANDS.items():
        capsys.readouterr()
        assert main([*words, "--stack", STACK]) == 1, command
        said = capsys.readouterr()
        if command != "show":
            assert all(f"t hand {number}" in said.out + said.err for number in (1, 2, 3)), command
            assert "t hand 5" not in said.out + said.err


def test_what_else_lies_in_the_bucket_is_no_hand(
    bucket: FakeBucket, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x.jsonl", "readme.txt", "-000001.jsonl", "1.jsonl", "", "0000001.jsonl.old"):
        bucket.objects[f"hands/t/{name}"] = b"x"
    for words in COMMANDS.values():
        assert main([*words, "--stack", STACK]) == 0
    assert "5 records of 1 tables: the record is the game" in capsys.readouterr().out


def test_a_statement_has_the_hands_that_are_in_the_archive(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for _ in range(2):
        assert main(["players", "statement", "ana", "--csv", "--stack", STACK]) == 0
        told.append(capsys.readouterr().out)
        assert hands("archive") == 0
        capsys.readouterr()
    assert told[0] == told[1]
