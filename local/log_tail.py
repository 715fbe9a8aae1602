"""What the functions of a room log, read from CloudWatch Logs as it comes: of the emulator, or of
AWS.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from botocore.exceptions import ClientError

FUNCTIONS: Final = (
    "archive",
    "authorizer",
    "broadcast",
    "clock",
    "command",
    "connect",
    "disconnect",
    "fanout",
    "floor",
    "signup",
    "sweep",
)
"""Each has a group of its own."""
MOST: Final = 10_000
"""Events of one answer; the emulator says of no more."""

type Key = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Line:
    function: str
    at: int
    """When it was written (ms)."""
    text: str


def group_of(stack: str, function: str) -> str:
    """As the template names it."""
    return f"/aws/lambda/{stack}-{function}"


class LogTail:
    """`read()` gives what has come since the last time.

    Lines may come late, and out of order: each time a stretch is read again, and what was given
    before is left out.
    """

    def __init__(
        self, logs: Any, stack: str, since: int, *, overlap_ms: int = 2_000, pattern: str = ""
    ) -> None:
        """Of the CloudWatch Logs client, from the moment `since` (ms) on; `pattern` is one of its
        filters.
        """
        self._logs = logs
        self._stack = stack
        self._overlap = overlap_ms
        self._pattern = pattern
        self._from = dict.fromkeys(FUNCTIONS, since)
        self._given: dict[str, Counter[Key]] = {name: Counter() for name in FUNCTIONS}

    def read(self) -> list[Line]:
        """In the order of time. Raises botocore's errors, and then all of it is given the next
        time.
        """
        lines: list[Line] = []
        since: dict[str, int] = {}
        given: dict[str, Counter[Key]] = {}
        for name in FUNCTIONS:
            new, since[name], given[name] = self._new(name)
            lines += new
        self._from, self._given = since, given
        return sorted(lines, key=lambda line: line.at)

    def _new(self, name: str) -> tuple[list[Line], int, Counter[Key]]:
        """New lines; from when on it is read the next time, and what of that was given."""
        before, given = self._given[name], Counter[Key]()
        latest = self._from[name]
        lines = []
        for event in self._events(group_of(self._stack, name), self._from[name]):
            at: int = event["timestamp"]
            latest = max(latest, at)
            key = (event.get("logStreamName", ""), at, event["message"])
            given[key] += 1
            if given[key] > before[key]:
                lines.append(Line(name, at, event["message"]))
        since = max(self._from[name], latest - self._overlap)
        kept = Counter({key: times for key, times in given.items() if key[1] >= since})
        return lines, since, kept

    def _events(self, group: str, since: int) -> Iterator[dict[str, Any]]:
        """All from that moment on."""
        asked: dict[str, Any] = {"logGroupName": group, "startTime": since}
        if self._pattern:
            asked["filterPattern"] = self._pattern
        held: list[dict[str, Any]] = []
        while True:
            try:
                answer = self._logs.filter_log_events(**asked)
            except ClientError as error:
                if error.response["Error"]["Code"] == "ResourceNotFoundException":
                    # Of a function that has logged nothing yet.
                    return
                raise
            events: list[dict[str, Any]] = answer["events"]
            if token := answer.get("nextToken"):
                yield from events
                asked["nextToken"] = token
                continue
            last = events[-1]["timestamp"] if events else 0
            if len(events) < MOST or "nextToken" in asked or last <= asked["startTime"]:
                yield from events
                return
            # The emulator names no next page: go on from the last moment, all of which comes again.
            held = [event for event in events if event["timestamp"] < last]
            yield from held
            asked["startTime"] = last


def milliseconds() -> int:
    return time.time_ns() // 1_000_000
