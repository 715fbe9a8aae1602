"""`cardroom deck`: says which cards the next hand at a table has, on the local room alone."""

import argparse
import sys
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from cli.printable import printable
from local import scripted
from local.errors import RoomError
from local.running import find
from local.scripted import Script
from local.tables import LocalTables
from poker_engine.cards import parse_cards, text

BOARD: Final = "board"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="of the room that runs here")
    parser.add_argument(
        "cards",
        metavar="CARDS",
        nargs="*",
        help="SEAT=AhKh for a seat, from 0, and board=Kd7c2s for the board; the rest is shuffled",
    )
    parser.add_argument(
        "--shuffled", action="store_true", help="take back what was said of the next hand"
    )
    parser.add_argument("--address", help="WebSocket address, as `make play` prints it")


def run(args: argparse.Namespace) -> int:
    """0; 1 where no room runs here, or it has no such table; 2 where the cards are none."""
    try:
        if args.shuffled == bool(args.cards):
            raise ValueError("say which cards, as in 0=AhKh board=Kd7c2s, or --shuffled")
        script = script_of(args.cards)
        room = find(args.address)
        stored = LocalTables(room).load(args.table)
        if stored is None:
            raise RoomError(f"there is no table {printable(args.table)!r}")
        last = len(stored.table.seats) - 1
        if any(int(seat) > last for seat in script.holes):
            raise ValueError(f"{args.table} has the seats 0 to {last}")
    except ValueError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    place = scripted.folder(urlsplit(room.endpoint).port or 0)
    if args.shuffled:
        scripted.forget(place, args.table)
        print(f"The next hand at {args.table} is shuffled.")
    else:
        scripted.write(place, args.table, script)
        print(f"The next hand at {args.table} has these cards.")
    return 0


def script_of(words: Sequence[str]) -> Script:
    """Of words like `0=AhKh` and `board=Kd7c2s`. Raises ValueError."""
    holes: dict[str, list[str]] = {}
    board: list[str] = []
    seen: set[int] = set()
    for word in words:
        place, _, cards = word.partition("=")
        named = parse_cards(cards)
        if twice := seen.intersection(named):
            raise ValueError(f"the card {text(min(twice))} comes twice")
        seen.update(named)
        told = [text(card) for card in named]
        if place == BOARD:
            if board or not 1 <= len(told) <= 5:
                raise ValueError("board= has one to five cards, once")
            board = told
            continue
        if not (place.isascii() and place.isdigit() and len(place) == 1):
            raise ValueError(f"{printable(word)!r} is neither SEAT=CARDS nor board=CARDS")
        if place in holes or len(told) != 2:
            raise ValueError(f"seat {place} has two cards, once")
        holes[place] = told
    return Script(holes, board)
