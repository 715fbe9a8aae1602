"""RULES 2.5: new players wait for the big blind or post it."""

from dataclasses import replace

import pytest

from poker_engine.events import SatIn
from poker_engine.stakes import Ante, fixed_limit
from poker_engine.state import Do, Post, Status
from tests.engine.kit import STAKES, table_of


@pytest.mark.rule("2.5")
def test_a_new_player_waits_for_the_big_blind_unless_he_asks_to_post() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4)
    assert game.standing(4).status is Status.WAITING
    dealt = []
    for _ in range(3):
        game.fold_out()
        game.next_hand()
        dealt.append((game.hand.big_blind, 4 in game.hand.dealt))
    assert dealt == [(2, False), (4, True), (0, True)]


@pytest.mark.rule("2.5")
def test_nobody_joins_the_running_hand() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    assert 4 not in game.hand.dealt
    game.check_down()
    assert game.seat(4).stack == 1000


@pytest.mark.rule("2.5")
def test_who_posts_is_dealt_in_at_once_and_his_blind_is_live() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (0, 1, 2)
    assert game.hand.dealt == (1, 2, 4, 0)
    assert game.posts == [
        (1, Post.SMALL_BLIND, 5),
        (2, Post.BIG_BLIND, 10),
        (4, Post.LIVE, 10),
    ]
    may = game.options(4)
    assert (may.to_call, may.check, may.min_to) == (0, True, 20)
    game.play("s4 raises 30")
    assert game.hand.totals[4] == 30


@pytest.mark.rule("2.5")
def test_after_his_post_he_is_a_player_like_any_other() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    game.fold_out()
    game.next_hand()
    assert game.standing(4).status is Status.ACTIVE
    game.fold_out()
    game.next_hand()
    assert 4 in game.hand.dealt
    assert game.hand.big_blind == 4


@pytest.mark.rule("2.5")
def test_in_fixed_limit_he_posts_the_lower_bet() -> None:
    game = table_of(0, 1, 2, button=2, stakes=fixed_limit("USD", 300, rake="none"))
    game.sit("new", 4, 3000, post=True)
    game.fold_out()
    game.next_hand()
    assert game.posts[-1] == (4, Post.LIVE, 300)


@pytest.mark.rule("2.5")
@pytest.mark.parametrize("seat", [1, 2, 4, 5])
@pytest.mark.parametrize("button", [0, 3, 6])
def test_a_poster_is_dealt_in_only_after_the_big_blind_and_before_the_button(
    seat: int, button: int
) -> None:
    game = table_of(0, 3, 6, of=7, button=button)
    game.fold_out()
    game.sit("new", seat, post=True)
    for _ in range(8):
        game.next_hand()
        hand = game.hand
        assert hand.big_blind is not None
        if game.standing(seat).status is Status.POSTING:
            assert seat not in hand.dealt
            around = [(hand.button + step) % 7 for step in range(1, 8)]
            assert around.index(seat) < around.index(hand.big_blind)
        elif hand.big_blind == seat:
            return
        else:
            places = [hand.dealt.index(one) for one in (hand.big_blind, seat, hand.button)]
            assert places == sorted(places)
            assert hand.button != seat
            assert (seat, Post.LIVE, 10) in game.posts
            return
        game.fold_out()
    raise AssertionError("he was never dealt in")


@pytest.mark.rule("2.5")
def test_between_the_button_and_the_big_blind_he_has_to_wait() -> None:
    game = table_of(0, 2, 4, button=4)
    game.fold_out()
    game.sit("new", 1, post=True)
    game.next_hand()
    # Button s0, small blind s2, big blind s4: the newcomer sits left of the button.
    assert game.blinds == (0, 2, 4)
    assert 1 not in game.hand.dealt
    assert game.standing(1).status is Status.POSTING
    game.fold_out()
    game.next_hand()
    assert game.blinds == (2, 4, 0)
    assert game.hand.dealt == (4, 0, 1, 2)
    assert game.posts[-1] == (1, Post.LIVE, 10)


@pytest.mark.rule("2.5")
def test_heads_up_nobody_posts_to_come_in() -> None:
    game = table_of(0, 3, button=0)
    game.sit("new", 4, post=True)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (3, 3, 0)
    assert game.hand.dealt == (0, 3)
    assert game.standing(4).status is Status.POSTING


@pytest.mark.rule("2.5")
@pytest.mark.rule("2.2")
def test_between_the_other_and_the_button_he_is_the_big_blind_three_handed() -> None:
    game = table_of(0, 3, button=0)
    game.sit("new", 1, post=True)
    game.fold_out()
    game.next_hand()
    assert game.blinds == (3, 0, 1)
    assert [post for _, post, _ in game.posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]


@pytest.mark.rule("2.5")
@pytest.mark.parametrize(("chips", "dealt"), [(10, False), (11, True)])
def test_a_poster_has_to_keep_chips_behind_his_post(chips: int, dealt: bool) -> None:
    game = table_of(0, 1, 2, button=2, minimum=1)
    game.sit("new", 4, chips, post=True)
    game.fold_out()
    game.next_hand()
    assert (4 in game.hand.dealt) is dealt


@pytest.mark.rule("2.5")
@pytest.mark.rule("2.6")
@pytest.mark.parametrize(("chips", "dealt"), [(15, False), (16, True)])
def test_the_dead_small_blind_is_part_of_his_whole_post(chips: int, dealt: bool) -> None:
    game = table_of(0, 1, 2, 4, button=2, minimum=1)
    game.fold_out()
    game.sit_out("p4")
    game.next_hands(3)
    game.leave("p4")
    game.sit("p4", 4, chips, post=True)
    game.play_until(lambda: game.blinds == (0, 1, 2))
    assert (4 in game.hand.dealt) is dealt


@pytest.mark.rule("2.5")
@pytest.mark.parametrize(("chips", "dealt"), [(12, False), (13, True)])
def test_so_is_his_ante(chips: int, dealt: bool) -> None:
    game = table_of(0, 1, 2, button=2, stakes=replace(STAKES, ante=2), minimum=1)
    game.sit("new", 4, chips, post=True)
    game.fold_out()
    game.next_hand()
    assert (4 in game.hand.dealt) is dealt


@pytest.mark.rule("2.5")
def test_an_ante_that_the_big_blind_posts_for_all_is_no_part_of_it() -> None:
    stakes = replace(STAKES, ante=10, ante_by=Ante.BIG_BLIND)
    game = table_of(0, 1, 2, button=2, stakes=stakes, minimum=1)
    game.sit("new", 4, 11, post=True)
    game.fold_out()
    game.next_hand()
    assert 4 in game.hand.dealt


@pytest.mark.rule("2.5")
def test_several_posters_come_in_together() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    game.sit("newer", 3, post=True)
    game.sit("patient", 5)
    game.fold_out()
    game.next_hand()
    assert game.hand.dealt == (1, 2, 3, 4, 0)
    assert game.posts[2:] == [(3, Post.LIVE, 10), (4, Post.LIVE, 10)]


@pytest.mark.rule("2.5")
def test_he_may_change_his_mind_between_waiting_and_posting() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4)
    game.sit_in("new", post=True)
    assert game.of(SatIn) == [SatIn(4, Status.POSTING)]
    game.sit_in("new", post=True)
    assert game.of(SatIn) == []
    game.sit_in("new")
    assert game.standing(4).status is Status.WAITING
    game.fold_out()
    game.next_hand()
    assert 4 not in game.hand.dealt


@pytest.mark.rule("2.5")
def test_who_leaves_and_sits_down_anew_is_new_again() -> None:
    game = table_of(0, 1, 2, button=2)
    game.fold_out()
    game.leave("p0")
    game.sit("p0", 4)
    assert game.standing(4).status is Status.WAITING
    assert game.owes(4) == (False, True)


@pytest.mark.rule("2.5")
@pytest.mark.rule("3.1")
def test_his_post_is_no_action_so_he_has_the_option() -> None:
    game = table_of(0, 1, 2, button=2)
    game.sit("new", 4, post=True)
    game.fold_out()
    game.next_hand()
    game.play("s4 checks, s0 calls, s1 calls")
    assert game.options(2).check
    game.acts(2, Do.CHECK)
    assert game.hand.street.name == "FLOP"
