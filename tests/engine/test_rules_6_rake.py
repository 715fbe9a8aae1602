"""RULES 6: how much rake a hand gives, and what its record says."""

from dataclasses import replace

import pytest

from poker_engine.chips import chips_on_table
from poker_engine.events import HandEnded, HandStarted, PotWon
from poker_engine.rake import SCHEDULES, per_pot
from poker_engine.stakes import PHP_STAKES, RULES_VERSION, fixed_limit, no_limit
from poker_engine.state import Post
from tests.engine.kit import Game, given, opened

PHP = no_limit("PHP", 500)
USD = no_limit("USD", 100)
ROYAL = "AsKsQsJsTs"


# --- the schedules -------------------------------------------------------------------------------


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("total", "rake"),
    [(0, 0), (19, 0), (20, 1), (39, 1), (40, 2), (1001, 50), (99_999, 4999), (100_000, 5000)],
)
def test_php_takes_5_percent_rounded_down_to_the_centavo(total: int, rake: int) -> None:
    assert SCHEDULES["php"].of(total, big_blind=1000) == rake


@pytest.mark.rule("6.2")
def test_php_takes_5_big_blinds_a_hand_at_most() -> None:
    for stakes in PHP_STAKES:
        cap = 5 * stakes.big_blind
        assert SCHEDULES["php"].of(20 * cap - 1, stakes.big_blind) == cap - 1
        assert SCHEDULES["php"].of(20 * cap, stakes.big_blind) == cap
        assert SCHEDULES["php"].of(50 * cap, stakes.big_blind) == cap


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("total", "rake"),
    [
        (499, 0),
        (500, 25),
        (999, 25),
        (1000, 50),
        (1500, 75),
        (5999, 275),
        (6000, 300),
        (10**6, 300),
    ],
)
def test_usd_takes_5_percent_rounded_down_to_25_cents_and_3_dollars_at_most(
    total: int, rake: int
) -> None:
    for big_blind in (200, 300, 2000):
        assert SCHEDULES["usd"].of(total, big_blind) == rake


@pytest.mark.rule("6.2")
def test_the_currency_names_the_schedule_of_its_stakes() -> None:
    assert {stakes.rake for stakes in PHP_STAKES} == {"php"}
    assert USD.rake == fixed_limit("USD", 300).rake == "usd"


# --- 6.1 when ------------------------------------------------------------------------------------


@pytest.mark.rule("6.1")
def test_there_is_no_rake_when_all_fold_to_the_big_blind() -> None:
    game = given([50_000] * 3, PHP)
    game.fold_out()
    assert game.pots == [1000]
    assert game.rake == 0


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(
    "script",
    [
        "s2 calls, s0 folds, s1 checks",
        "s2 folds, s0 calls, s1 checks",
        "s2 raises 3000, s0 folds, s1 folds",
        "s2 raises 3000, s0 calls, s1 folds",
    ],
)
def test_one_call_or_raise_before_the_flop_is_enough(script: str) -> None:
    game = given([50_000] * 3, PHP)
    game.play(script)
    game.check_down()
    assert game.rake == sum(game.pots) * 5 // 100 > 0


@pytest.mark.rule("6.1")
def test_a_call_for_less_counts() -> None:
    game = given([50_000, 50_000, 400], PHP)
    game.play("s2 is all-in, s0 folds")
    assert game.pots == [1200, 200]
    assert game.rake == 70


@pytest.mark.rule("6.1")
def test_posts_alone_do_not_count_even_where_the_pot_is_contested() -> None:
    game = given([300, 50_000], PHP)
    assert game.hand.over
    assert game.pots == [600]
    assert game.rake == 0


def _with_a_late_post() -> Game:
    """Three seats, of which the last has posted as much as the big blind."""
    game = opened(PHP, seats=3)
    for seat in range(3):
        game.sit(f"p{seat}", seat, 50_000)
    game.deal(
        button=2,
        small_blind=0,
        big_blind=1,
        dealt=(0, 1, 2),
        posts=[(0, Post.SMALL_BLIND, 500), (1, Post.BIG_BLIND, 1000), (2, Post.LIVE, 1000)],
    )
    return game


@pytest.mark.rule("6.1")
def test_checks_do_not_count() -> None:
    game = _with_a_late_post()
    game.play("s2 checks, s0 folds, s1 checks")
    game.check_down()
    assert game.pots == [2500]
    assert game.rake == 0


@pytest.mark.rule("6.1")
def test_bets_after_the_flop_do_not_count_without_an_action_before_it() -> None:
    game = _with_a_late_post()
    game.play("s2 checks, s0 folds, s1 checks, s1 bets 5000, s2 calls")
    game.check_down()
    assert game.pots == [12_500]
    assert game.rake == 0


@pytest.mark.rule("6.1")
def test_automatic_acts_do_not_count() -> None:
    game = given([50_000] * 3, PHP)
    game.expire()  # s2 is folded
    game.leave("p0")  # and so is s0
    assert game.hand.over
    assert game.rake == 0
    game = given([50_000] * 2, PHP)
    game.play("s1 folds")
    assert game.rake == 0


@pytest.mark.rule("6.1")
def test_usd_is_taken_under_the_same_condition() -> None:
    game = given([50_000] * 3, USD)
    game.fold_out()
    assert game.rake == 0
    game = given([50_000] * 3, USD)
    game.play("s2 calls, s0 calls, s1 checks")
    game.check_down()
    assert game.rake == 25  # 5% of 600 are 30


# --- 6.2 how much --------------------------------------------------------------------------------


@pytest.mark.rule("6.2")
def test_the_uncalled_part_gives_no_rake() -> None:
    game = given([50_000] * 3, PHP)
    game.play("s2 raises 40000, s0 folds, s1 folds")
    assert game.returned == [(2, 39_000)]
    assert game.rake == 125  # of 500 + 1000 + 1000


@pytest.mark.rule("6.2")
def test_splitting_a_pot_cannot_change_the_rake() -> None:
    one = given([1000, 600, 600], USD)
    one.play("s2 raises 500, s0 folds, s1 calls")
    one.check_down()
    assert one.pots == [1100]
    assert one.rake == 50
    two = given([400, 600, 600], USD)
    two.play("s2 is all-in, s0 is all-in, s1 is all-in")
    assert two.pots == [1200, 400]
    assert two.rake == 75  # of 1600, 5% are 80; pot by pot it would be 50 and 0


@pytest.mark.rule("6.2")
def test_each_pot_bears_its_part_and_left_over_units_go_to_the_largest_remainders() -> None:
    assert per_pot(75, [900, 600]) == (45, 30)
    assert per_pot(10, [100, 100, 100]) == (4, 3, 3)  # 3.33 each: the earliest pot
    assert per_pot(11, [100, 100, 100]) == (4, 4, 3)
    assert per_pot(7, [131, 87, 44]) == (4, 2, 1)  # 3.50, 2.32, 1.18
    assert per_pot(2, [50, 150, 200]) == (0, 1, 1)  # 0.25, 0.75, 1.00
    assert per_pot(1, [10, 10, 10]) == (1, 0, 0)
    assert per_pot(0, [0]) == (0,)


@pytest.mark.rule("6.2")
def test_parts_always_add_up_to_the_rake_and_never_exceed_their_pot() -> None:
    for rake in range(60):
        for pots in ([400, 400, 400], [1, 1, 1198], [7, 593, 600], [1200], [599, 601]):
            parts = per_pot(rake, pots)
            assert sum(parts) == rake
            for part, pot in zip(parts, pots, strict=True):
                assert rake * pot // 1200 <= part <= min(pot, rake * pot // 1200 + 1)


@pytest.mark.rule("6.2")
def test_rake_is_counted_on_dead_money_and_antes_too() -> None:
    game = given([50_000] * 3, replace(PHP, ante=200))
    game.play("s2 calls, s0 folds, s1 checks")
    game.check_down()
    assert game.pots == [3100]
    assert game.rake == 155


@pytest.mark.rule("6.2")
def test_the_cap_holds_for_the_hand_not_for_each_pot() -> None:
    game = given([60_000, 100_000, 100_000], PHP)
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    assert game.pots == [180_000, 80_000]
    assert [pot.rake for pot in game.hand.pots] == [3462, 1538]  # 5000 in proportion


@pytest.mark.rule("6.2")
def test_the_shares_are_paid_out_of_what_the_rake_leaves() -> None:
    game = given([60_000, 100_000, 100_000], PHP, board=ROYAL)
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    for pot in game.hand.pots:
        assert sum(chips for _, chips in pot.shares) == pot.amount - pot.rake


@pytest.mark.rule("6.2")
def test_in_fixed_limit_the_rake_is_counted_alike() -> None:
    game = given([50_000] * 3, fixed_limit("USD", 1000))
    game.play("s2 raises 2000, s0 calls, s1 calls")
    game.check_down()
    assert game.pots == [6000]
    assert game.rake == 300


# --- 6.3 the record ------------------------------------------------------------------------------


@pytest.mark.rule("6.3")
def test_the_events_of_a_hand_state_its_pots_and_the_rake_of_each() -> None:
    game = given([60_000, 100_000, 100_000], PHP)
    game.play("s2 is all-in, s0 is all-in, s1 is all-in")
    stated = {event.pot: (event.amount, event.rake) for event in game.of(PotWon)}
    assert stated == {number: (pot.amount, pot.rake) for number, pot in enumerate(game.hand.pots)}
    (started,) = [event for event in game.log if isinstance(event, HandStarted)]
    (ended,) = game.of(HandEnded)
    assert started.number == ended.number == game.hand.number


@pytest.mark.rule("6.3")
def test_schedule_and_rules_version_are_there_for_the_record() -> None:
    game = given([50_000] * 3, PHP)
    assert game.table.settings.stakes.rake in SCHEDULES
    assert SCHEDULES["php"].name == "php"
    assert RULES_VERSION == 1


@pytest.mark.rule("6.3")
def test_the_rake_leaves_the_table_with_the_command_that_pays_the_winners() -> None:
    game = given([50_000] * 3, PHP)
    game.play(
        "s2 calls, s0 folds, s1 checks, s1 checks, s2 checks, s1 checks, s2 checks, s1 checks"
    )
    assert chips_on_table(game.table) == 150_000
    game.play("s2 checks")
    assert game.hand.over
    assert chips_on_table(game.table) == 150_000 - 125
