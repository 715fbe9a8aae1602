"""Cases are read strictly, each fault has one clear sentence, and what is read is written back."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.cases import BadLine, Case, CaseError, as_json, deck_of, dump_line, parse_case, parse_line
from cli.cases import read_cases as read
from poker_engine.cards import join_cards
from poker_engine.state import Do, Post, Street
from tests.cli.hands import limit, own_cases, record


def post(seat: object, kind: object, amount: object) -> dict[str, object]:
    return {"seat": seat, "kind": kind, "amount": amount}


def action(street: object, seat: object, do: object, **to: object) -> dict[str, object]:
    return {"street": street, "seat": seat, "do": do, **to}


BLINDS = [post(0, "small_blind", 5), post(1, "big_blind", 10)]


def test_a_case_is_read() -> None:
    case = parse_case(record())
    assert case.seats == 3
    assert (case.button, case.small_blind_seat, case.big_blind_seat) == (2, 0, 1)
    assert [one.post for one in case.posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]
    assert case.actions[0].street is Street.PREFLOP
    assert (case.actions[0].do, case.actions[0].to) == (Do.RAISE, 30)
    assert (case.actions[2].do, case.actions[2].to) == (Do.FOLD, 0)
    assert case.hole[1] is None
    assert join_cards(case.board) == "Ac9h4s"


def test_limits_are_read_in_fixed_limit_only() -> None:
    case = parse_case(limit())
    assert (case.small_bet, case.big_bet) == (10, 20)
    assert parse_case(record(small_bet=None, big_bet="x")).small_bet == 0


@pytest.mark.parametrize("field", ["source", "title", "unit", "tags"])
def test_what_a_replay_does_not_need_may_be_missing(field: str) -> None:
    fields = record(title="a title")
    del fields[field]
    assert parse_case(fields).id == "test/1"


@pytest.mark.parametrize(
    "field",
    [
        "id", "game", "seats", "button", "sb_seat", "bb_seat", "ante", "small_blind", "big_blind",
        "stacks", "posts", "hole", "actions", "board", "final_stacks",
    ],
)  # fmt: skip
def test_a_missing_field_is_named(field: str) -> None:
    fields = record()
    del fields[field]
    with pytest.raises(CaseError, match=f"^`{field}` is missing$"):
        parse_case(fields)


@pytest.mark.parametrize("field", ["small_bet", "big_bet"])
def test_fixed_limit_needs_its_bets(field: str) -> None:
    fields = limit()
    del fields[field]
    with pytest.raises(CaseError, match=f"^`{field}` is missing$"):
        parse_case(fields)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": 7}, "`id` must be text, not a number"),
        ({"game": "plo"}, "`game` must be one of nl, fl, not 'plo'"),
        ({"seats": 1}, "`seats` must be 2 to 10, not 1"),
        ({"seats": 11}, "`seats` must be 2 to 10, not 11"),
        ({"seats": True}, "`seats` must be a whole number, not true or false"),
        ({"seats": 3.0}, "`seats` must be a whole number, not a number with a point"),
        ({"button": 3}, "`button` must be 0 to 2, not 3"),
        ({"button": -1}, "`button` must be 0 to 2, not -1"),
        ({"bb_seat": "1"}, "`bb_seat` must be a whole number, not text"),
        ({"sb_seat": 1}, "`sb_seat` and `bb_seat` are both 1"),
        ({"ante": -1}, "`ante` must be 0 or more, not -1"),
        ({"big_blind": 0}, "`big_blind` must be 1 or more, not 0"),
        ({"stacks": [100, 100]}, "`stacks` has 2 entries for 3 seats"),
        ({"stacks": [100, 0, 100]}, "`stacks[1]` must be 1 or more, not 0"),
        ({"stacks": [100, -5, 100]}, "`stacks[1]` must be 1 or more, not -5"),
        ({"stacks": [100, None, 100]}, "`stacks[1]` must be a whole number, not null"),
        ({"stacks": {"0": 100}}, "`stacks` must be a list, not an object"),
        ({"final_stacks": [1, 2, -3]}, "`final_stacks[2]` must be 0 or more, not -3"),
        ({"final_stacks": [1, 2]}, "`final_stacks` has 2 entries for 3 seats"),
        ({"posts": "none"}, "`posts` must be a list, not text"),
        ({"posts": [5]}, "posts[0] must be an object, not a number"),
        ({"posts": [{"seat": 0, "kind": "ante"}]}, "`posts[0].amount` is missing"),
        ({"posts": [post(0, "ante", 0)]}, "`posts[0].amount` must be 1 or more, not 0"),
        ({"posts": [post(0, "ante", -2)]}, "`posts[0].amount` must be 1 or more, not -2"),
        ({"posts": [post(3, "ante", 2)]}, "`posts[0].seat` must be 0 to 2, not 3"),
        (
            {"posts": [post(0, "straddle", 20)]},
            "`posts[0].kind` must be one of ante, small_blind, big_blind, live, dead, not 'straddle'",  # noqa: E501
        ),
        (
            {"posts": [*BLINDS, post(2, "big_blind", 10)]},
            "`posts[2]` is the big_blind of seat 2, but `bb_seat` is 1",
        ),
        (
            {"sb_seat": None, "posts": BLINDS},
            "`posts[0]` is the small_blind of seat 0, but `sb_seat` is null",
        ),
        (
            {"posts": [*BLINDS, post(1, "big_blind", 10)]},
            "`posts[2]` is a second big_blind of seat 1",
        ),
        (
            {"posts": [post(1, "ante", 91), *BLINDS]},
            "`posts[2]` takes more than the stack of seat 1",
        ),
        ({"hole": [None, None]}, "`hole` has 2 entries for 3 seats"),
        ({"hole": [["As"], None, None]}, "`hole[0]` must be two cards or null"),
        ({"hole": ["AsAh", None, None]}, "`hole[0]` must be two cards or null"),
        ({"hole": [["As", 7], None, None]}, "`hole[0]` must be a card as in 'As', not a number"),
        ({"hole": [["As", "1h"], None, None]}, "`hole[0]` must be a card as in 'As', not '1h'"),
        ({"hole": [["As", "Ac"], None, None]}, "the card Ac comes twice"),
        ({"hole": [["As", "As"], None, None]}, "the card As comes twice"),
        ({"board": ["Ac", "9h"]}, "`board` must have 0, 3, 4 or 5 cards, not 2"),
        ({"board": ["Ac", "9h", "Ac"]}, "the card Ac comes twice"),
        ({"board": ["Ac", "9h", "10c"]}, "`board` must be a card as in 'As', not '10c'"),
        ({"board": None}, "`board` must be a list, not null"),
        ({"actions": ["fold"]}, "actions[0] must be an object, not text"),
        (
            {"actions": [action("showdown", 0, "fold")]},
            "`actions[0].street` must be one of preflop, flop, turn, river, not 'showdown'",
        ),
        (
            {"actions": [action("flop", 0, "show")]},
            "`actions[0].do` must be one of fold, check, call, bet, raise, not 'show'",
        ),
        ({"actions": [action("flop", 9, "fold")]}, "`actions[0].seat` must be 0 to 2, not 9"),
        ({"actions": [action("flop", 0, "bet")]}, "`actions[0].to` is missing"),
        (
            {"actions": [action("flop", 0, "call", to=None)]},
            "`actions[0].to` must be a whole number, not null",
        ),
        (
            {"actions": [action("flop", 0, "bet", to=-40)]},
            "`actions[0].to` must be 1 or more, not -40",
        ),
        ({"tags": "all_in"}, "`tags` must be a list, not text"),
        ({"tags": [1]}, "`tags` must be a list of texts"),
        ({"unit": 100}, "`unit` must be text, not a number"),
    ],
)  # fmt: skip
def test_a_fault_has_one_clear_sentence(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(CaseError) as caught:
        parse_case(record(**changes))
    assert str(caught.value) == problem


def test_an_upper_bet_below_the_lower_one_is_refused() -> None:
    with pytest.raises(CaseError, match="`big_bet` is 5, below `small_bet` 10"):
        parse_case(limit(big_bet=5))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[1]", "the line must be an object, not a list"),
        (b"null", "the line must be an object, not null"),
        (b'{"id": ', "not JSON: Expecting value at column 8"),
        (b'{"id": 1} x', "not JSON: Extra data at column 11"),
        (b'{"id": "\xff"}', "not UTF-8"),
        (b"[" * 200_000, "not JSON that can be read: a number or the nesting is too large"),
        (b"1" * 5_000, "not JSON that can be read: a number or the nesting is too large"),
    ],
)
def test_a_line_that_is_no_object_is_refused(line: bytes, problem: str) -> None:
    with pytest.raises(CaseError) as caught:
        parse_line(line)
    assert str(caught.value) == problem


def test_lines_are_counted_and_blank_ones_left_out(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    good = json.dumps(record()).encode()
    file.write_bytes(b"\xef\xbb\xbf" + good + b"\r\n\r\n  \n{}\n" + good)
    first, bad, last = read(file)
    assert isinstance(first, Case)
    assert isinstance(last, Case)
    assert bad == BadLine(str(file), 4, "`seats` is missing")
    assert str(bad) == f"{file}:4: `seats` is missing"


def test_a_file_that_cannot_be_read_is_one_bad_line(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert [str(one) for one in read(missing)] == [f"{missing}: no such file or directory"]
    assert [str(one) for one in read(tmp_path)] == [f"{tmp_path}: is a directory"]


def test_an_empty_file_has_no_cases(tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.touch()
    assert list(read(file)) == []


def test_a_deck_deals_the_cards_of_the_case_and_is_whole() -> None:
    for case in own_cases():
        deck = deck_of(case)
        assert sorted(deck) == list(range(52))
        for place, seat in enumerate(case.dealt):
            pair = case.hole[seat]
            if pair is not None:
                assert (deck[place], deck[case.seats + place]) == pair
        board = deck[2 * case.seats :]
        assert board[: len(case.board)] == case.board


def test_dealing_begins_left_of_the_button() -> None:
    assert parse_case(record()).dealt == (0, 1, 2)
    assert parse_case(record(button=None)).dealt == (0, 1, 2)
    assert parse_case(record(button=0)).dealt == (1, 2, 0)


@pytest.mark.rule("3.9")
def test_only_a_single_ante_by_the_big_blind_is_dead() -> None:
    assert parse_case(record(posts=[post(1, "ante", 10), *BLINDS])).dead_ante
    assert not parse_case(record(posts=[post(2, "ante", 10), *BLINDS])).dead_ante
    antes = [post(seat, "ante", 10) for seat in range(3)]
    assert not parse_case(record(posts=[*antes, *BLINDS])).dead_ante
    assert not parse_case(record()).dead_ante


def test_what_is_read_is_written_back() -> None:
    assert as_json(parse_case(record())) == record()
    assert as_json(parse_case(limit())) == limit()
    for case in own_cases():
        assert parse_line(dump_line(case)) == case
