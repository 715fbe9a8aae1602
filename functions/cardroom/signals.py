"""Logs and metrics through Powertools: the one place that decides what may be written about an
error.
"""

import traceback
from functools import cache
from pathlib import PurePath
from typing import IO

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

from cardroom.ports import Field

NAMESPACE = "Cardroom"


class PowertoolsSignals:
    """JSON lines and embedded metrics. An error is logged by kind and place: its text may hold
    anything.
    """

    def __init__(self, service: str, stream: IO[str] | None = None) -> None:
        self._logger = Logger(service=service, utc=True, location=None, stream=stream)
        self._metrics = Metrics(namespace=NAMESPACE, service=service)

    def note(self, what: str, **fields: Field) -> None:
        self._logger.info(what, extra=dict(fields))

    def count(self, metric: str, value: float = 1) -> None:
        self._metrics.add_metric(metric, MetricUnit.Count, value)

    def milliseconds(self, metric: str, value: float) -> None:
        self._metrics.add_metric(metric, MetricUnit.Milliseconds, value)

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        self._logger.error("fault", extra={"where": where, **fault_of(error), **fields})

    def flush(self) -> None:
        """At the end of an invocation: the metrics as one line."""
        if self._metrics.metric_set:
            self._metrics.flush_metrics()


def fault_of(error: BaseException) -> dict[str, str | list[str]]:
    """An error's kind, and where it was raised, the innermost place last."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames]
    return {"kind": type(error).__name__, "places": places[-8:]}


@cache
def signals(service: str) -> PowertoolsSignals:
    """Made at the first use, not on import."""
    return PowertoolsSignals(service)
