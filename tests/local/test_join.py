"""A person who joins: which table, which seat, and what he reads when the room is lost."""

import asyncio
import io
import json
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from cli.main import main
from local.client import Client, Timing
from local.errors import RoomError
from local.join import Player, choose, sit
from local.running import RoomFile
from local.terminal import Terminal
from local.wishes import Refusal
from tests.local.fake_room import FakeRoom, Fault, Json, state

PATIENT = Timing(reply=0.2, tries=1, backoff=0.01, backoff_most=0.02)


async def token() -> str:
    return "t"


@pytest.fixture
async def room() -> AsyncIterator[FakeRoom]:
    async with FakeRoom() as room:
        yield room


def client_of(room: FakeRoom, player: str = "dan") -> Client:
    return Client(room.address, token, player, timing=PATIENT)


def answered(route: str, **reply: Any) -> Fault:
    """The next message of this route gets this answer."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        text = json.dumps({"type": "ok", "id": message["id"], "seq": room.seq} | reply)
        asyncio.get_running_loop().create_task(socket.send(text))
        return True

    return fault


def shown(room: FakeRoom, table: str, big_blind: int, *, full: bool = False) -> Fault:
    """The next to watch this table sees these stakes."""
    seen = state()
    seen["settings"] |= {"small_blind": big_blind // 2, "big_blind": big_blind}
    if not full:
        seen["seats"][1] = None
    return answered("watch", snapshot={"seq": room.seq, "now": room.now, "state": seen})


async def test_without_a_choice_it_is_the_lowest_stakes_with_a_free_seat(room: FakeRoom) -> None:
    tables = ["php-10-20-1", "php-100-200-1", "php-2p50-5-1", "php-5-10-1"]
    room.faults += [
        answered("tables", tables=tables),
        shown(room, "php-10-20-1", 2_000),
        shown(room, "php-100-200-1", 20_000),
        shown(room, "php-2p50-5-1", 500, full=True),
        shown(room, "php-5-10-1", 1_000),
    ]
    async with client_of(room) as client:
        view = await choose(client, None)
        assert view.table == "php-5-10-1"
        assert list(client.views) == ["php-5-10-1"]


async def test_what_the_room_refuses_is_told_in_the_tables_money(room: FakeRoom) -> None:
    room.state["seats"][1] = None
    async with client_of(room) as client:
        view = await client.watch("t1")
        with pytest.raises(RoomError, match=r"^The buy-in is at least P10\.$"):
            await sit(client, view, None, 5)


@pytest.mark.parametrize("seat", [-1, 3, 99])
async def test_a_seat_that_the_table_has_not_is_refused_here(room: FakeRoom, seat: int) -> None:
    room.state["seats"][1] = None
    async with client_of(room) as client:
        view = await client.watch("t1")
        with pytest.raises(Refusal, match=rf"^t1 has no seat {seat}: seats are 0 to 2\.$"):
            await sit(client, view, seat, None)
    assert room.of("sit") == []


async def seated(client: Client, out: io.StringIO, source: int, patience: float) -> tuple[int, str]:
    """Ann plays, with this to type and to read."""
    view = await client.watch("t1")
    with os.fdopen(source) as typed, Terminal(typed, out) as terminal:
        return await Player(client, view, terminal, patience=patience).play()


async def test_a_room_that_has_stopped_is_given_up(room: FakeRoom) -> None:
    reading, writing = os.pipe()
    out = io.StringIO()
    async with client_of(room, "ann") as client:
        playing = asyncio.ensure_future(seated(client, out, reading, 0.3))
        await room.until(lambda: "You sit at t1" in out.getvalue())
        await room.__aexit__()
        async with asyncio.timeout(5):
            code, farewell = await playing
    os.close(writing)
    assert code == 1
    assert farewell == "The room does not answer any more: it was stopped, or has lost you."
    assert "You left" not in out.getvalue()


async def test_who_leaves_unheard_is_told_so(room: FakeRoom) -> None:
    reading, writing = os.pipe()
    out = io.StringIO()
    async with client_of(room, "ann") as client:
        playing = asyncio.ensure_future(seated(client, out, reading, 60))
        await room.until(lambda: "You sit at t1" in out.getvalue())
        room.faults.append(lambda room, socket, message: message["route"] == "leave")
        os.close(writing)
        async with asyncio.timeout(5):
            code, farewell = await playing
    assert code == 1
    assert farewell == "The room did not answer: your seat is yours until the clock takes it."


async def test_who_leaves_in_a_hand_is_told_when(room: FakeRoom) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"leave\n")
    os.close(writing)
    async with client_of(room, "ann") as client:
        code, farewell = await seated(client, io.StringIO(), reading, 60)
    assert (code, farewell) == (0, "You leave the table as soon as the hand is over.")


async def test_what_is_refused_in_play_is_told_in_the_tables_money(room: FakeRoom) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"top up 5000\n")
    os.close(writing)
    out = io.StringIO()
    refusal = {"code": "buy_in_too_large", "message": "You may add 121250 at most."}
    room.faults.append(
        answered("topup", **refusal, type="error", facts={"maximum": 121_250}, seq=None)
    )
    async with client_of(room, "ann") as client:
        await seated(client, out, reading, 60)
    assert "You may top up by P1212.50 at most.\n" in out.getvalue()
    assert "121250" not in out.getvalue()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--chips", "0"], "An amount is more than 0."),
        (["--chips", "12.345"], "'12.345' is not an amount"),
        (["--chips", "99999999999999999"], "'99999999999999999' is too large."),
        (["--chips", "10000000000.01"], "10000000000.01 is too large."),
        (["--name", "isko"], "isko is a bot of this room: take another name."),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_sent(
    words: list[str],
    says: str,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    RoomFile("http://127.0.0.1:9", 7, "ws://127.0.0.1:9/", ("Isko",)).write()
    monkeypatch.setattr("local.join.find", lambda address: type("R", (), {"endpoint": "h://x:9"}))
    assert main(["join", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"cardroom: {says}")
    assert told.count("\n") == 1
