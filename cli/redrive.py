"""`cardroom redrive`: after pushes were lost, every client is told anew how its tables stand, and
what lies in the queue of failures is said in words and taken away.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import Any, Final

from cardroom.damage import UNREADABLE
from cardroom.errands import Serve, load_errand
from cardroom.fanout import load_parcel
from cardroom.redrive import MOST
from cli.place import Place, place
from cli.printable import printable
from cli.served import Failed, served
from cli.tables import where

AT_ONCE: Final = 10
"""As many messages as SQS gives and takes in one call."""
HIDDEN_SECONDS: Final = 120
"""Messages that were looked at come back after this, should they not be taken away."""
LOOKS: Final = 3
"""A queue is empty when it gives nothing so many times: SQS asks some of its servers only."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where(parser)
    parser.add_argument(
        "--table", action="append", default=[], metavar="ID", help="only this one; leaves the queue"
    )
    parser.add_argument("--look", action="store_true", help="only say what is in the queue")


def run(args: argparse.Namespace) -> int:
    """0; 1 where something could not be done, and then nothing is taken from the queue. A table
    that cannot be read is named, and no reason to keep the queue: it cannot be told another time.
    """
    return served(args, _redrive, written="what was found")


def _redrive(args: argparse.Namespace) -> int:
    for line in redriven(place(args), tuple(args.table), look=args.look):
        print(line)
    return 0


def redriven(room: Place, tables: Sequence[str] = (), *, look: bool = False) -> Iterator[str]:
    """What was found and done, line by line. Raises Failed.

    First the queue is read, then tables are told: what failed in between is there the next time.
    """
    failures = Failures() if tables else read_failures(room)
    yield from failures.lines() if not tables else ()
    if look:
        return
    wanted = list(tables) or room.tables.listed()
    done, failed, damaged = _told(room, wanted)
    yield f"{done} tables are told anew"
    for table_id in damaged:
        yield f"{printable(table_id)} cannot be read, and is left as it is"
    if failed:
        raise Failed(f"not told, run it again: {', '.join(map(printable, failed))}")
    if failures.receipts:
        stay = _taken_away(room, list(failures.receipts.values()))
        yield f"{len(failures.receipts) - stay} messages are taken from the queue"
        if stay:
            raise Failed(f"{stay} messages stay in the queue: run it again")


def _taken_away(room: Place, receipts: Sequence[str]) -> int:
    """How many were not: SQS refuses single ones of a batch, a receipt that is too old say."""
    queue, client = room.output("FailuresQueueUrl"), room.client("sqs")
    stay = 0
    for some in batched(receipts, AT_ONCE, strict=False):
        entries = [
            {"Id": str(number), "ReceiptHandle": receipt} for number, receipt in enumerate(some)
        ]
        answer = client.delete_message_batch(QueueUrl=queue, Entries=entries)
        stay += len(answer.get("Failed", ()))
    return stay


def _told(room: Place, tables: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """How many; which were not, and may be another time; and which cannot be read."""
    done = 0
    failed: list[str] = []
    damaged: list[str] = []
    for start in range(0, len(tables), MOST):
        event = {"redrive": list(tables[start : start + MOST])}
        answer = room.invoke("BroadcastFunction", event)
        done += len(answer["redriven"])
        failed += answer["failed"]
        damaged += answer.get("damaged", ())
    return done, failed, damaged


@dataclass
class Failures:
    """What lay in the queue. Of no message's text more is kept than a name of a table or stake."""

    receipts: dict[str, str] = field(default_factory=dict)
    """By message: that of the last time that it was given, which is the one that counts."""
    stretches: int = 0
    writes: int = 0
    since: str = ""
    """When the first of them was written; empty where there is none."""
    snapshots: Counter[str] = field(default_factory=Counter)
    errands: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0

    def add(self, message_id: str, receipt: str, body: str) -> bool:
        """Whether it is another one than those that are known."""
        known = message_id in self.receipts
        self.receipts[message_id] = receipt
        if not known:
            self._count(body)
        return not known

    def _count(self, body: str) -> None:
        try:
            self._read(body)
        except UNREADABLE:
            self.unreadable += 1

    def _read(self, body: str) -> None:
        found = json.loads(body)
        match found:
            case {"DDBStreamBatchInfo": {"batchSize": int(size), **more}}:
                self.stretches += 1
                self.writes += size
                came = str(more.get("approximateArrivalOfFirstRecord", ""))
                self.since = min(filter(None, (self.since, came)), default="")
            case {"do": _}:
                errand = load_errand(body)
                stake = errand.structure if isinstance(errand, Serve) else "the lobby"
                self.errands[stake] += 1
            case _:
                self.snapshots[load_parcel(body).table_id] += 1

    def lines(self) -> Iterator[str]:
        if not self.receipts:
            yield "the queue of failures is empty"
        if self.stretches:
            since = f", the first of {printable(self.since)}" if self.since else ""
            stretches = f"{self.stretches} stretches of the stream"
            yield f"given up: {stretches}, {self.writes} records{since}"
        if self.snapshots:
            yield f"given up: snapshots for the spectators of {_counted(self.snapshots)}"
        if self.errands:
            yield f"given up: errands of the floor, for {_counted(self.errands)}"
        if self.unreadable:
            yield f"{self.unreadable} messages that are none of the room's"


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{printable(name)} ({count})" for name, count in sorted(names.items()))


def read_failures(room: Place) -> Failures:
    """All that is in the queue; nobody else gets it for two minutes. Raises Failed."""
    queue, client = room.output("FailuresQueueUrl"), room.client("sqs")
    failures = Failures()
    empty = 0
    while empty < LOOKS:
        answer: dict[str, Any] = client.receive_message(
            QueueUrl=queue,
            MaxNumberOfMessages=AT_ONCE,
            VisibilityTimeout=HIDDEN_SECONDS,
            WaitTimeSeconds=1,
        )
        new = [
            failures.add(one["MessageId"], one["ReceiptHandle"], one["Body"])
            for one in answer.get("Messages", [])
        ]
        empty = 0 if any(new) else empty + 1
    return failures
