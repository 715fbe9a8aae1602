"""What a room's log lines add up to: the figures of the dashboards, of the last minutes."""

import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.metrics import METRICS, NAMESPACE, Health
from local.log_tail import Line

WINDOW_MS: Final = 300_000
HOUR_MS: Final = 3_600_000
TOLD: Final = 5
"""Faults of which the log line is shown."""
CRASHED: Final = re.compile(r"^\[ERROR\]|Task timed out|^Traceback \(most recent call last\)")
"""Lines of Lambda itself, on a function that could not answer: in text, as of the emulator."""
REPORTS: Final = frozenset({"platform.report", "platform.initReport"})
"""The same as JSON, which the template asks of AWS. Of what went well there are none."""

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    at: int
    by: str
    """What it is told apart by; empty where it is by nothing."""
    value: float


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
    crashes: Counter[str] = field(default_factory=Counter)
    """Since it began, by function: invocations that ended without an answer."""
    queues: dict[str, int] = field(default_factory=dict)
    """Messages that wait, by queue."""
    _samples: dict[str, deque[Sample]] = field(default_factory=lambda: defaultdict(deque))
    _told: deque[Told] = field(default_factory=lambda: deque(maxlen=TOLD))

    def feed(self, lines: Iterable[Line], now: int) -> None:
        """Lines that have come, up to now (ms)."""
        self.now = now
        for line in lines:
            found = _read(line.text)
            if found is None:
                if CRASHED.search(line.text):
                    self.crashes[line.function] += 1
            elif found.get("type") in REPORTS:
                self.crashes[line.function] += _failed(found)
            elif "_aws" in found:
                self._count(found)
            elif found.get("message") == "fault":
                self._told.append(_told(line.at, found))
            elif found.get("message") == "room":
                self.slowest = found.get("slowest")
        for samples in self._samples.values():
            while samples and samples[0].at < now - self.window_ms:
                samples.popleft()

    def _count(self, line: Json) -> None:
        try:
            at = int(line["_aws"]["Timestamp"])
            for name, by, values in _values(line):
                self._samples[name] += (Sample(at, by, float(value)) for value in values)
        except (LookupError, TypeError, ValueError):
            # Somebody else's line that says it has metrics.
            return

    # ------------------------------------------------------------------ what they add up to

    @property
    def span_ms(self) -> int:
        """How long the figures are about."""
        return max(1, min(self.window_ms, self.now - self.began))

    def values(self, name: str, by: str | None = None) -> list[float]:
        return [one.value for one in self._samples[name] if by is None or one.by == by]

    def total(self, name: str) -> int:
        return round(sum(self.values(name)))

    def apart(self, name: str) -> dict[str, int]:
        """The total of each of what it is told apart by, the largest first."""
        sums: Counter[str] = Counter()
        for one in self._samples[name]:
            sums[one.by] += round(one.value)
        return dict(sums.most_common())

    def latest(self, name: str) -> int | None:
        samples = self._samples[name]
        return round(samples[-1].value) if samples else None

    def hourly(self, amount: float) -> int:
        return round(amount * HOUR_MS / self.span_ms)

    def per_minute(self, name: str) -> int:
        return round(self.total(name) * 60_000 / self.span_ms)

    def faults(self) -> dict[str, int]:
        """Metrics that are 0 while all is well, and are not."""
        found = {
            name: self.total(name)
            for name, metric in METRICS.items()
            if metric.health is Health.FAULT
        }
        crashed = {f"Lambda {name}": times for name, times in self.crashes.items()}
        dead = {"dead letters": self.queues.get("failures", 0)}
        return {name: times for name, times in {**found, **crashed, **dead}.items() if times}

    def warnings(self) -> dict[str, int]:
        """What is a fault where it lasts."""
        lasting = (name for name, one in METRICS.items() if one.health is Health.LASTING)
        return {name: times for name in lasting if (times := self.total(name))}

    def told(self) -> list[Told]:
        """The last faults, the newest last."""
        return [one for one in self._told if one.at >= self.now - self.window_ms]


def percentile(values: Iterable[float], percent: int) -> int | None:
    """The least value that so many of a hundred are not above."""
    ordered = sorted(values)
    if not ordered:
        return None
    return round(ordered[max(0, -(-len(ordered) * percent // 100) - 1)])


def _read(text: str) -> Json | None:
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
    except ValueError:
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
                yield name, by, values if isinstance(values, list) else [values]


def _told(at: int, line: Json) -> Told:
    places = line.get("places") or [""]
    about = line.get("item") or line.get("table") or line.get("structure") or ""
    return Told(
        at, str(line.get("where", "")), str(line.get("kind", "")), str(about), str(places[-1])
    )
