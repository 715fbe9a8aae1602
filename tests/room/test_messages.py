"""What may be said, to the letter; everything else is refused with a code."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from cardroom.errors import Refused, RoomCode
from cardroom.messages import (
    MAX_BYTES,
    MAX_DEPTH,
    MESSAGES,
    Error,
    Ok,
    depth,
    error,
    ok,
    parse,
)
from poker_engine.errors import Code, Rejected

EXAMPLES: dict[str, dict[str, Any]] = {
    "watch": {"table": "t"},
    "unwatch": {"table": "t"},
    "sync": {"table": "t", "seq": 3},
    "sit": {"table": "t", "seat": 0, "chips": 1000, "post": True},
    "quickseat": {"structure": "nl-PHP-500-1000", "chips": 1000, "post": True},
    "wait": {"structure": "nl-PHP-500-1000"},
    "unwait": {"structure": "nl-PHP-500-1000"},
    "topup": {"table": "t", "chips": 1000},
    "autotopup": {"table": "t", "to": 1000},
    "sitout": {"table": "t", "when": "big_blind"},
    "sitin": {"table": "t", "post": False},
    "leave": {"table": "t", "when": "now"},
    "act": {"table": "t", "hand": 1, "turn": 2, "do": "raise", "to": 4000},
    "preact": {"table": "t", "hand": 1, "price": 1000, "do": "call"},
    "show": {"table": "t", "cards": [0, 1]},
    "dispute": {"table": "t", "hand": 3, "text": "my flush did not win"},
    "lobby": {"game": "nl", "currency": "PHP", "free": True, "watch": False},
    "account": {},
    "hands": {"table": "t", "up_to": 7},
    "hand": {"table": "t", "hand": 7},
    "ledger": {"zone": "Asia/Manila", "after": "in#m-1"},
    "results": {"table": "t", "zone": "UTC", "since": 5, "until": 9, "hand": 7},
    "limits": {
        "currency": "PHP",
        "deposit_day": 5000,
        "loss_day": 1000,
        "reminder_minutes": 60,
        "exclude_until": 1_800_000_000_000,
    },
    "ping": {},
}


LEFT_OPEN: dict[str, tuple[str, ...]] = {
    "hands": ("table", "up_to"),
    "ledger": ("after",),
    "results": ("until", "hand"),
}


def _message(route: str, **changed: Any) -> dict[str, Any]:
    return {"route": route, "id": "m-1_A", "v": 1, **EXAMPLES[route], **changed}


def _code(message: Any) -> RoomCode | None:
    text = message if isinstance(message, str) else json.dumps(message)
    _, parsed = parse(text)
    return parsed.code if isinstance(parsed, Refused) else None


@pytest.mark.parametrize("route", MESSAGES)
def test_every_route_has_an_example_that_is_understood(route: str) -> None:
    message_id, parsed = parse(json.dumps(_message(route)))
    assert isinstance(parsed, MESSAGES[route])
    assert message_id == "m-1_A"


@pytest.mark.parametrize("route", MESSAGES)
def test_no_message_knows_other_fields(route: str) -> None:
    assert _code(_message(route, extra=1)) is RoomCode.BAD_MESSAGE


@pytest.mark.parametrize("route", MESSAGES)
def test_no_field_takes_another_type(route: str) -> None:
    for name, value in _message(route).items():
        if name in ("route", "v"):
            continue
        others: list[Any] = [None, 1.5, {}, [[]], True, "", 1, "x" * 37]
        for other in others:
            if type(other) is type(value) and other not in ("", "x" * 37):
                continue
            if other == "x" * 37 and name in ("text", "zone", "after"):
                # A text like any other.
                continue
            if other is None and route == "limits" and name not in ("id", "currency"):
                # It lifts the limit.
                continue
            if other is None and route == "lobby" and name in ("game", "currency"):
                # It leaves it open.
                continue
            if other is None and name in LEFT_OPEN.get(route, ()):
                # It leaves it open.
                continue
            wrong = _message(route, **{name: other})
            assert _code(wrong) is RoomCode.BAD_MESSAGE, (name, other)


@pytest.mark.parametrize("route", MESSAGES)
def test_no_required_field_may_be_missing(route: str) -> None:
    required = {name for name, field in MESSAGES[route].model_fields.items() if field.is_required()}
    for name in required - {"route"}:
        message = _message(route)
        del message[name]
        assert _code(message) is RoomCode.BAD_MESSAGE, name


@pytest.mark.parametrize(
    "changed",
    [
        {"do": "call"},
        {"do": "fold", "to": 5},
        {"do": "bet", "to": None},
        {"to": 0},
        {"to": 10**12 + 1},
        {"hand": -1},
        {"turn": 2**53 + 1},
        {"do": "allin"},
        {"table": "T"},
        {"table": "a#b"},
        {"table": "x" * 33},
        {"id": "a b"},
        {"id": ""},
        {"id": "ä"},
    ],
    ids=str,
)
def test_what_an_action_may_not_say(changed: dict[str, Any]) -> None:
    assert _code(_message("act", **changed)) is RoomCode.BAD_MESSAGE


@pytest.mark.parametrize("cards", [[], [0, 0], [2], [0, 1, 0], ["0"], [-1]], ids=str)
def test_cards_to_show_are_indexes(cards: list[Any]) -> None:
    assert _code(_message("show", cards=cards)) is RoomCode.BAD_MESSAGE


@pytest.mark.parametrize("seat", [-1, 10, 1.0, "1", True])
def test_seats_are_0_to_9(seat: Any) -> None:
    assert _code(_message("sit", seat=seat)) is RoomCode.BAD_MESSAGE


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "null",
        "1",
        '"ping"',
        "[]",
        "NaN",
        '{"v":NaN}',
        '{"v":Infinity}',
        '{"id":"a","id":"b","v":1,"route":"ping"}',
        '{"id":"a","v":1,"route":"ping","n":' + "9" * 1500 + "}",
        '{"id":"\\ud800","v":1,"route":"ping"}',
    ],
)
def test_what_is_no_message_is_a_bad_one(text: str) -> None:
    assert _code(text) is RoomCode.BAD_MESSAGE


def test_a_message_has_a_size_and_a_depth() -> None:
    assert _code(" " * MAX_BYTES) is RoomCode.BAD_MESSAGE
    assert _code(" " * (MAX_BYTES + 1)) is RoomCode.TOO_LARGE
    assert _code("é" * (MAX_BYTES // 2 + 1)) is RoomCode.TOO_LARGE
    assert _code("[" * (MAX_DEPTH + 1)) is RoomCode.TOO_DEEP
    assert _code("[" * MAX_BYTES) is RoomCode.TOO_DEEP
    assert _code("[" * MAX_DEPTH + "]" * MAX_DEPTH) is RoomCode.BAD_MESSAGE


def test_brackets_in_strings_do_not_nest() -> None:
    assert depth('{"a":"[[[[\\"[[","b":[1]}') == 2


def test_another_version_is_told_to_upgrade_whatever_it_says() -> None:
    for version in (0, 2, 99):
        assert _code({"v": version, "route": "new", "what": {}}) is RoomCode.UPGRADE_REQUIRED
    for other in (True, "1", 1.0, None):
        assert _code(_message("ping", v=other)) is RoomCode.BAD_MESSAGE


@pytest.mark.parametrize("route", ["", "Ping", "$connect", "steal", None, 1, ["ping"]])
def test_an_unknown_route_is_told_so(route: Any) -> None:
    assert _code({"id": "a", "v": 1, "route": route}) is RoomCode.UNKNOWN_ROUTE


def test_a_refusal_names_the_id_where_it_can() -> None:
    message_id, parsed = parse(json.dumps(_message("sit", seat=99)))
    assert message_id == "m-1_A"
    assert isinstance(parsed, Refused)
    assert "`seat`" in parsed.sentence
    for bad in ("a b", "", "x" * 37, 5, None, "ä"):
        assert parse(json.dumps({"id": bad, "v": 1, "route": "ping"}))[0] is None
    assert parse('{"id":"---","v":1,"route":"no"}')[0] == "---"


@pytest.mark.parametrize("route", MESSAGES)
def test_a_refusal_never_repeats_what_was_sent(route: str) -> None:
    poison = "xyzzy"
    for name in EXAMPLES[route]:
        _, parsed = parse(json.dumps(_message(route, **{name: poison * 9, poison: poison})))
        assert isinstance(parsed, Refused)
        assert poison not in parsed.sentence


def test_replies_are_strict_too() -> None:
    with pytest.raises(ValidationError):
        Ok.model_validate({"type": "ok", "id": "a", "cards": ["As"]})
    with pytest.raises(ValidationError):
        Error.model_validate({"type": "error", "id": "a", "code": "x"})


def test_replies_as_they_are_sent() -> None:
    assert ok("a", seq=3).text() == '{"id":"a","type":"ok","seq":3}'
    refused = error(
        "a", Rejected(Code.BUY_IN_TOO_SMALL, "the buy-in is at least 5", {"minimum": 5})
    )
    assert json.loads(refused.text()) == {
        "type": "error",
        "id": "a",
        "code": "buy_in_too_small",
        "message": "The buy-in is at least 5.",
        "facts": {"minimum": 5},
    }
    assert json.loads(error(None, Refused(RoomCode.BUSY, "x")).text())["id"] is None
