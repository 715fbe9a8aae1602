"""Hands that real players played, and hands that other engines once got wrong.

They lie beside the project. Where they are missing these tests say what they leave out; the
project's own hands are always played, in `test_own_cases.py`.
"""

from collections import Counter
from pathlib import Path

import pytest

from bench.hand_files import REAL
from bench.referee import Deviation, compare
from cli.cases import Case, read_cases
from cli.record import case_of
from cli.replay import Tally, replay_case, table_of
from poker_engine.replay import replay

HANDS = {"public.jsonl": 431, "bug_cases.jsonl": 26}


@pytest.fixture(params=HANDS)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    file: Path = REAL / request.param
    if not file.exists():
        pytest.skip(f"{HANDS[request.param]} hands left out: there is no {file.name} beside us")
    found = []
    for case in read_cases(file):
        assert isinstance(case, Case), case
        found.append(case)
    assert len(found) == HANDS[request.param]
    return found


def test_none_differs(cases: list[Case]) -> None:
    tally = Tally()
    for case in cases:
        verdict = replay_case(case)
        tally.add(verdict)
        assert verdict.difference is None, case.id
        assert (verdict.normalised is not None) == ("raise_nobody_can_match" in case.tags), case.id
    assert tally.agree + tally.normalised.total() == len(cases)


def test_the_events_alone_give_the_table(cases: list[Case]) -> None:
    for case in cases:
        verdict = replay_case(case)
        assert replay(verdict.events, table_of(case)) == verdict.table, case.id


def test_the_events_give_the_case_back(cases: list[Case]) -> None:
    """Also that the board holds the cards that the engine dealt, no more and no fewer."""
    for case in cases:
        verdict = replay_case(case)
        if verdict.normalised is not None:
            continue
        made = case_of(
            case.id,
            table_of(case).settings.stakes,
            dict(enumerate(case.stacks)),
            verdict.events,
            {seat: pair for seat, pair in enumerate(case.hole) if pair is not None},
        )
        assert made.posts == case.posts, case.id
        assert made.actions == case.actions, case.id
        assert made.board == case.board, case.id
        assert made.final_stacks == case.final_stacks, case.id


def test_the_referee_comes_to_the_same_stacks(cases: list[Case]) -> None:
    deviations: Counter[Deviation | None] = Counter()
    for case in cases:
        hand = replay_case(case).table.hand
        assert hand is not None
        deviations[compare(case, hand.pots)] += 1
    assert set(deviations) <= {None, Deviation.SHORT_BIG_BLIND}
    assert deviations[Deviation.SHORT_BIG_BLIND] < 0.05 * len(cases)
