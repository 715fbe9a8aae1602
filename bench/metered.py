"""The room on simulated time, in which every call that AWS would charge is counted.

The handlers are the real ones, and so is botocore down to the request that would be sent: names of
endpoints, headers and signatures included, which the tests leave out for speed. What the fakes
themselves take is not in any figure: they work on another thread.

The fakes are those of the tests: they are held to what AWS does there, and the benchmark measures
what the tests hold to be right. Neither is shipped.
"""

import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final, cast
from unittest import mock

from botocore.client import BaseClient
from botocore.endpoint import Endpoint

from bench.capacity import Charge, Charged, size
from cardroom import keys
from cardroom.signals import PowertoolsSignals
from tests.simulation.calm import CalmCloud
from tests.simulation.cloud import START, Execution, Notes, indexes, simulated
from tests.simulation.dynamo import Written
from tests.simulation.scheduler import Scheduler, Task
from tests.simulation.wire import Wire

FRAME: Final = 32 * 1024
"""Bytes of one message that API Gateway charges."""
CREATE_REQUEST: Final = Endpoint.create_request
RESOLVE: Final = vars(BaseClient)["_resolve_endpoint_ruleset"]


class Tap(io.TextIOBase):
    """Counts what is written, and forgets it."""

    def __init__(self) -> None:
        self.bytes = 0
        self.lines = 0

    def write(self, text: str) -> int:
        self.bytes += len(text.encode())
        self.lines += text.count("\n")
        return len(text)


LOG: Final = Tap()
"""One for all rooms: Powertools keeps the stream that it was given first."""


@dataclass
class Invocation:
    """One run of a handler. `kind` is the route of a message, else the function's name."""

    function: str
    kind: str
    at: int = 0
    """When it began, in simulated milliseconds."""
    cpu_ns: int = 0
    """Of its thread, without the fake network's."""
    calls: Counter[str] = field(default_factory=Counter)
    """By operation; a DynamoDB transaction is one."""
    state_reads: int = 0
    """Consistent reads of a table."""
    half_reads: int = 0
    """Halves of DynamoDB's read units."""
    writes: int = 0
    """Write units."""

    @property
    def posts(self) -> int:
        return self.calls["PostToConnection"]


@dataclass
class Counts:
    """All that was counted in a span of play."""

    ms: int = 0
    """Of simulated time."""
    hands: int = 0
    clients: int = 0
    invocations: list[Invocation] = field(default_factory=list)
    messages_in: int = 0
    """API Gateway's, in units of 32 KB, as all messages."""
    replies: int = 0
    pushes: int = 0
    snapshots: int = 0
    """Posts to spectators."""
    bytes_out: int = 0
    reads: Counter[str] = field(default_factory=Counter)
    """Half read units by kind of item."""
    writes: Counter[str] = field(default_factory=Counter)
    """Write units by kind of item."""
    calls: Counter[str] = field(default_factory=Counter)
    """By operation."""
    records: int = 0
    """That the stream delivers."""
    executions: int = 0
    execution_ms: int = 0
    transitions: int = 0
    queued: int = 0
    """SQS messages sent; as many are received and deleted."""
    schedules: int = 0
    log_bytes: int = 0
    state_bytes: list[int] = field(default_factory=list)
    """Of the item after each write."""
    push_bytes: list[int] = field(default_factory=list)
    snapshot_bytes: list[int] = field(default_factory=list)
    stored_bytes: int = 0
    """Of items that stay: hands' records and rake."""

    @property
    def read_units(self) -> float:
        return self.reads.total() / 2

    @property
    def write_units(self) -> int:
        return self.writes.total()

    def of(self, kind: str) -> list[Invocation]:
        return [one for one in self.invocations if one.kind == kind]


class _Timed(Scheduler):
    """Measures the thread's CPU of each task that is announced."""

    def __init__(self, now: int) -> None:
        super().__init__(now)
        self.announced: Invocation | None = None
        self.running: dict[Task, Invocation] = {}

    def start(self, work: Callable[[], Any], done: Callable[[Any], None]) -> Task:
        invocation, self.announced = self.announced, None
        if invocation is None:
            return super().start(work, done)

        def timed() -> Any:
            task = self.current
            assert task is not None
            self.running[task] = invocation
            began = time.thread_time_ns()
            try:
                return work()
            finally:
                invocation.cpu_ns += time.thread_time_ns() - began
                del self.running[task]

        return super().start(timed, done)


class Metered(CalmCloud):
    """A calm room that counts."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.timed = _Timed(START)
        self.scheduler = self.timed
        self.counts = Counts()
        self.dynamo = Charged(indexes(), self._changed, self._charged)
        self.notes = cast(Notes, PowertoolsSignals("command", stream=cast(Any, LOG)))
        self.written.append(self._see)
        self._live: set[Execution] = set()
        self._since = START
        self._askers: dict[int, Invocation] = {}
        """By the identity of a request that is on its way."""
        self._asker: Invocation | None = None

    # A span

    def begin(self) -> None:
        """From here on it counts anew. Executions of the clock that run are counted from here."""
        self.counts = Counts()
        self._since = self.now
        self._log_before = LOG.bytes

    def end(self) -> Counts:
        counts = self.counts
        for execution in self._live:
            counts.execution_ms += self.now - max(execution.started, self._since)
        counts.ms = self.now - self._since
        counts.log_bytes = LOG.bytes - self._log_before
        counts.clients = len(self.connections)
        self.counts = Counts()
        return counts

    # What is counted

    def invoke(
        self, function: str, event: Any, done: Callable[[Any], None] = lambda outcome: None
    ) -> None:
        kind = function
        if function == "command":
            kind = str(json.loads(event["body"])["route"])
        invocation = Invocation(function, kind, self.now)
        self.counts.invocations.append(invocation)
        if function == "broadcast":
            self.counts.records += len(event["Records"])
        self.timed.announced = invocation
        super().invoke(function, event, done)

    def called(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        task = self.scheduler.current
        if task is not None and (invocation := self.timed.running.get(task)) is not None:
            invocation.calls[operation] += 1
            if operation == "GetItem" and request["Key"]["sk"]["S"] == keys.STATE:
                invocation.state_reads += bool(request.get("ConsistentRead"))
            self._askers[id(request)] = invocation
        self.counts.calls[operation] += 1
        self.counts.queued += operation == "SendMessage"
        return super().called(service, operation, request)

    def _effect(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        self._asker = self._askers.pop(id(request), None)
        return super()._effect(service, operation, request)

    def _charged(self, operation: str, charges: list[Charge]) -> None:
        for one in charges:
            half_reads, writes = round(2 * one.reads), round(one.writes)
            self.counts.reads[one.what] += half_reads
            self.counts.writes[one.what] += writes
            if self._asker is not None:
                self._asker.half_reads += half_reads
                self._asker.writes += writes

    def _see(self, written: Written) -> None:
        pk, sk = written.key
        if sk == keys.STATE:
            self.counts.state_bytes.append(size(written.new))
        elif pk.startswith(("HAND#", "RAKE#")):
            self.counts.stored_bytes += size(written.new)

    def say(
        self, connection: str, player: str, body: str, done: Callable[[str | None], None]
    ) -> None:
        def answered(text: str | None) -> None:
            if text is not None:
                data = text.encode()
                self.counts.replies += ceil(len(data) / FRAME)
                self.counts.bytes_out += len(data)
            done(text)

        self.counts.messages_in += ceil(len(body.encode()) / FRAME)
        super().say(connection, player, body, answered)

    def _post(self, connection: str, data: bytes) -> None:
        units = ceil(len(data) / FRAME)
        if data.startswith(b'{"type":"snapshot"'):
            self.counts.snapshots += units
            self.counts.snapshot_bytes.append(len(data))
        else:
            self.counts.pushes += units
            self.counts.push_bytes.append(len(data))
        self.counts.bytes_out += len(data)
        super()._post(connection, data)

    def _wait(self, execution: Execution, wait: str) -> None:
        if execution not in self._live:
            self._live.add(execution)
            self.counts.executions += 1
        # Wait, Look, Done?
        self.counts.transitions += 3
        super()._wait(execution, wait)

    def _clock_ended(self, execution: Execution) -> None:
        self._live.discard(execution)
        self.counts.execution_ms += self.now - max(execution.started, self._since)
        super()._clock_ended(execution)

    def sweep_forever(self, every: int = 60_000) -> None:
        def sweep() -> None:
            self.counts.schedules += 1
            self.invoke("sweep", {})
            self.scheduler.after(every, sweep)

        self.scheduler.after(every, sweep)


@contextmanager
def metered(cloud: Metered, *, signed: bool = True) -> Iterator[None]:
    """While it lasts, the functions live in this room, and what they log is counted. Without
    signatures it takes half the time, and all counts but the CPU are the same.
    """
    untimed = Wire.__call__

    def call(self: Wire, event_name: str, request: Any, **more: Any) -> Any:
        task = cloud.scheduler.current
        invocation = None if task is None else cloud.timed.running.get(task)
        began = time.thread_time_ns()
        try:
            return untimed(self, event_name, request, **more)
        finally:
            if invocation is not None:
                invocation.cpu_ns -= time.thread_time_ns() - began

    with ExitStack() as stack:
        # Metrics are printed; also by those that the room's end stops on their way, so to the last.
        stack.enter_context(redirect_stdout(cast(Any, LOG)))
        stack.enter_context(simulated(cloud))
        stack.enter_context(mock.patch.object(Wire, "__call__", call))
        if signed:
            # What the tests leave out of a request is a good part of what it costs.
            stack.enter_context(mock.patch.object(Endpoint, "create_request", CREATE_REQUEST))
            name = "_resolve_endpoint_ruleset"
            stack.enter_context(mock.patch.object(BaseClient, name, RESOLVE))
        yield
