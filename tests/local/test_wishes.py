"""What a player types: understood, or refused with one clear sentence."""

from typing import Any

import pytest

from local.lobby_view import LobbyView
from local.table_view import TableView
from local.wishes import Refusal, Wish, of_lobby, understood
from tests.local.fake_room import STRUCTURE, lobby
from tests.local.test_table_screen import in_turn


def view_of(**turn: Any) -> TableView:
    view = TableView("t1", player="ann")
    view.load(1, in_turn(**turn), 1_000_000)
    return view


def act(**fields: Any) -> Wish:
    return Wish("act", {"hand": 7, "turn": 5, **fields})


FREE = {"to_call": 0, "call_to": 0, "check": True, "verb": "bet", "min_to": 100, "max_to": 9_700}


SAY_WHICH_HAND = "Say which hand, and what was wrong: dispute php-5-10-1 17 my flush lost."


@pytest.mark.parametrize(
    ("line", "turn", "wish"),
    [
        ("fold", {}, act(do="fold")),
        ("  F ", {}, act(do="fold")),
        ("c", {}, act(do="call")),
        ("check", FREE, act(do="check")),
        ("k", FREE, act(do="check")),
        ("bet 1.50", FREE, act(do="bet", to=150)),
        ("raise 12.5", {}, act(do="raise", to=1250)),
        ("raise to 6", {}, act(do="raise", to=600)),
        ("r 97", {}, act(do="raise", to=9700)),
        ("all-in", {}, act(do="raise", to=9700)),
        ("all in", FREE, act(do="bet", to=9700)),
        # Nothing can be raised, and the call takes the whole stack.
        ("a", {"min_to": None, "max_to": None, "to_call": 9700, "call_to": 9700}, act(do="call")),
        ("sit out", {}, Wish("sitout", {"when": "now"})),
        ("o", {}, Wish("sitout", {"when": "now"})),
        ("sit in", {}, Wish("sitin", {"post": True})),
        ("top up 50", {}, Wish("topup", {"chips": 5000})),
        ("auto top up 50", {}, Wish("autotopup", {"to": 5000})),
        ("auto 50", {}, Wish("autotopup", {"to": 5000})),
        ("auto top up off", {}, Wish("autotopup", {"to": 0})),
        ("check/fold", {}, act(do="fold")),
        ("check/fold", FREE, act(do="check")),
        ("cf", FREE, act(do="check")),
        # Typed for one's turn that has come meanwhile, at the same price.
        ("call 3", {}, act(do="call")),
        ("lobby", {}, Wish("home")),
        ("show", {}, Wish("show", {"cards": [0, 1]})),
        ("leave", {}, Wish("leave", {"when": "now"})),
        ("quit", {}, Wish("leave", {"when": "now"})),
        ("?", {}, Wish("help")),
    ],
)
def test_words_become_requests(line: str, turn: dict[str, Any], wish: Wish) -> None:
    assert understood(line, view_of(**turn)) == wish


@pytest.mark.parametrize(
    ("line", "turn", "sentence"),
    [
        ("", {}, "Type what you want to do, or help."),
        ("dance", {}, "'dance' is no command: type help for the list."),
        ("check", {}, "You cannot check: call P3 or fold."),
        ("call", FREE, "There is nothing to call: you may check."),
        ("bet 5", {}, "There is a bet already: raise to P6 or more."),
        ("raise 5", FREE, "Nobody has bet yet: bet P1 or more."),
        ("bet 5", {"max_to": 600}, "There is a bet already: raise to P6."),
        ("raise 99999999999999999", {}, "'99999999999999999' is too large."),
        ("top up 0", {}, "An amount is more than 0."),
        ("top up 99999999999", {}, "P99999999999 is too large."),
        ("top up", {}, "Say one amount: top up 12.50."),
        ("bet 0", FREE, "You may bet P1 at least and P97 at most."),
        ("sit in 5", {}, "sit in takes nothing after it."),
        ("raise 5", {}, "You may raise to P6 at least and P97 at most."),
        ("raise 97.01", {}, "You may raise to P6 at least and P97 at most."),
        ("bet 9", FREE | {"max_to": 100}, "You may bet P1 only."),
        ("raise", {}, "Say one amount: raise 12.50."),
        ("raise 5 5", {}, "Say one amount: raise 12.50."),
        ("raise 5.001", {}, "'5.001' is not an amount: write 12 or 12.50, two decimals at most."),
        ("raise 1e9", {}, "'1e9' is not an amount: write 12 or 12.50, two decimals at most."),
        ("raise 6", {"min_to": None, "max_to": None}, "You cannot raise here: call P3 or fold."),
        ("bet 6", FREE | {"min_to": None, "max_to": None}, "You cannot bet here: check."),
        ("fold 5", {}, "fold takes nothing after it."),
        ("all-in", {"max_to": 600}, "You cannot put all in: the most is P6."),
        ("call 2", {}, "To call is P3 now, not 2: call, raise or fold."),
        ("cancel", {}, "There is nothing to take back."),
        ("auto top up", {}, "Say one amount: auto top up 12.50."),
        ("sit here", {}, "Say which seat by its number, then the chips: sit 3 50."),
    ],
)
def test_bad_input_gets_one_clear_sentence(line: str, turn: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        understood(line, view_of(**turn))
    assert str(caught.value) == sentence


BEN: dict[str, Any] = {"seat": 1}
"""It is the turn of another; to call is still P3."""


def before(**fields: Any) -> Wish:
    return Wish("preact", {"hand": 7, "price": 300, **fields})


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("fold", before(do="fold")),
        ("check/fold", before(do="check_fold")),
        ("check fold", before(do="check_fold")),
        ("cf", before(do="check_fold")),
        ("call 3", before(do="call")),
        ("call 3.00", before(do="call")),
        ("cancel", before(do="none")),
    ],
)
def test_before_ones_turn_words_are_for_when_it_comes(line: str, wish: Wish) -> None:
    assert understood(line, view_of(**BEN)) == wish


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("call", "It is not your turn: call 3 calls that when it is."),
        ("call 5", "To call is P3 now, not 5."),
        ("check", "It is not your turn. Possible are fold, check/fold, or call and an amount."),
        ("raise 6", "It is not your turn. Possible are fold, check/fold, or call and an amount."),
        ("all-in", "It is not your turn. Possible are fold, check/fold, or call and an amount."),
    ],
)
def test_what_cannot_be_said_before_ones_turn(line: str, sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        understood(line, view_of(**BEN))
    assert str(caught.value) == sentence


def test_who_has_no_turn_to_come_can_say_nothing_before_it() -> None:
    for changes in ({"in_hand": False, "folded": True}, {"all_in": True}):
        view = view_of(**BEN)
        assert view.own is not None
        view.own.update(changes)
        for line in ("fold", "cf", "call 3"):
            with pytest.raises(Refusal, match=r"^It is not your turn\.$"):
                understood(line, view)


def test_a_call_that_takes_the_whole_stack_is_called_by_it() -> None:
    view = view_of(**BEN)
    assert view.own is not None
    view.own.update(stack=120)
    assert understood("call 1.20", view) == before(do="call")


def room_view() -> LobbyView:
    view = LobbyView()
    view.load(lobby())
    return view


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("watch t1", Wish("look", {"table": "t1"})),
        ("W T1", Wish("look", {"table": "t1"})),
        ("sit t1 2 50", Wish("seat", {"table": "t1", "seat": 2, "chips": 5_000})),
        ("sit t1 2", Wish("seat", {"table": "t1", "seat": 2, "chips": None})),
        ("sit t1", Wish("seat", {"table": "t1", "seat": None, "chips": None})),
        ("quick php-0.50-1", Wish("quick", {"structure": STRUCTURE, "chips": None})),
        ("quick PHP 0.50/1 40", Wish("quick", {"structure": STRUCTURE, "chips": 4_000})),
        ("wait php-0.50-1", Wish("wait", {"structure": STRUCTURE})),
        ("unwait php 0.50/1", Wish("unwait", {"structure": STRUCTURE})),
        ("take", Wish("take", {"chips": None})),
        ("take 40", Wish("take", {"chips": 4_000})),
        ("filter PHP free", Wish("filter", {"words": ["php", "free"]})),
        ("f off", Wish("filter", {"words": ["off"]})),
        ("limit loss 500 php", Wish("limits", {"currency": "PHP", "loss_day": 50_000})),
        ("limit deposit off usd", Wish("limits", {"currency": "USD", "deposit_day": None})),
        ("remind 30", Wish("limits", {"reminder_minutes": 30})),
        ("remind off", Wish("limits", {"reminder_minutes": None})),
        ("exclude 7 days", Wish("exclude", {"days": 7, "sure": False})),
        ("exclude 1 day yes", Wish("exclude", {"days": 1, "sure": True})),
        (
            "dispute T1 17  My Flush  lost",
            Wish("dispute", {"table": "t1", "hand": 17, "text": "My Flush lost"}),
        ),
        ("list", Wish("list")),
        ("account", Wish("account")),
        ("q", Wish("quit")),
        ("?", Wish("help")),
    ],
)
def test_words_of_the_lobby(line: str, wish: Wish) -> None:
    assert of_lobby(line, room_view()) == wish


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Type what you want to do, or help."),
        ("fold", "'fold' is no command here: type help for the list."),
        ("watch", "Say which table: watch php-5-10-1."),
        ("watch a b", "Say which table: watch php-5-10-1."),
        ("sit", "Say which table and seat: sit php-5-10-1 3."),
        ("sit t1 x", "Say which seat by its number, then the chips: sit 3 50."),
        ("sit t1 2 0", "An amount is more than 0."),
        ("dispute", SAY_WHICH_HAND),
        ("dispute t1", SAY_WHICH_HAND),
        ("dispute t1 17", SAY_WHICH_HAND),
        ("dispute 17 my flush lost", SAY_WHICH_HAND),
        ("dispute t1 0 why", "'0' is no number of a hand."),
        ("dispute t1 1000000000 why", "'1000000000' is no number of a hand."),
        (
            f"dispute t1 1 {'x' * 301}",
            "Say it in 300 characters, without signs that cannot be printed.",
        ),
        ("quick", "Say which stake: quick php-5-10."),
        ("quick php-5-10", "There is no stake 'php-5-10' here: list shows them."),
        ("wait php-0.50-1 40", "wait takes nothing after the stake."),
        ("limit loss 500", "Say it like this: limit loss 500 php."),
        ("limit loss 500 eur", "'eur' is no currency: php or usd."),
        ("remind me", "'me' is no number from 1 to 1440."),
        ("exclude 7", "Say it like this: exclude 7 days."),
        ("exclude 7 days no", "Say it like this: exclude 7 days."),
        ("exclude 0 days", "'0' is no number from 1 to 1826."),
        ("list all", "list takes nothing after it."),
    ],
)
def test_bad_words_in_the_lobby_get_one_clear_sentence(line: str, sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        of_lobby(line, room_view())
    assert str(caught.value) == sentence


def test_words_of_the_lobby_are_understood_at_a_table_too() -> None:
    wish = Wish("quick", {"structure": STRUCTURE, "chips": None})
    assert understood("quick php-0.50-1", view_of(), room_view()) == wish
    assert understood("watch t2", view_of()) == Wish("look", {"table": "t2"})
    # But a seat is one of this table.
    seat = Wish("seat", {"table": "t1", "seat": 2, "chips": 5_000})
    assert understood("sit 2 50", view_of(), room_view()) == seat


def test_control_characters_are_not_echoed() -> None:
    with pytest.raises(Refusal) as caught:
        understood("\x1b[2Jfold", view_of())
    assert str(caught.value).isprintable()
    for line in ("\x1b[2J", "quick \x1b[2J", "limit loss 5 \x07", "remind \x1b"):
        with pytest.raises(Refusal) as caught:
            of_lobby(line, room_view())
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("line", "table"), [("dispute 17 My flush", "t1"), ("Dispute Other-1 17 My flush", "other-1")]
)
def test_a_hand_is_disputed_of_the_table_that_is_looked_at_or_named(line: str, table: str) -> None:
    wish = Wish("dispute", {"table": table, "hand": 17, "text": "My flush"})
    assert understood(line, view_of()) == wish
