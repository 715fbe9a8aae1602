"""The books that a client keeps: folding the pushes gives what a new snapshot shows."""

import json
from itertools import permutations
from typing import Any

import pytest

from local.rehearsal import BEGIN, Rehearsal
from local.table_view import Outcome, TableView
from poker_engine import views
from poker_engine.commands import Void
from poker_engine.decide import Advance, advance
from poker_engine.events import HandStarted
from poker_engine.evolve import open_table
from poker_engine.stakes import PHP_STAKES, Settings, fixed_limit, table_settings

FROM_SNAPSHOTS_ONLY = ("owes",)
"""What one's own seat shows besides."""


def wire(message: dict[str, Any]) -> dict[str, Any]:
    """As it arrives: through JSON."""
    loaded: dict[str, Any] = json.loads(json.dumps(message))
    return loaded


def comparable(state: dict[str, Any]) -> dict[str, Any]:
    kept = {name: part for name, part in state.items() if name != "log"}
    kept["seats"] = [
        seat and {name: part for name, part in seat.items() if name not in FROM_SNAPSHOTS_ONLY}
        for seat in state["seats"]
    ]
    kept.setdefault("hole", [])
    return kept


@pytest.mark.parametrize("viewer", [None, 2], ids=["spectator", "seat 2"])
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(table_settings(PHP_STAKES[1], 5, time_bank_ms=5_000), id="no-limit"),
        pytest.param(table_settings(fixed_limit("USD", 1000), 4), id="limit"),
    ],
)
def test_folded_pushes_equal_a_snapshot(settings: Settings, viewer: int | None) -> None:
    view = TableView("t1", player="" if viewer is None else f"bot-{viewer}")
    before = open_table(settings)
    first = wire(views.snapshot(before, None, None, BEGIN))
    view.load(first["seq"], first["state"], first["now"])
    said = 0
    for step in Rehearsal(settings, seed=11, sleepy=0.1, prepares=0.3).steps(150):
        seat = viewer if viewer is not None and step.table.seats[viewer] is not None else None
        deck = step.deck if views.needs_deck(step.table, seat) else None
        push = wire(views.push(step.table, step.events, seat, deck, before.seq, step.at))
        assert view.push(push) is Outcome.APPLIED
        fresh = wire(views.snapshot(step.table, seat, deck, step.at))
        assert comparable(view.state) == comparable(fresh["state"]), step.events
        assert view.seq == fresh["seq"]
        said += (view.own or {}).get("pre") is not None
        before = step.table
    assert (said > 20) == (viewer is not None)


PRIVATE = {"events": [{"e": "refill_set", "seat": 0, "to": 700}], "own": {"refill": 700}}
LATER = {"events": [{"e": "refill_set", "seat": 0, "to": 900}], "own": {"refill": 900}}


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_what_a_seat_alone_is_told_waits_beside_what_everybody_is(order: tuple[int, ...]) -> None:
    """Both follow on the same push, and two of the first kind have the same numbers."""
    settings = table_settings(PHP_STAKES[0], 3)
    table = open_table(settings)
    start = wire(views.snapshot(table, None, None, BEGIN))
    seated = {"e": "seated", "seat": 0, "player": "ana", "chips": 9_000, "posting": True}
    out = {"e": "sat_out", "seat": 0, "at": BEGIN}
    told = [
        {"before": 1, "seq": 2, "now": BEGIN + 1, "events": [seated]},
        {"before": 2, "seq": 2, "now": BEGIN + 2, **PRIVATE},
        {"before": 2, "seq": 2, "now": BEGIN + 3, **LATER},
        {"before": 2, "seq": 3, "now": BEGIN + 4, "events": [out], "own": LATER["own"]},
    ]
    view = TableView("t1", player="ana")
    view.load(1, start["state"], BEGIN)
    for number in order:
        view.push(wire(told[number]))
        view.push(wire(told[number]))
    assert (view.seq, view.behind) == (3, False)
    assert view.own is not None
    assert (view.own["status"], view.own["refill"]) == ("out", 900)


def test_log_begins_anew_with_each_hand() -> None:
    settings = table_settings(PHP_STAKES[0], 3)
    view = TableView("t1")
    before = open_table(settings)
    view.load(before.seq, wire(views.snapshot(before, None, None, BEGIN))["state"], BEGIN)
    for step in Rehearsal(settings, seed=1).steps(3):
        view.push(wire(views.push(step.table, step.events, None, None, before.seq, step.at)))
        if any(isinstance(event, HandStarted) for event in step.events):
            assert [event["e"] for event in view.log].count("hand_started") == 1
        before = step.table
    assert view.log[0]["e"] == "hand_started"


def test_void_hand_needs_a_new_snapshot() -> None:
    """What a void hand puts back (RULES 9) stands in no event."""
    rehearsal = Rehearsal(table_settings(PHP_STAKES[0], 3), seed=1)
    view = TableView("t1")
    for step in rehearsal.steps(3):
        if step.table.running is None or step.table.running.turns < 3:
            continue
        start = wire(views.snapshot(step.table, None, None, step.at))
        view.load(start["seq"], start["state"], step.at)
        voided = advance(step.table, Void("a fault"), step.at, step.deck)
        assert isinstance(voided, Advance)
        push = views.push(voided.table, voided.events, None, None, step.table.seq, step.at)
        view.push(wire(push))
        stale = [view.stale]
        fresh = wire(views.snapshot(voided.table, None, None, step.at))
        view.load(fresh["seq"], fresh["state"], step.at)
        assert [*stale, view.stale] == [True, False]
        return
    pytest.fail("no hand got that far")
