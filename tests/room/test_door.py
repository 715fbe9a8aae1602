"""Who says too much is told so, then put out, and is let in again a minute later."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.bans import hashed
from cardroom.budget import FLOOD, Rate
from cardroom.door import BAN_MS
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.ports import Delivery
from cardroom.room import Caller
from tests.room.world import TABLE, World

BURST = Rate().burst
ADDRESS = "192.0.2.7"
PHONE = Caller("phone", "ana")
GUEST = Caller("guest", None)


def _ask(
    world: World, caller: Caller, route: str = "ping", message_id: str = "m", **fields: Any
) -> Ok | Error:
    body = json.dumps({"route": route, "id": message_id, "v": 1, **fields})
    return world.door.answer(body, caller, ADDRESS)


def _spend(world: World, caller: Caller, count: int = BURST) -> None:
    for _ in range(count):
        _ask(world, caller)


def _code(answer: Ok | Error) -> str:
    assert isinstance(answer, Error)
    return answer.code


def _calls(world: World) -> list[str]:
    """To the store, from now on."""
    made: list[str] = []
    events = world.tables._client.meta.events
    events.register("before-call.dynamodb.*", lambda model, **_: made.append(model.name))
    return made


def test_within_his_budget_a_client_is_answered_by_the_room(world: World) -> None:
    for number in range(BURST):
        answer = _ask(world, PHONE, message_id=f"m{number}")
        assert answer == Ok(type="ok", id=f"m{number}", now=world.clock.now())


def test_one_too_many_is_told_how_long_to_wait(world: World) -> None:
    _spend(world, PHONE)
    answer = _ask(world, PHONE, message_id="m-31")
    assert isinstance(answer, Error)
    assert (answer.id, answer.code) == ("m-31", RoomCode.SLOW_DOWN)
    assert answer.facts == {"retry_ms": 100}
    assert answer.message == "Too many messages: wait 100 ms and send it again."
    world.clock.go(100)
    assert isinstance(_ask(world, PHONE, message_id="m-31"), Ok)


@pytest.mark.parametrize(
    ("body", "message_id"),
    [
        ('{"id":"a-1","v":1,"route":"steal"}', "a-1"),
        ('{"id":"a b","v":1,"route":"ping"}', None),
        ("nonsense", None),
        ("x" * 5000, None),
        ("[" * 99, None),
        ("", None),
    ],
)
def test_what_is_no_message_costs_as_much_and_is_answered_by_its_id(
    world: World, body: str, message_id: str | None
) -> None:
    for _ in range(BURST):
        assert _code(world.door.answer(body, PHONE, ADDRESS)) != RoomCode.SLOW_DOWN
    answer = world.door.answer(body, PHONE, ADDRESS)
    assert (_code(answer), answer.id) == (RoomCode.SLOW_DOWN, message_id)


def test_nothing_is_read_for_what_is_refused(world: World) -> None:
    world.seat("ana", "ben")
    _spend(world, PHONE)
    calls = _calls(world)
    for number in range(FLOOD - 1):
        route = ("watch", "sync", "sit", "leave")[number % 4]
        fields: dict[str, Any] = {"sync": {"seq": 0}, "sit": {"seat": 1, "chips": 1}}.get(route, {})
        assert _code(_ask(world, PHONE, route, table="t", **fields)) == RoomCode.SLOW_DOWN
    assert calls == []
    assert world.signals.counts["SlowedDown"] == FLOOD - 1
    # The next is one too many: the ban is written, and nothing else is asked for.
    assert _code(_ask(world, PHONE, "watch", table="t")) == RoomCode.SLOW_DOWN
    assert calls == ["PutItem"]
    calls.clear()
    other = Caller("other", "ben")
    assert isinstance(_ask(world, other, "sync", table="t", seq=0), Ok)
    assert "GetItem" in calls


def test_a_flooder_takes_nothing_from_another_player(world: World) -> None:
    _spend(world, PHONE, BURST + FLOOD)
    for _ in range(BURST):
        assert isinstance(_ask(world, Caller("other", "ben")), Ok)


@pytest.mark.parametrize("caller", [PHONE, GUEST], ids=["player", "guest"])
def test_a_flooder_is_put_out_and_let_in_again_after_a_minute(world: World, caller: Caller) -> None:
    player = caller.player or ""
    assert world.entrance.admit(caller.connection, player, ADDRESS)
    _spend(world, caller, BURST + FLOOD - 1)
    assert world.closer.closed == []
    assert _code(_ask(world, caller, message_id="last")) == RoomCode.SLOW_DOWN
    assert world.closer.closed == [caller.connection]
    assert world.signals.counts["FlooderClosed"] == 1
    for ms in (0, BAN_MS - 1):
        world.clock.go(ms)
        assert not world.entrance.admit("again", player, ADDRESS)
    assert world.signals.counts["ConnectionRefused"] == 2
    world.clock.go(1)
    assert world.entrance.admit("again", player, ADDRESS)
    assert isinstance(_ask(world, Caller("again", caller.player)), Ok)


def test_a_player_is_banned_wherever_he_comes_from_and_nobody_else(world: World) -> None:
    _spend(world, PHONE, BURST + FLOOD)
    assert not world.entrance.admit("a", "ana", "198.51.100.1")
    assert world.entrance.admit("b", "ben", ADDRESS)
    assert world.entrance.admit("c", "", ADDRESS)


def test_guests_are_banned_by_where_they_come_from(world: World) -> None:
    _spend(world, GUEST, BURST + FLOOD)
    assert not world.entrance.admit("a", "", ADDRESS)
    assert world.entrance.admit("b", "", "192.0.2.8")
    assert world.entrance.admit("c", "ana", ADDRESS)


def test_who_is_refused_is_not_remembered_as_connected(world: World) -> None:
    _spend(world, PHONE, BURST + FLOOD)
    assert not world.entrance.admit("again", "ana", ADDRESS)
    assert world.views.connections_of("ana") == []


def test_who_goes_on_over_another_connection_loses_that_too(world: World) -> None:
    _spend(world, PHONE, BURST + FLOOD)
    world.clock.go(1_000)
    laptop = Caller("laptop", "ana")
    _spend(world, laptop, 10 + FLOOD)
    assert world.closer.closed == ["phone", "laptop"]
    world.clock.go(BAN_MS - 1)
    assert not world.entrance.admit("again", "ana", ADDRESS)


def test_a_connection_that_has_ended_already_does_no_harm(world: World) -> None:
    world.closer.outcomes["phone"] = Delivery.GONE
    _spend(world, PHONE, BURST + FLOOD)
    assert world.closer.closed == ["phone"]


def test_a_flooder_is_put_out_though_the_ban_cannot_be_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ClientError({"Error": {"Code": "InternalServerError"}}, "PutItem")

    monkeypatch.setattr(world.bans, "ban", broken)
    _spend(world, PHONE, BURST + FLOOD)
    assert world.closer.closed == ["phone"]
    assert world.signals.counts["InternalError"] == 1


def test_no_address_is_stored_or_logged(world: World) -> None:
    world.entrance.admit("guest", "", ADDRESS)
    _spend(world, GUEST, BURST + FLOOD)
    world.entrance.admit("guest", "", ADDRESS)
    items = world.tables._client.scan(TableName=TABLE)["Items"]
    assert [item["pk"]["S"] for item in items if item["sk"]["S"] == "BAN"] == [
        f"BAN#ip#{hashed(ADDRESS, TABLE)}"
    ]
    assert ADDRESS not in json.dumps(items) + "".join(world.signals.lines)


def test_what_stands_for_an_address() -> None:
    assert len(hashed(ADDRESS, TABLE)) == 32
    assert hashed(ADDRESS, TABLE) != hashed(ADDRESS, "another")
    assert hashed(ADDRESS, TABLE) != hashed("192.0.2.8", TABLE)
    # An IPv6 guest chooses the lower half himself.
    assert hashed("2001:db8::1", TABLE) == hashed("2001:db8::ffff:2", TABLE)
    assert hashed("2001:db8::1", TABLE) != hashed("2001:db8:0:1::1", TABLE)
    # An IPv4 address in the dress of IPv6 is that one, and not all of them.
    assert hashed(f"::ffff:{ADDRESS}", TABLE) == hashed(ADDRESS, TABLE)
    assert hashed(f"::FFFF:{ADDRESS}", TABLE) != hashed("::ffff:192.0.2.8", TABLE)


def test_a_ban_ends_by_itself_whatever_is_left_of_it(world: World) -> None:
    """Ttl lags: the item may be there for days."""
    world.bans.ban("ana", ADDRESS, 5_001)
    item = world.tables._client.get_item(
        TableName=TABLE, Key={"pk": {"S": "BAN#ana"}, "sk": {"S": "BAN"}}
    )["Item"]
    assert item["ttl"] == {"N": "6"}
    assert world.bans.banned("ana", ADDRESS, 5_000)
    assert not world.bans.banned("ana", ADDRESS, 5_001)
