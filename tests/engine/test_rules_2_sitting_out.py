"""RULES 2.6: sitting out, missed blinds, the limits."""

import pytest

from poker_engine.clock import wake_at
from poker_engine.commands import Expire, When
from poker_engine.errors import Code
from poker_engine.events import Paused, Planned, SatIn, SatOut
from poker_engine.state import Exit, Plan, Post, Status
from tests.engine.kit import MINUTE, SECOND, Game, opened, table_of


def _out_after_his_big_blind() -> Game:
    """s2 was the big blind and sits out right after it; the button is on s0."""
    game = table_of(0, 1, 2, 3, 4, button=0, of=5)
    assert game.blinds == (0, 1, 2)
    game.fold_out()
    game.sit_out("p2")
    return game


def _out_before_his_big_blind() -> Game:
    """s3 sits out, the big blind to come; the button is on s0."""
    game = table_of(0, 1, 2, 3, 4, button=0, of=5)
    game.fold_out()
    game.sit_out("p3")
    return game


# --- going ----------------------------------------------------------------------------------------


@pytest.mark.rule("2.6")
def test_sitting_out_now_begins_with_the_next_hand() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit_out("p0")
    assert game.last == (SatOut(0, game.now),)
    game.play("s0 raises 20, s1 folds, s2 calls")
    game.check_down()
    game.next_hand()
    assert 0 not in game.hand.dealt


@pytest.mark.rule("2.6")
def test_who_sits_out_gets_no_cards() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    for _ in range(4):
        game.next_hand()
        assert 3 not in game.hand.dealt
        assert game.seat(3).stack == 1000
        game.fold_out()


@pytest.mark.rule("2.6")
def test_sitting_out_at_the_next_big_blind_plays_on_until_then() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.sit_out("p0", When.BIG_BLIND)
    assert game.last == (Planned(0, Plan.SIT_OUT),)
    dealt = []
    for _ in range(2):
        game.fold_out()
        game.next_hand()
        dealt.append((game.hand.big_blind, 0 in game.hand.dealt))
    assert dealt == [(3, True), (1, False)]
    assert game.standing(0).status is Status.OUT
    assert game.seat(0).plan is None
    assert game.owes(0) == (False, True)


@pytest.mark.rule("2.6")
def test_who_is_the_big_blind_now_plans_for_the_one_after() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.sit_out("p2", When.BIG_BLIND)
    for big_blind in (3, 0, 1):
        game.fold_out()
        game.next_hand()
        assert game.hand.big_blind == big_blind
        assert 2 in game.hand.dealt
    game.fold_out()
    game.next_hand()
    assert 2 not in game.hand.dealt


@pytest.mark.rule("2.6")
def test_the_plan_can_be_taken_back() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.sit_out("p3", When.BIG_BLIND)
    game.sit_out("p3", When.NEVER)
    assert game.last == (Planned(3, None),)
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 3


@pytest.mark.rule("2.6")
def test_a_newcomer_who_waits_for_the_big_blind_may_plan_to_let_it_pass() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit("new", 3)
    game.sit_out("new", When.BIG_BLIND)
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 0
    assert game.standing(3).status is Status.OUT


@pytest.mark.rule("2.6")
def test_of_two_the_one_who_lets_his_big_blind_pass_ends_the_game() -> None:
    game = table_of(0, 1, button=0)
    game.sit_out("p0", When.BIG_BLIND)
    game.fold_out()
    game.next_hand()
    assert game.of(SatOut) == [SatOut(0, game.now)]
    assert game.of(Paused) == [Paused()]


@pytest.mark.rule("2.6")
def test_when_two_in_a_row_let_it_pass_the_third_pays_it() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.sit_out("p3", When.BIG_BLIND)
    game.sit_out("p4", When.BIG_BLIND)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (1, 2, 0)
    assert game.owes(3) == (False, True)
    assert game.owes(4) == (False, True)


# --- what is owed ---------------------------------------------------------------------------------


@pytest.mark.rule("2.6")
def test_who_comes_back_before_a_blind_passes_owes_nothing() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0, of=5)
    game.fold_out()
    game.sit_out("p4")
    game.next_hand()
    game.fold_out()
    assert game.owes(4) == (False, False)
    game.sit_in("p4")
    assert game.last == (SatIn(4, Status.ACTIVE),)
    game.next_hand()
    assert game.hand.big_blind == 4


@pytest.mark.rule("2.6")
def test_who_sits_out_right_after_his_big_blind_misses_the_small_one_only() -> None:
    game = _out_after_his_big_blind()
    game.next_hands(1)
    assert game.blinds == (1, 3, 4)
    assert game.owes(2) == (True, False)
    game.next_hands(2)
    assert game.owes(2) == (True, False)
    game.next_hands(1)
    assert game.blinds == (0, 1, 3)
    assert game.owes(2) == (True, True)


@pytest.mark.rule("2.6")
def test_only_the_small_blind_missed_is_posted_dead_and_he_still_has_to_call() -> None:
    game = _out_after_his_big_blind()
    game.next_hands(1)
    game.sit_in("p2", post=True)
    game.next_hand()
    assert game.blinds == (3, 4, 0)
    assert game.hand.dealt == (4, 0, 1, 2, 3)
    assert game.posts[2:] == [(2, Post.DEAD, 5)]
    assert game.hand.dead == 5
    assert game.hand.totals[2] == 0
    game.play("s1 folds")
    may = game.options(2)
    assert (may.to_call, may.call_to, may.min_to) == (10, 10, 20)


@pytest.mark.rule("2.6")
@pytest.mark.rule("4.1")
def test_posting_the_small_blind_dead_gives_no_free_check_when_his_time_is_over() -> None:
    game = _out_after_his_big_blind()
    game.next_hands(1)
    game.sit_in("p2", post=True)
    game.next_hand()
    game.play("s1 folds")
    game.expire()
    assert not game.hand.live >> 2 & 1


@pytest.mark.rule("2.6")
def test_both_missed_are_posted_live_and_dead() -> None:
    game = _out_before_his_big_blind()
    game.next_hands(2)
    assert game.owes(3) == (True, True)
    game.sit_in("p3", post=True)
    game.next_hand()
    assert game.blinds == (4, 0, 1)
    assert game.posts[2:] == [(3, Post.DEAD, 5), (3, Post.LIVE, 10)]
    assert game.hand.dead == 5
    assert game.hand.totals[3] == 10
    game.play("s2 folds")
    assert game.options(3).check
    assert game.owes(3) == (False, False)


@pytest.mark.rule("2.6")
def test_or_he_waits_for_the_big_blind_and_pays_no_more() -> None:
    game = _out_before_his_big_blind()
    game.next_hands(2)
    game.sit_in("p3")
    assert game.last == (SatIn(3, Status.WAITING),)
    game.next_hands(2)
    assert 3 not in game.hand.dealt
    game.next_hand()
    assert game.hand.big_blind == 3
    assert game.posts == [(2, Post.SMALL_BLIND, 5), (3, Post.BIG_BLIND, 10)]


@pytest.mark.rule("2.6")
def test_who_let_the_big_blind_pass_comes_back_after_the_small_one_passed_him_too() -> None:
    game = table_of(0, 1, 2, 3, 4, 5, button=0)
    game.sit_out("p3", When.BIG_BLIND)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (1, 2, 4)
    assert game.owes(3) == (False, True)
    game.fold_out()
    game.sit_in("p3", post=True)
    game.next_hand()
    # Between the button and the big blind he may not post yet.
    assert game.blinds == (2, 4, 5)
    assert game.owes(3) == (True, True)
    game.fold_out()
    game.next_hand()
    assert game.posts[2:] == [(3, Post.DEAD, 5), (3, Post.LIVE, 10)]


@pytest.mark.rule("2.6")
def test_he_owes_at_most_one_of_each() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(9)
    assert game.standing(3).passes == 3
    game.sit_in("p3", post=True)
    game.play_until(lambda: 3 in game.hand.dealt)
    assert [(post, amount) for seat, post, amount in game.posts if seat == 3] in (
        [(Post.DEAD, 5), (Post.LIVE, 10)],
        [(Post.BIG_BLIND, 10)],
    )


@pytest.mark.rule("2.6")
def test_a_newcomer_owes_no_small_blind_that_passed_while_he_waited() -> None:
    game = table_of(0, 2, 4, button=0)
    game.fold_out()
    game.sit("new", 5)
    game.sit_out("new")
    game.next_hands(6)
    assert game.owes(5) == (False, True)


@pytest.mark.rule("2.6")
def test_a_table_where_two_are_left_lets_blinds_pass_the_third() -> None:
    game = table_of(0, 1, 2, button=2, sit_out_passes=99)
    assert game.blinds == (2, 0, 1)
    game.fold_out()
    game.next_hands(1)
    assert game.blinds == (0, 1, 2)
    game.sit_out("p2")
    game.next_hands(1)
    assert game.blinds == (1, 1, 0)
    assert game.owes(2) == (False, False)
    game.next_hands(1)
    assert game.blinds == (0, 0, 1)
    assert game.owes(2) == (True, False)
    game.next_hands(1)
    assert game.owes(2) == (True, True)
    assert game.standing(2).passes == 1


# --- how long a debt holds ------------------------------------------------------------------------


def _left_owing_a_small_blind() -> Game:
    game = _out_after_his_big_blind()
    game.next_hand()
    game.fold_out()
    assert game.owes(2) == (True, False)
    game.leave("p2")
    return game


@pytest.mark.rule("2.6")
def test_leaving_does_not_pay_a_debt() -> None:
    game = _left_owing_a_small_blind()
    game.sit("p2", 2, post=True)
    assert game.owes(2) == (True, True)
    game.next_hand()
    assert game.posts[2:] == [(2, Post.DEAD, 5), (2, Post.LIVE, 10)]


@pytest.mark.rule("2.6")
def test_whoever_takes_the_seat_does_not_inherit_it() -> None:
    game = _left_owing_a_small_blind()
    game.sit("new", 2)
    assert game.owes(2) == (False, True)


@pytest.mark.rule("2.6")
def test_the_debt_waits_in_whatever_seat_he_takes() -> None:
    game = opened(seats=6)
    for seat in range(5):
        game.sit(f"p{seat}", seat)
    game.next_hand()
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(1)
    game.leave("p2")
    game.sit("p2", 5)
    assert game.owes(5) == (True, True)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(("ms", "owes"), [(90 * MINUTE - 1, True), (90 * MINUTE, False)])
def test_the_debt_holds_for_ninety_minutes(ms: int, owes: bool) -> None:
    game = _out_after_his_big_blind()
    game.next_hand()
    missed_at = game.now
    game.fold_out()
    game.wait(2 * MINUTE)
    game.leave("p2")
    game.now = missed_at + ms
    game.sit("p2", 2)
    assert game.owes(2) == (owes, True)


@pytest.mark.rule("2.6")
def test_a_big_blind_missed_later_makes_the_small_ones_debt_no_longer() -> None:
    game = _out_after_his_big_blind()
    game.next_hand()
    missed_at = game.now
    game.play_until(lambda: game.owes(2) == (True, True))
    game.fold_out()
    game.leave("p2")
    game.now = missed_at + 90 * MINUTE
    game.sit("p2", 2)
    assert game.owes(2) == (False, True)


@pytest.mark.rule("2.6")
def test_coming_back_and_leaving_again_makes_it_no_longer() -> None:
    game = _left_owing_a_small_blind()
    game.wait(80 * MINUTE)
    game.sit("p2", 2)
    game.leave("p2")
    game.wait(20 * MINUTE)
    game.sit("p2", 2)
    assert game.owes(2) == (False, True)


@pytest.mark.rule("2.6")
def test_who_is_emptied_for_sitting_out_too_long_still_owes() -> None:
    game = _out_after_his_big_blind()
    game.next_hands(1)
    game.wait(5 * MINUTE)
    game.do(Expire())
    assert game.is_empty(2)
    game.sit("p2", 2)
    assert game.owes(2) == (True, True)


@pytest.mark.rule("2.6")
def test_who_paid_it_before_he_left_owes_nothing() -> None:
    game = _out_after_his_big_blind()
    game.next_hands(1)
    game.sit_in("p2", post=True)
    game.next_hands(1)
    game.leave("p2")
    game.sit("p2", 2)
    assert game.owes(2) == (False, True)


# --- the limits -----------------------------------------------------------------------------------


@pytest.mark.rule("2.6")
def test_after_five_minutes_the_seat_is_emptied() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    since = game.now
    game.next_hand()
    game.fold_out()
    game.now = since + 5 * MINUTE - 1
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.now += 1
    game.do(Expire())
    assert [(one.player, one.exit, one.chips) for one in game.left] == [
        ("p3", Exit.SAT_OUT, 1000),
    ]


@pytest.mark.rule("2.6")
def test_also_in_the_middle_of_a_hand_of_the_others_and_at_a_table_at_rest() -> None:
    game = table_of(0, 1, 2, button=0)
    game.fold_out()
    game.sit_out("p2")
    game.wait(5 * MINUTE - SECOND)
    game.start()
    game.wait(SECOND)
    game.settle_due()
    assert game.is_empty(2)
    assert game.turn_of is not None

    alone = table_of(0, 1, button=0)
    alone.fold_out()
    alone.sit_out("p1")
    out_at = alone.now
    alone.next_hand()
    assert wake_at(alone.table) == out_at + 5 * MINUTE
    alone.wait(5 * MINUTE)
    alone.settle_due()
    assert alone.is_empty(1)


@pytest.mark.rule("2.6")
def test_his_time_runs_from_the_end_of_the_hand_in_which_he_asked() -> None:
    game = table_of(0, 1, 2, button=0, clock_ms=4 * MINUTE)
    game.sit_out("p1")
    game.play("s0 calls")
    game.wait(3 * MINUTE)
    game.play("s1 calls")
    game.wait(3 * MINUTE)
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.play("s2 raises 20, s0 folds, s1 folds")
    ended = game.now
    game.now = ended + 5 * MINUTE - 1
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.now += 1
    game.do(Expire())
    assert game.is_empty(1)


@pytest.mark.rule("2.6")
def test_after_three_passings_of_the_big_blind_the_seat_is_emptied() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    for _ in range(2):
        game.play_until(lambda: game.hand.big_blind == 0)
    game.fold_out()
    assert not game.is_empty(3)
    game.play_until(lambda: game.hand.big_blind == 0)
    game.fold_out()
    assert [(one.player, one.exit) for one in game.left] == [("p3", Exit.SAT_OUT)]


@pytest.mark.rule("2.6")
def test_the_passings_of_a_newcomer_who_sits_out_count_too() -> None:
    game = table_of(0, 1, 2, button=0)
    game.fold_out()
    game.sit("new", 3)
    game.sit_out("new")
    since = game.now
    for _ in range(3):
        game.play_until(lambda: game.hand.big_blind == 0)
    game.fold_out()
    assert [(one.player, one.exit) for one in game.left] == [("new", Exit.SAT_OUT)]
    assert game.now - since < game.table.settings.sit_out_ms


@pytest.mark.rule("2.6")
def test_passings_and_minutes_are_settings_of_the_table() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=1, sit_out_ms=MINUTE)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(1)
    assert game.is_empty(3)
    game.sit_out("p2")
    game.wait(MINUTE)
    game.settle_due()
    assert game.is_empty(2)


@pytest.mark.rule("2.6")
def test_who_comes_back_in_time_keeps_his_seat() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(2)
    game.sit_in("p3")
    game.wait(10 * MINUTE)
    game.next_hands(3)
    assert not game.is_empty(3)
    assert game.standing(3).status is Status.ACTIVE
    assert game.standing(3).passes == 0


@pytest.mark.rule("2.6")
def test_who_comes_back_while_the_third_passing_is_played_keeps_his_seat() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    game.play_until(lambda: game.standing(3).passes == 3)
    game.sit_in("p3")
    game.fold_out()
    assert not game.is_empty(3)


@pytest.mark.rule("2.6")
def test_coming_back_for_a_moment_does_not_forget_the_passings() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    for _ in range(7):
        game.next_hand()
        game.fold_out()
        if game.is_empty(3):
            break
        game.sit_in("p3")
        game.sit_out("p3")
    assert game.is_empty(3)


@pytest.mark.rule("2.6")
def test_sitting_out_twice_does_not_begin_the_time_anew() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    since = game.seat(3).out_since
    game.wait(MINUTE)
    game.sit_out("p3")
    assert game.last == ()
    assert game.seat(3).out_since == since
