"""RULES 1: games and stakes, buy-ins, table stakes."""

import pytest

from poker_engine.buyin import RETURN_MS, Left, binding
from poker_engine.commands import Deal, Leave, Sit, SitIn, Start, TopUp
from poker_engine.errors import Code
from poker_engine.events import HandScheduled, Paused, ToppedUp, TopUpPlayed
from poker_engine.stakes import PHP_STAKES, Stakes, fixed_limit, no_limit, table_settings
from poker_engine.stakes import Game as Kind
from poker_engine.state import Status
from tests.engine.kit import MINUTE, NOON, Game, given, opened, table_of

FIXED = fixed_limit("USD", 300)


def _p1_is_all_in_and_behind() -> Game:
    game = given(
        [500, 1000, 1000],
        holes={2: "AsAh", 1: "KsKh"},
        board="2c3d7h8sTd",
        minimum=100,
        maximum=1000,
    )
    game.play("s2 calls, s0 folds, s1 is all-in")
    return game


# --- games and stakes -----------------------------------------------------------------------------


@pytest.mark.rule("1.1")
def test_the_peso_stakes_are_the_six_of_the_house() -> None:
    named = [(stakes.small_blind, stakes.big_blind) for stakes in PHP_STAKES]
    assert named == [
        (250, 500),
        (500, 1000),
        (1000, 2000),
        (2500, 5000),
        (5000, 10000),
        (10000, 20000),
    ]
    assert {stakes.currency for stakes in PHP_STAKES} == {"PHP"}
    assert {stakes.game for stakes in PHP_STAKES} == {Kind.NO_LIMIT}


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("lower", "blinds"), [(300, (150, 300)), (1000, (500, 1000))])
def test_in_fixed_limit_the_big_blind_is_the_lower_bet_and_the_small_one_half_of_it(
    lower: int, blinds: tuple[int, int]
) -> None:
    stakes = fixed_limit("USD", lower)
    assert (stakes.small_blind, stakes.big_blind) == blinds
    assert (stakes.small_bet, stakes.big_bet) == (lower, 2 * lower)


def test_a_lower_limit_that_has_no_half_is_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        fixed_limit("USD", 301)


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("seats", [2, 10])
def test_a_table_has_two_to_ten_seats(seats: int) -> None:
    assert table_settings(FIXED, seats).seats == seats


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("seats", [1, 11])
def test_a_table_of_one_or_of_eleven_seats_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 10 seats"):
        table_settings(FIXED, seats)


@pytest.mark.rule("1.1")
def test_ten_players_are_dealt_in_at_a_table_of_ten() -> None:
    game = table_of(*range(10), of=10, button=9)
    assert len(game.hand.dealt) == 10


@pytest.mark.rule("1.1")
def test_one_player_alone_gets_no_hand() -> None:
    game = opened()
    game.sit("ann", 0)
    assert game.table.next_hand_at is None
    assert game.refuses(Start("deck", 0)).code is Code.NOT_DUE


@pytest.mark.rule("1.1")
def test_a_hand_is_due_as_soon_as_two_can_play() -> None:
    game = opened()
    game.sit("ann", 0)
    game.sit("bob", 3)
    assert game.of(HandScheduled) == [HandScheduled(NOON + 3000)]
    game.next_hand()
    assert set(game.hand.dealt) == {0, 3}


@pytest.mark.rule("1.1")
def test_a_hand_given_from_outside_needs_two_players_as_well() -> None:
    game = opened()
    game.sit("ann", 0)
    refusal = game.refuses(Deal("deck", 0, None, 0, (0,), ()))
    assert refusal.code is Code.NOT_ENOUGH_PLAYERS


@pytest.mark.rule("1.1")
def test_who_sits_out_is_not_active() -> None:
    game = table_of(0, 1, button=0)
    game.fold_out()
    game.sit_out("p1")
    assert game.next_hand() == (Paused(),)


@pytest.mark.rule("1.1")
def test_a_seat_that_is_no_seat_or_is_taken_is_refused() -> None:
    game = opened(seats=6)
    game.sit("ann", 0)
    assert game.refuses(Sit("bob", 6, 1000)).code is Code.NO_SUCH_SEAT
    assert game.refuses(Sit("bob", -1, 1000)).code is Code.NO_SUCH_SEAT
    assert game.refuses(Sit("bob", 0, 1000)).code is Code.SEAT_TAKEN
    assert game.refuses(Sit("ann", 1, 1000)).code is Code.ALREADY_SEATED


# --- buy-in ---------------------------------------------------------------------------------------


@pytest.mark.rule("1.2")
@pytest.mark.parametrize(
    ("stakes", "minimum"),
    [
        (fixed_limit("USD", 300), 3000),
        (fixed_limit("USD", 1000), 10000),
        (no_limit("USD", 100), 2000),
        (PHP_STAKES[0], 5000),
    ],
)
def test_the_minimum_buy_in_is_ten_lower_limits(stakes: Stakes, minimum: int) -> None:
    assert table_settings(stakes).minimum == minimum
    refusal = opened(stakes).refuses(Sit("ann", 0, minimum - 1))
    assert refusal.code is Code.BUY_IN_TOO_SMALL
    assert refusal.facts == {"minimum": minimum}
    opened(stakes).sit("ann", 0, minimum)


@pytest.mark.rule("1.3")
def test_the_maximum_in_no_limit_is_a_hundred_big_blinds() -> None:
    game = opened(no_limit("USD", 100))
    refusal = game.refuses(Sit("ann", 0, 20001))
    assert refusal.code is Code.BUY_IN_TOO_LARGE
    assert refusal.facts == {"maximum": 20000}
    game.sit("ann", 0, 20000)


@pytest.mark.rule("1.3")
def test_fixed_limit_has_no_maximum() -> None:
    assert table_settings(FIXED).maximum is None
    opened(FIXED).sit("ann", 0, 10_000_000)


# --- the returning player -------------------------------------------------------------------------


@pytest.mark.rule("1.4")
def test_who_comes_back_within_ninety_minutes_brings_exactly_what_he_left_with() -> None:
    game = opened()
    left = (Left(2500, NOON),)
    game.wait(89 * MINUTE)
    for chips in (100, 1000, 2499, 2501):
        refusal = game.refuses(Sit("ann", 0, chips, left=left))
        assert refusal.code is Code.BUY_IN_FIXED
        assert refusal.facts == {"amount": 2500, "until": NOON + 90 * MINUTE}
        assert "2500" in refusal.sentence
    game.sit("ann", 0, 2500, left=left)


@pytest.mark.rule("1.4")
def test_who_left_with_less_than_the_maximum_brings_exactly_the_maximum() -> None:
    game = opened()
    left = (Left(400, NOON),)
    for chips in (400, 999, 1001):
        assert game.refuses(Sit("ann", 0, chips, left=left)).facts["amount"] == 1000
    game.sit("ann", 0, 1000, left=left)


@pytest.mark.rule("1.4")
def test_ninety_minutes_later_he_buys_in_as_anyone() -> None:
    game = opened()
    left = (Left(2500, NOON),)
    game.wait(RETURN_MS - 1)
    assert game.refuses(Sit("ann", 0, 500, left=left)).code is Code.BUY_IN_FIXED
    game.wait(1)
    assert game.refuses(Sit("ann", 0, 2500, left=left)).code is Code.BUY_IN_TOO_LARGE
    game.sit("ann", 0, 500, left=left)


@pytest.mark.rule("1.4")
def test_of_several_leavings_the_largest_binds() -> None:
    left = (Left(400, NOON), Left(2500, NOON - 60 * MINUTE), Left(1800, NOON - 10 * MINUTE))
    assert binding(left, NOON) == left[1]
    assert binding(left, NOON + 30 * MINUTE) == left[2]


@pytest.mark.rule("case 11")
@pytest.mark.rule("1.4")
def test_a_leaving_is_used_up_by_the_buy_in_and_the_next_largest_binds() -> None:
    first, second = Left(2500, NOON), Left(400, NOON + 30 * MINUTE)
    game = opened()
    game.wait(80 * MINUTE)
    assert binding((first, second), game.now) == first
    assert game.refuses(Sit("ann", 0, 1000, left=(first, second))).facts["amount"] == 2500
    game.sit("ann", 0, 2500, left=(first, second))

    another = opened()
    another.wait(95 * MINUTE)
    refusal = another.refuses(Sit("ann", 0, 400, left=(second,)))
    assert refusal.facts == {"amount": 1000, "until": NOON + 120 * MINUTE}
    another.sit("ann", 0, 1000, left=(second,))


@pytest.mark.rule("1.4")
def test_the_rule_is_about_tables_of_the_same_game_currency_and_blinds() -> None:
    names = {
        stakes.structure
        for stakes in (
            no_limit("USD", 150),
            fixed_limit("USD", 300),
            no_limit("PHP", 150),
            no_limit("USD", 100),
        )
    }
    assert len(names) == 4
    assert no_limit("USD", 150).structure == no_limit("USD", 150, rake="none").structure


@pytest.mark.rule("1.4")
def test_who_left_with_nothing_buys_in_as_anyone() -> None:
    game = opened()
    game.sit("ann", 0, 100, left=(Left(0, NOON),))


@pytest.mark.rule("1.4")
def test_in_fixed_limit_he_brings_at_least_what_he_left_with() -> None:
    game = opened(FIXED)
    left = (Left(5000, NOON),)
    refusal = game.refuses(Sit("ann", 0, 4999, left=left))
    assert refusal.code is Code.BUY_IN_TOO_SMALL
    assert refusal.facts == {"minimum": 5000, "until": NOON + 90 * MINUTE}
    game.sit("ann", 0, 7000, left=left)


@pytest.mark.rule("1.4")
def test_in_fixed_limit_the_minimum_holds_for_one_who_left_with_less() -> None:
    refusal = opened(FIXED).refuses(Sit("ann", 0, 2999, left=(Left(10, NOON),)))
    assert refusal.facts["minimum"] == 3000


@pytest.mark.rule("1.4")
def test_after_a_removal_by_the_clock_it_is_at_least_what_he_left_with() -> None:
    left = (Left(400, NOON, removed=True),)
    assert opened().refuses(Sit("ann", 0, 399, left=left)).facts["minimum"] == 400
    opened().sit("ann", 0, 400, left=left)
    opened().sit("ann", 0, 1000, left=left)
    assert opened().refuses(Sit("ann", 0, 1001, left=left)).code is Code.BUY_IN_TOO_LARGE


@pytest.mark.rule("1.4")
def test_after_a_removal_with_more_than_the_maximum_it_is_that_amount() -> None:
    left = (Left(2500, NOON, removed=True),)
    assert opened().refuses(Sit("ann", 0, 2499, left=left)).code is Code.BUY_IN_TOO_SMALL
    assert opened().refuses(Sit("ann", 0, 2501, left=left)).code is Code.BUY_IN_TOO_LARGE
    opened().sit("ann", 0, 2500, left=left)


# --- table stakes ---------------------------------------------------------------------------------


@pytest.mark.rule("1.5")
def test_a_top_up_between_hands_is_added_at_once() -> None:
    game = opened()
    game.sit("ann", 0, 400)
    game.top_up("ann", 600)
    assert game.last == (ToppedUp(0, 600), TopUpPlayed(0, 600))
    assert game.seat(0).stack == 1000


@pytest.mark.rule("1.5")
def test_a_top_up_beyond_the_maximum_is_refused() -> None:
    game = opened()
    game.sit("ann", 0, 400)
    refusal = game.refuses(TopUp("ann", 601))
    assert refusal.code is Code.BUY_IN_TOO_LARGE
    assert refusal.facts == {"maximum": 600}


@pytest.mark.rule("1.5")
@pytest.mark.parametrize("chips", [0, -5])
def test_a_top_up_is_of_at_least_one_chip(chips: int) -> None:
    game = opened()
    game.sit("ann", 0, 400)
    assert game.refuses(TopUp("ann", chips)).code is Code.BUY_IN_TOO_SMALL


@pytest.mark.rule("1.5")
def test_a_top_up_in_mid_hand_is_charged_at_once_and_added_when_the_hand_is_settled() -> None:
    game = given([500, 500, 500], maximum=1000)
    game.top_up("p2", 400)
    assert game.last == (ToppedUp(2, 400),)
    assert game.seat(2).topup == 400
    assert game.options(2).max_to == 500
    game.fold_out()
    assert game.of(TopUpPlayed) == [TopUpPlayed(2, 400)]
    assert (game.seat(2).stack, game.seat(2).topup) == (900, 0)


@pytest.mark.rule("1.5")
def test_what_is_bet_does_not_count_against_a_top_up_in_mid_hand() -> None:
    game = given([1000, 1000, 1000], maximum=1000)
    assert game.refuses(TopUp("p2", 1)).code is Code.BUY_IN_TOO_LARGE
    game.play("s2 raises 300")
    assert game.refuses(TopUp("p2", 301)).facts == {"maximum": 300}
    game.top_up("p2", 200)
    assert game.refuses(TopUp("p2", 101)).facts == {"maximum": 100}
    game.top_up("p2", 100)


@pytest.mark.rule("1.5")
def test_after_a_win_a_top_up_is_added_up_to_the_maximum_and_the_rest_waits_on_the_table() -> None:
    game = given([1000, 1000, 1000], maximum=1000)
    game.play("s2 raises 300")
    game.top_up("p2", 300)
    game.play("s0 folds, s1 folds")
    assert (game.seat(2).stack, game.seat(2).topup) == (1015, 300)
    assert game.of(TopUpPlayed) == []
    game.next_hand()
    game.play("s0 raises 100, s1 folds, s2 calls, s2 checks, s0 bets 100, s2 folds")
    assert game.of(TopUpPlayed) == [TopUpPlayed(2, 85)]
    assert (game.seat(2).stack, game.seat(2).topup) == (1000, 215)


@pytest.mark.rule("1.5")
def test_there_is_no_command_that_takes_chips_off_the_table_but_leaving() -> None:
    game = given([1000, 1000, 1000], maximum=1000)
    game.play("s2 raises 300")
    game.top_up("p2", 300)
    game.play("s0 folds, s1 folds")
    game.leave("p2")
    assert [(one.player, one.chips) for one in game.left] == [("p2", 1315)]


@pytest.mark.rule("1.5")
def test_a_stack_of_nothing_sits_out() -> None:
    game = _p1_is_all_in_and_behind()
    game.play("s2 calls")
    assert game.seat(1).stack == 0
    assert game.standing(1).status is Status.OUT
    assert game.seat(1).out_since == game.now


@pytest.mark.rule("1.5")
@pytest.mark.rule("2.6")
def test_a_stack_of_nothing_is_emptied_by_the_limit_of_sitting_out() -> None:
    game = _p1_is_all_in_and_behind()
    game.play("s2 calls")
    game.next_hand()
    game.fold_out()
    game.wait(5 * MINUTE)
    game.settle_due()
    assert game.is_empty(1)


@pytest.mark.rule("1.5")
def test_with_a_stack_of_nothing_he_buys_at_least_the_minimum_to_go_on() -> None:
    game = _p1_is_all_in_and_behind()
    game.play("s2 calls")
    assert game.refuses(SitIn("p1")).code is Code.NO_CHIPS
    refusal = game.refuses(TopUp("p1", 99))
    assert (refusal.code, refusal.facts) == (Code.BUY_IN_TOO_SMALL, {"minimum": 100})
    game.top_up("p1", 100)
    game.sit_in("p1")
    assert game.standing(1).status is Status.ACTIVE
    assert game.seat(1).stack == 100


@pytest.mark.rule("1.5")
def test_a_top_up_of_less_than_the_minimum_does_not_carry_on_a_stack_that_is_lost() -> None:
    game = _p1_is_all_in_and_behind()
    game.top_up("p1", 40)
    game.play("s2 calls")
    assert (game.seat(1).stack, game.seat(1).topup) == (0, 40)
    assert game.standing(1).status is Status.OUT
    refusal = game.refuses(SitIn("p1"))
    assert (refusal.code, refusal.facts) == (Code.NO_CHIPS, {"minimum": 60})
    assert game.refuses(TopUp("p1", 59)).facts == {"minimum": 60}
    game.top_up("p1", 60)
    game.sit_in("p1")
    assert game.seat(1).stack == 100


@pytest.mark.rule("1.5")
def test_a_top_up_of_the_minimum_carries_on_a_stack_that_is_lost() -> None:
    game = _p1_is_all_in_and_behind()
    game.top_up("p1", 100)
    game.play("s2 calls")
    assert game.seat(1).stack == 100
    assert game.standing(1).status is Status.ACTIVE


def test_who_has_no_seat_can_neither_top_up_nor_leave() -> None:
    game = opened()
    for command in (TopUp("ann", 10), Leave("ann"), SitIn("ann")):
        assert game.refuses(command).code is Code.NOT_SEATED
