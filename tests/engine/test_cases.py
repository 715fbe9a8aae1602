"""The worked cases of the rules, and faults that other engines shipped, as small examples.

Amounts are minor units; s0 is the first seat left of the button. Case 11 is about coming back to a
table and is proven with section 1's rules.
"""

from dataclasses import replace

import pytest

from poker_engine.commands import When
from poker_engine.errors import Code
from poker_engine.stakes import Stakes, fixed_limit, no_limit
from poker_engine.state import Do, Post, Street
from tests.engine.kit import STAKES, Game, given, opened

ROYAL = "AsKsQsJsTs"
DRY = "2c7d9hJs3c"
ONE_TWO = no_limit("USD", 1, rake="none")
FIVE_TEN_PESOS = no_limit("PHP", 500)
BIG_BLIND_10 = STAKES


def flop_after_calls(stacks: list[int], stakes: Stakes = BIG_BLIND_10) -> Game:
    game = given(stacks, stakes)
    while game.hand.street is Street.PREFLOP:
        may = game.may
        assert may is not None
        game.acts(may.seat, Do.CHECK if may.to_call == 0 else Do.CALL)
    return game


# --- worked cases --------------------------------------------------------------------------------


@pytest.mark.rule("case 1", "5.2")
def test_case_1_folded_levels_make_no_pots() -> None:
    game = given([1000, 1000, 1000, 1000, 1000], board=ROYAL)
    game.play("s2 raises 25, s3 calls, s4 raises 50, s0 calls, s1 calls, s2 folds, s3 folds")
    game.play("s0 bets 50, s1 folds, s4 calls")
    game.check_down()
    (pot,) = game.hand.pots
    assert pot.amount == 300
    assert dict(pot.shares) == {0: 150, 4: 150}


@pytest.mark.rule("case 2", "5.3")
def test_case_2_the_whole_remainder_goes_to_the_first_winner_left_of_the_button() -> None:
    game = given([100, 100, 100, 100], ONE_TWO, board=ROYAL)
    game.play("s2 raises 6, s3 calls, s0 calls, s1 folds")
    game.check_down()
    (pot,) = game.hand.pots
    assert pot.amount == 20
    assert dict(pot.shares) == {0: 8, 2: 6, 3: 6}


@pytest.mark.rule("case 3", "6.2", "5.3")
def test_case_3_rake_is_counted_on_the_hand_and_borne_by_its_pots() -> None:
    usd = no_limit("USD", 50)
    game = given([600, 300, 600], usd, holes={0: "AsAh", 1: "AdAc", 2: "KsKh"}, board="2c7d9hJs3c")
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    main, side = game.hand.pots
    assert (main.amount, side.amount) == (900, 600)
    assert (main.rake, side.rake) == (45, 30)
    assert dict(main.shares) == {0: 428, 1: 427}
    assert dict(side.shares) == {0: 570}


@pytest.mark.rule("case 4", "3.6", "6.2")
def test_case_4_the_call_of_a_short_big_blind_is_returned_down_to_it() -> None:
    game = given(
        [300, 600, 5000, 5000],
        FIVE_TEN_PESOS,
        holes={0: "AsAh", 2: "KsKh", 1: "QsQh"},
        board=DRY,
    )
    game.play("s2 calls, s3 folds")
    assert game.returned == [(2, 400)]
    assert [(pot.amount, pot.rake) for pot in game.hand.pots] == [(900, 45), (600, 30)]
    assert game.stacks == [855, 0, 5000 - 1000 + 570 + 400, 5000]


@pytest.mark.rule("case 5", "3.5", "6.1")
def test_case_5_a_short_big_blind_heads_up_leaves_no_turn_and_no_rake() -> None:
    game = given([300, 5000], FIVE_TEN_PESOS)
    assert game.hand.over
    assert game.hand.turns == 0
    assert game.returned == [(1, 200)]
    assert game.pots == [600]
    assert game.rake == 0


@pytest.mark.rule("case 6", "3.6", "5.2")
def test_case_6_what_a_folded_player_called_is_not_returned() -> None:
    game = given([1000, 1000, 40], holes={2: "AsAh", 1: "KsKh"}, board=DRY)
    game.play("s2 is all-in, s0 raises 100, s1 raises 300, s0 folds")
    assert game.returned == [(1, 200)]
    assert [(pot.amount, set(pot.contenders)) for pot in game.hand.pots] == [
        (120, {1, 2}),
        (120, {1}),
    ]


@pytest.mark.rule("case 7", "3.6", "6.1", "6.2")
def test_case_7_rake_on_a_raise_that_all_fold_to() -> None:
    game = given([50_000, 50_000, 50_000], FIVE_TEN_PESOS)
    game.play("s2 raises 3000, s0 folds, s1 folds")
    assert game.returned == [(2, 2000)]
    assert game.pots == [2500]
    assert game.rake == 125


@pytest.mark.rule("case 8", "3.3")
def test_case_8_short_all_ins_that_add_up_to_a_bet_open_the_betting_to_who_checked() -> None:
    game = flop_after_calls([1000, 16, 22])
    game.play("s0 checks, s1 is all-in, s2 is all-in")  # 6, then 12
    may = game.options(0)
    # Betting is open to him, but of these three nobody could meet a raise (3.5).
    assert (may.to_call, may.min_to) == (12, None)
    game = flop_after_calls([1000, 16, 22, 1000])
    game.play("s0 checks, s1 is all-in, s2 is all-in, s3 calls")
    may = game.options(0)
    assert (may.to_call, may.min_to) == (12, 22)
    assert game.refuses_act(0, Do.RAISE, 21).code is Code.AMOUNT_TOO_SMALL
    game.play("s0 raises 22")


@pytest.mark.rule("case 8", "3.3")
def test_case_8_a_short_all_in_that_is_only_called_does_not() -> None:
    game = flop_after_calls([1000, 16, 1000])
    game.play("s0 checks, s1 is all-in, s2 calls")
    may = game.options(0)
    assert (may.to_call, may.min_to) == (6, None)
    assert game.refuses_act(0, Do.RAISE, 16).code is Code.CANNOT_RAISE


@pytest.mark.rule("case 9", "3.2", "3.3")
def test_case_9_who_has_not_acted_raises_an_incomplete_raise_by_a_full_one() -> None:
    game = given([1000, 1000, 15])
    game.play("s2 is all-in, s0 calls")
    assert game.options(1).min_to == 25
    assert game.refuses_act(1, Do.RAISE, 20).code is Code.AMOUNT_TOO_SMALL
    game.play("s1 raises 25")


@pytest.mark.rule("case 10", "3.4")
def test_case_10_the_half_bet_rule_of_fixed_limit() -> None:
    limit = fixed_limit("USD", 20, rake="none")
    # s0 is A, s1 is B, s2 is D and s3 is C; all called 20 before the flop.
    game = flop_after_calls([1000, 45, 1000, 52], limit)
    game.play("s0 bets 20, s1 is all-in, s2 calls, s3 is all-in")
    assert game.hand.raises == 2
    may = game.options(0)
    assert (may.to_call, may.min_to) == (12, 52)
    game.play("s0 calls")
    may = game.options(2)
    assert (may.to_call, may.min_to) == (7, None)
    game = flop_after_calls([1000, 45, 1000, 52], limit)
    game.play("s0 bets 20, s1 is all-in, s2 calls, s3 is all-in, s0 raises 52")
    assert game.options(2).min_to == 72
    game.play("s2 raises 72")
    assert game.options(0).min_to is None


# --- faults of other engines ---------------------------------------------------------------------


@pytest.mark.rule("3.2")
def test_bug_15_the_least_raise_is_not_cut_to_the_opponents_stack() -> None:
    game = given([200, 1000], no_limit("USD", 10, rake="none"))
    game.play("s1 raises 100, s0 raises 180")
    assert game.options(1).min_to == 260
    game.play("s1 raises 260, s0 is all-in")
    assert game.returned == [(1, 60)]
    assert game.pots == [400]


@pytest.mark.rule("3.3")
def test_bug_16_the_price_after_an_all_in_smaller_than_a_legal_raise() -> None:
    stakes = replace(STAKES, small_blind=2, big_blind=5)
    game = given([928, 263, 930, 417, 775, 350], stakes)
    game.play("s2 folds, s3 folds, s4 raises 15, s5 folds, s0 folds, s1 raises 109, s4 calls")
    game.play("s1 bets 55, s4 raises 123, s1 is all-in")
    may = game.options(4)
    assert (may.to_call, may.call_to, may.min_to) == (31, 154, None)
    game.play("s4 calls")
    assert game.pots == [528]


@pytest.mark.rule("3.3")
def test_bug_18_the_last_chips_may_go_in_over_a_bet() -> None:
    game = given([100, 31], ONE_TWO)
    game.play("s1 calls, s0 checks, s0 checks, s1 checks, s0 checks, s1 checks, s0 bets 22")
    may = game.options(1)
    assert (may.min_to, may.max_to) == (29, 29)
    game.play("s1 is all-in")
    may = game.options(0)
    assert (may.to_call, may.min_to) == (7, None)
    game.play("s0 calls")
    assert game.pots == [62]


@pytest.mark.rule("3.3", "3.6")
def test_bug_19_an_all_in_below_the_price_is_a_call_and_the_rest_goes_back() -> None:
    game = given([19_800, 100_000], no_limit("USD", 1000, rake="none"))
    game.play("s1 raises 6000, s0 raises 10000, s1 raises 28000")
    may = game.options(0)
    assert (may.to_call, may.call_to, may.min_to) == (9800, 19_800, None)
    game.play("s0 calls")
    assert game.returned == [(1, 8200)]
    assert game.pots == [39_600]


@pytest.mark.rule("3.6")
def test_bug_21_an_all_in_that_all_fold_to_comes_back() -> None:
    game = given([200, 200], ONE_TWO)
    game.play("s1 is all-in, s0 folds")
    assert game.returned == [(1, 198)]
    assert game.stacks == [198, 202]


@pytest.mark.rule("3.1", "2.2")
def test_bug_22_heads_up_the_button_is_first_before_the_flop_and_last_after_it() -> None:
    game = given([100, 100])
    assert game.posts == [(1, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)]
    game.play("s1 calls, s0 checks")
    for _ in range(3):
        game.play("s0 checks, s1 checks")
    assert game.hand.over


@pytest.mark.rule("2.2")
def test_bug_22_a_table_that_shrinks_to_two_plays_heads_up_from_the_next_hand() -> None:
    game = given([100, 100, 100])
    game.leave("p2")
    game.fold_out()
    game.next_hand()
    button, small, big = game.blinds
    assert button == small
    assert {small, big} == {0, 1}
    assert game.turn_of == button


@pytest.mark.rule("2.1", "2.2")
def test_bug_24_button_and_blinds_are_named_outright() -> None:
    assert given([100, 100]).blinds == (1, 1, 0)
    assert given([100, 100, 100]).blinds == (2, 0, 1)


@pytest.mark.rule("3.1")
def test_bug_25_the_big_blind_has_its_option_after_the_small_blind_calls() -> None:
    game = given([200, 200, 200, 200])
    game.play("s2 folds, s3 folds, s0 calls")
    may = game.options(1)
    assert may.check
    assert may.min_to == 20
    game.play("s1 raises 30, s0 folds")
    assert game.returned == [(1, 20)]
    assert game.stacks == [190, 210, 200, 200]


@pytest.mark.rule("5.2")
def test_bug_26_all_in_is_not_folded() -> None:
    game = given([100, 100, 40], ONE_TWO, holes={2: "AsAd", 1: "KhKd"}, board=DRY)
    game.play("s2 is all-in")
    assert game.hand.live & 1 << 2
    game.play("s0 folds, s1 calls")
    assert game.stacks == [99, 60, 81]


@pytest.mark.rule("3.2")
def test_bug_28_a_call_takes_what_is_in_already_into_account() -> None:
    game = given([110, 110], holes={1: "AsAh", 0: "KsKh"}, board=DRY)
    game.play("s1 is all-in")
    assert game.options(0).to_call == 100
    game.play("s0 calls")
    assert game.pots == [220]
    assert game.stacks == [0, 220]


@pytest.mark.rule("3.7")
def test_bug_30_a_called_all_in_runs_out_though_one_player_has_chips() -> None:
    game = given([200, 400], ONE_TWO, holes={0: "AsAh", 1: "KsKh"}, board=DRY)
    game.play("s1 raises 200, s0 calls")
    assert game.hand.over
    assert game.stacks == [400, 200]


@pytest.mark.rule("3.2")
def test_bug_32_nobody_puts_in_more_than_his_stack() -> None:
    game = given([6, 594], ONE_TWO)
    game.play("s1 calls")
    may = game.options(0)
    assert (may.min_to, may.max_to) == (4, 6)
    assert game.refuses_act(0, Do.RAISE, 8).code is Code.AMOUNT_TOO_LARGE
    game.play("s0 raises 6, s1 folds")
    assert game.stacks == [8, 592]


@pytest.mark.rule("3.1", "3.2")
def test_bug_33_a_called_bettor_is_not_asked_again_but_a_raised_one_may_raise() -> None:
    game = given([100, 100], ONE_TWO)
    game.play("s1 calls, s0 checks, s0 checks, s1 bets 6, s0 calls")
    assert game.hand.street is Street.TURN
    game.play("s0 bets 6, s1 raises 12")
    assert game.options(0).min_to == 18


@pytest.mark.rule("3.2")
def test_bug_35_the_least_raise_over_a_first_bet_of_2_is_to_4() -> None:
    game = given([100, 100], ONE_TWO)
    game.play("s1 calls, s0 checks, s0 bets 2")
    assert game.options(1).min_to == 4
    game.play("s1 raises 4")
    assert game.options(0).min_to == 6


@pytest.mark.rule("3.1", "3.2")
def test_bug_36_the_price_means_the_same_to_both_blinds() -> None:
    game = given([100, 100], ONE_TWO)
    may = game.options(1)
    assert (may.price, may.to_call, may.call_to, may.min_to) == (2, 1, 2, 4)
    game.play("s1 calls")
    may = game.options(0)
    assert (may.price, may.to_call, may.call_to, may.min_to) == (2, 0, 2, 4)


@pytest.mark.rule("2.1", "2.2")
def test_bug_38_two_who_play_on_alternate_while_the_button_sits_out() -> None:
    game = given([1000, 1000, 1000])
    game.sit_out("p2")
    game.fold_out()
    big_blinds = []
    for _ in range(4):
        game.next_hand()
        big_blinds.append(game.hand.big_blind)
        game.fold_out()
    assert big_blinds in ([0, 1, 0, 1], [1, 0, 1, 0])


@pytest.mark.rule("2.5", "3.1")
def test_bug_40_a_new_seat_is_not_dealt_in_free() -> None:
    game = opened(ONE_TWO, seats=4)
    for seat in (0, 1, 2):
        game.sit(f"p{seat}", seat, 100)
    game.next_hand(2)  # s2 is the button
    game.sit("waits", 3, 100)
    game.fold_out()
    game.next_hand()  # s0 is the button, s1 and s2 the blinds; s3 sits between them and it
    assert 3 not in game.hand.dealt
    game.fold_out()
    game.leave("waits")
    game.sit("posts", 3, 100, post=True)
    game.next_hand()  # s1 is the button: s3 would be the big blind, and is
    assert game.hand.big_blind == 3


@pytest.mark.rule("2.5", "3.1")
def test_bug_40_a_poster_has_the_big_blind_in_and_may_check_or_raise() -> None:
    game = opened(ONE_TWO, seats=4)
    for seat in (0, 1, 2):
        game.sit(f"p{seat}", seat, 100)
    game.next_hand(2)
    game.sit("posts", 3, 100, post=True)
    game.fold_out()
    game.next_hand()  # s0 is the button, s1 and s2 the blinds
    assert (3, Post.LIVE, 2) in game.posts
    may = game.options(3)
    assert may.check
    assert may.min_to == 4


@pytest.mark.rule("2.5")
def test_bug_40_who_waits_may_leave_without_paying() -> None:
    game = opened(ONE_TWO, seats=4)
    for seat in (0, 1, 2):
        game.sit(f"p{seat}", seat, 100)
    game.next_hand(2)
    game.sit("waits", 3, 100)
    game.leave("waits", When.NOW)
    (gone,) = game.left
    assert gone.chips == 100
