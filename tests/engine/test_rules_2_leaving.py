"""RULES 2.7 and 2.8: leaving, and a table that closes."""

import pytest

from poker_engine.commands import Close, Leave, Sit, SitIn, SitOut, TopUp, When
from poker_engine.errors import Code
from poker_engine.events import (
    Acted,
    Closed,
    Closing,
    Going,
    HandScheduled,
    Planned,
    SeatEmptied,
)
from poker_engine.state import Cause, Do, Exit, Plan
from tests.engine.kit import MINUTE, given, opened, table_of

# --- 2.7 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.7")
def test_between_hands_the_seat_empties_at_once() -> None:
    game = given([500, 500, 500])
    game.fold_out()
    game.leave("p1")
    assert game.last == (SeatEmptied(1, "p1", 505, Exit.LEFT, game.now),)


@pytest.mark.rule("2.7")
def test_who_is_not_in_the_hand_leaves_at_once_too() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit("new", 4, 700)
    game.leave("new")
    assert [(one.seat, one.chips) for one in game.left] == [(4, 700)]


@pytest.mark.rule("2.7")
def test_who_leaves_in_his_turn_is_folded_at_once() -> None:
    game = given([500, 500, 500, 500])
    game.leave("p2")
    assert game.of(Going) == [Going(2, Exit.LEFT)]
    assert game.of(Acted) == [Acted(2, Do.FOLD, 0, 0, Cause.LEAVING)]
    assert game.turn_of == 3


@pytest.mark.rule("2.7")
def test_or_checked_where_that_is_free_and_he_can_still_win() -> None:
    game = given([500, 500], holes={0: "AsAh", 1: "7c2d"}, board="KsQsJh4d5d")
    game.play("s1 calls")
    game.leave("p0")
    assert game.acted == [(0, Do.CHECK), (0, Do.CHECK)]
    for _ in range(3):
        game.acts(1, Do.CHECK)
    assert [(one.player, one.chips) for one in game.left] == [("p0", 510)]


@pytest.mark.rule("2.7")
def test_out_of_turn_his_turns_are_taken_when_they_come() -> None:
    game = given([500, 500, 500, 500])
    game.leave("p0")
    assert game.last == (Going(0, Exit.LEFT),)
    assert game.turn_of == 2
    game.play("s2 calls, s3 calls")
    assert game.acted == [(3, Do.CALL), (0, Do.FOLD)]
    assert game.turn_of == 1


@pytest.mark.rule("2.7")
def test_out_of_turn_he_wins_if_all_the_others_fold_before() -> None:
    game = given([500, 500, 500])
    game.leave("p1")
    game.play("s2 folds, s0 folds")
    assert [(one.player, one.chips) for one in game.left] == [("p1", 505)]


@pytest.mark.rule("2.7")
def test_later_streets_are_checked_until_somebody_bets() -> None:
    game = given([500, 500, 500])
    game.play("s2 calls, s0 calls, s1 checks")
    game.leave("p1")
    assert game.turn_of == 0
    game.acts(0, Do.CHECK)
    assert game.acted == [(0, Do.CHECK), (1, Do.CHECK)]
    game.play("s2 bets 20, s0 folds")
    assert game.acted == [(0, Do.FOLD), (1, Do.FOLD)]
    assert game.hand.over


@pytest.mark.rule("2.7")
def test_an_all_in_stands_and_can_win() -> None:
    game = given([500, 500, 500], holes={2: "AsAh", 0: "KsKh"}, board="2c3d7h8sTd")
    game.play("s2 is all-in")
    game.leave("p2")
    assert game.last == (Going(2, Exit.LEFT),)
    game.play("s0 is all-in, s1 folds")
    assert [(one.player, one.chips) for one in game.left] == [("p2", 1010)]
    assert game.is_empty(2)


@pytest.mark.rule("2.7")
@pytest.mark.rule("5.4")
def test_his_hand_is_turned_up_at_the_showdown() -> None:
    game = given([500, 500, 500])
    game.play("s2 is all-in")
    game.leave("p2")
    game.play("s0 is all-in, s1 folds")
    assert set(game.shown) == {0, 2}


@pytest.mark.rule("2.7")
def test_the_seat_of_one_who_folded_stays_taken_until_the_hand_ends() -> None:
    game = given([500, 500, 500, 500])
    game.play("s2 folds")
    game.leave("p2")
    assert game.last == (Going(2, Exit.LEFT),)
    assert not game.is_empty(2)
    assert game.refuses(Sit("new", 2, 100)).code is Code.SEAT_TAKEN
    assert game.refuses(Sit("p2", 2, 100)).code is Code.ALREADY_SEATED
    game.fold_out()
    assert [(one.player, one.chips) for one in game.left] == [("p2", 500)]


@pytest.mark.rule("2.7")
def test_leaving_in_mid_hand_cannot_be_taken_back() -> None:
    game = given([500, 500, 500, 500])
    game.leave("p0")
    for command in (
        Leave("p0"),
        Leave("p0", When.NEVER),
        SitOut("p0"),
        SitIn("p0"),
        TopUp("p0", 10),
    ):
        assert game.refuses(command).code is Code.LEAVING
    game.play("s2 folds, s3 calls")
    assert (0, Do.FOLD) in game.acted
    assert game.refuses_act(0, Do.CALL).code is Code.LEAVING


@pytest.mark.rule("2.7")
def test_when_all_but_one_leave_the_hand_is_over_at_once() -> None:
    game = given([500, 500, 500])
    game.leave("p0")
    game.leave("p2")
    assert game.hand.over
    assert {one.player for one in game.left} == {"p0", "p2"}
    assert game.seat(1).stack == 505


@pytest.mark.rule("2.7")
@pytest.mark.rule("1.5")
def test_top_ups_leave_with_their_owner() -> None:
    game = given([500, 500, 500], maximum=1000)
    game.top_up("p2", 300)
    game.leave("p2")
    game.fold_out()
    assert [(one.player, one.chips) for one in game.left] == [("p2", 800)]


@pytest.mark.rule("2.7")
def test_who_plans_to_leave_at_the_big_blind_goes_before_he_pays_it() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.leave("p0", When.BIG_BLIND)
    assert game.last == (Planned(0, Plan.LEAVE),)
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 3
    game.fold_out()
    game.next_hand()
    assert [(one.player, one.exit) for one in game.left] == [("p0", Exit.LEFT)]
    assert game.hand.big_blind == 1


@pytest.mark.rule("2.7")
def test_that_plan_can_be_taken_back() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.leave("p3", When.BIG_BLIND)
    game.leave("p3", When.NEVER)
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 3


@pytest.mark.rule("2.7")
def test_who_leaves_at_the_table_where_the_hand_ended_is_not_in_it_any_more() -> None:
    game = given([500, 500, 500])
    game.fold_out()
    game.leave("p2")
    game.sit("new", 2, 500)
    assert not game.hand.live >> 2 & 1


# --- 2.8 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.8")
def test_a_closing_table_finishes_its_hand_and_pays_out() -> None:
    game = given([500, 500, 500], holes={2: "AsAh", 0: "KsKh"}, board="2c3d7h8sTd")
    game.close()
    assert game.last == (Closing(),)
    game.play("s2 raises 100, s0 calls, s1 folds")
    game.check_down()
    assert [(one.player, one.chips, one.exit) for one in game.left] == [
        ("p0", 400, Exit.CLOSED),
        ("p1", 490, Exit.CLOSED),
        ("p2", 610, Exit.CLOSED),
    ]
    assert game.of(Closed) == [Closed()]
    assert game.table.closed
    assert game.of(HandScheduled) == []
    assert game.table.next_hand_at is None


@pytest.mark.rule("2.8")
def test_between_hands_it_pays_out_at_once() -> None:
    game = given([500, 500, 500])
    game.fold_out()
    game.close()
    assert len(game.left) == 3
    assert game.table.closed


@pytest.mark.rule("2.8")
def test_it_takes_no_more_players_and_closes_only_once() -> None:
    game = given([500, 500, 500], maximum=1000)
    game.close()
    assert game.refuses(Sit("new", 0, 500)).code is Code.TABLE_CLOSING
    assert game.refuses(Close()).code is Code.TABLE_CLOSING
    game.fold_out()
    assert game.refuses(Sit("new", 0, 500)).code is Code.TABLE_CLOSING


@pytest.mark.rule("2.8")
def test_those_who_are_not_in_the_hand_are_paid_out_with_the_others() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit("new", 4, 700)
    game.close()
    game.fold_out()
    assert ("new", 700, Exit.CLOSED) in [(one.player, one.chips, one.exit) for one in game.left]


@pytest.mark.rule("2.8")
def test_no_debt_follows_from_it() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.fold_out()
    game.sit_out("p2")
    game.next_hand()
    assert game.owes(2) == (True, False)
    game.close()
    game.fold_out()
    assert all(one.until == 0 for one in game.table.absent)


@pytest.mark.rule("2.8")
def test_nobody_is_put_out_for_sitting_out_by_the_hand_that_closes_the_table() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=1)
    game.fold_out()
    game.sit_out("p3")
    game.next_hand()
    assert game.standing(3).passes == 1
    game.close()
    game.fold_out()
    assert {one.exit for one in game.left} == {Exit.CLOSED}


@pytest.mark.rule("2.8")
def test_who_had_left_before_the_table_closed_left_by_himself() -> None:
    game = given([500, 500, 500])
    game.leave("p0")
    game.close()
    game.fold_out()
    assert {one.player: one.exit for one in game.left} == {
        "p0": Exit.LEFT,
        "p1": Exit.CLOSED,
        "p2": Exit.CLOSED,
    }


@pytest.mark.rule("2.8")
def test_top_ups_that_wait_are_paid_out() -> None:
    game = given([500, 500, 500], maximum=1000)
    game.top_up("p1", 200)
    game.close()
    game.fold_out()
    assert {one.player: one.chips for one in game.left}["p1"] == 705


@pytest.mark.rule("2.8")
def test_a_closing_table_whose_hand_is_void_pays_out_what_was_brought() -> None:
    game = given([500, 500, 500])
    game.play("s2 raises 100")
    game.close()
    game.void()
    assert {one.player: one.chips for one in game.left} == {"p0": 500, "p1": 500, "p2": 500}
    assert game.table.closed


@pytest.mark.rule("2.8")
def test_nothing_is_due_any_more_at_a_closed_table() -> None:
    game = opened()
    game.sit("ann", 0)
    game.sit_out("ann")
    game.close()
    game.wait(10 * MINUTE)
    game.settle_due()
    assert game.of(Closed) == [Closed()]
