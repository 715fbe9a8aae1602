"""All that the simulated functions write to their logs: their lines, those of libraries, and what
Lambda itself would log of an invocation that failed.
"""

import io
import logging
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final
from unittest import mock

from cardroom.compose.connections import connections
from cardroom.ports import Field
from cardroom.signals import PowertoolsSignals
from tests.simulation import cloud as simulation
from tests.simulation.calm import CalmCloud
from tests.simulation.cloud import Cloud, Notes

CARD: Final = re.compile(r"(?<![A-Za-z0-9+/=_-])[2-9TJQKA][cdhs](?![A-Za-z0-9+/=_-])")
"""A card by itself."""
CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs]){3,}")
"""Several as the store has them, one after another."""
HEXADECIMAL: Final = re.compile(r"[0-9a-f]+")
TOKEN: Final = re.compile(r"(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{4}|(?i:bearer)")
"""What a token begins with: JSON in base 64. In the midst of a seal it may stand by chance."""
SERVICE: Final = "overheard"


class Overheard:
    def __init__(self) -> None:
        self.out = io.StringIO()
        self.raised: list[BaseException] = []
        self.bodies: set[str] = set()
        """Of the messages that came."""
        self.clouds: list[Cloud] = []

    @property
    def text(self) -> str:
        """What is in the logs."""
        failures = (line for one in self.raised for line in traceback.format_exception(one))
        return self.out.getvalue() + "".join(failures)

    @property
    def decks(self) -> list[str]:
        """Each deck that was dealt from: 52 cards as text."""
        return [
            item["deck"]["S"]
            for cloud in self.clouds
            for partition, items in cloud.dynamo.partitions.items()
            if partition.startswith("SECRET#")
            for item in items.values()
            if "S" in item.get("deck", {})
        ]

    def told(self, function: str, event: Any) -> None:
        if isinstance(event, dict) and isinstance(event.get("body"), str):
            self.bodies.add(event["body"])

    def search(self) -> None:
        """Raises AssertionError with what must not be there."""
        everything = self.text
        assert not CARD.findall(everything)
        assert not TOKEN.findall(everything)
        runs = (run for run in CARDS.findall(everything) if not HEXADECIMAL.fullmatch(run))
        assert not list(runs)
        for body in self.bodies:
            assert len(body) < 8 or body not in everything


@contextmanager
def overheard() -> Iterator[Overheard]:
    """What the clouds that are made meanwhile write."""
    heard = Overheard()
    # Shared by two functions, and kept from what was simulated before.
    connections.cache_clear()
    log = PowertoolsSignals(SERVICE)
    lines = logging.StreamHandler(heard.out)
    lines.setLevel(logging.WARNING)

    class Written(Notes):
        """Counted as ever, and written too."""

        def note(self, what: str, **fields: Field) -> None:
            log.note(what, **fields)

        def context(self, **fields: Field) -> None:
            log.context(**fields)

        def begin(self, **fields: Field) -> None:
            log.begin(**fields)

        def flush(self) -> None:
            log.flush()

        def count(self, metric: str, value: float = 1, by: str = "") -> None:
            super().count(metric, value, by)
            log.count(metric, value, by)

        def milliseconds(self, metric: str, value: float) -> None:
            log.milliseconds(metric, value)

        def fault(self, where: str, error: BaseException, **fields: Field) -> None:
            super().fault(where, error, **fields)
            log.fault(where, error, **fields)

    made, invoke, call = Cloud.__init__, Cloud.invoke, CalmCloud.call

    def make(cloud: Cloud, *args: Any, **more: Any) -> None:
        made(cloud, *args, **more)
        heard.clouds.append(cloud)

    def invoked(
        cloud: Cloud, function: str, event: Any, done: Callable[[Any], None] = lambda _: None
    ) -> None:
        heard.told(function, event)

        def ended(outcome: Any) -> None:
            if isinstance(outcome, BaseException):
                heard.raised.append(outcome)
            done(outcome)

        invoke(cloud, function, event, ended)

    def called(cloud: CalmCloud, function: str, event: Any) -> Any:
        heard.told(function, event)
        try:
            return call(cloud, function, event)
        except BaseException as failed:
            heard.raised.append(failed)
            raise

    root, ours = logging.getLogger(), logging.getLogger(SERVICE)
    streams = [one for one in ours.handlers if isinstance(one, logging.StreamHandler)]
    # It may be of a test that has ended, and closed: nothing is flushed.
    before = [one.stream for one in streams]
    for one in streams:
        one.stream = heard.out
    root.addHandler(lines)
    try:
        with (
            mock.patch.object(simulation, "Notes", Written),
            mock.patch.object(Cloud, "__init__", make),
            mock.patch.object(Cloud, "invoke", invoked),
            mock.patch.object(CalmCloud, "call", called),
            redirect_stdout(heard.out),
        ):
            yield heard
    finally:
        connections.cache_clear()
        root.removeHandler(lines)
        for handler, stream in zip(streams, before, strict=True):
            handler.stream = stream
