"""docs/play.md and README.md: commands that can be given, links that lead somewhere."""

import argparse
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from cli.main import SUBCOMMANDS, Subcommand
from cli.tables import settings_of
from local.lobby_view import LobbyView
from local.play import tables_of_the_room
from local.wishes import Refusal, Wish, of_lobby, understood
from poker_engine.stakes import fixed_limit
from tests.local.fake_room import lobby, stake
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


def rows(section: str) -> list[str]:
    """The words of one section's table."""
    found = re.split(r"^## ", PLAY, flags=re.MULTILINE)
    (text,) = (one for one in found if one.startswith(section))
    return re.findall(r"^\| `.*", text, re.MULTILINE)


def in_lobby(line: str) -> Wish:
    stakes = stake(small_blind=500, big_blind=1_000, structure="nl-PHP-500-1000")
    view = LobbyView()
    view.load(lobby(stakes=[stakes]))
    return of_lobby(line, view)


def at_table(line: str) -> Wish:
    return understood(line, view_of())


type Understanding = Callable[[str], Wish]


def outcome(line: str, understanding: Understanding) -> Wish | str:
    try:
        return understanding(line)
    except Refusal as refusal:
        return str(refusal)


@pytest.mark.parametrize(
    ("word", "understanding"),
    [
        *((word, in_lobby) for word in rows("In the lobby")),
        *((word, at_table) for word in rows("At a table")),
    ],
)
def test_words_and_their_short_forms_are_understood_alike(
    word: str, understanding: Understanding
) -> None:
    longs, shorts = (re.findall(r"`([^`]+)`", cell) for cell in word.split("|")[1:3])
    assert longs
    assert len(shorts) in (0, len(longs))
    for long in longs:
        assert "is no command" not in str(outcome(long, understanding))
    for long, short in zip(longs, shorts or longs, strict=True):
        assert outcome(short, understanding) == outcome(long, understanding)


@pytest.mark.parametrize("word", rows("In the lobby"))
def test_what_is_typed_in_the_lobby_is_understood(word: str) -> None:
    """The examples in the words on what it does, too."""
    for line in re.findall(r"`([^`]+)`", word):
        if line != "off":
            assert isinstance(outcome(line, in_lobby), Wish), line


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_lead_to_files(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link
