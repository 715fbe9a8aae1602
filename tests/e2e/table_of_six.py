"""Six bots at a table, with everything recorded; and a table where somebody falls silent."""

import asyncio
import time
from dataclasses import dataclass, field

from local.bots import Habits, Style, style_of
from local.seats import Bots, bot_name
from local.stack import Room
from local.tables import LocalTables, chips_missing, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.watching import Received

HANDS = 30
QUICK = Habits(think=(0.0, 0.02))


@dataclass
class Played:
    """What a scenario saw."""

    table: str
    received: list[Received] = field(default_factory=list)
    spectators: list[Received] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    """Chips missing at each look at the stored table."""
    refusals: list[str] = field(default_factory=list)
    faults: int = 0
    acts: int = 0
    seconds: float = 0.0


async def look(tables: LocalTables, table: str, played: Played) -> int:
    """Count the chips as they are stored; the number of the last hand that is over."""
    stored = await asyncio.to_thread(tables.load, table)
    assert stored is not None
    played.missing.append(chips_missing(stored))
    return stored.table.hands - (stored.table.running is not None)


async def thirty_hands(room: Room, gate: asyncio.Semaphore) -> Played:
    """Six bots and two spectators, one of them a guest, until thirty hands are over."""
    tables = LocalTables(room)
    settings = table_settings(PHP_STAKES[0], 6, clock_ms=3_000, grace_ms=500, pause_ms=300)
    open_tables(tables, [("six", settings)])
    played = Played("six")
    async with Bots(room, seed="six", gate=gate) as bots:
        for guest in (False, True):
            spectator = Received("guest" if guest else "eve")
            client = await bots.connect("eve", spectator, guest=guest)
            played.spectators.append(spectator)
            await client.watch("six")
        began = time.monotonic()
        for number in range(6):
            name = bot_name(number)
            record = Received(name)
            played.received.append(record)
            style = style_of(number, sleepy=0.004)
            await bots.seat(name, "six", style=style, habits=QUICK, seat=number, record=record)
        while await look(tables, "six", played) < HANDS:
            bots.check()
            await asyncio.sleep(0.25)
        played.seconds = time.monotonic() - began
        for one in bots.seated:
            played.refusals += one.bot.refusals
            played.faults += one.client.counts.faults
            played.acts += one.bot.played.acts
    return played


async def somebody_falls_silent(room: Room, gate: asyncio.Semaphore) -> Played:
    """Two bots and one who says nothing, on the real clock of 15 seconds, until he is gone."""
    tables = LocalTables(room)
    open_tables(tables, [("silent", table_settings(PHP_STAKES[1], 3, pause_ms=1_000))])
    played = Played("silent")
    async with Bots(room, seed="silent", gate=gate) as bots:
        # Two who never fold before the silent one has to speak.
        patient = Style("patient", loose=1.0, bold=0.0, shove=0.0)
        quiet = Habits(silent_from=0, stays=False)
        for number, habits in enumerate((QUICK, QUICK, quiet)):
            name = f"quiet{number}"
            record = Received(name)
            played.received.append(record)
            await bots.seat(
                name, "silent", style=patient, habits=habits, seat=number, record=record
            )
        deadline = time.monotonic() + 120
        while not bots.seated[2].task.done():
            await look(tables, "silent", played)
            bots.check()
            assert time.monotonic() < deadline, "the silent player was not removed"
            await asyncio.sleep(0.5)
        await bots.seated[0].client.sync("silent")
    return played
