"""docs/cases.md: its example is a hand that agrees, its fields and exit codes are all there are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.cases import CaseError, as_json, parse_case
from cli.main import main
from cli.replay import replay_case
from tests.cli.hands import limit, own_cases

PAGE = (Path(__file__).parents[2] / "docs/cases.md").read_text(encoding="utf-8")
FIELDS = {
    name
    for row in re.findall(r"^\| ([a-z_, ]+) \|", PAGE, re.MULTILINE)
    for name in row.split(", ")
    if row not in ("field", "exit code")
}
CODES = re.findall(r"^\| (\d) \| (.+) \|$", PAGE, re.MULTILINE)


def example() -> dict[str, Any]:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    shown: dict[str, Any] = json.loads(block)
    return shown


def test_the_example_is_a_hand_that_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_case(parse_case(example())).difference is None
    file = tmp_path / "example.jsonl"
    file.write_text(json.dumps(example()) + "\n")
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.startswith("1 hands: 1 agree")


def test_the_fields_are_all_there_are() -> None:
    written = {name for case in own_cases() for name in as_json(case)} | set(limit()) | {"rules"}
    assert written - {"small_bet", "big_bet"} == FIELDS
    assert all(f"`{name}`" in PAGE for name in ("small_bet", "big_bet"))


@pytest.mark.parametrize("name", sorted(FIELDS - {"rules", "source", "unit", "tags"}))
def test_what_may_not_be_there_is_said(name: str) -> None:
    lacking = {field: value for field, value in example().items() if field != name}
    with pytest.raises(CaseError, match=f"`{name}` is missing"):
        parse_case(lacking)


def test_exit_codes_are_those_of_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert [code for code, _ in CODES] == ["0", "1", "2"]
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "docs/cases.md" in told
    for code, when in CODES:
        assert f"{code} {when.partition(';')[0]}" in told
