"""RULES 3.1 to 3.3 and 3.8: the order of betting, and no-limit's bets and raises."""

import pytest

from poker_engine.commands import Act
from poker_engine.errors import Code
from poker_engine.events import Acted, TurnBegan
from poker_engine.stakes import no_limit
from poker_engine.state import Cause, Do, Post, Street
from tests.engine.kit import Game, given, opened

ONE_TWO = no_limit("USD", 1, rake="none")


def on_the_flop(stacks: list[int]) -> Game:
    """Everybody called the big blind of 10, and the flop is dealt."""
    game = given(stacks)
    while game.hand.street is Street.PREFLOP:
        may = game.may
        assert may is not None
        game.acts(may.seat, Do.CHECK if may.to_call == 0 else Do.CALL)
    return game


def order_of_turns(game: Game) -> list[int]:
    return [event.seat for event in game.log if isinstance(event, TurnBegan)]


# --- 3.1 order -----------------------------------------------------------------------------------


@pytest.mark.rule("3.1")
def test_pre_flop_the_player_after_the_big_blind_is_first_and_the_blinds_are_last() -> None:
    game = given([100, 100, 100, 100])
    game.play("s2 calls, s3 calls, s0 calls, s1 checks")
    assert order_of_turns(game)[:4] == [2, 3, 0, 1]


@pytest.mark.rule("3.1")
def test_after_the_flop_the_first_player_left_of_the_button_begins_each_street() -> None:
    game = on_the_flop([100, 100, 100])
    for street in (Street.FLOP, Street.TURN, Street.RIVER):
        assert game.hand.street is street
        game.play("s0 checks, s1 checks, s2 checks")
    assert game.hand.over


@pytest.mark.rule("3.1")
def test_whoever_folded_is_passed_over_when_a_street_begins() -> None:
    game = given([100, 100, 100, 100])
    game.play("s2 calls, s3 calls, s0 folds, s1 checks")
    assert game.turn_of == 1
    game.play("s1 folds")
    assert game.turn_of == 2


@pytest.mark.rule("3.1")
def test_a_street_begins_left_of_the_button_also_where_the_button_is_not_in_the_hand() -> None:
    game = opened(seats=5)
    for seat in (0, 1, 4):
        game.sit(f"p{seat}", seat)
    game.deal(
        button=2,
        small_blind=4,
        big_blind=0,
        dealt=(4, 0, 1),
        posts=[(4, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)],
    )
    game.play("s1 calls, s4 calls, s0 checks")
    assert game.turn_of == 4


@pytest.mark.rule("3.1")
def test_the_big_blind_may_check_or_raise_when_all_just_called() -> None:
    game = given([100, 100, 100])
    game.play("s2 calls, s0 calls")
    may = game.options(1)
    assert may.check
    assert (may.verb, may.min_to, may.max_to) == (Do.RAISE, 20, 100)
    game.play("s1 raises 30, s2 calls, s0 calls")
    assert game.hand.street is Street.FLOP


@pytest.mark.rule("3.1")
def test_after_the_big_blinds_raise_all_who_called_have_a_turn_again_and_he_has_none() -> None:
    game = given([100, 100, 100])
    game.play("s2 calls, s0 calls, s1 raises 30")
    assert game.turn_of == 2
    game.play("s2 calls")
    assert game.turn_of == 0
    game.play("s0 calls")
    assert game.turn_of == 0
    assert game.hand.street is Street.FLOP


@pytest.mark.rule("3.1")
def test_a_posted_blind_is_no_action_so_its_owner_may_raise_what_he_posted_into() -> None:
    game = given([100, 100, 15])
    game.play("s2 is all-in")  # to 15, an incomplete raise
    assert game.options(0).min_to == 25
    game.play("s0 calls")
    assert game.options(1).min_to == 25


@pytest.mark.rule("3.1")
def test_a_late_poster_has_not_acted_and_may_check_or_raise() -> None:
    game = opened(seats=4)
    for seat in range(4):
        game.sit(f"p{seat}", seat)
    game.deal(
        button=3,
        small_blind=0,
        big_blind=1,
        dealt=(0, 1, 2, 3),
        posts=[(0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10), (2, Post.LIVE, 10)],
    )
    may = game.options(2)
    assert may.check
    assert may.min_to == 20
    game.play("s2 checks, s3 calls, s0 calls, s1 checks")
    assert game.hand.street is Street.FLOP


@pytest.mark.rule("3.1")
def test_an_automatic_check_is_an_action() -> None:
    game = on_the_flop([100, 100, 17])
    (check,) = [event for event in game.expire() if isinstance(event, Acted)]
    assert (check.do, check.cause) == (Do.CHECK, Cause.EXPIRED)
    game.play("s1 checks")
    game.all_in(2)  # 7, below the minimum bet: it does not open the betting to who checked
    may = game.options(0)
    assert (may.to_call, may.min_to) == (7, None)


@pytest.mark.rule("3.1")
def test_an_action_out_of_turn_is_refused() -> None:
    game = given([100, 100, 100])
    assert game.refuses_act(0, Do.CALL).code is Code.NOT_YOUR_TURN
    assert game.refuses_act(1, Do.FOLD).code is Code.NOT_YOUR_TURN


@pytest.mark.rule("3.1")
def test_an_action_for_a_turn_that_is_over_is_refused() -> None:
    game = given([100, 100])
    late = game.act(1, Do.CALL)
    game.play("s1 calls")
    assert game.refuses(late).code is Code.STALE_TURN
    assert game.refuses(Act("p0", hand=2, turn=2, do=Do.CHECK)).code is Code.STALE_TURN


# --- 3.2 no-limit --------------------------------------------------------------------------------


@pytest.mark.rule("3.2")
def test_a_bet_is_the_big_blind_at_least_and_the_stack_at_most() -> None:
    game = on_the_flop([100, 100, 100])
    may = game.options(0)
    assert (may.verb, may.min_to, may.max_to) == (Do.BET, 10, 90)
    small = game.refuses_act(0, Do.BET, 9)
    assert small.code is Code.AMOUNT_TOO_SMALL
    assert small.facts == {"min_to": 10, "max_to": 90}
    assert game.refuses_act(0, Do.BET, 91).code is Code.AMOUNT_TOO_LARGE
    game.play("s0 bets 10")
    assert game.hand.behind[0] == 80


@pytest.mark.rule("3.2")
def test_every_amount_from_the_minimum_to_the_stack_may_be_bet() -> None:
    for amount in range(10, 91):
        game = on_the_flop([100, 100])
        game.play(f"s0 bets {amount}")
        assert game.hand.price == amount


@pytest.mark.rule("3.2")
def test_with_blinds_1_and_2_the_first_raise_is_to_4_or_more() -> None:
    game = given([100, 100, 100], ONE_TWO)
    assert game.refuses_act(2, Do.RAISE, 3).code is Code.AMOUNT_TOO_SMALL
    game.play("s2 raises 4")
    assert game.options(0).min_to == 6


@pytest.mark.rule("3.2")
def test_a_raise_is_by_the_largest_bet_or_raise_of_the_round_at_least() -> None:
    game = given([1000] * 5)
    game.play("s2 raises 40")  # by 30
    assert game.options(3).min_to == 70
    game.play("s3 raises 110")  # by 70
    assert game.options(4).min_to == 180
    game.play("s4 raises 180")  # by 70 again
    assert game.options(0).min_to == 250


@pytest.mark.rule("3.2")
def test_a_larger_raise_than_the_first_sets_the_minimum_and_a_later_smaller_one_cannot() -> None:
    game = on_the_flop([1000] * 4)
    game.play("s0 bets 200, s1 raises 400")
    assert game.refuses_act(2, Do.RAISE, 599).code is Code.AMOUNT_TOO_SMALL
    game.play("s2 raises 600")


@pytest.mark.rule("3.2")
def test_each_street_begins_with_a_minimum_of_one_big_blind_again() -> None:
    game = given([1000, 1000, 1000])
    game.play("s2 raises 100, s0 calls, s1 calls")
    assert game.options(0).min_to == 10
    game.play("s0 bets 10")
    assert game.options(1).min_to == 20


@pytest.mark.rule("3.2")
def test_the_number_of_raises_has_no_cap() -> None:
    game = given([10_000, 10_000])
    to = 10
    for raise_ in range(40):
        to += 10
        game.acts(1 - raise_ % 2, Do.RAISE, to)
    assert game.options(1).min_to == to + 10


@pytest.mark.rule("3.2")
def test_nobody_may_raise_himself() -> None:
    game = given([100, 100, 100, 100])
    game.play("s2 raises 30, s3 calls, s0 folds, s1 calls")
    assert game.hand.street is Street.FLOP
    game.play("s1 bets 20, s2 calls, s3 calls")
    assert game.hand.street is Street.TURN


@pytest.mark.rule("3.2")
def test_nobody_completes_a_short_all_in_in_no_limit() -> None:
    game = on_the_flop([100, 16, 100])
    game.play("s0 checks, s1 is all-in")  # for 6
    may = game.options(2)
    assert (may.to_call, may.min_to) == (6, 16)
    assert game.refuses_act(2, Do.RAISE, 10).code is Code.AMOUNT_TOO_SMALL


@pytest.mark.rule("3.2")
def test_the_first_amount_put_in_on_a_street_is_a_bet_and_the_next_a_raise() -> None:
    game = on_the_flop([100, 100])
    assert game.refuses_act(0, Do.RAISE, 20).code is Code.CANNOT_RAISE
    game.play("s0 bets 20")
    assert game.refuses_act(1, Do.BET, 40).code is Code.CANNOT_BET
    game.play("s1 raises 40")


@pytest.mark.rule("3.2", "2.4")
def test_a_short_big_blind_changes_neither_price_nor_minimum_raise() -> None:
    game = given([100, 4, 100])
    may = game.options(2)
    assert (may.price, may.to_call, may.min_to) == (10, 10, 20)
    game.play("s2 calls")
    assert game.options(0).to_call == 5
    game.play("s0 raises 20")
    assert game.options(2).min_to == 30


@pytest.mark.rule("3.2")
def test_checking_against_a_bet_and_calling_nothing_are_refused_with_their_codes() -> None:
    game = given([100, 100])
    refusal = game.refuses_act(1, Do.CHECK)
    assert refusal.code is Code.CANNOT_CHECK
    assert refusal.facts == {"to_call": 5}
    game.play("s1 calls")
    assert game.refuses_act(0, Do.CALL).code is Code.NOTHING_TO_CALL


# --- 3.3 all-ins below the minimum ---------------------------------------------------------------


@pytest.mark.rule("3.3")
def test_less_than_the_minimum_bet_may_be_put_in_only_all_in() -> None:
    game = on_the_flop([16, 100])  # 6 left
    may = game.options(0)
    assert (may.min_to, may.max_to) == (6, 6)
    assert game.refuses_act(0, Do.BET, 5).code is Code.AMOUNT_TOO_SMALL
    assert game.refuses_act(0, Do.BET, 7).code is Code.AMOUNT_TOO_LARGE
    game.play("s0 bets 6")


@pytest.mark.rule("3.3")
def test_less_than_the_minimum_raise_may_be_put_in_only_all_in() -> None:
    game = given([100, 100, 38])
    game.play("s2 raises 25")
    assert game.options(0).min_to == 40
    game.play("s0 raises 40, s1 folds")
    may = game.may
    assert may is not None
    assert may.min_to is None  # 38 are below the price of 40: to put all in is to call
    game = given([100, 45, 100])
    game.play("s2 raises 30, s0 calls")
    may = game.options(1)
    assert (may.min_to, may.max_to) == (45, 45)
    assert game.refuses_act(1, Do.RAISE, 44).code is Code.AMOUNT_TOO_SMALL


@pytest.mark.rule("3.3")
def test_an_all_in_below_the_price_is_a_call() -> None:
    game = given([100, 100, 100, 7])
    game.play("s2 raises 30")
    may = game.options(3)
    assert (may.price, may.to_call, may.call_to, may.min_to) == (30, 7, 7, None)
    assert game.refuses_act(3, Do.RAISE, 7).code is Code.CANNOT_RAISE
    game.play("s3 calls")
    assert game.hand.price == 30
    assert game.hand.aggressor == 2


@pytest.mark.rule("3.3")
def test_an_all_in_of_exactly_the_price_is_a_call() -> None:
    game = given([100, 100, 100, 30])
    game.play("s2 raises 30")
    assert game.options(3).min_to is None
    game.play("s3 calls")
    assert game.hand.behind[3] == 0


@pytest.mark.rule("3.3")
def test_an_incomplete_raise_does_not_raise_the_minimum() -> None:
    game = on_the_flop([1000, 160, 1000])
    game.play("s0 bets 100, s1 is all-in")  # to 150: 50 on top
    assert game.options(2).min_to == 250
    game.play("s2 raises 250")  # 100 on top: complete
    assert game.options(0).min_to == 350


@pytest.mark.rule("3.3")
def test_incomplete_raises_that_add_up_open_the_betting_to_the_bettor_but_not_to_the_caller() -> (
    None
):
    game = on_the_flop([1000, 135, 1000, 210, 1000])
    game.play("s0 bets 100, s1 is all-in, s2 calls, s3 is all-in, s4 calls")
    may = game.options(0)  # faces 200 - 100 = 100, a full raise
    assert (may.to_call, may.min_to, may.max_to) == (100, 300, 990)
    game.play("s0 calls")
    may = game.options(2)  # faces 200 - 125 = 75
    assert (may.to_call, may.min_to) == (75, None)
    assert game.refuses_act(2, Do.RAISE, 300).code is Code.CANNOT_RAISE
    game.play("s2 calls")
    assert game.hand.street is Street.TURN


@pytest.mark.rule("3.3")
def test_one_unit_short_of_a_full_raise_leaves_the_betting_closed_to_who_has_acted() -> None:
    for all_in, reopened in ((199, False), (200, True)):
        game = on_the_flop([1000, all_in + 10, 1000])
        game.play("s0 bets 100, s1 is all-in, s2 calls")
        assert (game.options(0).min_to is not None) is reopened


@pytest.mark.rule("3.3")
def test_three_incomplete_raises_in_a_row_are_added_up_for_each_player_by_himself() -> None:
    game = on_the_flop([2000, 150, 2000, 190, 2000, 230])
    # Bet 100, all-in 140, call 140, all-in 180, call 180, all-in 220.
    game.play("s0 bets 100, s1 is all-in, s2 calls, s3 is all-in, s4 calls, s5 is all-in")
    assert game.options(0).min_to == 320  # faces 120
    game.play("s0 calls")
    assert game.options(2).min_to is None  # faces 80
    game.play("s2 calls")
    assert game.options(4).min_to is None  # faces 40
    game.play("s4 calls")
    assert game.hand.street is Street.TURN


@pytest.mark.rule("3.3")
def test_what_a_player_faces_counts_from_his_last_action_only() -> None:
    game = on_the_flop([2000, 150, 2000, 230])
    game.play("s0 bets 100, s1 is all-in, s2 calls, s3 is all-in")  # 140, then 220
    assert game.options(0).min_to == 320
    game.play("s0 calls")
    assert game.options(2).min_to is None  # 80 since his call of 140, though 120 since the bet


@pytest.mark.rule("3.3")
def test_a_full_raise_behind_an_incomplete_one_opens_the_betting_to_all() -> None:
    game = on_the_flop([2000, 135, 2000, 2000])
    game.play("s0 bets 100, s1 is all-in, s2 calls, s3 raises 225")
    assert game.options(0).min_to == 325
    game.play("s0 folds")
    assert game.options(2).min_to == 325  # faces 100: a full raise


@pytest.mark.rule("3.3")
def test_a_full_raise_is_measured_by_the_largest_of_the_round() -> None:
    game = given([2000, 2000, 2000, 2000, 430])
    game.play("s2 raises 50, s3 raises 250, s4 is all-in, s0 folds, s1 folds")  # +200, +180
    assert game.options(2).min_to == 630  # faces 380
    game.play("s2 calls")
    assert game.options(3).min_to is None  # faces 180, the largest raise was 200


@pytest.mark.rule("3.3")
def test_who_called_the_big_blind_may_not_raise_an_incomplete_all_in_but_the_blinds_may() -> None:
    game = given([100, 100, 100, 17])
    game.play("s2 calls, s3 is all-in")
    assert game.options(0).min_to == 27
    game.play("s0 calls")
    assert game.options(1).min_to == 27
    game.play("s1 calls")
    assert game.options(2).min_to is None


@pytest.mark.rule("3.3")
def test_the_big_blind_that_checked_has_acted() -> None:
    game = given([100, 100, 17, 100])
    game.play("s2 calls, s3 calls, s0 calls, s1 checks")
    game.play("s0 checks, s1 checks, s2 is all-in")  # 7, less than the minimum bet
    assert game.options(3).min_to == 17  # has not acted on this street
    game.play("s3 calls")
    assert game.options(0).min_to is None
    game.play("s0 calls")
    assert game.options(1).min_to is None


@pytest.mark.rule("3.3")
def test_who_checked_may_raise_an_opening_all_in_of_the_minimum_bet_or_more() -> None:
    for all_in, may_raise in ((9, False), (10, True), (11, True)):
        game = on_the_flop([100, all_in + 10, 100])
        game.play("s0 checks, s1 is all-in, s2 calls")
        assert (game.options(0).min_to is not None) is may_raise


# --- 3.8 folding ---------------------------------------------------------------------------------


@pytest.mark.rule("3.8")
def test_a_fold_is_allowed_where_a_check_is_free() -> None:
    game = on_the_flop([100, 100, 100])
    game.play("s0 folds, s1 checks, s2 folds")
    assert game.hand.over
    assert game.stacks == [90, 120, 90]


@pytest.mark.rule("3.8")
def test_the_big_blind_may_fold_though_nobody_raised() -> None:
    game = given([100, 100, 100])
    game.play("s2 calls, s0 calls, s1 folds")
    assert game.hand.street is Street.FLOP
    assert game.turn_of == 0


@pytest.mark.rule("3.8")
def test_a_fold_takes_no_notice_of_an_amount() -> None:
    game = given([100, 100])
    game.acts(1, Do.FOLD, 55)
    assert game.stacks == [105, 95]
