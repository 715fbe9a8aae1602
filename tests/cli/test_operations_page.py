"""docs/operations.md: every line that the functions log, and commands that exist."""

import argparse
import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from local import top
from local.figures import Figures
from local.top_screen import TopScreen
from tests.template.parsed import ROOT

PAGE = (ROOT / "docs/operations.md").read_text()
TOP, _, LOG = PAGE.partition("## What the functions log")


def _notes(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Lines that a module logs: the message, and the fields beside it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "note" and "signals" in ast.unparse(node.func.value):
            message = node.args[0]
            assert isinstance(message, ast.Constant)
            yield str(message.value), {one.arg for one in node.keywords if one.arg is not None}


def test_every_line_is_there_with_its_fields() -> None:
    rows = [line for line in LOG.splitlines() if line.startswith("| `")]
    known = 0
    for path in (ROOT / "functions").rglob("*.py"):
        for message, fields in _notes(path):
            (row,) = [one for one in rows if f"`{message}`" in one.split("|")[1]]
            told = set(re.findall(r"`(\w+)`", row.split("|", 2)[2]))
            assert fields - {"code"} <= told, message
            known += 1
    assert known > 12


@pytest.mark.parametrize(
    "line", re.findall(r"^    \.venv/bin/cardroom top(.*)$", PAGE, re.MULTILINE)
)
def test_its_commands_are_understood(line: str) -> None:
    parser = argparse.ArgumentParser()
    top.add_arguments(parser)
    parser.parse_args(shlex.split(line))


def test_every_line_of_top_is_explained() -> None:
    page = TopScreen(colour=False).page(Figures(0), "cardroom")
    labels = {line.split()[0] for line in page.table[4:] if not line.startswith(" ")}
    assert len(labels) == 10
    assert labels == set(re.findall(r"^\| `(\w+)` \| ", TOP, re.MULTILINE))
