"""What one hand asks of each service, and how DynamoDB's units fall on kinds of items."""

from collections import Counter
from typing import Final

from bench.people import Played

SERVICES: Final = {
    "PostToConnection": "API Gateway",
    "DeleteConnection": "API Gateway",
    "SendMessage": "SQS",
    "StartExecution": "Step Functions",
}
"""Of operations that are not DynamoDB's."""

type Row = tuple[str, str, float]
"""Service, what, and how often in a hand."""


def rows(played: Played) -> list[Row]:
    """By service, the most frequent first."""
    counts, hands = played.counts, played.counts.hands
    found: list[Row] = [
        (SERVICES.get(name, "DynamoDB"), name, number / hands)
        for name, number in counts.calls.items()
    ]
    runs = Counter(one.function for one in counts.invocations)
    found += [("Lambda", f"runs of {name}", number / hands) for name, number in runs.items()]
    found += [
        ("API Gateway", "messages from clients", counts.messages_in / hands),
        ("API Gateway", "replies", counts.replies / hands),
        ("DynamoDB", "records of the stream", counts.records / hands),
        ("Step Functions", "states entered, without the end", counts.transitions / hands),
        ("EventBridge", "schedules", counts.schedules / hands),
        ("CloudWatch Logs", "KB of the room's own lines", counts.log_bytes / hands / 1000),
    ]
    return sorted(found, key=lambda row: (row[0], -row[2]))


def units(played: Played) -> list[Row]:
    """DynamoDB's request units by kind of item, those of an index apart, the most first."""
    counts, hands = played.counts, played.counts.hands
    found: list[Row] = [
        (kind, "read units", halves / 2 / hands) for kind, halves in counts.reads.items() if halves
    ]
    found += [
        (kind, "write units", written / hands) for kind, written in counts.writes.items() if written
    ]
    return sorted(found, key=lambda row: (row[1], -row[2]))
