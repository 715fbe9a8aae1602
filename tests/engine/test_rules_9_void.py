"""RULES 9: a hand that cannot go on is void."""

from collections.abc import Callable

import pytest

from poker_engine.commands import Show, Void
from poker_engine.errors import Code
from poker_engine.events import HandScheduled, HandVoided, PotWon, TopUpPlayed
from poker_engine.stakes import PHP_STAKES
from poker_engine.state import Exit, Status, Table
from tests.engine.kit import MINUTE, Game, given, opened, table_of

# --- the chips ------------------------------------------------------------------------------------

MOMENTS: dict[str, str] = {
    "blinds only": "",
    "a raise": "s2 raises 40",
    "a flop": "s2 raises 40, s0 calls, s1 folds",
    "a bet": "s2 raises 40, s0 calls, s1 folds, s0 bets 100",
    "an all-in": "s2 is all-in, s0 is all-in",
    "a river": (
        "s2 calls, s0 calls, s1 checks, s0 checks, s1 checks, s2 checks, "
        "s0 checks, s1 checks, s2 checks, s0 bets 50, s1 raises 300"
    ),
}


@pytest.mark.rule("9")
@pytest.mark.parametrize("script", MOMENTS.values(), ids=MOMENTS.keys())
def test_every_chip_returns_to_the_stack_it_came_from(script: str) -> None:
    game = given([500, 700, 900])
    game.play(script)
    game.void()
    assert game.stacks == [500, 700, 900]


@pytest.mark.rule("9")
def test_antes_dead_money_and_posts_return_too() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0, of=5)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(2)
    game.sit_in("p3", post=True)
    stacks = game.stacks
    game.next_hand()
    assert game.hand.dead == 5
    game.void()
    assert game.stacks == stacks


@pytest.mark.rule("9")
def test_no_rake_is_taken() -> None:
    game = given([50_000] * 3, PHP_STAKES[1])
    game.play("s2 raises 3000, s0 calls, s1 calls, s0 bets 5000")
    game.void()
    assert game.of(PotWon) == []
    assert game.stacks == [50_000] * 3


@pytest.mark.rule("9")
def test_its_record_says_so() -> None:
    game = given([500, 500, 500])
    game.do(Void("no deck"))
    assert game.of(HandVoided) == [HandVoided(1, game.now, "no deck")]
    assert game.hand.over
    assert game.hand.voided


@pytest.mark.rule("9")
def test_a_hand_that_is_over_cannot_be_voided() -> None:
    game = given([500, 500, 500])
    game.fold_out()
    assert game.refuses(Void("late")).code is Code.NO_HAND
    assert opened().refuses(Void("none")).code is Code.NO_HAND


@pytest.mark.rule("9")
def test_nobody_shows_a_hand_that_was_void() -> None:
    game = given([500, 500, 500])
    game.void()
    assert game.refuses(Show("p0")).code is Code.NOTHING_TO_SHOW


# --- button, debts, counts ------------------------------------------------------------------------


def _positions(table: Table) -> tuple[object, ...]:
    return table.button, table.small_blind, table.big_blind, table.fresh


def _standings(game: Game) -> list[object]:
    return [None if seat is None else seat.standing for seat in game.table.seats]


@pytest.mark.rule("9")
def test_the_button_is_as_before_so_the_next_hand_has_the_same_one() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    before = _positions(game.table)
    game.next_hand()
    blinds = game.blinds
    game.void()
    assert _positions(game.table) == before
    game.next_hand()
    assert game.blinds == blinds
    assert game.hand.number == 3


@pytest.mark.rule("9")
@pytest.mark.parametrize("draw", [0, 1, 2])
def test_after_a_void_first_hand_the_button_is_drawn_again(draw: int) -> None:
    game = table_of(0, 1, 2, button=0)
    game.void()
    assert game.table.fresh
    game.next_hand(draw)
    assert game.hand.button == draw


@pytest.mark.rule("9")
def test_heads_up_the_same_player_is_the_big_blind_again() -> None:
    game = table_of(0, 1, button=0)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (1, 1, 0)
    game.void()
    game.next_hand()
    assert game.blinds == (1, 1, 0)


@pytest.mark.rule("9")
def test_debts_that_the_hand_made_are_forgotten() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.fold_out()
    game.sit_out("p2")
    game.next_hand()
    assert game.owes(2) == (True, False)
    game.void()
    assert game.owes(2) == (False, False)


@pytest.mark.rule("9")
def test_passings_of_the_big_blind_too() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=1)
    game.fold_out()
    game.sit_out("p3")
    game.next_hand()
    assert game.standing(3).passes == 1
    game.void()
    assert game.standing(3).passes == 0
    assert not game.is_empty(3)


@pytest.mark.rule("9")
def test_debts_that_the_hand_paid_are_owed_again() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0, of=5)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(2)
    game.sit_in("p3", post=True)
    before = _standings(game)
    game.next_hand()
    assert game.owes(3) == (False, False)
    game.void()
    assert _standings(game) == before
    assert game.standing(3).status is Status.POSTING
    game.next_hand()
    assert [one for one in game.posts if one[0] == 3] != []


@pytest.mark.rule("9")
def test_who_waited_for_the_big_blind_waits_again() -> None:
    game = table_of(0, 1, 4, button=4)
    game.sit("new", 2)
    game.fold_out()
    game.next_hand()
    assert game.hand.big_blind == 2
    game.void()
    assert game.standing(2).status is Status.WAITING
    assert game.owes(2) == (False, True)
    game.next_hand()
    assert game.hand.big_blind == 2


@pytest.mark.rule("9")
def test_debts_that_lapsed_by_the_draw_are_owed_again() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p2")
    game.sit_out("p3")
    game.next_hands(4)
    game.leave("p3")
    game.sit("new", 4)
    game.leave("p1")
    before = game.owes(2)
    assert before == (True, True)
    game.next_hand()
    assert game.hand.fresh
    assert game.owes(2) == (False, False)
    game.void()
    assert game.owes(2) == before
    game.sit("p3", 3)
    assert game.owes(3) == (True, True)


@pytest.mark.rule("9")
@pytest.mark.rule("2.3")
def test_where_such_a_hand_is_played_out_they_have_lapsed() -> None:
    game = table_of(0, 1, 2, 3, button=0, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p2")
    game.sit_out("p3")
    game.next_hands(4)
    game.leave("p2")
    game.leave("p3")
    game.sit("new", 4)
    game.leave("p1")
    game.next_hand()
    game.sit("p2", 2)
    assert game.owes(2) == (False, True)
    game.fold_out()
    game.sit("p3", 3)
    assert game.owes(3) == (False, True)


@pytest.mark.rule("9")
@pytest.mark.rule("4.2")
def test_expiry_counts_are_as_before_the_hand() -> None:
    game = given([500, 500, 500])
    game.expire()
    game.fold_out()
    game.next_hand()
    game.play("s0 calls, s1 calls, s2 checks")
    assert game.standing(2).expired == 0
    game.expire()
    assert game.standing(1).expired == 1
    game.void()
    assert [game.standing(seat).expired for seat in range(3)] == [0, 0, 1]


# --- what stands ----------------------------------------------------------------------------------


@pytest.mark.rule("9")
def test_leavings_stand_and_take_the_whole_stack_along() -> None:
    game = given([500, 500, 500])
    game.play("s2 raises 200, s0 calls")
    game.leave("p2")
    game.void()
    assert [(one.player, one.chips, one.exit) for one in game.left] == [("p2", 500, Exit.LEFT)]


@pytest.mark.rule("9")
def test_removals_stand() -> None:
    game = given([500, 500, 500])
    game.play("s2 calls, s0 calls, s1 checks")
    game.expire()
    game.play("s1 checks, s2 checks")
    game.expire()
    game.void()
    assert [(one.player, one.chips, one.exit) for one in game.left] == [("p0", 500, Exit.REMOVED)]


@pytest.mark.rule("9")
@pytest.mark.rule("2.6")
def test_a_wish_to_sit_out_stands() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit_out("p1")
    game.void()
    assert game.standing(1).status is Status.OUT
    assert game.seat(1).out_since == game.now
    game.next_hand()
    assert 1 not in game.hand.dealt


def _comes_back(game: Game) -> None:
    game.sit_in("p3", post=True)


def _comes_back_to_wait(game: Game) -> None:
    game.sit_in("p3")


@pytest.mark.rule("9")
@pytest.mark.rule("2.6")
@pytest.mark.parametrize(
    ("wish", "status"), [(_comes_back, Status.POSTING), (_comes_back_to_wait, Status.WAITING)]
)
def test_a_wish_to_come_back_stands(wish: Callable[[Game], None], status: Status) -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(2)
    game.next_hand()
    wish(game)
    game.void()
    assert game.standing(3).status is status
    assert game.owes(3) == (True, True)
    assert game.seat(3).out_since is None


@pytest.mark.rule("9")
@pytest.mark.rule("2.6")
def test_who_comes_back_in_the_hand_that_made_his_only_debt_is_active_without_it() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.fold_out()
    game.sit_out("p2")
    game.next_hand()
    game.sit_in("p2")
    assert game.standing(2).status is Status.WAITING
    game.void()
    assert game.standing(2).status is Status.ACTIVE
    game.next_hand()
    assert game.hand.small_blind == 2


@pytest.mark.rule("9")
def test_who_sat_down_during_the_hand_keeps_his_seat() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit("new", 4, 700)
    game.void()
    assert game.seat(4).stack == 700
    assert game.standing(4).status is Status.WAITING


@pytest.mark.rule("9")
def test_who_took_the_seat_of_one_who_left_does_not_get_his_standing() -> None:
    game = table_of(0, 1, 2, 3, 4, button=0)
    game.fold_out()
    game.sit_out("p3")
    game.next_hands(2)
    game.next_hand()
    game.leave("p3")
    game.sit("new", 3)
    game.void()
    assert game.owes(3) == (False, True)
    assert game.standing(3).status is Status.WAITING


@pytest.mark.rule("9")
@pytest.mark.rule("1.5")
def test_top_ups_are_added_as_after_any_hand() -> None:
    game = given([500, 500, 500], maximum=1000)
    game.play("s2 raises 400")
    game.top_up("p2", 500)
    game.void()
    assert game.of(TopUpPlayed) == [TopUpPlayed(2, 500)]
    assert game.seat(2).stack == 1000


@pytest.mark.rule("9")
def test_the_next_hand_has_a_new_deck() -> None:
    game = table_of(0, 1, 2, button=0)
    void = game.hand.deck
    game.void()
    assert game.of(HandScheduled) == [HandScheduled(game.now + 3000)]
    game.next_hand()
    assert game.hand.deck != void


@pytest.mark.rule("9")
def test_the_record_of_a_table_with_void_hands_gives_the_table_back() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.leave("p3")
    game.void()
    game.wait(MINUTE)
    game.next_hands(2)
    assert game.replayed() == game.table
