"""The `cardroom` command: finds the subcommand's module and imports that one only."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, Protocol, cast


class Subcommand(Protocol):
    """What a subcommand's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int:
        """Exit code: 0 done, 1 a finding, 2 bad input."""
        ...


SUBCOMMANDS: Final = {
    "play": ("local.play", "run a room here, with bots at every stake, and show its lobby"),
    "join": ("local.join", "sit down at a table of a running room"),
    "signup": ("local.sign_up", "become a player of a room"),
    "mail": ("local.mail", "show the code that the local room has mailed"),
    "deck": ("local.deck", "say which cards the next hand has, on the local room"),
    "token": ("local.access_token", "sign in and print an access token"),
    "soak": ("local.soak", "play on the local room for a long time"),
    "top": ("local.top", "show what a room does and what is wrong with it, live"),
    "tables": ("cli.tables", "open, list, show, freeze, thaw, close and drain tables"),
    "redrive": (
        "cli.redrive",
        "tell all clients anew how their tables stand, after failures",
    ),
    "backup": ("cli.backup", "write all that a room at rest has stored to a file"),
    "restore": ("cli.restore", "bring a room back to an earlier moment"),
    "probe": ("cli.probe", "check on a real account what this machine cannot prove"),
    "web": ("cli.web", "give a deployed room its page for browsers, or take it away"),
    "players": ("cli.players", "players and their money"),
    "audit": ("cli.audit", "add up all money of a room and say what is amiss"),
    "replay": ("cli.replay", "replay recorded hands through the engine"),
    "hands": ("cli.hands", "hands that the room played"),
    "report": ("cli.reports", "rake by stake and day; pairs who may play together"),
    "rules": ("cli.rules", "list the rules of play with the tests that prove them"),
    "contract": ("cli.contract", "write schema, AsyncAPI and table of codes from the models"),
    "bench": ("bench.report", "measure speed, bytes, calls and dollars beside their budgets"),
}
"""Name: module, one line of help."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""
FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a disk says that takes no more of our output."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    parser = argparse.ArgumentParser(prog="cardroom", description="A serverless poker room.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen: Subcommand | None = None
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, summary) in SUBCOMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == wanted:
            chosen = cast(Subcommand, import_module(module))
            chosen.add_arguments(subparser)
    args = parser.parse_args(words)
    if chosen is None:
        parser.error("name a command")
    try:
        code = chosen.run(args)
        print(end="", flush=True)  # Also where there is no output at all.
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as in `cardroom rules | head`: end without a traceback.
        _forget_output()
        return 1
    except OSError as error:
        if error.errno not in FULL:
            raise
        _forget_output()
        print(f"cardroom: cannot write: {os.strerror(error.errno).lower()}", file=sys.stderr)
        return 1
    return code


def _forget_output() -> None:
    """What is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
