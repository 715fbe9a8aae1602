"""docs/hands.md: commands that exist, all formats and all eyes."""

import argparse
import re
import shlex
from importlib import import_module

import pytest

from cli.exporting import Format
from cli.main import SUBCOMMANDS
from tests.template.parsed import ROOT

PAGE = (ROOT / "docs/hands.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    \.venv/bin/cardroom (.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_are_understood(line: str) -> None:
    command, *words = shlex.split(line)
    parser = argparse.ArgumentParser()
    import_module(SUBCOMMANDS[command][0]).add_arguments(parser)
    parser.parse_args(words)


def test_all_formats_and_eyes_are_told() -> None:
    rows = re.findall(r"^\| `([a-z]+)", PAGE, re.MULTILINE)
    assert rows == ["pokerstars", "ohh", "phh", "cases", "support", "player", "public"]
    assert {Format(row) for row in rows[:4]} == set(Format)
    assert len(COMMANDS) > 8
