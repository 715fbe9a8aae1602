"""A finished hand's events as a case."""

from dataclasses import replace

import pytest

from cli.cases import Case, parse_case
from cli.record import NoCaseError, case_of, unraked
from cli.replay import Verdict, replay_case, table_of
from poker_engine.events import HandVoided, PotWon
from poker_engine.state import Table
from tests.cli.hands import own_cases, record


def known(case: Case) -> dict[int, tuple[int, ...]]:
    return {seat: pair for seat, pair in enumerate(case.hole) if pair is not None}


def reversed_case(case: Case, verdict: Verdict, table: Table | None = None) -> Case:
    stakes = (table or table_of(case)).settings.stakes
    stacks = dict(enumerate(case.stacks))
    return case_of(case.id, stakes, stacks, verdict.events, known(case), source=case.source)


def raked(case: Case, schedule: str) -> Table:
    table = table_of(case)
    stakes = replace(table.settings.stakes, rake=schedule)
    return replace(table, settings=replace(table.settings, stakes=stakes))


def same_hand(made: Case, case: Case) -> bool:
    return made == replace(case, unit=made.unit, tags=made.tags)


def test_the_events_of_a_replay_give_the_case_back() -> None:
    compared = 0
    for case in own_cases():
        verdict = replay_case(case)
        if verdict.normalised is None:
            assert same_hand(reversed_case(case, verdict), case)
            compared += 1
    assert compared > 80


@pytest.mark.parametrize("schedule", ["php", "usd"])
def test_a_case_has_the_stacks_without_rake(schedule: str) -> None:
    taken = 0
    for case in own_cases():
        table = raked(case, schedule)
        verdict = replay_case(case, table)
        made = reversed_case(case, verdict, table)
        assert made.final_stacks == case.final_stacks
        taken += any(isinstance(event, PotWon) and event.rake > 0 for event in verdict.events)
    assert taken > 5


@pytest.mark.rule("5.3")
def test_without_rake_the_remainder_goes_to_the_first_winner_left_of_the_button() -> None:
    """51 less a rake of 2: 25 and 24; without it 26 and 25."""
    pot = PotWon(0, 51, 2, (4, 1, 3), ((4, 25), (1, 24)))
    assert dict(unraked(pot, {4: 0, 1: 1, 3: 2})) == {4: 26, 1: 25}


def test_cards_that_were_shown_are_known() -> None:
    """Of folded seats nothing is known, of all others what they turned up."""
    for case in own_cases():
        verdict = replay_case(case)
        stakes = table_of(case).settings.stakes
        made = case_of(case.id, stakes, dict(enumerate(case.stacks)), verdict.events, {})
        folded = {one.seat for one in made.actions if one.do == "fold"}
        if len(folded) == case.seats - 1:
            assert made.hole == (None,) * case.seats
        else:
            assert {seat for seat, pair in enumerate(made.hole) if pair is None} == folded
            assert replay_case(made).difference is None


def test_tags_say_what_is_in_a_hand() -> None:
    tags = {case.id: reversed_case(case, replay_case(case)).tags for case in own_cases()}
    assert tags["worked/case-2"] == ("odd_chip", "showdown", "split_pot", "split_three_or_more")
    assert tags["worked/case-10"] == ("showdown", "side_pots", "two_or_more_side_pots")
    assert tags["worked/dead-button"] == ("dead_button", "walk")
    assert tags["worked/dead-and-live-post"] == ("extra_post", "showdown")
    assert tags["worked/no-small-blind"] == ("no_small_blind",)
    assert tags["worked/big-blind-ante-short"] == ("ante", "showdown", "side_pots")
    assert tags["worked/free-fold"] == ("heads_up",)


def test_a_void_hand_makes_no_case() -> None:
    case = parse_case(record())
    verdict = replay_case(case)
    events = (*verdict.events[:-3], HandVoided(1, 0, "test"))
    with pytest.raises(NoCaseError, match="the hand was void"):
        reversed_case(case, replace(verdict, events=events))


def test_a_hand_that_is_not_over_makes_no_case() -> None:
    case = parse_case(record())
    verdict = replay_case(replace(case, actions=case.actions[:3]))
    with pytest.raises(NoCaseError, match="the hand is not over"):
        reversed_case(case, verdict)


def test_events_without_a_hand_make_no_case() -> None:
    case = parse_case(record())
    with pytest.raises(NoCaseError, match="no hand began"):
        reversed_case(case, replace(replay_case(case), events=()))
