"""Hands that end one second into a turn: how soon does the next one start?"""

import asyncio

from local.client import Client
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.watching import Received, act, sit

TABLES = 4
HANDS = 5
PAUSE_MS = 2_000


async def twenty(room: Room, gate: asyncio.Semaphore) -> list[int]:
    """Milliseconds from the end of a hand to the start of the next, by the server's own times."""
    return await _hands(room, gate, [f"ends-{number}" for number in range(TABLES)], HANDS)


async def warm_up(room: Room, gate: asyncio.Semaphore) -> list[int]:
    """One hand at as many tables: starts as many of every function as hands need."""
    return await _hands(room, gate, [f"warm-{number}" for number in range(TABLES)], 1)


async def _hands(room: Room, gate: asyncio.Semaphore, names: list[str], hands: int) -> list[int]:
    settings = table_settings(PHP_STAKES[0], 2, pause_ms=PAUSE_MS)
    open_tables(LocalTables(room), [(name, settings) for name in names])
    async with Bots(room, seed="ends", gate=gate) as bots:
        pairs = []
        for name in names:
            record = Received(name)
            pair = [await bots.connect(f"{name}-a", record), await bots.connect(f"{name}-b")]
            for seat, client in enumerate(pair):
                await sit(client, name, seat, settings.minimum)
            pairs.append((name, pair, record))
        found = await asyncio.gather(*(_play(hands, *pair) for pair in pairs))
    return [wait for waits in found for wait in waits]


async def _play(hands: int, table: str, pair: list[Client], record: Received) -> list[int]:
    """Whoever has to act folds one second into his turn, until enough hands have followed."""

    async def fold_late(client: Client) -> None:
        done = (0, 0)
        async for _ in client.changes():
            view = client.views[table]
            turn = view.turn
            if turn is None or turn["seat"] != view.mine:
                continue
            if (turn["hand"], turn["number"]) > done:
                done = (turn["hand"], turn["number"])
                began = turn["deadline"] - view.settings["clock_ms"]
                await asyncio.sleep(max(0, began + 1_000 - client.now()) / 1000)
                await act(client, table, turn, "fold")

    tasks = [asyncio.ensure_future(fold_late(client)) for client in pair]
    try:
        view = pair[0].views[table]
        await pair[0].until(lambda: (view.hand or {}).get("number", 0) > hands, 120)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return waits(record)


def waits(record: Received) -> list[int]:
    """From each hand_ended to the hand_started that follows it."""
    ended = 0
    found = []
    for event, _ in record.events():
        if event["e"] == "hand_ended":
            ended = event["at"]
        if event["e"] == "hand_started" and ended:
            found.append(event["at"] - ended)
    return found
