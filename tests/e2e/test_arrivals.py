"""From where players come, on the local room: kept as hashes, given out in words, and erased."""

import asyncio
import json
from typing import Any

import pytest

from cardroom.personal import Arrival, DynamoPersonal
from cardroom.systemclock import SystemClock
from cli.main import main
from local.cognito import Users
from local.stack import Room
from local.tables import LocalTables
from local.welcome import GIFT
from tests.e2e.conftest import Stage
from tests.e2e.raw import status

pytestmark = pytest.mark.e2e

DEVICE = "a_name_of_one_device_01"
PLAYERS = ("came-ana", "came-ben")


def _arrivals(room: Room) -> list[Arrival]:
    personal = DynamoPersonal.beside(LocalTables(room))
    found = [personal.arrivals_of(name, SystemClock().now()) for name in PLAYERS]
    return [one for some in found for one in some]


async def _come(room: Room) -> None:
    for name in PLAYERS:
        token = await asyncio.to_thread(Users(room).token, name)
        offered = ("cardroom.v1", f"bearer.{token}", f"device.{DEVICE}")
        assert await status(room, *offered) == 101


def test_two_of_one_device_are_told_and_forgotten(
    room: Room, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--address", room.websocket_url, "--why", "a test")
    for name in PLAYERS:
        assert main(["players", "create", name, *where]) == 0
    stage.start(_come(room)).result(60)
    ana, ben, *more = _arrivals(room)
    assert (ana.address, ana.device) == (ben.address, ben.device)
    assert more == []
    assert DEVICE not in json.dumps([line for _, line in room.log_lines()])
    assert "127.0.0.1" not in str(_items(room))
    capsys.readouterr()
    assert main(["players", "export", PLAYERS[0], *where[:2]]) == 0
    told = json.loads(capsys.readouterr().out)["connections came from"]
    assert list(told.values()) == ["1 address, 1 device that had a name, as hashes"]
    for name in PLAYERS:
        for currency in ("PHP", "USD"):
            out = ("withdraw", name, f"{GIFT // 100}", currency, "--reference", currency)
            assert main(["players", *out, *where]) == 0
        for action in ("suspend", "close", "erase"):
            assert main(["players", action, name, *where]) == 0
    assert _arrivals(room) == []


def _items(room: Room) -> list[Any]:
    return list(DynamoPersonal.beside(LocalTables(room)).scan("pk <> :no", {":no": {"S": "no"}}))
