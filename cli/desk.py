"""Hands of a room for players, support and tools: exported, shown, and who looked at them."""

import argparse
import getpass
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from typing import Final

from cardroom.complaints import DynamoComplaints
from cardroom.damage import UNREADABLE, DamagedError
from cardroom.days import Zone, moment
from cardroom.disputes import Dispute
from cardroom.histories import Look, Unreadable
from cardroom.stored import HandRecord
from cardroom.systemclock import SystemClock
from cli.archived import archive_of
from cli.exporting import DAMAGED, Format, Wanted, export
from cli.finished import NoHandError, finished_record
from cli.hand_report import disputed, report
from cli.outputs import into
from cli.players import text_of
from cli.printable import printable
from cli.report_options import Counts
from cli.served import Failed, Unusable, served
from cli.tables import store
from poker_engine.views import EVERYTHING, PUBLIC, Sight

LOCAL: Final = "the room on this machine"
MOST_DIGITS: Final = 9
NAMED: Final = 5
"""Tables by name in what is kept of a look; of more their number."""


def run(args: argparse.Namespace) -> int:
    """0; 1 where it cannot be done, or a record is damaged; 2 where what was asked for makes no
    sense.
    """
    actions = {"export": _export, "show": _show}
    return served(args, actions.get(args.action, _looks))


def _export(args: argparse.Namespace) -> int:
    room = Desk(args)
    wanted = Wanted(args.player, args.day, zone=Zone(args.zone))
    tables: list[str]
    if args.hand is not None:
        table, number = room.hand(args.hand)
        tables, wanted = [table], replace(wanted, number=number)
        if next(room.histories.records(table, number), None) is None:
            raise Failed(f"there is no {printable(table)} hand {number}")
    elif args.table is not None:
        tables = [room.known(args.table)]
    else:
        tables = room.tables(args.player, args.day)
    _usable(wanted.moments)
    _usable(lambda: wanted.zone.info)
    kind = Format.CASES if args.cases else Format(args.format)
    where = ", ".join(tables) if 0 < len(tables) <= NAMED else f"{len(tables)} tables"
    sight = room.sight(args, f"{wanted} of {where}", kind is Format.CASES)
    if args.day is not None:
        print(wanted, file=sys.stderr)
    with into(args.out) as out:
        outcome = export(
            room.histories,
            tables,
            wanted,
            kind,
            out,
            sys.stderr,
            sight=sight,
            total=room.counts.of(sys.stderr),
        )
    return 1 if outcome.damaged else 0


def _show(args: argparse.Namespace) -> int:
    room = Desk(args)
    zone = Zone(args.zone)
    _usable(lambda: zone.info)
    table, number = room.hand(args.hand)
    name = f"{printable(table)} hand {number}"
    sight = room.sight(args, name)
    if sight.everything:
        for one in room.disputes_of(table, number):
            print(*disputed(one, zone.info), sep="\n")
    print_hand(room, table, number, sight, zone)
    return 0


def print_hand(room: "Desk", table: str, number: int, sight: Sight, zone: Zone) -> None:
    """Raises Failed where there is none, or it cannot be told."""
    name = f"{printable(table)} hand {number}"
    record = next(room.histories.records(table, number), None)
    if record is None:
        raise Failed(f"there is no {name}")
    try:
        if isinstance(record, Unreadable):
            raise ValueError
        lines = list(report(record, finished_record(record, sight), zone.info))
    except NoHandError as error:
        raise Failed(f"{name}: {error}") from error
    except UNREADABLE:
        raise Failed(f"{name}: {DAMAGED}") from None
    print(*lines, sep="\n")


def _looks(args: argparse.Namespace) -> int:
    damaged: list[str] = []
    for look in Desk(args).histories.looks():
        if isinstance(look, str):
            damaged.append(look)
            continue
        at = f"{moment(look.at, UTC):%Y-%m-%d %H:%M:%S} UTC"
        said = (printable(one, 200) for one in (look.who, look.what, look.why))
        print(f"{at}  {'  '.join(said)}")
    for key in damaged:
        print(f"cardroom: {printable(key, 200)} cannot be read", file=sys.stderr)
    return 1 if damaged else 0


def _usable[Value](ask: Callable[[], Value]) -> Value:
    """Raises Unusable for what makes no sense."""
    try:
        return ask()
    except ValueError as error:
        raise Unusable(str(error)) from error


class Desk:
    """The room that was named, and what it says to names of tables, hands and people."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._remote = args.stack is not None
        self._tables = store(args)
        self.histories = DynamoComplaints.beside(self._tables).with_archive(archive_of(args))
        self.counts = Counts(self._tables)

    def tables(self, player: str | None, day: str | None) -> list[str]:
        """Where these hands may have been played: of nobody and no day only the open ones."""
        if player is not None:
            return self.histories.tables_of(player)
        return self.histories.tables() if day is not None else self._tables.listed()

    def known(self, table: str) -> str:
        """Raises Failed where there never was such a table."""
        try:
            found = self._tables.meta(table) is not None
        except DamagedError:
            found = True
        if not found:
            some = ", ".join(self._tables.listed()) or "none is open"
            raise Failed(f"there is no table {printable(table)!r}: {some}")
        return table

    def hand(self, named: str) -> tuple[str, int]:
        """Raises Unusable where that names no hand."""
        table, slash, number = named.rpartition("/")
        if not slash or not number.isascii() or not number.isdigit() or len(number) > MOST_DIGITS:
            raise Unusable(f"{printable(named)!r} names no hand, like php-5-10-1/17")
        return table, int(number)

    def disputes_of(self, table: str, number: int) -> list[Dispute]:
        """Of this hand, the first one first."""
        record = next(self.histories.records(table, number), None)
        players = None
        if isinstance(record, HandRecord):
            with suppress(*UNREADABLE):
                players = [one.name for one in finished_record(record).players]
        return self.histories.disputes_of(table, number, players)

    def sight(self, args: argparse.Namespace, what: str, cases: bool = False) -> Sight:
        """Whose eyes; support's look is kept before anything is seen. Raises Unusable."""
        match args.whose:
            case ["public"] | ["player", _] if cases:
                raise Unusable("cases hold all cards: they are for support")
            case ["player", name]:
                return Sight(name)
            case ["public"]:
                return PUBLIC
            case ["support"]:
                pass
            case _:
                raise Unusable("--as is `player NAME`, `public` or `support`")
        self.look(args, what)
        return EVERYTHING

    def look(self, args: argparse.Namespace, what: str) -> None:
        """Keeps that somebody looks at all cards of this, and why. Raises Unusable."""
        if args.why is None and self._remote:
            raise Unusable("support sees all cards: say --why")
        why = LOCAL if args.why is None else text_of("--why", args.why)
        who = text_of("--who", getpass.getuser() if args.who is None else args.who)
        self.histories.put_look(Look(SystemClock().now(), who, why, what))
