"""RULES 2.1 to 2.4: the button and the blinds."""

from collections import Counter

import pytest

from poker_engine.commands import When
from poker_engine.events import HandScheduled, HandStarted, Paused
from poker_engine.stakes import fixed_limit
from poker_engine.state import Do, Post, Status
from tests.engine.kit import NOON, Game, given, opened, table_of

# --- 2.1 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.1")
def test_the_button_moves_clockwise_after_each_hand() -> None:
    game = table_of(0, 2, 3, 5, button=5)
    assert game.blinds == (5, 0, 2)
    seen = []
    for _ in range(5):
        game.fold_out()
        game.next_hand()
        seen.append(game.blinds)
    assert seen == [(0, 2, 3), (2, 3, 5), (3, 5, 0), (5, 0, 2), (0, 2, 3)]


@pytest.mark.rule("2.1")
def test_the_two_left_of_the_button_post_before_cards_are_dealt() -> None:
    game = table_of(0, 1, 2, 3, button=3)
    assert game.posts == [(0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10)]
    assert game.hand.dealt == (0, 1, 2, 3)
    assert game.hand.behind == (995, 990, 1000, 1000, 0, 0)


@pytest.mark.rule("2.1")
def test_the_button_moves_on_from_a_seat_that_is_empty_now() -> None:
    game = table_of(0, 1, 2, 3, button=1)
    game.fold_out()
    game.leave("p1")
    game.next_hand()
    assert game.blinds == (2, 3, 0)


@pytest.mark.rule("2.1")
def test_the_button_moves_past_a_player_who_sits_out() -> None:
    game = table_of(0, 1, 2, 3, button=1)
    game.fold_out()
    game.sit_out("p2")
    game.next_hand()
    assert game.blinds == (3, 0, 1)


@pytest.mark.rule("2.1")
def test_the_button_moves_past_who_waits_for_the_big_blind() -> None:
    game = table_of(0, 2, 4, button=0)
    game.sit("new", 1)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (2, 4, 0)
    assert game.standing(1).status is Status.WAITING


@pytest.mark.rule("2.1")
def test_the_small_blind_is_the_next_active_player_and_not_one_who_waits() -> None:
    game = table_of(0, 3, 4, 5, button=5)
    game.fold_out()
    game.sit("new", 1)
    game.next_hand()
    assert game.blinds == (0, 3, 4)
    assert 1 not in game.hand.dealt


@pytest.mark.rule("2.1")
def test_the_big_blind_is_the_next_player_after_it_also_one_who_waits() -> None:
    game = table_of(0, 1, 4, button=4)
    game.sit("new", 2)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 1, 2)
    assert game.posts == [(1, Post.SMALL_BLIND, 5), (2, Post.BIG_BLIND, 10)]
    assert game.hand.dealt == (1, 2, 4, 0)


@pytest.mark.rule("2.1")
def test_paying_the_big_blind_clears_any_debt() -> None:
    game = table_of(0, 1, 2, 3, button=3)
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(2)
    assert game.owes(2) == (True, True)
    game.sit_in("p2")
    game.play_until(lambda: game.hand.big_blind == 2)
    assert [one for one in game.posts if one[0] == 2] == [(2, Post.BIG_BLIND, 10)]
    assert game.owes(2) == (False, False)


@pytest.mark.rule("2.1")
@pytest.mark.rule("2.5")
def test_a_poster_whom_the_big_blind_reaches_pays_that_and_nothing_else() -> None:
    game = table_of(0, 1, 4, button=4)
    game.sit("new", 2, post=True)
    game.fold_out()
    game.next_hand()
    assert game.posts == [(1, Post.SMALL_BLIND, 5), (2, Post.BIG_BLIND, 10)]


@pytest.mark.rule("2.1")
def test_blinds_are_live() -> None:
    game = given([100, 100, 100])
    game.play("s2 calls, s0 calls")
    assert game.hand.totals == (10, 10, 10)
    assert game.options(1).to_call == 0


# --- 2.2 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.2")
def test_of_two_the_button_posts_the_small_blind_and_acts_first_only_pre_flop() -> None:
    game = given([100, 100])
    assert game.blinds == (1, 1, 0)
    assert game.posts == [(1, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)]
    order = []
    while game.turn_of is not None:
        order.append((game.hand.street.name, game.turn_of))
        may = game.options(order[-1][1])
        game.acts(may.seat, Do.CHECK if may.check else Do.CALL)
    assert order == [
        ("PREFLOP", 1),
        ("PREFLOP", 0),
        ("FLOP", 0),
        ("FLOP", 1),
        ("TURN", 0),
        ("TURN", 1),
        ("RIVER", 0),
        ("RIVER", 1),
    ]


@pytest.mark.rule("2.2")
def test_heads_up_the_blinds_alternate() -> None:
    game = table_of(1, 4, button=4)
    big_blinds = [game.hand.big_blind]
    for _ in range(3):
        game.fold_out()
        game.next_hand()
        big_blinds.append(game.hand.big_blind)
    assert big_blinds == [1, 4, 1, 4]


@pytest.mark.rule("2.2")
def test_when_the_third_leaves_who_posted_the_big_blind_last_takes_the_button() -> None:
    game = table_of(0, 1, 2, button=2)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 1, 2)
    game.fold_out()
    game.leave("p2")
    game.next_hand()
    # Of the two left p1 was the big blind a hand ago, p0 never.
    assert game.blinds == (1, 1, 0)


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_whoever_leaves_nobody_of_two_is_the_big_blind_twice_running(gone: int) -> None:
    game = table_of(0, 1, 2, button=2)
    game.fold_out()
    game.next_hands(3)
    last = game.hand.big_blind
    game.leave(f"p{gone}")
    game.next_hand()
    assert game.hand.small_blind == game.hand.button
    assert game.hand.big_blind != last


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("draw", [0, 1])
def test_if_neither_has_posted_it_the_button_is_drawn(draw: int) -> None:
    game = table_of(0, 1, 2, button=0)
    assert game.blinds == (0, 1, 2)
    game.fold_out()
    game.leave("p2")
    game.next_hand(draw)
    assert game.hand.button == draw


@pytest.mark.rule("2.2")
def test_after_a_pause_too_who_posted_the_big_blind_last_takes_the_button() -> None:
    game = table_of(0, 1, button=0)
    assert game.hand.big_blind == 1
    game.fold_out()
    game.sit_out("p1")
    game.next_hand()
    assert game.last == (Paused(),)
    game.wait(60_000)
    game.sit_in("p1")
    for draw in (0, 1):
        trial = _again(game, draw)
        assert trial.blinds == (1, 1, 0)


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("draw", [0, 1])
def test_so_too_if_he_left_in_between_and_came_back(draw: int) -> None:
    game = table_of(0, 1, button=0)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (1, 1, 0)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 0, 1)
    game.fold_out()
    game.leave("p1")
    game.next_hand()
    game.sit("p1", 4)
    game.next_hand(draw)
    assert game.blinds == (4, 4, 0)


@pytest.mark.rule("2.2")
def test_the_last_big_blinds_of_those_who_left_are_kept_for_as_many_as_there_are_seats() -> None:
    game = table_of(0, 1, of=2, button=0)
    for number in range(6):
        game.fold_out()
        game.next_hand()
        game.fold_out()
        game.leave(game.seat(1).player)
        game.next_hand()
        game.sit(f"next {number}", 1)
        game.next_hand()
    assert len(game.table.absent) == 2


@pytest.mark.rule("2.2")
def test_a_waiting_player_between_the_other_and_the_button_is_the_big_blind_three_handed() -> None:
    game = table_of(0, 3, button=0)
    assert game.hand.big_blind == 3
    game.sit("new", 1)
    game.fold_out()
    game.next_hand()
    # p3 takes the button, p0 is the other, and the newcomer sits between them.
    assert game.blinds == (3, 0, 1)
    assert game.hand.dealt == (0, 1, 3)
    assert game.posts == [(0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10)]
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 1, 3)


@pytest.mark.rule("2.2")
def test_a_waiting_player_on_the_other_side_waits_one_hand_of_two() -> None:
    game = table_of(0, 3, button=0)
    game.sit("new", 4)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (3, 3, 0)
    assert game.hand.dealt == (0, 3)
    assert game.standing(4).passes == 0
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 3, 4)


@pytest.mark.rule("2.2")
def test_from_three_to_two_to_three_nobody_escapes_the_big_blind() -> None:
    game = table_of(0, 1, 2, button=0)
    game.fold_out()
    big_blinds = [game.hand.big_blind]

    def hands(number: int) -> None:
        for _ in range(number):
            game.next_hand()
            big_blinds.append(game.hand.big_blind)
            game.fold_out()

    hands(2)
    game.leave("p2")
    hands(3)
    game.sit("p5", 5)
    hands(5)
    assert big_blinds == [2, 0, 1, 0, 1, 0, 5, 0, 1, 5, 0]


@pytest.mark.rule("2.2")
def test_a_player_out_does_not_stop_the_big_blind_from_alternating() -> None:
    game = table_of(0, 1, 2, button=2, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p2")
    big_blinds = []
    for _ in range(4):
        game.next_hand()
        big_blinds.append(game.hand.big_blind)
        assert game.hand.small_blind == game.hand.button
        game.fold_out()
    assert big_blinds == [0, 1, 0, 1]


# --- 2.3 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("players", range(2, 11))
def test_the_first_button_is_drawn_fairly_among_all(players: int) -> None:
    buttons = []
    for draw in range(players):
        game = opened(seats=10)
        for seat in range(players):
            game.sit(f"p{seat}", seat)
        game.next_hand(draw)
        buttons.append(game.hand.button)
    assert buttons == list(range(players))
    # Draws are uniform in range(2520), which every number of players divides.
    assert set(Counter(draw % players for draw in range(2520)).values()) == {2520 // players}


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("draw", [0, 1, 2, 3, 4, 5])
def test_each_of_three_draws_the_button_with_equal_chances(draw: int) -> None:
    game = opened()
    for seat in (1, 2, 5):
        game.sit(f"p{seat}", seat)
    game.next_hand(draw)
    assert game.hand.button == (1, 2, 5)[draw % 3]


@pytest.mark.rule("2.3")
def test_all_who_wait_at_the_first_hand_are_dealt_in_without_posting() -> None:
    game = opened()
    game.sit("ann", 0)
    game.sit("bob", 1, post=True)
    game.sit("cat", 2)
    game.sit("dan", 3)
    game.next_hand(1)
    assert game.hand.dealt == (2, 3, 0, 1)
    assert game.posts == [(2, Post.SMALL_BLIND, 5), (3, Post.BIG_BLIND, 10)]
    assert all(game.standing(seat).status is Status.ACTIVE for seat in range(4))
    assert all(game.owes(seat) == (False, False) for seat in range(4))


@pytest.mark.rule("2.3")
def test_with_one_active_player_left_the_next_hand_begins_by_a_draw() -> None:
    game = table_of(0, 1, button=0)
    game.sit("cat", 2)
    game.sit("dan", 3, post=True)
    game.fold_out()
    game.leave("p1")
    game.next_hand(2)
    assert game.of(HandStarted)[0].fresh
    assert game.blinds == (3, 0, 2)
    assert game.posts == [(0, Post.SMALL_BLIND, 5), (2, Post.BIG_BLIND, 10)]
    assert game.hand.dealt == (0, 2, 3)


@pytest.mark.rule("2.3")
@pytest.mark.rule("2.2")
def test_of_two_who_begin_anew_the_one_who_posted_the_big_blind_takes_the_button() -> None:
    game = table_of(0, 1, button=1)
    game.fold_out()
    game.leave("p1")
    game.sit("cat", 2)
    game.next_hand(1)
    assert game.blinds == (0, 0, 2)


@pytest.mark.rule("2.3")
@pytest.mark.rule("2.6")
def test_when_fewer_than_two_are_left_debts_lapse() -> None:
    game = table_of(0, 1, 2, button=2, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(3)
    assert game.owes(2) == (True, True)
    game.leave("p1")
    game.next_hand()
    assert game.last == (Paused(),)
    assert game.owes(2) == (False, False)
    game.sit_in("p2")
    assert game.of(HandScheduled) == [HandScheduled(game.now + 3000)]
    game.next_hand()
    assert [post for _, post, _ in game.posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]


@pytest.mark.rule("2.3")
def test_debts_lapse_too_where_others_who_wait_make_the_hand() -> None:
    game = table_of(0, 1, 2, button=2, sit_out_passes=99)
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(3)
    game.sit("new", 4)
    game.leave("p1")
    game.next_hand()
    assert game.of(HandStarted)[0].fresh
    assert game.owes(2) == (False, False)


@pytest.mark.rule("2.3")
def test_debts_of_those_who_left_lapse_as_well() -> None:
    game = table_of(0, 1, 2, button=2)
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(3)
    game.leave("p2")
    game.leave("p1")
    game.next_hand()
    game.sit("p2", 2)
    assert game.owes(2) == (False, True)


@pytest.mark.rule("2.3")
def test_the_small_blind_that_a_newcomer_who_sits_out_still_owes_lapses_as_well() -> None:
    game = table_of(0, 1, 2, button=2)
    game.fold_out()
    game.sit_out("p2")
    game.next_hands(3)
    game.leave("p2")
    game.sit("p2", 2)
    game.sit_out("p2")
    assert game.owes(2) == (True, True)
    game.leave("p1")
    game.next_hand()
    # He never played since: a newcomer comes in by a big blind or by a draw.
    assert game.owes(2) == (False, True)


@pytest.mark.rule("2.3")
def test_who_sits_out_and_comes_back_before_the_next_hand_changes_nothing() -> None:
    game = table_of(0, 1, button=0)
    game.fold_out()
    game.sit_out("p0")
    game.sit_in("p0")
    game.next_hand()
    assert not game.of(HandStarted)[0].fresh
    assert game.blinds == (1, 1, 0)


@pytest.mark.rule("2.3")
def test_a_table_at_rest_wakes_when_two_can_play() -> None:
    game = table_of(0, 1, button=0)
    game.fold_out()
    game.leave("p1")
    game.next_hand()
    assert game.table.next_hand_at is None
    game.sit("new", 5)
    assert game.table.next_hand_at == game.now + 3000


# --- 2.4 ------------------------------------------------------------------------------------------


@pytest.mark.rule("2.4")
def test_a_blind_larger_than_the_stack_is_posted_all_in() -> None:
    game = given([3, 6, 1000, 1000])
    assert game.posts == [(0, Post.SMALL_BLIND, 3), (1, Post.BIG_BLIND, 6)]
    assert game.hand.behind[:2] == (0, 0)


@pytest.mark.rule("2.4")
def test_price_and_minimum_raise_take_no_notice_of_a_short_big_blind() -> None:
    game = given([1000, 6, 1000])
    may = game.options(2)
    assert (may.price, may.to_call, may.min_to) == (10, 10, 20)


@pytest.mark.rule("2.4")
def test_nor_of_a_short_small_blind() -> None:
    game = given([3, 1000, 1000, 1000])
    may = game.options(2)
    assert (may.to_call, may.min_to) == (10, 20)


@pytest.mark.rule("2.4")
def test_in_fixed_limit_a_short_big_blind_is_called_in_full_and_raised_to_two() -> None:
    game = given([1000, 200, 1000], fixed_limit("USD", 300, rake="none"))
    may = game.options(2)
    assert (may.to_call, may.min_to, may.max_to) == (300, 600, 600)


@pytest.mark.rule("2.4")
def test_a_waiting_player_with_less_than_the_blind_posts_it_all_in_too() -> None:
    game = table_of(0, 1, 4, button=4, minimum=1)
    game.sit("new", 2, 7)
    game.fold_out()
    game.next_hand()
    assert game.posts[1] == (2, Post.BIG_BLIND, 7)
    assert game.options(4).to_call == 10


def _again(game: Game, draw: int) -> Game:
    """The same table, its next hand begun with another draw."""
    copy = Game(game.table.settings, NOON)
    copy.__dict__ |= game.__dict__
    copy.log = list(game.log)
    copy.next_hand(draw)
    return copy


@pytest.mark.rule("2.1")
def test_a_plan_to_leave_or_to_sit_out_lays_the_blinds_out_anew() -> None:
    game = table_of(0, 1, 2, 3, button=3)
    game.sit_out("p2", When.BIG_BLIND)
    game.leave("p3", When.BIG_BLIND)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (1, 1, 0)
    assert game.is_empty(3)
    assert game.standing(2).status is Status.OUT
