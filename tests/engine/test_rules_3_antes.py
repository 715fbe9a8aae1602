"""RULES 3.9: antes. Blinds 5/10."""

from dataclasses import replace

import pytest

from poker_engine.events import HandStarted, Posted
from poker_engine.stakes import Ante, fixed_limit
from poker_engine.state import Do, Post
from tests.engine.kit import STAKES, given

pytestmark = pytest.mark.rule("3.9")

EACH = replace(STAKES, ante=2)
BY_BIG_BLIND = replace(STAKES, ante=10, ante_by=Ante.BIG_BLIND)


def test_a_table_has_no_ante_unless_it_sets_one() -> None:
    assert STAKES.ante == 0
    game = given([100, 100, 100])
    assert [post for _, post, _ in game.posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]


def test_antes_are_posted_before_the_blinds_from_the_left_of_the_button_on() -> None:
    game = given([100, 100, 100], EACH)
    assert game.posts == [
        (0, Post.ANTE, 2),
        (1, Post.ANTE, 2),
        (2, Post.ANTE, 2),
        (0, Post.SMALL_BLIND, 5),
        (1, Post.BIG_BLIND, 10),
    ]
    assert isinstance(game.last[0], HandStarted)
    assert isinstance(game.last[1], Posted)


def test_an_ante_counts_in_the_total_for_pots_but_not_in_the_price() -> None:
    game = given([100, 100, 100], EACH)
    assert game.hand.totals == (7, 12, 2)
    assert game.hand.bets == (5, 10, 0)
    may = game.options(2)
    assert (may.price, may.to_call, may.min_to, may.max_to) == (10, 10, 20, 98)
    game.play("s2 folds, s0 calls, s1 checks, s0 checks, s1 bets 10, s0 folds")
    assert game.pots == [26]
    assert game.stacks == [88, 114, 98]


def test_a_stack_below_the_ante_is_all_in_with_it_and_plays_for_that_much_of_each() -> None:
    game = given([100, 100, 1], EACH, holes={2: "AsAh", 0: "KsKh", 1: "QsQh"}, board="2c7d9hJs3c")
    assert (2, Post.ANTE, 1) in game.posts
    game.play("s0 calls, s1 checks")
    game.check_down()
    assert game.pots == [3, 22]
    assert game.stacks == [100 - 12 + 22, 88, 3]


def test_a_short_ante_all_in_has_no_turn() -> None:
    game = given([100, 100, 2], EACH)
    assert game.turn_of == 0


def test_a_big_blind_that_the_ante_uses_up_leaves_the_price_as_it_is() -> None:
    game = given([100, 2, 100], EACH)
    assert (1, Post.BIG_BLIND, 0) not in game.posts
    assert game.options(2).to_call == 10


def test_a_big_blind_that_the_ante_leaves_short_changes_neither_price_nor_minimum() -> None:
    game = given([100, 8, 100], EACH)
    assert (1, Post.BIG_BLIND, 6) in game.posts
    may = game.options(2)
    assert (may.to_call, may.min_to) == (10, 20)


def test_matching_takes_the_antes_into_account() -> None:
    # The button put in 2 + 5, the big blind 2 + 3 and is all-in: nothing is left to decide.
    game = given([5, 100], EACH)
    assert game.hand.over
    assert game.returned == [(1, 2)]
    assert game.pots == [10]


def test_the_uncalled_part_is_counted_with_the_antes() -> None:
    game = given([100, 100, 1], EACH)
    game.play("s0 folds")
    # Totals 7, 12 and 1: 5 go back to the big blind, and both pots are settled.
    assert game.returned == [(1, 5)]
    assert game.pots == [3, 12]


def test_a_single_ante_by_the_big_blind_is_dead_money() -> None:
    game = given([100, 100, 100], BY_BIG_BLIND)
    assert game.posts == [
        (1, Post.ANTE, 10),
        (0, Post.SMALL_BLIND, 5),
        (1, Post.BIG_BLIND, 10),
    ]
    assert game.hand.totals == (5, 10, 0)
    assert game.hand.dead == 10
    game.play("s2 folds, s0 folds")
    assert game.returned == [(1, 5)]
    assert game.pots == [20]
    assert game.stacks == [95, 105, 100]


def test_dead_money_is_not_returned_and_goes_to_the_main_pot() -> None:
    game = given(
        [100, 100, 30], BY_BIG_BLIND, holes={2: "AsAh", 0: "KsKh", 1: "QsQh"}, board="2c7d9hJs3c"
    )
    game.play("s2 is all-in, s0 raises 60, s1 calls")
    game.check_down()
    assert game.pots == [100, 60]  # 3 x 30 and the 10, 2 x 30
    assert game.stacks == [100, 30, 100]


def test_a_big_blind_all_in_with_his_single_ante_plays_for_the_dead_money_only() -> None:
    game = given(
        [100, 8, 100], BY_BIG_BLIND, holes={1: "AsAh", 0: "KsKh", 2: "QsQh"}, board="2c7d9hJs3c"
    )
    assert game.posts == [(1, Post.ANTE, 8), (0, Post.SMALL_BLIND, 5)]
    assert game.options(2).to_call == 10
    game.play("s2 calls, s0 calls")
    game.check_down()
    assert game.pots == [8, 20]
    assert game.stacks == [110, 8, 90]


def test_a_big_blind_whose_single_ante_leaves_him_short_posts_the_rest_as_his_blind() -> None:
    game = given([100, 14, 100], BY_BIG_BLIND)
    assert game.posts == [
        (1, Post.ANTE, 10),
        (0, Post.SMALL_BLIND, 5),
        (1, Post.BIG_BLIND, 4),
    ]
    assert game.options(2).to_call == 10


def test_an_ante_is_no_bet_in_fixed_limit_either() -> None:
    game = given([1000, 1000, 1000], replace(fixed_limit("USD", 20, rake="none"), ante=5))
    may = game.options(2)
    assert (may.price, may.min_to, may.max_to) == (20, 40, 40)
    game.acts(2, Do.RAISE, 40)
    assert game.hand.totals[2] == 45
