"""RULES 5: who wins which pot, what is shown, and in which order. Blinds 5/10, no rake."""

from dataclasses import replace

import pytest

from poker_engine.cards import join_cards, parse_cards
from poker_engine.commands import Show
from poker_engine.errors import Code, Rejected
from poker_engine.events import BoardDealt, Mucked, PotWon, Returned, Shown
from poker_engine.pots import layers
from poker_engine.stakes import Ante, no_limit
from poker_engine.state import Exit, Post
from tests.engine.kit import STAKES, Game, given, opened

DRY = "2c7d9hJs3c"
"""A board on which the better pair in hand wins."""
ROYAL = "AsKsQsJsTs"
"""A board that everybody plays."""


def heads_up(board: str, first: str, second: str) -> list[int]:
    """Final stacks of 100 each after both put in 10 and checked down."""
    game = given([100, 100], holes={0: first, 1: second}, board=board)
    game.check_down()
    return game.stacks


def cards_shown(game: Game) -> dict[int, str]:
    return {seat: join_cards(cards) for seat, cards in game.hand.shown}


def refuses_show(game: Game, player: str, *cards: int) -> Rejected:
    return game.refuses(Show(player, cards or (0, 1)))


# --- 5.1 -----------------------------------------------------------------------------------------


@pytest.mark.rule("5.1")
@pytest.mark.parametrize(
    ("board", "first", "second", "stacks"),
    [
        pytest.param("2d3d4d5d9h", "AdKh", "6cKs", [110, 90], id="bug-44-steel-wheel"),
        pytest.param("5c6d7h8s9c", "AhKd", "2c2d", [100, 100], id="bug-46-both-play-the-board"),
        pytest.param("6cQcAd6sAc", "TdJs", "3s3d", [100, 100], id="bug-48-third-pair-is-no-kicker"),
        pytest.param("AcJh3hQd3c", "8s5d", "8h2d", [100, 100], id="bug-50-kickers-on-the-board"),
        pytest.param("9c7s5h5s3c", "8hKs", "4dQs", [110, 90], id="bug-52-kicker-in-the-hand"),
        pytest.param("2c7d9hJs3c", "AsKs", "AhKh", [100, 100], id="suits-never-break-ties"),
        pytest.param("2h5h9hJhKh", "Ah3c", "Qh3d", [110, 90], id="one-hole-card-and-four"),
        pytest.param("2c7d9hJs3c", "9c9d", "JcJd", [90, 110], id="both-hole-cards"),
        pytest.param("AcAdAhKsQs", "2c2d", "3c3d", [90, 110], id="full-houses-by-their-pairs"),
        pytest.param("AcAdAhKsQs", "5c2d", "4c3d", [100, 100], id="trips-with-the-board"),
    ],
)
def test_the_best_five_of_seven_wins(
    board: str, first: str, second: str, stacks: list[int]
) -> None:
    assert heads_up(board, first, second) == stacks


# --- 5.2 -----------------------------------------------------------------------------------------


@pytest.mark.rule("5.2")
def test_each_all_in_level_of_a_player_still_in_ends_a_pot() -> None:
    game = given([30, 60, 100, 100], board=ROYAL)
    game.play("s2 is all-in, s3 is all-in, s0 is all-in, s1 is all-in")
    assert [(pot.amount, set(pot.contenders)) for pot in game.hand.pots] == [
        (120, {0, 1, 2, 3}),
        (90, {1, 2, 3}),
        (80, {2, 3}),
    ]
    assert game.stacks == [30, 60, 100, 100]


@pytest.mark.rule("5.2")
def test_the_level_of_a_player_who_folded_makes_no_pot() -> None:
    game = given([1000, 1000, 1000, 60])
    game.play("s2 raises 30, s3 is all-in, s0 folds, s1 folds, s2 folds")
    assert game.pots == [75]
    game = given([1000, 1000, 1000, 200], holes={3: "AsAh", 0: "KsKh"}, board=DRY)
    game.play("s2 raises 50, s3 raises 150, s0 raises 300, s1 folds, s2 folds, s3 is all-in")
    assert game.pots == [460]  # 200 + 200 + 50 + 10, not layers of 10, 50 and 200
    assert game.returned == [(0, 100)]


@pytest.mark.rule("5.2")
def test_what_a_folded_player_put_in_above_an_all_in_is_in_the_side_pot() -> None:
    game = given([1000, 1000, 40], holes={2: "AsAh", 0: "KsKh", 1: "QsQh"}, board=DRY)
    game.play("s2 is all-in, s0 raises 100, s1 calls, s0 bets 60, s1 folds")
    assert [(pot.amount, pot.contenders) for pot in game.hand.pots] == [
        (120, (0, 2)),
        (120, (0,)),
    ]
    assert game.stacks == [1020, 900, 120]


@pytest.mark.rule("5.2")
def test_a_player_who_folded_never_wins() -> None:
    game = given([1000, 1000, 40], holes={2: "KsKh", 0: "AsAh", 1: "QsQh"}, board=DRY)
    game.play("s2 is all-in, s0 calls, s1 calls, s0 folds")
    assert game.stacks == [960, 960, 120]


@pytest.mark.rule("5.2")
def test_dead_money_goes_to_the_main_pot() -> None:
    game = opened(seats=4, minimum=1, maximum=None)
    for seat, chips in enumerate([100, 100, 100, 30]):
        game.sit(f"p{seat}", seat, chips)
    game.deal(
        button=3,
        small_blind=0,
        big_blind=1,
        dealt=(0, 1, 2, 3),
        posts=[
            (0, Post.SMALL_BLIND, 5),
            (1, Post.BIG_BLIND, 10),
            (2, Post.DEAD, 5),
            (2, Post.LIVE, 10),
        ],
        holes={3: "AsAh", 2: "KsKh", 1: "QsQh", 0: "JsJh"},
        board="2c7d9hTs3c",
    )
    game.play("s2 checks, s3 is all-in, s0 folds, s1 raises 50, s2 calls")
    game.check_down()
    assert game.pots == [100, 40]  # 5 + 3 x 30 and 5 dead; 2 x 20
    assert game.stacks == [95, 50, 85, 100]


@pytest.mark.rule("5.2")
def test_pots_are_settled_from_the_last_to_the_main() -> None:
    game = given([30, 60, 100, 100], board=ROYAL)
    game.play("s2 is all-in, s3 is all-in, s0 is all-in, s1 is all-in")
    assert [event.pot for event in game.of(PotWon)] == [2, 1, 0]
    assert [pot.amount for pot in game.hand.pots] == [120, 90, 80]  # kept from the main pot on


@pytest.mark.rule("5.2")
def test_each_pot_goes_to_the_best_hand_among_those_who_play_for_it() -> None:
    game = given([20, 50, 120, 120], holes={0: "AsAd", 1: "KhKd", 2: "QhQd", 3: "8h8d"}, board=DRY)
    game.play("s2 is all-in, s3 is all-in, s0 is all-in, s1 is all-in")
    assert game.pots == [80, 90, 140]
    assert game.stacks == [80, 90, 140, 0]


@pytest.mark.rule("5.2")
def test_a_pot_that_a_single_player_is_left_to_contest_is_his_whatever_he_holds() -> None:
    game = given([1000, 1000, 40], holes={2: "AsAh", 0: "4s5h", 1: "QsQh"}, board=DRY)
    game.play("s2 is all-in, s0 raises 100, s1 calls, s0 bets 10, s1 folds")
    side = game.hand.pots[1]
    assert (side.contenders, side.shares) == ((0,), ((0, 120),))


@pytest.mark.rule("5.2")
def test_bets_that_are_not_matched_yet_split_no_pot() -> None:
    game = given([1000, 1000, 1000, 40])
    assert [pot.amount for pot in layers(game.hand)] == [15]
    game.play("s2 raises 100")
    assert [(pot.amount, pot.contenders) for pot in layers(game.hand)] == [(115, (0, 1, 2, 3))]
    game.play("s3 is all-in")
    assert [(pot.amount, pot.contenders) for pot in layers(game.hand)] == [
        (95, (0, 1, 2, 3)),
        (60, (0, 1, 2)),
    ]


# --- 5.3 -----------------------------------------------------------------------------------------


@pytest.mark.rule("5.3")
def test_equal_hands_split_a_pot() -> None:
    game = given([100, 100, 100], board=ROYAL)
    game.check_down()
    assert game.stacks == [100, 100, 100]


@pytest.mark.rule("5.3")
def test_the_whole_remainder_goes_to_the_first_winner_left_of_the_button() -> None:
    game = given([100, 100, 100, 100, 101], board=ROYAL)
    game.play("s2 calls, s3 folds, s4 calls, s0 folds, s1 checks")
    game.check_down()
    # 35 among s1, s2 and s4: 11 each and 2 over.
    assert game.stacks == [95, 103, 101, 100, 102]


@pytest.mark.rule("5.3")
def test_heads_up_the_remainder_goes_to_the_big_blind() -> None:
    game = given([100, 100], replace(STAKES, rake="php"), board=ROYAL)
    game.play("s1 raises 25, s0 calls")
    game.check_down()
    # 50 less a rake of 2 leaves 48; with 70 less 3 it is 67 = 34 + 33.
    assert game.stacks == [99, 99]
    game = given([100, 100], replace(STAKES, rake="php"), board=ROYAL)
    game.play("s1 raises 35, s0 calls")
    game.check_down()
    assert game.stacks == [100 - 35 + 34, 100 - 35 + 33]


@pytest.mark.rule("5.3")
def test_the_remainder_of_each_pot_goes_to_the_first_winner_of_that_pot() -> None:
    stakes = no_limit("PHP", 1, rake="php")
    game = given([11, 40, 40, 40], stakes, board=ROYAL)
    game.play("s2 is all-in, s3 is all-in, s0 is all-in, s1 is all-in")
    # 44 and 87; rake 6 of 131: 2.01 and 3.98, so 2 and 4. 42 = 12 + 10 x 3; 83 = 29 + 27 + 27.
    assert [(pot.amount, pot.rake) for pot in game.hand.pots] == [(44, 2), (87, 4)]
    assert game.hand.pots[0].shares == ((0, 12), (1, 10), (2, 10), (3, 10))
    assert game.hand.pots[1].shares == ((1, 29), (2, 27), (3, 27))


@pytest.mark.rule("5.3")
def test_the_remainder_is_what_is_left_after_the_pots_own_rake() -> None:
    game = given([100, 100, 100], replace(STAKES, rake="php"), board=ROYAL)
    game.play("s2 raises 20, s0 calls, s1 folds")
    game.check_down()
    assert game.rake == 2  # of 50
    assert game.stacks == [100 - 20 + 24, 90, 100 - 20 + 24]
    game = given([100, 100, 100], replace(STAKES, rake="php"), board=ROYAL)
    game.play("s2 raises 25, s0 calls, s1 folds")
    game.check_down()
    assert game.rake == 3  # of 60
    assert game.stacks == [100 - 25 + 29, 90, 100 - 25 + 28]


@pytest.mark.rule("5.3")
def test_the_button_is_the_last_to_get_a_remainder() -> None:
    game = opened(seats=3)
    for seat in range(3):
        game.sit(f"p{seat}", seat)
    game.next_hand(0, board=ROYAL)  # s0 is the button, s1 and s2 the blinds
    game.play("s0 calls, s1 folds, s2 checks")
    game.check_down()
    assert game.stacks == [1000 - 10 + 12, 995, 1000 - 10 + 13]


# --- 5.4 at showdown -----------------------------------------------------------------------------


@pytest.mark.rule("5.4")
def test_at_showdown_every_hand_still_in_is_turned_up_and_no_other() -> None:
    game = given([100, 100, 100, 100], holes={0: "AsAh", 1: "KsKh", 2: "QsQh"}, board=DRY)
    game.play("s2 calls, s3 folds, s0 calls, s1 checks")
    game.check_down()
    assert cards_shown(game) == {0: "AsAh", 1: "KsKh", 2: "QsQh"}
    assert 3 not in game.shown


@pytest.mark.rule("5.4")
def test_a_leaving_players_hand_is_turned_up_and_wins() -> None:
    game = given([100, 100, 60], holes={2: "AsAh", 0: "KsKh", 1: "QsQh"}, board=DRY)
    game.play("s2 is all-in, s0 calls")
    game.leave("p2")
    game.play("s1 calls")
    game.check_down()
    assert 2 in dict(game.hand.shown)
    (gone,) = game.left
    assert (gone.player, gone.chips, gone.exit) == ("p2", 180, Exit.LEFT)


@pytest.mark.rule("5.4")
def test_a_removed_players_hand_is_turned_up_and_wins() -> None:
    game = given([100, 100], holes={0: "AsAh", 1: "KsKh"}, board=DRY)
    game.play("s1 calls")
    game.expire()  # the big blind faces no raise and is checked
    game.expire()  # on the flop again: that removes him
    game.play("s1 checks, s1 checks, s1 checks")
    assert dict(game.hand.shown)[0] == parse_cards("AsAh")
    (gone,) = game.left
    assert (gone.player, gone.chips, gone.exit) == ("p0", 110, Exit.REMOVED)


@pytest.mark.rule("5.4")
def test_the_last_aggressor_of_the_river_shows_first_and_the_others_follow_clockwise() -> None:
    game = given([100, 100, 100, 100])
    game.play("s2 calls, s3 calls, s0 calls, s1 checks")
    for _ in range(2):
        game.play("s0 checks, s1 checks, s2 checks, s3 checks")
    game.play("s0 checks, s1 bets 10, s2 raises 20, s3 calls, s0 calls, s1 calls")
    assert game.shown == [2, 3, 0, 1]


@pytest.mark.rule("5.4")
def test_without_a_bet_on_the_river_hands_are_shown_clockwise_from_the_button() -> None:
    game = given([100, 100, 100])
    game.play("s2 raises 30, s0 calls, s1 calls")
    game.play("s0 checks, s1 checks, s2 bets 10, s0 calls, s1 calls")
    game.play("s0 checks, s1 checks, s2 bets 10, s0 calls, s1 calls")
    game.play("s0 checks, s1 checks, s2 checks")
    assert game.shown == [0, 1, 2]


@pytest.mark.rule("5.4")
def test_hands_in_side_pots_are_shown_before_those_only_in_the_main_pot() -> None:
    game = given([40, 100, 100, 60])
    game.play("s2 calls, s3 is all-in, s0 is all-in, s1 calls, s2 calls")
    game.check_down()
    assert game.shown == [1, 2, 3, 0]


@pytest.mark.rule("5.4")
def test_among_side_pots_the_rivers_aggressor_is_the_first() -> None:
    game = given([40, 100, 100, 100])
    game.play("s2 calls, s3 calls, s0 is all-in, s1 calls, s2 calls, s3 calls")
    game.play("s1 checks, s2 checks, s3 checks, s1 checks, s2 checks, s3 checks")
    game.play("s1 checks, s2 bets 20, s3 calls, s1 calls")
    assert game.shown == [2, 3, 1, 0]


@pytest.mark.rule("5.4")
def test_with_no_more_betting_all_live_hands_are_turned_up_before_the_board() -> None:
    game = given([100, 100, 100])
    game.play("s2 is all-in, s0 is all-in, s1 folds")
    kinds = [type(event) for event in game.last if isinstance(event, Shown | BoardDealt | PotWon)]
    assert kinds == [Shown, Shown, BoardDealt, BoardDealt, BoardDealt, PotWon]
    assert set(cards_shown(game)) == {0, 2}


@pytest.mark.rule("5.4")
def test_a_run_out_from_the_flop_turns_hands_up_between_flop_and_turn() -> None:
    game = given([100, 60, 100])
    game.play("s2 calls, s0 calls, s1 checks, s0 bets 90, s1 calls, s2 calls")
    kinds = [type(event) for event in game.last if isinstance(event, Shown | BoardDealt | Returned)]
    assert kinds == [Shown, Shown, Shown, BoardDealt, BoardDealt]


@pytest.mark.rule("5.4")
def test_hands_turned_up_before_a_run_out_follow_the_button_not_an_earlier_bet() -> None:
    # The order begins with the last aggressor of the river only, and the river saw no bet.
    game = given([100, 100, 100])
    game.play("s2 is all-in, s0 calls, s1 calls")
    assert game.shown == [0, 1, 2]


@pytest.mark.rule("5.4")
def test_hands_are_not_turned_up_while_two_players_can_still_bet() -> None:
    game = given([100, 100, 60])
    game.play("s2 is all-in, s0 calls, s1 calls, s0 checks, s1 checks")
    assert game.hand.shown == ()


@pytest.mark.rule("5.4")
def test_each_hand_is_shown_once() -> None:
    game = given([100, 60, 100])
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    assert sorted(game.shown) == [0, 1, 2]


# --- 5.4 mucking ---------------------------------------------------------------------------------


@pytest.mark.rule("5.4")
def test_losing_hands_are_not_mucked_unless_the_table_says_so() -> None:
    game = given([100, 100, 100], holes={0: "AsAh", 1: "KsKh", 2: "QsQh"}, board=DRY)
    game.check_down()
    assert game.of(Mucked) == []


@pytest.mark.rule("5.4")
def test_a_table_may_let_hands_be_mucked_that_lose_to_one_already_shown() -> None:
    game = given(
        [100, 100, 100], holes={0: "KsKh", 1: "QsQh", 2: "AsAh"}, board=DRY, muck_losers=True
    )
    game.check_down()
    assert game.shown == [0, 2]
    assert game.of(Mucked) == [Mucked(1)]
    assert 1 not in cards_shown(game)
    assert game.stacks == [90, 90, 120]


@pytest.mark.rule("5.4")
def test_a_hand_that_ties_is_not_mucked() -> None:
    game = given(
        [100, 100, 100], holes={0: "AsAh", 1: "AcAd", 2: "QsQh"}, board=DRY, muck_losers=True
    )
    game.check_down()
    assert game.shown == [0, 1]
    assert game.of(Mucked) == [Mucked(2)]


@pytest.mark.rule("5.4")
def test_a_hand_that_wins_only_a_side_or_only_the_main_pot_is_shown_in_spite_of_the_option() -> (
    None
):
    game = given(
        [100, 100, 40], holes={2: "AsAh", 0: "KsKh", 1: "QsQh"}, board=DRY, muck_losers=True
    )
    game.play("s2 is all-in, s0 calls, s1 calls, s0 bets 20, s1 calls")
    game.check_down()
    assert game.shown == [0, 2]
    assert game.of(Mucked) == [Mucked(1)]


@pytest.mark.rule("5.4")
def test_before_a_run_out_nobody_mucks() -> None:
    game = given([100, 100], holes={0: "AsAh", 1: "KsKh"}, board=DRY, muck_losers=True)
    game.play("s1 is all-in, s0 is all-in")
    assert sorted(game.shown) == [0, 1]
    assert game.of(Mucked) == []


@pytest.mark.rule("5.4")
def test_who_mucked_may_show_afterwards() -> None:
    game = given([100, 100], holes={0: "AsAh", 1: "KsKh"}, board=DRY, muck_losers=True)
    game.check_down()
    game.show("p1", 1)
    assert cards_shown(game) == {0: "AsAh", 1: "Kh"}


# --- 5.4 winning uncontested ---------------------------------------------------------------------


def won_unseen() -> Game:
    game = given([100, 100, 100], holes={2: "AsKd"})
    game.play("s2 raises 30, s0 folds, s1 folds")
    return game


@pytest.mark.rule("5.4")
def test_a_hand_that_wins_uncontested_is_not_shown() -> None:
    game = won_unseen()
    assert game.hand.shown == ()
    assert game.of(Shown) == []


@pytest.mark.rule("5.4")
@pytest.mark.parametrize(
    ("which", "cards"), [((0,), "As"), ((1,), "Kd"), ((0, 1), "AsKd"), ((1, 0), "AsKd")]
)
def test_its_owner_may_show_one_card_or_both(which: tuple[int, ...], cards: str) -> None:
    game = won_unseen()
    game.show("p2", *which)
    assert cards_shown(game) == {2: cards}


@pytest.mark.rule("5.4")
def test_who_showed_one_card_may_show_the_other_and_then_nothing_more() -> None:
    game = won_unseen()
    game.show("p2", 1)
    assert refuses_show(game, "p2", 1).code is Code.NOTHING_TO_SHOW
    game.show("p2", 0, 1)
    assert game.of(Shown) == [Shown(2, parse_cards("As"))]
    assert refuses_show(game, "p2", 0).code is Code.NOTHING_TO_SHOW


@pytest.mark.rule("5.4")
def test_who_folded_cannot_show() -> None:
    game = won_unseen()
    assert refuses_show(game, "p0").code is Code.NOTHING_TO_SHOW


@pytest.mark.rule("5.4")
def test_nobody_can_show_while_the_hand_runs_or_after_the_next_began() -> None:
    game = given([100, 100, 100])
    game.play("s2 raises 30")
    assert refuses_show(game, "p2").code is Code.NOTHING_TO_SHOW
    game.play("s0 folds, s1 folds")
    game.next_hand()
    assert refuses_show(game, "p2").code is Code.NOTHING_TO_SHOW


@pytest.mark.rule("5.4")
def test_only_the_two_hole_cards_can_be_shown_and_only_by_who_sits_there() -> None:
    game = won_unseen()
    for none_of_them in ((2,), (-1,), (51,)):
        assert refuses_show(game, "p2", *none_of_them).code is Code.NOTHING_TO_SHOW
    assert refuses_show(game, "stranger").code is Code.NOT_SEATED


@pytest.mark.rule("5.4")
def test_who_takes_the_winners_seat_cannot_show_the_winners_cards() -> None:
    game = won_unseen()
    game.leave("p2")
    game.sit("new", 2, 100)
    assert refuses_show(game, "new").code is Code.NOTHING_TO_SHOW


@pytest.mark.rule("5.4")
def test_the_cards_of_a_void_hand_are_not_shown() -> None:
    game = given([100, 100])
    game.void()
    assert refuses_show(game, "p0").code is Code.NOTHING_TO_SHOW


@pytest.mark.rule("5.4")
def test_a_big_blind_that_wins_a_walk_may_show() -> None:
    game = given([100, 100, 100], holes={1: "7h2c"})
    game.fold_out()
    game.show("p1")
    assert cards_shown(game) == {1: "7h2c"}


@pytest.mark.rule("5.4", "3.8")
def test_who_wins_because_the_big_blind_folds_a_free_check_need_not_show() -> None:
    game = given([100, 100, 100], replace(STAKES, ante=10, ante_by=Ante.BIG_BLIND))
    game.play("s2 folds, s0 calls, s1 folds")
    assert game.of(Shown) == []
    assert game.stacks == [120, 80, 100]  # 10 each and the dead 10
