"""`cardroom top`: what is wrong stands at the top, in red, and the rest is there."""

import argparse
import asyncio
import io
import json
from typing import Any

import pytest

from cardroom.metrics import METRICS, Health
from local import top
from local.figures import Figures
from local.log_tail import Line, group_of, milliseconds
from local.page import all_fitted, columns
from local.place import OnAws
from local.stack import Deployed
from local.top_screen import RED, SLOW_MS, TopScreen
from tests.alarms.declared import alarms
from tests.local.emf import metric_line
from tests.local.test_log_tail import FakeLogs
from tests.room.faults import aws_error


class FakeQueues:
    def __init__(self) -> None:
        self.waiting = {"failures": 0, "fanout": 1, "floor": 2}
        self.refuses = False

    def get_queue_attributes(self, **asked: Any) -> dict[str, Any]:
        if self.refuses:
            raise aws_error("ThrottlingException")
        found = {"ApproximateNumberOfMessages": str(self.waiting[asked["QueueUrl"]])}
        return {"Attributes": found | {"ApproximateNumberOfMessagesNotVisible": "0"}}


class FakeRoom(Deployed):
    """With the services that are looked at."""

    @property
    def resources(self) -> dict[str, str]:
        return top.QUEUES


def _room(kind: type[Deployed] = FakeRoom) -> tuple[Deployed, FakeLogs, FakeQueues]:
    logs, queues = FakeLogs(), FakeQueues()
    clients: dict[str, Any] = {"logs": logs, "sqs": queues}
    return kind("", {}, "cardroom", clients), logs, queues


def _put(logs: FakeLogs, function: str, text: str) -> None:
    group = group_of("cardroom", "connect" if function == "connections" else function)
    logs.put(milliseconds(), text, group=group)


def _frame(capsys: pytest.CaptureFixture[str], room: Deployed) -> tuple[int, list[str]]:
    code = top.once(top.Watch(room))
    return code, capsys.readouterr().out.splitlines()


def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = _frame(capsys, _room()[0])
    assert code == 0
    assert lines[0].startswith("cardroom at ")
    assert lines[0].endswith(" UTC, the last 5 minutes")
    assert lines[2] == "All is well."
    assert "queues    failures 0, fanout 1, floor 2" in lines


def test_the_figures_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    room, logs, _ = _room()
    for took in (4, 8, 30):
        counted = ("Accepted", 1), ("CommandTime", took), ("Hands", 1, "PHP"), ("Rake", 50, "PHP")
        _put(logs, "command", metric_line("command", *counted))
    _put(logs, "command", metric_line("command", ("Rejected", 1, "stale_turn"), ("Conflict", 2)))
    gauges = ("SeatedPlayers", 7), ("ActivePlayers", 5), ("OpenTables", 2), ("SlowestTable", 3_400)
    _put(logs, "sweep", metric_line("sweep", *gauges, ("ClockLateness", 8)))
    _put(logs, "sweep", json.dumps({"message": "room", "slowest": "php-5-10-1"}))
    _put(logs, "floor", metric_line("floor", ("Waiting", 4), ("Waiting", 0)))
    _put(logs, "clock", metric_line("clock", ("ClockLateness", 11)))
    pushed = ("PushesSent", 6), ("PushesSent", 5), ("ActionToBroadcast", 21)
    _put(logs, "broadcast", metric_line("broadcast", *pushed, ("PushFailed", 1)))
    _put(logs, "fanout", metric_line("fanout", ("SnapshotsSent", 12), ("ConnectionGone", 1)))
    code, lines = _frame(capsys, room)
    assert code == 0
    text = "\n".join(all_fitted(lines, 400))
    for wanted in (
        "7 seated, 5 of them play, 2 tables open; slowest php-5-10-1: 3.4 s an action",
        "4 in the longest line",
        "36 an hour, rake P1.50 (P18 an hour)",
        "1 a minute, 1 refused",
        "p50 8 p95 30 p99 30, slowest 30 ms",
        "stale_turn 1",
        "conflicts 2, retries 0, ambiguous 0",
        "p50 21 p95 21 p99 21, slowest 21 ms",
        "2 a minute, 5.5 a change; 1 failed, 1 gone",
        "2 snapshots a minute, fan-out 12.0, most 12; 0 dropped",
    ):
        assert wanted.split(", ")[0] in text.replace("\n  ", " ")
    clock = next(line for line in lines if line.startswith("clock"))
    assert "clock 1 (p95 11, most 11 ms)" in clock


@pytest.mark.parametrize(
    "name", [name for name, metric in METRICS.items() if metric.health is Health.FAULT]
)
def test_a_fault_stands_at_the_top_in_red(name: str) -> None:
    now = milliseconds()
    figures = Figures(now - 300_000)
    figures.feed([Line("sweep", now, metric_line("sweep", (name, 3)))], milliseconds())
    page = TopScreen(colour=True).page(figures, "cardroom")
    assert page.table[2].startswith(f"\x1b[{RED}m! {name} 3: ")
    # However small the screen is.
    assert page.lines(3, 300)[1] == page.table[2]


@pytest.mark.parametrize("kind", ["fault", "dead letters", "slow commands", "slow pushes", "crash"])
def test_what_is_wrong_fails_a_script(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    room, logs, queues = _room()
    match kind:
        case "fault":
            _put(logs, "connections", metric_line("connections", ("CallerUnknown", 1)))
        case "dead letters":
            queues.waiting["failures"] = 2
        case "slow commands":
            _put(logs, "command", metric_line("command", ("CommandTime", 1_200)))
        case "slow pushes":
            _put(logs, "broadcast", metric_line("broadcast", ("ActionToBroadcast", 2_200)))
        case _:
            _put(logs, "floor", "[ERROR] Failed: KeyError")
    code, lines = _frame(capsys, room)
    assert code == 1
    assert lines[2].startswith("! ")


def test_it_calls_slow_what_the_alarms_do() -> None:
    watched = {
        query.series.metric: alarm.threshold
        for alarm in alarms().values()
        for query in alarm.queries.values()
        if query.series is not None and query.statistic == "p99" and alarm.looked_at == "m"
    }
    assert watched == SLOW_MS


def test_a_fault_is_told_with_its_place_and_steers_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    room, logs, _ = _room()
    told = {"message": "fault", "where": "store", "kind": "ValueError", "places": ["codec.py:9"]}
    _put(logs, "command", json.dumps({**told, "item": "USER#\x1b[2J / WALLET#PHP"}))
    _, lines = _frame(capsys, room)
    (line,) = [one for one in lines if "store:" in one]
    assert line.endswith("store: ValueError USER#?[2J / WALLET#PHP (codec.py:9)")


@pytest.mark.parametrize("width", [40, 80])
def test_it_fits_the_screen(width: int) -> None:
    now = milliseconds()
    figures = Figures(now - 300_000)
    every = metric_line(
        "sweep",
        *((name, 1, "") for name, metric in METRICS.items() if metric.by is None),
    )
    figures.feed([Line("sweep", now, every)], milliseconds())
    page = TopScreen(colour=False).page(figures, "cardroom", width)
    lines = page.lines(30, width)
    assert len(lines) == 30
    assert all(columns(line) <= width for line in lines)


def test_of_aws_less_is_asked_and_less_often() -> None:
    room, logs, _ = _room(OnAws)
    object.__setattr__(room, "resources", top.QUEUES)
    watch = top.Watch(room)
    watch.look()
    assert watch.seconds > 5
    assert {asked["filterPattern"] for asked in logs.asked} == {top.AWS_PATTERN}


@pytest.mark.parametrize("refused", [False, True], ids=["answered", "asked too often"])
async def test_it_is_drawn_until_q(monkeypatch: pytest.MonkeyPatch, *, refused: bool) -> None:
    """Also where an account has asked CloudWatch so much that it does not answer each time."""
    room, logs, queues = _room()
    watch = top.Watch(room)
    watch.seconds = 0.01
    shown, seen = io.StringIO(), asyncio.Event()

    class FakeTerminal:
        live = colour = False
        width = 80

        def __enter__(self) -> "FakeTerminal":
            return self

        def __exit__(self, *_: object) -> None: ...

        def draw(self, page: Any, prompt: str = "") -> None:
            queues.refuses = refused and not queues.refuses
            shown.write("\n".join(page.table))
            if shown.getvalue().count(" UTC, ") == 2:
                _put(logs, "sweep", metric_line("sweep", ("StuckHands", 1)))
            if "StuckHands" in shown.getvalue():
                seen.set()

        async def lines(self) -> Any:
            yield "what"
            await seen.wait()
            yield "q"

    monkeypatch.setattr(top, "Terminal", FakeTerminal)
    await asyncio.wait_for(top._live(watch), 20)
    assert "! StuckHands 1: " in shown.getvalue()


def test_without_a_room_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    parser = argparse.ArgumentParser()
    top.add_arguments(parser)
    assert top.run(parser.parse_args(["--once"])) == 1
    assert "no room is running here" in capsys.readouterr().err
