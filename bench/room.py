"""How long an action takes to every client of its table, on the local room.

Bots play over real WebSockets, quickly; all of them live in this process, so one clock times both
ends: from the moment a bot sends its action to the moment the last client of the table has been
pushed what came of it. The machine's load is part of the figure: measure on a quiet one.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bench.figures import Figure
from local.bots import Habits
from local.client import Client
from local.errors import RoomError
from local.seats import Bots, bot_name
from local.stack import Room
from local.tables import LocalTables, open_tables, table_id
from poker_engine.stakes import PHP_STAKES, table_settings

TABLES: Final = (1, 20)
PLAYERS: Final = 6
BUDGETS_MS: Final = {1: 30, 20: 150}
"""p95, by tables."""
THINK: Final = (0.4, 1.2)
"""Seconds: a table of six acts a little more often than people do."""
WARM_PUSHES: Final = 20
"""That everybody has heard before the clock runs: all sit, and every function is warm."""
WARM_SECONDS: Final = 300.0
"""A room that takes longer is not warmed up, it is stuck."""


@dataclass
class Stopwatch:
    """Actions and pushes of all tables, on this process's monotonic clock."""

    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    """When the action was sent that led to this seq of the table."""
    heard: dict[tuple[str, int], list[tuple[int, float]]] = field(default_factory=dict)
    """By table and client: each push's seq, and when it came."""
    _heard: asyncio.Event = field(default_factory=asyncio.Event)

    def ear(self, table: str, number: int) -> Callable[[str], None]:
        """To be the `record` of a client at the table."""
        pushes = self.heard.setdefault((table, number), [])

        def hear(text: str) -> None:
            now = time.monotonic()
            message = json.loads(text)
            if message.get("type") == "events":
                pushes.append((int(message["seq"]), now))
                self._heard.set()

        return hear

    def hand(self, client: Client) -> None:
        """Time what this client does from now on."""
        ask: Callable[..., Awaitable[Any]] = client.request

        async def request(route: str, **fields: Any) -> Any:
            began = time.monotonic()
            reply = await ask(route, **fields)
            if route == "act":
                self.sent[fields["table"], int(reply["seq"])] = began
            return reply

        vars(client)["request"] = request

    async def until_all_hear(self, pushes: int) -> None:
        """Until every client has heard so many."""
        while any(len(heard) < pushes for heard in self.heard.values()):
            self._heard.clear()
            await self._heard.wait()

    def latencies(self) -> list[float]:
        """Milliseconds of each action until every client of its table was told, least first.
        Actions of which somebody was never pushed anything, as of a run's last, do not count.
        """
        found = []
        for (table, seq), began in self.sent.items():
            at = [
                next((when for one, when in pushes if one >= seq and when >= began), None)
                for (of, _), pushes in self.heard.items()
                if of == table
            ]
            told = [when for when in at if when is not None]
            if told and len(told) == len(at):
                found.append(1000 * (max(told) - began))
        return sorted(found)


def quantile(values: Sequence[float], share: float) -> float:
    """Of sorted values; the next one above. Raises ValueError where there are none."""
    if not values:
        raise ValueError("nothing was measured")
    return values[min(len(values) - 1, int(share * len(values)))]


def measure(tables: Iterable[int], seconds: float) -> dict[int, list[float]]:
    """Milliseconds of the actions, sorted, by tables; a new room for each. Raises RoomError."""
    found: dict[int, list[float]] = {}
    for count in tables:
        with Room.start() as room:
            found[count] = asyncio.run(timed(room, count, seconds))
    return found


def figures(measured: Mapping[int, Sequence[float]]) -> list[Figure]:
    """Raises ValueError where nothing was measured."""
    found: list[Figure] = []
    for count, times in measured.items():
        who = f"action to every client, {count} table{'s' if count > 1 else ''} of {PLAYERS}"
        found += [
            Figure(f"{who}: actions", len(times)),
            Figure(f"{who}: p50", quantile(times, 0.50), "ms"),
            Figure(f"{who}: p95", quantile(times, 0.95), "ms", BUDGETS_MS.get(count)),
            Figure(f"{who}: p99", quantile(times, 0.99), "ms"),
        ]
    return found


async def timed(room: Room, count: int, seconds: float) -> list[float]:
    """Milliseconds of the actions at so many tables, sorted."""
    watch = Stopwatch()
    settings = table_settings(PHP_STAKES[0], PLAYERS)
    names = [table_id(PHP_STAKES[0], number) for number in range(1, count + 1)]
    open_tables(LocalTables(room), [(name, settings) for name in names])
    async with Bots(room, "bench") as bots:
        for name in names:
            for seat in range(PLAYERS):
                who = bot_name(len(bots.seated))
                ear = watch.ear(name, seat)
                seated = await bots.seat(
                    who, name, habits=Habits(think=THINK), seat=seat, record=ear
                )
                watch.hand(seated.client)
        try:
            await asyncio.wait_for(watch.until_all_hear(WARM_PUSHES), WARM_SECONDS)
        except TimeoutError:
            raise RoomError(f"somebody heard nothing for {WARM_SECONDS:.0f} seconds") from None
        watch.sent.clear()
        await asyncio.sleep(seconds)
        bots.check()
        # What was just done may still be on its way.
        await asyncio.sleep(1.0)
    return watch.latencies()
