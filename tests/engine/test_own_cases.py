"""The project's own hands: some worked out by hand, some played by the engine and its referee."""

import pytest

from bench.referee import Deviation, compare
from cli.cases import Case
from cli.replay import Normalised, replay_case, table_of
from poker_engine.events import HandStarted
from poker_engine.replay import replay
from tests.cli.hands import own_cases
from tests.hands.make_seeded import FILE, lines

CASES = own_cases()


@pytest.mark.rule(
    "case 1", "case 2", "case 6", "case 8", "case 9", "case 10",
    "2.4", "2.6", "3.1", "3.3", "3.4", "3.5", "3.6", "3.8", "3.9", "5.2", "5.3",
)  # fmt: skip
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_it_is_played_to_the_recorded_stacks(case: Case) -> None:
    verdict = replay_case(case)
    assert verdict.difference is None
    expected = "raise_nobody_can_match" in case.tags
    assert (verdict.normalised is Normalised.RAISE_NOBODY_CAN_MATCH) == expected


def test_the_events_alone_give_the_table() -> None:
    for case in CASES:
        verdict = replay_case(case)
        assert isinstance(verdict.events[0], HandStarted)
        assert replay(verdict.events, table_of(case)) == verdict.table


def test_the_referee_comes_to_the_same_stacks() -> None:
    deviations = []
    for case in CASES:
        hand = replay_case(case).table.hand
        assert hand is not None
        deviations.append(compare(case, hand.pots))
    assert deviations.count(None) >= 80
    assert deviations.count(Deviation.SHORT_BIG_BLIND) <= 6


def test_the_seeds_still_give_these_hands() -> None:
    assert FILE.read_text(encoding="utf-8").splitlines() == lines()
