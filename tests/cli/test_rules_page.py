"""docs/rules.md: every rule that code and tests cite stands there under its number."""

import re
from pathlib import Path

import pytest

from cli.rules import CASES, RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
NAMED = re.findall(r"^- \*\*([\d.]+)\*\* \S", PAGE, re.MULTILINE)
SECTIONS = re.findall(r"^## (\d)\. ", PAGE, re.MULTILINE)


def cited() -> set[str]:
    folders = ("layers", "functions", "local", "cli", "bench", "tests", "docs", "statemachines")
    files = [ROOT / "template.yaml", ROOT / "README.md"]
    for folder in folders:
        files += [file for file in (ROOT / folder).rglob("*") if file.suffix in _TEXT]
    return {
        number
        for file in files
        for number in re.findall(r"\bRULES (\d(?:\.\d)?)", file.read_text(encoding="utf-8"))
    }


_TEXT = {".py", ".md", ".yaml", ".toml"}


def test_the_page_has_each_rule_once_in_order() -> None:
    assert list(RULES) == NAMED


def test_whatever_is_cited_is_there() -> None:
    assert "3.3" in cited()
    assert cited() <= {*NAMED, *SECTIONS}


@pytest.mark.parametrize("case", CASES)
def test_each_worked_case_is_there(case: str) -> None:
    assert len(re.findall(rf"^\| {case} \| .+ \|$", PAGE, re.MULTILINE)) == 1
