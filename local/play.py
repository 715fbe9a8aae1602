"""`cardroom play`: a whole room on this machine, with bots at every stake, and one table to
watch.
"""

import argparse
import asyncio
import os
import signal
import sys
from typing import Final

from local.bots import Habits
from local.client import Client, Refused
from local.errors import RoomError
from local.money import printable
from local.page import Page
from local.running import AlreadyRunning, RoomFile, only_room
from local.seats import Bots, bot_name
from local.stack import Room
from local.table_screen import News, Screen
from local.table_view import TableView
from local.tables import LocalTables, open_tables, table_id
from local.terminal import Terminal
from poker_engine.stakes import PHP_STAKES, Settings, table_settings

SEATS: Final = 6
BOTS: Final = 4
"""At each table; two seats stay free for people."""
WATCHER: Final = "Watcher"
"""Who looks at a table where no bot does."""
THINK: Final = (0.6, 2.4)
REDRAW_SECONDS: Final = 1.0
PORTS: Final = (1, 65535)
ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end the room: Ctrl-C, a request to end, a closed terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, help="port of the local AWS; without it a free one")
    parser.add_argument("--seed", type=int, default=1, help="seed of the bots")
    parser.add_argument("--bots", type=int, default=BOTS, help="bots at each table, 0 to 6")
    parser.add_argument("--table", help="which table to show")


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
        with only_room(), Room.start(port=args.port, progress=print) as room:
            asyncio.run(_run(room, args))
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
    if args.port is not None and not least <= args.port <= most:
        return f"--port is {least} to {most}, not {args.port}"
    if not 0 <= args.bots <= SEATS:
        return f"a table seats 0 to {SEATS} bots"
    tables = [name for name, _ in tables_of_the_room()]
    if args.table is not None and args.table not in tables:
        return f"there is no table {printable(args.table)!r}: {', '.join(tables)}"
    return None


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def tables_of_the_room() -> list[tuple[str, Settings]]:
    """A table for each PHP stake (RULES 1)."""
    return [(table_id(stakes), table_settings(stakes, SEATS)) for stakes in PHP_STAKES]


async def _run(room: Room, args: argparse.Namespace) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, stopped.set)
    opened = await asyncio.to_thread(open_tables, LocalTables(room), tables_of_the_room())
    watched = args.table or opened[0]
    names = tuple(bot_name(number) for number in range(len(opened) * args.bots))
    file = RoomFile(room.endpoint, os.getpid(), room.websocket_url, (*names, WATCHER))
    file.write()
    try:
        async with Bots(room, seed=args.seed) as bots:
            works = [
                asyncio.ensure_future(_open_to_the_public(room, bots, watched, opened, args.bots)),
                asyncio.ensure_future(stopped.wait()),
            ]
            done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for task in works:
                task.cancel()
            await asyncio.gather(*works, return_exceptions=True)
            for task in done:
                task.result()
    finally:
        file.remove()


async def _open_to_the_public(
    room: Room, bots: Bots, watched: str, opened: list[str], count: int
) -> None:
    """Bots at the table on show first, then at the others, while it is shown."""
    habits = Habits(think=THINK)
    await bots.fill({watched: count}, habits)
    others = {table: count for table in opened if table != watched}
    await asyncio.gather(bots.fill(others, habits), _show(room, bots, watched, opened))


def _how_to_join(room: Room, opened: list[str]) -> list[str]:
    return [
        "",
        f"Room: {room.websocket_url}",
        f"Join: .venv/bin/cardroom join --table {opened[-1]} --name Ann",
        "      in another terminal; the options may be left out",
        "Stop: Ctrl-C",
    ]


async def _show(room: Room, bots: Bots, watched: str, opened: list[str]) -> None:
    """One table, for ever. It is a bot's view, its cards left out."""
    how = _how_to_join(room, opened)
    client = next((one.client for one in bots.seated if one.bot.table == watched), None)
    if client is None:
        client = await bots.connect(WATCHER)
        await client.watch(watched)
    with Terminal() as terminal:
        if not terminal.live:
            terminal.draw(Page(how))
            terminal.say(f"Tables: {', '.join(opened)}")
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
    return TableView(view.table, seq=view.seq, state=state, heard=view.heard, log=view.log)
