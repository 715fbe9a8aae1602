"""`cardroom audit`: all money of a room, added up; 0 only if none is missing and none too much. And
`cardroom audit hands`: all records of hands.
"""

import argparse
from pathlib import Path
from typing import Final

from cardroom.audit import PATIENCE_MS, Report, Sums, audit
from cardroom.inventory import DynamoInventory
from cardroom.systemclock import SystemClock
from cli.players import exact
from cli.served import served
from cli.tables import store, where

BALANCED: Final = 0
AMISS: Final = 1
UNSETTLED: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("money", "hands"),
        default="money",
        help="all money (the default), or the records of all hands",
    )
    parser.add_argument("--table", metavar="T", help="hands of this table only")
    parser.add_argument(
        "--heads",
        metavar="F",
        type=Path,
        help="seals of hands that were kept elsewhere, as JSON lines",
    )
    parser.add_argument(
        "--log",
        action="store_true",
        help="hold them against the seals in the log of the stack's functions too",
    )
    parser.add_argument(
        "--since", metavar="DAY", help="of that log from this day on (UTC), as 2026-11-30"
    )
    parser.add_argument(
        "--keep", metavar="F", type=Path, help="add the last seal of each table to this file"
    )
    where(parser)


def run(args: argparse.Namespace) -> int:
    """0 where all agrees, 1 where it does not (or no room is there), 2 where it did not settle."""
    if args.what == "hands":
        from cli.hand_audit import run as run_hands

        return served(args, run_hands, "what it found")
    return served(args, _run_money, "what it found")


def _run_money(args: argparse.Namespace) -> int:
    report = audit(DynamoInventory.beside(store(args)), SystemClock())
    for line in lines(report):
        print(line)
    return verdict(report)


def verdict(report: Report) -> int:
    """The exit code. What is certain counts more than what is still moving."""
    if report.balanced:
        return BALANCED
    return UNSETTLED if report.moving and not report.findings else AMISS


def lines(report: Report) -> list[str]:
    """Sums, findings, and what it comes to."""
    said = [_sums(one) for one in report.sums]
    said += [one.sentence for one in report.findings]
    said += [f"still moving: {one.sentence}" for one in report.moving]
    counted = f"{report.players} players, {report.tables} tables, {report.entries} entries counted"
    if report.reread:
        counted += f", {report.reread} read again"
    if report.balanced:
        said.append(f"{counted}: balanced")
    elif report.findings or not report.moving:
        said.append(f"{counted}: {len(report.findings)} findings")
    if report.moving:
        seconds = PATIENCE_MS // 1000
        said.append(f"{counted}: unsettled after {seconds} s, {len(report.moving)} still moving")
    return said


def _sums(one: Sums) -> str:
    inside = one.wallets + one.seated + one.leaving + one.rake
    return (
        f"{one.currency}: wallets {exact(one.wallets)} + tables {exact(one.seated)} + leaving "
        f"{exact(one.leaving)} + rake {exact(one.rake)} = {exact(inside)}; deposits "
        f"{exact(one.deposits)} - withdrawals {exact(one.withdrawals)} = "
        f"{exact(one.deposits - one.withdrawals)}; difference {exact(one.difference)}"
    )
