"""`cardroom tables`: open, list, show, freeze, close and drain tables, on AWS or of the room that
runs here.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from typing import Final

from cardroom.damage import DamagedError
from cardroom.dealer import Applied, Dealer
from cardroom.errors import Refused
from cardroom.messages import MAX_CHIPS
from cardroom.ports import Field
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.stored import Stored
from cardroom.systemclock import SystemClock
from cardroom.tables import MOST_TABLES, open_table
from cli.printable import printable
from cli.served import Failed, Unusable, served
from local.money import parsed, shown
from poker_engine.errors import Code
from poker_engine.rake import SCHEDULES
from poker_engine.stakes import Game, Settings, fixed_limit, no_limit, table_settings

CURRENCIES: Final = tuple(sorted(name.upper() for name in SCHEDULES if name != "none"))
"""Each has a rake schedule of its name."""
CLOCK_SECONDS: Final = (5, 120)
PAUSE_SECONDS: Final = (1, 60)
UP_TO: Final = (1, 100)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    opens = action(actions, "open", "open a table")
    opens.add_argument("id", help="1 to 32 of a-z, 0-9 and '-': php-5-10")
    opens.add_argument("game", choices=[str(game) for game in Game], help="no-limit or fixed-limit")
    opens.add_argument("currency", help=f"of all amounts: {' or '.join(CURRENCIES)}")
    opens.add_argument(
        "amount", help="the small blind in no-limit, the lower limit in fixed-limit: 5 or 2.50"
    )
    opens.add_argument("--seats", type=int, default=6, metavar="N", help="2 to 10 (6)")
    opens.add_argument(
        "--clock", type=int, default=15, metavar="S", help="seconds for an action (15)"
    )
    opens.add_argument("--pause", type=int, default=3, metavar="S", help="between hands (3)")
    opens.add_argument(
        "--time-bank", type=int, default=0, metavar="SECONDS", help="a seat's time bank (0: none)"
    )
    opens.add_argument(
        "--delay", type=int, default=0, metavar="SECONDS", help="of what spectators see (0)"
    )
    opens.add_argument(
        "--up-to",
        type=int,
        default=MOST_TABLES,
        metavar="N",
        help="tables of these stakes open by themselves when all are full, up to so many "
        f"({MOST_TABLES}); 1: none",
    )
    action(actions, "list", "list the open tables")
    shows = action(actions, "show", "show a table's state, seats, pace and chips")
    shows.add_argument("id")
    closes = action(actions, "close", "close a table, after its hand if one runs")
    closes.add_argument("id")
    freezes = action(actions, "freeze", "let no hand begin and nobody sit down, until thawed")
    thaws = action(actions, "thaw", "let a frozen table go on")
    for one in (freezes, thaws):
        which = one.add_mutually_exclusive_group(required=True)
        which.add_argument("id", nargs="?")
        which.add_argument("--all", action="store_true", help="every open table")
    drains = action(actions, "drain", "close tables, and wait until everybody is paid")
    drains.add_argument(
        "--minutes", type=int, default=15, metavar="N", help="how long to wait for hands (15)"
    )
    reopens = action(actions, "reopen", "open tables like those that were drained")
    for one in (drains, reopens):
        one.add_argument(
            "--table", action="append", default=[], metavar="ID", help="this one; all if not given"
        )
        one.add_argument(
            "--stake", action="append", default=[], metavar="S", help="all of nl-PHP-500-1000"
        )


def action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    """An action of a subcommand on a room, which `store` finds."""
    parser = actions.add_parser(name, help=summary, description=summary)
    where(parser)
    return parser


def where(parser: argparse.ArgumentParser) -> None:
    """Which room: of a stack, of an address, or the one that runs here."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--stack", metavar="NAME", help="deployed to AWS; with the credentials of your environment"
    )
    group.add_argument("--address", help="WebSocket address of a local room (the one of make play)")


def run(args: argparse.Namespace) -> int:
    """0; 1 where it could not be done, 2 where what was asked for makes no sense."""
    return served(args, _run, "the tables")


def _run(args: argparse.Namespace) -> int:
    match args.action:
        case "open":
            chosen = settings_of(args)
            print(opened(store(args), args.id, chosen, most=args.up_to))
        case "list":
            for line in lines(store(args)):
                print(line)
        case "show":
            from cli.table_report import report

            for line in report(store(args), args.id):
                print(line)
        case "freeze" | "thaw":
            return _each(args, frozen if args.action == "freeze" else thawed)
        case "drain":
            return _drained(args)
        case "reopen":
            return _reopened(args)
        case _:
            print(closed(store(args), args.id))
    return 0


def _each(args: argparse.Namespace, do: Callable[[DynamoTables, str], str]) -> int:
    """Of all tables those are done that can be; 1 where one cannot."""
    tables = store(args)
    if not args.all:
        print(do(tables, args.id))
        return 0
    failed = 0
    for table_id in tables.listed():
        try:
            print(do(tables, table_id))
        except (Failed, DamagedError) as error:
            failed = 1
            print(f"cardroom: {printable(str(error), 200)}", file=sys.stderr)
    return failed


def _drained(args: argparse.Namespace) -> int:
    from cli.drain import Drain, Which

    tables = store(args)
    which = Which(tuple(args.table), tuple(args.stake))
    if args.minutes < 1:
        raise Unusable(f"one waits for a minute or more, not {args.minutes}")
    done = Drain(tables, _dealer(tables), which, _now).run(args.minutes * 60_000)
    if not done:
        raise Failed("not all is paid: ask again, and it goes on from here")
    print("nobody is seated there, and everybody is paid")
    return 0


def _reopened(args: argparse.Namespace) -> int:
    from cli.drain import Which, reopened

    which = Which(tuple(args.table), tuple(args.stake))
    said = list(reopened(store(args), which, SystemClock().now()))
    for line in said or ["no table of these was drained"]:
        print(line)
    return 0


def _now(line: str) -> None:
    """Where output is kept, it is there while one waits."""
    print(line, flush=True)


def settings_of(args: argparse.Namespace) -> Settings:
    """Raises Unusable."""
    currency = str(args.currency).upper()
    if currency not in CURRENCIES:
        raise Unusable(f"{printable(args.currency)!r} is no currency: {' or '.join(CURRENCIES)}")
    _within("the clock", args.clock, CLOCK_SECONDS)
    _within("the pause", args.pause, PAUSE_SECONDS)
    least, most = UP_TO
    if not least <= args.up_to <= most:
        raise Unusable(f"tables of a stake are {least} to {most}, not {args.up_to}")
    game = Game(args.game)
    try:
        amount = parsed(args.amount)
        stakes = (no_limit if game is Game.NO_LIMIT else fixed_limit)(currency, amount)
        settings = table_settings(
            stakes,
            args.seats,
            clock_ms=args.clock * 1000,
            pause_ms=args.pause * 1000,
            time_bank_ms=args.time_bank * 1000,
            delay_s=args.delay,
        )
    except ValueError as error:
        raise Unusable(str(error).rstrip(".")) from error
    if not amount:
        raise Unusable("the amount is more than 0")
    if (settings.maximum or settings.minimum) > MAX_CHIPS:
        raise Unusable(f"the stakes are too high: nobody may bring more than {shown(MAX_CHIPS)}")
    return settings


def _within(what: str, seconds: int, bounds: tuple[int, int]) -> None:
    least, most = bounds
    if not least <= seconds <= most:
        raise Unusable(f"{what} is {least} to {most} seconds, not {seconds}")


def opened(tables: DynamoTables, table_id: str, settings: Settings, *, most: int) -> str:
    """Open it and say so (`most`: see Meta). Raises Unusable on a bad id, Failed if it is taken."""
    try:
        done = open_table(tables, table_id, settings, SystemClock().now(), most=most)
    except ValueError as error:
        raise Unusable(str(error)) from error
    if not done:
        raise Failed(f"there is, or was, a table {table_id}: choose another id")
    return f"{table_id} is open: {described(settings)}"


def lines(tables: DynamoTables) -> list[str]:
    """One line for each open table."""
    return [line for table_id in tables.listed() for line in _lines(tables, table_id)] or [
        "no table is open"
    ]


def _lines(tables: DynamoTables, table_id: str) -> list[str]:
    try:
        stored = tables.load(table_id)
    except DamagedError:
        return [f"{table_id:32}  cannot be read"]
    return [] if stored is None else [_line(stored)]


def _line(stored: Stored) -> str:
    table = stored.table
    taken = sum(seat is not None for seat in table.seats)
    state = ", closing" if table.closing else ", frozen" if table.frozen else ""
    return (
        f"{stored.table_id:32}  {described(table.settings)}, "
        f"{taken} of {len(table.seats)} seats taken, {table.hands} hands{state}"
    )


def described(settings: Settings) -> str:
    """The stakes in a few words."""
    stakes = settings.stakes
    low, high, name = stakes.small_blind, stakes.big_blind, "no-limit"
    if stakes.game is Game.FIXED_LIMIT:
        low, high, name = stakes.small_bet, stakes.big_bet, "fixed-limit"
    return f"{name} {shown(low)}/{shown(high)} {stakes.currency}"


def closed(tables: DynamoTables, table_id: str) -> str:
    """Close it and say so. Raises Failed."""
    stored = _done(table_id, _dealer(tables).close(table_id), Code.TABLE_CLOSING)
    if stored.table.closed:
        return f"{table_id} is closed"
    return f"{table_id} closes when its hand is over"


def frozen(tables: DynamoTables, table_id: str) -> str:
    """Freeze it and say so. Raises Failed."""
    stored = _done(table_id, _dealer(tables).freeze(table_id), Code.TABLE_FROZEN)
    if stored.table.running is None:
        return f"{table_id} is frozen"
    return f"{table_id} is frozen: its hand goes on to its end"


def thawed(tables: DynamoTables, table_id: str) -> str:
    """Let it go on and say so. Raises Failed."""
    applied = _dealer(tables).thaw(table_id)
    stored = _done(table_id, applied, Code.NOT_FROZEN)
    again = isinstance(applied, Refused) or applied.refusal is not None
    state = "not frozen" if again else "thawed"
    if stored.table.running is None and stored.table.next_hand_at is None:
        return f"{table_id} is {state}: it waits for players"
    return f"{table_id} is {state}: it goes on"


def _dealer(tables: DynamoTables) -> Dealer:
    return Dealer(tables, SystemClock(), SystemRandomness(), Silent())


def _done(table_id: str, applied: Applied | Refused, already: Code) -> Stored:
    """The table afterwards; refused with this code it was done before. Raises Failed."""
    if isinstance(applied, Refused):
        raise Failed(f"{printable(table_id)}: {applied.sentence}")
    if applied.refusal is not None and applied.refusal.code is not already:
        raise Failed(f"{table_id}: {applied.refusal.sentence}")
    return applied.stored


class Silent:
    """The port `Signals` where an operator reads the outcome himself."""

    def note(self, what: str, **fields: Field) -> None: ...

    def context(self, **fields: Field) -> None: ...

    def count(self, metric: str, value: float = 1, by: str = "") -> None: ...

    def milliseconds(self, metric: str, value: float) -> None: ...

    def fault(self, where: str, error: BaseException, **fields: Field) -> None: ...


def store(args: argparse.Namespace) -> DynamoTables:
    """The tables of the stack or the local room that was named. Raises Failed or RoomError."""
    if args.stack is not None:
        return DynamoTables(outputs_of(args.stack)["TableName"])
    from local.running import find
    from local.tables import LocalTables

    return LocalTables(find(args.address))


def take_region() -> None:
    """Also where it has the AWS command line's name, which the libraries do not read."""
    if "AWS_REGION" in os.environ:
        os.environ.setdefault("AWS_DEFAULT_REGION", os.environ["AWS_REGION"])


def outputs_of(stack: str) -> Mapping[str, str]:
    """A deployed stack's outputs. Raises Failed with one sentence for whatever is wrong."""
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    take_region()
    try:
        found = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    except (BotoCoreError, ClientError) as error:
        raise Failed(f"stack {printable(stack)!r}: {str(error).rstrip('.')}") from error
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found[0].get("Outputs", [])}
    if "TableName" not in outputs:
        raise Failed(f"stack {printable(stack)!r} is no cardroom: it has no output TableName")
    return outputs
