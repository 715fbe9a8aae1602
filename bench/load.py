"""Load on the local room: what gives first, and what the operator sees when it does.

    make load WHAT="storm spectators flood"
    make load WHAT=tables SECONDS=60
    make load WHAT=memory MINUTES=60

Every scenario is a room of its own, has an end of its own, and leaves nothing running. The bots,
the spectators and the flooder are one process on the same machine as the room, so the machine's
load is part of each figure; how many of its cores each of the three took stands beside them.
"""

import argparse
import asyncio
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from bench import page, room, top
from bench.figures import columns, number, over
from bench.processes import Moment, Taken
from bench.room import LAST_SECONDS, TIMING, Stopwatch, quantile, seat_all, warm
from local.client import PROTOCOL, VERSION, Refused
from local.cognito import Users
from local.errors import RoomError
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.raw import flood

CROWD: Final = 500
"""Connections of a storm, and spectators of a table."""
TABLE: Final = "busy"
BESIDE: Final = 4
"""Tables that play beside a storm or a flood: one shows too little in so short a time."""
SECONDS: Final = 30.0
"""Of play that is measured; before, meanwhile, after."""
MINUTES: Final = 10.0
SIGNED_AT_ONCE: Final = 4
OPENING: Final = 8
"""Spectators that connect at the same time: their storm is another scenario."""
TRIES: Final = 5
PATIENCE: Final = 60.0
"""For a connection to be opened."""
PHASES: Final = 4
"""Times that the table is measured, at most."""
AROUND: Final = 420.0
"""Seconds for all that a scenario does before and between what it measures."""
EVERY: Final = 30.0
"""Between two looks at the memory."""
FLOOD_MOST: Final = 5_000
SETTLES: Final = 0.2
"""This part of a long run is left out of its trend: until all has been used once."""
MEGABYTE: Final = 1024 * 1024
SEQ: Final = re.compile(r'"seq":(\d+)')


@dataclass(frozen=True, slots=True)
class Block:
    """What a scenario came to, as one table of the docs."""

    name: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    wrong: Sequence[str] = ()
    """What must not be."""
    said: Sequence[str] = ()
    """Lines beside the table."""


def ms(times: Sequence[float]) -> tuple[str, str, str, str]:
    """How many, p50, p95, p99 of sorted milliseconds."""
    if not times:
        return "0", "-", "-", "-"
    p50, p95, p99 = (f"{quantile(times, share):,.0f}" for share in (0.50, 0.95, 0.99))
    return number(len(times)), p50, p95, p99


def cores(taken: Taken) -> str:
    return f"{taken.emulator:.2f} + {taken.functions:.2f} + {taken.clients:.2f}"


CORES: Final = "cores: emulator + functions + clients"
LATENCY: Final = ("actions", "p50 ms", "p95 ms", "p99 ms")


# ---- tables -------------------------------------------------------------------------------------


def tables(counts: Sequence[int], seconds: float, write: bool) -> Block:
    """Latency and rates by tables, each beside its budget."""
    measured = room.measure(counts, seconds)
    latencies = {count: one.latencies for count, one in measured.items()}
    figures = room.figures(latencies)
    if write:
        page.write_latency(latencies)
    rows = [
        (
            number(count),
            number(one.actions / one.seconds),
            number(one.pushes / one.seconds),
            *ms(one.latencies),
            budget(count),
            cores(one.taken),
            number(round((one.end.emulator_memory + one.end.functions_memory) / MEGABYTE)),
            "; ".join(one.said) or "nothing",
        )
        for count, one in measured.items()
    ]
    head = ("tables of 6", "actions/s", "pushes/s", *LATENCY, "p95 budget", CORES, "MB", "top says")
    wrong = [f"{one.name} is {number(one.value)}, over {one.budget}" for one in over(figures)]
    return Block("tables", head, rows, wrong)


def budget(count: int) -> str:
    most = room.BUDGETS_MS.get(count)
    return "" if most is None else number(most)


# ---- a crowd at one table's room ----------------------------------------------------------------


@dataclass
class Tables:
    """Tables of six that play while something else happens."""

    room: Room
    bots: Bots
    watch: Stopwatch = field(default_factory=Stopwatch)
    last: float = LAST_SECONDS
    """For what was done at the end of a phase to get through."""
    rows: list[tuple[str, ...]] = field(default_factory=list)

    @classmethod
    async def opened(cls, running: Room, bots: Bots, count: int = BESIDE) -> "Tables":
        settings = table_settings(PHP_STAKES[0], room.PLAYERS)
        names = [TABLE, *(f"{TABLE}{number}" for number in range(2, count + 1))]
        open_tables(LocalTables(running), [(name, settings) for name in names])
        tables = cls(running, bots)
        await seat_all(bots, tables.watch, names)
        await warm(tables.watch)
        return tables

    async def during[Result](self, what: str, doing: Awaitable[Result]) -> Result:
        """Latency at the tables while this is done, as a row of that name."""
        self.watch.forget()
        begin = Moment.now(self.room.emulator.pid)
        result = await doing
        end = Moment.now(self.room.emulator.pid)
        taken = Taken.between(begin, end)
        self.bots.check()
        await asyncio.sleep(self.last)
        self.watch.sent = self.watch.sent_before(end.at)
        self.rows.append((what, *ms(self.watch.latencies()), cores(taken)))
        return result


HEAD: Final = ("at the tables", *LATENCY, CORES)


async def tokens(running: Room, names: Iterable[str]) -> list[str]:
    """Of so many players, who are signed up for it."""
    users, gate = Users(running), asyncio.Semaphore(SIGNED_AT_ONCE)

    async def one(name: str) -> str:
        async with gate:
            return await asyncio.to_thread(users.token, name)

    return await asyncio.gather(*map(one, names))


async def open_one(address: str, token: str) -> ClientConnection:
    return await connect(
        address,
        subprotocols=[Subprotocol(PROTOCOL), Subprotocol(f"bearer.{token}")],
        open_timeout=PATIENCE,
        close_timeout=1,
        ping_interval=None,
        proxy=None,
    )


@dataclass
class Storm:
    """What came of all who connected at once, and again where they were refused."""

    opened: list[float] = field(default_factory=list)
    """Milliseconds from the beginning until each was let in, sorted."""
    refused: Counter[str] = field(default_factory=Counter)
    never: int = 0
    sockets: list[ClientConnection] = field(default_factory=list)

    async def blow(self, address: str, signed: Sequence[str]) -> None:
        dice = random.Random("storm")

        async def one(token: str) -> None:
            began = time.monotonic()
            for attempt in range(TRIES):
                try:
                    self.sockets.append(await open_one(address, token))
                except InvalidStatus as error:
                    self.refused[str(error.response.status_code)] += 1
                except (OSError, InvalidHandshake, TimeoutError) as error:
                    self.refused[type(error).__name__] += 1
                else:
                    self.opened.append(1000 * (time.monotonic() - began))
                    return
                # As the clients of the room do it.
                most = TIMING.backoff * 2**attempt
                await asyncio.sleep(dice.uniform(most / 2, most))
            self.never += 1

        await asyncio.gather(*map(one, signed))
        self.opened.sort()

    async def end(self, seconds: float) -> None:
        """All go, and so long it is waited for what comes of that."""
        await asyncio.gather(*(one.close() for one in self.sockets))
        await asyncio.sleep(seconds)


async def storm(running: Room, seconds: float) -> Block:
    """So many connections at once, while tables play."""
    signed = await tokens(running, (f"Storm{n}" for n in range(CROWD)))
    async with Bots(running, "storm", TIMING) as bots:
        tables = await Tables.opened(running, bots)
        await tables.during("before", asyncio.sleep(seconds))
        storm, began = Storm(), time.monotonic()
        await tables.during(f"{CROWD} connect", storm.blow(running.websocket_url, signed))
        took = time.monotonic() - began
        await tables.during("they are there", asyncio.sleep(seconds))
        moment = Moment.now(running.emulator.pid)
        await tables.during("they go at once", storm.end(seconds))
        said = top.said(top.figures(running, time.monotonic() - began))
    refused = ", ".join(f"{times} x {what}" for what, times in storm.refused.items())
    let_in, p50, p95, p99 = ms(storm.opened)
    lines = [
        f"{let_in} of {CROWD} let in within {took:.1f} s, {CROWD / took:.0f} a second: p50 {p50}, "
        f"p95 {p95}, p99 {p99} ms; refused at first, and let in when they came again: "
        f"{refused or 'none'}",
        f"{moment.environments} environments, {_megabytes(moment)}",
        f"top says: {'; '.join(said) or 'nothing'}",
    ]
    wrong = [f"{storm.never} were never let in: {refused}"] if storm.never else []
    return Block("storm", HEAD, tables.rows, wrong, lines)


def _megabytes(moment: Moment) -> str:
    return (
        f"{moment.emulator_memory / MEGABYTE:.0f} MB of the emulator and "
        f"{moment.functions_memory / MEGABYTE:.0f} MB of functions"
    )


# ---- spectators ---------------------------------------------------------------------------------


@dataclass
class Gallery:
    """Who looks on, and when each was shown which seq; by place."""

    seen: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    sockets: list[ClientConnection] = field(default_factory=list)
    _readers: list["asyncio.Task[None]"] = field(default_factory=list)

    async def come(self, address: str, signed: Sequence[str]) -> None:
        gate = asyncio.Semaphore(OPENING)

        async def one(place: int, token: str) -> None:
            async with gate:
                socket = await open_one(address, token)
                self.sockets.append(socket)
                await socket.send(f'{{"route":"watch","id":"w","v":{VERSION},"table":"{TABLE}"}}')
                await asyncio.wait_for(socket.recv(), PATIENCE)
            self.seen[place] = []
            self._readers.append(asyncio.ensure_future(self._read(place, socket)))

        await asyncio.gather(*(one(place, token) for place, token in enumerate(signed)))

    async def _read(self, place: int, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for text in socket:
                told = text if isinstance(text, str) else text.decode()
                self.note(place, told, time.monotonic())

    def note(self, place: int, text: str, now: float) -> None:
        if text.startswith('{"type":"snapshot"') and (found := SEQ.search(text)) is not None:
            self.seen[place].append((int(found[1]), now))

    def forget(self) -> None:
        for seen in self.seen.values():
            seen.clear()

    @property
    def snapshots(self) -> int:
        return sum(map(len, self.seen.values()))

    def latencies(self, acted: dict[int, float]) -> list[float]:
        """Milliseconds from the action that led to a seq until each was shown it, sorted."""
        return sorted(
            1000 * (when - acted[seq])
            for seen in self.seen.values()
            for seq, when in seen
            if seq in acted
        )

    async def go(self) -> None:
        await asyncio.gather(*(one.close() for one in self.sockets))
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)


async def spectators(running: Room, seconds: float) -> Block:
    """So many look on at one table."""
    signed = await tokens(running, (f"Looks{n}" for n in range(CROWD)))
    async with Bots(running, "spectators", TIMING) as bots:
        table = await Tables.opened(running, bots, 1)
        await table.during("nobody looks on", asyncio.sleep(seconds))
        gallery, began = Gallery(), time.monotonic()
        await table.during(f"{CROWD} come", gallery.come(running.websocket_url, signed))
        gallery.forget()
        watched = time.monotonic()
        await table.during(f"{CROWD} look on", asyncio.sleep(2 * seconds))
        span = time.monotonic() - watched
        acted = {seq: at for (_, seq), at in table.watch.sent.items()}
        shown, snapshots = gallery.latencies(acted), gallery.snapshots
        moment = Moment.now(running.emulator.pid)
        said = top.said(top.figures(running, time.monotonic() - began))
        await gallery.go()
    count, p50, p95, p99 = ms(shown)
    lines = [
        f"{snapshots / span:,.0f} snapshots a second to {len(gallery.seen)} spectators; from the "
        f"action to each of them ({count} timed): p50 {p50}, p95 {p95}, p99 {p99} ms",
        f"{moment.environments} environments, {_megabytes(moment)}",
        f"top says: {'; '.join(said) or 'nothing'}",
    ]
    blind = sum(not seen for seen in gallery.seen.values())
    wrong = [f"{blind} spectators were shown nothing"] if blind else []
    return Block("spectators", HEAD, table.rows, wrong, lines)


# ---- a flood ------------------------------------------------------------------------------------


async def flooding(running: Room, seconds: float) -> Block:
    """One client sends all that it can, while tables play."""
    (token,) = await tokens(running, ["Flooder"])
    async with Bots(running, "flood", TIMING) as bots:
        tables = await Tables.opened(running, bots)
        await tables.during("before", asyncio.sleep(seconds))
        socket = await open_one(running.websocket_url, token)
        began = time.monotonic()
        answers = await tables.during("one floods", flood(socket, FLOOD_MOST))
        took = time.monotonic() - began
        again = await _status(running.websocket_url, token)
        await tables.during("after", asyncio.sleep(seconds))
        said = top.said(top.figures(running, time.monotonic() - began))
        slowed = sum(one.client.counts.slowed for one in bots.seated)
    codes = Counter(str(answer.get("code", "ok")) for answer in answers)
    lines = [
        f"put out after {took:.1f} s and {len(answers)} messages, {len(answers) / took:.0f} a "
        f"second: {_named(codes)}; then the door says {again}",
        f"top says: {'; '.join(said) or 'nothing'}",
    ]
    wrong = []
    if len(answers) >= FLOOD_MOST or not codes["slow_down"]:
        wrong.append("the flood was let through")
    if again != 429:
        wrong.append(f"he is let in again at once ({again})")
    if slowed:
        wrong.append(f"the others were slowed down {slowed} times")
    return Block("flood", HEAD, tables.rows, wrong, lines)


def _named(codes: Counter[str]) -> str:
    return ", ".join(f"{times} {code}" for code, times in codes.most_common())


async def _status(address: str, token: str) -> int:
    """With which status he is answered; 101 lets in."""
    try:
        await (await open_one(address, token)).close()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


# ---- memory -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Memory:
    """At a minute of the run, in MB. `each` is an average environment of the functions."""

    minute: float
    emulator: float
    each: float
    environments: int
    hands: int


def trend(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line that fits best; 0 where there are too few points for one."""
    if len(points) < 3:
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if not spread:
        return 0.0
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def settled[Item](items: Sequence[Item]) -> Sequence[Item]:
    """Without the first part, in which all is used for the first time."""
    return items[int(SETTLES * len(items)) :]


async def memory(running: Room, minutes: float) -> Block:
    """Of the functions, while four tables play for long."""
    names = [f"{TABLE}{number}" for number in range(4)]
    settings = table_settings(PHP_STAKES[0], room.PLAYERS)
    tables = LocalTables(running)
    open_tables(tables, [(name, settings) for name in names])
    watch, looks = Stopwatch(), list[Memory]()
    async with Bots(running, "memory", TIMING) as bots:
        await seat_all(bots, watch, names)
        await warm(watch)
        began = time.monotonic()
        while (gone := time.monotonic() - began) < minutes * 60:
            await asyncio.sleep(min(EVERY, minutes * 60 - gone))
            bots.check()
            watch.forget()
            hands = [await asyncio.to_thread(_hands, tables, name) for name in names]
            looks.append(_memory(running, (time.monotonic() - began) / 60, sum(hands)))
            print(memory_line(looks[-1]), flush=True)
        said = top.said(top.figures(running, 300))
    late = settled(looks)
    grows = trend([(one.minute / 60, one.each) for one in late])
    server = trend([(one.minute / 60, one.emulator) for one in late])
    lines = [
        f"after the first fifth an environment grows by {grows:+.1f} MB an hour on average, the "
        f"emulator, which keeps the stream and all logs, by {server:+.0f}",
        f"top says: {'; '.join(said) or 'nothing'}",
    ]
    shown = looks[:: max(1, len(looks) // 8)]
    shown = shown if shown[-1] is looks[-1] else [*shown, looks[-1]]
    rows = [
        (
            f"{one.minute:.0f}",
            number(one.hands),
            number(one.environments),
            f"{one.each:.1f}",
            f"{one.emulator:.0f}",
        )
        for one in shown
    ]
    head = ("minute", "hands", "environments", "MB of one", "MB of the emulator")
    return Block("memory", head, rows, (), lines)


def memory_line(one: Memory) -> str:
    return (
        f"{one.minute:.1f} min: {one.hands} hands, {one.environments} environments of "
        f"{one.each:.1f} MB, emulator {one.emulator:.0f} MB"
    )


def _memory(running: Room, minute: float, hands: int) -> Memory:
    moment = Moment.now(running.emulator.pid)
    each = moment.functions_memory / max(1, moment.environments) / MEGABYTE
    return Memory(minute, moment.emulator_memory / MEGABYTE, each, moment.environments, hands)


def _hands(tables: LocalTables, name: str) -> int:
    stored = tables.load(name)
    return 0 if stored is None else stored.table.hands


# ---- the command --------------------------------------------------------------------------------

CROWDED: Final[dict[str, Callable[[Room, float], Coroutine[Any, Any, Block]]]] = {
    "storm": storm,
    "spectators": spectators,
    "flood": flooding,
}


def run(args: argparse.Namespace) -> int:
    """0; 1 where what must not be was seen, or where a room fails."""
    wrong: list[str] = []
    for what in args.load:
        before = os.getloadavg()[0]
        try:
            block = _block(what, args)
        except (RoomError, Refused, ValueError, OSError, BotoCoreError, ClientError) as error:
            print(f"cardroom: {what}: {str(error) or type(error).__name__}", file=sys.stderr)
            return 1
        machine = (
            f"on {os.cpu_count()} cores, with a load average of {before:.1f} before it began and "
            f"{os.getloadavg()[0]:.1f} at its end"
        )
        block = replace(block, said=[*block.said, machine])
        show(block)
        if args.write:
            page.write_load(block.name, block.head, block.rows, block.said)
        wrong += [f"{what}: {one}" for one in block.wrong]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def _block(what: str, args: argparse.Namespace) -> Block:
    if what == "tables":
        return tables(args.tables or room.TABLES, args.seconds, args.write)
    with Room.start() as running:
        if what == "memory":
            return asyncio.run(_within(60 * args.minutes, memory(running, args.minutes)))
        return asyncio.run(_within(PHASES * args.seconds, CROWDED[what](running, args.seconds)))


async def _within(seconds: float, doing: Coroutine[Any, Any, Block]) -> Block:
    """Raises TimeoutError where it takes much longer than it should."""
    return await asyncio.wait_for(doing, seconds + AROUND)


def show(block: Block) -> None:
    right = frozenset(range(1, len(block.head) - 1))
    print(f"\n{block.name}", *columns([block.head, *block.rows], right=right), sep="\n")
    print(*block.said, sep="\n", flush=True)
