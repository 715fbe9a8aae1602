"""The dashboards: bodies that CloudWatch can read, of metrics that are there."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from cardroom.metrics import METRICS, NAMESPACE
from tests.alarms.cloudwatch import Series, names_of
from tests.alarms.declared import STACK, declared
from tests.template.parsed import resources, template
from tests.template.test_alarms import hold_series

DASHBOARDS = resources("AWS::CloudWatch::Dashboard")
EVERY = pytest.mark.parametrize("dashboard", DASHBOARDS)
COLUMNS = 24


def _text(dashboard: str) -> str:
    body: str = DASHBOARDS[dashboard]["Properties"]["DashboardBody"]["Fn::Sub"]
    return body


def _widgets(dashboard: str) -> list[dict[str, Any]]:
    """As CloudWatch gets them; in place of a resource's name, the id that it has here."""
    text = _text(dashboard).replace("${AWS::StackName}", STACK).replace("${AWS::Region}", "r")
    text = re.sub(r"\$\{(\w+(?:\.\w+)?)\}", r"\1", text)
    assert "${" not in text
    widgets: list[dict[str, Any]] = json.loads(text)["widgets"]
    return widgets


def _lines(dashboard: str) -> Iterator[list[Any]]:
    for widget in _widgets(dashboard):
        yield from widget["properties"].get("metrics", ())


def _series(line: list[Any]) -> Series | None:
    names = [one for one in line if isinstance(one, str)]
    if not names:
        return None
    namespace, metric, *rest = names
    dimensions = zip(rest[::2], rest[1::2], strict=True)
    return Series(namespace, metric, frozenset(dimensions))


@EVERY
def test_a_board_can_be_done_without(dashboard: str) -> None:
    """Each costs by the month."""
    assert DASHBOARDS[dashboard]["Condition"] == "HasDashboards"
    assert template()["Conditions"]["HasDashboards"] == {
        "Fn::And": [{"Condition": "IsAws"}, {"Fn::Equals": [{"Ref": "Dashboards"}, "true"]}]
    }


@EVERY
def test_what_a_board_shows_is_there(dashboard: str) -> None:
    shown = [series for line in _lines(dashboard) if (series := _series(line)) is not None]
    assert len(shown) > 10
    for series in shown:
        hold_series(series)


@EVERY
def test_what_a_board_computes_is_made_of_its_own(dashboard: str) -> None:
    for widget in _widgets(dashboard):
        lines = widget["properties"].get("metrics", [])
        options = [line[-1] for line in lines if isinstance(line[-1], dict)]
        ids = {one["id"] for one in options if "id" in one}
        for one in options:
            expression = one.get("expression", "")
            if expression.startswith("SEARCH("):
                searched, dimensions, metric, room = re.findall(
                    r"^SEARCH\('\{(\w+),([\w,]+)\} MetricName=\"(\w+)\" room=\"(\w+)\"'",
                    expression,
                )[0]
                assert (searched, room) == (NAMESPACE, STACK)
                assert tuple(dimensions.split(",")) in METRICS[metric].dimension_sets
            elif expression:
                assert names_of(expression) <= ids


@EVERY
def test_widgets_lie_beside_each_other(dashboard: str) -> None:
    taken: set[tuple[int, int]] = set()
    for widget in _widgets(dashboard):
        columns = range(widget["x"], widget["x"] + widget["width"])
        rows = range(widget["y"], widget["y"] + widget["height"])
        assert columns.stop <= COLUMNS
        place = {(column, row) for column in columns for row in rows}
        assert not taken & place
        taken |= place


@EVERY
def test_gauges_are_not_added_up(dashboard: str) -> None:
    """How many sit at the tables is told each minute: over an hour it is the most of them."""
    gauges = {
        "SeatedPlayers",
        "ActivePlayers",
        "OpenTables",
        "SlowestTable",
        "ChipDifference",
        "Waiting",
        "ArchiveBehind",
    }
    for widget in _widgets(dashboard):
        properties = widget["properties"]
        for line in properties.get("metrics", ()):
            options = line[-1] if isinstance(line[-1], dict) else {}
            if line[0] == NAMESPACE and line[1] in gauges:
                assert options.get("stat", properties["stat"]) == "Maximum"


@EVERY
def test_logs_that_are_searched_are_there(dashboard: str) -> None:
    groups = {
        one["Properties"]["LogGroupName"]["Fn::Sub"].replace("${AWS::StackName}", STACK)
        for one in resources("AWS::Logs::LogGroup").values()
    }
    for widget in _widgets(dashboard):
        if widget["type"] == "log":
            (source,) = re.findall(r"^SOURCE '([^']+)'", widget["properties"]["query"])
            assert source in groups


def test_the_engineers_board_has_every_alarm() -> None:
    shown = {
        arn.removesuffix(".Arn")
        for widget in _widgets("MachineDashboard")
        if widget["type"] == "alarm"
        for arn in widget["properties"]["alarms"]
    }
    assert shown == set(declared())
    for widget in _widgets("RoomDashboard"):
        if widget["type"] == "alarm":
            assert {arn.removesuffix(".Arn") for arn in widget["properties"]["alarms"]} <= shown


def test_every_figure_of_ours_is_on_a_board() -> None:
    shown = {
        series.metric
        for dashboard in DASHBOARDS
        for line in _lines(dashboard)
        if (series := _series(line)) is not None and series.namespace == NAMESPACE
    }
    # Of these no more is to be seen than that somebody floods.
    assert set(METRICS) - shown == {"SlowedDown", "FlooderClosed", "ConnectionRefused"}


def test_who_is_behind_a_share_is_every_function() -> None:
    """Errors, throttling, time, and what they cost."""
    functions = set(resources("AWS::Serverless::Function"))
    for metric in ("Errors", "Throttles", "Duration", "ConcurrentExecutions", "Invocations"):
        shown = [
            series
            for line in _lines("MachineDashboard")
            if (series := _series(line)) is not None and series.metric == metric
        ]
        assert {dict(one.dimensions)["FunctionName"] for one in shown} == functions
    groups = {
        dict(series.dimensions)["LogGroupName"]
        for line in _lines("MachineDashboard")
        if (series := _series(line)) is not None and series.metric == "IncomingBytes"
    }
    assert groups == set(resources("AWS::Logs::LogGroup"))


def test_what_a_function_costs_goes_by_its_memory() -> None:
    """The board reckons with one size for all."""
    sizes = {
        one["Properties"].get("MemorySize")
        for one in resources("AWS::Serverless::Function").values()
    }
    assert sizes == {None}
    assert template()["Globals"]["Function"]["MemorySize"] == 512
    expressions = [
        line[-1]["expression"]
        for line in _lines("MachineDashboard")
        if isinstance(line[-1], dict) and "/ 1000 * 0.5" in line[-1].get("expression", "")
    ]
    assert len(expressions) == 1
