"""The state machine's own definition, started by hand on a hand that nothing else watches."""

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any

from cardroom import keys
from cardroom.alarm import wake
from cardroom.models import SecretItem, written
from cardroom.results import Results
from cardroom.stored import Stored
from cardroom.systemclock import timestamp
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables
from poker_engine.cards import DECK, join_cards
from poker_engine.codec import dump_events, dump_table
from poker_engine.commands import Sit, Start
from poker_engine.decide import Advance, advance
from poker_engine.events import HandScheduled
from poker_engine.evolve import evolve, open_table
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.watching import act

GRACE_MS = 0
PAUSE_MS = 60_000


@dataclass
class Outcome:
    """The hand before and after, with the moment (ms) at which a change was first seen."""

    before: Stored
    after: Stored
    changed_at: int
    execution: str


def now() -> int:
    return time.time_ns() // 1_000_000


async def deadline_passes(room: Room) -> Outcome:
    """Nobody acts: what does the state machine bring about, and when?"""
    before = await asyncio.to_thread(_running_hand, room, "clock-passes", 3_000)
    execution = await asyncio.to_thread(_start, room, before)
    tables = LocalTables(room)
    while True:
        after = await asyncio.to_thread(tables.load, "clock-passes")
        assert after is not None
        if after.version > before.version or now() > before.at + 15_000:
            break
        await asyncio.sleep(0.05)
    return Outcome(before.stored, after, now(), await _status(room, execution))


async def acts_in_time(room: Room, gate: asyncio.Semaphore) -> Outcome:
    """The player folds before his deadline: then the machine must find nothing to do at it."""
    async with Bots(room, seed="clock", gate=gate) as bots:
        clients = [await bots.connect(f"clock-acted-{seat}") for seat in (0, 1)]
        before = await asyncio.to_thread(_running_hand, room, "clock-acted", 15_000)
        execution = await asyncio.to_thread(_start, room, before)
        hand = before.stored.table.hand
        assert hand is not None
        assert hand.turn is not None
        turn = {"hand": hand.number, "number": hand.turn.number}
        await act(clients[hand.turn.seat], "clock-acted", turn, "fold")
        tables = LocalTables(room)
        folded = await asyncio.to_thread(tables.load, "clock-acted")
        assert folded is not None
        status = await _status(room, execution)
        after = await asyncio.to_thread(tables.load, "clock-acted")
        assert after is not None
    return Outcome(folded, after, now(), status)


@dataclass
class _Begun:
    stored: Stored
    at: int

    @property
    def version(self) -> int:
        return self.stored.version


def _running_hand(room: Room, name: str, clock_ms: int) -> _Begun:
    """A table with a running hand, stored without any event that would start a clock."""
    settings = table_settings(
        PHP_STAKES[0], 2, clock_ms=clock_ms, grace_ms=GRACE_MS, pause_ms=PAUSE_MS
    )
    at = now()
    table = open_table(settings)
    for seat in (0, 1):
        sat = advance(table, Sit(f"{name}-{seat}", seat, settings.minimum), at)
        assert isinstance(sat, Advance)
        table = sat.table
    opening = dump_table(table)
    due = evolve(table, HandScheduled(at))
    begun = advance(due, Start(f"{name}-deck", 0), at, DECK)
    assert isinstance(begun, Advance)
    secret = SecretItem(
        keys.secret(name),
        f"{name}-deck",
        deck=join_cards(DECK),
        opening=opening,
        ttl=at // 1000 + 3600,
    )
    client: Any = room.client("dynamodb")
    client.put_item(TableName=room.outputs["TableName"], Item=written(secret))
    log = dump_events(begun.events)
    chips = 2 * settings.minimum
    stored = Stored(name, 1, begun.table, log, Results(), chips_in=chips, chips_out=0)
    assert LocalTables(room).create(stored, at)
    return _Begun(stored, at)


def _start(room: Room, begun: _Begun) -> str:
    hand = begun.stored.table.hand
    assert hand is not None
    assert hand.turn is not None
    answer = room.client("stepfunctions").start_execution(
        stateMachineArn=room.outputs["TurnClockArn"],
        name=f"by-hand-{begun.stored.table_id}",
        input=json.dumps(
            {
                "table": begun.stored.table_id,
                "hand": hand.number,
                "wait": timestamp(wake(hand.turn.expires, begun.at)),
            }
        ),
    )
    arn: str = answer["executionArn"]
    return arn


async def _status(room: Room, execution: str) -> str:
    """How the execution ended, or that it still runs after a while."""
    status = ""
    for _ in range(100):
        answer = await asyncio.to_thread(
            room.client("stepfunctions").describe_execution, executionArn=execution
        )
        status = answer["status"]
        if status != "RUNNING":
            break
        await asyncio.sleep(0.25)
    return status
