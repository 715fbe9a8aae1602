"""`cardroom join` by the lobby: a seat by stake, a look around, and back into the seat after the
terminal was killed.
"""

from pathlib import Path

import pytest

from local.sign_up import newcomer
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.processes import Command

pytestmark = pytest.mark.e2e

TABLE, STAKE = "parlour", "usd-9-18"
SETTINGS = table_settings(no_limit("USD", 900), 2)


def test_person_finds_a_seat_by_the_lobby_and_comes_back_to_it(room: Room, tmp_path: Path) -> None:
    tables = LocalTables(room)
    open_tables(tables, [(TABLE, SETTINGS)])
    words = ("join", "--address", room.websocket_url, "--name", "Bea")
    password = newcomer(room, "Bea")

    def seat() -> int | None:
        stored = tables.load(TABLE)
        return None if stored is None else stored.table.seat_of("Bea")

    with Command(*words, state=tmp_path) as bea:
        bea.until("Password: ")
        bea.type(password)
        # As far as the screen is high: other tests' tables may stand above hers.
        bea.until(lambda text: STAKE in text and "Balance: " in text)
        bea.type(f"quick {STAKE} 179")
        bea.until("The buy-in is at least $180.")
        bea.type(f"quick {STAKE} 300")
        bea.until(lambda text: "Bea (you)" in text and "$300" in text)
        assert seat() is not None
        bea.type("lobby")
        bea.until(f"You sit at {TABLE}.")
        bea.process.kill()
    assert seat() is not None
    with Command(*words, state=tmp_path) as bea:
        bea.until("Password: ")
        bea.type(password)
        bea.until(f"You still sit at {TABLE}.")
        bea.type("leave")
        bea.until(lambda text: "You left, with $300." in text and "Lobby: " in text)
        bea.type("quit")
        assert bea.ends(20) == 0
    assert seat() is None


def test_without_a_terminal_the_lobby_is_plain_lines(room: Room, tmp_path: Path) -> None:
    words = ("join", "--address", room.websocket_url)
    with Command(*words, state=tmp_path, live=False) as somebody:
        screen = somebody.until("Sit down by: sit TABLE SEAT, or: quick STAKE.")
        assert "\x1b" not in somebody.output
        assert "Lobby: " in screen
        somebody.type("watch nowhere")
        somebody.until("no such table")
        somebody.type("quit")
        assert somebody.ends(20) == 0
        assert somebody.text.rstrip().endswith("You left the room.")
