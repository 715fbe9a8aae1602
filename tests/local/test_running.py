"""How another terminal finds the room."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cli.main import main
from local.artifacts import ROOT
from local.errors import RoomError
from local.lobby_screen import LobbyScreen
from local.lobby_view import LobbyView
from local.play import READY, how_to_join, public_view, tables_of_the_room
from local.running import (
    AlreadyRunning,
    RoomFile,
    bots_at,
    endpoint_of,
    find,
    only_room,
    player_of,
    room_file,
)
from local.stack import Room
from local.table_view import TableView
from local.tables import table_id
from poker_engine.stakes import PHP_STAKES, fixed_limit, no_limit
from tests.local.fake_room import lobby, row, stake
from tests.local.test_table_screen import in_turn


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    return tmp_path


def test_file_says_where_the_room_runs_until_it_is_removed() -> None:
    file = RoomFile("http://127.0.0.1:4566", 7, ADDRESS, ("Isko",), "http://127.0.0.1:8080/")
    file.write()
    assert RoomFile.read() == file
    file.remove()
    assert not room_file().exists()


def test_file_of_another_room_is_left_alone() -> None:
    other = RoomFile("http://127.0.0.1:4567", 8)
    other.write()
    RoomFile("http://127.0.0.1:4566", 7).remove()
    assert RoomFile.read() == other


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"endpoint": 1}'])
def test_without_a_room_it_says_what_to_do(content: str | None) -> None:
    if content is not None:
        room_file().write_text(content)
    with pytest.raises(RoomError, match="start one with make play"):
        find()


ADDRESS = "ws://127.0.0.1:4566/_aws/execute-api/abc/room"


def test_a_second_room_in_the_folder_is_refused_and_harms_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(**_: object) -> Room:
        raise AssertionError("it must not come to that")

    monkeypatch.setattr(Room, "start", start)
    with only_room():
        with pytest.raises(AlreadyRunning, match="has just begun to start"), only_room():
            pass
        first = RoomFile("http://127.0.0.1:4566", os.getpid(), ADDRESS)
        first.write()
        assert main(["play"]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert ADDRESS in told.err
        assert RoomFile.read() == first


def test_what_a_dead_room_left_is_no_hindrance(folder: Path) -> None:
    code = (
        "import os\n"
        "from local.running import RoomFile, only_room\n"
        "with only_room():\n"
        f"    RoomFile('http://127.0.0.1:4566', os.getpid(), {ADDRESS!r}).write()\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    paths = os.pathsep.join(str(ROOT / part) for part in ("layers/engine", "functions", "."))
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert done.returncode == -9
    assert room_file().exists()
    with only_room():
        assert not room_file().exists()


def test_names_of_the_rooms_own_bots_are_known() -> None:
    assert bots_at("http://127.0.0.1:4566") == frozenset()
    RoomFile("http://127.0.0.1:4566", 7, ADDRESS, ("Isko", "Watcher")).write()
    assert bots_at("http://localhost:4566") == {"isko", "watcher"}
    # Another room, which is not the one that left the file.
    assert bots_at("http://127.0.0.1:4567") == frozenset()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--port", "70000"], "--port is 1 to 65535, not 70000"),
        (["--port", "0"], "--port is 1 to 65535, not 0"),
        (["--web-port", "65536"], "--web-port is 1 to 65535, not 65536"),
        (["--bots", "7"], "a table seats 0 to 6 bots"),
        (["--table", "nope"], "there is no table 'nope': php-2p50-5-1, "),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(
    words: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Room, "start", None)
    assert main(["play", *words]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"cardroom: {says}")
    assert told.err.count("\n") == 1
    assert not room_file().exists()


def test_endpoint_lies_behind_the_address() -> None:
    assert endpoint_of(ADDRESS) == "http://127.0.0.1:4566"


@pytest.mark.parametrize(
    "address",
    ["", "http://127.0.0.1:1/", "ws://127.0.0.1/x", "ws://10.0.0.1:80/", "ws://[", "\x1b"],
)
def test_address_elsewhere_is_refused(address: str) -> None:
    with pytest.raises(RoomError, match="is not a room on this machine") as caught:
        endpoint_of(address)
    assert str(caught.value).isprintable()


def test_player_is_the_tokens_user_name() -> None:
    # {"alg":"none"} . {"username":"Ann"}
    assert player_of("eyJhbGciOiJub25lIn0.eyJ1c2VybmFtZSI6IkFubiJ9.x") == "Ann"


def test_room_has_a_table_for_each_stake_in_pesos_and_two_in_dollars() -> None:
    ids = [name for name, _ in tables_of_the_room()]
    assert ids == [
        "php-2p50-5-1",
        "php-5-10-1",
        "php-10-20-1",
        "php-25-50-1",
        "php-50-100-1",
        "php-100-200-1",
        "usd-1-2-1",
        "usd-3-6-limit-1",
    ]
    stakes = [settings.stakes for _, settings in tables_of_the_room()]
    assert stakes == [*PHP_STAKES, no_limit("USD", 100), fixed_limit("USD", 300)]
    assert table_id(fixed_limit("USD", 1000), 2) == "usd-10-20-limit-2"


def test_the_whole_lobby_fits_a_terminal_of_24_rows() -> None:
    stakes, rows = [], []
    for name, settings in tables_of_the_room():
        found = settings.stakes
        same = {
            "structure": found.structure,
            "game": str(found.game),
            "currency": found.currency,
            "small_blind": found.small_blind,
            "big_blind": found.big_blind,
            "small_bet": found.small_bet,
            "big_bet": found.big_bet,
        }
        stakes.append(stake(**same))
        rows.append(row(**same, table=name, minimum=settings.minimum, maximum=settings.maximum))
    view = LobbyView()
    view.load(lobby(*rows, stakes=stakes))
    how = how_to_join(
        cast(Room, SimpleNamespace(websocket_url=ADDRESS)),
        dict.fromkeys(READY, "x" * 15),
        "http://127.0.0.1:45678/",
    )
    lines = LobbyScreen().page(view, view.now, foot=how).lines(23)
    for name, _ in tables_of_the_room():
        assert [line for line in lines if line.startswith(name)], name
    assert lines[-1] == "Stop: Ctrl-C. In a browser: http://127.0.0.1:45678/"


def test_table_on_show_hides_the_bots_cards() -> None:
    view = TableView("t1", player="ann")
    view.load(1, in_turn(), 0)
    view.log.append({"e": "prepared", "seat": 0, "do": "call", "price": 300})
    public = public_view(view)
    assert public.log == view.log[:-1]
    assert public.hole == []
    assert public.mine is None
    assert view.hole
