"""What the room refuses, as a player reads it: amounts as at the table, never in minor units."""

import ast
import re
import time
from pathlib import Path
from typing import Any

import pytest

import cardroom
import poker_engine
from cardroom.messages import error
from local.client import RequestError
from local.refusals import AMOUNTS, COUNTS, MOMENTS, TOLD, sentence
from poker_engine.buyin import Left, check_buy_in, check_top_up
from poker_engine.errors import Code, Rejected
from poker_engine.stakes import PHP_STAKES, fixed_limit, table_settings

SETTINGS = table_settings(PHP_STAKES[3])
"""25/50: P500 to P5000."""
LIMIT = table_settings(fixed_limit("USD", 300))


def told(refusal: Rejected | None, route: str = "", do: str = "") -> str:
    assert refusal is not None
    reply = error("c-1", refusal).model_dump(exclude_unset=True)
    return sentence(RequestError(reply), "PHP", route, do)


def fact_names() -> dict[str, set[str]]:
    """Code: the facts that engine and room give with it, as their sources say."""
    found: dict[str, set[str]] = {}
    for package in (poker_engine, cardroom):
        assert package.__file__ is not None
        for file in Path(package.__file__).parent.glob("*.py"):
            for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(call, ast.Call) or not call.args:
                    continue
                if ast.unparse(call.func) not in ("Rejected", "Refused"):
                    continue
                code = re.fullmatch(r"(?:Room)?Code\.([A-Z_]+)", ast.unparse(call.args[0]))
                facts = [one for one in call.args if isinstance(one, ast.Dict)]
                if code is not None:
                    keys = found.setdefault(code.group(1).lower(), set())
                    keys |= {ast.literal_eval(key) for one in facts for key in one.keys if key}
    return found


def test_every_refusal_with_an_amount_or_a_moment_has_a_sentence_of_the_clients() -> None:
    found = fact_names()
    assert "buy_in_fixed" in found
    told = {code for code, facts in found.items() if facts & (AMOUNTS | MOMENTS)} - COUNTS
    # Their facts are a variable there.
    told |= {str(Code.AMOUNT_TOO_SMALL), str(Code.AMOUNT_TOO_LARGE)}
    assert told == TOLD


def test_buy_ins() -> None:
    now = 1_700_000_000_000
    left = (Left(600_000, now - 60_000),)
    assert told(check_buy_in(SETTINGS, 1, (), now)) == "The buy-in is at least P500."
    assert told(check_buy_in(SETTINGS, 10**9, (), now)) == "The buy-in is at most P5000."
    fixed = told(check_buy_in(SETTINGS, 100_000, left, now))
    assert re.fullmatch(
        r"You left such a table: until \d\d:\d\d the buy-in is exactly P6000\.", fixed
    )
    floor = told(check_buy_in(LIMIT, 3_000, left, now))
    assert re.fullmatch(
        r"You left such a table: until \d\d:\d\d the buy-in is at least P6000\.", floor
    )
    removed = (Left(600_000, now - 60_000, removed=True),)
    assert told(check_buy_in(SETTINGS, 10**9, removed, now)) == "The buy-in is P6000 to P6000."


def test_top_ups() -> None:
    def added(have: int, chips: int, *, broke: bool = False) -> str:
        return told(check_top_up(SETTINGS, have, chips, broke=broke), "topup")

    assert added(378_750, 10**9) == "You may top up by P1212.50 at most."
    assert added(500_000, 1) == "You have the most that this table allows: nothing can be added."
    assert added(0, 1, broke=True) == "Top up by P500 or more."


@pytest.mark.parametrize(
    ("code", "facts", "do", "says"),
    [
        (
            "amount_too_small",
            {"min_to": 600, "max_to": 9_700},
            "raise",
            "The least raise is to P6.",
        ),
        ("amount_too_small", {"min_to": 150, "max_to": 9_700}, "bet", "The least bet is P1.50."),
        (
            "amount_too_large",
            {"min_to": 1, "max_to": 970},
            "raise",
            "The largest raise is to P9.70.",
        ),
        ("cannot_check", {"to_call": 3_000}, "check", "You cannot check: call P30 or fold."),
        ("price_changed", {"price": 3_000}, "call", "The price is P30 now: choose again."),
        (
            "already_acted",
            {"to": 3_000},
            "fold",
            "You have acted on this turn already: your bet is P30.",
        ),
        (
            "no_chips",
            {"minimum": 20_000},
            "",
            "You have no chips: top up by P200 or more, then sit in.",
        ),
        (
            "insufficient_funds",
            {"balance": 150, "amount": 20_000},
            "",
            "You own P1.50, which does not pay for P200.",
        ),
        (
            "already_acted",
            {"to": 400},
            "raise",
            "You have acted on this turn already: your bet is P4.",
        ),
        ("price_changed", {"price": 250}, "", "The price is P2.50 now: choose again."),
    ],
)
def test_others(code: str, facts: dict[str, int], do: str, says: str) -> None:
    refused = RequestError({"code": code, "message": "Of 20000.", "facts": facts})
    assert sentence(refused, "PHP", "act", do) == says


def test_limits_of_a_day_and_an_exclusion() -> None:
    def said(code: str, until: int) -> str:
        facts = {"limit": 50_000, "left": 1_250, "until": until}
        return sentence(RequestError({"code": code, "message": "No.", "facts": facts}), "PHP")

    soon = int(time.time() + 3_600) * 1000
    assert re.fullmatch(
        r"Your limit for a day's losses is P500: until \d{4}-\d\d-\d\d \d\d:\d\d UTC "
        r"you may buy chips for P12\.50\.",
        said("loss_limit", soon),
    )
    assert re.fullmatch(
        r"You have excluded yourself until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.",
        said("excluded", soon + 7 * 86_400_000),
    )
    assert "until" in said("seat_reserved", soon)


@pytest.mark.parametrize(
    "reply",
    [
        {"code": "seat_taken", "message": "This seat is taken: choose a free one."},
        {"code": "later", "message": "This seat is taken: choose a free one."},
        # Another version of the room: what it does not say cannot be told.
        {"code": "no_chips", "message": "This seat is taken: choose a free one.", "facts": {}},
    ],
)
def test_what_names_no_amount_is_told_as_the_room_tells_it(reply: dict[str, Any]) -> None:
    assert sentence(RequestError(reply), "PHP") == "This seat is taken: choose a free one."


def test_the_rooms_words_steer_no_terminal() -> None:
    said = sentence(RequestError({"code": "busy", "message": "\x1b[2J" + "x" * 500}), "PHP")
    assert said.isprintable()
    assert len(said) <= 160
