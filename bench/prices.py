"""What AWS charges, and from counts what a hand costs.

List prices of us-east-1, first tier, no free tier, no commitment. Each says how sure it is: those
of `SEEN` were read in published copies of AWS's pages or in others' transcripts of them; the rest
are as remembered, to be looked up before a contract hangs on them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from bench.metered import Invocation
from bench.people import Played
from tests.template.parsed import resources, template

AS_OF: Final = "2026-11-30"


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for `per` units of something."""

    dollars: float
    per: float
    unit: str
    seen: bool
    """Verified in published text on AS_OF."""

    def of(self, units: float) -> float:
        return units * self.dollars / self.per


MILLION: Final = 1_000_000
PRICES: Final[Mapping[str, Price]] = {
    "api messages": Price(1.00, MILLION, "messages in or out, in units of 32 KB", seen=True),
    "api minutes": Price(0.25, MILLION, "connection minutes", seen=True),
    "lambda requests": Price(0.20, MILLION, "invocations", seen=True),
    "lambda arm64": Price(0.0000133334, 1, "GB-seconds, arm64", seen=True),
    "lambda x86_64": Price(0.0000166667, 1, "GB-seconds, x86_64", seen=True),
    "dynamodb reads": Price(0.125, MILLION, "read request units", seen=True),
    "dynamodb writes": Price(0.625, MILLION, "write request units", seen=True),
    "dynamodb storage": Price(0.25, MILLION, "KB-months", seen=False),
    "step functions express": Price(1.00, MILLION, "executions", seen=True),
    "step functions memory": Price(0.00001667, 1, "GB-seconds, in chunks of 64 MB", seen=True),
    "step functions standard": Price(25.00, MILLION, "state transitions", seen=True),
    "sqs": Price(0.40, MILLION, "requests, in units of 64 KB", seen=False),
    "logs": Price(0.50, MILLION, "KB taken in", seen=False),
    "scheduler": Price(1.00, MILLION, "invocations", seen=False),
    "traces": Price(5.00, MILLION, "traces recorded", seen=False),
    "transfer": Price(0.09, MILLION, "KB out", seen=True),
}

KB: Final = 1_000
VCPU_MB: Final = 1769
"""Memory of a function that has one whole CPU; less has its share of the time."""
WAITS_MS: Final[Mapping[str, float]] = {
    "GetItem": 4,
    "BatchGetItem": 8,
    "Query": 5,
    "PutItem": 6,
    "UpdateItem": 6,
    "DeleteItem": 6,
    "TransactWriteItems": 15,
    "SendMessage": 8,
    "StartExecution": 20,
    "PostToConnection": 12,
    "DeleteConnection": 12,
}
"""Assumed: what a function waits for an answer within a region, and is paid for."""
POSTS_AT_ONCE: Final = 24
"""As cardroom.aws has it."""
EXPRESS_GB: Final = 64 / 1024
"""One chunk: the definition and its data are a few KB, and no more runs in it at once."""
PLATFORM_LOG_BYTES: Final = 410
"""Assumed: what Lambda itself logs of an invocation, as START, END and REPORT, unless it is told to
log nothing of what went well.
"""
TRACED: Final = 0.05
"""Of invocations, beyond the first in each second, where tracing is on: Lambda's own rule, which
cannot be set.
"""
AUTHORIZER_CPU_MS: Final = 1.0
"""Assumed: it checks one signature of RSA, and a session runs it once."""
ROTATION_MS: Final = round(102.5 * 60_000)
"""A client's connection lives for 90 to 115 minutes."""
AUTHORIZER: Final = Invocation("authorizer", "authorizer", cpu_ns=round(AUTHORIZER_CPU_MS * 10**6))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a bill, for one hand."""

    service: str
    what: str
    units: float
    price: str

    @property
    def dollars(self) -> float:
        """For 1,000 hands."""
        return 1000 * PRICES[self.price].of(self.units)


def memory_mb() -> dict[str, int]:
    """Of each function, by the name of its folder, as the template has it."""
    usual = template()["Globals"]["Function"]["MemorySize"]
    functions: list[dict[str, Any]] = [
        one["Properties"] for one in resources("AWS::Serverless::Function").values()
    ]
    return {
        str(one["Handler"]).partition(".")[0]: int(one.get("MemorySize", usual))
        for one in functions
    }


def platform_log_bytes() -> int:
    """Of an invocation that went well, as the template has it."""
    logging = template()["Globals"]["Function"].get("LoggingConfig", {})
    quiet = logging.get("LogFormat") == "JSON" and logging.get("SystemLogLevel") == "WARN"
    return 0 if quiet else PLATFORM_LOG_BYTES


def tracing() -> bool:
    """Whether the template has X-Ray trace, unless an operator says otherwise."""
    return bool(template()["Parameters"]["Tracing"]["Default"] == "Active")


def billed_ms(one: Invocation, memory: int, cpu_ms: float | None = None) -> float:
    """How long a function of so much memory (MB) is paid for: its CPU at its share of one, and what
    it waits for; posts go out many at once.
    """
    cpu = one.cpu_ns / 10**6 if cpu_ms is None else cpu_ms
    waits = sum(
        WAITS_MS[name] * (ceil(count / POSTS_AT_ONCE) if name == "PostToConnection" else count)
        for name, count in one.calls.items()
    )
    return float(ceil(cpu * max(1.0, VCPU_MB / memory) + waits))


def gb_seconds(invocations: Iterable[Invocation], memory: Mapping[str, int]) -> float:
    return sum(
        billed_ms(one, memory[one.function]) / 1000 * memory[one.function] / 1024
        for one in invocations
    )


def bill(played: Played, memory: Mapping[str, int] | None = None) -> list[Line]:
    """What one hand costs, and its share of everybody's connecting and of the minute's sweep."""
    memory = memory or memory_mb()
    counts, hands = played.counts, played.counts.hands
    session = sessions(played)
    invocations = [*counts.invocations]
    own = gb_seconds(invocations, memory) / hands
    coming = session.share * gb_seconds(session.invocations, memory)
    runs = len(invocations) / hands + session.share * len(session.invocations)
    reads = counts.read_units / hands + session.share * session.reads
    writes = counts.write_units / hands + session.share * session.writes
    messages_in = counts.messages_in / hands + session.share * session.messages
    replies = counts.replies / hands + session.share * session.messages
    minutes = counts.clients * counts.ms / 60_000 / hands
    logs = counts.log_bytes / hands + runs * platform_log_bytes()
    memory_seconds = EXPRESS_GB * counts.execution_ms / 1000 / hands
    return [
        Line("API Gateway", "messages from clients", messages_in, "api messages"),
        Line("API Gateway", "replies", replies, "api messages"),
        Line("API Gateway", "pushes to players", counts.pushes / hands, "api messages"),
        Line("API Gateway", "snapshots to spectators", counts.snapshots / hands, "api messages"),
        Line("API Gateway", "connection minutes", minutes, "api minutes"),
        Line("DynamoDB", "write units", writes, "dynamodb writes"),
        Line("DynamoDB", "read units", reads, "dynamodb reads"),
        Line("Step Functions", "executions", counts.executions / hands, "step functions express"),
        Line("Step Functions", "GB-seconds", memory_seconds, "step functions memory"),
        Line("Lambda", "invocations", runs, "lambda requests"),
        Line("Lambda", "GB-seconds", own + coming, "lambda arm64"),
        Line("SQS", "requests: send, receive, delete", 3 * counts.queued / hands, "sqs"),
        Line("CloudWatch Logs", "KB", logs / KB, "logs"),
        Line("X-Ray", "traces", traces(played) if tracing() else 0.0, "traces"),
        Line("EventBridge", "schedules", counts.schedules / hands, "scheduler"),
        Line("transfer", "KB to clients", counts.bytes_out / hands / KB, "transfer"),
        Line("DynamoDB", "KB-months kept", counts.stored_bytes / hands / KB, "dynamodb storage"),
    ]


def traces(played: Played) -> float:
    """Of a hand where tracing is on, in a room that has much to do."""
    counts, session = played.counts, sessions(played)
    runs = (len(counts.invocations) + counts.executions) / counts.hands
    return TRACED * (runs + session.share * len(session.invocations))


def traces_alone(played: Played) -> float:
    """Traces of a hand where these tables are the whole room: of each function the first run in
    each second is traced whatever the rate, and with little to do most are the first.
    """
    seconds = {(one.function, one.at // 1000) for one in played.counts.invocations}
    rest = len(played.counts.invocations) - len(seconds)
    return (len(seconds) + TRACED * rest) / played.counts.hands


def traced(played: Played, recorded: float) -> float:
    """Dollars for 1,000 hands of each of which so many traces are recorded."""
    lines = [line for line in bill(played) if line.price != "traces"]
    return total([*lines, Line("X-Ray", "traces", recorded, "traces")])


def total(lines: Iterable[Line]) -> float:
    """Dollars for 1,000 hands."""
    return sum(line.dollars for line in lines)


@dataclass(frozen=True, slots=True)
class Sessions:
    """What it takes that all clients connect once; a hand bears its `share` of it."""

    share: float
    invocations: list[Invocation]
    reads: float
    writes: int
    messages: int


def sessions(played: Played) -> Sessions:
    arrived = [
        one
        for counts in (played.coming, played.going)
        for one in counts.invocations
        if one.kind in ("connect", "watch", "disconnect")
    ]
    clients = sum(one.kind == "connect" for one in arrived)
    ms = played.counts.ms / (played.counts.hands / played.tables)
    return Sessions(
        # Of one table's clients; a hand is played at one.
        ms / ROTATION_MS / played.tables,
        [*arrived, *[AUTHORIZER] * clients],
        sum(one.half_reads for one in arrived) / 2,
        sum(one.writes for one in arrived),
        sum(one.kind == "watch" for one in arrived),
    )
