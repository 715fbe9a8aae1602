"""Old records of hands: where they lie, and `cardroom hands archive`, which moves them there."""

import argparse
import sys
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from cardroom.archive import S3Archive
from cardroom.archiving import NotMovedError, Played, move
from cardroom.damage import DamagedError
from cardroom.histories import DynamoHistories
from cardroom.proof import ended
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.printable import printable
from cli.progress import Progress
from cli.tables import Failed, outputs_of, store

BUCKET: Final = "HandsBucket"
"""The stack's output that names the archive."""


def archive_of(args: argparse.Namespace) -> S3Archive | None:
    """None on this machine, and where the stack is older than archives. Raises Failed."""
    if args.stack is None:
        return None
    bucket = outputs_of(args.stack).get(BUCKET)
    if bucket is None:
        return None
    import boto3

    return S3Archive(boto3.client("s3"), bucket)


def run(args: argparse.Namespace) -> int:
    """0; 1 where something had to stay, with a line on why, or it cannot be done."""
    from local.errors import RoomError

    try:
        tables, archive = store(args), archive_of(args)
        if archive is None:
            raise Failed("there is no archive: a stack on AWS has one from this version on")
        return archived(tables, archive, SystemClock().now())
    except (Failed, RoomError) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except (BotoCoreError, ClientError) as error:
        print(f"cardroom: {printable(str(error).rstrip('.'), 200)}", file=sys.stderr)
        return 1


def archived(tables: DynamoTables, archive: S3Archive, now: int) -> int:
    """The exit code. What is wrong at one table keeps no other from being moved."""
    histories = DynamoHistories.beside(tables)
    moved = stayed = 0
    with Progress(sys.stderr) as progress:
        for name in progress.over(histories.tables()):
            try:
                stored = tables.load(name)
                if stored is not None:
                    played = Played(name, ended(stored), stored.table.closed)
                    moved += sum(move(histories, archive, played, now))
            except NotMovedError as error:
                stayed += 1
                progress.print(sys.stdout, f"{printable(str(error), 200)}; from it on nothing went")
            except DamagedError:
                stayed += 1
                progress.print(sys.stdout, f"{printable(name)}: the table cannot be read")
    print(f"{moved} records moved{f', {stayed} tables left' if stayed else ''}")
    return 1 if stayed else 0
