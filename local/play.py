"""`cardroom play`: a whole room on this machine, with bots at every stake, its page for a browser,
and its lobby, or one table, to look at in the terminal.
"""

import argparse
import asyncio
import os
import signal
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from cli.printable import printable
from local.bots import Habits
from local.client import Client, Refused
from local.errors import RoomError
from local.lobby_screen import LobbyScreen
from local.newcomers import welcome_newcomers
from local.page import Page
from local.passwords import forget_ready_players, keep_ready_players
from local.running import AlreadyRunning, RoomFile, only_room
from local.seats import Bots, bot_name
from local.sign_up import newcomer
from local.stack import Room
from local.table_screen import News, Screen
from local.table_view import PRIVATE, TableView
from local.tables import LocalTables, open_tables, table_id
from local.terminal import Terminal
from local.web_client import built
from local.web_room import ORIGINS, open_page
from local.web_server import WebServer
from poker_engine.stakes import PHP_STAKES, Settings, fixed_limit, no_limit, table_settings

SEATS: Final = 6
BOTS: Final = 4
"""At each table; two seats stay free for people."""
READY: Final = ("Ann", "Ben", "Cora")
"""Players that are signed up with the room, for whoever comes."""
WATCHER: Final = "Watcher"
"""Who looks at the lobby, and at a table where no bot does."""
THINK: Final = (0.8, 3.2)
REDRAW_SECONDS: Final = 1.0
PLAIN_SECONDS: Final = 30.0
"""Between two times that the lobby is told where it cannot be redrawn."""
STAKES: Final = (*PHP_STAKES, no_limit("USD", 100), fixed_limit("USD", 300))
PORTS: Final = (1, 65535)
ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end the room: Ctrl-C, a request to end, a closed terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, help="port of the local AWS; without it a free one")
    parser.add_argument("--web-port", type=int, help="port of the page; without it a free one")
    parser.add_argument("--seed", type=int, default=1, help="seed of the bots")
    parser.add_argument("--bots", type=int, default=BOTS, help="bots at each table, 0 to 6")
    parser.add_argument("--table", help="show this table, not the lobby")


def run(args: argparse.Namespace) -> int:
    """0 when it was stopped, 1 where the room cannot start; 2 on a bad argument, or where a room
    runs here already.
    """
    problem = _problem(args)
    if problem is not None:
        print(f"cardroom: {problem}", file=sys.stderr)
        return 2
    # A signal that comes while the room is being built ends it as Ctrl-C does.
    for number in ENDING[1:]:
        signal.signal(number, _interrupt)
    try:
        with only_room(), WebServer(args.web_port or 0) as web, ThreadPoolExecutor(1) as aside:
            client = aside.submit(built)
            parameters = {ORIGINS: " ".join(web.origins)}
            with Room.start(parameters, port=args.port, progress=print) as room:
                asyncio.run(_run(room, args, web, client))
                print("Stopping ...", flush=True)
    except AlreadyRunning as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2
    except (RoomError, Refused) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    print("Stopped.")
    return 0


def _problem(args: argparse.Namespace) -> str | None:
    """What makes no sense in the arguments, if anything."""
    least, most = PORTS
    for option, port in (("--port", args.port), ("--web-port", args.web_port)):
        if port is not None and not least <= port <= most:
            return f"{option} is {least} to {most}, not {port}"
    if not 0 <= args.bots <= SEATS:
        return f"a table seats 0 to {SEATS} bots"
    tables = [name for name, _ in tables_of_the_room()]
    if args.table is not None and args.table not in tables:
        return f"there is no table {printable(args.table)!r}: {', '.join(tables)}"
    return None


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def tables_of_the_room() -> list[tuple[str, Settings]]:
    """A table for each stake in pesos, and two in dollars (RULES 1)."""
    return [(table_id(stakes), table_settings(stakes, SEATS)) for stakes in STAKES]


async def _run(
    room: Room, args: argparse.Namespace, web: WebServer, client: "Future[Path]"
) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, stopped.set)
    opened, ready, page = await asyncio.gather(
        asyncio.to_thread(open_tables, LocalTables(room), tables_of_the_room()),
        asyncio.to_thread(make_ready, room),
        asyncio.to_thread(_page, room, web, client),
    )
    names = tuple(bot_name(number) for number in range(len(opened) * args.bots))
    file = RoomFile(room.endpoint, os.getpid(), room.websocket_url, (*names, WATCHER), page)
    file.write()
    keep_ready_players(room.endpoint, ready)
    try:
        async with Bots(room, seed=args.seed) as bots:
            works = [
                asyncio.ensure_future(
                    _open_to_the_public(
                        bots, args.table, opened, args.bots, how_to_join(room, ready, page)
                    )
                ),
                asyncio.ensure_future(stopped.wait()),
                asyncio.ensure_future(welcome_newcomers(room)),
            ]
            done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for task in works:
                task.cancel()
            await asyncio.gather(*works, return_exceptions=True)
            for task in done:
                task.result()
    finally:
        file.remove()
        forget_ready_players()


def _page(room: Room, web: WebServer, client: "Future[Path]") -> str:
    """The address of the room's page; empty, with a line that says why, where there is none."""
    try:
        open_page(web, client.result(), room)
    except RoomError as error:
        print(f"cardroom: no page for browsers: {error}", file=sys.stderr, flush=True)
        return ""
    return web.address


async def _open_to_the_public(
    bots: Bots, watched: str | None, opened: list[str], count: int, how: list[str]
) -> None:
    """Bots at the table on show first, then at the others, while it or the lobby is shown."""
    habits = Habits(think=THINK)
    if watched is None:
        everywhere = dict.fromkeys(opened, count)
        await asyncio.gather(bots.fill(everywhere, habits), _show_lobby(bots, how))
        return
    await bots.fill({watched: count}, habits)
    others = {table: count for table in opened if table != watched}
    await asyncio.gather(bots.fill(others, habits), _show_table(bots, watched, how))


def make_ready(room: Room) -> dict[str, str]:
    """Sign up a few players for whoever comes: their passwords by name."""
    return {name: newcomer(room, name) for name in READY}


def how_to_join(room: Room, ready: dict[str, str], page: str) -> list[str]:
    players = ", ".join(f"{name} {password}" for name, password in ready.items())
    return [
        "",
        f"Room: {room.websocket_url}",
        f"Sign in: {players}",
        f"Join: .venv/bin/cardroom join --name {READY[0]} (another terminal); there: help",
        f"Stop: Ctrl-C. In a browser: {page}" if page else "Stop: Ctrl-C",
    ]


async def _show_lobby(bots: Bots, how: list[str]) -> None:
    """The lobby, for ever."""
    client = await bots.connect(WATCHER)
    lobby = await client.enter_lobby()
    screen = LobbyScreen()
    with Terminal() as terminal:
        if not terminal.live:
            terminal.draw(Page(how))
        while True:
            page = screen.page(
                lobby, client.now(), terminal.width, foot=how if terminal.live else ()
            )
            terminal.draw(page)
            if terminal.live:
                await client.next_change(REDRAW_SECONDS)
            else:
                await asyncio.sleep(PLAIN_SECONDS)


async def _show_table(bots: Bots, watched: str, how: list[str]) -> None:
    """One table, for ever. It is a bot's view, its cards left out."""
    client = next((one.client for one in bots.seated if one.bot.table == watched), None)
    if client is None:
        client = await bots.connect(WATCHER)
        await client.watch(watched)
    with Terminal() as terminal:
        if not terminal.live:
            terminal.draw(Page(how))
        await _redraw(client, watched, terminal, how)


async def _redraw(client: Client, watched: str, terminal: Terminal, how: list[str]) -> None:
    screen = Screen(colour=terminal.colour)
    news = News(screen)
    while True:
        view = client.views.get(watched)
        if view is not None and view.seq >= 0:
            public = public_view(view)
            if terminal.live:
                terminal.draw(screen.page(public, client.now(), terminal.width, how))
            else:
                for line in news.lines(public):
                    terminal.say(line)
        await client.next_change(REDRAW_SECONDS)


def public_view(view: TableView) -> TableView:
    """The view as a spectator would have it: nobody's seat, no hole cards."""
    state = {name: part for name, part in view.state.items() if name != "hole"}
    return TableView(
        view.table,
        seq=view.seq,
        state=state,
        heard=view.heard,
        log=[event for event in view.log if event["e"] not in PRIVATE],
        away=view.away,
    )
