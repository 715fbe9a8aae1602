"""docs/protocol.md is true: its examples keep to the models."""

import json
import re
from typing import Any

import pytest
from pydantic import BaseModel

from cardroom import contract
from cardroom.attendance import Change
from cardroom.errors import Refused
from cardroom.messages import MAX_BYTES, MAX_CHIPS, MAX_DEPTH, MESSAGES, Error, Ok, parse
from tests.room.world import World, settings
from tests.template.parsed import ROOT

PAGE = (ROOT / "docs/protocol.md").read_text()
EXAMPLES: list[dict[str, Any]] = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
]
MODELS: dict[str, type[BaseModel]] = {
    "ok": Ok,
    "error": Error,
    "events": contract.EventsPush,
    "snapshot": contract.SnapshotPush,
    "presence": contract.PresencePush,
    "lobby": contract.LobbyPush,
    "offer": contract.OfferPush,
}


def _of(kind: str) -> list[dict[str, Any]]:
    return [example for example in EXAMPLES if example.get("type") == kind]


def test_each_route_has_the_example_that_is_tried_as_a_sample_event() -> None:
    asked = {example["route"]: example for example in EXAMPLES if "route" in example}
    assert set(asked) == set(MESSAGES)
    for route, example in asked.items():
        sample = json.loads((ROOT / f"events/route-{route}.json").read_text())
        assert example == json.loads(sample["body"])
        _, message = parse(json.dumps(example))
        assert not isinstance(message, Refused)


@pytest.mark.parametrize("kind", MODELS)
def test_what_is_sent_is_shown_as_it_is(kind: str) -> None:
    assert _of(kind)
    for example in _of(kind):
        MODELS[kind].model_validate_json(json.dumps(example))


def test_nothing_else_is_shown() -> None:
    assert [one for one in EXAMPLES if "route" not in one and one.get("type") not in MODELS] == []


def test_limits_are_the_rooms() -> None:
    assert f"at most {MAX_BYTES} bytes and nests at most {MAX_DEPTH} deep" in PAGE
    assert f"1 to\n{MAX_CHIPS:,}" in PAGE


def test_the_shown_hand_is_one_that_the_room_plays(aws: None) -> None:
    """The button raises, and plans to leave: the page shows what was sent."""
    world = World(settings(seats=2))
    world.connect("guest")
    world.say("", "watch", on="guest")
    for seat, player in enumerate(("ana", "ben")):
        world.connect(player, player)
        world.say(player, "sit", seat=seat, chips=50_000 + 30_000 * seat)
    watched = world.say("ben", "watch")
    assert isinstance(watched, Ok)
    assert {**json.loads(watched.text()), "id": "c-1"} in _of("ok")
    world.stream()
    world.push.posts.clear()
    world.queue.bodies.clear()
    world.deal()
    world.stream()
    world.fan_out()
    raised = world.act("raise", to=3_000)
    world.stream()
    assert isinstance(world.say("ben", "leave", when="big_blind"), Ok)
    world.stream()
    refused = world.say("ana", "act", hand=1, turn=2, do="raise", to=1)
    assert isinstance(refused, Error)
    world.views.disconnect("ana")
    assert world.attendance.tell([Change("1", "t")]) is None
    sent = [{**json.loads(data), "table": "php-5-10"} for _, data in world.push.posts]
    for example in (*_of("events"), *_of("snapshot"), *_of("presence")):
        assert example in sent
    (error,) = _of("error")
    assert {**json.loads(refused.text()), "id": "c-1"} == error
    assert {**json.loads(raised.text()), "id": "c-1"} in _of("ok")


def test_the_shown_lobby_is_one_that_the_room_tells(aws: None) -> None:
    """Each takes 2 seconds to act; one more watches, and has an account."""
    world = World(settings(seats=2))
    world.connect("guest")
    world.say("", "watch", on="guest")
    for seat, player in enumerate(("ana", "ben")):
        world.connect(player)
        world.fund(player, amount=1_000_000)
        world.say(player, "sit", on=player, seat=seat, chips=50_000)
    world.stream()
    account = world.say("ana", "account")
    world.deal()
    for do in ("call", "check", *["check"] * 6):
        world.clock.go(2_000)
        world.act(do)
    world.stream()
    lobby = world.say("", "lobby", on="guest")
    assert isinstance(lobby, Ok)
    (shown,) = _of("lobby")
    sent = json.loads(lobby.text().replace('"t"', '"php-5-10"'))["lobby"]
    assert shown == {"type": "lobby", **sent}
    assert isinstance(account, Ok)
    (told,) = [one for one in _of("ok") if "account" in one]
    sent = json.loads(account.text().replace('"t"', '"php-5-10"'))
    assert told == {**sent, "id": "c-1"}


def test_the_shown_ledger_and_results_are_what_the_room_tells(aws: None) -> None:
    """Ana buys in, and folds the small blind."""
    world = World(settings(seats=2))
    for seat, player in enumerate(("ben", "ana")):
        world.connect(player)
        world.fund(player, amount=1_000_000)
        world.say(player, "sit", on=player, seat=seat, chips=50_000)
    world.deal()
    world.clock.go(6_000)
    while (hand := world.stored().table.running) is not None:
        assert hand.turn is not None
        ana = hand.turn.seat == 1
        world.act("fold" if ana else "call" if hand.bets[0] < hand.price else "check")
    for route in ("ledger", "results"):
        told = world.say("ana", route, zone="Asia/Manila")
        assert isinstance(told, Ok)
        (shown,) = [one for one in _of("ok") if route in one]
        assert shown == {**json.loads(told.text().replace('"t"', '"php-5-10"')), "id": "c-1"}
