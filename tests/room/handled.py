"""The handlers as Lambda calls them, on a store in process: what goes to other services is kept."""

import importlib
import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any

import pytest

from cardroom.accounts import DynamoAccounts
from cardroom.archive import S3Archive
from cardroom.bank import Bank, Order
from cardroom.compose.archive import archivist
from cardroom.compose.authorizer import verifier
from cardroom.compose.broadcast import broadcast, redrive
from cardroom.compose.clock import turn_clock
from cardroom.compose.command import door
from cardroom.compose.connections import connections
from cardroom.compose.entering import entrance
from cardroom.compose.fanout import fanout
from cardroom.compose.floor import floor
from cardroom.compose.signup import sign_up
from cardroom.compose.sweep import sweep
from cardroom.signals import signals
from cardroom.store import DynamoTables, state_item
from cardroom.stored import Change, Stored
from cardroom.tables import open_table
from tests.room.world import (
    TABLE,
    FakeBucket,
    FakeClock,
    FakeCloser,
    FakePush,
    FakeQueue,
    FakeTimers,
    settings,
)
from tests.template.parsed import ROOT

EVENTS = ROOT / "events"
NOW = 1_700_000_000_000
NAME = "php-5-10"
CONNECTION = "Zx1fAbCdIAMCEjQ="
"""Of the samples."""
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "ARRIVAL_KEY": "a key",
    "CALLBACK_URL": "http://127.0.0.1:9/room",
    "TURN_CLOCK_ARN": "arn:aws:states:us-east-1:123456789012:stateMachine:clock",
    "FANOUT_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/fanout",
    "FLOOR_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/floor",
    "HANDS_BUCKET": "hands",
    "ISSUER": "https://cognito-idp.us-east-1.amazonaws.com/pool",
    "CLIENT_ID": "client",
    "JWKS_URL": "http://127.0.0.1:9/jwks.json",
    "ORIGINS": "https://d111111abcdef8.cloudfront.net",
    "GUESTS": "true",
}
SERVICES = (
    "archive",
    "command",
    "connections",
    "broadcast",
    "fanout",
    "floor",
    "clock",
    "sweep",
    "signup",
)
COMPOSED: dict[str, Any] = {
    "authorizer": verifier,
    "connect": entrance,
    "disconnect": connections,
    "command": door,
    "broadcast": broadcast,
    "clock": turn_clock,
    "sweep": sweep,
    "fanout": fanout,
    "floor": floor,
    "signup": sign_up,
    "archive": archivist,
}
"""By function: how it is composed."""


class Ports:
    def __init__(self) -> None:
        self.now = NOW
        self.push = FakePush()
        self.queue = FakeQueue()
        self.timers = FakeTimers()
        self.closer = FakeCloser()
        self.bucket = FakeBucket()
        self.images: list[dict[str, Any]] = []
        """Of the table's stream, what it has not brought yet."""

    @property
    def stored(self) -> Stored:
        found = DynamoTables(TABLE).load(NAME)
        assert found is not None
        return found

    def say(self, player: str, route: str, **fields: Any) -> dict[str, Any]:
        """A player's message over the connection that has his name; a guest's is `guest`."""
        event = sample("route-ping")
        event["requestContext"]["connectionId"] = player or "guest"
        event["requestContext"]["authorizer"]["player"] = player
        event["body"] = json.dumps({"route": route, "id": "c-1", "v": 1, **fields})
        reply: dict[str, Any] = json.loads(handle("command", event)["body"])
        return reply

    def connect(self, player: str) -> None:
        event = sample("connect")
        event["requestContext"]["connectionId"] = player or "guest"
        event["requestContext"]["authorizer"]["player"] = player
        assert handle("connect", event)["statusCode"] == 200

    def seat(self, *players: str) -> None:
        for seat, player in enumerate(players):
            self.connect(player)
            fields = {"table": NAME, "seat": seat, "chips": 50_000}
            assert self.say(player, "sit", **fields, id=f"sit-{player}")["type"] == "ok"

    def stream(self) -> None:
        """Bring what was written, all in one batch."""
        images, self.images = self.images, []
        records = [
            {
                "dynamodb": {
                    "Keys": {"pk": image["pk"], "sk": image["sk"]},
                    "SequenceNumber": str(number),
                    "NewImage": image,
                }
            }
            for number, image in enumerate(images)
        ]
        assert handle("broadcast", {"Records": records}) == {"batchItemFailures": []}

    def ring(self) -> dict[str, Any]:
        """The clock's wake-up for the table's hand, or the pause before it."""
        table = self.stored.table
        hand = table.hands + (table.running is None)
        event = {"table": NAME, "hand": hand, "started": "2023-11-14T22:13:20Z"}
        answer: dict[str, Any] = handle("clock", event)
        return answer

    def deal(self) -> None:
        at = self.stored.table.next_hand_at
        assert at is not None
        self.now = at
        self.ring()

    def act(self, do: str, **fields: Any) -> dict[str, Any]:
        """The player whose turn it is does this."""
        table = self.stored.table
        assert table.hand is not None
        assert table.hand.turn is not None
        seat = table.seats[table.hand.turn.seat]
        assert seat is not None
        turn = {"table": NAME, "hand": table.hand.number, "turn": table.hand.turn.number}
        command = f"a-{table.hand.number}-{table.hand.turn.number}"
        return self.say(seat.player, "act", **turn, do=do, id=command, **fields)

    def play_out(self) -> None:
        """Check or call to the showdown."""
        while (table := self.stored.table).running is not None:
            assert table.hand is not None
            assert table.hand.turn is not None
            free = table.hand.bets[table.hand.turn.seat] >= table.hand.price
            assert self.act("check" if free else "call")["type"] == "ok"


def ports_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ports]:
    """The handlers' environment, with a table and two players who have money."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    made = Ports()
    for name in ("broadcast", "fanout", "floor"):
        monkeypatch.setattr(f"cardroom.compose.{name}.ApiPush", lambda _: made.push)
    for name in ("broadcast", "clock", "sweep"):
        monkeypatch.setattr(f"cardroom.compose.{name}.StepTimers", lambda _: made.timers)
    for name in ("broadcast", "command", "fanout", "floor", "sweep"):
        monkeypatch.setattr(f"cardroom.compose.{name}.SqsQueue", lambda _: made.queue)
    monkeypatch.setattr("cardroom.compose.command.ApiCloser", lambda _: made.closer)
    bucket = S3Archive(lambda: made.bucket, "hands", lists=False)
    for name in ("archive", "command"):
        monkeypatch.setattr(f"cardroom.compose.{name}.archive", lambda _: bucket)
    monkeypatch.setattr("cardroom.systemclock.SystemClock.now", lambda _: made.now)
    monkeypatch.setattr("cardroom.systemclock.SystemClock.pause", lambda *_: None)
    for function, one in COMPOSED.items():
        # A simulation in the same process has composed them otherwise.
        monkeypatch.setattr(importlib.import_module(f"{function}.app"), "composed", one)
        one.cache_clear()
    tables = DynamoTables(TABLE)
    open_table(tables, NAME, settings(), NOW)
    bank = Bank(DynamoAccounts(TABLE, tables._client), FakeClock(NOW))
    for player in ("ana", "ben"):
        bank.create(player, Order("test", "to play with"))
        bank.deposit(player, "PHP", 1_000_000, "first", Order("test", "to play with"))
    real: Callable[[DynamoTables, Change], None] = DynamoTables.write

    def kept(tables: DynamoTables, change: Change) -> None:
        real(tables, change)
        made.images.append(state_item(change))

    monkeypatch.setattr(DynamoTables, "write", kept)
    redrive.cache_clear()
    yield made
    for one in (*COMPOSED.values(), redrive):
        one.cache_clear()


def sample(name: str) -> Any:
    return json.loads((EVENTS / f"{name}.json").read_text())


class Context:
    """Lambda's, as far as a function looks at it."""

    def get_remaining_time_in_millis(self) -> int:
        return 50_000


def handle(function: str, event: Any) -> Any:
    return importlib.import_module(f"{function}.app").handler(event, Context())


@contextmanager
def printed() -> Iterator[io.StringIO]:
    """All that the functions print while it lasts, the logger's lines among them."""
    out = io.StringIO()
    with ExitStack() as changed:
        for service in SERVICES:
            signals(service)
            # Powertools keeps each logger for ever, with the stream that it was made with.
            for handler in logging.getLogger(service).handlers:
                assert isinstance(handler, logging.StreamHandler)
                # It may be of a test that has ended, and closed: nothing is flushed.
                changed.callback(setattr, handler, "stream", handler.stream)
                handler.stream = out
        changed.enter_context(redirect_stdout(out))
        yield out


def metric_lines(text: str) -> list[dict[str, Any]]:
    """Of what was printed, the lines of metrics."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if "_aws" in line]
