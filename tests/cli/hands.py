"""One small case that tests change, and the project's own cases."""

from typing import Any

from bench.hand_files import own_hands
from cli.cases import Case, read_cases


def record(**changes: Any) -> dict[str, Any]:
    """5/10, three seats of 100: a raise to 30 and a call before the flop, a bet of 40 on it."""
    fields: dict[str, Any] = {
        "id": "test/1",
        "source": "test",
        "game": "nl",
        "seats": 3,
        "button": 2,
        "sb_seat": 0,
        "bb_seat": 1,
        "ante": 0,
        "small_blind": 5,
        "big_blind": 10,
        "stacks": [100, 100, 100],
        "posts": [
            {"seat": 0, "kind": "small_blind", "amount": 5},
            {"seat": 1, "kind": "big_blind", "amount": 10},
        ],
        "hole": [["As", "Ah"], None, ["Kd", "Qd"]],
        "unit": "chip",
        "actions": [
            {"street": "preflop", "seat": 2, "do": "raise", "to": 30},
            {"street": "preflop", "seat": 0, "do": "call", "to": 30},
            {"street": "preflop", "seat": 1, "do": "fold"},
            {"street": "flop", "seat": 0, "do": "check"},
            {"street": "flop", "seat": 2, "do": "bet", "to": 40},
            {"street": "flop", "seat": 0, "do": "fold"},
        ],
        "board": ["Ac", "9h", "4s"],
        "final_stacks": [70, 90, 140],
        "tags": [],
    }
    return fields | changes


def limit(**changes: Any) -> dict[str, Any]:
    """The same at fixed-limit 10/20, without its last bet."""
    actions = [
        {"street": "preflop", "seat": 2, "do": "raise", "to": 20},
        {"street": "preflop", "seat": 0, "do": "fold"},
        {"street": "preflop", "seat": 1, "do": "fold"},
    ]
    fields = {
        "game": "fl",
        "small_bet": 10,
        "big_bet": 20,
        "actions": actions,
        "board": [],
        "final_stacks": [95, 90, 115],
    }
    return record(**(fields | changes))


def own_cases() -> list[Case]:
    """All cases of the project's own files."""
    cases = []
    for file in own_hands():
        for case in read_cases(file):
            assert isinstance(case, Case), case
            cases.append(case)
    return cases
