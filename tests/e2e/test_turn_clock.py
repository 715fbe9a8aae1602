"""The state machine's own definition on the emulator."""

from concurrent.futures import Future
from typing import Any

import pytest

from poker_engine.codec import load_events
from poker_engine.events import Acted
from poker_engine.state import Cause, Do
from tests.e2e.turn_clock import Outcome

pytestmark = pytest.mark.e2e


def acts(outcome: Outcome) -> list[tuple[Do, Cause]]:
    events = load_events(outcome.after.log)
    return [(event.do, event.cause) for event in events if isinstance(event, Acted)]


@pytest.mark.rule("4.1")
@pytest.mark.rule("4.5")
def test_fold_arrives_when_the_deadline_passes(playing: dict[str, "Future[Any]"]) -> None:
    outcome: Outcome = playing["deadline passes"].result(120)
    hand = outcome.before.table.hand
    assert hand is not None
    assert hand.turn is not None
    assert acts(outcome) == [(Do.FOLD, Cause.EXPIRED)]
    assert outcome.after.version == outcome.before.version + 1
    assert 0 <= outcome.changed_at - hand.turn.expires <= 2_000
    assert outcome.execution == "SUCCEEDED"


@pytest.mark.rule("4.5")
def test_nothing_comes_when_the_player_acted_in_time(playing: dict[str, "Future[Any]"]) -> None:
    outcome: Outcome = playing["acts in time"].result(120)
    assert acts(outcome) == [(Do.FOLD, Cause.OWN)]
    assert outcome.after.version == outcome.before.version
    assert outcome.execution == "SUCCEEDED"
