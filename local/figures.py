"""What a room's log lines add up to: the figures of the dashboards, of the last minutes."""

import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.metrics import METRICS, NAMESPACE, Health
from cardroom.spans import HOUR_MS, MINUTE_MS, SECOND_MS
from local.log_tail import Line

WINDOW_MS: Final = 300_000
TOLD: Final = 5
"""Faults of which the log line is shown."""
CRASHED: Final = re.compile(
    r"^\[ERROR\]|Task timed out|Runtime exited|^Traceback \(most recent call last\)"
)
"""Lines of Lambda itself, on a function that could not answer: by an error, for want of time, or of
memory; in text, as of the emulator.
"""
REPORTS: Final = frozenset({"platform.report", "platform.initReport"})
"""The same as JSON, which the template asks of AWS. Of what went well there are none."""
MOST: Final = 10**15
"""Beyond this (either way) nothing is counted: no figure of ours is."""

type Json = dict[str, Any]


class Values:
    """Values that were counted: of many, how often each was there."""

    def __init__(self, often: Counter[float]) -> None:
        self._often = often

    def __len__(self) -> int:
        return self._often.total()

    @property
    def total(self) -> float:
        return sum(value * times for value, times in self._often.items())

    @property
    def most(self) -> float:
        """0 where there is none."""
        return max(self._often, default=0)

    def percentile(self, percent: int) -> int | None:
        """The least value that so many of a hundred are not above."""
        left = -(-len(self) * percent // 100)
        for value in sorted(self._often):
            left -= self._often[value]
            if left <= 0:
                return round(value)
        return None


@dataclass(frozen=True, slots=True)
class Told:
    """A fault, as the log has it."""

    at: int
    where: str
    kind: str
    about: str
    """The item or the table."""
    place: str


@dataclass
class Figures:
    began: int
    """When the figures begin (ms)."""
    window_ms: int = WINDOW_MS
    now: int = 0
    slowest: str | None = None
    """The table that the last sweep found slowest."""
    queues: dict[str, int] = field(default_factory=dict)
    """Messages that wait, by queue."""
    _seconds: dict[str, dict[int, dict[str, Counter[float]]]] = field(default_factory=dict)
    """By metric, second, and what it is told apart by, which is empty where it is by nothing."""
    _latest: dict[str, tuple[int, float]] = field(default_factory=dict)
    """By metric: when the last value came, and which."""
    _crashes: dict[int, Counter[str]] = field(default_factory=dict)
    """By second and function: invocations that ended without an answer."""
    _told: deque[Told] = field(default_factory=lambda: deque(maxlen=TOLD))

    def feed(self, lines: Iterable[Line], now: int) -> None:
        """Lines that have come, up to now (ms)."""
        self.now = now
        for line in lines:
            found = _read(line.text)
            if found is None:
                if CRASHED.search(line.text):
                    self._crash(line, now)
            elif found.get("type") in REPORTS:
                if _failed(found):
                    self._crash(line, now)
            elif "_aws" in found:
                self._count(found, min(line.at, now))
            elif found.get("message") == "fault":
                self._told.append(_told(min(line.at, now), found))
            elif found.get("message") == "room":
                slowest = found.get("slowest")
                self.slowest = slowest if isinstance(slowest, str) else None
        ends = (now - self.window_ms) // SECOND_MS
        _forget(self._crashes, ends)
        for seconds in self._seconds.values():
            _forget(seconds, ends)

    def _crash(self, line: Line, now: int) -> None:
        second = min(line.at, now) // SECOND_MS
        self._crashes.setdefault(second, Counter())[line.function] += 1

    def _count(self, line: Json, at: int) -> None:
        """At the moment of the line: that which it names is only its own word."""
        try:
            for name, by, values in _values(line):
                if not values:
                    continue
                second = self._seconds.setdefault(name, {}).setdefault(at // SECOND_MS, {})
                second.setdefault(by, Counter()).update(values)
                if at >= self._latest.get(name, (0, 0))[0]:
                    self._latest[name] = (at, values[-1])
        except (LookupError, TypeError):
            # Somebody else's line that says it has metrics.
            return

    # ------------------------------------------------------------------ what they add up to

    @property
    def span_ms(self) -> int:
        """How long the figures are about."""
        return max(1, min(self.window_ms, self.now - self.began))

    def values(self, name: str, by: str | None = None) -> Values:
        often: Counter[float] = Counter()
        for second in self._seconds.get(name, {}).values():
            for other, values in second.items():
                if by is None or other == by:
                    often.update(values)
        return Values(often)

    def total(self, name: str) -> int:
        return round(self.values(name).total)

    def apart(self, name: str) -> dict[str, int]:
        """The total of each of what it is told apart by, the largest first."""
        sums: Counter[str] = Counter()
        for second in self._seconds.get(name, {}).values():
            for by, values in second.items():
                sums[by] += round(Values(values).total)
        return dict(sums.most_common())

    def latest(self, name: str) -> int | None:
        at, value = self._latest.get(name, (0, 0))
        return round(value) if at >= max(1, self.now - self.window_ms) else None

    def hourly(self, amount: float) -> int:
        return round(amount * HOUR_MS / self.span_ms)

    def per_minute(self, name: str) -> int:
        return round(self.total(name) * MINUTE_MS / self.span_ms)

    def faults(self) -> dict[str, int]:
        """Metrics that are 0 while all is well, and are not."""
        found = {
            name: self.total(name)
            for name, metric in METRICS.items()
            if metric.health is Health.FAULT
        }
        crashes = sum(self._crashes.values(), Counter[str]())
        # A user pool is told no in no other way than by an error.
        crashes["signup"] -= self.total("SignUpRefused")
        crashed = {f"Lambda {name}": times for name, times in crashes.items()}
        dead = {"dead letters": self.queues.get("failures", 0)}
        return {name: times for name, times in {**found, **crashed, **dead}.items() if times > 0}

    def warnings(self) -> dict[str, int]:
        """What is a fault where it lasts."""
        lasting = (name for name, one in METRICS.items() if one.health is Health.LASTING)
        return {name: times for name in lasting if (times := self.total(name))}

    def told(self) -> list[Told]:
        """The last faults, the newest last."""
        return [one for one in self._told if one.at >= self.now - self.window_ms]


def _forget(seconds: dict[int, Any], before: int) -> None:
    for second in [one for one in seconds if one < before]:
        del seconds[second]


def _read(text: str) -> Json | None:
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _failed(report: Json) -> bool:
    """By Lambda's own report of an invocation, or of the start of a function."""
    record = report.get("record")
    return isinstance(record, dict) and record.get("status") != "success"


def _values(line: Json) -> Iterator[tuple[str, str, list[float]]]:
    """Of a line of metrics those of ours: name, what it is told apart by, values."""
    for directive in line["_aws"]["CloudWatchMetrics"]:
        if directive["Namespace"] != NAMESPACE:
            continue
        for metric in directive["Metrics"]:
            name = metric["Name"]
            declared = METRICS.get(name)
            if declared is not None:
                by = "" if declared.by is None else str(line[str(declared.by)])
                values = line[name]
                listed = values if isinstance(values, list) else [values]
                yield name, by, [value for value in listed if _is_figure(value)]


def _is_figure(value: object) -> bool:
    """Whether it is a number that can be added up, as all of ours are."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MOST


def _told(at: int, line: Json) -> Told:
    places = line.get("places")
    place = places[-1] if isinstance(places, list) and places else ""
    about = line.get("item") or line.get("table") or line.get("structure") or ""
    return Told(at, str(line.get("where", "")), str(line.get("kind", "")), str(about), str(place))
