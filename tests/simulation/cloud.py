"""AWS around the functions: Lambda, the table's stream, clocks, queues and the WebSocket API.

The handlers are the real ones, each warm instance of a function composed as on AWS; what their
clients send ends in `called`. Only time, randomness and signals are given from outside.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock
from zlib import crc32

import yaml
from botocore.exceptions import ReadTimeoutError

import cardroom.aws
from cardroom import keys
from cardroom.errors import ChipsError, RulesError
from cardroom.ports import Field
from cardroom.systemclock import moment, timestamp
from poker_engine.cards import DECK
from tests.simulation.dynamo import Dynamo, Index, Refused, Written
from tests.simulation.faults import Faults
from tests.simulation.release import OURS, Release, following
from tests.simulation.scheduler import Killed, Scheduler
from tests.simulation.wire import wired
from tests.template.parsed import resources

ROOT = Path(__file__).parents[2]
TABLE = "simulated"
START = 1_700_000_000_000
EVE = 1_700_006_340_000
"""A minute before midnight (UTC), when a day's limits begin anew."""
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "ARRIVAL_KEY": "a key",
    "CALLBACK_URL": "https://callback.invalid/room",
    "TURN_CLOCK_ARN": "arn:aws:states:us-east-1:123456789012:stateMachine:turn-clock",
    "FANOUT_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/fanout",
    "FLOOR_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/floor",
    "HANDS_BUCKET": "hands",
    "AWS_ACCESS_KEY_ID": "simulated",
    "AWS_SECRET_ACCESS_KEY": "simulated",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
}
LANES = 2
"""Batches of one shard that are worked on at the same time: fewer than on AWS, so that tables
meet.
"""
BATCH = 10
SKEWED_MS = (50, 500)
PAGES = {"ENTRIES": 3, "READ": 2, "LOOKED_AT": 4}
"""Of statements: so little in one answer, that a few minutes need several."""
DARK_MS = (20_000, 65_000)
"""For so long nobody comes back."""
STREAM_TRIES = 6
LAG_MS = 1_000
"""So far a read that does not ask for more may be behind: the same for an index."""
STREAM_AGE_MS = 60_000
LISTENS_MS = 1_000
"""For an answer, at most, whoever posts, queues or starts an execution."""
POISON = "poison record"
AMONG_NINE = "poison record among nine tables"
NINE = 9
"""Tables, whose records lie in a batch beside one that nobody can read."""
CLOCK_TRIES = (1_000, 2_000, 4_000)
EXPRESS_MS = 300_000
MINUTE = 60_000
EFFECTS = frozenset(
    {
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "TransactWriteItems",
        "StartExecution",
        "SendMessage",
        "PostToConnection",
        "DeleteConnection",
    }
)


OURS_TO_MEND = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ChipsError,
    LookupError,
    NameError,
    RulesError,
    TypeError,
    ValueError,
)
"""What only a mistake in the code raises, where what it works on can be read."""


class Notes:
    """The port `Signals`, counted. Faults are kept."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.ours: list[str] = []
        """Those that no service made, and nothing that was stored or sent."""

    def begin(self, **fields: Field) -> None: ...

    def context(self, **fields: Field) -> None: ...

    def note(self, what: str, **fields: Field) -> None: ...

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        self.counts[metric] += int(value)

    def milliseconds(self, metric: str, value: float) -> None: ...

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        self.faults.append(f"{where}: {type(error).__name__} {sorted(fields.items())}")
        if isinstance(error, OURS_TO_MEND) and fields:
            self.ours.append(f"{self.faults[-1]}: {error}")

    def flush(self) -> None: ...


@dataclass
class Instance:
    """A warm function: what it composed, and how far its clock is off (ms)."""

    release: Release
    composed: Any
    skew: int
    busy: bool = False


@dataclass(eq=False)
class Invocation:
    """Of a function, since `began` (ms)."""

    function: str
    instance: Instance
    began: int
    struck: bool = False
    """One of its calls met a fault."""
    gone: list[tuple[str, str]] = field(default_factory=list)
    """Connections that it found to be gone, and of which table it told them."""
    forgets: list[str] = field(default_factory=list)
    """Connections whose item it has removed."""


@dataclass(eq=False)
class Execution:
    """Of the turn clock, since `started` (ms)."""

    table: str
    hand: int
    started: int
    excused: int = 0
    """Wake-ups that a fault made: too early, or again."""

    @property
    def hand_of_table(self) -> tuple[str, int]:
        return self.table, self.hand

    @property
    def input(self) -> dict[str, Any]:
        """Of the clock's function."""
        return {"table": self.table, "hand": self.hand, "started": timestamp(self.started)}


@dataclass
class Record:
    sequence: int
    written: Written
    at: int


@dataclass
class Lane:
    waiting: deque[Record] = field(default_factory=deque)
    busy: bool = False


class InlineThreads:
    """In place of a pool of threads: in the order asked for."""

    def __init__(self, _: int) -> None: ...

    def map[One, Other](
        self, do: Callable[[One], Other], several: Iterable[One]
    ) -> Iterator[Other]:
        return iter([do(one) for one in several])


@cache
def composition(release: Release, function: str) -> Any:
    """What the function composes while it starts; it may be composed again and again."""
    return release.module(f"{function}.app").composed


class Cloud:
    """`heard(connection, data)` is told what reaches a client; `written(...)` each item's change;
    `settled()` follows each whole operation.
    """

    def __init__(
        self,
        seed: int,
        faults: Faults,
        began: int = START,
        other: Callable[[], Release] = following,
    ) -> None:
        self.began = began
        self.scheduler = Scheduler(began)
        self.faults = faults
        self.notes = Notes()
        self._dice = Random(f"cloud/{seed}")
        self.randomness = Random(f"cards/{seed}")
        self.dynamo = Dynamo(indexes(), self._changed)
        self._replica = Dynamo(self.dynamo.indexes)
        self._behind: deque[tuple[int, Written]] = deque()
        """What the replica has not got yet, and since when (ms)."""
        self._filters = _stream_filters()
        self._lanes = [Lane() for _ in range(LANES)]
        self._sequence = 0
        self._instances: dict[str, list[Instance]] = {}
        deploys = faults.strikes("release deployed")
        self.releases = (OURS, other()) if deploys else (OURS,)
        self._shares: dict[str, float] = {}
        """Of a function's invocations: how many go to the other release."""
        self._locked: dict[str, int] = {}
        self.connections: dict[str, str] = {}
        """Open ones, and whose."""
        self.heard: Callable[[str, bytes], None] = lambda connection, data: None
        self.closed: Callable[[str], None] = lambda connection: None
        self.written: list[Callable[[Written], None]] = []
        self.settled: list[Callable[[], None]] = []
        self.posted: list[Callable[[str, bytes], None]] = []
        self.ended: list[Callable[[Invocation, Any, Any], None]] = []
        """Told of each invocation's event and outcome."""
        self.author: Invocation | None = None
        """Whose call comes into effect at this moment."""
        self.woken: list[Callable[[Execution], None]] = []
        self.rested: list[Callable[[Execution, int], None]] = []
        """Told of each execution that has nothing more to wait for, and when (ms) it looked."""
        self.running_clocks: Counter[tuple[str, int]] = Counter()
        """Executions alive, by table and hand."""
        self.clocks_since: dict[tuple[str, int], int] = {}
        """When the first of them began (ms)."""
        self.clocks_asked: dict[tuple[str, int], int] = {}
        """By table and hand: when one was asked for last (ms)."""
        self.struck_clocks: dict[tuple[str, int], int] = {}
        """Until when (ms) a clock may be wrong because a fault struck it."""
        self.dark_until = 0
        """Nobody comes back before (ms)."""
        self._dark_at = 0
        self.invocations: Counter[str] = Counter()

    # What the functions see of time and chance

    @property
    def now(self) -> int:
        return self.scheduler.now

    def function_now(self) -> int:
        task = self.scheduler.current
        if task is None:
            return self.scheduler.now
        invocation: Invocation | None = task.about
        return self.scheduler.now + (0 if invocation is None else invocation.instance.skew)

    def pause(self, ms: int) -> None:
        task = self.scheduler.current
        if task is None:
            return
        self.scheduler.after(max(1, ms), lambda: self.scheduler.resume(task, None))
        task.wait()

    # Calls

    def called(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        """A call of a function ends here; it comes into effect later, in the order of the
        schedule.
        """
        task = self.scheduler.current
        if task is None:
            return self._effect(service, operation, request)
        faults = self.faults
        effect = operation in EFFECTS
        if effect and faults.strikes("killed before an effect"):
            raise task.killed()
        dies = effect and faults.strikes("killed after an effect")
        late = faults.between(1_000, 3_000) if faults.strikes("slow call") else 0
        fault = self._struck(service, operation, request)
        author: Invocation | None = task.about
        if author is not None and fault is not None:
            author.struck = True
        if fault is not None:
            late += fault.late
        there, back = self._dice.randint(1, 6), self._dice.randint(1, 4)

        def arrive() -> None:
            answer: Any
            if fault is not None and not fault.written:
                answer = fault.answer
            else:
                self.author = author
                try:
                    answer = self._effect(service, operation, request)
                except Exception as refused:
                    answer = refused
                self.author = None
                if fault is not None:
                    answer = fault.answer
            if dies:
                answer = Killed()
            self.scheduler.after(back, lambda: self.scheduler.resume(task, answer))

        self.scheduler.after(there + late, arrive)
        answer: dict[str, Any] = task.wait()
        return answer

    def _struck(self, service: str, operation: str, request: Any) -> Struck | None:
        """What befalls a call, if anything does."""
        faults = self.faults
        if service == "dynamodb":
            if faults.strikes("throttled"):
                return Struck(Refused("ProvisionedThroughputExceededException"))
            if faults.strikes("timeout, not written"):
                return Struck(_timeout())
            if operation in EFFECTS and faults.strikes("timeout, written"):
                return Struck(_timeout(), written=True)
            if operation == "TransactWriteItems":
                return self._struck_transaction(request)
            state = operation == "PutItem" and request["Item"]["sk"]["S"] == keys.STATE
            if state and faults.strikes("transaction conflict"):
                return Struck(Refused("TransactionConflictException"))
        elif service in ("sfn", "stepfunctions"):
            if faults.strikes("start failed"):
                return Struck(Refused("InternalServerException", status=500))
            return self._timed_out("start", "started")
        elif service == "sqs":
            if faults.strikes("queue failed"):
                return Struck(Refused("ServiceUnavailable", status=503))
            return self._timed_out("queue", "sent")
        elif operation == "PostToConnection":
            if faults.strikes("post failed"):
                return Struck(Refused("InternalServerError", status=500))
            if faults.strikes("post slow"):
                return Struck(Refused("LimitExceededException", status=429))
            return self._timed_out("post", "sent")
        return None

    def _timed_out(self, what: str, done: str) -> Struck | None:
        """Nobody hears whether it was done, for as long as the caller listens."""
        for written in (False, True):
            if self.faults.strikes(f"{what} timeout, {'' if written else 'not '}{done}"):
                return Struck(_timeout(), written, LISTENS_MS)
        return None

    def _struck_transaction(self, request: Any) -> Struck | None:
        parts = request["TransactItems"]
        first = json.dumps(next(iter(parts[0].values())).get("Key") or _state_key(parts[0]))
        if self._locked.get(first, 0) > self.now and not self.faults.calm:
            return Struck(Refused("TransactionInProgressException"))
        if self.faults.strikes("transaction in progress"):
            self._locked[first] = self.now + self.faults.between(500, 3_000)
            return Struck(Refused("TransactionInProgressException"))
        if self.faults.strikes("transaction conflict"):
            place = self.faults.between(0, len(parts) - 1)
            reasons = [
                {"Code": "TransactionConflict" if number == place else "None"}
                for number in range(len(parts))
            ]
            return Struck(Refused("TransactionCanceledException", CancellationReasons=reasons))
        return None

    def _effect(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        if service == "dynamodb":
            loose = operation in ("GetItem", "Query") and not request.get("ConsistentRead")
            if loose and self.faults.strikes("stale read"):
                return self._lagging().call(operation, request)
            answer = self.dynamo.call(operation, request)
            if operation in EFFECTS:
                for settled in self.settled:
                    settled()
            return answer
        if operation == "StartExecution":
            return self._start_execution(request)
        if operation == "SendMessage":
            self._queue(request)
            return {"MessageId": "1", "MD5OfMessageBody": ""}
        if operation == "PostToConnection":
            self._post(request["ConnectionId"], request["Data"])
            return {}
        if operation == "DeleteConnection":
            self.close(request["ConnectionId"])
            return {}
        raise ValueError(f"{service} {operation}")

    def _lagging(self) -> Dynamo:
        """The store as it was a moment ago."""
        while self._behind and self._behind[0][0] <= self.now - LAG_MS:
            _, written = self._behind.popleft()
            self._replica.put(written.key, written.new)
        return self._replica

    # Functions

    def invoke(
        self, function: str, event: Any, done: Callable[[Any], None] = lambda outcome: None
    ) -> None:
        """Run a function's handler; `done` gets its answer or what ended it."""
        self.invocations[function] += 1
        instance = self.instance(function)
        self.invocations["by the other release"] += instance.release is not OURS
        module = instance.release.module(f"{function}.app")
        instance.busy = True
        invocation = Invocation(function, instance, self.now)

        def ended(outcome: Any) -> None:
            instance.busy = False
            if isinstance(outcome, OURS_TO_MEND):
                self.notes.ours.append(f"{function}: {type(outcome).__name__}: {outcome}")
            if isinstance(outcome, BaseException):
                # Whatever it kept goes with it.
                self._instances[function].remove(instance)
            for tell in self.ended:
                tell(invocation, event, outcome)
            done(outcome)

        def work() -> Any:
            self.scheduler.current.about = invocation  # type: ignore[union-attr]
            # The handler reads it before its first call, and so before anybody else's turn.
            module.composed = lambda: instance.composed
            return module.handler(event, None)

        self.scheduler.start(work, ended)

    def instance(self, function: str) -> Instance:
        """A warm one that is free, or a new one."""
        follows = function in self._shares and self._dice.random() < self._shares[function]
        release = self.releases[follows]
        warm = self._instances.setdefault(function, [])
        for one in warm:
            if not one.busy and one.release is release:
                return one
        compose = composition(release, function)
        module = release.module(compose.__module__)
        with mock.patch.object(module, "signals", return_value=self.notes):
            composed = compose.__wrapped__()
        made = Instance(release, composed, self._skew())
        warm.append(made)
        return made

    def _skew(self) -> int:
        """Of a clock (ms): by much, or by no more than a call takes."""
        if not self.faults.strikes("skewed clock"):
            return 0
        most = SKEWED_MS[self.faults.between(0, 1)]
        return self.faults.between(-most, most)

    def narrow(self) -> None:
        """One batch at a time: all tables meet in it."""
        self._lanes = [Lane()]

    def lose(self, partition: str, sort: str) -> None:
        """An item is gone, and no function knows it by heart: those that work now end with it."""
        key = {"pk": {"S": partition}, "sk": {"S": sort}}
        self.dynamo.call("DeleteItem", {"TableName": TABLE, "Key": key})
        for several in self._instances.values():
            several[:] = [one for one in several if one.busy]

    def roll_forever(self, every: int = 15_000) -> None:
        """The other release takes a part of each function's invocations, as by a weighted
        alias; with hands running it is taken back.
        """

        def roll() -> None:
            self.scheduler.after(every, roll)
            if not self._shares:
                functions = self._instances
                self._shares = {name: self._dice.uniform(0.1, 1.0) for name in functions}
            elif any(self.running_clocks.values()) and self.faults.strikes("release rolled back"):
                self._shares = {}

        if len(self.releases) > 1:
            self.scheduler.after(self._dice.randint(1, every), roll)

    # The stream

    def _changed(self, written: Written) -> None:
        self._behind.append((self.now, written))
        for tell in self.written:
            tell(written)
        if not self._streamed(written):
            return
        self._sequence += 1
        lane = self._lanes[crc32(written.key[0].encode()) % len(self._lanes)]
        lane.waiting.append(Record(self._sequence, written, self.now))
        self._poll(lane)

    def _streamed(self, written: Written) -> bool:
        name = "REMOVE" if written.new is None else "INSERT" if written.inserted else "MODIFY"
        found = {"pk": written.key[0], "sk": written.key[1]}
        return any(_passes(pattern, name, found) for pattern in self._filters)

    def _poll(self, lane: Lane) -> None:
        if lane.busy or not lane.waiting:
            return
        lane.busy = True
        delay = self._dice.randint(20, 120)
        if self.faults.strikes("batch delayed by 30 s"):
            delay += 30_000
        self.scheduler.after(delay, lambda: self._batch(lane))

    def _batch(self, lane: Lane) -> None:
        batch = [lane.waiting.popleft() for _ in range(min(BATCH, len(lane.waiting)))]
        if self.faults.strikes("records given up"):
            self._next(lane)
            return
        self._deliver(lane, batch, 1)

    def _next(self, lane: Lane) -> None:
        lane.busy = False
        self._poll(lane)

    def _deliver(self, lane: Lane, batch: list[Record], attempt: int) -> None:
        batch = [one for one in batch if self.now - one.at <= STREAM_AGE_MS]
        if not batch or attempt > STREAM_TRIES:
            self._next(lane)
            return
        records = [_record(one) for one in batch]
        if self.faults.strikes(POISON) or (
            len({one.written.key[0] for one in batch}) >= NINE and self.faults.strikes(AMONG_NINE)
        ):
            records.insert(self.faults.between(0, len(records)), _poison(self._sequence))
        repeats = self.faults.strikes("batch repeated")
        half = len(batch) > 1 and self.faults.strikes("batch half failed")

        def done(outcome: Any) -> None:
            if half:
                failed = batch[len(batch) // 2].sequence
            elif repeats or isinstance(outcome, BaseException):
                failed = batch[0].sequence
            elif items := outcome["batchItemFailures"]:
                failed = min(int(one["itemIdentifier"]) for one in items)
            else:
                self._next(lane)
                return
            rest = [one for one in batch if one.sequence >= failed]
            if lane.waiting and self.faults.strikes("batch reordered"):
                # What came later is worked off first.
                lane.waiting.extend(rest)
                self._next(lane)
                return
            wait = self._dice.randint(50, 100) * 2**attempt
            self.scheduler.after(wait, lambda: self._deliver(lane, rest, attempt + 1))

        self.invoke("broadcast", {"Records": records}, done)

    # The turn clock

    def _start_execution(self, request: dict[str, Any]) -> dict[str, Any]:
        asked = json.loads(request["input"])
        self.clocks_asked[asked["table"], asked["hand"]] = self.now
        times = 2 if self.faults.strikes("execution started twice") else 1
        if self.faults.strikes("execution never started"):
            self._strike((asked["table"], asked["hand"]))
            times = 0
        for _ in range(times):
            execution = Execution(asked["table"], asked["hand"], self.now)
            self.running_clocks[execution.hand_of_table] += 1
            self.clocks_since.setdefault(execution.hand_of_table, self.now)
            self._wait(execution, asked["wait"])
        return {"executionArn": request["name"], "startDate": self.now // 1000}

    def _strike(self, key: tuple[str, int]) -> None:
        """From here on this hand's clock may be late: the sweep has it."""
        self.struck_clocks[key] = self.now + 120_000

    def _wait(self, execution: Execution, wait: str) -> None:
        at = moment(wait)
        if at >= execution.started + EXPRESS_MS or self.faults.strikes("execution died"):
            self._strike(execution.hand_of_table)
            self._clock_ended(execution)
            return
        if self.faults.strikes("clock early"):
            execution.excused += 1
            at -= self.faults.between(1, 1_500)
        elif self.faults.strikes("clock late"):
            self._strike(execution.hand_of_table)
            at += self.faults.between(500, 10_000)
        if self.faults.strikes("clock twice"):
            self.scheduler.at(at, lambda: self.invoke("clock", execution.input))
        self.scheduler.at(at + self._dice.randint(5, 40), lambda: self._wake(execution, 0))

    def _wake(self, execution: Execution, attempt: int) -> None:
        if execution.started <= self._dark_at:
            self._clock_ended(execution)
            return
        looked = self.now

        def done(outcome: Any) -> None:
            if isinstance(outcome, BaseException):
                self._strike(execution.hand_of_table)
                if attempt == len(CLOCK_TRIES):
                    self._clock_ended(execution)
                    return
                execution.excused += 1
                self.scheduler.after(
                    CLOCK_TRIES[attempt], lambda: self._wake(execution, attempt + 1)
                )
            elif outcome["done"]:
                self._clock_ended(execution)
                for tell in self.rested:
                    tell(execution, looked)
            else:
                self._wait(execution, outcome["wait"])

        for tell in self.woken:
            tell(execution)
        self.invoke("clock", execution.input, done)

    def darken_forever(self, every: int = 5_000) -> None:
        """As where a part of the region is down: all clocks die, and every connection."""

        def darken() -> None:
            if self.faults.strikes("everybody vanished"):
                self._dark_at, self.dark_until = self.now, self.now + self.faults.between(*DARK_MS)
                for key in [key for key, running in self.running_clocks.items() if running]:
                    self._strike(key)
                for connection in list(self.connections):
                    self.close(connection)
            self.scheduler.after(every, darken)

        self.scheduler.after(every, darken)

    def _clock_ended(self, execution: Execution) -> None:
        self.running_clocks[execution.hand_of_table] -= 1
        if not self.running_clocks[execution.hand_of_table]:
            del self.clocks_since[execution.hand_of_table]

    def sweep_forever(self, every: int = MINUTE) -> None:
        def sweep() -> None:
            self.invoke("sweep", {})
            self.scheduler.after(every, sweep)

        self.scheduler.after(every, sweep)

    # Queues

    def _queue(self, request: dict[str, Any]) -> None:
        name = request["QueueUrl"].rsplit("/", 1)[1]
        body, delay = request["MessageBody"], int(request.get("DelaySeconds", 0)) * 1000
        for _ in range(2 if self.faults.strikes("queue doubled") else 1):
            wait = delay + self._dice.randint(10, 80)
            if self.faults.strikes("queue late"):
                wait += self.faults.between(1_000, 20_000)
            self.scheduler.after(wait, lambda: self._from_queue(name, body, 1))

    def _from_queue(self, name: str, body: str, attempt: int) -> None:
        def done(outcome: Any) -> None:
            failed = isinstance(outcome, BaseException) or outcome["batchItemFailures"]
            if failed and attempt < 3:
                self.scheduler.after(10_000, lambda: self._from_queue(name, body, attempt + 1))

        record = {"messageId": f"m{attempt}", "body": body}
        self.invoke(name, {"Records": [record]}, done)

    # The WebSocket API

    def connect(self, connection: str, player: str, done: Callable[[bool], None]) -> None:
        """Open a connection; `done(False)` where it is refused."""

        def answered(outcome: Any) -> None:
            accepted = not isinstance(outcome, BaseException) and outcome["statusCode"] == 200
            if accepted:
                self.connections[connection] = player
            done(accepted)

        self.invoke("connect", self.request(connection, player, "CONNECT"), answered)

    def say(
        self, connection: str, player: str, body: str, done: Callable[[str | None], None]
    ) -> None:
        """A message; `done` gets the reply's text, or None where the function failed."""

        def answered(outcome: Any) -> None:
            done(None if isinstance(outcome, BaseException) else outcome["body"])

        event = {**self.request(connection, player, "MESSAGE"), "body": body}
        self.invoke("command", event, answered)

    def close(self, connection: str) -> None:
        """The connection ends, from whichever side. The room may learn of it late, or never."""
        player = self.connections.pop(connection, None)
        if player is None:
            return
        self.closed(connection)
        if self.faults.strikes("disconnect never"):
            return
        wait = self._dice.randint(5, 50)
        if self.faults.strikes("disconnect late"):
            wait += self.faults.between(1_000, 30_000)
        event = self.request(connection, player, "DISCONNECT")
        self.scheduler.after(wait, lambda: self.invoke("disconnect", event))

    def request(self, connection: str, player: str, kind: str) -> dict[str, Any]:
        """An event of the API, but for its body."""
        return {
            "requestContext": {
                "connectionId": connection,
                "eventType": kind,
                "authorizer": {"principalId": player or "guest", "player": player},
                "identity": {"sourceIp": "192.0.2.1"},
                "requestTimeEpoch": self.now,
            },
            "headers": {},
        }

    def _post(self, connection: str, data: bytes) -> None:
        if connection in self.connections and self.faults.strikes("post gone"):
            self.close(connection)
        if connection not in self.connections:
            if self.author is not None:
                self.author.gone.append((connection, json.loads(data).get("table") or ""))
            raise Refused("GoneException", status=410)
        for tell in self.posted:
            tell(connection, data)
        if self.faults.strikes("post dropped"):
            return
        for _ in range(2 if self.faults.strikes("post doubled") else 1):
            wait = self._dice.randint(1, 30)
            if self.faults.strikes("post late"):
                wait += self.faults.between(50, 4_000)
            self.scheduler.after(wait, lambda: self._reaches(connection, data))

    def _reaches(self, connection: str, data: bytes) -> None:
        if connection in self.connections:
            self.heard(connection, data)


@dataclass(frozen=True)
class Struck:
    """A call that fails: what its caller gets, and whether it took effect all the same."""

    answer: BaseException
    written: bool = False
    late: int = 0
    """How much later (ms) than others."""


def _timeout() -> ReadTimeoutError:
    return ReadTimeoutError(endpoint_url="https://dynamodb.invalid")


def _state_key(part: dict[str, Any]) -> Any:
    item = next(iter(part.values()))["Item"]
    return {"pk": item["pk"], "sk": item["sk"]}


def indexes() -> dict[str, Index]:
    """Of the template's table, by name."""
    declared = resources("AWS::DynamoDB::Table")["Table"]["Properties"]
    return {one["IndexName"]: _index(one) for one in declared["GlobalSecondaryIndexes"]}


def _index(declared: dict[str, Any]) -> Index:
    names = {one["KeyType"]: one["AttributeName"] for one in declared["KeySchema"]}
    return Index(names["HASH"], names["RANGE"])


def _stream_filters() -> list[dict[str, Any]]:
    function = resources("AWS::Serverless::Function")["BroadcastFunction"]["Properties"]
    filters = function["Events"]["Stream"]["Properties"]["FilterCriteria"]["Filters"]
    return [yaml.safe_load(one["Pattern"]) for one in filters]


def _passes(pattern: dict[str, Any], name: str, key: dict[str, str]) -> bool:
    """Of EventBridge's patterns what the template uses: names of events, keys or prefixes."""
    if "eventName" in pattern and name not in pattern["eventName"]:
        return False
    wanted = pattern.get("dynamodb", {}).get("Keys", {})
    return all(
        any(
            key[part].startswith(rule["prefix"]) if isinstance(rule, dict) else key[part] == rule
            for rule in rules["S"]
        )
        for part, rules in wanted.items()
    )


def _record(record: Record) -> dict[str, Any]:
    written = record.written
    told: dict[str, Any] = {
        "Keys": {"pk": {"S": written.key[0]}, "sk": {"S": written.key[1]}},
        "SequenceNumber": str(record.sequence),
    }
    if written.new is not None:
        told["NewImage"] = written.new
    name = "REMOVE" if written.new is None else "INSERT" if written.inserted else "MODIFY"
    return {"eventName": name, "dynamodb": told}


def _poison(sequence: int) -> dict[str, Any]:
    image = {"pk": {"S": "TABLE#poison"}, "sk": {"S": "STATE"}, "state": {"S": "[["}}
    told = {
        "Keys": {"pk": image["pk"], "sk": image["sk"]},
        "SequenceNumber": str(sequence),
        "NewImage": image,
    }
    return {"eventName": "MODIFY", "dynamodb": told}


@cache
def _client(service: str, *, endpoint: str | None = None, **more: Any) -> Any:
    """They keep nothing that a simulation could tell apart, and are slow to make."""
    return _MAKE_CLIENT(service, endpoint=endpoint, **more)


_MAKE_CLIENT = cardroom.aws.client
_LOCK = threading.Lock()


@contextmanager
def simulated(cloud: Cloud) -> Iterator[None]:
    """While it lasts, the room's clock, chance, network and threads are the cloud's."""
    import random

    import botocore.retries.quota

    def deck(_: Any) -> tuple[int, ...]:
        cards = list(DECK)
        cloud.randomness.shuffle(cards)
        return tuple(cards)

    def token(_: Any) -> str:
        return f"deck-{next(names)}"

    def below(_: Any, limit: int) -> int:
        return cloud.randomness.randrange(limit)

    def now(_: Any) -> int:
        return cloud.function_now()

    def pause(_: Any, ms: int) -> None:
        cloud.pause(ms)

    def sleep(seconds: float) -> None:
        cloud.pause(round(seconds * 1000))

    names = itertools.count(1)
    state = random.getstate()
    with _LOCK, mock.patch.dict(os.environ, ENVIRONMENT), wired(cloud):
        random.seed(cloud.randomness.random())
        patches: list[Any] = [
            mock.patch.object(time, "sleep", sleep),
            # Else what happened in one history would spoil another.
            mock.patch.object(botocore.retries.quota.RetryQuota, "acquire", return_value=True),
        ]
        for release in cloud.releases:
            aws = release.module("cardroom.aws")
            clock = release.module("cardroom.systemclock").SystemClock
            chance = release.module("cardroom.shuffle").SystemRandomness
            statements = release.module("cardroom.statements")
            patches += [
                mock.patch.object(clock, "now", now),
                mock.patch.object(clock, "pause", pause),
                mock.patch.object(chance, "deck", deck),
                mock.patch.object(chance, "token", token),
                mock.patch.object(chance, "below", below),
                *(mock.patch.object(statements, name, most) for name, most in PAGES.items()),
                mock.patch.object(aws, "client", _client),
                mock.patch.object(aws, "ThreadPoolExecutor", InlineThreads),
            ]
        for one in patches:
            one.start()
        try:
            yield
        finally:
            cloud.scheduler.close()
            for one in patches:
                one.stop()
            random.setstate(state)
