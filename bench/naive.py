"""The same hands as a room without thrift would play them, by an explicit model.

What it does otherwise, each as tutorials and first versions do it:

- a Standard execution of the turn clock for each turn: three transitions and a wake-up that reads;
- every write is pushed to everybody who is there, spectators too, as a whole snapshot, by the
  function that wrote it, one post after another;
- a table is read, changed and written under a lock, an item of its own that is put and deleted;
- STATE is kept as maps of attributes, twice the bytes of compact text, and each event as an item;
- who is connected is asked of the table for each push.

What clients send is the same, and so are the money's transactions and what a run logs, beside which
stand Lambda's own lines.
"""

from math import ceil
from typing import Final

from bench.capacity import READ_BYTES, WRITE_BYTES
from bench.people import Played
from bench.prices import (
    KB,
    PLATFORM_LOG_BYTES,
    WAITS_MS,
    Line,
    billed_ms,
    memory_mb,
    sessions,
)

TRANSITIONS: Final = 3
"""Of a turn: wait, look, end."""
BLOAT: Final = 2
"""Bytes of maps beside compact text."""
LOCK_WRITES: Final = 2
EVENT_WRITES: Final = 1
CPU: Final = 4
"""Of reading and writing maps beside compact text."""


def bill(played: Played) -> list[Line]:
    """For one hand."""
    memory = memory_mb()["command"]
    counts, hands = played.counts, played.counts.hands
    clients = played.seats + played.spectators
    writes = len(counts.state_bytes) / hands
    turns = len(counts.of("act")) / hands
    other = len(counts.of("ping")) / hands + len(counts.of("sync")) / hands
    state = [BLOAT * one for one in counts.state_bytes]
    state_writes = sum(ceil(one / WRITE_BYTES) for one in state) / hands
    state_reads = sum(ceil(one / READ_BYTES) for one in state) / hands
    beside = sum(
        units for kind, units in counts.writes.items() if kind in ("HAND", "RAKE", "SECRET", "USER")
    )
    write_units = state_writes + writes * (LOCK_WRITES + EVENT_WRITES) + beside / hands
    # Once to change it; by each wake-up of the clock; and who is connected for each push.
    read_units = state_reads + turns * state_reads / writes + writes
    snapshot = _mean(counts.snapshot_bytes) or _mean(counts.push_bytes)
    acts = counts.of("act")
    calls_ms = WAITS_MS["GetItem"] + WAITS_MS["Query"] + (2 + LOCK_WRITES) * WAITS_MS["PutItem"]
    command_ms = (
        _mean([billed_ms(one, memory) - _waits(one.calls) for one in acts]) * CPU
        + calls_ms
        + clients * WAITS_MS["PostToConnection"]
    )
    wake_ms = WAITS_MS["GetItem"] + 5
    session = sessions(played)
    runs = writes + turns + other + session.share * len(session.invocations)
    gb_seconds = (writes * command_ms + turns * wake_ms + other * 10) / 1000 * memory / 1024
    sent = writes * clients
    messages = (counts.messages_in + counts.replies) / hands
    minutes = counts.clients * counts.ms / 60_000 / hands
    logs = counts.log_bytes / max(1, len(counts.invocations)) * runs + runs * PLATFORM_LOG_BYTES
    return [
        Line("API Gateway", "messages from clients and replies", messages, "api messages"),
        Line("API Gateway", "snapshots to everybody", sent, "api messages"),
        Line("API Gateway", "connection minutes", minutes, "api minutes"),
        Line("DynamoDB", "write units", write_units, "dynamodb writes"),
        Line("DynamoDB", "read units", read_units, "dynamodb reads"),
        Line("Step Functions", "transitions", TRANSITIONS * turns, "step functions standard"),
        Line("Lambda", "invocations", runs, "lambda requests"),
        Line("Lambda", "GB-seconds", gb_seconds, "lambda arm64"),
        Line("CloudWatch Logs", "KB", logs / KB, "logs"),
        Line("transfer", "KB to clients", sent * snapshot / KB, "transfer"),
    ]


def _waits(calls: dict[str, int]) -> float:
    return sum(WAITS_MS[name] * count for name, count in calls.items())


def _mean(several: list[int] | list[float]) -> float:
    return sum(several) / len(several) if several else 0.0
