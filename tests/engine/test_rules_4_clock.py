"""RULES 4: the action clock."""

import pytest

from poker_engine.clock import Due, due, wake_at
from poker_engine.commands import Expire
from poker_engine.errors import Code
from poker_engine.events import Acted, Going, TurnBegan
from poker_engine.stakes import Settings
from poker_engine.state import Cause, Do, Exit
from tests.engine.kit import MINUTE, NOON, SECOND, Game, given, opened, table_of

# --- 4.1 ------------------------------------------------------------------------------------------


@pytest.mark.rule("4.1")
def test_a_turn_has_fifteen_seconds() -> None:
    game = given([500, 500, 500])
    turn = game.hand.turn
    assert turn is not None
    assert turn.deadline == game.now + 15 * SECOND
    assert Settings.__dataclass_fields__["clock_ms"].default == 15_000


@pytest.mark.rule("4.1")
def test_every_turn_has_its_own_fifteen_seconds() -> None:
    game = given([500, 500, 500])
    game.wait(9 * SECOND)
    game.play("s2 calls")
    assert [(one.seat, one.deadline) for one in game.of(TurnBegan)] == [
        (0, game.now + 15 * SECOND),
    ]


@pytest.mark.rule("4.1")
def test_pre_flop_the_hand_is_folded() -> None:
    game = given([500, 500, 500])
    game.expire()
    assert game.of(Acted) == [Acted(2, Do.FOLD, 0, 0, Cause.EXPIRED)]
    game.expire()
    assert game.acted == [(0, Do.FOLD)]


@pytest.mark.rule("4.1")
def test_pre_flop_the_big_blind_who_faces_no_raise_is_checked() -> None:
    game = given([500, 500, 500])
    game.play("s2 calls, s0 calls")
    game.expire()
    assert game.acted == [(1, Do.CHECK)]
    assert game.hand.street.name == "FLOP"


@pytest.mark.rule("4.1")
def test_pre_flop_the_big_blind_who_faces_a_raise_is_folded() -> None:
    game = given([500, 500, 500])
    game.play("s2 raises 20, s0 folds")
    game.expire()
    assert game.acted == [(1, Do.FOLD)]


@pytest.mark.rule("4.1")
def test_the_button_heads_up_owes_half_a_blind_and_is_folded() -> None:
    game = given([500, 500])
    game.expire()
    assert game.acted == [(1, Do.FOLD)]
    assert game.hand.over


@pytest.mark.rule("4.1")
def test_a_late_poster_who_owes_nothing_is_checked() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    game.fold_out()
    game.next_hand()
    game.expire()
    assert game.acted == [(4, Do.CHECK)]


@pytest.mark.rule("4.1")
def test_a_late_poster_who_faces_a_raise_is_folded() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("early", 3, post=True)
    game.sit("late", 4, post=True)
    game.fold_out()
    game.next_hand()
    game.play("s3 raises 20")
    game.expire()
    assert game.acted == [(4, Do.FOLD)]


@pytest.mark.rule("4.1")
def test_post_flop_it_is_checked_when_facing_no_bet() -> None:
    game = given([500, 500, 500])
    game.play("s2 calls, s0 calls, s1 checks")
    game.expire()
    assert game.acted == [(0, Do.CHECK)]
    assert game.turn_of == 1


@pytest.mark.rule("4.1")
def test_post_flop_it_is_folded_when_facing_one() -> None:
    game = given([500, 500, 500])
    game.play("s2 calls, s0 calls, s1 checks, s0 bets 20")
    game.expire()
    assert game.acted == [(1, Do.FOLD)]


# --- 4.2 ------------------------------------------------------------------------------------------


def _on_the_flop(players: int = 3) -> Game:
    game = given([5000] * players)
    while game.hand.street == 0:
        seat = game.turn_of
        assert seat is not None
        game.acts(seat, Do.CHECK if game.options(seat).check else Do.CALL)
    return game


@pytest.mark.rule("4.2")
def test_a_round_counts_in_which_his_time_expired_and_he_took_no_action() -> None:
    game = _on_the_flop()
    game.expire()
    assert game.standing(0).expired == 1
    assert game.seat(0).exit is None


@pytest.mark.rule("4.2")
def test_two_counting_rounds_running_remove_him() -> None:
    game = _on_the_flop()
    game.expire()
    game.play("s1 checks, s2 checks")
    game.expire()
    assert game.of(Going) == [Going(0, Exit.REMOVED)]
    assert game.acted == [(0, Do.CHECK)]


@pytest.mark.rule("4.2")
def test_two_expiries_in_one_round_are_one_count() -> None:
    game = _on_the_flop()
    game.expire()
    game.play("s1 bets 20, s2 calls")
    game.expire()
    assert game.acted == [(0, Do.FOLD)]
    assert game.standing(0).expired == 1
    assert game.seat(0).exit is None


@pytest.mark.rule("4.2")
def test_an_action_of_his_own_before_the_expiry_keeps_the_round_from_counting() -> None:
    game = _on_the_flop()
    game.play("s0 bets 20, s1 raises 100, s2 folds")
    game.expire()
    assert game.acted == [(0, Do.FOLD)]
    assert game.standing(0).expired == 0


@pytest.mark.rule("4.2")
def test_an_action_of_his_own_after_the_expiry_does_so_too() -> None:
    game = _on_the_flop()
    game.expire()
    game.play("s1 bets 20, s2 calls, s0 calls")
    assert game.standing(0).expired == 0
    game.expire()
    assert game.standing(0).expired == 1
    assert game.seat(0).exit is None


@pytest.mark.rule("4.2")
def test_expiring_again_after_his_own_action_in_the_round_does_not_count() -> None:
    game = _on_the_flop()
    game.expire()
    game.play("s1 bets 20, s2 calls, s0 raises 60, s1 raises 200, s2 folds")
    game.expire()
    assert game.acted == [(0, Do.FOLD)]
    assert game.standing(0).expired == 0


@pytest.mark.rule("4.2")
def test_an_action_of_his_own_in_the_next_round_resets_the_count() -> None:
    game = _on_the_flop()
    game.expire()
    game.play("s1 checks, s2 checks, s0 checks")
    assert game.standing(0).expired == 0
    game.play("s1 checks, s2 checks")
    game.expire()
    assert game.seat(0).exit is None


@pytest.mark.rule("4.2")
def test_the_count_runs_on_from_hand_to_hand() -> None:
    game = given([500, 500, 500])
    game.expire()
    assert game.acted == [(2, Do.FOLD)]
    game.fold_out()
    assert game.standing(2).expired == 1
    game.next_hand()
    assert game.standing(2).expired == 1
    game.play("s0 calls, s1 calls")
    game.expire()
    assert game.acted[0] == (2, Do.CHECK)
    assert game.of(Going) == [Going(2, Exit.REMOVED)]


@pytest.mark.rule("4.2")
def test_rounds_without_a_turn_of_his_neither_count_nor_reset_it() -> None:
    game = given([500, 500, 500, 500])
    game.expire()
    game.play("s3 calls, s0 calls, s1 checks")
    game.check_down()
    assert game.standing(2).expired == 1
    game.next_hand()
    assert game.blinds == (0, 1, 2)
    game.play("s3 folds, s0 folds, s1 folds")
    # A walk: the big blind had no turn.
    assert game.standing(2).expired == 1
    game.next_hand()
    assert game.blinds == (1, 2, 3)
    game.play("s0 folds, s1 folds")
    game.expire()
    assert game.of(Going) == [Going(2, Exit.REMOVED)]


@pytest.mark.rule("4.2")
def test_posts_do_not_reset_it() -> None:
    game = given([500, 500, 500])
    game.expire()
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 2
    assert game.standing(2).expired == 1


@pytest.mark.rule("4.2")
def test_an_all_in_of_before_has_no_turns_that_could_count() -> None:
    game = given([500, 500, 100], holes={2: "AsAh"}, board="2c3d7h8sTd")
    game.play("s2 is all-in, s0 calls, s1 calls")
    game.check_down()
    assert game.standing(2).expired == 0


@pytest.mark.rule("4.2")
def test_the_count_outlasts_sitting_out() -> None:
    game = given([500, 500, 500])
    game.expire()
    game.sit_out("p2")
    game.fold_out()
    game.sit_in("p2")
    game.next_hand()
    assert game.standing(2).expired == 1


@pytest.mark.rule("4.2")
def test_each_player_has_a_count_of_his_own() -> None:
    game = _on_the_flop()
    for seat in (0, 1, 2):
        assert game.turn_of == seat
        game.expire()
    assert [game.standing(seat).expired for seat in (0, 1, 2)] == [1, 1, 1]
    for seat in (0, 1, 2):
        assert game.turn_of == seat
        game.expire()
        assert game.of(Going) == [Going(seat, Exit.REMOVED)]
    # Nobody is left who could bet: the river is checked at once.
    assert game.hand.over
    assert {one.exit for one in game.left} == {Exit.REMOVED}


# --- 4.3 ------------------------------------------------------------------------------------------


def _removed_on_the_turn() -> Game:
    """s0 has just been removed, with a hand that beats the others'."""
    game = given([500] * 3, holes={0: "AsAh", 1: "7c2d", 2: "8c3d"}, board="KsQsJh4d5d")
    game.play("s2 calls, s0 calls, s1 checks")
    game.expire()
    game.play("s1 checks, s2 checks")
    game.expire()
    assert game.seat(0).exit is Exit.REMOVED
    return game


@pytest.mark.rule("4.3")
def test_a_removed_players_further_turns_are_checked_at_once_where_that_is_free() -> None:
    game = _removed_on_the_turn()
    game.play("s1 checks, s2 checks")
    assert game.of(Acted)[-1] == Acted(0, Do.CHECK, 0, 0, Cause.REMOVED)
    assert game.turn_of == 1


@pytest.mark.rule("4.3")
def test_and_folded_where_it_is_not() -> None:
    game = _removed_on_the_turn()
    game.play("s1 bets 20, s2 calls")
    assert game.of(Acted)[-1] == Acted(0, Do.FOLD, 0, 0, Cause.REMOVED)


@pytest.mark.rule("4.3")
def test_his_seat_empties_when_the_hand_ends_and_he_takes_what_he_wins() -> None:
    game = _removed_on_the_turn()
    assert not game.is_empty(0)
    game.play("s1 checks, s2 checks, s1 checks, s2 checks")
    assert [(one.player, one.chips, one.exit) for one in game.left] == [
        ("p0", 520, Exit.REMOVED),
    ]
    assert game.is_empty(0)


@pytest.mark.rule("4.3")
@pytest.mark.rule("5.4")
def test_his_hand_is_turned_up_as_all_are() -> None:
    game = _removed_on_the_turn()
    game.play("s1 checks, s2 checks, s1 checks, s2 checks")
    assert set(game.shown) == {0, 1, 2}


@pytest.mark.rule("4.3")
def test_he_cannot_act_any_more() -> None:
    game = _removed_on_the_turn()
    assert game.refuses_act(0, Do.CHECK).code is Code.LEAVING


@pytest.mark.rule("4.3")
def test_a_fold_that_removes_him_can_end_the_hand() -> None:
    game = given([500, 500])
    game.expire()
    game.next_hand()
    game.play("s0 raises 40")
    game.expire()
    assert game.hand.over
    assert [(one.player, one.exit) for one in game.left] == [("p1", Exit.REMOVED)]


# --- 4.4 ------------------------------------------------------------------------------------------


@pytest.mark.rule("4.4")
def test_the_all_in_of_one_who_is_not_heard_from_stands_and_can_win() -> None:
    game = given([500, 500, 300], holes={2: "AsAh", 0: "KsKh"}, board="2c3d7h8sTd")
    game.play("s2 is all-in, s0 is all-in")
    game.expire()
    assert game.acted == [(1, Do.FOLD)]
    assert game.seat(2).stack == 610


@pytest.mark.rule("4.4")
def test_who_is_back_before_his_time_is_over_has_his_turn() -> None:
    game = given([500, 500, 500])
    game.wait(14 * SECOND)
    game.play("s2 calls")


# --- 4.5 ------------------------------------------------------------------------------------------


def _turn_began_at(ms: int, *, clock_ms: int = 15_000, grace_ms: int = 1_000) -> Game:
    game = opened(clock_ms=clock_ms, grace_ms=grace_ms)
    game.now = NOON - 4000
    game.sit("ann", 0)
    game.sit("bob", 1)
    game.now = NOON + ms
    game.next_hand()
    assert game.now == NOON + ms
    return game


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("ms", [0, 1, 499, 500, 999])
def test_an_action_at_deadline_and_grace_counts(ms: int) -> None:
    game = _turn_began_at(ms)
    turn = game.hand.turn
    assert turn is not None
    game.now = turn.deadline + 1000
    assert due(game.table, game.now) is None
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.acts(0, Do.CALL)


@pytest.mark.rule("4.5")
@pytest.mark.parametrize(
    ("ms", "expires"), [(0, 17_000), (1, 17_000), (500, 17_000), (999, 17_000), (1000, 18_000)]
)
def test_the_expiry_comes_after_it_at_a_whole_second(ms: int, expires: int) -> None:
    game = _turn_began_at(ms)
    assert wake_at(game.table) == NOON + expires
    game.now = NOON + expires - 1
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.now += 1
    assert due(game.table, game.now) is Due.EXPIRE
    game.do(Expire())


@pytest.mark.rule("4.5")
def test_an_action_after_the_expiry_was_due_does_not_count_even_if_it_is_not_yet_written() -> None:
    game = _turn_began_at(0)
    turn = game.hand.turn
    assert turn is not None
    game.now = turn.expires
    assert game.refuses_act(0, Do.CALL).code is Code.STALE_TURN


@pytest.mark.rule("4.5")
def test_the_first_write_stands() -> None:
    game = given([500, 500, 500])
    late = game.act(2, Do.CALL)
    game.expire()
    refusal = game.refuses(late)
    assert refusal.code is Code.STALE_TURN
    assert refusal.facts == {"hand": 1, "turn": 2}

    other = given([500, 500, 500])
    turn = other.hand.turn
    assert turn is not None
    other.now = turn.expires - 1
    other.play("s2 calls")
    other.now += 1
    assert other.refuses(Expire()).code is Code.NOT_DUE


@pytest.mark.rule("4.5")
def test_a_click_for_another_turn_or_hand_is_refused_and_is_no_fold() -> None:
    game = given([500, 500, 500])
    first = game.act(2, Do.CALL)
    game.do(first)
    assert game.refuses(first).code is Code.STALE_TURN
    game.fold_out()
    game.next_hand()
    assert game.refuses(first).code is Code.STALE_TURN
    assert game.refuses_act(1, Do.CALL).code is Code.NOT_YOUR_TURN


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("grace", [0, 250, 3000])
def test_the_grace_is_a_setting(grace: int) -> None:
    game = _turn_began_at(0, grace_ms=grace)
    turn = game.hand.turn
    assert turn is not None
    assert turn.deadline == NOON + 15_000
    assert turn.expires == NOON + 15_000 + grace // 1000 * 1000 + 1000


@pytest.mark.rule("4.5")
def test_the_clock_of_a_table_is_a_setting() -> None:
    game = _turn_began_at(0, clock_ms=2 * MINUTE)
    assert game.hand.turn is not None
    assert game.hand.turn.deadline == NOON + 2 * MINUTE
