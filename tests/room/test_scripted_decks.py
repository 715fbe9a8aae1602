"""Cards said beforehand, by the local room alone: the next hand has them."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from cardroom.dealer import Dealer
from cardroom.ports import Secret
from local import scripted
from local.scripted import DECKS, Script
from poker_engine.cards import text
from poker_engine.stakes import no_limit, table_settings
from tests.room.world import World
from tests.template.parsed import ROOT

SCRIPT = Script({"0": ["Ah", "Kh"], "2": ["Qs", "Qd"]}, ["Kd", "7c", "2s", "Qh", "3d"])


class Installed:
    """The module as a function's process loads it, in this one; taken out again at the end."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place = place
        monkeypatch.setattr(Dealer, "_start", Dealer._start)
        monkeypatch.setenv(DECKS, str(place))
        runpy.run_path(str(ROOT / "local/scripted.py"))["install"]()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    return Installed(tmp_path / "decks", monkeypatch)


def _deals(world: World) -> dict[str, Any]:
    """Cards by player and the board of the next hand, which is checked down."""
    world.deal()
    table = world.stored().table
    assert table.hand is not None
    deck = world.dealer.decks.get("t", table.hand.deck).deck
    count = len(table.hand.dealt)
    cards: dict[str, Any] = {
        str(seat): text(deck[place]) + text(deck[count + place])
        for place, seat in enumerate(table.hand.dealt)
    }
    world.play_out()
    return cards | {"board": "".join(text(card) for card in deck[2 * count :][:5])}


def _three(chosen: int = 3) -> World:
    world = World(table_settings(no_limit("PHP", 500), chosen))
    world.seat("ana", "ben", "cem")
    return world


def test_the_next_hand_is_dealt_so_and_the_one_after_it_is_shuffled(
    installed: Installed, aws: None
) -> None:
    world = _three()
    scripted.write(installed.place, "t", SCRIPT)
    first = _deals(world)
    assert (first["0"], first["2"], first["board"]) == ("AhKh", "QsQd", "Kd7c2sQh3d")
    assert list(installed.place.iterdir()) == [installed.place / "t"]
    second = _deals(world)
    assert second["board"] != "Kd7c2sQh3d"
    assert second["0"] != "AhKh"
    assert list(installed.place.iterdir()) == []


def test_other_tables_are_dealt_as_ever(installed: Installed, aws: None) -> None:
    shuffled = _deals(_three())
    scripted.write(installed.place, "u", SCRIPT)
    assert shuffled["board"] != "Kd7c2sQh3d"
    assert scripted.forget(installed.place, "u")
    assert not scripted.forget(installed.place, "u")


def test_a_hand_that_is_dealt_twice_has_the_same_cards(
    installed: Installed, aws: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process wrote the table first, so the hand is decided again."""
    world = _three()
    scripted.write(installed.place, "t", SCRIPT)
    table = world.stored().table
    at = table.next_hand_at
    assert at is not None
    decks: list[tuple[int, ...]] = []

    def put(table_id: str, deck_id: str, secret: Secret, now: int) -> None:
        decks.append(secret.deck)

    monkeypatch.setattr(world.dealer.decks, "put", put)
    for _ in range(2):
        world.dealer._start("t", table, at)
    assert len(decks) == 2
    assert [text(card) for card in decks[0][6:11]] == SCRIPT.board
    assert decks[0][6:11] == decks[1][6:11]


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"holes":{},"board":[],"more":1}'], ids=str)
def test_a_script_that_cannot_be_read_is_none(installed: Installed, aws: None, damage: str) -> None:
    installed.place.mkdir()
    (installed.place / "t").write_text(damage)
    assert len(_deals(_three())) == 4
