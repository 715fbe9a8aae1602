"""`cardroom play` and `cardroom join`, as a person types them."""

import asyncio
import json
import re
import socket
import stat
import urllib.request
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from local.bots import Habits, Style
from local.seats import Bots
from local.sign_up import newcomer
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.processes import Command, descendants, running

pytestmark = pytest.mark.e2e


async def one_bot(room: Room, gate: asyncio.Semaphore, table: str, over: asyncio.Event) -> None:
    """A bot that calls everything, until the test is over."""
    async with Bots(room, seed="join", gate=gate) as bots:
        caller = Style("caller", loose=1.0, bold=0.0, shove=0.0)
        await bots.seat("Caller", table, style=caller, habits=Habits(think=(0.0, 0.05)), seat=1)
        await over.wait()
        bots.check()


def test_person_joins_plays_and_leaves(room: Room, stage: Stage, tmp_path: Path) -> None:
    settings = table_settings(PHP_STAKES[0], 2, pause_ms=1_000)
    open_tables(LocalTables(room), [("join", settings)])
    over = asyncio.Event()
    bot: Future[Any] = stage.start(one_bot(room, stage.gate, "join", over))
    words = ("join", "--address", room.websocket_url, "--table", "join", "--name", "Ann")
    password = newcomer(room, "Ann")
    try:
        with Command(*words, "--chips", "150", state=tmp_path) as ann:
            ann.until("Password: ")
            ann.type(password)
            ann.until(lambda text: "Ann (you)" in text and "YOUR TURN" in text)
            ann.type("raise 1.234")
            ann.until("'1.234' is not an amount: write 12 or 12.50, two decimals at most.")
            ann.type("dance")
            ann.until("'dance' is no command: type help for the list.")
            ann.type("raise 20")
            screen = ann.until(lambda text: "You raise to P20" in text)
            assert "Your cards: " in screen
            ann.until("YOUR TURN")
            ann.type("fold")
            ann.until("Next hand in")
            ann.type("leave")
            assert ann.ends(20) == 0
            assert re.search(r"You left, with P[0-9.]+\.", ann.text)
            assert all(len(line) <= 80 for line in ann.text.splitlines() if "\r" not in line)
        stored = LocalTables(room).load("join")
        assert stored is not None
        assert stored.table.seat_of("Ann") is None
    finally:
        stage.call(over.set)
    bot.result(30)


def test_join_says_in_one_line_what_is_wrong(tmp_path: Path, room: Room) -> None:
    def said(*words: str) -> tuple[int, str]:
        with Command("join", *words, state=tmp_path, live=False) as command:
            return command.ends(30), command.text.strip()

    assert said() == (1, "cardroom: no room is running here: start one with make play")
    code, text = said("--address", "ws://example.com/x")
    assert code == 1
    assert "is not a room on this machine" in text
    code, text = said("--address", room.websocket_url, "--table", "nowhere")
    assert code == 1
    assert text.startswith("cardroom: there is no table 'nowhere'")
    code, text = said("--address", room.websocket_url, "--name", "a b")
    assert (code, text.count("\n")) == (2, 0)
    code, text = said("--chips", "12.345")
    assert code == 2
    assert "is not an amount" in text


def test_ctrl_c_stops_the_room_and_leaves_no_process(tmp_path: Path) -> None:
    words = ("play", "--bots", "2", "--table", "php-2p50-5-1")
    with Command(*words, state=tmp_path, live=False) as play:
        play.until("Join:", 120)
        play.until(lambda text: "Hand 1" in text and " posts " in text, 120)
        assert (tmp_path / "room.json").exists()
        (page,) = re.findall(r"In a browser: (http://127\.0\.0\.1:\d+/)", play.text)
        with urllib.request.urlopen(f"{page}config.json", timeout=10) as answer:
            told = json.load(answer)
        assert f"Room: {told['ws']}" in play.text
        assert json.loads((tmp_path / "room.json").read_text())["web"] == page
        assert re.search(r"Sign in: Ann \w{12,}, Ben \w{12,}, Cora \w{12,}", play.text)
        assert stat.S_IMODE((tmp_path / "players.json").stat().st_mode) == 0o600
        with Command("token", "Cora", state=tmp_path, live=False) as token:
            assert token.ends(30) == 0
            assert token.text.count(".") == 2
        started = descendants(play.process.pid)
        assert len(started) >= 3
        play.interrupt()
        assert play.ends(30) == 0
        assert play.text.rstrip().endswith("Stopped.")
    assert running(started) == set()
    assert not (tmp_path / "room.json").exists()
    assert not (tmp_path / "players.json").exists()


def test_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with Command("play", "--port", str(port), state=tmp_path, live=False) as play:
            assert play.ends(30) == 1
            assert f"cardroom: port {port} is in use" in play.text
            assert "Traceback" not in play.text
