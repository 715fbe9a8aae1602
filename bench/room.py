"""How long an action takes to every client of its table, on the local room, and what that takes.

Bots play over real WebSockets, quickly; all of them live in this process, so one clock times both
ends: from the moment a bot sends its action to the moment the last client of the table has been
pushed what came of it. The machine's load is part of the figure: measure on a quiet one.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import batched, islice
from typing import Any, Final

from bench import top
from bench.figures import Figure
from bench.processes import Moment, Taken
from local.bots import Bot, Habits, style_of
from local.client import Client, Timing
from local.errors import RoomError
from local.seats import Bots, Seated, bot_name
from local.stack import Room
from local.tables import LocalTables, open_tables, table_id
from poker_engine.stakes import PHP_STAKES, table_settings

TABLES: Final = (1, 20, 100)
PLAYERS: Final = 6
BUDGETS_MS: Final = {1: 30, 20: 150}
"""p95, by tables."""
THINK: Final = (0.4, 1.2)
"""Seconds: a table of six acts a little more often than people do."""
SLOWLY: Final = (3.0, 9.0)
MANY: Final = 50
"""From so many tables on: one process is all their services, with some 250 calls a second."""
TOGETHER: Final = 10
"""Tables at which bots sit down at once."""
SEATED_SECONDS: Final = 30.0
"""That is waited at most until these have heard of it."""
TIMING: Final = Timing(watch=1.0)
"""Hundreds of clients are one process here: they look at the silence less often."""
WARM_PUSHES: Final = 20
"""That everybody has heard before the clock runs: all sit, and every function is warm."""
LAST_SECONDS: Final = 5.0
WARM_SECONDS: Final = 180.0
"""A room that takes longer has more to do than it can: then that is measured."""


@dataclass
class Stopwatch:
    """Actions and pushes of all tables, on this process's monotonic clock."""

    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    """When the action was sent that led to this seq of the table."""
    heard: dict[tuple[str, int], list[tuple[int, float]]] = field(default_factory=dict)
    """By table and client: each push's seq, and when it came."""
    _since: float = float("-inf")
    """Actions that were sent before count nowhere."""
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
            if route == "act" and began >= self._since:
                self.sent[fields["table"], int(reply["seq"])] = began
            return reply

        vars(client)["request"] = request

    async def until_all_hear(self, pushes: int, tables: Container[str] | None = None) -> None:
        """Until every client, or every one at these tables, has heard so many."""
        clients = [
            heard for (table, _), heard in self.heard.items() if tables is None or table in tables
        ]
        while any(len(heard) < pushes for heard in clients):
            self._heard.clear()
            await self._heard.wait()

    @property
    def pushes(self) -> int:
        """That all clients have heard."""
        return sum(map(len, self.heard.values()))

    def forget(self) -> None:
        """From here on it measures: also what was sent before and is answered yet to come, which
        may have been told already, is none of it.
        """
        self._since = time.monotonic()
        self.sent.clear()
        for pushes in self.heard.values():
            pushes.clear()

    def sent_before(self, end: float) -> dict[tuple[str, int], float]:
        """What was sent since it measures and before this moment, and has been answered by now:
        asked some seconds later, those are all. Without the slow ones the others would seem quick.
        """
        return {what: began for what, began in self.sent.items() if began < end}

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


@dataclass(frozen=True, slots=True)
class Measured:
    """What so many tables came to in so many seconds."""

    seconds: float
    latencies: Sequence[float]
    """Milliseconds of each action until its table's last client was told, sorted."""
    actions: int
    pushes: int
    taken: Taken
    end: Moment
    said: Sequence[str]
    """What the operator sees: see `bench.top`."""


def measure(tables: Iterable[int], seconds: float) -> dict[int, Measured]:
    """By tables; a new room for each. Raises RoomError."""
    found: dict[int, Measured] = {}
    for count in tables:
        with Room.start() as room:
            found[count] = asyncio.run(timed(room, count, seconds))
        times = found[count].latencies
        if times:
            p50, p95, p99 = (quantile(times, share) for share in (0.50, 0.95, 0.99))
            told = f"{len(times)} actions, p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms"
            print(f"tables {count}: {told}", flush=True)
    return found


def figures(measured: Mapping[int, Sequence[float]]) -> list[Figure]:
    """Of the latencies by tables. Raises ValueError where nothing was measured."""
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


async def seat_all(bots: Bots, watch: Stopwatch, names: Sequence[str]) -> None:
    """A full table of bots at each of these tables. All connect before the first sits down: else
    the last would have to get through what the others play.
    """
    places = [(name, seat) for name in names for seat in range(PLAYERS)]
    already = len(bots.seated)
    clients = await asyncio.gather(
        *(
            bots.connect(bot_name(already + number), watch.ear(*place))
            for number, place in enumerate(places)
        )
    )
    habits = Habits(think=THINK if len(names) < MANY else SLOWLY)
    coming = enumerate(zip(clients, places, strict=True))
    for tables in batched(names, TOGETHER, strict=False):
        for number, (client, (name, seat)) in islice(coming, len(tables) * PLAYERS):
            watch.hand(client)
            seed = f"{bots.seed}/{number}/{name}"
            bot = Bot(client, name, style_of(already + number), seed, habits, seat)
            bots.seated.append(Seated(bot, client, asyncio.ensure_future(bot.run())))
        with suppress(TimeoutError):
            await asyncio.wait_for(watch.until_all_hear(1, tables), SEATED_SECONDS)


async def warm(watch: Stopwatch, seconds: float = WARM_SECONDS) -> str:
    """Until everybody has heard enough, or will not: who has not then, "" where all have. Raises
    RoomError where nobody hears anything.
    """
    try:
        await asyncio.wait_for(watch.until_all_hear(WARM_PUSHES), seconds)
    except TimeoutError:
        heard = sorted(map(len, watch.heard.values()))
        if not heard[-1]:
            raise RoomError(f"no player heard anything for {seconds:.0f} seconds") from None
        behind = sum(pushes < WARM_PUSHES for pushes in heard)
        few = f"fewer than {WARM_PUSHES} pushes in {seconds:.0f} s"
        return f"{behind} of {len(heard)} players have heard {few}, one of them {heard[0]}"
    return ""


async def timed(room: Room, count: int, seconds: float) -> Measured:
    """So many tables for so long, once all of them are warm."""
    watch = Stopwatch()
    settings = table_settings(PHP_STAKES[0], PLAYERS)
    names = [table_id(PHP_STAKES[0], number) for number in range(1, count + 1)]
    open_tables(LocalTables(room), [(name, settings) for name in names])
    async with Bots(room, "bench", TIMING) as bots:
        await seat_all(bots, watch, names)
        slow = await warm(watch)
        watch.forget()
        begin = Moment.now(room.emulator.pid)
        await asyncio.sleep(seconds)
        end = Moment.now(room.emulator.pid)
        pushes = watch.pushes
        bots.check()
        # What was just done may still be on its way.
        await asyncio.sleep(LAST_SECONDS)
        watch.sent = watch.sent_before(end.at)
    span = end.at - begin.at
    said = [*filter(None, [slow]), *top.said(top.figures(room, span))]
    taken = Taken.between(begin, end)
    return Measured(span, watch.latencies(), len(watch.sent), pushes, taken, end, said)
