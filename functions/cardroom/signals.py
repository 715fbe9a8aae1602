"""Logs and metrics through Powertools: the one place that decides what may be written about an
error.
"""

import json
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import PurePath
from typing import IO, Any, Final, Protocol

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import (
    AmazonCloudWatchEMFProvider,
)

from cardroom.metrics import METRICS, NAMESPACE, ROOM, By, Metric
from cardroom.ports import Field, Signals

ROOM_VARIABLE: Final = "ROOM"
"""Names the room in the environment: the stack's name."""
UNNAMED: Final = "cardroom"
_LINE: Final = json.JSONEncoder(separators=(",", ":"), default=str)


class Failed(Exception):
    """An invocation that has to fail. What Lambda logs of it is the error's kind alone."""


class PowertoolsSignals:
    """JSON lines and embedded metrics. An error is logged by kind and place: its text may hold
    anything.
    """

    def __init__(
        self, service: str, stream: IO[str] | None = None, room: str | None = None
    ) -> None:
        self._service = service
        self._room = room or os.environ.get(ROOM_VARIABLE) or UNNAMED
        self._logger = Logger(
            service=service,
            utc=True,
            # Lambda takes no other as a line's moment.
            use_rfc3339=True,
            location=None,
            stream=stream,
            json_serializer=_LINE.encode,
            # What is said is a word, never JSON of its own.
            json_deserializer=str,
        )
        self._books: dict[tuple[By | None, bool, str], Metrics] = {}
        """By what they are told apart: a line of metrics has one value of each dimension."""
        self._context: dict[str, Field] = {}

    def context(self, **fields: Field) -> None:
        self._context = {
            name: value for name, value in {**self._context, **fields}.items() if value is not None
        }

    def begin(self, **fields: Field) -> None:
        """A new invocation, about which this is known."""
        self._context = {}
        self.context(**fields)

    def note(self, what: str, **fields: Field) -> None:
        self._logger.info(what, extra={**self._context, **fields})

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        declared = METRICS[metric]
        self._book(declared, by).add_metric(metric, declared.unit.value, value)

    def milliseconds(self, metric: str, value: float) -> None:
        self.count(metric, value)

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        known = {**self._context, "where": where, **fault_of(error), **fields}
        self._logger.error("fault", extra=known)

    def flush(self) -> None:
        """At the end of an invocation: the metrics, as one line where that can hold them."""
        lines: list[dict[str, Any]] = []
        for book in self._books.values():
            if book.provider.metric_set:
                _join(lines, book.serialize_metric_set())
                book.provider.metric_set.clear()
        for line in lines:
            sys.stdout.write(_LINE.encode(line) + "\n")

    def _book(self, metric: Metric, by: str) -> Metrics:
        if metric.by is By.NOTICED_BY:
            by = self._service
        key = (metric.by, metric.total, by)
        book = self._books.get(key)
        if book is None:
            book = self._books[key] = self._new_book(metric, by)
        return book

    def _new_book(self, metric: Metric, by: str) -> Metrics:
        room = {ROOM: self._room}
        apart = room if metric.by is None else {**room, str(metric.by): by}
        provider = AmazonCloudWatchEMFProvider(
            namespace=NAMESPACE, dimension_set=dict(room if metric.total else apart)
        )
        if metric.total and metric.by is not None:
            provider.add_dimensions(**apart)
        # For the log: a metric is not told apart by it.
        provider.add_metadata("service", self._service)
        return Metrics(provider=provider)


def _join(lines: list[dict[str, Any]], line: Mapping[str, Any]) -> None:
    """Add metrics to a line in which they do not contradict what is there: a name has one value in
    a line.
    """
    values = {name: value for name, value in line.items() if name != "_aws"}
    for other in lines:
        if all(other.get(name, value) == value for name, value in values.items()):
            other["_aws"]["CloudWatchMetrics"] += line["_aws"]["CloudWatchMetrics"]
            other.update(values)
            return
    lines.append(dict(line))


def fault_of(error: BaseException) -> dict[str, str | list[str]]:
    """An error's kind, and where it was raised, the innermost place last."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames]
    return {"kind": type(error).__name__, "places": places[-8:]}


@cache
def signals(service: str) -> PowertoolsSignals:
    """Made at the first use, not on import."""
    return PowertoolsSignals(service)


class Invoked(Signals, Protocol):
    """Signals of a function."""

    def begin(self, **fields: Field) -> None: ...

    def flush(self) -> None: ...


@contextmanager
def invocation(
    signals: Invoked,
    where: str,
    request: str | None = None,
    *,
    failed: str = "HandlerFailed",
    told: type[Exception] = Failed,
) -> Iterator[None]:
    """What a handler does: its log lines name the `request`, metrics are written at its end.

    An error that it does not handle is counted and reported here, and ends the invocation by its
    kind alone: Lambda logs what it is told. But for those that are `told` on purpose.
    """
    signals.begin(request=request)
    try:
        yield
    except told:
        raise
    except Exception as fault:
        signals.count(failed)
        signals.fault(where, fault)
        raise Failed(type(fault).__name__) from None
    finally:
        signals.flush()
