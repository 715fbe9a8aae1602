"""What all reports are asked with: which days, and how it is written where."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from cardroom.damage import DamagedError
from cardroom.days import Days
from cardroom.store import DynamoTables
from cli.days import days
from cli.outputs import into, not_written
from cli.printable import printable
from cli.served import Unusable
from cli.sheets import Report, Style, write


def add_period(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", dest="first", metavar="DAY", help="the first day, as 2026-11-01; else all"
    )
    parser.add_argument("--to", dest="last", metavar="DAY", help="the last day; else till now")
    parser.add_argument("--zone", default="UTC", help="time zone of days and times (UTC)")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--csv", action="store_true", help="for a spreadsheet")
    style.add_argument("--html", action="store_true", help="for a browser or a printer")
    parser.add_argument("--out", metavar="F", type=Path, help="into this file, not to the terminal")


def period(args: argparse.Namespace) -> Days:
    """Raises Unusable."""
    try:
        return days(args.first, args.last, args.zone)
    except ValueError as error:
        raise Unusable(str(error)) from error


def written(report: Report, args: argparse.Namespace, amiss: Sequence[str]) -> int:
    """Writes it, and says what could not be read; the exit code."""
    style = Style.CSV if args.csv else Style.HTML if args.html else Style.PAGE
    try:
        with into(args.out) as out:
            write(report, style, out)
    except BrokenPipeError:
        raise
    except OSError as error:
        return not_written(args.out or "the report", error)
    for one in amiss:
        print(f"cardroom: {printable(one, 200)} cannot be read: not counted", file=sys.stderr)
    return 1 if amiss else 0


class Counts:
    """How many hands tables have had, for a bar."""

    def __init__(self, tables: DynamoTables) -> None:
        self._tables = tables

    def of(self, stream: TextIO) -> Callable[[str], int]:
        """Asked for only where a bar is drawn."""
        return self.count if stream.isatty() else lambda table: 0

    def count(self, table: str) -> int:
        """0 where it cannot be read."""
        try:
            stored = self._tables.load(table)
        except DamagedError:
            return 0
        return 0 if stored is None else stored.table.hands
