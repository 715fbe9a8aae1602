"""Waiting for a seat on the local room: stream, floor, queue and pushes, as players meet them."""

import asyncio
import time
from collections.abc import Callable

import pytest

from cardroom.tables import open_table
from local.client import Client, RequestError
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables
from poker_engine.stakes import Stakes, no_limit, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.watching import gather_bots

pytestmark = pytest.mark.e2e

FULL, GROWING = no_limit("USD", 700), no_limit("USD", 800)
SECONDS = 20


def _open(room: Room, table: str, stakes: Stakes, most: int) -> int:
    """Two seats; the least buy-in."""
    settings = table_settings(stakes, 2)
    assert open_table(LocalTables(room), table, settings, time.time_ns() // 1_000_000, most=most)
    return settings.minimum


def test_a_freed_seat_goes_to_the_first_in_the_line(room: Room, stage: Stage) -> None:
    chips = _open(room, "queue", FULL, most=1)
    stage.start(_queue(room, stage.gate, chips)).result(120)


async def _queue(room: Room, gate: asyncio.Semaphore, chips: int) -> None:
    async with Bots(room, seed="queue", gate=gate) as bots:
        names = [f"queue-{letter}" for letter in "abcd"]
        ana, ben, cyd, dee = await gather_bots(bots, names)
        for seat, client in enumerate((ana, ben)):
            await client.request("sit", table="queue", seat=seat, chips=chips)
        # Until the lobby knows, a seat would be offered, and taken back.
        await ana.enter_lobby()
        await ana.until(lambda: _taken(ana) == 2, SECONDS)
        for place, client in enumerate((cyd, dee), 1):
            assert (await client.request("wait", structure=FULL.structure))["waiting"] == {
                "structure": FULL.structure,
                "place": place,
                "length": place,
                "table": None,
                "until": None,
            }
        lobby = await dee.look_at_lobby()
        (stake,) = (one for one in lobby.stakes if one["structure"] == FULL.structure)
        assert stake["waiting"] == 2
        with pytest.raises(RequestError) as refused:
            await dee.request("quickseat", structure=FULL.structure, chips=chips)
        assert refused.value.code == "all_full"
        await ben.request("leave", table="queue")
        await cyd.until(lambda: _offered(cyd) == "queue", SECONDS)
        with pytest.raises(RequestError) as refused:
            await dee.request("sit", table="queue", seat=1, chips=chips)
        assert refused.value.code == "seat_reserved"
        assert (await cyd.request("wait", structure=FULL.structure))["waiting"]["table"] == "queue"
        await cyd.request("sit", table="queue", seat=1, chips=chips)
        await ana.request("leave", table="queue")
        await dee.until(lambda: _offered(dee) == "queue", SECONDS)
        reply = await dee.request("quickseat", structure=FULL.structure, chips=chips)
        assert (reply["table"], reply["seat"]) == ("queue", 0)
        lobby = await dee.look_at_lobby()
        (stake,) = (one for one in lobby.stakes if one["structure"] == FULL.structure)
        assert stake["waiting"] == 0
        assert not any(client.counts.faults for client in (ana, ben, cyd, dee))


def _taken(client: Client) -> int:
    row = client.lobby.table("queue")
    return 0 if row is None else int(row["taken"])


def _offered(client: Client) -> str | None:
    offer = client.offers.get(FULL.structure)
    return None if offer is None else offer.table


def test_a_table_opens_and_closes_by_itself(room: Room, stage: Stage) -> None:
    chips = _open(room, "grow", GROWING, most=3)
    stage.start(_grow(room, stage.gate, chips)).result(120)


async def _grow(room: Room, gate: asyncio.Semaphore, chips: int) -> None:
    async with Bots(room, seed="grow", gate=gate) as bots:
        ana, ben = await gather_bots(bots, ["grow-a", "grow-b"])
        for client in (ana, ben):
            await client.request("quickseat", structure=GROWING.structure, chips=chips)
        await _lobby_shows(ana, lambda tables: tables == ["grow", "grow-2"])
        for client in (ana, ben):
            await client.request("leave", table="grow")
        await _lobby_shows(ana, lambda tables: tables == ["grow"])


async def _lobby_shows(client: Client, holds: Callable[[list[str]], bool]) -> None:
    """Open tables of the stake, by name."""
    await client.enter_lobby()

    def tables() -> list[str]:
        rows = (row for row in client.lobby.tables if row["structure"] == GROWING.structure)
        return sorted(row["table"] for row in rows)

    await client.until(lambda: holds(tables()), SECONDS)
