"""A seat that buys chips by itself before each hand (RULES 10.1)."""

import json

import pytest

from poker_engine import views
from poker_engine.clock import due
from poker_engine.codec import dump_table, load_table
from poker_engine.commands import AutoTopUp, Leave, SitIn, SitOut, Start
from poker_engine.errors import Code
from poker_engine.events import (
    HandScheduled,
    HandStarted,
    Paused,
    RefillSet,
    SatOut,
    ToppedUp,
    TopUpPlayed,
)
from poker_engine.stakes import fixed_limit
from poker_engine.state import Exit, Status
from poker_engine.upkeep import refills
from tests.engine.kit import MINUTE, Game, given, opened, table_of

pytestmark = pytest.mark.rule("10.1")


def _p1_loses_all(*, refill: int = 0, players: int = 3) -> Game:
    """5/10: s1 is all-in with 100 against s0 and loses; minimum 100, maximum 1000."""
    stacks = [500, 100, 500][:players]
    holes = {0: "AsAh", 1: "7c2d"}
    game = given(stacks, holes=holes, board="AcKdQs9h3c", minimum=100, maximum=1000)
    if refill:
        game.auto_top_up("p1", refill)
    if players == 3:
        game.play("s2 folds, s0 raises 100, s1 calls")
    else:
        game.play("s1 is all-in, s0 calls")
    assert game.table.running is None
    assert game.seat(1).stack == 0
    return game


def test_it_is_between_minimum_and_maximum_or_nothing() -> None:
    game = opened()
    game.sit("ann", 0, 400)
    refusal = game.refuses(AutoTopUp("ann", 99))
    assert (refusal.code, refusal.facts) == (Code.BUY_IN_TOO_SMALL, {"minimum": 100})
    refusal = game.refuses(AutoTopUp("ann", 1001))
    assert (refusal.code, refusal.facts) == (Code.BUY_IN_TOO_LARGE, {"maximum": 1000})
    for to in (100, 1000, 0):
        game.auto_top_up("ann", to)
        assert game.last == (RefillSet(0, to),)
        assert game.seat(0).refill == to


def test_fixed_limit_without_a_maximum_sets_it_no_bound() -> None:
    game = opened(fixed_limit("USD", 1000))
    assert game.table.settings.maximum is None
    game.sit("ann", 0, 10_000)
    game.sit("bob", 1, 10_000)
    assert game.refuses(AutoTopUp("ann", 9_999)).facts == {"minimum": 10_000}
    game.auto_top_up("ann", 10**12)
    assert refills(game.table) == ((0, "ann", 10**12 - 10_000),)


def test_who_has_no_seat_or_leaves_sets_nothing() -> None:
    game = table_of(0, 1, 2, button=2)
    assert game.refuses(AutoTopUp("nobody", 100)).code is Code.NOT_SEATED
    game.leave("p0")
    assert game.refuses(AutoTopUp("p0", 100)).code is Code.LEAVING


def test_to_say_it_again_changes_nothing() -> None:
    game = table_of(0, 1, button=0)
    game.auto_top_up("p0", 500)
    game.auto_top_up("p0", 500)
    assert game.last == ()


@pytest.mark.rule("7")
def test_it_is_his_own_to_know() -> None:
    game = table_of(0, 1, button=0)
    seq = game.table.seq
    game.auto_top_up("p0", 500)
    assert game.table.seq == seq

    def pushed(seat: int | None) -> str:
        view = views.push(game.table, game.last, seat, game.deck, seq, game.now)
        return json.dumps(view["events"])

    def shown(seat: int | None) -> str:
        return json.dumps(views.snapshot(game.table, seat, game.deck, game.now, game.log))

    assert pushed(0) == '[{"e": "refill_set", "seat": 0, "to": 500}]'
    assert pushed(1) == pushed(None) == "[]"
    assert '"refill": 500' in shown(0)
    assert '"refill": 0' in shown(1)
    assert "refill_set" not in shown(1)
    assert "refill" not in shown(None)


def test_tables_of_before_have_none_and_it_is_kept() -> None:
    game = table_of(0, 1, button=0)
    assert game.seat(0).refill == 0
    game.auto_top_up("p0", 500)
    assert load_table(dump_table(game.table)) == game.table


def test_before_a_hand_it_buys_what_is_missing() -> None:
    game = _p1_loses_all()
    for player in ("p0", "p1", "p2"):
        game.auto_top_up(player, 600)
    # p1 sits out: he set it when he had nothing left.
    assert game.stacks == [600, 0, 500]
    game.auto_top_up("p0", 650)
    assert refills(game.table) == ((0, "p0", 50), (2, "p2", 100))
    game.refill()
    assert game.last == (ToppedUp(2, 100), TopUpPlayed(2, 100))
    assert refills(game.table) == ()
    game.next_hand()
    assert game.stacks == [650, 0, 600]


def test_what_waits_already_counts() -> None:
    game = given([500, 500], minimum=100, maximum=1000)
    game.auto_top_up("p0", 800)
    game.top_up("p0", 250)
    game.fold_out()
    assert refills(game.table) == ((0, "p0", 800 - game.seat(0).stack),)
    assert game.seat(0).stack > 740


def test_whose_stack_is_as_large_buys_nothing() -> None:
    game = given([500, 500], minimum=100, maximum=1000)
    game.auto_top_up("p0", 400)
    game.auto_top_up("p1", 500)
    game.play("s1 calls, s0 checks")
    game.check_down()
    assert {seat for seat, _, _ in refills(game.table)} <= {1}


def test_an_empty_stack_that_will_buy_does_not_sit_out() -> None:
    game = _p1_loses_all(refill=300)
    assert game.of(SatOut) == []
    assert game.standing(1).status is Status.ACTIVE
    assert refills(game.table) == ((1, "p1", 300),)
    game.refill()
    game.next_hand()
    assert 1 in game.hand.dealt
    assert game.seat(1).stack == 300


def test_without_the_setting_it_does() -> None:
    game = _p1_loses_all()
    assert game.of(SatOut) == [SatOut(1, game.now)]
    assert refills(game.table) == ()


@pytest.mark.rule("2.3")
def test_two_of_whom_one_will_buy_play_on_without_a_pause() -> None:
    game = _p1_loses_all(refill=300, players=2)
    assert game.of(HandScheduled)
    game.refill()
    game.next_hand()
    assert not game.hand.fresh
    assert len(game.hand.dealt) == 2


def test_who_could_not_buy_sits_out_when_the_hand_begins() -> None:
    """Nothing was bought for him: his wallet could not be asked, say."""
    game = _p1_loses_all(refill=300)
    game.next_hand()
    assert game.last[0] == SatOut(1, game.now)
    assert 1 not in game.hand.dealt
    assert game.seat(1).refill == 300
    game.fold_out()
    assert game.standing(1).status is Status.OUT


def test_of_two_nobody_plays_then() -> None:
    game = _p1_loses_all(refill=300, players=2)
    game.next_hand()
    assert game.last == (SatOut(1, game.now), Paused())
    # His setting still stands: back with chips of his own, he buys the rest before the next hand.
    game.top_up("p1", 100)
    game.sit_in("p1")
    assert game.of(HandScheduled)
    game.refill()
    game.next_hand()
    assert game.seat(1).stack == 300
    assert len(game.hand.dealt) == 2


def test_the_other_of_two_leaves_and_nothing_is_bought() -> None:
    """Heads-up one is broke and one leaves: no hand will begin, so no chips are needed."""
    game = _p1_loses_all(refill=300, players=2)
    game.leave("p0")
    assert refills(game.table) == ()
    game.next_hand()
    assert game.last == (Paused(),)
    assert game.standing(1).status is Status.ACTIVE
    assert game.seat(1).stack == 0
    game.sit("dan", 0, 500)
    assert game.of(HandScheduled)
    assert refills(game.table) == ((1, "p1", 300),)
    game.refill()
    game.next_hand()
    assert game.stacks == [500, 300]


def test_the_broke_one_of_two_leaves() -> None:
    game = _p1_loses_all(refill=300, players=2)
    game.leave("p1")
    assert [(one.chips, one.exit) for one in game.left] == [(0, Exit.LEFT)]
    game.next_hand()
    assert game.last == (Paused(),)


def test_who_takes_it_back_with_nothing_left_sits_out_at_once() -> None:
    game = _p1_loses_all(refill=300)
    game.auto_top_up("p1", 0)
    assert game.last == (RefillSet(1, 0), SatOut(1, game.now))
    assert game.refuses(SitIn("p1")).code is Code.NO_CHIPS


def test_who_takes_it_back_while_his_hand_runs_plays_it() -> None:
    game = given([500, 100, 500], minimum=100, maximum=1000)
    game.auto_top_up("p1", 300)
    game.auto_top_up("p1", 0)
    assert game.last == (RefillSet(1, 0),)


def test_who_sits_out_buys_nothing_until_he_is_back() -> None:
    game = _p1_loses_all()
    game.auto_top_up("p1", 300)
    assert game.standing(1).status is Status.OUT
    assert refills(game.table) == ()
    game.top_up("p1", 100)
    game.sit_in("p1")
    assert game.standing(1).status is Status.ACTIVE
    assert refills(game.table) == ((1, "p1", 200),)
    game.sit_out("p1")
    assert refills(game.table) == ()


@pytest.mark.rule("1.5")
def test_with_nothing_left_nobody_comes_back_before_he_has_bought() -> None:
    game = _p1_loses_all()
    game.auto_top_up("p1", 300)
    refusal = game.refuses(SitIn("p1"))
    assert (refusal.code, refusal.facts) == (Code.NO_CHIPS, {"minimum": 100})
    game.top_up("p1", 100)
    game.sit_in("p1")
    assert game.standing(1).status is Status.ACTIVE


@pytest.mark.rule("2.6")
def test_at_a_table_at_rest_his_seat_is_emptied_whatever_he_sets() -> None:
    game = _p1_loses_all(refill=300, players=2)
    game.next_hand()
    assert game.last == (SatOut(1, game.now), Paused())
    for minute in range(4):
        game.wait(MINUTE)
        game.auto_top_up("p1", 100 * (minute % 2 + 1))
        game.sit_out("p1")
        assert game.refuses(SitIn("p1")).code is Code.NO_CHIPS
        assert due(game.table, game.now) is None
    game.wait(MINUTE)
    game.settle_due()
    assert [(one.seat, one.exit) for one in game.left] == [(1, Exit.SAT_OUT)]


@pytest.mark.rule("2.6")
def test_three_big_blinds_that_passed_empty_it_too() -> None:
    game = _p1_loses_all(refill=300)
    passes = []
    while not game.is_empty(1):
        game.next_hand()
        passes.append(game.standing(1).passes)
        assert game.refuses(SitIn("p1")).code is Code.NO_CHIPS
        game.fold_out()
    assert max(passes) == 3
    assert [(one.seat, one.exit) for one in game.left] == [(1, Exit.SAT_OUT)]


def test_who_waits_for_the_big_blind_buys() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit("dan", 4, 400)
    game.auto_top_up("dan", 700)
    game.fold_out()
    assert (4, "dan", 300) in refills(game.table)


def test_a_part_of_a_top_up_that_waits_is_made_up_to_the_whole() -> None:
    """40 were bought in the hand: with nothing else they are no stack."""
    holes = {0: "AsAh", 1: "7c2d"}
    game = given([500, 100, 500], holes=holes, board="AcKdQs9h3c", minimum=100, maximum=1000)
    game.auto_top_up("p1", 100)
    game.top_up("p1", 40)
    game.play("s2 folds, s0 raises 100, s1 calls")
    assert (game.seat(1).stack, game.seat(1).topup) == (0, 40)
    assert game.standing(1).status is Status.ACTIVE
    assert refills(game.table) == ((1, "p1", 60),)
    game.refill()
    assert game.seat(1).stack == 100


def test_a_hand_begins_after_what_was_bought_for_it() -> None:
    game = _p1_loses_all(refill=300)
    game.refill()
    game.next_hand()
    kinds = [type(event) for event in game.log]
    last = len(kinds) - 1 - kinds[::-1].index(HandStarted)
    assert ToppedUp in kinds[:last]
    assert ToppedUp not in kinds[last:]
    game.void()
    assert game.seat(1).stack == 300
    assert game.replayed() == game.table


def test_who_waits_for_chips_may_sit_out_and_leave() -> None:
    game = _p1_loses_all(refill=300)
    game.do(SitOut("p1"))
    assert game.standing(1).status is Status.OUT
    game.do(Leave("p1"))
    assert game.is_empty(1)


def test_no_hand_begins_early_for_it() -> None:
    game = _p1_loses_all(refill=300)
    at = game.table.next_hand_at
    game.refill()
    assert game.table.next_hand_at == at
    assert game.refuses(Start("d", 0)).code is Code.NOT_DUE
