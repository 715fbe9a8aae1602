"""Whole hands among faults of every kind: no card, token or message is in what is logged."""

import json

import pytest

from cardroom.metrics import METRICS
from tests.simulation.damage import damage
from tests.simulation.fuzz import fuzz
from tests.simulation.history import run
from tests.simulation.overheard import CARD, TOKEN, Overheard, overheard

SAID = {"command", "broadcast", "clock", "snapshot", "room", "connected"}
LEAST_SEEDS = 2
MOST_SEEDS = 20


def _lines(heard: Overheard) -> list[dict[str, object]]:
    found = (line for line in heard.out.getvalue().splitlines() if line.startswith("{"))
    return [json.loads(line) for line in found]


def test_hands_among_faults_leave_no_card_in_the_log() -> None:
    raised = dealt = False
    said: set[str] = set()
    for seed in range(1, MOST_SEEDS):
        with overheard() as heard:
            ended = run(seed, 1.0)
        assert ended.violation is None
        assert heard.bodies
        said |= {str(line.get("message")) for line in _lines(heard)}
        heard.search()
        raised, dealt = raised or bool(heard.raised), dealt or bool(heard.decks)
        if raised and dealt and said >= SAID and seed >= LEAST_SEEDS:
            return
    pytest.fail("not everything was heard")


def test_damaged_items_leave_nothing_of_theirs_in_the_log() -> None:
    with overheard() as heard:
        damage(seed=2, inputs=12)
    faults = [line for line in _lines(heard) if line.get("message") == "fault"]
    assert {"where", "kind", "places"} <= faults[0].keys()
    assert any("item" in line for line in faults)
    assert heard.decks
    heard.search()


def test_bad_messages_and_odd_events_are_not_repeated_in_the_log() -> None:
    with overheard() as heard:
        fuzz(seed=3, inputs=1_500)
    assert len(heard.bodies) > 500
    heard.search()


def test_it_would_be_found() -> None:
    assert CARD.findall('{"hole": ["Qh", "2c"]} Td.') == ["Qh", "2c", "Td"]
    assert not CARD.findall('{"command": "2ca9", "seq": 25, "connection": "x-2c"}')
    assert TOKEN.findall("bearer.eyJhbGciOi")
    assert TOKEN.findall('{"token": "eyJhbGciOi"}')
    assert not TOKEN.findall("5AChRCuzO2Z5tD8yrzGtoXeyJe9L_bprms")
    for leak in ("As", "deck: AsKhQd", "bearer.x"):
        with overheard() as heard:
            heard.out.write(leak)
        with pytest.raises(AssertionError):
            heard.search()


def test_metrics_of_a_history_are_declared() -> None:
    with overheard() as heard:
        run(4, 1.0)
    found = {
        metric["Name"]
        for line in _lines(heard)
        if isinstance(told := line.get("_aws"), dict)
        for directive in told["CloudWatchMetrics"]
        for metric in directive["Metrics"]
    }
    assert {"Accepted", "Rejected", "ActionToBroadcast", "ClockLateness"} <= found <= set(METRICS)
