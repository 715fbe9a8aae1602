"""Old records of hands: where they lie, and `cardroom hands archive`, which moves them there at
once. By itself a function does the same (`cardroom.archivist`).
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from cardroom.archive import S3Archive
from cardroom.archiving import Archiving, Moved, NotMovedError, Stayed, Step
from cardroom.histories import DynamoHistories
from cardroom.recorded import DynamoRecords
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.printable import printable
from cli.progress import Progress
from cli.served import Failed, served
from cli.tables import outputs_of, store

BUCKET: Final = "HandsBucket"
"""The stack's output that names the archive."""


def archive_of(args: argparse.Namespace) -> S3Archive | None:
    """None where the room is older than archives. Raises Failed, or RoomError."""
    if args.stack is None:
        from local.running import find

        room = find(args.address)
        local = room.outputs.get(BUCKET)
        return None if local is None else S3Archive(lambda: room.client("s3"), local)
    bucket = outputs_of(args.stack).get(BUCKET)
    if bucket is None:
        return None
    import boto3

    return S3Archive(lambda: boto3.client("s3"), bucket)


def run(args: argparse.Namespace) -> int:
    """0; 1 where something had to stay, with a line on why, or it cannot be done."""
    return served(args, _run, "what has gone")


def _run(args: argparse.Namespace) -> int:
    tables, archive = store(args), archive_of(args)
    if archive is None:
        raise Failed("there is no archive: a stack on AWS has one from this version on")
    now = SystemClock().now()
    if args.search:
        print(f"{searched(tables, now)} closed tables found")
    return archived(tables, archive, now)


def searched(tables: DynamoTables, now: int) -> int:
    """Notes closed tables that have records and are in no list, by a look through the whole table:
    they closed before there was one. How many there were.
    """
    histories, records = DynamoHistories.beside(tables), _records(tables)
    known = records.tables()
    found = [name for name in histories.tables() if name not in known]
    lost = [name for name in found if next(histories.items(name), None) is not None]
    for name in lost:
        records.remember(name, now)
    return len(lost)


def archived(tables: DynamoTables, archive: S3Archive, now: int) -> int:
    """The exit code. What is wrong with a block keeps no other from being moved."""
    records = _records(tables)
    archiving = Archiving(records, archive, now)
    moved = stayed = 0
    with Progress(sys.stderr) as progress:
        for step in _steps(archiving, records, progress):
            if isinstance(step, Moved):
                moved += step.records
                continue
            stayed += 1
            why = _why(step)
            progress.print(sys.stdout, f"{printable(why, 200)}; its block stays")
    print(f"{moved} records moved{f', {stayed} blocks left' if stayed else ''}")
    return 1 if stayed else 0


def _steps(archiving: Archiving, records: DynamoRecords, progress: Progress) -> Iterator[Step]:
    """The bar is of tables: first those that are looked at, then those of which all has gone."""
    for table_id, closed in progress.over(list(records.tables().items())):
        yield from archiving.look({table_id: closed})
    tables = archiving.left
    for step in archiving.move():
        progress.at(tables - archiving.left, tables)
        yield step


def _why(stayed: Stayed) -> str:
    if isinstance(stayed.why, NotMovedError):
        return str(stayed.why)
    if isinstance(stayed.why, BotoCoreError | ClientError):
        return f"{stayed.table_id}: {str(stayed.why).rstrip('.')}"
    raise stayed.why


def _records(tables: DynamoTables) -> DynamoRecords:
    return DynamoRecords(tables.name, tables._client)
