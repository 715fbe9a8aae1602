"""What a player types: understood, or refused with one clear sentence."""

from typing import Any

import pytest

from local.table_view import TableView
from local.wishes import Refusal, Wish, understood
from tests.local.test_table_screen import in_turn


def view_of(**turn: Any) -> TableView:
    view = TableView("t1", player="ann")
    view.load(1, in_turn(**turn), 1_000_000)
    return view


def act(**fields: Any) -> Wish:
    return Wish("act", {"hand": 7, "turn": 5, **fields})


FREE = {"to_call": 0, "call_to": 0, "check": True, "verb": "bet", "min_to": 100, "max_to": 9_700}


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
        ("fold", {"seat": 1}, "It is not your turn."),
    ],
)
def test_bad_input_gets_one_clear_sentence(line: str, turn: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        understood(line, view_of(**turn))
    assert str(caught.value) == sentence


def test_control_characters_are_not_echoed() -> None:
    with pytest.raises(Refusal) as caught:
        understood("\x1b[2Jfold", view_of())
    assert str(caught.value).isprintable()
