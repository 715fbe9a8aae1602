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
from local.running import find, player_of, token_of
from local.table_screen import News, Screen
from local.table_view import TableView
from local.terminal import Terminal
from local.wishes import HELP, Refusal, understood

PROMPT: Final = "> "
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,15}")
LEAVE_SECONDS: Final = 2.0
REDRAW_SECONDS: Final = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", help="WebSocket address, as `make play` prints it")
    parser.add_argument("--table", help="which table; without it the first with a free seat")
    parser.add_argument("--seat", type=int, help="which seat, from 0; without it any free one")
    parser.add_argument("--name", help="your name at the table; without it a new one")
    parser.add_argument("--chips", help="what to buy in for, as 12.50; without it 40 big blinds")


def run(args: argparse.Namespace) -> int:
    """0 when the player has left, 1 where the room lets him not in, 2 on a bad argument."""
    try:
        return asyncio.run(_run(args))
    except (RoomError, Refused) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2


async def _run(args: argparse.Namespace) -> int:
    name = args.name or f"guest-{random.SystemRandom().randrange(10_000):04}"
    if NAME.fullmatch(name) is None:
        raise ValueError(
            f"{printable(name)!r} is no name: take up to 16 letters, digits, dots, dashes."
        )
    chips = None if args.chips is None else parsed(args.chips)
    room = find(args.address)
    token = token_of(Users(room), name)
    player = player_of(await token() or "")
    async with Client(room.websocket_url, token, player) as client:
        table = await _choose(client, args.table)
        view = await client.watch(table)
        try:
            await _sit(client, view, args.seat, chips)
        except RequestError as error:
            raise RoomError(str(error)) from error
        with Terminal() as terminal:
            left = await Player(client, view, terminal).play()
    print(left)
    return 0


async def _choose(client: Client, wanted: str | None) -> str:
    """The wanted table, or the first with a free seat. Raises RoomError."""
    tables: list[str] = (await client.request("tables")).get("tables", [])
    if wanted is not None:
        if wanted not in tables:
            raise RoomError(f"there is no table {printable(wanted)!r}: {', '.join(tables)}")
        return wanted
    for table in tables:
        view = await client.watch(table)
        if view.mine is not None or None in view.seats:
            return table
        await client.unwatch(table)
    raise RoomError("no table has a free seat: try again later" if tables else "no table is open")


async def _sit(client: Client, view: TableView, seat: int | None, chips: int | None) -> None:
    """Sit down, unless the player has a seat here already. Raises RequestError, RoomError."""
    if view.mine is not None:
        return
    free = [number for number, one in enumerate(view.seats) if one is None]
    if not free:
        raise RoomError("this table is full: choose another with --table")
    least, most = view.settings["minimum"], view.settings["maximum"]
    usual = max(least, 40 * view.settings["big_blind"])
    buy_in = chips or (usual if most is None else min(usual, most))
    await client.request(
        "sit",
        table=view.table,
        seat=free[0] if seat is None else seat,
        chips=buy_in,
        post=True,
    )


class Player:
    """A person at a terminal: shows the table, and sends what he types."""

    def __init__(self, client: Client, view: TableView, terminal: Terminal) -> None:
        self._client = client
        self._view = view
        self._terminal = terminal
        self._screen = Screen(colour=terminal.colour)
        self._told: tuple[int, int] = (0, 0)
        self._news = News(self._screen)
        self._over = asyncio.Event()
        self._farewell = "You left the table."

    async def play(self) -> str:
        """Until the player has no seat any more, or his input ends. Returns the last word."""
        tasks = [
            asyncio.ensure_future(self._show_changes()),
            asyncio.ensure_future(self._obey(self._terminal.lines())),
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
        return self._farewell

    async def _leave(self) -> None:
        """Who goes without a word leaves his seat behind him, not a silent player."""
        if self._view.mine is None:
            return
        with suppress(RequestError, Unanswered, Refused, TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._client.request("leave", table=self._view.table, when="now")

    async def _show_changes(self) -> None:
        sat = False
        async for _ in self._client.changes():
            seated = self._view.mine is not None
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
                chips = shown(event["chips"], str(self._view.settings["currency"]))
                self._farewell = f"{why}, with {chips}."
                return

    async def _tick(self) -> None:
        while True:
            self._show()
            await asyncio.sleep(REDRAW_SECONDS)

    def _show(self) -> None:
        view, now = self._view, self._client.now()
        if self._terminal.live:
            lines = self._screen.lines(view, now)
            if not self._client.connected:
                lines.append("Connecting again ...")
            self._terminal.draw(lines, PROMPT)
            return
        for line in self._news.lines(view):
            self._terminal.say(line)
        turn = view.turn
        if turn is not None and turn["seat"] == view.mine:
            moment = (int(turn["hand"]), int(turn["number"]))
            if moment != self._told:
                self._told = moment
                self._terminal.draw(self._screen.lines(view, now))

    async def _obey(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            await self._do(line)
            self._show()
        self._over.set()

    async def _do(self, line: str) -> None:
        try:
            wish = understood(line, self._view)
            if wish.route == "help":
                self._terminal.say(HELP)
                return
            await self._client.request(wish.route, table=self._view.table, **wish.fields)
            self._terminal.say("Done.")
        except Refusal as refusal:
            self._terminal.say(str(refusal))
        except RequestError as error:
            self._terminal.say(printable(str(error), 160))
        except Unanswered:
            self._terminal.say("The room did not answer: try again.")
