"""What a fault may do to a hand, to chips and to what clients are sent, and what it may not."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bench.judging import DECKLESS, WITHIN_MS, Ear, Fate, Judged, Struck, chips_of, judge, of_texts
from cardroom.stored import HandRecord
from cli.cases import Case, parse_line
from poker_engine.codec import load_table
from tests.cli.hands import record
from tests.cli.recorded import recorded

LATE = WITHIN_MS + 1
CHIPS = (("ann", 100), ("ben", 250))


def of_hand(**changes: Any) -> HandRecord:
    found = parse_line(json.dumps(record()))
    assert isinstance(found, Case)
    return replace(recorded(found, "php", "t", 1), **{"rake": 0, **changes})


def judged(hand: HandRecord | None, took: int = 0, **after: int) -> Judged:
    at = 0 if hand is None else hand.ended - took
    return judge(Struck("t", 1, at, CHIPS), hand, after)


def test_a_hand_ends_within_ninety_seconds() -> None:
    assert judged(of_hand(), WITHIN_MS) == Judged(Fate.ENDED, WITHIN_MS)
    late = judged(of_hand(), LATE)
    assert late.fate is Fate.ENDED
    assert late.wrong == ("t hand 1 took 90.0 s to end, more than 90",)
    assert judged(None).wrong == ("t hand 1 did not end within 90 s",)


def test_a_void_hand_gives_every_chip_back() -> None:
    void = of_hand(voided=True)
    assert judged(void, ann=100, ben=250, cora=7) == Judged(Fate.VOID, 0)
    assert judged(void, ann=350).wrong == (
        "t hand 1 is void, but ann had 100 before it, and has 350",
        "t hand 1 is void, but ben had 250 before it, and has 0",
    )
    (raked,) = judged(of_hand(voided=True, rake=1), ann=100, ben=250).wrong
    assert raked == "t hand 1 is void, but 1 of rake was taken"


def test_a_hand_that_was_played_moves_chips() -> None:
    assert judged(of_hand(rake=5), ann=345).wrong == ()


def test_chips_are_those_before_a_running_hand() -> None:
    table = load_table(of_hand().opening)
    assert [chips for _, chips in chips_of(table)] == [100, 100, 100]


AWS = {"message": "Internal server error", "connectionId": "c", "requestId": "r"}


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ('{"type":"ok","id":"1"}', ""),
        (json.dumps(AWS), ""),
        (json.dumps({**AWS, "trace": "x"}), "no part of the protocol"),
        (json.dumps({**AWS, "message": "KeyError: 'hole'"}), "no part of the protocol"),
        ("Task timed out", "no JSON"),
        ("[]", "no message"),
        ('{"type":"error","message":"Traceback (most recent call last)"}', "inside of an error"),
        ('{"type":"error","message":"at app.py:12"}', "inside of an error"),
    ],
)
def test_a_client_is_sent_the_protocol_and_no_inside_of_an_error(text: str, finding: str) -> None:
    ear = Ear()
    ear(text)
    assert [finding in one for one in ear.findings] == ([True] if finding else [])
    assert ear.cut_off == (text == json.dumps(AWS))


def test_only_who_lost_his_cards_is_told_so() -> None:
    ear, other = Ear(), Ear()
    for code in (DECKLESS, "stale_turn"):
        ear(json.dumps({"type": "error", "code": code}))
    assert of_texts([ear, other], deckless=1) == []
    assert of_texts([ear, other], deckless=0) == ["1 requests were answered `out_of_order`"]
    other(json.dumps({"type": "error", "code": "internal"}))
    assert of_texts([ear, other], deckless=1) == ["1 requests were answered `internal`"]
