"""docs/play.md and README.md: commands that can be given, links that lead somewhere."""

import argparse
import re
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from cli.main import SUBCOMMANDS, Subcommand
from cli.tables import settings_of
from local.play import tables_of_the_room
from local.wishes import Refusal, understood
from poker_engine.stakes import fixed_limit
from tests.local.test_wishes import view_of

ROOT = Path(__file__).parents[2]
PLAY = (ROOT / "docs/play.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ *\.venv/bin/cardroom ([^#\n]+)", PLAY + README, re.MULTILINE)


def given(command: str) -> argparse.Namespace:
    name, *words = command.split()
    parser = argparse.ArgumentParser()
    cast(Subcommand, import_module(SUBCOMMANDS[name][0])).add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_can_be_given(command: str) -> None:
    assert isinstance(given(command), argparse.Namespace)


def test_the_tables_to_open_are_what_they_are_called() -> None:
    opened = [given(one) for one in COMMANDS if one.startswith("tables open")]
    stakes = [settings_of(one).stakes for one in opened]
    assert fixed_limit("USD", 300) in stakes
    joined = {given(one).table for one in COMMANDS if one.startswith("join")} - {None}
    assert joined <= {one.id for one in opened} | {name for name, _ in tables_of_the_room()}


@pytest.mark.parametrize("word", re.findall(r"^\| `.*", PLAY, re.MULTILINE))
def test_words_and_their_short_forms_are_understood_alike(word: str) -> None:
    longs, shorts = (re.findall(r"`([^`]+)`", cell) for cell in word.split("|")[1:3])
    assert longs
    for long, short in zip(longs, shorts, strict=True):
        try:
            wish = understood(long, view_of())
        except Refusal as refusal:
            with pytest.raises(Refusal, match=f"^{re.escape(str(refusal))}$"):
                understood(short, view_of())
        else:
            assert understood(short, view_of()) == wish


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_lead_to_files(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link
