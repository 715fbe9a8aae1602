"""`cardroom bench`: the engine beside pokerkit, the evaluator beside treys; or how hands are
exported.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from bench import engine, evaluator
from bench.hand_files import own_hands, real_hands
from cli.cases import BadLine, Case, read_cases
from cli.hands import FORMATS

HANDS_OF: Final = "pluribus/"
"""Ids of the hands that are measured: no-limit, six players, full blinds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cases",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="cases with Pluribus hands; without it the real hands beside the project",
    )

    parser.add_argument(
        "--export",
        type=int,
        metavar="N",
        help="export N hands instead, in each format, and say what memory that takes",
    )
    parser.add_argument("--format", choices=FORMATS, help="in this format only")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where the engine is slower than it must be, or 2 where there are no hands to play."""
    if args.export is not None:
        from bench import exporting
        from cli.exporting import Format

        for kind in Format if args.format is None else (Format(args.format),):
            print(exporting.report(exporting.measure(args.export, kind)), flush=True)
        return 0
    files = args.cases or real_hands()
    chosen = [case for case in _cases(files) if case.id.startswith(HANDS_OF)]
    if not chosen and args.cases is None:
        print("no Pluribus hands are here: the project's own hands are measured instead")
        chosen = [case for case in _cases(own_hands()) if engine.suitable(case)]
    if not chosen:
        print(f"cardroom: no case's id begins with {HANDS_OF}", file=sys.stderr)
        return 2
    speeds = engine.measure(chosen)
    print(engine.report(speeds))
    print(evaluator.report(evaluator.measure()))
    ours, theirs = speeds
    return 1 if ours < engine.FLOOR * theirs else 0


def _cases(files: Iterable[Path]) -> Iterator[Case]:
    for file in files:
        for case in read_cases(file):
            if isinstance(case, BadLine):
                print(f"cardroom: {case}", file=sys.stderr)
            else:
                yield case
