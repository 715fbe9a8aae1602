"""`cardroom hands`: hands that the running room played, in the format of replay; and void one that
hangs.
"""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol, TextIO

from cardroom.damage import UNREADABLE
from cardroom.stored import HandRecord
from cli.cases import dump_line
from cli.printable import printable
from cli.record import NoCaseError, case_of_record


class HandStore(Protocol):
    """Where a room keeps the records of its hands."""

    def listed(self) -> list[str]:
        """Ids of the open tables."""
        ...

    def hands(self, table_id: str) -> list[HandRecord]:
        """The finished hands of a table, in order; those whose records can be read."""
        ...

    def damaged_hands(self, table_id: str) -> list[str]:
        """Numbers of the others."""
        ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    summary = "write the hands of the running room"
    export = actions.add_parser("export", help=summary, description=summary)
    export.add_argument(
        "--cases", action="store_true", required=True, help="as cases, one a line (the only format)"
    )
    export.add_argument("--table", metavar="T", help="of this table only, open or not")
    export.add_argument("--out", metavar="F", type=Path, help="into this file, not to the terminal")
    export.add_argument("--address", help="WebSocket address of the room, as `make play` prints it")
    # The rest of a room's operation is loaded where it is asked for.
    summary = "end a hand that hangs; every chip goes back where it came from"
    void = actions.add_parser("void", help=summary, description=summary)
    void.add_argument("table", metavar="TABLE")
    void.add_argument("hand", metavar="HAND", type=int, help="its number; no other one is ended")
    void.add_argument("--why", required=True, help="all at the table are told, and it is recorded")
    room = void.add_mutually_exclusive_group()
    room.add_argument("--stack", metavar="NAME", help="deployed to AWS")
    room.add_argument("--address", help="WebSocket address of a local room")


def run(args: argparse.Namespace) -> int:
    """0; 1 where it cannot be done, or a record is damaged; 2 where what was asked for makes no
    sense.
    """
    if args.action == "void":
        from cli.voiding import run as run_void

        return run_void(args)
    # Only this command needs a room and its client of AWS.
    from local.errors import RoomError
    from local.running import find
    from local.tables import LocalTables

    try:
        store = LocalTables(find(args.address))
        tables = store.listed()
        if args.table is not None:
            if args.table not in tables and not store.hands(args.table):
                raise RoomError(f"there is no table {printable(args.table)!r}: {_some(tables)}")
            tables = [args.table]
        with ExitStack() as files:
            out = sys.stdout
            if args.out is not None:
                out = files.enter_context(args.out.open("w", encoding="utf-8"))
            whole = write_cases(store, tables, out, sys.stderr)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        print(f"cardroom: cannot write {args.out or 'the cases'}: {reason}", file=sys.stderr)
        return 1
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    return 0 if whole else 1


def _some(tables: list[str]) -> str:
    return ", ".join(tables) or "none is open"


def write_cases(store: HandStore, tables: Iterable[str], out: TextIO, err: TextIO) -> bool:
    """The finished hands of these tables as cases; how many, and which were void or are damaged,
    goes to `err`. False where any is damaged.
    """
    written = damaged = 0
    for table in tables:
        for number in store.damaged_hands(table):
            print(f"{table} hand {printable(number)} left out: {DAMAGED}", file=err)
            damaged += 1
        for record in store.hands(table):
            try:
                line = dump_line(case_of_record(record))
            except NoCaseError as error:
                print(f"{table} hand {record.number} left out: {error}", file=err)
            except UNREADABLE:
                print(f"{table} hand {record.number} left out: {DAMAGED}", file=err)
                damaged += 1
            else:
                print(line, file=out)
                written += 1
    print(f"{written} hands written", file=err)
    return not damaged


DAMAGED: Final = "its record is damaged"
