"""A table that an operator freezes and thaws (RULES 10.2)."""

import pytest

from poker_engine import views
from poker_engine.clock import due, sit_out_ends, wake_at
from poker_engine.codec import dump_table, load_table
from poker_engine.commands import Expire, Freeze, Sit, Start, Thaw
from poker_engine.errors import Code
from poker_engine.events import (
    Frozen,
    HandEnded,
    HandScheduled,
    Paused,
    SatOut,
    SeatEmptied,
    Thawed,
    TopUpPlayed,
)
from poker_engine.state import Exit, Status
from tests.engine.kit import MINUTE, SECOND, Game, given, opened, table_of

pytestmark = pytest.mark.rule("10.2")


def _between_hands(*seats: int) -> Game:
    game = table_of(*(seats or (0, 1, 2)), button=(seats or (0,))[0])
    game.fold_out()
    return game


def test_a_running_hand_goes_on_to_its_end_and_no_other_begins() -> None:
    game = table_of(0, 1, 2, button=0)
    game.freeze()
    assert game.last == (Frozen(),)
    turn = game.hand.turn
    assert turn is not None
    assert wake_at(game.table) == turn.expires
    game.expire()
    game.check_down()
    assert game.of(HandEnded)
    assert game.of(HandScheduled) == []
    assert game.table.next_hand_at is None
    assert due(game.table, game.now + 60 * MINUTE) is None


def test_the_next_hand_is_called_off() -> None:
    game = _between_hands()
    assert game.table.next_hand_at is not None
    game.freeze()
    assert game.table.next_hand_at is None
    game.wait(MINUTE)
    assert game.refuses(Start("d", 0)).code is Code.NOT_DUE


def test_nobody_sits_down() -> None:
    game = _between_hands()
    game.freeze()
    refusal = game.refuses(Sit("dan", 4, 1000))
    assert (refusal.code, refusal.facts) == (Code.TABLE_FROZEN, {})
    game.thaw()
    game.sit("dan", 4)


def test_who_sits_may_do_all_else() -> None:
    game = _between_hands(0, 1, 2, 3)
    game.freeze()
    game.sit_out("p1")
    game.sit_in("p1")
    assert game.of(HandScheduled) == []
    short = next(seat for seat in (1, 2, 3) if game.seat(seat).stack < 1000)
    game.top_up(f"p{short}", 1000 - game.seat(short).stack)
    assert game.of(TopUpPlayed)
    assert game.of(HandScheduled) == []
    game.auto_top_up("p2", 500)
    game.leave("p3")
    assert game.left[0].exit is Exit.LEFT


@pytest.mark.rule("2.7", "4.3")
def test_who_leaves_in_the_running_hand_goes_when_it_ends() -> None:
    game = table_of(0, 1, 2, button=0)
    game.freeze()
    game.leave("p1")
    game.fold_out()
    assert [one.seat for one in game.left] == [1]


@pytest.mark.rule("2.6")
def test_nobody_sits_out_too_long() -> None:
    game = _between_hands()
    game.sit_out("p1")
    game.freeze()
    assert wake_at(game.table) is None
    game.wait(60 * MINUTE)
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.thaw()
    assert Thawed(game.now) in game.last
    assert game.seat(1).out_since == game.now
    assert sit_out_ends(game.table, 1) == game.now + game.table.settings.sit_out_ms


@pytest.mark.rule("2.6")
def test_nor_has_let_too_many_blinds_pass() -> None:
    """The third goes by in the hand that runs when the table is frozen: one hand more is his."""
    game = table_of(0, 1, 2, 3, button=0)
    game.sit_out("p2")
    game.fold_out()
    while game.standing(2).passes < 3:
        game.next_hand()
        if game.standing(2).passes == 3:
            game.freeze()
        game.fold_out()
    assert not game.is_empty(2)
    game.thaw()
    game.next_hands(1)
    assert game.is_empty(2)


def test_an_empty_stack_sits_out_and_one_that_buys_waits() -> None:
    holes = {0: "AsAh", 1: "7c2d", 2: "8c3d"}
    game = given([500, 100, 100], holes=holes, board="AcKdQs9h3c", minimum=100, maximum=1000)
    game.auto_top_up("p1", 300)
    game.freeze()
    game.play("s2 is all-in, s0 calls, s1 calls")
    assert game.stacks == [700, 0, 0]
    assert game.of(SatOut) == [SatOut(2, game.now)]
    assert game.standing(1).status is Status.ACTIVE
    game.thaw()
    assert game.of(HandScheduled)
    game.refill()
    game.next_hand()
    assert game.seat(1).stack == 300


def test_thawed_it_goes_on_where_it_was() -> None:
    game = _between_hands()
    button = game.table.button
    game.freeze()
    game.wait(MINUTE)
    game.thaw()
    at = game.table.next_hand_at
    assert game.last == (Thawed(game.now), HandScheduled(game.now + 3 * SECOND))
    assert at == game.now + 3 * SECOND
    game.next_hand()
    assert not game.hand.fresh
    assert game.hand.button != button


def test_thawed_in_the_same_hand_the_next_one_follows() -> None:
    game = table_of(0, 1, button=0)
    game.freeze()
    game.thaw()
    assert game.last == (Thawed(game.now),)
    game.fold_out()
    assert game.table.next_hand_at is not None


@pytest.mark.rule("2.3")
def test_with_fewer_than_two_left_it_pauses() -> None:
    game = _between_hands(0, 1)
    game.freeze()
    game.leave("p1")
    assert not game.table.fresh
    game.thaw()
    assert game.last == (Thawed(game.now), Paused())
    game.sit("dan", 1)
    game.next_hand()
    assert game.hand.fresh


def test_an_empty_table_is_frozen_and_thawed() -> None:
    game = opened()
    game.freeze()
    game.thaw()
    assert game.last == (Thawed(game.now),)
    game.sit("ann", 0)
    game.sit("bob", 1)
    assert game.table.next_hand_at is not None


def test_twice_is_refused() -> None:
    game = opened()
    assert game.refuses(Thaw()).code is Code.NOT_FROZEN
    game.freeze()
    assert game.refuses(Freeze()).code is Code.TABLE_FROZEN
    game.thaw()
    assert game.refuses(Thaw()).code is Code.NOT_FROZEN


@pytest.mark.rule("2.8")
def test_a_frozen_table_can_be_closed_and_a_closing_one_is_neither_frozen_nor_thawed() -> None:
    game = table_of(0, 1, 2, button=0)
    game.freeze()
    game.close()
    assert game.refuses(Freeze()).code is Code.TABLE_CLOSING
    assert game.refuses(Thaw()).code is Code.TABLE_CLOSING
    assert game.refuses(Sit("dan", 4, 1000)).code is Code.TABLE_CLOSING
    game.fold_out()
    assert game.table.closed
    assert len(game.of(SeatEmptied)) == 3
    assert game.refuses(Thaw()).code is Code.TABLE_CLOSING


@pytest.mark.rule("9")
def test_a_void_hand_is_followed_by_none() -> None:
    game = table_of(0, 1, 2, button=0)
    game.freeze()
    game.void()
    assert game.table.next_hand_at is None
    assert game.table.frozen
    game.thaw()
    assert game.table.next_hand_at is not None


def test_everybody_sees_it_and_it_is_kept() -> None:
    game = _between_hands()
    for frozen in (False, True):
        if frozen:
            game.freeze()
        for seat in (0, None):
            shown = views.snapshot(game.table, seat, game.deck, game.now)
            assert shown["state"]["frozen"] is frozen
        assert load_table(dump_table(game.table)) == game.table
    seq = game.table.seq
    game.thaw()
    assert game.table.seq == seq + len(game.last)
