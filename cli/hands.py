"""`cardroom hands`: hands that a room played, for players, support and tools; and void one that
hangs.
"""

import argparse
from pathlib import Path
from typing import Final

FORMATS: Final = ("cases", "phh", "ohh", "pokerstars")
SUPPORT: Final = "support"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    summary = "write hands of a room into a file, in one of several formats"
    export = actions.add_parser("export", help=summary, description=summary)
    kind = export.add_mutually_exclusive_group(required=True)
    kind.add_argument("--format", choices=FORMATS, help="which: see docs/hands.md")
    kind.add_argument("--cases", action="store_true", help="the same as --format cases")
    of = export.add_mutually_exclusive_group()
    of.add_argument("--table", metavar="T", help="of this table only, open or not")
    of.add_argument("--hand", metavar="T/N", help="this hand only, as php-5-10-1/17")
    export.add_argument("--player", metavar="NAME", help="hands that he was dealt in only")
    export.add_argument("--day", metavar="DAY", help="begun on this day only, as 2026-11-30")
    export.add_argument("--zone", default="UTC", help="time zone of days and times (UTC)")
    export.add_argument("--out", metavar="F", type=Path, help="into this file, not to the terminal")
    _add_whose(export)
    _where(export)
    summary = "show one hand in words"
    show = actions.add_parser("show", help=summary, description=summary)
    show.add_argument("hand", metavar="T/N", help="as php-5-10-1/17")
    show.add_argument("--zone", default="UTC", help="time zone of its time (UTC)")
    _add_whose(show)
    _where(show)
    summary = "read hands of other rooms (PHH, or cases) and write them as cases"
    reads = actions.add_parser("import", help=summary, description=summary)
    reads.add_argument("files", nargs="+", type=Path, metavar="FILE")
    reads.add_argument("--out", metavar="F", type=Path, help="into this file, not to the terminal")
    summary = "who saw hands with all their cards, and why"
    looks = actions.add_parser("looks", help=summary, description=summary)
    _where(looks)
    summary = (
        "move records that are 90 days old into the stack's archive; the others find them there"
    )
    archive = actions.add_parser("archive", help=summary, description=summary)
    archive.add_argument("--stack", required=True, metavar="NAME", help="deployed to AWS")
    archive.set_defaults(address=None)
    summary = "hands that players dispute, the oldest first"
    disputes = actions.add_parser("disputes", help=summary, description=summary)
    disputes.add_argument("--all", action="store_true", help="those too that are closed")
    disputes.add_argument("--records", action="store_true", help="each with its hand beside it")
    disputes.add_argument("--zone", default="UTC", help="time zone of times (UTC)")
    add_why(disputes)
    _where(disputes)
    summary = "close what a player disputes, with a word"
    settles = actions.add_parser("settle", help=summary, description=summary)
    settles.add_argument("hand", metavar="T/N", help="as php-5-10-1/17")
    settles.add_argument("player", metavar="NAME", help="who disputes it")
    settles.add_argument("--word", required=True, help="what came of it; is kept with it")
    settles.add_argument("--who", help="is kept with it (your name on this machine)")
    _where(settles)
    summary = "end a hand that hangs; every chip goes back where it came from"
    void = actions.add_parser("void", help=summary, description=summary)
    void.add_argument("table", metavar="TABLE")
    void.add_argument("hand", metavar="HAND", type=int, help="its number; no other one is ended")
    void.add_argument("--why", required=True, help="all at the table are told, and it is recorded")
    _where(void)


def _add_whose(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--as",
        dest="whose",
        nargs="+",
        default=[SUPPORT],
        metavar="WHOM",
        help="`player NAME`: his cards and what was shown; `public`: what was shown; "
        "`support`: all (the default), which is kept with who and why",
    )
    add_why(parser)


def add_why(parser: argparse.ArgumentParser) -> None:
    """What is kept of a look at all cards."""
    parser.add_argument("--why", help="why support looks; a must on AWS")
    parser.add_argument("--who", help="is kept with it (your name on this machine)")


def _where(parser: argparse.ArgumentParser) -> None:
    room = parser.add_mutually_exclusive_group()
    room.add_argument("--stack", metavar="NAME", help="deployed to AWS")
    room.add_argument("--address", help="WebSocket address of a local room")


def run(args: argparse.Namespace) -> int:
    """0; 1 where it cannot be done, or a record is damaged; 2 where what was asked for makes no
    sense.
    """
    match args.action:
        case "void":
            from cli.voiding import run as chosen
        case "archive":
            from cli.archived import run as chosen
        case "import":
            from cli.importing import run as chosen
        case "disputes" | "settle":
            from cli.complaints import run as chosen
        case _:
            from cli.desk import run as chosen
    return chosen(args)
