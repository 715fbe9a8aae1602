"""The turn clock on the emulator: the state machine's own definition, and when things come."""

import statistics
from concurrent.futures import Future
from typing import Any

import pytest

from poker_engine.codec import load_events
from poker_engine.events import Acted
from poker_engine.state import Cause, Do
from tests.e2e.hand_ends import HANDS, PAUSE_MS, TABLES
from tests.e2e.table_of_six import Played
from tests.e2e.turn_clock import Outcome

pytestmark = pytest.mark.e2e

type Playing = dict[str, Future[Any]]

AT_MOST_MS = 10_000
"""So late may anything be on a machine that does much else."""


def acts(outcome: Outcome) -> list[tuple[Do, Cause]]:
    events = load_events(outcome.after.log)
    return [(event.do, event.cause) for event in events if isinstance(event, Acted)]


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.5")
def test_fold_arrives_when_the_deadline_passes(playing: Playing) -> None:
    outcome: Outcome = playing["deadline passes"].result(120)
    hand = outcome.before.table.hand
    assert hand is not None
    assert hand.turn is not None
    assert acts(outcome) == [(Do.FOLD, Cause.EXPIRED)]
    assert outcome.after.version == outcome.before.version + 1
    assert 0 <= outcome.changed_at - hand.turn.expires <= AT_MOST_MS
    assert outcome.execution == "SUCCEEDED"


@pytest.mark.rule("4.5")
def test_nothing_comes_when_the_player_acted_in_time(playing: Playing) -> None:
    outcome: Outcome = playing["acts in time"].result(120)
    assert acts(outcome) == [(Do.FOLD, Cause.OWN)]
    assert outcome.after.version == outcome.before.version
    assert outcome.execution == "SUCCEEDED"


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.2")
@pytest.mark.rule("4.3")
@pytest.mark.rule("4.5")
def test_silent_player_is_folded_then_removed_by_the_real_clock(playing: Playing) -> None:
    silent: Played = playing["silent"].result(180)
    quiet = silent.received[2].player
    events = silent.received[0].events()
    began: dict[int, int] = {}
    waits = []
    silent_ones = []
    for event, at in events:
        if event["e"] == "turn_began":
            began[event["seat"]] = event["deadline"]
        elif event["e"] == "acted" and event["cause"] == "expired":
            waits.append(at - began[event["seat"]])
            silent_ones.append(event["seat"])
    # Two betting rounds running, in both of which he took no action.
    assert silent_ones == [2, 2]
    # One second of grace, rounded up to a whole second, and the way to here.
    assert all(1_000 <= wait <= 3_500 + AT_MOST_MS for wait in waits), waits
    gone = [event for event, _ in events if event["e"] == "seat_emptied" and event["seat"] == 2]
    assert [(one["player"], one["exit"]) for one in gone] == [(quiet, "removed")]


@pytest.mark.rule("2.1")
def test_next_hand_follows_when_the_pause_is_over(playing: Playing) -> None:
    """A hand that ends one second into a turn, 20 times: nobody waits for the old deadline.

    The pause ends at the nearest whole second.
    """
    waits: list[int] = playing["hand ends"].result(180)
    assert len(waits) >= TABLES * HANDS == 20
    assert all(PAUSE_MS - 500 <= wait <= PAUSE_MS + AT_MOST_MS for wait in waits), sorted(waits)
    assert statistics.median(waits) <= PAUSE_MS + 1_500
