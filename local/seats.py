"""Bots in the seats of a running room, each over a connection of its own."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from local.bots import STYLES, Bot, Habits, Style, style_of
from local.client import Client, Timing
from local.cognito import Users
from local.ledger import Chronicle, Ledger
from local.running import player_of, token_of
from local.stack import Deployed

NAMES = (
    "Amihan", "Bayani", "Carlo", "Dalisay", "Efren", "Felisa", "Gino", "Hiraya", "Isko", "Jovita",
    "Kidlat", "Ligaya", "Mayumi", "Nilo", "Ofelia", "Paquito", "Quintin", "Rosario", "Sinag",
    "Tala", "Urduja", "Vicente", "Wenceslao", "Ximena", "Yumi", "Zosimo",
)  # fmt: skip


def bot_name(number: int) -> str:
    """A name for each bot of a room."""
    name = NAMES[number % len(NAMES)]
    return name if number < len(NAMES) else f"{name}{number // len(NAMES) + 1}"


async def nobody() -> None:
    """The token of a guest."""


@dataclass
class Seated:
    """A bot at a table, its connection and the task that plays."""

    bot: Bot
    client: Client
    task: asyncio.Task[None]


@dataclass
class Bots:
    """`async with Bots(room) as bots`: all connections close at the end."""

    room: Deployed
    seed: int | str = 0
    timing: Timing = field(default_factory=Timing)
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Connections opened at the same time: a crowd would start a crowd of functions."""
    chronicle: Chronicle | None = None
    """What everybody is told, where that is to be kept."""
    clients: list[Client] = field(default_factory=list)
    ledgers: list[Ledger] = field(default_factory=list)
    seated: list[Seated] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._users = Users(self.room)

    async def __aenter__(self) -> "Bots":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(
        self, name: str, record: Callable[[str], None] | None = None, *, guest: bool = False
    ) -> Client:
        """A client signed in under this name, or as a guest, connected. Raises Refused."""
        token = nobody if guest else token_of(self._users, name)
        async with self.gate:
            signed = await token()
            player = "" if signed is None else player_of(signed)
            client = Client(
                self.room.websocket_url,
                token,
                player,
                timing=self.timing,
                seed=self.seed,
                record=record,
                witness=self._ledger(player),
            )
            self.clients.append(client)
            return await client.__aenter__()

    def _ledger(self, player: str) -> Ledger | None:
        if self.chronicle is None:
            return None
        ledger = Ledger(player, self.chronicle)
        self.ledgers.append(ledger)
        return ledger

    async def seat(
        self,
        name: str,
        table: str,
        *,
        style: Style | None = None,
        habits: Habits = Habits(),  # noqa: B008  (frozen)
        seat: int | None = None,
        record: Callable[[str], None] | None = None,
    ) -> Seated:
        """Let a bot of this name play at the table."""
        client = await self.connect(name, record)
        style = style or style_of(len(self.seated))
        bot = Bot(client, table, style, f"{self.seed}/{name}/{table}", habits, seat)
        seated = Seated(bot, client, asyncio.ensure_future(bot.run()))
        self.seated.append(seated)
        return seated

    async def fill(self, tables: dict[str, int], habits: Habits) -> None:
        """So many bots at each table, one after another."""
        dice = random.Random(f"fill/{self.seed}/{len(self.seated)}")
        for table, count in tables.items():
            for seat in range(count):
                name = bot_name(len(self.seated))
                style = style_of(dice.randrange(len(STYLES)))
                await self.seat(name, table, style=style, habits=habits, seat=seat)

    def check(self) -> None:
        """Raises what ended a bot, if one has ended so."""
        for seated in self.seated:
            if seated.task.done() and not seated.task.cancelled():
                seated.task.result()

    async def close(self) -> None:
        """Stop all bots and close their connections."""
        for seated in self.seated:
            seated.task.cancel()
        await asyncio.gather(*(one.task for one in self.seated), return_exceptions=True)
        await asyncio.gather(*(one.close() for one in self.clients), return_exceptions=True)
