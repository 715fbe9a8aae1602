"""events/messages.schema.json says what the room takes and what it shows, no more and no less."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from cardroom.contract import PUSHES, REPLIES
from cardroom.errors import Refused, RoomCode
from cardroom.messages import MESSAGES, parse
from tests.room.schema import hold, hold_push, validator
from tests.room.test_messages import EXAMPLES
from tests.room.test_protocol_page import EXAMPLES as SHOWN
from tests.template.parsed import ROOT

MISSING = object()
VALUES: tuple[Any, ...] = (
    MISSING, None, True, False, 0, 1, 2, 9, 10, -1, 1440, 1441, 10**12, 10**12 + 1, 2**53,
    2**53 + 1, 1.5, "", "t", "T", "a b", "x" * 32, "x" * 33, "x" * 36, "x" * 37, "ä", "PHP", "USD",
    "EUR", "php", "nl", "nl-PHP-500-1000", "nl-PHP-500", "now", "never", "fold", "check", "call",
    "bet", "raise", "none", "check_fold", [], [0], [1, 0], [0, 0], [2], [0, 1, 1], {}, {"a": 1},
)  # fmt: skip


def _takes(message: dict[str, Any]) -> bool:
    """Whether the room understands it."""
    _, parsed = parse(json.dumps(message))
    if isinstance(parsed, Refused):
        assert parsed.code in (RoomCode.BAD_MESSAGE, RoomCode.UPGRADE_REQUIRED)
        return False
    return True


def _altered(route: str) -> Iterator[dict[str, Any]]:
    """The route's example with one field, or two of those that belong together, changed."""
    whole = {"route": route, "id": "m-1_A", "v": 1, **EXAMPLES[route]}
    fields = [*MESSAGES[route].model_fields, "extra"]
    changes = [{name: value} for name in fields if name != "route" for value in VALUES]
    if route == "act":
        changes += [{"do": do, "to": to} for do, to in product(VALUES, (MISSING, None, 0, 1))]
    if route == "limits":
        limits = (MISSING, None, 5)
        names = ("currency", "deposit_day", "loss_day")
        for values in product((MISSING, None, "PHP"), limits, limits):
            changes.append(dict(zip(names, values, strict=True)))
    for change in changes:
        yield {name: one for name, one in {**whole, **change}.items() if one is not MISSING}


@pytest.mark.parametrize("route", MESSAGES)
def test_the_schema_takes_what_the_room_takes(route: str) -> None:
    one, all_of_them = validator(f"{MESSAGES[route].__name__}Message"), validator("ClientMessage")
    verdicts = set()
    for message in _altered(route):
        verdict = _takes(message)
        assert one.is_valid(message) == verdict, message
        assert all_of_them.is_valid(message) == verdict, message
        verdicts.add(verdict)
    assert verdicts == {True, False}


@pytest.mark.parametrize("route", MESSAGES)
def test_each_sample_event_holds_such_a_message(route: str) -> None:
    sample = json.loads((ROOT / f"events/route-{route}.json").read_text())
    hold(f"{MESSAGES[route].__name__}Message", json.loads(sample["body"]))


def test_what_the_protocols_page_shows_is_in_the_schema() -> None:
    for shown in SHOWN:
        if "route" in shown:
            hold(f"{MESSAGES[shown['route']].__name__}Message", shown)
        elif shown["type"] in PUSHES:
            hold_push(json.dumps(shown).encode())
        else:
            hold("ErrorReply" if shown["type"] == "error" else "OkReply", shown)
            hold("ServerMessage", shown)


def test_a_reply_of_one_route_is_none_of_another_with_more_in_it() -> None:
    """The schema tells them apart by what they hold: `ping` has a clock, `act` the table's seq."""
    ping = {"id": "c-1", "type": "ok", "now": 1_700_000_000_000}
    act = {"id": "c-1", "type": "ok", "seq": 3}
    assert [route for route in REPLIES if validator(REPLIES[route].__name__).is_valid(ping)] == [
        "ping"
    ]
    assert "act" in [route for route in REPLIES if validator(REPLIES[route].__name__).is_valid(act)]
    assert not validator("PingReply").is_valid(act)


@pytest.mark.parametrize(
    "message",
    [
        {"id": "c-1", "type": "error", "code": "no_such_code", "message": "No."},
        {"id": "c-1", "type": "error", "code": "not_due", "message": "No."},
        {"id": "c-1", "type": "ok", "seq": -1},
        {"id": "c-1", "type": "ok", "seq": 1, "hole": ["As", "Ad"]},
        {"id": None, "type": "ok"},
        {"type": "presence", "table": "t", "now": 1, "away": [10]},
        {"type": "offer", "structure": "nl-PHP-500-1000", "table": None, "waiting": True, "now": 1},
        {"type": "gossip"},
    ],
    ids=str,
)
def test_what_the_room_never_says_is_not_in_the_schema(message: dict[str, Any]) -> None:
    assert not validator("ServerMessage").is_valid(message)
