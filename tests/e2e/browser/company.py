"""Who sits at a table with the visitor, over connections of their own; and what will be dealt."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from local import scripted
from local.client import Client, RequestError
from local.deck import script_of
from local.seats import Bots
from local.stack import Room
from local.table_view import Json
from poker_engine.stakes import Settings
from tests.e2e.browser.house import House
from tests.e2e.browser.visitor import Visitor
from tests.e2e.watching import act, sit


def deal(room: Room, table: str, *cards: str) -> None:
    """The next hand there has these cards, as `0=AhKh` for a seat and `board=Kd7c2sQh3d`."""
    place = scripted.folder(urlsplit(room.endpoint).port or 0)
    scripted.write(place, table, script_of(cards))


class Company:
    """Players who check and call whatever comes, one after another, while the company lasts."""

    def __init__(self, bots: Bots, table: str) -> None:
        self._bots = bots
        self._table = table
        self._tasks: list[asyncio.Task[None]] = []
        self.clients: list[Client] = []
        self._plays = asyncio.Event()
        self._plays.set()
        self._at_it = asyncio.Lock()
        self.raises = False
        """Whether each raises where he may at his first turn of a hand, by the least."""
        self.last: int | None = None
        """The hand that they play to its end; in later ones they think for as long as the clock
        lets them.
        """

    async def take(self, seats: dict[int, str], chips: int) -> None:
        """These seats, which count from 0, for players of these names."""
        joined = await asyncio.gather(*(self._bots.connect(name) for name in seats.values()))
        for seat, client in zip(seats, joined, strict=True):
            await sit(client, self._table, seat, chips)
            self.clients.append(client)
            self._tasks.append(asyncio.ensure_future(self._go_along(client)))

    async def _go_along(self, client: Client) -> None:
        view = client.views[self._table]
        done: tuple[int, int] | None = None
        async for _ in client.changes():
            turn = view.turn
            if turn is None or turn["seat"] != view.mine:
                continue
            if (turn["hand"], turn["number"]) == done:
                continue
            if self.last is not None and turn["hand"] > self.last:
                continue
            await self._plays.wait()
            first = done is None or done[0] != turn["hand"]
            done = (turn["hand"], turn["number"])
            async with self._at_it:
                await _answer(client, self._table, turn, raises=self.raises and first)

    async def think(self) -> None:
        """For as long as the clock lets them. What they had begun is over, and known to each."""
        self._plays.clear()
        async with self._at_it:
            await asyncio.gather(*(client.sync(self._table) for client in self.clients))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for ended in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


async def _answer(client: Client, table: str, turn: Json, *, raises: bool) -> None:
    # The clock may have been faster, or the game gone on.
    with contextlib.suppress(RequestError):
        if raises and turn["verb"] is not None:
            await act(client, table, turn, turn["verb"], to=turn["min_to"])
        else:
            await act(client, table, turn, "check" if turn["check"] else "call")


@asynccontextmanager
async def company(
    room: Room,
    gate: asyncio.Semaphore,
    table: str,
    seats: dict[int, str],
    chips: int,
    *,
    raises: bool = False,
) -> AsyncIterator[Company]:
    async with Bots(room, seed=table, gate=gate) as bots:
        here = Company(bots, table)
        here.raises = raises
        try:
            await here.take(seats, chips)
            yield here
        finally:
            await here.close()


@asynccontextmanager
async def opposite(
    house: House, table: str, settings: Settings, name: str, chips: int, *, raises: bool = False
) -> AsyncIterator[Visitor]:
    """A table for two: he sits in seat 1, and in the other somebody who goes along, each with so
    many chips.
    """
    async with (
        house.table(table, settings),
        house.player(name) as visitor,
        company(house.room, house.gate, table, {1: f"{name}Bot"}, chips, raises=raises),
    ):
        await visitor.open_table(table)
        await visitor.sit(1, str(chips // 100))
        yield visitor
