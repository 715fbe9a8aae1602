"""RULES 3.4: fixed-limit. The lower limit is 20 and the upper 40 unless a test says otherwise."""

from dataclasses import replace

import pytest

from poker_engine.errors import Code
from poker_engine.stakes import Stakes, fixed_limit
from poker_engine.state import Do, Street
from tests.engine.kit import Game, given

pytestmark = pytest.mark.rule("3.4")

LIMIT = fixed_limit("USD", 20, rake="none")
ODD = replace(LIMIT, small_blind=12, big_blind=25, small_bet=25, big_bet=50)
"""Half a bet is 12.5."""


def on_the_flop(stacks: list[int], stakes: Stakes = LIMIT) -> Game:
    """Everybody called the big blind, and the flop is dealt."""
    game = given(stacks, stakes)
    until(game, Street.FLOP)
    return game


def until(game: Game, street: Street) -> None:
    while game.hand.street is not street:
        may = game.may
        assert may is not None
        game.acts(may.seat, Do.CHECK if may.to_call == 0 else Do.CALL)


def raise_to(game: Game) -> int | None:
    """The only amount to which the seat whose turn it is may bet or raise; None if to none."""
    may = game.may
    assert may is not None
    assert may.min_to == may.max_to
    return may.min_to


def test_bets_are_of_the_lower_limit_pre_flop_and_on_the_flop_of_the_upper_on_turn_and_river() -> (
    None
):
    game = given([1000, 1000], LIMIT)
    assert raise_to(game) == 40
    for street, bet in ((Street.FLOP, 20), (Street.TURN, 40), (Street.RIVER, 40)):
        until(game, street)
        assert raise_to(game) == bet
        game.acts(0, Do.BET, bet)
        assert raise_to(game) == 2 * bet


def test_any_other_amount_is_refused() -> None:
    game = on_the_flop([1000, 1000])
    assert game.refuses_act(0, Do.BET, 19).code is Code.AMOUNT_TOO_SMALL
    assert game.refuses_act(0, Do.BET, 21).code is Code.AMOUNT_TOO_LARGE
    game.play("s0 bets 20")
    assert game.refuses_act(1, Do.RAISE, 39).code is Code.AMOUNT_TOO_SMALL
    assert game.refuses_act(1, Do.RAISE, 41).code is Code.AMOUNT_TOO_LARGE


def test_one_bet_and_three_raises_are_the_most_of_a_round() -> None:
    game = on_the_flop([1000, 1000, 1000])
    game.play("s0 bets 20, s1 raises 40, s2 raises 60, s0 raises 80")
    may = game.options(1)
    assert (may.to_call, may.min_to) == (40, None)
    assert game.refuses_act(1, Do.RAISE, 100).code is Code.CANNOT_RAISE
    game.play("s1 calls, s2 calls")
    assert game.hand.street is Street.TURN


def test_pre_flop_the_big_blind_is_the_first_bet() -> None:
    game = given([1000, 1000, 1000], LIMIT)
    game.play("s2 raises 40, s0 raises 60, s1 raises 80")
    assert raise_to(game) is None


def test_a_short_big_blind_is_the_first_bet_in_full() -> None:
    game = given([1000, 13, 1000], LIMIT)
    assert game.options(2).to_call == 20
    assert raise_to(game) == 40
    game.play("s2 raises 40, s0 raises 60, s2 raises 80")
    assert raise_to(game) is None


def test_each_round_has_its_own_cap() -> None:
    game = given([1000, 1000, 1000], LIMIT)
    game.play("s2 raises 40, s0 raises 60, s1 raises 80, s2 calls, s0 calls")
    game.play("s0 bets 20, s1 raises 40, s2 raises 60, s0 raises 80")
    assert raise_to(game) is None


def test_at_the_cap_even_an_all_in_is_no_more_than_a_call() -> None:
    game = on_the_flop([1000, 1000, 110])
    game.play("s0 bets 20, s1 raises 40, s2 raises 60, s0 raises 80, s1 calls")
    may = game.options(2)  # has 30 left, the call takes 20
    assert (may.to_call, may.min_to) == (20, None)


def test_heads_up_has_the_same_cap_by_default() -> None:
    game = given([1000, 1000], LIMIT)
    game.play("s1 raises 40, s0 raises 60, s1 raises 80")
    assert raise_to(game) is None


def test_a_table_may_lift_the_cap_heads_up() -> None:
    game = given([1000, 1000], LIMIT, uncapped_heads_up=True)
    game.play("s1 raises 40, s0 raises 60, s1 raises 80, s0 raises 100, s1 raises 120")
    assert raise_to(game) == 140


def test_the_lifted_cap_applies_when_the_others_fold_before_it_is_reached() -> None:
    game = given([1000, 1000, 1000], LIMIT, uncapped_heads_up=True)
    game.play("s2 raises 40, s0 raises 60, s1 folds, s2 raises 80")
    assert raise_to(game) == 100


def test_a_round_that_is_capped_stays_capped_when_a_fold_leaves_two() -> None:
    game = given([1000, 1000, 1000], LIMIT, uncapped_heads_up=True)
    game.play("s2 raises 40, s0 raises 60, s1 raises 80, s2 folds")
    assert raise_to(game) is None
    game.play("s0 calls, s0 bets 20, s1 raises 40, s0 raises 60, s1 raises 80")
    assert raise_to(game) == 100


def test_with_a_third_player_all_in_the_cap_stands() -> None:
    game = given([1000, 1000, 20], LIMIT, uncapped_heads_up=True)
    game.play("s2 calls, s0 raises 40, s1 raises 60, s0 raises 80")
    assert raise_to(game) is None


def test_an_all_in_of_half_a_bet_more_is_a_full_bet() -> None:
    game = on_the_flop([1000, 52, 1000, 1000])
    game.play("s0 bets 20, s1 is all-in")  # 32: 12 more than the bet
    assert raise_to(game) == 52
    game.play("s2 raises 52")
    assert raise_to(game) == 72
    game.play("s3 raises 72")  # 20, 32, 52, 72: one bet and three raises
    assert raise_to(game) is None


def test_an_all_in_of_exactly_half_a_bet_more_is_a_full_bet() -> None:
    game = on_the_flop([1000, 50, 1000])
    game.play("s0 bets 20, s1 is all-in")  # 30
    assert raise_to(game) == 50
    game.play("s2 calls")
    assert raise_to(game) == 50  # the bettor faces half a bet more


def test_below_half_a_bet_those_yet_to_act_may_complete() -> None:
    game = on_the_flop([1000, 45, 1000, 1000])
    game.play("s0 bets 20, s1 is all-in")  # 25
    assert raise_to(game) == 40
    game.play("s2 calls")
    assert raise_to(game) == 40
    game.play("s3 calls")
    assert raise_to(game) is None  # s0 has acted and faces 5


def test_an_opening_all_in_below_half_a_bet_may_be_completed_to_one_bet() -> None:
    game = on_the_flop([29, 1000, 1000])
    game.play("s0 is all-in")  # 9
    assert raise_to(game) == 20
    game.play("s1 raises 20")
    assert raise_to(game) == 40


def test_who_checked_may_not_complete_an_opening_all_in_below_half_a_bet() -> None:
    for all_in, may_raise_to in ((9, None), (10, 30), (15, 35)):
        game = on_the_flop([1000, 20 + all_in, 1000])
        game.play("s0 checks, s1 is all-in, s2 calls")
        assert raise_to(game) == may_raise_to


def test_a_completion_counts_towards_the_cap_and_what_it_completes_does_not() -> None:
    game = on_the_flop([29, 1000, 1000, 1000])
    game.play("s0 is all-in, s1 raises 20, s2 raises 40, s3 raises 60, s1 raises 80")
    assert raise_to(game) is None


def test_a_completion_opens_the_betting_to_all_who_face_half_a_bet_more() -> None:
    game = on_the_flop([1000, 45, 1000, 1000])
    game.play("s0 bets 20, s1 is all-in, s2 calls, s3 raises 40")
    assert raise_to(game) == 60  # s0 faces 20
    game.play("s0 calls")
    assert raise_to(game) == 60  # s2 faces 15


def test_all_ins_below_half_a_bet_add_up_to_a_full_bet() -> None:
    game = on_the_flop([1000, 45, 49, 50, 1000])
    game.play("s0 bets 20, s1 is all-in, s2 is all-in")  # 25, 29
    assert game.hand.raises == 1
    game.play("s3 is all-in")  # 30: half a bet above the last full bet of 20
    assert game.hand.raises == 2
    assert raise_to(game) == 50


def test_who_acted_may_raise_only_if_he_faces_half_a_bet_more_since() -> None:
    for second, reopened in ((34, False), (35, True)):
        game = on_the_flop([1000, 45, 1000, second + 20])
        game.play("s0 bets 20, s1 is all-in, s2 calls, s3 is all-in")  # 25, then 34 or 35
        assert raise_to(game) == second + 20  # s0 faces 14 or 15
        game.play("s0 calls")
        assert raise_to(game) == (second + 20 if reopened else None)  # s2 faces 9 or 10


def test_with_an_odd_bet_half_a_unit_counts() -> None:
    for all_in, full in ((37, False), (38, True)):  # 12 and 13 on top of 25
        game = on_the_flop([1000, 25 + all_in, 1000], ODD)
        game.play("s0 bets 25, s1 is all-in")
        assert raise_to(game) == (all_in + 25 if full else 50)
        game.play("s2 calls")
        assert (raise_to(game) is not None) is full


def test_the_last_raise_before_the_cap_may_be_a_completion() -> None:
    game = on_the_flop([1000, 1000, 85, 1000])
    game.play("s0 bets 20, s1 raises 40")
    assert game.options(2).min_to == 60
    game.play("s2 raises 60, s3 calls, s0 calls, s1 calls")
    game = on_the_flop([1000, 1000, 1000, 85])
    game.play("s0 bets 20, s1 raises 40, s2 raises 60, s3 is all-in")  # 65
    assert raise_to(game) == 80
    game.play("s0 raises 80")  # faces 45; completes to the cap
    assert raise_to(game) is None


def test_an_all_in_at_the_third_raise_of_half_a_bet_caps_the_round() -> None:
    game = on_the_flop([1000, 1000, 1000, 91])
    game.play("s0 bets 20, s1 raises 40, s2 raises 60, s3 is all-in")  # 71
    assert raise_to(game) is None


def test_an_all_in_over_the_big_blind_follows_the_same_rule() -> None:
    game = given([1000, 1000, 29, 1000], LIMIT)
    game.play("s2 is all-in")  # 29: below half a bet more
    assert raise_to(game) == 40
    game.play("s3 calls, s0 calls")
    assert raise_to(game) == 40  # the big blind has not acted
    game = given([1000, 1000, 1000, 29], LIMIT)
    game.play("s2 calls, s3 is all-in, s0 folds, s1 calls")
    assert raise_to(game) is None  # s2 called and faces 9


def test_a_stack_below_a_full_raise_may_go_all_in_for_its_exact_amount_only() -> None:
    game = on_the_flop([1000, 53])
    game.play("s0 bets 20")
    may = game.options(1)
    assert (may.min_to, may.max_to) == (33, 33)
    assert game.refuses_act(1, Do.RAISE, 32).code is Code.AMOUNT_TOO_SMALL
    assert game.refuses_act(1, Do.RAISE, 40).code is Code.AMOUNT_TOO_LARGE
