"""The routes, and each code that the room answers."""

import json
from typing import Any

import pytest

from cardroom.damage import named
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.room import Caller
from tests.room.world import World

PLAYING: list[tuple[str, dict[str, Any]]] = [
    ("sit", {"seat": 0, "chips": 50_000}),
    ("topup", {"chips": 1000}),
    ("autotopup", {"to": 0}),
    ("sitout", {}),
    ("sitin", {}),
    ("leave", {}),
    ("act", {"hand": 1, "turn": 1, "do": "fold"}),
    ("show", {"cards": [0]}),
]


def _code(answer: Ok | Error) -> str:
    assert isinstance(answer, Error)
    return answer.code


def test_ping_tells_the_time(world: World) -> None:
    assert world.say("", "ping", on="c") == Ok(type="ok", id="m1", now=world.clock.now())


@pytest.mark.rule("7")
def test_anyone_may_watch(world: World) -> None:
    world.seat("ana", "ben")
    world.connect("guest")
    answer = world.say("", "watch", on="guest")
    assert isinstance(answer, Ok)
    assert answer.snapshot is not None
    assert answer.snapshot["seq"] == world.stored().table.seq
    assert "hole" not in answer.snapshot["state"]
    assert world.views.spectators("t", 0, world.clock.now()) == ["guest"]
    assert isinstance(world.say("", "unwatch", on="guest"), Ok)
    assert world.views.spectators("t", 0, world.clock.now()) == []


@pytest.mark.rule("7")
@pytest.mark.parametrize(("route", "fields"), PLAYING, ids=[route for route, _ in PLAYING])
def test_guests_do_not_play(world: World, route: str, fields: dict[str, Any]) -> None:
    assert _code(world.say("", route, on="guest", **fields)) == RoomCode.NOT_ALLOWED


@pytest.mark.parametrize(
    ("route", "fields"), [*PLAYING, ("watch", {}), ("sync", {"seq": 0})], ids=str
)
def test_there_is_no_such_table(world: World, route: str, fields: dict[str, Any]) -> None:
    answer = world.say("ana", route, table="nowhere", **fields)
    assert _code(answer) == RoomCode.UNKNOWN_TABLE


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("nonsense", RoomCode.BAD_MESSAGE),
        ("x" * 3000, RoomCode.TOO_LARGE),
        ("[[[[", RoomCode.TOO_DEEP),
        ('{"id":"a","v":1,"route":"steal"}', RoomCode.UNKNOWN_ROUTE),
        ('{"id":"a","v":2,"route":"ping"}', RoomCode.UPGRADE_REQUIRED),
        ('{"id":"a","v":1,"route":"ping","more":1}', RoomCode.BAD_MESSAGE),
        ('{"id":"a","v":1,"route":"watch"}', RoomCode.BAD_MESSAGE),
    ],
)
def test_what_is_not_understood(world: World, body: str, code: RoomCode) -> None:
    assert _code(world.room.answer(body, Caller("c", "ana"))) == code


def test_who_sits_down_is_pushed_to_from_his_seat(world: World) -> None:
    world.connect("ana", "ana")
    world.say("ana", "watch")
    answer = world.say("ana", "sit", seat=3, chips=50_000)
    assert isinstance(answer, Ok)
    assert answer.snapshot is not None
    assert answer.snapshot["state"]["seats"][3]["player"] == "ana"
    audience = world.views.audience("t", world.clock.now())
    assert [viewer.player for viewer in audience.seated] == ["ana"]
    assert world.views.spectators("t", 0, world.clock.now()) == []


@pytest.mark.rule("4.4")
def test_who_comes_back_finds_his_cards_and_his_turn(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    turn = world.stored().table.hand
    assert turn is not None
    assert turn.turn is not None
    for player in ("ana", "ben"):
        world.connect(f"{player}-phone", player)
        answer = world.say(player, "watch", on=f"{player}-phone")
        assert isinstance(answer, Ok)
        assert answer.snapshot is not None
        state = answer.snapshot["state"]
        assert len(state["hole"]) == 2
        assert state["turn"]["number"] == turn.turn.number
        assert state["log"][0]["e"] == "hand_started"


def test_sync_has_a_snapshot_only_for_who_is_behind(world: World) -> None:
    world.seat("ana", "ben")
    seq = world.stored().table.seq
    assert world.say("ana", "sync", id="s", seq=seq) == Ok(type="ok", id="s", seq=seq)
    behind = world.say("ana", "sync", seq=seq - 1)
    assert isinstance(behind, Ok)
    assert behind.snapshot is not None


@pytest.mark.rule("4.5")
def test_a_sync_that_comes_late_applies_the_expiry(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    before = world.stored()
    assert before.table.hand is not None
    assert before.table.hand.turn is not None
    world.clock.go_to(before.table.hand.turn.expires)
    answer = world.say("ana", "sync", seq=before.table.seq)
    assert isinstance(answer, Ok)
    assert answer.seq is not None
    assert answer.seq > before.table.seq
    assert world.stored().table.running is None


def test_the_rules_own_codes_reach_the_client_with_their_facts(world: World) -> None:
    world.connect("ana", "ana")
    answer = world.say("ana", "sit", seat=0, chips=1)
    assert isinstance(answer, Error)
    assert answer.code == "buy_in_too_small"
    assert answer.facts == {"minimum": world.stored().table.settings.minimum}


def test_a_fault_of_ours_is_told_by_its_code_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> None:
        raise RuntimeError("As Kd secret")

    monkeypatch.setattr(world.tables, "load", broken)
    answer = world.say("ana", "watch")
    assert _code(answer) == RoomCode.INTERNAL
    assert "secret" not in answer.text() + str(world.signals.lines)


def test_a_running_hand_costs_an_action_one_read_and_one_write(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One consistent read, one conditional write."""
    world.seat("ana", "ben", "cyd")
    world.deal()
    calls: list[str] = []
    client = world.tables._client
    client.meta.events.register(
        "before-call.dynamodb.*", lambda model, **_: calls.append(model.name)
    )
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    seat = world.stored().table.seats[hand.turn.seat]
    assert seat is not None
    calls.clear()
    assert isinstance(world.say(seat.player, "act", hand=1, turn=hand.turn.number, do="call"), Ok)
    assert calls == ["GetItem", "PutItem"]


def test_messages_and_replies_are_not_logged(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    answer = world.say("ana", "watch", id="logged")
    assert isinstance(answer, Ok)
    assert answer.snapshot is not None
    lines = "".join(world.signals.lines)
    assert str(named("logged")) in lines
    assert "logged" not in lines
    assert json.dumps(answer.snapshot["state"]["hole"][0]) not in lines
