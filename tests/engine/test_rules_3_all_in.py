"""RULES 3.5 to 3.7: raises nobody can match, turns without a choice, what goes back, run-outs."""

import pytest

from poker_engine.errors import Code
from poker_engine.events import BoardDealt, Returned, Shown, TurnBegan
from poker_engine.stakes import fixed_limit
from poker_engine.state import Do, Post, Street
from tests.engine.kit import Game, given, opened

LIMIT = fixed_limit("USD", 20, rake="none")


def turns(game: Game) -> list[int]:
    return [event.seat for event in game.log if isinstance(event, TurnBegan)]


# --- 3.5 -----------------------------------------------------------------------------------------


@pytest.mark.rule("3.5")
def test_no_raise_is_offered_over_the_only_opponents_all_in() -> None:
    game = given([60, 1000])
    game.play("s1 raises 30, s0 is all-in")
    may = game.options(1)
    assert (may.to_call, may.min_to, may.max_to) == (30, None, None)
    assert game.refuses_act(1, Do.RAISE, 200).code is Code.CANNOT_RAISE


@pytest.mark.rule("3.5")
def test_no_raise_is_offered_where_all_opponents_together_have_no_more_than_the_price() -> None:
    game = given([1000, 8, 10])
    game.play("s2 calls")
    assert game.options(0).min_to is None
    game = given([1000, 8, 11])
    game.play("s2 is all-in")  # 11, above the price
    assert game.options(0).min_to is None


@pytest.mark.rule("3.5")
def test_a_raise_is_offered_where_one_opponent_can_put_in_a_single_unit_more() -> None:
    game = given([1000, 11, 10])
    game.play("s2 calls")
    may = game.options(0)
    assert (may.min_to, may.max_to) == (20, 1000)


@pytest.mark.rule("3.5")
def test_a_raise_may_be_more_than_any_opponent_has() -> None:
    game = given([200, 1000], holes={0: "AsAd", 1: "KhKd"}, board="2c7d9hJs3c")
    assert game.options(1).max_to == 1000
    game.play("s1 raises 1000, s0 is all-in")
    assert game.returned == [(1, 800)]
    assert game.stacks == [400, 800]


@pytest.mark.rule("3.5")
def test_chips_of_players_who_folded_do_not_count() -> None:
    game = given([1000, 1000, 60, 1000])
    game.play("s2 raises 30, s3 folds, s0 calls, s1 folds, s0 checks, s2 is all-in")
    assert game.options(0).min_to is None


@pytest.mark.rule("3.5")
def test_an_opponent_who_can_no_more_raise_still_makes_a_raise_worth_offering() -> None:
    game = given([1000, 1000, 1000, 15])
    game.play("s2 calls, s3 is all-in")  # an incomplete raise that is closed to s2
    assert game.options(0).max_to == 1000


@pytest.mark.rule("3.5")
def test_in_fixed_limit_too_no_raise_is_offered_that_nobody_can_match() -> None:
    game = given([1000, 1000, 40], LIMIT)
    game.play("s2 raises 40, s0 folds")
    assert game.options(1).min_to is None


@pytest.mark.rule("3.5")
def test_who_matched_an_all_in_has_no_turn_against_players_without_chips() -> None:
    game = given([10, 1000, 10])
    game.play("s2 calls, s0 is all-in")  # the big blind has matched both
    assert game.hand.over
    assert turns(game) == [2, 0]


@pytest.mark.rule("3.5")
def test_the_big_blind_keeps_his_option_while_one_opponent_has_chips() -> None:
    game = given([1000, 1000, 10])
    game.play("s2 calls, s0 calls")
    assert game.options(1).min_to == 20


@pytest.mark.rule("3.5")
def test_a_short_big_blinds_nominal_price_gives_nobody_a_turn() -> None:
    game = given([3, 1000])  # the button has posted 5 against a big blind of 3
    assert game.hand.over
    assert turns(game) == []
    assert sum(game.stacks) == 1003


@pytest.mark.rule("3.5")
def test_a_small_blind_that_equals_the_short_big_blind_has_no_turn() -> None:
    game = given([5, 1000])
    assert game.hand.over
    assert turns(game) == []


@pytest.mark.rule("3.5")
def test_a_short_big_blind_above_the_small_blind_is_called_at_the_full_price() -> None:
    game = given([7, 1000])
    may = game.options(1)
    assert (may.price, may.to_call, may.min_to) == (10, 5, None)
    game.play("s1 calls")
    assert [event for event in game.last if isinstance(event, Returned)] == [Returned(1, 3)]


@pytest.mark.rule("3.5")
def test_a_small_blind_that_faces_one_player_all_in_below_his_post_has_no_turn() -> None:
    game = given([1000, 4, 3])
    game.play("s2 calls")  # all-in for 3; the big blind is all-in for 4, the small blind put in 5
    assert game.hand.over
    assert turns(game) == [2]


@pytest.mark.rule("3.5")
def test_a_short_call_below_the_big_blind_leaves_the_small_blind_his_turn() -> None:
    game = given([1000, 1000, 4])
    game.play("s2 calls")
    assert game.options(0).to_call == 5  # the big blind behind him has chips
    game.play("s0 folds")
    assert game.hand.over  # and the big blind has matched the all-in of 4


@pytest.mark.rule("3.5")
def test_a_bigger_all_in_behind_gives_the_turn_back() -> None:
    game = given([1000, 30, 20])
    game.play("s2 is all-in, s0 calls, s1 is all-in")
    assert game.options(0).to_call == 10


# --- 3.6 -----------------------------------------------------------------------------------------


@pytest.mark.rule("3.6")
def test_what_nobody_called_goes_back_before_pots_and_rake() -> None:
    game = given([200, 1000])
    game.play("s1 raises 500, s0 folds")
    assert game.returned == [(1, 490)]
    assert game.pots == [20]


@pytest.mark.rule("3.6")
def test_a_folded_players_total_is_the_second_highest_too() -> None:
    game = given([1000, 1000, 1000])
    game.play("s2 raises 100, s0 calls, s1 folds")
    game.play("s0 bets 300, s2 raises 700, s0 folds")
    assert game.returned == [(2, 400)]
    assert game.pots == [810]


@pytest.mark.rule("3.6")
def test_a_walk_gives_the_big_blind_back_what_the_small_blind_did_not_call() -> None:
    game = given([100, 100, 100])
    game.play("s2 folds, s0 folds")
    assert game.returned == [(1, 5)]
    assert game.pots == [10]
    assert game.stacks == [95, 105, 100]


@pytest.mark.rule("3.6")
def test_a_short_all_in_call_sends_the_rest_back_before_the_board_is_dealt() -> None:
    game = given([80, 1000])
    game.play("s1 raises 500, s0 is all-in")
    kinds = [type(event) for event in game.last]
    assert kinds.index(Returned) < kinds.index(BoardDealt)
    assert game.returned == [(1, 420)]
    assert game.pots == [160]


@pytest.mark.rule("3.6")
def test_nothing_goes_back_where_the_highest_total_was_called() -> None:
    game = given([100, 100, 100])
    game.play("s2 is all-in, s0 is all-in, s1 folds")
    assert game.returned == []
    assert game.pots == [210]


@pytest.mark.rule("3.6")
def test_the_highest_total_is_counted_over_all_streets() -> None:
    game = given([1000, 1000, 150])
    game.play("s2 raises 100, s0 calls, s1 calls, s0 bets 60, s1 folds, s2 is all-in")
    assert game.returned == [(0, 10)]
    assert game.pots == [400]


@pytest.mark.rule("3.6")
def test_a_big_blind_that_only_short_stacks_met_is_returned_down_to_the_highest_of_them() -> None:
    game = given([6, 1000, 4])
    game.play("s2 calls, s0 calls")  # 4 and 6 all-in against 10
    assert game.returned == [(1, 4)]
    assert game.pots == [12, 4]


@pytest.mark.rule("3.6")
def test_dead_money_is_neither_returned_nor_counted_as_a_total() -> None:
    game = opened(seats=3, minimum=1, maximum=None)
    for seat in range(3):
        game.sit(f"p{seat}", seat, 100)
    game.deal(
        button=2,
        small_blind=0,
        big_blind=1,
        dealt=(0, 1, 2),
        posts=[
            (0, Post.SMALL_BLIND, 5),
            (1, Post.BIG_BLIND, 10),
            (2, Post.DEAD, 5),
            (2, Post.LIVE, 10),
        ],
    )
    assert game.options(2).check
    game.play("s2 raises 30, s0 folds, s1 folds")
    assert game.returned == [(2, 20)]
    assert game.pots == [30]  # 10 + 10 + 5, and 5 dead
    assert game.stacks == [95, 90, 115]


# --- 3.7 -----------------------------------------------------------------------------------------


@pytest.mark.rule("3.7")
def test_when_all_are_all_in_the_board_is_dealt_without_turns() -> None:
    game = given([100, 100, 100])
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    assert turns(game) == [2, 0, 1]
    assert [event.street for event in game.last if isinstance(event, BoardDealt)] == [
        Street.FLOP,
        Street.TURN,
        Street.RIVER,
    ]
    assert len(game.hand.board) == 5


@pytest.mark.rule("3.7")
def test_when_only_one_player_has_chips_left_the_board_is_dealt_without_turns() -> None:
    game = given([1000, 100, 60])
    game.play("s2 is all-in, s0 raises 110, s1 is all-in")
    assert game.hand.over
    assert len(game.hand.board) == 5


@pytest.mark.rule("3.7")
def test_two_players_with_chips_bet_on_beside_an_all_in() -> None:
    game = given([1000, 1000, 60])
    game.play("s2 is all-in, s0 calls, s1 calls")
    assert game.hand.street is Street.FLOP
    game.play("s0 checks, s1 bets 10, s0 folds")
    assert game.hand.over
    assert len(game.hand.board) == 5  # the one left with chips has nobody to bet against


@pytest.mark.rule("3.7")
def test_a_run_out_from_the_turn_deals_the_river_only() -> None:
    game = given([100, 100])
    game.play("s1 calls, s0 checks, s0 checks, s1 checks, s0 is all-in, s1 is all-in")
    dealt = [event.street for event in game.last if isinstance(event, BoardDealt)]
    assert dealt == [Street.RIVER]


@pytest.mark.rule("3.7")
def test_no_cards_are_dealt_once_a_single_player_is_left() -> None:
    game = given([100, 100])
    game.play("s1 is all-in, s0 folds")
    assert game.hand.board == ()
    assert not [event for event in game.last if isinstance(event, Shown)]


@pytest.mark.rule("3.7")
def test_the_last_one_with_chips_may_still_fold_to_a_side_bet_but_is_not_asked_to_check() -> None:
    game = given([1000, 70, 60])
    game.play("s2 is all-in, s0 calls, s1 is all-in")
    may = game.options(0)
    assert (may.to_call, may.min_to) == (10, None)
    game.acts(0, Do.FOLD)
    assert game.hand.over
    assert game.returned == [(1, 10)]
