"""`cardroom join`: sit down at a table of the running room and play from this terminal."""

import argparse
import asyncio
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from local.client import Client, Refused, RequestError, Unanswered
from local.cognito import Users
from local.errors import RoomError
from local.money import parsed, printable, shown
from local.refusals import sentence
from local.running import bots_at, find, player_of, token_of
from local.table_screen import News, Screen
from local.table_view import TableView
from local.terminal import Terminal
from local.wishes import HELP, Refusal, chips, understood

PROMPT: Final = "> "
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,15}")
LEAVE_SECONDS: Final = 2.0
LOST_SECONDS: Final = 20.0
"""Without a connection; then the room is taken for stopped."""
LOOK_SECONDS: Final = 0.5
"""Between two looks at the connection."""
REDRAW_SECONDS: Final = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", help="WebSocket address, as `make play` prints it")
    parser.add_argument("--table", help="which table; without it the first with a free seat")
    parser.add_argument("--seat", type=int, help="which seat, from 0; without it any free one")
    parser.add_argument("--name", help="your name at the table; without it a new one")
    parser.add_argument("--chips", help="what to buy in for, as 12.50; without it 40 big blinds")


def run(args: argparse.Namespace) -> int:
    """0 when the player has left; 1 where the room lets him not in, or is lost; 2 on a bad
    argument.
    """
    try:
        return asyncio.run(_run(args))
    except (RoomError, Refused, Unanswered) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except (ValueError, Refusal) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2


async def _run(args: argparse.Namespace) -> int:
    name = args.name or f"guest-{random.SystemRandom().randrange(10_000):04}"
    if NAME.fullmatch(name) is None:
        raise ValueError(
            f"{printable(name)!r} is no name: take up to 16 letters, digits, dots, dashes."
        )
    buy_in = None if args.chips is None else chips(parsed(args.chips), "")
    room = find(args.address)
    if name.casefold() in bots_at(room.endpoint):
        raise ValueError(f"{name} is a bot of this room: take another name.")
    token = token_of(Users(room), name)
    player = player_of(await token() or "")
    async with Client(room.websocket_url, token, player) as client:
        view = await choose(client, args.table)
        await sit(client, view, args.seat, buy_in)
        with Terminal() as terminal:
            code, farewell = await Player(client, view, terminal).play()
    print(farewell)
    return code


async def choose(client: Client, wanted: str | None) -> TableView:
    """The wanted table, or the lowest stakes with a free seat; the player's own goes first. Raises
    RoomError.
    """
    tables: list[str] = (await client.request("tables")).get("tables", [])
    if wanted is not None:
        if wanted not in tables:
            raise RoomError(f"there is no table {printable(wanted)!r}: {', '.join(tables)}")
        return await client.watch(wanted)
    views = [await client.watch(table) for table in tables]
    open_ones = [view for view in views if view.mine is not None or None in view.seats]
    if not open_ones:
        raise RoomError(
            "no table has a free seat: try again later" if tables else "no table is open"
        )
    chosen = min(open_ones, key=_stakes)
    for view in views:
        if view is not chosen:
            await client.unwatch(view.table)
    return chosen


def _stakes(view: TableView) -> tuple[bool, str, int, str]:
    return (
        view.mine is None,
        str(view.settings["currency"]),
        int(view.settings["big_blind"]),
        view.table,
    )


async def sit(client: Client, view: TableView, seat: int | None, buy_in: int | None) -> None:
    """Sit down, unless the player has a seat here already. Raises RoomError, and Refusal for a seat
    that the table does not have.
    """
    if view.mine is not None:
        return
    last = len(view.seats) - 1
    if seat is not None and not 0 <= seat <= last:
        raise Refusal(f"{view.table} has no seat {seat}: seats are 0 to {last}.")
    free = [number for number, one in enumerate(view.seats) if one is None]
    if not free:
        raise RoomError("this table is full: choose another with --table")
    least, most = view.settings["minimum"], view.settings["maximum"]
    usual = max(least, 40 * view.settings["big_blind"])
    try:
        await client.request(
            "sit",
            table=view.table,
            seat=free[0] if seat is None else seat,
            chips=buy_in or (usual if most is None else min(usual, most)),
            post=True,
        )
    except RequestError as error:
        raise RoomError(sentence(error, str(view.settings["currency"]), "sit")) from error


class Player:
    """A person at a terminal: shows the table, and sends what he types."""

    def __init__(
        self,
        client: Client,
        view: TableView,
        terminal: Terminal,
        *,
        patience: float = LOST_SECONDS,
    ) -> None:
        self._client = client
        self._view = view
        self._terminal = terminal
        self._patience = patience
        self._screen = Screen(colour=terminal.colour)
        self._told: tuple[int, int] = (0, 0)
        self._news = News(self._screen)
        self._over = asyncio.Event()
        self._currency = str(view.settings["currency"])
        self._lost = False
        self._farewell = "You left the table."

    async def play(self) -> tuple[int, str]:
        """Until the player has no seat any more, his input ends, or the room is lost. Returns the
        exit code and the last word.
        """
        tasks = [
            asyncio.ensure_future(self._show_changes()),
            asyncio.ensure_future(self._obey(self._terminal.lines())),
            asyncio.ensure_future(self._watch_connection()),
        ]
        if self._terminal.live:
            tasks.append(asyncio.ensure_future(self._tick()))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._over.set)
        try:
            self._terminal.say(f"You sit at {self._view.table}. Type help for the commands.")
            ended = asyncio.ensure_future(self._over.wait())
            done, _ = await asyncio.wait([ended, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            await self._leave()
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return int(self._lost), self._farewell

    async def _leave(self) -> None:
        """Who goes without a word leaves his seat behind him, not a silent player."""
        if not self._seated() or self._lost:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._client.request("leave", table=self._view.table, when="now")
        except (RequestError, Unanswered, Refused, TimeoutError):
            self._lost = True
            self._farewell = "The room did not answer: your seat is yours until the clock takes it."
            return
        with suppress(TimeoutError):
            await self._client.until(lambda: not self._seated(), LEAVE_SECONDS)
        if self._seated():
            self._farewell = "You leave the table as soon as the hand is over."
        else:
            self._note_farewell()

    def _seated(self) -> bool:
        return self._view.mine is not None

    async def _watch_connection(self) -> None:
        """Ends the play when the room is out of reach for too long, or lets him in no more."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while self._client.refused is None and loop.time() - seen < self._patience:
            if self._client.connected:
                seen = loop.time()
            await asyncio.sleep(min(LOOK_SECONDS, self._patience / 4))
        self._lost = True
        self._farewell = "The room does not answer any more: it was stopped, or has lost you."
        self._over.set()

    async def _show_changes(self) -> None:
        sat = False
        async for _ in self._client.changes():
            seated = self._seated()
            if sat and not seated:
                self._note_farewell()
                self._show()
                self._over.set()
                return
            sat = sat or seated
            self._show()

    def _note_farewell(self) -> None:
        for event in reversed(self._view.log):
            if event["e"] == "seat_emptied" and event["player"] == self._view.player:
                why = {
                    "removed": "The clock removed you",
                    "sat_out": "You sat out for too long",
                    "closed": "The table closed",
                }.get(event["exit"], "You left")
                self._farewell = f"{why}, with {shown(event['chips'], self._currency)}."
                return

    async def _tick(self) -> None:
        while True:
            self._show()
            await asyncio.sleep(REDRAW_SECONDS)

    def _show(self) -> None:
        view, now = self._view, self._client.now()
        if self._terminal.live:
            foot = [] if self._client.connected else ["Connecting again ..."]
            page = self._screen.page(view, now, self._terminal.width, foot)
            self._terminal.draw(page, PROMPT)
            return
        for line in self._news.lines(view):
            self._terminal.say(line)
        turn = view.turn
        if turn is not None and turn["seat"] == view.mine:
            moment = (int(turn["hand"]), int(turn["number"]))
            if moment != self._told:
                self._told = moment
                self._terminal.draw(self._screen.page(view, now))

    async def _obey(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            await self._do(line)
            self._show()
        self._over.set()

    async def _do(self, line: str) -> None:
        try:
            wish = understood(line, self._view)
        except Refusal as refusal:
            self._terminal.say(str(refusal))
            return
        if wish.route == "help":
            self._terminal.say(HELP)
            return
        try:
            await self._client.request(wish.route, table=self._view.table, **wish.fields)
            self._terminal.say("Done.")
        except RequestError as error:
            do = str(wish.fields.get("do", ""))
            self._terminal.say(sentence(error, self._currency, wish.route, do))
        except (Unanswered, Refused):
            self._terminal.say("The room did not answer: try again.")
