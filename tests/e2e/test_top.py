"""A fault of each kind stands on `cardroom top` within five seconds of when it happened.

Most are made in the running room: damaged items, events and decks, a stuck hand, chips that are
missing. What the room would have to be broken for is planted as the line that the functions would
log of it, in their own log; those are named in PLANTED.
"""

import copy
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, Self

import pytest

from cardroom import keys
from cardroom.census import in_turn
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.metrics import METRICS, Health
from cardroom.ports import Secret
from cardroom.shuffle import SystemRandomness
from cardroom.stored import Stored
from cardroom.systemclock import SystemClock
from cli.tables import Silent
from local.log_tail import group_of
from local.stack import Room
from local.tables import LocalTables, open_tables
from local.top import LOCAL_SECONDS
from local.welcome import welcome
from poker_engine.commands import Command, Sit
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.processes import ROOT
from tests.local.emf import metric_line

pytestmark = pytest.mark.e2e

WITHIN: Final = 5.0
"""On a machine that lets `top` look each second. Where others keep it waiting, by so much later."""
PLANTED: Final = {
    "InternalError": "command",
    "FloorFailed": "floor",
    "LobbyFailed": "floor",
    "SweepFailed": "sweep",
    "Busy": "command",
    "Unpaid": "command",
    "ArchiveUnread": "command",
    "ArchiveBehind": "archive",
    "ArchiveFailed": "archive",
    "BlocksRefused": "archive",
}
"""By metric, and whose log it is planted in."""
FAULT: Final = re.compile(r"^[!?] ([\w ]+?) (\d+): ")
SETTINGS: Final = table_settings(PHP_STAKES[2], 2)
"""No bots play at this stake."""

type Counts = dict[str, int]


class Top:
    """`cardroom top` in a process of its own, and when each count was first seen on it."""

    def __init__(self, room: Room) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", "top", "--address", room.websocket_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._changed = threading.Condition()
        self._frames: list[float] = []
        self._counts: Counts = {}
        self._seen: dict[tuple[str, int], float] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._frames) > 1, 60), "it shows nothing"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write("q\n")
            self._process.stdin.close()
        assert self._process.wait(20) == 0
        self._reader.join(5)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            now = time.monotonic()
            with self._changed:
                if line.startswith("cardroom at "):
                    self._frames.append(now)
                elif fault := FAULT.match(line):
                    name, times = fault[1], int(fault[2])
                    self._counts[name] = times
                    for number in range(1, times + 1):
                        self._seen.setdefault((name, number), now)
                self._changed.notify_all()

    @property
    def slowest(self) -> float:
        """The longest time between two frames, in seconds."""
        with self._changed:
            return max(later - one for one, later in pairwise(self._frames))

    def count(self, name: str) -> int:
        with self._changed:
            return self._counts.get(name, 0)

    def seen(self, name: str, times: int, until: float) -> float | None:
        """When this count was first shown; None where it is not by then."""
        with self._changed:
            self._changed.wait_for(
                lambda: (name, times) in self._seen, max(0.0, until - time.monotonic())
            )
            return self._seen.get((name, times))


class Earlier(SystemClock):
    """Of somebody who was here a while ago."""

    def now(self) -> int:
        return super().now() - 60_000


class Deckless(LocalTables):
    """Whose decks are lost."""

    def put_secret(self, table_id: str, deck_id: str, secret: Secret, expires: int) -> None: ...


class Plants:
    """Faults in a room, each with what it is counted as."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._tables = Deckless(room)
        self._client = room.client("dynamodb")

    def all(self) -> Iterator[tuple[tuple[str, ...], Callable[[], None]]]:
        yield ("RecordDamaged",), lambda: self._records("BroadcastFunction", dynamodb={"Keys": {}})
        yield ("ParcelDamaged",), lambda: self._records("FanoutFunction", body="[")
        yield ("FanoutFailed",), self._unsendable
        yield ("ErrandDamaged",), lambda: self._records("FloorFunction", body="[")
        yield ("RingDamaged",), lambda: self._invoke("ClockFunction", {})
        yield ("CallerUnknown",), lambda: self._invoke("ConnectFunction", _context("top-nobody"))
        yield ("HandlerFailed",), lambda: self._invoke("DisconnectFunction", {"requestContext": {}})
        yield ("BroadcastFailed",), self._untellable
        with self._damaged("top-damaged"):
            yield ("ItemDamaged", "OutOfOrder"), lambda: self._sync("top-damaged")
            yield ("ClockFailed",), lambda: self._ring("top-damaged")
            yield ("PresenceFailed",), lambda: self._somebody_comes("top-damaged")
            yield ("StuckTable", "StuckHands", "Overdue"), self._sweep
        yield ("DeckMissing",), self._deck_lost
        yield ("HandVoided",), self._hand_stuck
        yield ("ChipDifference",), self._chips_missing
        yield ("dead letters",), self._dead_letter
        yield ("Lambda signup",), lambda: self._log("signup", "[ERROR] Runtime.ImportModuleError")
        for name, function in PLANTED.items():
            yield (name,), lambda: self._log(function, metric_line(function, (name, 1)))  # noqa: B023

    def clean(self) -> None:
        queue, waiting = self._room.resources["FailuresQueue"], self._room.client("sqs")
        for message in waiting.receive_message(QueueUrl=queue).get("Messages", []):
            if message["Body"] == "top":
                receipt = message["ReceiptHandle"]
                waiting.delete_message(QueueUrl=queue, ReceiptHandle=receipt)
        dealer = self._dealer(SystemClock())
        for name in self._tables.listed():
            if name.startswith("top-") or name.endswith("-top"):
                dealer.void(name, "fault")
                assert isinstance(dealer.close(name), Applied)

    # What is done

    def _invoke(self, function: str, event: Any) -> None:
        with suppress(RuntimeError):
            self._room.invoke(function, event)

    def _records(self, function: str, **record: Any) -> None:
        self._invoke(function, {"Records": [{"messageId": "m", **record}]})

    def _log(self, function: str, line: str) -> None:
        """As the function would have."""
        logs, group = self._room.client("logs"), group_of(self._room.stack_name, function)
        with suppress(logs.exceptions.ResourceNotFoundException):
            logs.create_log_stream(logGroupName=group, logStreamName=f"top-{time.time_ns()}")
        (stream,) = logs.describe_log_streams(
            logGroupName=group, logStreamNamePrefix="top-", descending=True, limit=1
        )["logStreams"]
        event = {"timestamp": time.time_ns() // 1_000_000, "message": line}
        logs.put_log_events(
            logGroupName=group, logStreamName=stream["logStreamName"], logEvents=[event]
        )

    def _unsendable(self) -> None:
        """Text that is none."""
        parcel = ["top-nowhere", 1, 10**9, SystemClock().now(), [0], "\ud800", 1]
        self._records("FanoutFunction", body=json.dumps(parcel))

    def _untellable(self) -> None:
        """A write of a table whose spectators are behind, with a log that cannot be read."""
        delayed = replace(SETTINGS, delay_s=60)
        open_tables(self._tables, [("top-delayed", delayed)])
        self._seat("top-delayed", SystemClock(), "top-a")
        image = {**self._state("top-delayed"), "log": {"S": "["}}
        told = {"Keys": _key_of(image), "NewImage": image, "SequenceNumber": "1"}
        self._records("BroadcastFunction", dynamodb=told)

    @contextmanager
    def _damaged(self, name: str) -> Iterator[None]:
        """A table that nobody can read, and on which something has been due for a minute."""
        at = str(SystemClock().now() - 60_000)
        item = {
            "pk": {"S": keys.table(name)},
            "sk": {"S": keys.STATE},
            "state": {"S": "[]"},
            "lane": {"S": keys.lane(name)},
            "wake_at": {"N": at},
        }
        self._put(item)
        try:
            yield
        finally:
            self._client.delete_item(TableName=self._tables.name, Key=_key_of(item))

    def _sync(self, table: str, player: str = "", route: str = "sync") -> None:
        event = _context(f"top-{player or 'guest'}", player)
        body = {"route": route, "id": "c-1", "v": 1, "table": table}
        body |= {"seq": 0} if route == "sync" else {}
        self._invoke("CommandFunction", {**event, "body": json.dumps(body)})

    def _ring(self, table: str) -> None:
        event = {"table": table, "hand": 1, "started": "2030-01-01T00:00:00Z"}
        self._invoke("ClockFunction", event)

    def _somebody_comes(self, table: str) -> None:
        where = {"pk": {"S": keys.seats(table)}, "sk": {"S": keys.view("top-nobody")}}
        self._records("BroadcastFunction", dynamodb={"Keys": where, "SequenceNumber": "1"})

    def _sweep(self) -> None:
        self._invoke("SweepFunction", {})

    def _deck_lost(self) -> None:
        open_tables(self._tables, [("top-deckless", SETTINGS)])
        self._deal_without_deck("top-deckless", SystemClock(), "top-a", "top-b")
        self._sync("top-deckless", "top-a", "watch")

    def _hand_stuck(self) -> None:
        """Its deck is lost, and its turn has been over for long."""
        open_tables(self._tables, [("top-stuck", SETTINGS)])
        self._deal_without_deck("top-stuck", Earlier(), "top-c", "top-d")
        self._sweep()

    def _chips_missing(self) -> None:
        """At a table whose chips are counted in this minute."""
        minute, listed = SystemClock().now() // 60_000, self._tables.listed()
        names = (f"{first}-top" for first in "0123456789abcdefghijklmnopqrstuvwxyz")
        name = next(one for one in names if one in in_turn(sorted([*listed, one]), minute))
        open_tables(self._tables, [(name, SETTINGS)])
        item = self._state(name)
        self._put({**item, "chips_in": {"N": "7"}})
        try:
            self._sweep()
        finally:
            self._put(item)

    def _dead_letter(self) -> None:
        queue = self._room.resources["FailuresQueue"]
        self._room.client("sqs").send_message(QueueUrl=queue, MessageBody="top")

    # By which it is done

    def _dealer(self, clock: SystemClock) -> Dealer:
        return Dealer(self._tables, clock, SystemRandomness(), Silent())

    def _apply(self, dealer: Dealer, table: str, command: Command, player: str) -> Stored:
        applied = dealer.apply(table, Wish(command, player, f"{table}-{player}"))
        assert isinstance(applied, Applied)
        assert applied.refusal is None
        return applied.stored

    def _seat(self, table: str, clock: SystemClock, *players: str) -> Stored:
        stored: Stored | None = None
        for seat, player in enumerate(players):
            welcome(self._room, player)
            wish = Sit(player, seat, SETTINGS.minimum)
            stored = self._apply(self._dealer(clock), table, wish, player)
        assert stored is not None
        return stored

    def _deal_without_deck(self, table: str, clock: SystemClock, *players: str) -> None:
        at = self._seat(table, clock, *players).table.next_hand_at
        assert at is not None
        assert isinstance(self._dealer(_At(at)).apply(table), Applied)

    def _state(self, table: str) -> dict[str, Any]:
        where = {"pk": {"S": keys.table(table)}, "sk": {"S": keys.STATE}}
        item: dict[str, Any] = self._client.get_item(
            TableName=self._tables.name, Key=where, ConsistentRead=True
        )["Item"]
        return copy.deepcopy(item)

    def _put(self, item: dict[str, Any]) -> None:
        self._client.put_item(TableName=self._tables.name, Item=item)


class _At(SystemClock):
    def __init__(self, now: int) -> None:
        self._now = now

    def now(self) -> int:
        return self._now


def _context(connection: str, player: str | None = None) -> dict[str, Any]:
    context: dict[str, Any] = {"connectionId": connection, "identity": {"sourceIp": "192.0.2.9"}}
    if player is not None:
        context["authorizer"] = {"player": player}
    return {"requestContext": {**context, "requestId": "top"}}


def _key_of(item: dict[str, Any]) -> dict[str, Any]:
    return {name: item[name] for name in ("pk", "sk")}


def test_each_fault_is_seen_within_five_seconds(room: Room) -> None:
    plants = Plants(room)
    took: dict[str, float | None] = {}
    wanted: list[tuple[str, int, float]] = []
    with Top(room) as top:
        try:
            for names, plant in plants.all():
                before = {name: top.count(name) for name in names}
                plant()
                happened = time.monotonic()
                wanted += [(name, before[name] + 1, happened) for name in names]
            for name, times, happened in wanted:
                seen = top.seen(name, times, happened + 6 * WITHIN)
                took[name] = None if seen is None else round(seen - happened, 1)
            most = WITHIN + top.slowest - LOCAL_SECONDS
        finally:
            plants.clean()
    assert {name: at for name, at in took.items() if at is None or at > most} == {}, most
    faults = {name for name, one in METRICS.items() if one.health in (Health.FAULT, Health.LASTING)}
    assert {name for name, _, _ in wanted} == faults | {"dead letters", "Lambda signup"}


def test_one_frame_for_a_script(room: Room) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "top", "--once", "--address", room.websocket_url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("cardroom at ")
    assert done.returncode == any(line.startswith("! ") for line in lines)
    for label in ("room", "hands", "commands", "refused", "writes", "clock", "pushes", "queues"):
        assert any(line.startswith(f"{label} ") for line in lines)
