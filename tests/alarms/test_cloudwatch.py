"""The rules by which CloudWatch judges, as its own pages give them."""

import json

import pytest

from tests.alarms.cloudwatch import MINUTE, Alarm, Figures, Point, Query, Series, computed

NOW = 1_700_000_000_000 // MINUTE * MINUTE
SERIES = Series("Room", "Faults", frozenset({("service", "clock")}))
X = 9.0
"""Beyond the threshold."""


def _alarm(periods: int, to_alarm: int, missing: str, **more: object) -> Alarm:
    query = {"m": Query(SERIES, "Sum")}
    chosen = {"period": 60, "comparison": "GreaterThanThreshold", "threshold": 1.0, **more}
    return Alarm("a", query, "m", periods=periods, to_alarm=to_alarm, missing=missing, **chosen)  # type: ignore[arg-type]


def _line(minute: int = 0, **metrics: float | list[float]) -> str:
    """As Powertools prints it."""
    named = [{"Name": name, "Unit": "Count"} for name in metrics]
    directive = {"Namespace": "Room", "Dimensions": [["service"]], "Metrics": named}
    aws = {"Timestamp": NOW + minute * MINUTE, "CloudWatchMetrics": [directive]}
    return json.dumps({"_aws": aws, "service": "clock", **metrics})


@pytest.mark.parametrize(
    ("points", "breaching", "otherwise"),
    [
        ([0, None, X, None, X], "OK", "OK"),
        ([0, None, None, None, None], "OK", "OK"),
        ([None, None, None, None, None], "ALARM", "OK"),
        ([0, X, X, None, X], "ALARM", "ALARM"),
        ([None, None, X, None, None], "ALARM", "OK"),
    ],
)
def test_three_of_three(points: list[Point], breaching: str, otherwise: str) -> None:
    """The table of the page "Configuring how CloudWatch alarms treat missing data"."""
    assert _alarm(3, 3, "breaching").judged(points) == breaching
    assert _alarm(3, 3, "notBreaching").judged(points) == otherwise


@pytest.mark.parametrize(
    ("points", "breaching", "otherwise"),
    [
        ([0, None, X, None, X], "ALARM", "ALARM"),
        ([0, 0, X, 0, X], "ALARM", "ALARM"),
        ([0, None, X, None, None], "ALARM", "OK"),
        ([None, None, None, None, 0], "ALARM", "OK"),
        ([None, None, None, X, None], "ALARM", "OK"),
    ],
)
def test_two_of_three(points: list[Point], breaching: str, otherwise: str) -> None:
    assert _alarm(3, 2, "breaching").judged(points) == breaching
    assert _alarm(3, 2, "notBreaching").judged(points) == otherwise


def test_a_state_looks_at_periods_that_have_ended() -> None:
    figures = Figures()
    figures.take(_line(Faults=2), NOW)
    alarm = _alarm(1, 1, "notBreaching")
    assert alarm.state(figures, NOW + MINUTE - 1) == "OK"
    assert alarm.state(figures, NOW + MINUTE) == "ALARM"
    # Nothing is reported any more: the last real point counts while it is in range.
    assert alarm.state(figures, NOW + 3 * MINUTE) == "ALARM"
    assert alarm.state(figures, NOW + 4 * MINUTE) == "OK"


def test_a_period_of_minutes_begins_at_a_multiple() -> None:
    five = NOW // (5 * MINUTE) * 5 * MINUTE
    figures = Figures()
    for minute in range(5):
        figures.take(_line(Faults=0.5), five + minute * MINUTE)
    alarm = _alarm(1, 1, "notBreaching", period=300)
    assert alarm.state(figures, five + 4 * MINUTE) == "OK"
    assert alarm.state(figures, five + 5 * MINUTE) == "ALARM"


def test_other_dimensions_are_another_series() -> None:
    figures = Figures()
    figures.take(_line(Faults=[1, 2]).replace("clock", "sweep"), NOW)
    assert figures.point(SERIES, "Sum", NOW // MINUTE, 1) is None
    sweep = Series("Room", "Faults", frozenset({("service", "sweep")}))
    assert figures.point(sweep, "Sum", NOW // MINUTE, 1) == 3


@pytest.mark.parametrize(
    ("statistic", "value"),
    [
        ("Sum", 5050),
        ("Maximum", 100),
        ("Minimum", 1),
        ("Average", 50.5),
        ("SampleCount", 100),
        ("p99", 99),
        ("p50", 50),
    ],
)
def test_statistics(statistic: str, value: float) -> None:
    figures = Figures()
    figures.take(_line(Faults=[float(one) for one in range(100, 0, -1)]), NOW)
    assert figures.point(SERIES, statistic, NOW // MINUTE, 1) == value


def test_logs_are_passed_over() -> None:
    figures = Figures()
    figures.take('{"level": "INFO"}\nSTART\n' + _line(Faults=1), NOW)
    assert list(figures.values) == [SERIES]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("SUM([a, b, none])", 5),
        ("SUM([none])", None),
        ("MAX([a, none, b])", 3),
        ("a + none", None),
        ("100 * a / b", 200 / 3),
        ("a / zero", None),
        ("IF(b >= 3, a, zero)", 2),
        ("IF(b > 3, a, zero)", 0),
        ("IF(none > 3, a, zero)", None),
        ("b - a", 1),
    ],
)
def test_metric_math(expression: str, value: float | None) -> None:
    found: dict[str, Point] = {"a": 2.0, "b": 3.0, "zero": 0.0, "none": None}
    assert computed(expression, found) == (None if value is None else pytest.approx(value))


def test_what_is_not_known_is_not_guessed() -> None:
    with pytest.raises(AssertionError, match="not known here: FILL"):
        computed("FILL(a, 0)", {"a": 1.0})


def test_an_expression_may_be_made_of_others() -> None:
    queries = {
        "share": Query(expression="IF(all >= 3, 100 * bad / all, 0)"),
        "all": Query(expression="SUM([bad, good])"),
        "bad": Query(SERIES, "Sum"),
        "good": Query(Series("Room", "Fine", SERIES.dimensions), "Sum"),
    }
    figures = Figures()
    figures.take(_line(Faults=1, Fine=3), NOW)
    figures.take(_line(Faults=1, Fine=1), NOW + MINUTE)
    alarm = Alarm("a", queries, "share", 60, 1, 1, "GreaterThanThreshold", 20, "notBreaching")
    assert alarm.point(figures, NOW // MINUTE) == 25
    assert alarm.point(figures, NOW // MINUTE + 1) == 0
    assert alarm.point(figures, NOW // MINUTE + 2) is None
