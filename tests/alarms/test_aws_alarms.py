"""Alarms on AWS's own figures, judged over figures that are made up: whether AWS shows such ones is
seen on AWS alone.
"""

import pytest

from tests.alarms.cloudwatch import MINUTE, Alarm, Figures, Series
from tests.alarms.declared import alarms
from tests.alarms.watched import OURS

START = 1_700_000_000_000 // (15 * MINUTE) * 15 * MINUTE
THEIRS = {name: alarm for name, alarm in alarms().items() if name not in OURS}

CASES = {
    "stream-behind": [("IteratorAge", [2_500, 100, 2_500], [2_500, 100, 100])],
    "dead-letters": [("ApproximateNumberOfMessagesVisible", [0, 1], [0, 0])],
    "authorizer-errors": [("Errors", [1, 1, 1], [1, 1])],
    "function-errors": [("Errors", [5], [4])],
    "functions-throttled": [("Throttles", [2, 3], [2, 2])],
    "table-throttled": [("ReadThrottleEvents", [5], [4]), ("WriteThrottleEvents", [5], [4])],
    "api-errors": [("ExecutionError", [5], [4])],
    "api-refusals": [
        ("ClientError", [20] * 15, [20] * 14),
        ("IntegrationError", [100, 0, 0, 0, 0] * 3, [99, 0, 0, 0, 0] * 3),
    ],
    "archive-errors": [("Errors", [1], [0]), ("Throttles", [1], [0])],
    "turn-clock-failed": [
        ("ExecutionsFailed", [1], [0]),
        ("ExecutionsTimedOut", [1], [0]),
        ("ExecutionThrottled", [1], [0]),
    ],
}
"""Each metric, with figures minute by minute that are too much, and some that are not yet."""


def _series(alarm: Alarm, metric: str) -> list[Series]:
    return [
        query.series
        for query in alarm.queries.values()
        if query.series is not None and query.series.metric == metric
    ]


def _state(alarm: Alarm, series: Series, values: list[float]) -> str:
    """When the period is over in which the last of these was reported."""
    figures = Figures()
    for minute, value in enumerate(values, START // MINUTE):
        figures.values[series][minute].append(value)
    minutes = alarm.period // 60
    ended = -(-len(values) // minutes) * minutes
    return alarm.state(figures, START + ended * MINUTE)


@pytest.mark.parametrize("name", THEIRS)
def test_it_is_quiet_where_nothing_is_reported(name: str) -> None:
    assert THEIRS[name].state(Figures(), START) == "OK"


@pytest.mark.parametrize(
    ("name", "metric", "too_much", "not_yet"),
    [(name, *case) for name, cases in CASES.items() for case in cases],
)
def test_how_much_is_too_much(
    name: str, metric: str, too_much: list[float], not_yet: list[float]
) -> None:
    """Whichever function, index or machine it comes from."""
    found = _series(THEIRS[name], metric)
    assert found
    for series in found:
        assert _state(THEIRS[name], series, too_much) == "ALARM"
        assert _state(THEIRS[name], series, not_yet) == "OK"


def test_each_metric_of_each_alarm_is_tried() -> None:
    watched = {
        name: {query.series.metric for query in alarm.queries.values() if query.series is not None}
        for name, alarm in THEIRS.items()
    }
    watched["function-errors"].remove("SignUpRefused")
    assert {name: {metric for metric, *_ in cases} for name, cases in CASES.items()} == watched


@pytest.mark.parametrize(
    ("errors", "refused", "state"),
    [(9, 9, "OK"), (9, 5, "OK"), (9, 4, "ALARM"), (5, 0, "ALARM"), (0, 9, "OK"), (4, 9, "OK")],
)
def test_refused_sign_ups_are_no_errors_and_hide_none(
    errors: int, refused: int, state: str
) -> None:
    """A refusal is an error of the function, and one refusal that it counts. Of the two figures one
    may be of the period before.
    """
    alarm, figures = THEIRS["function-errors"], Figures()
    for name, value in (("signup", errors), ("refused", refused)):
        series = alarm.queries[name].series
        assert series is not None
        if value:
            figures.values[series][START // MINUTE].append(value)
    assert alarm.state(figures, START + 5 * MINUTE) == state
    # Nor do more refusals than errors take anything from the errors of others.
    series = alarm.queries["command"].series
    assert series is not None
    figures.values[series][START // MINUTE].append(5)
    assert alarm.state(figures, START + 5 * MINUTE) == "ALARM"
