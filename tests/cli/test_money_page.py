"""docs/money.md and its like: commands that exist, and keys as they are written."""

import argparse
import re
import shlex
from importlib import import_module

import pytest

from cardroom import keys
from cli.main import SUBCOMMANDS
from tests.template.parsed import ROOT

PAGE = (ROOT / "docs/money.md").read_text()
PAGES = PAGE + "".join(
    (ROOT / "docs" / f"{name}.md").read_text() for name in ("deploy", "statements", "collusion")
)


@pytest.mark.parametrize(
    "line",
    re.findall(
        r"^    \.venv/bin/cardroom ((?:players|hands|audit|report).*)$", PAGES, re.MULTILINE
    ),
)
def test_commands_are_understood(line: str) -> None:
    command, *words = shlex.split(line)
    parser = argparse.ArgumentParser()
    import_module(SUBCOMMANDS[command][0]).add_arguments(parser)
    parser.parse_args(words)


def test_keys_are_as_they_are_written() -> None:
    assert keys.user("name") == "USER#name"
    for text in (keys.PLAYER, keys.WALLET, keys.LEDGER, keys.LEFT):
        assert f"`USER#name / {text}" in PAGE
    assert keys.bought("x") == "in#x"
    assert keys.paid_out("t", 1, 2) == "out#t#1#2"
    assert keys.referred("x") == "ref#x"
