"""RULES 10.3: what a player chooses before his turn."""

import pytest

from poker_engine import codec, views
from poker_engine.cards import DECK
from poker_engine.commands import PreAct
from poker_engine.errors import Code
from poker_engine.events import Acted, BoardDealt, HandEnded, Prepared, TurnBegan
from poker_engine.stakes import fixed_limit
from poker_engine.state import Cause, Do, PreDo
from tests.engine.kit import Game, given, opened

pytestmark = pytest.mark.rule("10.3")


def wish(game: Game, seat: int, do: PreDo | None, price: int | None = None) -> PreAct:
    hand = game.hand
    return PreAct(game.seat(seat).player, hand.number, hand.price if price is None else price, do)


def prepare(game: Game, seat: int, do: PreDo | None, price: int | None = None) -> None:
    game.do(wish(game, seat, do, price))


def on_the_flop() -> Game:
    """Three players with a pot of 30 and 90 each behind; s0 is first to act."""
    game = given([100, 100, 100])
    game.play("s2 calls, s0 calls, s1 checks")
    return game


# --- what it does ---------------------------------------------------------------------------------


def test_it_is_done_at_once_when_the_turn_would_come() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    assert game.last == (Prepared(0, PreDo.CALL, 10),)
    game.play("s2 calls")
    assert game.of(Acted) == [
        Acted(2, Do.CALL, 10, 10, Cause.OWN),
        Acted(0, Do.CALL, 10, 5, Cause.OWN),
    ]
    # His is no turn: turns are numbered without it.
    assert [(turn.number, turn.seat) for turn in game.of(TurnBegan)] == [(2, 1)]
    assert game.hand.pre == ()


def test_a_whole_street_may_go_by_pre_actions() -> None:
    game = on_the_flop()
    prepare(game, 1, PreDo.CHECK_FOLD)
    prepare(game, 2, PreDo.CHECK_FOLD)
    game.play("s0 checks")
    assert game.acted == [(0, Do.CHECK), (1, Do.CHECK), (2, Do.CHECK)]
    assert len(game.of(BoardDealt)) == 1
    assert game.turn_of == 0


def test_all_but_one_may_fold_so_and_the_hand_is_over() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.FOLD)
    game.play("s2 folds")
    assert game.acted == [(2, Do.FOLD), (0, Do.FOLD)]
    assert game.of(HandEnded)
    assert game.stacks == [95, 105, 100]


def test_check_fold_checks_where_that_is_free() -> None:
    game = given([100, 100, 100])
    prepare(game, 1, PreDo.CHECK_FOLD)
    game.play("s2 calls, s0 calls")
    assert game.acted == [(0, Do.CALL), (1, Do.CHECK)]


def test_check_fold_folds_where_there_is_something_to_call() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CHECK_FOLD)
    game.play("s2 calls")
    assert game.acted == [(2, Do.CALL), (0, Do.FOLD)]


@pytest.mark.rule("3.8")
def test_fold_folds_where_a_check_is_free_too() -> None:
    game = on_the_flop()
    prepare(game, 1, PreDo.FOLD)
    game.play("s0 checks")
    assert game.acted == [(0, Do.CHECK), (1, Do.FOLD)]


def test_a_call_takes_the_whole_stack_where_that_is_less() -> None:
    game = given([100, 100, 100, 30])
    game.play("s2 raises 50")
    game.play("s3 calls")
    prepare(game, 1, PreDo.CALL)
    game.play("s0 calls")
    assert game.acted == [(0, Do.CALL), (1, Do.CALL)]
    short = given([100, 20, 100])
    prepare(short, 0, PreDo.CALL)
    short.play("s2 raises 40")
    prepare(short, 1, PreDo.CALL)
    short.play("s0 calls")
    assert short.of(Acted)[1] == Acted(1, Do.CALL, 20, 10, Cause.OWN)


@pytest.mark.rule("6.1")
def test_a_call_so_is_voluntary() -> None:
    game = given([100, 100])
    prepare(game, 0, PreDo.CHECK_FOLD)
    game.play("s1 calls")
    assert game.hand.voluntary
    three = given([100, 100, 100])
    prepare(three, 0, PreDo.CALL)
    three.play("s2 folds")
    assert three.hand.voluntary


@pytest.mark.rule("4.2")
def test_it_counts_as_an_action_of_his_own() -> None:
    game = on_the_flop()
    game.play("s0 checks")
    game.expire()
    game.play("s2 checks")
    assert game.standing(1).expired == 1
    prepare(game, 1, PreDo.CHECK_FOLD)
    assert game.standing(1).expired == 1
    game.play("s0 checks")
    assert game.standing(1).expired == 0
    assert game.hand.own == 0b11


# --- how long it holds ----------------------------------------------------------------------------


@pytest.mark.parametrize("do", PreDo)
def test_a_raise_makes_all_of_them_void(do: PreDo) -> None:
    game = given([100, 100, 100])
    prepare(game, 0, do)
    prepare(game, 1, PreDo.FOLD)
    game.play("s2 raises 20")
    assert game.hand.pre == ()
    assert game.turn_of == 0
    assert game.of(TurnBegan)


def test_a_bet_does_so_too() -> None:
    game = on_the_flop()
    prepare(game, 1, PreDo.CHECK_FOLD)
    game.play("s0 bets 20")
    assert game.hand.pre == ()
    assert game.turn_of == 1


def test_an_all_in_that_raises_by_little_does_so_too() -> None:
    game = given([100, 100, 14])
    prepare(game, 0, PreDo.CALL)
    game.play("s2 is all-in")
    assert game.hand.price == 14
    assert game.hand.pre == ()
    assert game.turn_of == 0


def test_a_call_and_a_fold_leave_them() -> None:
    game = given([100, 100, 100, 100])
    prepare(game, 1, PreDo.CHECK_FOLD)
    game.play("s2 calls, s3 folds")
    assert game.hand.pre == ((1, PreDo.CHECK_FOLD, 10),)


def test_a_new_street_makes_what_was_not_needed_void() -> None:
    """s2 has called already: he comes to act again only after a raise."""
    game = given([100, 100, 100])
    game.play("s2 calls")
    prepare(game, 2, PreDo.FOLD)
    game.play("s0 calls, s1 checks")
    assert game.hand.pre == ()
    game.play("s0 checks, s1 checks")
    assert game.turn_of == 2


def test_the_hands_end_makes_it_void() -> None:
    game = given([100, 100, 100])
    game.play("s2 calls")
    prepare(game, 2, PreDo.FOLD)
    game.play("s0 folds, s1 folds")
    assert game.hand.over
    assert game.hand.pre == ()
    game.next_hand()
    assert game.hand.pre == ()


@pytest.mark.rule("9")
def test_a_void_hand_does_so_too() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    game.void()
    assert game.hand.pre == ()


def test_it_is_taken_back() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.FOLD)
    prepare(game, 0, None)
    assert game.last == (Prepared(0, None, 10),)
    game.play("s2 calls")
    assert game.turn_of == 0


def test_the_last_choice_holds() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.FOLD)
    prepare(game, 1, PreDo.FOLD)
    prepare(game, 0, PreDo.CALL)
    assert game.hand.pre == ((1, PreDo.FOLD, 10), (0, PreDo.CALL, 10))
    game.play("s2 calls")
    assert game.acted == [(2, Do.CALL), (0, Do.CALL), (1, Do.FOLD)]


def test_what_is_chosen_already_changes_nothing() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, None)
    assert game.last == ()
    prepare(game, 0, PreDo.FOLD)
    prepare(game, 0, PreDo.FOLD)
    assert game.last == ()


@pytest.mark.rule("2.7")
def test_who_leaves_has_none_any_more() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    game.leave("p0")
    assert game.hand.pre == ()
    game.play("s2 calls")
    assert game.of(Acted)[1] == Acted(0, Do.FOLD, 5, 0, Cause.LEAVING)


@pytest.mark.rule("2.6")
def test_who_sits_out_from_the_next_hand_on_still_acts_in_this_one() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    game.sit_out("p0")
    game.play("s2 calls")
    assert game.acted == [(2, Do.CALL), (0, Do.CALL)]


@pytest.mark.rule("3.4")
def test_in_fixed_limit_likewise() -> None:
    game = given([1000, 1000, 1000], fixed_limit("USD", 20, rake="none"))
    prepare(game, 0, PreDo.CALL)
    game.play("s2 calls")
    assert game.acted == [(2, Do.CALL), (0, Do.CALL)]
    prepare(game, 2, PreDo.FOLD)
    game.play("s1 raises 40")
    assert game.hand.pre == ()


# --- what is refused ------------------------------------------------------------------------------


def test_without_a_hand() -> None:
    game = opened()
    game.sit("ana", 0)
    assert game.refuses(PreAct("ana", 1, 10, PreDo.FOLD)).code is Code.NO_HAND


def test_without_a_seat() -> None:
    game = given([100, 100])
    assert game.refuses(PreAct("nobody", 1, 10, PreDo.FOLD)).code is Code.NOT_SEATED


def test_on_the_way_out() -> None:
    game = given([100, 100, 100])
    game.leave("p0")
    assert game.refuses(wish(game, 0, PreDo.FOLD)).code is Code.LEAVING


@pytest.mark.parametrize("do", [PreDo.FOLD, None])
def test_for_another_hand(do: PreDo | None) -> None:
    game = given([100, 100, 100])
    game.fold_out()
    game.next_hand()
    seat = next(number for number in range(3) if number != game.turn_of)
    refusal = game.refuses(PreAct(game.seat(seat).player, 1, 10, do))
    assert refusal.code is Code.STALE_TURN
    assert refusal.facts == {"hand": 2}


def test_on_ones_turn() -> None:
    game = given([100, 100, 100])
    refusal = game.refuses(wish(game, 2, PreDo.FOLD))
    assert refusal.code is Code.YOUR_TURN
    assert refusal.facts == {"turn": 1}


def test_folded_all_in_or_without_cards() -> None:
    game = given([100, 100, 20, 100])
    game.play("s2 is all-in, s3 folds")
    game.sit_out("p0")
    for seat in (2, 3):
        assert game.refuses(wish(game, seat, PreDo.FOLD)).code is Code.NOTHING_TO_PREPARE
    late = opened(seats=4)
    for seat in range(2):
        late.sit(f"p{seat}", seat)
    late.next_hand()
    late.sit("p3", 3)
    assert late.refuses(wish(late, 3, PreDo.FOLD)).code is Code.NOTHING_TO_PREPARE


def test_at_another_price() -> None:
    game = given([100, 100, 100])
    game.play("s2 raises 20")
    for price in (0, 10, 19, 21, 10**9):
        refusal = game.refuses(wish(game, 1, PreDo.CALL, price))
        assert refusal.code is Code.PRICE_CHANGED
        assert refusal.facts == {"price": 20}
    prepare(game, 1, PreDo.CALL, 20)


def test_a_call_of_nothing() -> None:
    game = given([100, 100, 100])
    assert game.refuses(wish(game, 1, PreDo.CALL)).code is Code.NOTHING_TO_CALL
    flop = on_the_flop()
    assert flop.refuses(wish(flop, 1, PreDo.CALL)).code is Code.NOTHING_TO_CALL


def test_taking_back_asks_for_no_price() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.FOLD)
    prepare(game, 0, None, price=7)
    assert game.hand.pre == ()


# --- who knows ------------------------------------------------------------------------------------


@pytest.mark.rule("7")
def test_its_seat_alone_is_told() -> None:
    game = given([100, 100, 100])
    seq = game.table.seq
    prepare(game, 0, PreDo.CALL)
    assert game.table.seq == seq
    for viewer in (None, 0, 1, 2):
        push = views.push(game.table, game.last, viewer, game.deck, seq, game.now)
        sent = views.snapshot(game.table, viewer, game.deck, game.now, game.log)
        seats = {seat["seat"]: seat for seat in sent["state"]["seats"]}
        told = [event for event in sent["state"]["log"] if event["e"] == "prepared"]
        if viewer == 0:
            event = {"e": "prepared", "seat": 0, "do": "call", "price": 10}
            assert push["events"] == told == [event]
            assert seats[0]["pre"] == {"do": "call", "price": 10}
        else:
            assert push["events"] == told == []
            assert "pre" not in seats[0]
    assert views.snapshot(game.table, 1, game.deck, game.now)["state"]["seats"][1]["pre"] is None


@pytest.mark.rule("7")
def test_not_even_who_takes_the_seat_after_the_hand() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    game.leave("p0")
    hand = list(game.log)
    game.fold_out()
    ended = list(game.last)
    game.sit("new", 0, 100)
    sent = views.snapshot(game.table, 0, None, game.now, hand)
    assert "prepared" not in str(sent)
    # Nor where one push tells of the end and of the new player together.
    events = (Prepared(0, PreDo.CALL, 10), *ended, *game.last)
    assert "prepared" not in str(views.push(game.table, events, 0, None, 0, game.now))
    own = (*game.last, Prepared(0, None, 0))
    assert "prepared" in str(views.push(game.table, own, 0, None, 0, game.now))


# --- the record -----------------------------------------------------------------------------------


def test_it_stands_in_the_record_and_the_state() -> None:
    game = given([100, 100, 100])
    prepare(game, 0, PreDo.CALL)
    assert game.replayed() == game.table
    assert codec.load_table(codec.dump_table(game.table)) == game.table
    events = codec.dump_events([Prepared(0, PreDo.CALL, 10), Prepared(0, None, 10)])
    assert events == '[["pre",0,"call",10],["pre",0,null,10]]'
    assert codec.load_events(events) == (Prepared(0, PreDo.CALL, 10), Prepared(0, None, 10))


def test_the_deck_is_asked_for_where_pre_actions_lead_to_cards() -> None:
    game = on_the_flop()
    for seat in (1, 2):
        prepare(game, seat, PreDo.CHECK_FOLD)
    game._decks.clear()
    assert game.refuses(game.act(0, Do.CHECK)).code is Code.DECK_NEEDED
    assert game.tries(game.act(0, Do.CHECK), DECK) is None
