"""Hands of other rooms, read from PHH or cases and written as cases."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from cli.cases import LONGEST_PATH, BadLine, Case, dump_line
from cli.hand_files import read_hands
from cli.outputs import into, not_written
from cli.printable import printable
from cli.progress import Progress
from cli.replay import Difference, replay_case


def run(args: argparse.Namespace) -> int:
    """0; 1 where nothing can be written, 2 where a file or a hand cannot be read."""
    try:
        with into(args.out) as out:
            return write(args.files, out, sys.stderr)
    except BrokenPipeError:
        raise
    except OSError as error:
        return not_written(args.out or "the cases", error)


def write(files: Sequence[Path], out: TextIO, err: TextIO) -> int:
    """0, or 2 where a file or a hand could not be read; the others are written all the same."""
    written = bad = 0
    with Progress(err) as progress:
        for file in files:
            for case in read_hands(file):
                if isinstance(case, BadLine):
                    bad += 1
                    progress.print(err, str(case))
                    continue
                ended = _ended(case)
                if isinstance(ended, Difference):
                    bad += 1
                    progress.print(err, f"{_named(file, case)}: {_unknown(ended)}")
                    continue
                out.write(f"{dump_line(ended)}\n")
                written += 1
                progress.at(0, 0)
    print(f"{written} hands written", file=err)
    return 2 if bad else 0


def _ended(case: Case) -> Case | Difference:
    """With the stacks that our rules come to, where nobody says others; why they come to none."""
    if case.final_stacks:
        return case
    verdict = replay_case(case)
    if verdict.difference is not None:
        return verdict.difference
    seats = verdict.table.seats
    return replace(case, final_stacks=tuple(one.stack for one in seats if one is not None))


def _named(file: Path, case: Case) -> str:
    return f"{printable(str(file), LONGEST_PATH)}: {printable(case.id)}"


def _unknown(found: Difference) -> str:
    return (
        "it does not say its final stacks, and by our rules it has none: "
        f"step {found.step}: expected {found.expected}; got {found.got}"
    )
