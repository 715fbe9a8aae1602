"""The lobby on the local room: the floor's queue and function, as those see it who watch it."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import pytest

from local.client import Client
from local.seats import Bots
from local.stack import Room
from local.table_view import Json
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.watching import sit

pytestmark = pytest.mark.e2e

SETTINGS = table_settings(PHP_STAKES[1], 2)
PATIENCE_SECONDS = 30
"""That it is 5 seconds at most is shown by a clock that can be set: `tests/room/test_lobby.py`."""


def test_a_seat_that_is_taken_is_seen_by_who_watches_the_lobby(room: Room, stage: Stage) -> None:
    open_tables(LocalTables(room), [("hall", SETTINGS)])
    stage.start(_seen(room, stage.gate)).result(90)


async def _seen(room: Room, gate: asyncio.Semaphore) -> None:
    async with Bots(room, seed="hall", gate=gate) as bots:
        watchers = [await bots.connect("guest", guest=True) for _ in range(2)]
        for client in watchers:
            await client.enter_lobby()
            assert _row(client)["players"] == [None, None]
        await watchers[0].watch("hall")
        player = await bots.connect("hall-a")
        # The first tick starts its function.
        await _all_see(watchers, lambda row: row["watching"] == 1)
        await sit(player, "hall", 1, SETTINGS.minimum)
        await _all_see(watchers, lambda row: row["players"][1] is not None)
        await player.request("leave", table="hall")
        await _all_see(watchers, lambda row: row["taken"] == 0 and row["watching"] == 2)
        # Nobody has asked again: a chain of ticks brought it.
        assert all(client.counts.lobbies >= 3 for client in watchers)


def _row(client: Client) -> Json:
    row = client.lobby.table("hall")
    assert row is not None
    return row


async def _all_see(clients: Iterable[Client], holds: Callable[[Json], bool]) -> None:
    await asyncio.gather(
        *(client.until(partial(_holds, client, holds), PATIENCE_SECONDS) for client in clients)
    )


def _holds(client: Client, holds: Callable[[Json], bool]) -> bool:
    return holds(_row(client))
