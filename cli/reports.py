"""`cardroom report`: what the operator wants to know of a room's hands and money."""

import argparse
import sys

from cardroom.takings import DynamoTakings
from cli.hands import add_why
from cli.progress import Progress
from cli.report_options import Counts, add_period, period, written
from cli.served import Unusable, served
from cli.tables import action, store

MOST_PAIRS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    rake = action(actions, "rake", "rake by stake and day")
    add_period(rake)
    pairs = action(actions, "pairs", "pairs of players who may play together against others")
    add_period(pairs)
    pairs.add_argument("--table", metavar="T", help="hands of this table only, open or not")
    pairs.add_argument("--top", type=int, default=20, metavar="N", help="so many pairs (20)")
    add_why(pairs)


def run(args: argparse.Namespace) -> int:
    """0; 1 where it could not be done, or something could not be read; 2 where what was asked for
    makes no sense.
    """
    return served(args, _pairs if args.action == "pairs" else _rake)


def _rake(args: argparse.Namespace) -> int:
    from cli.rake_report import rakes, report

    asked, tables = period(args), store(args)
    with Progress(sys.stderr) as progress:
        told = rakes(
            DynamoTakings.beside(tables),
            asked,
            progress=progress,
            total=Counts(tables).of(sys.stderr),
        )
    return written(report(told), args, told.amiss)


def _pairs(args: argparse.Namespace) -> int:
    from cardroom.personal import DynamoPersonal
    from cardroom.systemclock import SystemClock
    from cli.collusion.report import look, look_where_from, report
    from cli.desk import Desk

    asked, room = period(args), Desk(args)
    if not 0 < args.top <= MOST_PAIRS:
        raise Unusable(f"--top is 1 to {MOST_PAIRS}")
    tables = room.histories.tables() if args.table is None else [room.known(args.table)]
    where = f"{len(tables)} tables" if args.table is None else tables[0]
    # Cards that nobody was shown are looked at, though none is told.
    room.look(args, f"pairs of players, {asked}, of {where}")
    with Progress(sys.stderr) as progress:
        found = look(
            room.histories,
            tables,
            asked,
            progress=progress,
            total=room.counts.of(sys.stderr),
        )
        personal = DynamoPersonal.beside(room.histories)
        look_where_from(found, personal.arrivals(SystemClock().now()))
    return written(report(found, args.top), args, found.amiss)
