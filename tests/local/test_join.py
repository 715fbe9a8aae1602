"""A person who joins: which table, which seat, and what he reads when the room is lost."""

import asyncio
import io
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.main import main
from local.client import Client, Timing
from local.errors import RoomError
from local.join import arrive, choose, come_back
from local.running import RoomFile
from local.terminal import Terminal
from local.visitor import Visitor, sit
from local.wishes import Refusal
from tests.local.fake_room import FakeRoom, Fault, answer, lobby, refuse, row
from tests.local.test_table_screen import in_turn

PATIENT = Timing(reply=0.2, tries=1, backoff=0.01, backoff_most=0.02)


async def token() -> str:
    return "t"


@pytest.fixture
async def room() -> AsyncIterator[FakeRoom]:
    async with FakeRoom() as room:
        yield room


def client_of(room: FakeRoom, player: str = "dan") -> Client:
    return Client(room.address, token, player, timing=PATIENT)


async def test_the_wanted_table_is_watched(room: FakeRoom) -> None:
    async with client_of(room) as client:
        view = await choose(client, "t1")
        assert (view.table, view.seq) == ("t1", 10)


@pytest.mark.parametrize("code", ["unknown_table", "bad_message"])
async def test_a_table_that_is_not_there_is_told_with_those_that_are(
    room: FakeRoom, code: str
) -> None:
    room.lobby = lobby(row(), row(table="t2"))
    room.faults.append(refuse("watch", code))
    async with client_of(room) as client:
        with pytest.raises(RoomError, match=r"^there is no table '\?no': t1, t2$"):
            await choose(client, "\x1bno")


async def test_without_a_table_the_lobby_comes_first(room: FakeRoom) -> None:
    async with client_of(room) as client:
        assert await arrive(client, None, None, None) is None
        assert client.lobby.table("t1") is not None
        assert client.account["balances"] == [{"currency": "PHP", "balance": 123_450}]
    assert room.routes() == ["lobby", "account"]


async def test_who_still_has_a_seat_is_brought_back_to_it(room: FakeRoom) -> None:
    room.account["seats"] = ["t1"]
    async with client_of(room, "ann") as client:
        view = await arrive(client, None, None, None)
        assert view is not None
        assert (view.table, view.mine) == ("t1", 0)


async def test_a_seat_that_was_lost_meanwhile_is_none(room: FakeRoom) -> None:
    room.account["seats"] = ["t1"]
    async with client_of(room, "dan") as client:
        assert await arrive(client, None, None, None) is None
        assert client.views == {}
    assert room.routes()[-1] == "unwatch"


async def test_of_several_tables_the_one_that_waits_for_the_player_is_shown(
    room: FakeRoom,
) -> None:
    room.account["seats"] = ["t1", "t2"]
    turn = {"seq": 10, "now": room.now, "away": [], "state": in_turn()}
    async with client_of(room, "ann") as client:
        await client.request("account")
        await client.watch("t1")
        room.faults.append(first_then(answer("watch", snapshot=turn)))
        view = await come_back(client)
        assert view is not None
        assert view.table == "t2"
        assert set(client.views) == {"t1", "t2"}


def first_then(fault: Fault) -> Fault:
    """The fault, once for "t2"."""
    return lambda room, socket, message: (
        message.get("table") == "t2" and fault(room, socket, message)
    )


async def test_a_person_takes_the_first_seat_that_nobody_was_quicker_at(room: FakeRoom) -> None:
    room.state["seats"][1] = room.state["seats"][2] = None
    room.faults.append(refuse("sit", "seat_taken"))
    room.faults.append(answer("sit"))
    async with client_of(room) as client:
        await sit(client, await client.watch("t1"), None, None)
    assert [message["seat"] for message in room.of("sit")] == [1, 2]


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
        visitor = Visitor(client, terminal, at=view, one_table=True, patience=patience)
        return await visitor.play()


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
        answer("topup", **refusal, type="error", facts={"maximum": 121_250}, seq=None)
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
        (["--seat", "3"], "--seat is a seat of a table: say which with --table."),
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
    monkeypatch.setattr("local.place.find", lambda address: type("R", (), {"endpoint": "h://x:9"}))
    assert main(["join", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"cardroom: {says}")
    assert told.count("\n") == 1
