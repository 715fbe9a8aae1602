"""A cloud in which nothing goes wrong of its own, and whose functions may be called at once."""

from __future__ import annotations

import itertools
from typing import Any

from tests.simulation.cloud import Cloud
from tests.simulation.faults import Faults


class CalmCloud(Cloud):
    def __init__(self, seed: int) -> None:
        faults = Faults(seed)
        faults.calm = True
        super().__init__(seed, faults)
        self._queued = itertools.count(1)
        self.heard_of = 0
        """Posts so far."""
        self.posted.append(self._count)

    def _count(self, connection: str, data: bytes) -> None:
        self.heard_of += 1

    def call(self, function: str, event: Any) -> Any:
        """The answer of the function's handler, or what it raises."""
        instance = self.instance(function)
        module = instance.release.module(f"{function}.app")
        module.composed = lambda: instance.composed
        return module.handler(event, None)

    def cold(self) -> None:
        """Functions that start from now on know nothing by heart."""
        for several in self._instances.values():
            several[:] = [one for one in several if one.busy]

    def _from_queue(self, name: str, body: str, attempt: int) -> None:
        """Each message by a name of its own, as the lobby's ticks are told apart by it."""

        def done(outcome: Any) -> None:
            failed = isinstance(outcome, BaseException) or outcome["batchItemFailures"]
            if failed and attempt < 3:
                self.scheduler.after(10_000, lambda: self._from_queue(name, body, attempt + 1))

        record = {"messageId": f"m{next(self._queued)}", "body": body}
        self.invoke(name, {"Records": [record]}, done)
