"""`cardroom join`: the lobby of the running room, or one of its tables, on this terminal."""

import argparse
import asyncio
import sys

from cli.printable import printable
from local import place
from local.client import Client, Refused, RequestError, Unanswered
from local.errors import RoomError
from local.money import parsed
from local.refusals import sentence
from local.running import player_of
from local.sign_in import checked, person, somebody_new
from local.table_view import TableView
from local.terminal import Terminal
from local.visitor import Visitor, sit
from local.wishes import Refusal, chips


def add_arguments(parser: argparse.ArgumentParser) -> None:
    place.add_arguments(parser)
    parser.add_argument("--table", help="sit down at this table; without it the lobby comes first")
    parser.add_argument(
        "--seat", type=int, help="which seat of it, from 0; without it any free one"
    )
    parser.add_argument("--name", help="whom to sign in; without it, on this machine, somebody new")
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
    if args.name is not None:
        checked(args.name)
    if args.seat is not None and args.table is None:
        raise ValueError("--seat is a seat of a table: say which with --table.")
    buy_in = None if args.chips is None else chips(parsed(args.chips), "")
    room = place.place(args)
    token = person(room, args.name) if args.name else somebody_new(room)
    player = player_of(await token() or "")
    async with Client(room.websocket_url, token, player) as client:
        at = await arrive(client, args.table, args.seat, buy_in)
        with Terminal() as terminal:
            visitor = Visitor(
                client, terminal, at=at, chips=buy_in, one_table=args.table is not None
            )
            code, farewell = await visitor.play()
    print(farewell)
    return code


async def arrive(
    client: Client, table: str | None, seat: int | None, buy_in: int | None
) -> TableView | None:
    """Take the seat that is wanted, or those up again that the player still has. Returns the table
    to show, None for the lobby. Raises RoomError and Refusal.
    """
    if table is not None:
        view = await choose(client, table)
        await sit(client, view, seat, buy_in)
        await client.look_at_lobby()
        await client.request("account")
        return view
    await client.enter_lobby()
    await client.request("account")
    return await come_back(client)


async def choose(client: Client, wanted: str) -> TableView:
    """The wanted table. Raises RoomError."""
    try:
        return await client.watch(wanted)
    except RequestError as error:
        if error.code not in ("unknown_table", "bad_message"):
            raise RoomError(sentence(error, "", "watch")) from error
    tables = ", ".join(row["table"] for row in (await client.look_at_lobby()).tables)
    raise RoomError(f"there is no table {printable(wanted)!r}: {tables or 'none is open'}")


async def come_back(client: Client) -> TableView | None:
    """Watch the tables where the player still has a seat; the one that waits for him, or any of
    them.
    """
    views = [await client.watch(table) for table in client.account.get("seats", ())]
    for view in views:
        if view.mine is None:
            await client.unwatch(view.table)
    own = [view for view in views if view.mine is not None]
    turns = [view for view in own if view.turn is not None and view.turn["seat"] == view.mine]
    return next(iter([*turns, *own]), None)
