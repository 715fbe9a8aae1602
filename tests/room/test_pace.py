"""A table's averages: which of a hand's numbers count, and how much a new one weighs."""

from collections.abc import Iterable

import pytest

from cardroom.dealer import Applied
from cardroom.pace import LONGEST_GAP_MS, Pace
from cardroom.store import read_state
from poker_engine.cards import DECK
from poker_engine.codec import load_events
from poker_engine.events import (
    Acted,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    PotWon,
    TurnBegan,
)
from poker_engine.state import Cause, Do, Street
from tests.room.world import START, World

CLOCK = 15_000
NOTHING = Pace()


def _started(*dealt: int) -> HandStarted:
    return HandStarted(1, "deck", START, dealt[0], None, None, dealt, False, (), ())


def _turn(seat: int, began: int) -> TurnBegan:
    return TurnBegan(1, seat, START + began + CLOCK, START + began + CLOCK + 1000)


def _acted(seat: int, do: Do, cause: Cause = Cause.OWN) -> Acted:
    return Acted(seat, do, 0, 0, cause)


def _flop() -> BoardDealt:
    return BoardDealt(Street.FLOP, (0, 1, 2))


def _won(amount: int) -> PotWon:
    return PotWon(0, amount, 50, (0,), ((0, amount - 50),))


def _after(*events: Event, pace: Pace = NOTHING, ended: int = 0) -> Pace:
    return pace.after([*events, HandEnded(1, START + ended)], CLOCK)


def test_the_pot_is_all_pots_before_rake() -> None:
    assert _after(_started(0, 1), _won(1_000), _won(400)).pot == 1_400


def test_who_folded_before_the_flop_has_not_seen_it() -> None:
    hand = (
        _started(0, 1, 2),
        _acted(0, Do.FOLD),
        _acted(1, Do.CALL),
        _flop(),
        _acted(1, Do.FOLD),
        BoardDealt(Street.TURN, (3,)),
    )
    assert _after(*hand).flop == 666
    assert _after(_started(0, 1, 2), _acted(0, Do.FOLD), _acted(1, Do.FOLD)).flop == 0
    assert _after(_started(0, 1), _flop()).flop == 1_000


def test_an_action_takes_from_its_turn_to_what_happens_next() -> None:
    hand = (
        _started(0, 1),
        _turn(0, 0),
        _acted(0, Do.CALL),
        _turn(1, 2_000),
        _acted(1, Do.CHECK),
        _flop(),
        _turn(1, 3_000),
        _acted(1, Do.FOLD),
    )
    assert _after(*hand, ended=6_000).acting_ms == 2_000


def test_who_folds_out_of_turn_took_no_time() -> None:
    hand = (_started(0, 1, 2), _turn(0, 0), _acted(1, Do.FOLD, Cause.LEAVING), _acted(0, Do.CALL))
    assert _after(*hand, _turn(2, 4_000), ended=9_000).acting_ms == 4_000
    assert _after(_started(0, 1), _acted(0, Do.FOLD, Cause.LEAVING)).acting_ms is None


def test_a_turn_that_ends_without_an_action_counts_for_nothing() -> None:
    """It passes on as another leaves."""
    hand = (_started(0, 1), _turn(0, 0), _acted(1, Do.FOLD, Cause.LEAVING))
    assert _after(*hand, ended=9_000).acting_ms is None


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ([60_000], 60),
        ([60_000, LONGEST_GAP_MS], 40),
        ([60_000, LONGEST_GAP_MS + 1], 60),
        ([LONGEST_GAP_MS + 1], None),
        ([60_000, 0], 60),
    ],
)
def test_hands_an_hour_leave_out_when_nobody_played(gaps: list[int], expected: int | None) -> None:
    pace, ended = _after(_started(0, 1)), 0
    assert pace.hands_hour is None
    for gap in gaps:
        ended += gap
        pace = _after(_started(0, 1), pace=pace, ended=ended)
    assert pace.hands_hour == expected


def _pots(amounts: Iterable[int]) -> int | None:
    pace = NOTHING
    for amount in amounts:
        pace = _after(_started(0, 1), _won(amount), pace=pace)
    return pace.pot


def test_a_new_hand_weighs_an_eighth() -> None:
    assert _pots([8_000, 16_000]) == 9_000
    assert _pots([8_000, 0]) == 7_000
    assert _pots([8_000] * 50) == 8_000
    assert abs((_pots([0] + [8_000] * 100) or 0) - 8_000) <= 4


def test_it_is_kept_as_text() -> None:
    pace = Pace(1, 2, 3, None, START)
    assert Pace.load(pace.dump()) == pace
    assert Pace.load(NOTHING.dump()) == NOTHING
    with pytest.raises(ValueError, match="unpack"):
        Pace.load("[1]")


def test_the_write_that_ends_a_hand_counts_it(world: World) -> None:
    world.randomness.decks = [DECK, DECK]
    world.seat("ana", "ben")
    world.deal()
    assert world.stored().pace == NOTHING
    for do in ("call", "check", *["check"] * 6):
        world.clock.go(2_000)
        world.act(do)
    first = world.stored().pace
    hand = world.stored().table.hand
    assert hand is not None
    assert first == Pace(
        pot=sum(pot.amount for pot in hand.pots),
        flop=1_000,
        acting_ms=2_000,
        ended=world.clock.now(),
    )
    world.deal()
    world.clock.go(1_000)
    world.act("fold")
    second = world.stored().pace
    assert second.gap_ms == world.clock.now() - (first.ended or 0)
    assert second.flop == 875
    assert second.acting_ms == 1_875
    # Whoever plays the records again finds the same.
    assert second == first.after(load_events(world.stored().log), CLOCK)


def test_a_void_hand_is_no_measure(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.act("fold")
    before = world.stored().pace
    world.deal()
    assert isinstance(world.dealer.void("t", "test"), Applied)
    assert world.stored().pace == before


def test_a_table_that_was_written_before_has_none(world: World) -> None:
    world.seat("ana", "ben")
    image = world.tables.history[-1]
    del image["pace"]
    assert read_state(image).pace == NOTHING
