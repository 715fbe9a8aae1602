"""A room whose figures are kept as CloudWatch would, and what somebody does who is woken by it."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest

from cardroom.metrics import NAMESPACE
from cardroom.models import prime
from cli.main import main
from tests.alarms.cloudwatch import MINUTE, Figures
from tests.alarms.declared import STACK, alarms
from tests.alarms.pages import cardroom, matches, tails
from tests.room.handled import Ports, handle, printed, sample
from tests.room.world import TABLE

OURS = {
    name: alarm
    for name, alarm in alarms().items()
    if all(
        query.series is None or query.series.namespace == NAMESPACE
        for query in alarm.queries.values()
    )
}
"""Alarms on our own figures, by name."""


HALF_HOUR = 30 * MINUTE
SERVICES = {"connect": "connections", "disconnect": "connections"}
"""Of functions whose lines bear another name than their log."""


@dataclass(frozen=True, slots=True)
class Done:
    """A command of a page that was carried out."""

    words: list[str]
    code: int
    said: str


class Watched:
    """Time passes by whole minutes; within one it passes as the test says."""

    def __init__(self, ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ports = ports
        self.figures = Figures()
        self.log: list[dict[str, Any]] = []
        """All lines that are no metrics."""
        # It came a while ago, in a period that has ended.
        self.archive(ports.now - 12 * HALF_HOUR)
        # Whoever waits for something has waited.
        monkeypatch.setattr("cardroom.systemclock.SystemClock.pause", lambda _, ms: self._wait(ms))
        self.client: Any = prime(TABLE).connection.client

    def _wait(self, ms: int) -> None:
        self.ports.now += ms

    def minute(self, happen: Callable[[], object] = lambda: None, *, sweep: bool = True) -> None:
        """A minute in which this happens; the sweep comes at its end."""
        began = self.ports.now
        with printed() as out:
            happen()
            if sweep:
                handle("sweep", sample("sweep"))
        text = out.getvalue()
        self.figures.take(text, began)
        lines = [json.loads(line) for line in text.splitlines()]
        self.log += [line for line in lines if "_aws" not in line]
        self.ports.now = max(self.ports.now, (began // MINUTE + 1) * MINUTE)

    def archive(self, at: int | None = None) -> None:
        """What moves old records comes: at this moment, or now."""
        with printed() as out:
            handle("archive", sample("archive"))
        self.figures.take(out.getvalue(), self.ports.now if at is None else at)
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        self.log += [line for line in lines if "_aws" not in line]

    def half_hours(self, number: int) -> None:
        """So many pass, in each of which it comes; no sweep is looked at."""
        for _ in range(number):
            self.archive()
            self.ports.now += HALF_HOUR

    def minutes(self, number: int, happen: Callable[[], object] = lambda: None) -> None:
        for _ in range(number):
            self.minute(happen)

    def on(self) -> set[str]:
        """The alarms that are on now."""
        now = self.ports.now
        return {name for name, alarm in OURS.items() if alarm.state(self.figures, now) == "ALARM"}

    def quiet_until(self, alarm: str, most: int) -> None:
        """Nothing more happens, and the alarm is back within so many minutes."""
        for _ in range(most):
            if alarm not in self.on():
                return
            self.minute()
        assert alarm not in self.on()

    def play_a_hand(self) -> None:
        """Two sit down, play a hand to its end, and one goes."""
        self.ports.seat("ana", "ben")
        self.ports.stream()
        self.ports.deal()
        self.ports.stream()
        self.ports.play_out()
        self.ports.stream()
        assert self.ports.say("ben", "leave", table="php-5-10", id="b-leave")["type"] == "ok"
        self.ports.stream()

    def follow(self, page: str, **in_place_of: str) -> list[Done]:
        """What the page names of the project's own commands, in its order, with these words in
        place of its examples.
        """
        done: list[Done] = []
        for words in cardroom(page):
            typed = [in_place_of.get(_key(word), word) for word in words]
            said = io.StringIO()
            with redirect_stdout(said), redirect_stderr(said):
                done.append(Done(typed, main(typed), said.getvalue()))
        return done

    def seen(self, page: str) -> list[dict[str, Any]]:
        """What the page's looks into the logs show of what was printed."""
        looks = tails(page)
        return [
            line
            for line in self.log
            if any(
                line["service"] == SERVICES.get(function, function) and matches(pattern, line)
                for function, pattern in looks
            )
        ]

    def item(self, partition: str, sort: str) -> dict[str, Any]:
        key = {"pk": {"S": partition}, "sk": {"S": sort}}
        found: dict[str, Any] = self.client.get_item(TableName=TABLE, Key=key)["Item"]
        return found

    def put(self, item: dict[str, Any]) -> None:
        self.client.put_item(TableName=TABLE, Item=item)

    def delete(self, partition: str, sort: str) -> None:
        key = {"pk": {"S": partition}, "sk": {"S": sort}}
        self.client.delete_item(TableName=TABLE, Key=key)


def _key(word: str) -> str:
    """`php-5-10-1` is given as `php_5_10_1`, a number as `n117`."""
    name = word.replace("-", "_")
    return f"n{name}" if name.isdigit() else name


__all__ = ["OURS", "STACK", "Done", "Watched"]
