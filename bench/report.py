"""`cardroom bench`: each figure beside its budget, measured in one run; or how hands are exported.

`under` is within its budget, `over` beyond it; those without a budget are there to be compared.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Final

from bench import budgets, calls, engine, evaluator, handlers, naive, page, prices
from bench.figures import OVER, UNDER, Figure, columns, number, over
from bench.hand_files import own_hands, real_hands
from bench.people import Played, play
from cli.cases import BadLine, Case, read_cases
from cli.hands import FORMATS
from local.artifacts import build
from local.errors import RoomError

HANDS_OF: Final = "pluribus/"
"""Ids of the hands that are measured: no-limit, six players, full blinds."""
HANDS: Final = 8
"""That are played in the room for its figures; several times for those of the CPU."""
ROUNDS: Final = 8
"""So many that a machine which is slow for some seconds spoils no figure."""
FULL: Final = 10
"""Seats of the table whose bytes are measured."""
STATE_BYTES: Final = 3 * 1024
MOST_STATE_BYTES: Final = 8 * 1024
DOLLARS: Final = 0.50
LOADS: Final = ("tables", "storm", "spectators", "flood", "memory")
"""What `bench.load` can do."""


@dataclass
class Report:
    """What a run found."""

    figures: list[Figure] = field(default_factory=list)
    played: Played | None = None
    """6 players and 10 spectators."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cases",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="cases with Pluribus hands; without it the real hands beside the project",
    )
    parser.add_argument(
        "--hands", type=int, default=HANDS, metavar="N", help=f"to play in the room ({HANDS})"
    )
    parser.add_argument(
        "--load",
        nargs="+",
        choices=LOADS,
        metavar="WHAT",
        help=f"load on the local room instead: {', '.join(LOADS)}",
    )
    parser.add_argument(
        "--tables", type=int, nargs="+", metavar="N", help="of its load of that name (1 20 100)"
    )
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="of play for each of its figures (30)"
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="that its memory is watched for (10)"
    )
    parser.add_argument(
        "--write", action="store_true", help="write docs/costs.md, or docs/load.md, and plots anew"
    )
    parser.add_argument(
        "--export",
        type=int,
        metavar="N",
        help="export N hands instead, in each format, and say what memory that takes",
    )
    parser.add_argument("--format", choices=FORMATS, help="in this format only")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where a figure is over its budget, or 2 where there are no hands to play."""
    if min(args.hands, args.seconds, args.minutes, *(args.tables or ())) <= 0:
        print("cardroom: hands, seconds, minutes and tables are more than 0", file=sys.stderr)
        return 2
    if args.export is not None:
        from bench import exporting
        from cli.exporting import Format

        for kind in Format if args.format is None else (Format(args.format),):
            print(exporting.report(exporting.measure(args.export, kind)), flush=True)
        return 0
    if args.load is not None:
        from bench import load

        return load.run(args)
    cases = _chosen(args.cases)
    if not cases:
        print(f"cardroom: no case's id begins with {HANDS_OF}", file=sys.stderr)
        return 2
    try:
        built = build()
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    report = Report()
    report.figures += engine.figures(engine.measure(cases))
    report.figures += evaluator.figures(evaluator.measure())
    report.played = handlers.measure(args.hands, ROUNDS)
    report.figures += handlers.figures(report.played)
    report.figures += sizes(play(args.hands, seats=FULL, signed=False))
    report.figures += costs(report.played)
    report.figures += inits(budgets.measure_built(built))
    show(report)
    if args.write:
        page.write(report.figures, report.played)
    return code(report)


def show(report: Report) -> None:
    print(*columns([("figure", "measured", "budget", ""), *(one.cells for one in report.figures)],
                   right=frozenset({1, 2})), sep="\n")  # fmt: skip
    if report.played is not None:
        print("", *bills(report.played), "", *asked(report.played), sep="\n")
    missed = over(report.figures)
    kept = sum(one.verdict == UNDER for one in report.figures)
    print(f"\n{kept} {UNDER}, {len(missed)} {OVER}", *(f"  {one.name}" for one in missed), sep="\n")


def code(report: Report) -> int:
    return 1 if over(report.figures) else 0


def sizes(full: Played) -> list[Figure]:
    """Bytes at a table whose seats are all taken."""
    counts = full.counts
    who = f"{full.seats} seats"
    return [
        Figure(f"STATE with {who}: average", fmean(counts.state_bytes), "bytes", STATE_BYTES),
        Figure(f"STATE with {who}: most", max(counts.state_bytes), "bytes", MOST_STATE_BYTES),
        Figure(f"a push with {who}: average", fmean(counts.push_bytes), "bytes"),
        Figure(f"a push with {who}: most", max(counts.push_bytes), "bytes"),
        Figure(f"a snapshot with {who}: average", fmean(counts.snapshot_bytes), "bytes"),
        Figure(f"a snapshot with {who}: most", max(counts.snapshot_bytes), "bytes"),
    ]


def costs(played: Played) -> list[Figure]:
    ours, theirs = prices.total(prices.bill(played)), prices.total(naive.bill(played))
    counts = played.counts
    return [
        Figure("a hand: pushes to each player", counts.pushes / counts.hands / played.seats),
        Figure(
            "a hand: snapshots to each spectator",
            counts.snapshots / counts.hands / played.spectators,
            "",
            6,
        ),
        Figure("1,000 hands", ours, "dollars", DOLLARS),
        Figure(
            "1,000 hands, were they traced", prices.traced(played, prices.traces(played)), "dollars"
        ),
        Figure(
            "1,000 hands, were they traced in a room with no other table",
            prices.traced(played, prices.traces_alone(played)),
            "dollars",
        ),
        Figure("1,000 hands, naive design", theirs, "dollars"),
        Figure("naive design: times ours", theirs / ours),
    ]


def inits(measured: Iterable[budgets.Cost]) -> list[Figure]:
    """CPU of starting, as on the machine of the budgets: see bench/budgets.py."""
    return [Figure(f"init: {one.function}", one.milliseconds, "ms", one.budget) for one in measured]


def bills(played: Played) -> Sequence[str]:
    """What the dollars are made of."""
    rows = [("1,000 hands", "", "a hand", "dollars")]
    for name, lines in (("Cardroom", prices.bill(played)), ("naive design", naive.bill(played))):
        rows.append((name, "", "", f"{prices.total(lines):.3f}"))
        rows += [
            (f"  {one.service}", one.what, number(one.units), f"{one.dollars:.3f}") for one in lines
        ]
    return columns(rows, right=frozenset({2, 3}))


def asked(played: Played) -> Sequence[str]:
    """What the counts behind the bill are."""
    rows = [*calls.rows(played), *calls.units(played)]
    cells = [(service, what, number(times)) for service, what, times in rows]
    return columns([("", "", "a hand"), *cells], right=frozenset({2}))


def _chosen(files: Sequence[Path] | None) -> list[Case]:
    chosen = [case for case in _cases(files or real_hands()) if case.id.startswith(HANDS_OF)]
    if not chosen and files is None:
        print("no Pluribus hands are here: the project's own hands are measured instead")
        chosen = [case for case in _cases(own_hands()) if engine.suitable(case)]
    return chosen


def _cases(files: Iterable[Path]) -> Iterator[Case]:
    for file in files:
        for case in read_cases(file):
            if isinstance(case, BadLine):
                print(f"cardroom: {case}", file=sys.stderr)
            else:
                yield case
