"""A running hand's log has a bound, whatever those at the table keep changing."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.restraint import MOST
from cardroom.store import state_item
from cardroom.stored import Change
from tests.room.world import World, settings

ROUNDS = 60
LARGEST = 16_000
"""Bytes of the item, with three at the table who all change what they may."""

type Wish = tuple[str, dict[str, Any]]
TOGGLES: dict[str, tuple[Wish, ...]] = {
    "sitting out and in": (("sitout", {}), ("sitin", {})),
    "plans to sit out": (("sitout", {"when": "big_blind"}), ("sitout", {"when": "never"})),
    "plans to leave": (("leave", {"when": "big_blind"}), ("leave", {"when": "never"})),
    "top-ups": (("topup", {"chips": 1}),),
    "automatic top-ups": (("autotopup", {"to": 50_000}), ("autotopup", {"to": 60_000})),
    "pre-actions": (
        ("preact", {"hand": 1, "price": 1000, "do": "fold"}),
        ("preact", {"hand": 1, "price": 1000, "do": "check_fold"}),
    ),
}


@pytest.fixture
def three(aws: None) -> World:
    world = World(settings(seats=4))
    world.seat("ana", "ben", "cyd", chips=50_000)
    world.deal()
    return world


def _turn(world: World) -> str:
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    seat = world.stored().table.seats[hand.turn.seat]
    assert seat is not None
    return seat.player


def _until_refused(world: World, player: str, wishes: Iterator[Wish]) -> Error:
    for _ in range(ROUNDS):
        route, fields = next(wishes)
        answer = world.say(player, route, **fields)
        if isinstance(answer, Error):
            return answer
    raise AssertionError("there is no bound")


@pytest.mark.parametrize("kind", TOGGLES)
def test_a_seat_changes_only_so_often_in_a_hand(three: World, kind: str) -> None:
    turn = _turn(three)
    other = next(player for player in ("ana", "ben", "cyd") if player != turn)
    refused = _until_refused(three, other, cycle(TOGGLES[kind]))
    assert refused.code == RoomCode.TOO_MANY_CHANGES
    assert refused.facts == {"most": MOST}
    # What the game needs is never too much, and others are not held to it.
    assert isinstance(three.act("call"), Ok)
    assert isinstance(three.say(turn, "sitout", when="big_blind"), Ok)
    assert isinstance(three.say(other, "leave"), Ok)


def test_the_next_hand_begins_anew(three: World) -> None:
    player = next(one for one in ("ana", "ben", "cyd") if one != _turn(three))
    _until_refused(three, player, cycle(TOGGLES["top-ups"]))
    three.play_out()
    assert isinstance(three.say(player, "topup", chips=1), Ok)
    three.deal()
    assert isinstance(three.say(player, "topup", chips=1), Ok)


def test_a_seat_taken_again_and_again_is_the_same_seat(three: World) -> None:
    three.connect("dov", "dov")

    def hops() -> Iterator[Wish]:
        while True:
            yield "sit", {"seat": 3, "chips": 100_000}
            yield "leave", {}

    refused = _until_refused(three, "dov", hops())
    assert refused.code == RoomCode.TOO_MANY_CHANGES


def test_the_table_stays_an_item_that_can_be_written(three: World) -> None:
    for player in ("ana", "ben", "cyd"):
        for route, fields in [one for wishes in TOGGLES.values() for one in wishes] * 8:
            three.say(player, route, **fields)
    stored = three.stored()
    item = state_item(Change(0, stored, 0, 0, ()))
    assert sum(len(name) + len(str(next(iter(value.values())))) for name, value in item.items()) < (
        LARGEST
    )
