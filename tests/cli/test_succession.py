"""A release that cannot share a table with the one that runs is not deployed over it."""

from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from cli.succession import NUMBERS, main, objections, running, told
from poker_engine.schema import WRITE_SCHEMA
from tests.releases.crew import FOLDERS, numbers
from tests.room.conftest import sign_in
from tests.simulation.release import last_release
from tests.template.parsed import template


def _with(schema: int, write_schema: int, rules: int = 1, played_rules: int = 1) -> dict[str, int]:
    return dict(zip(NUMBERS, (schema, write_schema, rules, played_rules), strict=True))


def test_the_stack_tells_the_numbers_of_its_release() -> None:
    output = template()["Outputs"]["Numbers"]
    assert output == {"Value": told(NUMBERS)}
    assert running({"TableName": "t", "Numbers": output["Value"]}) == NUMBERS


def test_one_that_tells_none_knows_but_the_first() -> None:
    assert running({"TableName": "t"}) == _with(1, 1)
    # Made, and not filled: its changes were shown, and nobody said yes.
    assert running({}) is None


ODD = (
    *("schema", "schema=", "schema=x", "schema=2=3", "=2", "schema=-1", "schema=0", "schema=1_0"),
    *("schema=\u0662", "schema=\u00b2", "schema=1e9", "schema=2,rules=1", "schema=2;"),
    "schema=99999999999999999999",
)


@pytest.mark.parametrize("odd", ODD)
def test_what_no_release_tells_is_not_guessed_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], odd: str
) -> None:
    """Nor where one number is told twice. One that is not told is of before there was another."""
    sign_in(monkeypatch)
    client = boto3.client("cloudformation")
    monkeypatch.setattr(boto3, "client", {"cloudformation": client}.__getitem__)
    whole = told(NUMBERS)
    for output in (odd, f"{whole} {odd}", f"{odd} {whole}", f"{whole} schema=1"):
        with Stubber(client) as stub:
            stub.add_response("describe_stacks", _stack({"TableName": "t", "Numbers": output}))
            assert main(["--stack", "room"]) == 1
        said = capsys.readouterr().err
        assert said == "cardroom: stack room: its output Numbers has not the numbers of a release\n"
    assert running({"TableName": "t", "Numbers": f"{whole} another=3"}) == NUMBERS
    few = {"TableName": "t", "Numbers": "schema=2"}
    assert running(few) == _with(2, 1)


@pytest.mark.parametrize(
    ("theirs", "ours", "said"),
    [
        (_with(1, 1), _with(1, 1), []),
        (_with(1, 1), _with(2, 1), []),
        (_with(2, 1), _with(2, 2), []),
        (_with(2, 2), _with(2, 1), []),
        (_with(2, 2), _with(2, 2), []),
        (_with(1, 1), _with(2, 2), ["comes first"]),
        (_with(2, 2), _with(1, 1), ["this one reads up to 1"]),
        (_with(1, 1, 1, 1), _with(1, 1, 2, 2), ["begins hands by rules 2"]),
        (_with(1, 1, 2, 2), _with(1, 1, 1, 1), ["knows up to 1"]),
        (_with(1, 1, 1, 1), _with(2, 2, 2, 2), ["writes schema 2", "begins hands by rules 2"]),
    ],
)
def test_each_reads_what_the_other_writes(
    theirs: dict[str, int], ours: dict[str, int], said: list[str]
) -> None:
    found = list(objections(theirs, ours))
    assert len(found) == len(said)
    assert all(words in one for words, one in zip(said, found, strict=True))


def test_this_release_may_follow_the_last_one_and_not_one_that_cannot_read_it() -> None:
    assert list(objections(numbers(last_release()))) == []
    for folder in FOLDERS:
        refused = bool(list(objections(numbers(folder))))
        assert refused == (numbers(folder)["schema"] < NUMBERS["write_schema"]), folder.name


def _stack(outputs: dict[str, str]) -> dict[str, Any]:
    told = [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]
    of = {"StackName": "room", "CreationTime": datetime.now(UTC), "StackStatus": "UPDATE_COMPLETE"}
    return {"Stacks": [{**of, "Outputs": told}]}


def test_the_stack_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_in(monkeypatch)
    client = boto3.client("cloudformation")
    monkeypatch.setattr(boto3, "client", {"cloudformation": client}.__getitem__)
    with Stubber(client) as stub:
        stub.add_client_error(
            "describe_stacks", "ValidationError", "Stack with id room does not exist"
        )
        assert main(["--stack", "room"]) == 0
        for write_schema, code in ((WRITE_SCHEMA, 0), (99, 1)):
            numbers = {**NUMBERS, "write_schema": write_schema}
            answer = _stack({"TableName": "t", "Numbers": told(numbers)})
            stub.add_response("describe_stacks", answer, {"StackName": "room"})
            assert main(["--stack", "room"]) == code
            assert ("writes schema 99" in capsys.readouterr().err) == bool(code)
        stub.add_client_error("describe_stacks", "AccessDenied", "not yours")
        assert main(["--stack", "room"]) == 1
        assert "not yours" in capsys.readouterr().err
