"""What log lines add up to, as the functions write them."""

import json
from collections import Counter

import pytest

from cardroom.metrics import METRICS, Health
from local.figures import Figures, Told, Values
from local.log_tail import Line
from local.top_screen import TopScreen
from tests.local.emf import metric_line

NOW = 2_000_000_000_000


def _fed(*texts: str, at: int = NOW - 60_000, now: int = NOW, function: str = "command") -> Figures:
    figures = Figures(NOW - 300_000)
    figures.feed([Line(function, at, _at(text, at)) for text in texts], now)
    return figures


def _at(text: str, at: int) -> str:
    """The line with this moment in it."""
    if '"_aws": {"Timestamp": "x"' in text or '"_aws":{' not in text.replace(" ", ""):
        return text
    line = json.loads(text)
    line["_aws"]["Timestamp"] = at
    return json.dumps(line)


def test_values_are_added_up_and_kept_apart() -> None:
    figures = _fed(
        metric_line("command", ("Rejected", 1, "stale_turn"), ("CommandTime", 7)),
        metric_line("command", ("Rejected", 1, "busy"), ("CommandTime", 9)),
        metric_line("command", ("Rejected", 1, "stale_turn"), ("Accepted", 1)),
        metric_line("clock", ("ClockLateness", 12), ("Hands", 1, "PHP"), ("Rake", 125, "PHP")),
        metric_line("sweep", ("ClockLateness", 4_000), ("Rake", 25, "USD")),
    )
    assert figures.total("Rejected") == 3
    assert figures.apart("Rejected") == {"stale_turn": 2, "busy": 1}
    assert (len(figures.values("CommandTime")), figures.values("CommandTime").total) == (2, 16)
    assert figures.values("ClockLateness", "sweep").most == 4_000
    assert figures.apart("Rake") == {"PHP": 125, "USD": 25}
    assert figures.total("Hands") == 1
    # In five minutes.
    assert figures.hourly(figures.total("Hands")) == 12


def test_what_is_old_counts_no_more() -> None:
    figures = _fed(metric_line("command", ("Accepted", 1)), at=NOW - 299_000)
    assert figures.total("Accepted") == 1
    figures.feed([], NOW + 2_000)
    assert figures.total("Accepted") == 0


def test_a_gauge_is_as_it_was_last() -> None:
    figures = _fed(
        metric_line("sweep", ("SeatedPlayers", 8)), metric_line("sweep", ("SeatedPlayers", 6))
    )
    assert figures.latest("SeatedPlayers") == 6
    assert figures.latest("OpenTables") is None


@pytest.mark.parametrize(
    "name", [name for name, metric in METRICS.items() if metric.health is Health.FAULT]
)
def test_each_fault_is_one(name: str) -> None:
    assert _fed(metric_line("sweep", (name, 2))).faults() == {name: 2}
    assert _fed(metric_line("sweep", (name, 0))).faults() == {}


def test_what_is_no_fault_yet_is_a_warning() -> None:
    figures = _fed(metric_line("sweep", ("Overdue", 1), ("Unpaid", 0), ("Conflict", 3)))
    assert (figures.faults(), figures.warnings()) == ({}, {"Overdue": 1})


def test_a_function_that_cannot_answer_is_a_fault() -> None:
    figures = _fed(
        "[ERROR] Failed: RuntimeError",
        "2030-01-01T00:00:00Z 1-2-3 Task timed out after 10.01 seconds",
        "RequestId: 1 Error: Runtime exited with error: signal: killed",
        "REPORT RequestId: 1 Status: error Error Type: Runtime.ExitError",
        "{not JSON",
    )
    assert figures.faults() == {"Lambda command": 3}
    # No longer than anything else: whoever looks on is not told of it for ever.
    figures.feed([], NOW + 300_000)
    assert figures.faults() == {}


@pytest.mark.parametrize(
    "error",
    ["[ERROR] SignUpRefused: name_taken: no\nTraceback", "Traceback (most recent call last):"],
)
def test_a_name_that_is_refused_is_no_fault(error: str) -> None:
    """To Lambda it is an error, as AWS logs it and as the emulator does."""
    refused = metric_line("signup", ("SignUpRefused", 1))
    assert _fed(error, refused, function="signup").faults() == {}
    assert _fed(error, refused, error, function="signup").faults() == {"Lambda signup": 1}
    assert _fed(refused, function="signup").faults() == {}


@pytest.mark.parametrize(
    ("kind", "status", "crashes"),
    [
        ("platform.report", "timeout", 1),
        ("platform.report", "error", 1),
        ("platform.initReport", "failure", 1),
        ("platform.report", "success", 0),
        # Of the same invocation as the report.
        ("platform.runtimeDone", "error", 0),
    ],
)
def test_it_is_one_also_where_lambda_tells_so_in_json(kind: str, status: str, crashes: int) -> None:
    line = {"time": "2030-01-01T00:00:00Z", "type": kind, "record": {"status": status}}
    assert sum(_fed(json.dumps(line)).faults().values()) == crashes


def test_dead_letters_are_a_fault() -> None:
    figures = _fed()
    figures.queues = {"failures": 3, "floor": 9}
    assert figures.faults() == {"dead letters": 3}


def test_the_last_faults_are_told_by_kind_and_place() -> None:
    line = {"message": "fault", "where": "store", "kind": "ValueError", "item": "USER#a / WALLET"}
    places = {"places": ["store.py:4", "codec.py:5"]}
    figures = _fed(*(json.dumps({**line, **places, "kind": f"E{n}"}) for n in range(7)))
    assert len(figures.told()) == 5
    expected = Told(NOW - 60_000, "store", "E6", "USER#a / WALLET", "codec.py:5")
    assert figures.told()[-1] == expected
    figures.feed([], NOW + 300_000)
    assert figures.told() == []


def test_the_slowest_table_is_the_last_sweep_s() -> None:
    assert _fed(json.dumps({"message": "room", "slowest": "php-5-10"})).slowest == "php-5-10"


@pytest.mark.parametrize(
    "line",
    [
        '{"_aws": 5}',
        '{"_aws": {"Timestamp": "x", "CloudWatchMetrics": []}}',
        '{"_aws": {"Timestamp": 1, "CloudWatchMetrics": [{"Namespace": "Cardroom"}]}}',
        '{"_aws": {"Timestamp": 1, "CloudWatchMetrics": [{"Namespace": "Other", "Metrics": 1}]}}',
        '{"_aws": {"Timestamp": 1e400, "CloudWatchMetrics": []}}',
        '{"_aws": {"CloudWatchMetrics": [{"Namespace": "Cardroom", "Metrics": 5}]}}',
        '{"message": "fault", "places": null}',
        '{"message": "fault", "places": 5}',
        '{"message": "fault", "places": {"a": 1}, "item": [1]}',
        '{"message": "fault", "kind": "\\u001b[2J", "places": ["\\u001b[2J"]}',
        '{"message": "room", "slowest": [1]}',
        '{"message": ["fault"]}',
        '{"a": ' + "[" * 100_000,
        "[]",
        "\x00",
        "",
    ],
    ids=range(16),
)
def test_lines_of_others_do_no_harm(line: str) -> None:
    figures = _fed(line)
    assert figures.faults() == {}
    assert "\x1b" not in str(TopScreen(colour=False).page(figures, "room").table)


@pytest.mark.parametrize(
    "value",
    ["NaN", "-Infinity", "1e999", "1e300", "9" * 400, '"5"', "null", "[]", "{}", "[[1]]", "true"],
    ids=range(11),
)
def test_what_is_no_number_is_not_added_up(value: str) -> None:
    """Of a line the other figures count all the same, each as it is kept and shown."""
    for name, metric in METRICS.items():
        by = () if metric.by is None else ("x",)
        line = json.loads(metric_line("clock", (name, 1, *by), ("HandVoided", 1)))
        line[name] = "here"
        figures = _fed(json.dumps(line).replace('"here"', value))
        assert len(figures.values("HandVoided")) == (name != "HandVoided")
        assert not figures.values(name)
        TopScreen(colour=False).page(figures, "room")


def test_a_moment_that_a_line_makes_up_keeps_nothing_for_ever() -> None:
    line = json.loads(metric_line("sweep", ("StuckHands", 1)))
    line["_aws"]["Timestamp"] = 10**18
    figures = Figures(NOW - 300_000)
    figures.feed([Line("sweep", NOW, json.dumps(line))], NOW)
    assert figures.faults() == {"StuckHands": 1}
    figures.feed([], NOW + 301_000)
    assert figures.faults() == {}


def test_percentiles_are_values_that_were_there() -> None:
    values = Values(Counter(float(number) for number in range(1, 101)))
    assert [values.percentile(percent) for percent in (50, 95, 99, 100)] == [50, 95, 99, 100]
    seven = Values(Counter([7.0, 7.0]))
    assert seven.percentile(50) == seven.percentile(99) == 7
    assert Values(Counter()).percentile(50) is None


def test_of_a_busy_room_no_more_is_kept_than_is_shown() -> None:
    """Ten thousand lines a second for the whole of the window would else be millions of values."""
    figures = Figures(NOW - 300_000)
    texts = [metric_line("command", ("Accepted", 1), ("CommandTime", took)) for took in range(20)]
    for second in range(10):
        at = NOW - (10 - second) * 1_000
        figures.feed([Line("command", at, text) for text in texts * 50], at)
    assert figures.total("Accepted") == len(figures.values("CommandTime")) == 10_000
    assert figures.values("CommandTime").percentile(95) == 18
    kept = sum(
        len(values)
        for seconds in figures._seconds.values()
        for second in seconds.values()
        for values in second.values()
    )
    assert kept == 10 * (1 + 20)
