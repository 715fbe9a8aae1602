"""`cardroom restore`: a room brought back to an earlier moment, from a file or from a table that
AWS has restored. All that happened since is gone, the money too: see docs/restore.md.
"""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from botocore.exceptions import ClientError

from cardroom.audit import Report, audit
from cardroom.aws import ApiCloser
from cardroom.damage import Attributes, DamagedError
from cardroom.dealer import Dealer
from cardroom.errors import ChipsError, RulesError, WalletError
from cardroom.inventory import DynamoInventory
from cardroom.ports import Clock, Closer, Delivery
from cardroom.restoring import Items, NotCopiedError, connections, kept, settle
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.audit import lines
from cli.backup import read_backup
from cli.gate import Gate
from cli.place import Place, place
from cli.printable import printable
from cli.served import Failed, served
from cli.tables import Silent, where

type Say = Callable[[str], None]

THAW: Final = "every table is frozen: look at it, then cardroom tables thaw --all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--file", type=Path, metavar="F", help="made by cardroom backup")
    source.add_argument(
        "--from-table", metavar="NAME", help="a table that AWS has restored to a moment"
    )
    source.add_argument(
        "--open", action="store_true", help="let the functions run, after a restore that stopped"
    )
    parser.add_argument(
        "--replace", action="store_true", help="take away all that the room has stored now"
    )


def run(args: argparse.Namespace) -> int:
    """0 where the room is back and its money adds up; 1 where not, and no function runs then."""
    return served(args, _restore, written="what was done")


def _restore(args: argparse.Namespace) -> int:
    room, clock = place(args), SystemClock()
    gate = Gate(room, clock, _now)
    if args.open:
        gate.open()
        return 0
    source = _source(args, room, clock)
    try:
        report = restored(room, source, gate, closer(room), clock, _now, replace=args.replace)
    except (DamagedError, NotCopiedError, WalletError) as error:
        what = printable(str(error), 200) or "not all could be written"
        raise Failed(f"{what}: no function runs; restore it again") from error
    for line in lines(report):
        print(line)
    if not report.balanced:
        raise Failed("its money does not add up, and no function runs: see docs/restore.md")
    gate.open()
    print(THAW)
    return 0


def _now(line: str) -> None:
    print(line, flush=True)


def _source(args: argparse.Namespace, room: Place, clock: Clock) -> Iterable[Attributes]:
    """Raises Failed where there is none, before anything is done."""
    if args.file is not None:
        return list(read_backup(args.file))
    if args.from_table == room.tables.name:
        raise Failed("that is the room's own table: name the one that AWS has restored")
    return from_table(args.from_table, room.client("dynamodb"), clock)


def from_table(name: str, client: Any, clock: Clock) -> Iterable[Attributes]:
    """All that it holds. It is looked at first, as what it is to replace is taken away before it is
    read: raises Failed where it is not there or not whole yet, or holds nothing of a room.
    """
    try:
        table = client.describe_table(TableName=name)["Table"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        raise Failed(f"{printable(name)}: there is no such table") from error
    if table["TableStatus"] != "ACTIVE":
        raise Failed(f"{printable(name)} is {table['TableStatus'].lower()} still: wait for it")
    items = Items(name, client, clock)
    if {key["AttributeName"] for key in table["KeySchema"]} != {"pk", "sk"} or not any(
        map(kept, items.all("pk", "sk"))
    ):
        raise Failed(f"{printable(name)} holds nothing of a room")
    return items.all()


def closer(room: Place) -> Closer:
    url = room.output("CallbackUrl")
    return ApiCloser(url, lambda url: room.client_at("apigatewaymanagementapi", url))


def restored(
    room: Place,
    source: Iterable[Attributes],
    gate: Gate,
    closes: Closer,
    clock: Clock,
    say: Say,
    *,
    replace: bool,
) -> Report:
    """What the audit finds afterwards. The functions are shut, and stay so. Begun anew, it does all
    of it again. Raises Failed, and what botocore raises.
    """
    items = Items(room.tables.name, room.client("dynamodb"), clock)
    if not replace and next(items.all("pk"), None) is not None:
        raise Failed("the room has something stored: with --replace all of that is taken away")
    gate.shut()
    ended = [closes.close(one) for one in connections(items.all("pk"))]
    say(f"{ended.count(Delivery.DONE)} connections are closed")
    say(f"{items.empty()} items are taken away")
    say(f"{items.put(item for item in source if kept(item))} items are there")
    say(f"{_settled(room.tables, clock, say)} tables are at rest")
    return audit(DynamoInventory.beside(room.tables), clock)


def _settled(tables: DynamoTables, clock: Clock, say: Say) -> int:
    """How many. One that was damaged already, or was opened in the very moment that was restored,
    holds up no other; the audit has it.
    """
    dealer = Dealer(tables, clock, SystemRandomness(), Silent())
    settled = 0
    for table_id in tables.listed():
        try:
            if tables.load(table_id) is None:
                say(f"{printable(table_id)} is listed, and not there")
                continue
            settle(tables, dealer, table_id)
        except (DamagedError, ChipsError, RulesError):
            say(f"{printable(table_id)} cannot be read, and is left as it is")
        else:
            settled += 1
    return settled
