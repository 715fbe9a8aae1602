"""CloudWatch, as far as this project's alarms use it: series out of the lines that functions print,
and the state of an alarm over them.

The rules are those of CloudWatch's own pages on embedded metrics, metric math, and how alarms treat
missing data.
"""

import ast
import json
import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MINUTE: Final = 60_000
EXTRA: Final = 2
"""Periods before an alarm's own at which CloudWatch looks where points are missing."""

type Point = float | None
"""Of one period; None where nothing was reported."""


@dataclass(frozen=True, slots=True)
class Series:
    """What names a series: the same metric with other dimensions is another one."""

    namespace: str
    metric: str
    dimensions: frozenset[tuple[str, str]]


@dataclass
class Figures:
    """All values that were reported, by series and minute (number since 1970)."""

    values: dict[Series, dict[int, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def take(self, text: str, at: int) -> None:
        """What functions printed at this moment (ms): lines that are no embedded metrics are logs.

        The moment is the caller's, since the lines bear that of the machine on which they ran.
        """
        for line in text.splitlines():
            if not line.startswith("{"):
                continue
            read = json.loads(line)
            for directive in read.get("_aws", {}).get("CloudWatchMetrics", ()):
                self._embedded(read, directive, at // MINUTE)

    def _embedded(self, line: Mapping[str, Any], directive: Mapping[str, Any], minute: int) -> None:
        for names in directive["Dimensions"]:
            dimensions = frozenset((name, line[name]) for name in names)
            for metric in directive["Metrics"]:
                found = line[metric["Name"]]
                series = Series(directive["Namespace"], metric["Name"], dimensions)
                self.values[series][minute] += found if isinstance(found, list) else [found]

    def point(self, series: Series, statistic: str, start: int, minutes: int) -> Point:
        """Over these minutes, the first of them included."""
        found = self.values.get(series, {})
        values = [one for minute in range(start, start + minutes) for one in found.get(minute, ())]
        return _statistic(statistic, values) if values else None


def _statistic(name: str, values: list[float]) -> float:
    match name:
        case "Sum":
            return math.fsum(values)
        case "Maximum":
            return max(values)
        case "Minimum":
            return min(values)
        case "Average":
            return math.fsum(values) / len(values)
        case "SampleCount":
            return len(values)
    assert name.startswith("p"), name
    rank = math.ceil(len(values) * float(name[1:]) / 100)
    return sorted(values)[max(rank, 1) - 1]


@dataclass(frozen=True, slots=True)
class Query:
    """A series and how it is summed up, or an expression over other queries."""

    series: Series | None = None
    statistic: str = ""
    expression: str = ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm as the template declares it; `queries` by their ids, `looked_at` is one of them."""

    name: str
    queries: Mapping[str, Query]
    looked_at: str
    period: int
    """Seconds."""
    periods: int
    to_alarm: int
    """Of `periods`, how many have to be beyond the threshold."""
    comparison: str
    threshold: float
    missing: str
    """What a period without data counts as: `breaching` or `notBreaching`."""

    def point(self, figures: Figures, start: int) -> Point:
        """The value in the period that begins at this minute."""
        return self._of(self.looked_at, figures, start)

    def _of(self, name: str, figures: Figures, start: int) -> Point:
        query = self.queries[name]
        if query.series is not None:
            return figures.point(query.series, query.statistic, start, self.period // 60)
        parts = {part: self._of(part, figures, start) for part in names_of(query.expression)}
        return computed(query.expression, parts)

    def state(self, figures: Figures, now: int) -> str:
        """At this moment (ms): `OK` or `ALARM`, over the periods that have ended."""
        minutes = self.period // 60
        ended = now // MINUTE // minutes * minutes
        starts = [ended - minutes * back for back in range(self.periods + EXTRA, 0, -1)]
        return self.judged([self.point(figures, start) for start in starts])

    def judged(self, points: list[Point]) -> str:
        """Over the points of the evaluation range, the newest last."""
        real = [point for point in points if point is not None][-self.periods :]
        beyond = sum(COMPARISONS[self.comparison](point, self.threshold) for point in real)
        if self.missing == "breaching":
            beyond += self.periods - len(real)
        else:
            assert self.missing == "notBreaching", self.missing
        return "ALARM" if beyond >= self.to_alarm else "OK"


COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "GreaterThanThreshold": operator.gt,
    "GreaterThanOrEqualToThreshold": operator.ge,
    "LessThanThreshold": operator.lt,
    "LessThanOrEqualToThreshold": operator.le,
}
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_COMPARED: Final[Mapping[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def computed(expression: str, points: Mapping[str, Point]) -> Point:
    """Metric math in one period: SUM and MAX of a list pass over what is missing; with anything
    else a missing part makes the whole missing.
    """
    return _computed(ast.parse(expression, mode="eval").body, points)


def _computed(node: ast.expr, points: Mapping[str, Point]) -> Point:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return points[name]
        case ast.BinOp(left=left, op=how, right=right):
            one, other = _computed(left, points), _computed(right, points)
            if one is None or other is None:
                return None
            if isinstance(how, ast.Div):
                return one / other if other else None
            return _ARITHMETIC[type(how)](one, other)
        case ast.Compare(left=left, ops=[how], comparators=[right]):
            one, other = _computed(left, points), _computed(right, points)
            if one is None or other is None:
                return None
            return float(_COMPARED[type(how)](one, other))
        case ast.Call(func=ast.Name(id="IF"), args=[asked, then, otherwise]):
            answer = _computed(asked, points)
            if answer is None:
                return None
            return _computed(then if answer else otherwise, points)
        case ast.Call(func=ast.Name(id="SUM" | "MAX" as name), args=[ast.List(elts=parts)]):
            found = [one for part in parts if (one := _computed(part, points)) is not None]
            if not found:
                return None
            return math.fsum(found) if name == "SUM" else max(found)
    raise AssertionError(f"not known here: {ast.unparse(node)}")


def names_of(expression: str) -> set[str]:
    """The queries that an expression is made of."""
    functions = {"IF", "SUM", "MAX"}
    walked: Iterable[ast.AST] = ast.walk(ast.parse(expression, mode="eval"))
    return {node.id for node in walked if isinstance(node, ast.Name)} - functions
