"""`cardroom probe` (`make aws-probe`): checks on a real account what the emulator cannot prove."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from cli.account import Account, Closed, RealWorld, Refused
from cli.place import place
from cli.printable import printable
from cli.probes import CHECKS, Check, NotProven
from cli.served import Failed, served
from local.errors import RoomError

COST: Final = "less than $0.01 at list prices"
RESTORE_COST: Final = "and $0.15 for each GB of the table, which is copied"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stack", metavar="NAME", required=True, help="deployed to AWS")
    parser.add_argument("--yes", action="store_true", help="do not ask before it begins")
    parser.add_argument(
        "--idle", action="store_true", help="wait on a silent socket for 10 minutes"
    )
    parser.add_argument("--two-hours", action="store_true", help="keep a socket for 2 hours")
    parser.add_argument("--restore", action="store_true", help="restore the table to a new one")
    # `place` finds a stack, or the room of this machine; here it is always a stack.
    parser.set_defaults(address=None)


def run(args: argparse.Namespace) -> int:
    """0 where all that was tried is proven; 1 where not, or nothing could be tried."""
    return served(args, _probe, written="what was found")


def _probe(args: argparse.Namespace) -> int:
    account = Account(place(args), RealWorld())
    wanted = {name for name in ("idle", "two_hours", "restore") if getattr(args, name)}
    chosen = chosen_of({f"--{name.replace('_', '-')}" for name in wanted})
    for line in plan(args.stack, chosen):
        print(line)
    if not args.yes and not _agreed():
        print("nothing was done")
        return 1
    return probed(account, chosen, lambda line: print(line, flush=True))


def _agreed() -> bool:
    try:
        return input("Begin? [y/N] ").strip().lower() == "y"
    except EOFError:
        raise Failed("nobody is there to say yes: see --yes") from None


def chosen_of(options: set[str]) -> list[Check]:
    return [check for check in CHECKS if not check.only or check.only in options]


def plan(stack: str, chosen: Sequence[Check]) -> Iterator[str]:
    """What it will do, how long it takes at most, and what that costs."""
    seconds = sum(check.seconds for check in chosen)
    yield f"On stack {printable(stack)}, for {-(-seconds // 60)} minutes at most, will be checked:"
    yield from (f"  {check.what}" for check in chosen)
    cost = f"{COST} {RESTORE_COST}" if any(one.only == "--restore" for one in chosen) else COST
    yield f"It costs {cost}."
    yield (
        "It makes a user without money, a table at which nobody sits, and an item. User and item go"
        " away again, and the table is closed; while it is open the lobby shows it. The closed"
        " table's two items stay, and the user's name is taken for a day."
    )


def probed(account: Account, chosen: Sequence[Check], say: Callable[[str], None]) -> int:
    """Says a line for each check, and what it left behind. 1 where one is not proven."""
    failed = 0
    try:
        for check in chosen:
            verdict, found = _judged(check, account)
            failed += verdict == "FAILED"
            say(f"{verdict}  {check.what}: {found}")
    finally:
        account.close()
        for line in account.left:
            say(f"LEFT    {line}: take it away yourself")
    for check in CHECKS:
        if check not in chosen:
            say(f"NOT TRIED  {check.what} ({check.only})")
    say(f"{len(chosen) - failed} of {len(chosen)} proven")
    return 1 if failed or account.left else 0


def _judged(check: Check, account: Account) -> tuple[str, str]:
    """One that fails spoils no other."""
    try:
        return "PROVEN", check.run(account)
    except NotProven as instead:
        return "FAILED", str(instead)
    except (Refused, Closed) as ended:
        return "FAILED", f"the connection: {ended}"
    except (BotoCoreError, ClientError, Failed, RoomError, OSError) as error:
        return "FAILED", printable(str(error), 200)
    except (LookupError, ValueError) as error:
        return "FAILED", f"another answer than expected ({type(error).__name__})"
