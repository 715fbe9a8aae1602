"""The soak: what it plays, and that it finds what is amiss."""

from argparse import Namespace
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

import pytest

from cardroom.results import Results
from cardroom.stored import Stored
from local.emulator import HOST, free_port
from local.gallery import LobbyWatch
from local.ledger import Chronicle
from local.soak import SETTLED_SECONDS, Soak, knows, run, tables_of_the_soak
from local.stack import Deployed, Room
from local.table_view import TableView
from poker_engine import views
from poker_engine.commands import Sit
from poker_engine.decide import Advance, advance
from poker_engine.evolve import open_table
from poker_engine.stakes import PHP_STAKES, table_settings
from poker_engine.state import Table
from tests.local.fake_room import lobby, row
from tests.local.test_table_view import wire


def test_forty_bots_at_eight_tables_of_three_stakes() -> None:
    tables = tables_of_the_soak()
    assert len(tables) == len({name for name, _, _ in tables}) == 8
    assert len({settings.stakes.structure for _, settings, _ in tables}) == 3
    assert sum(bots for _, _, bots in tables) == 40
    assert all(2 <= bots <= settings.seats for _, settings, bots in tables)


def test_a_room_that_is_lost_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = Deployed(f"http://{HOST}:{free_port()}", {"TableName": "gone"})
    monkeypatch.setattr(Room, "start", lambda **_: closing(lost))
    assert run(Namespace(minutes=1, seed=1, port=None, cases=None)) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith(
        "cardroom: the room was lost, and the soak with it: Could not connect"
    )


def table(**changes: Any) -> Table:
    """Bot-0 sits in seat 1 of three."""
    settings = replace(table_settings(PHP_STAKES[0], 3), **changes)
    sat = advance(open_table(settings), Sit("bot-0", 1, settings.minimum), 1, None)
    assert isinstance(sat, Advance)
    return sat.table


def stored(of: Table) -> Stored:
    return Stored("t1", 1, of, "[]", Results(), 0, 0)


def view(of: Table, player: str = "bot-0") -> TableView:
    found = TableView("t1", player)
    seat = of.seat_of(player)
    shot = wire(views.snapshot(of, seat, None, 1))
    found.load(shot["seq"], shot["state"], 1)
    return found


def test_who_knows_what_is_stored_knows_the_same() -> None:
    assert knows(view(table()), stored(table()))
    other = view(table())
    other.seats[1] = {**(other.own or {}), "stack": 1}
    assert not knows(other, stored(table()))
    behind = view(table())
    behind.seq -= 1
    assert not knows(behind, stored(table()))
    assert not knows(view(table()), None)


def test_who_looks_on_at_a_table_that_is_shown_late_may_know_less() -> None:
    late = table(delay_s=3)
    for player, may in (("eve", True), ("bot-0", False)):
        behind = view(late, player)
        behind.seq -= 1
        assert knows(behind, stored(late)) == may


class Nowhere:
    """A room that is only named."""

    def __init__(self) -> None:
        self.outputs = {"TableName": "t"}

    def client(self, service: str) -> None:
        """There is none."""


@pytest.fixture
def soak() -> Soak:
    found = Soak(cast(Room, Nowhere()), 60, 1)
    found.watch = LobbyWatch()
    return found


def seen(soak: Soak, *players: str | None) -> None:
    soak.watch.lobby.load(lobby(row(players=list(players))))


LATER = SETTLED_SECONDS + 1


def test_the_lobby_shows_who_has_sat_for_long_enough(soak: Soak) -> None:
    seen(soak, None, None, None)
    soak._check_lobby("t1", table(), 0.0, 0.5)
    soak._check_lobby("t1", table(), 2.0, 2.5)
    assert soak.findings == []
    soak._check_lobby("t1", table(), LATER, LATER)
    assert soak.findings == ["the lobby shows [None, None, None] at t1, not [None, 'bot-0', None]"]


def test_the_lobby_that_is_right_is_counted(soak: Soak) -> None:
    seen(soak, None, "bot-0", None)
    for moment in (0.0, LATER):
        soak._check_lobby("t1", table(), moment, moment)
    assert (soak.findings, soak.counts["rows compared"]) == ([], 1)


def test_who_has_come_or_gone_meanwhile_is_not_held_against_the_lobby(soak: Soak) -> None:
    seen(soak, None, None, None)
    soak._check_lobby("t1", table(), 0.0, 0.0)
    # Gone and back between two looks.
    soak.chronicle.moved["t1"] = LATER - 1
    soak._check_lobby("t1", table(), LATER, LATER)
    assert soak.findings == []


def test_findings_of_clients_are_findings_of_the_soak(soak: Soak) -> None:
    assert isinstance(soak.chronicle, Chronicle)
    soak.chronicle.find("ann at t1: missed")
    assert soak.findings == ["ann at t1: missed"]
