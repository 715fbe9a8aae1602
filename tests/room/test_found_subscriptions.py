"""Who watches from where, whatever the order in which records and messages come."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pynamodb.exceptions import PutError

from cardroom.dealer import Applied, Wish
from cardroom.errors import Refused
from cardroom.messages import Ok
from cardroom.ports import Delivery
from cardroom.stored import Stored
from tests.room.world import World


def _seated(world: World) -> list[str]:
    audience = world.views.audience("t", world.clock.now())
    return [viewer.connection for viewer in audience.seated]


def _spectators(world: World) -> list[str]:
    return world.views.spectators("t", 0, world.clock.now())


def test_who_sits_down_before_an_older_record_comes_keeps_watching_from_his_seat(
    world: World,
) -> None:
    world.seat("ana", "ben")
    world.stream()
    world.connect("cat", "cat")
    assert isinstance(world.say("ben", "leave"), Ok)
    late = world.updates()
    assert isinstance(world.say("cat", "sit", seat=1, chips=50_000), Ok)
    assert world.broadcast.deliver(late) is None
    assert _seated(world) == ["ana", "cat"]
    assert _spectators(world) == ["ben"]
    world.stream()
    world.push.posts.clear()
    world.deal()
    world.stream()
    (began,) = [json.loads(data) for data in world.push.to("cat")]
    assert len(began["hole"]) == 2


def test_who_leaves_and_sits_down_again_keeps_watching_from_his_seat(world: World) -> None:
    world.seat("ana", "ben")
    world.stream()
    assert isinstance(world.say("ben", "leave"), Ok)
    late = world.updates()
    assert isinstance(world.say("ben", "sit", seat=1, chips=100_000), Ok)
    assert world.broadcast.deliver(late) is None
    assert _seated(world) == ["ana", "ben"]
    assert _spectators(world) == []


def test_a_watch_that_overlaps_with_sitting_down_ends_in_the_seat(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two messages of one client run at the same time; the reads of `watch` come first."""
    world.connect("ana", "ana")
    real = world.views.watch

    def sits_meanwhile(*args: Any, **kwargs: Any) -> None:
        monkeypatch.setattr(world.views, "watch", real)
        assert isinstance(world.say("ana", "sit", seat=0, chips=50_000), Ok)
        real(*args, **kwargs)

    monkeypatch.setattr(world.views, "watch", sits_meanwhile)
    assert isinstance(world.say("ana", "watch"), Ok)
    assert _seated(world) == ["ana"]
    assert _spectators(world) == []


def test_what_happens_while_he_sits_down_is_in_the_reply(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana")
    world.connect("ben", "ben")
    apply: Callable[..., Applied | Refused] = world.dealer.apply

    def then_another(table_id: str, wish: Wish | None = None) -> Applied | Refused:
        monkeypatch.setattr(world.dealer, "apply", apply)
        applied = apply(table_id, wish)
        world.act_free()
        return applied

    monkeypatch.setattr(world.dealer, "apply", then_another)
    reply = world.say("ben", "sit", seat=1, chips=50_000)
    assert isinstance(reply, Ok)
    assert reply.snapshot is not None
    assert reply.snapshot["seq"] == world.stored().table.seq
    assert reply.snapshot["state"]["seats"][0]["status"] == "out"


def test_sitting_down_is_answered_though_the_table_cannot_be_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.connect("ana", "ana")
    load = world.tables.load
    reads: list[str] = []

    def once(table_id: str) -> Stored | None:
        reads.append(table_id)
        return load(table_id) if len(reads) == 1 else None

    monkeypatch.setattr(world.tables, "load", once)
    assert isinstance(world.say("ana", "sit", seat=0, chips=50_000), Ok)
    assert len(reads) == 2


@pytest.mark.parametrize("player", ["ben", ""], ids=["from a seat", "as a spectator"])
def test_a_connection_that_ended_while_it_began_to_watch_is_forgotten_when_found_gone(
    world: World, monkeypatch: pytest.MonkeyPatch, player: str
) -> None:
    world.seat("ana", "ben")
    world.connect("phone", player)
    enter = world.views._enter

    def ends_meanwhile(*args: Any) -> bool:
        entered = enter(*args)
        world.views._client.delete_item(
            TableName="cardroom", Key={"pk": {"S": "CONN#phone"}, "sk": {"S": "CONN"}}
        )
        return entered

    with monkeypatch.context() as patch:
        patch.setattr(world.views, "_enter", ends_meanwhile)
        assert isinstance(world.say(player, "watch", on="phone"), Ok)
    assert "phone" in _seated(world) + _spectators(world)
    world.push.outcomes["phone"] = Delivery.GONE
    world.stream()
    world.fan_out()
    assert "phone" not in _seated(world) + _spectators(world)


def test_what_concerns_one_player_alone_reaches_no_spectator(world: World) -> None:
    world.seat("ana", "ben")
    world.connect("guest")
    assert isinstance(world.say("", "watch", on="guest"), Ok)
    world.stream()
    world.queue.bodies.clear()
    assert isinstance(world.say("ana", "sitout", when="big_blind"), Ok)
    world.stream()
    assert world.queue.bodies == []


def test_a_clock_that_cannot_be_started_keeps_no_push_back(world: World) -> None:
    world.seat("ana", "ben")
    updates = world.updates()
    world.timers.broken = True
    assert world.broadcast.deliver(updates) == updates[0].sequence
    (pushed,) = [json.loads(data) for data in world.push.to("ana")]
    assert pushed["events"][-1]["e"] == "hand_scheduled"
    world.timers.broken = False
    assert world.broadcast.deliver(updates) is None
    assert len(world.timers.started) == 1


def test_an_id_that_is_in_use_is_given_to_no_other_player(world: World) -> None:
    world.seat("ana", "ben")
    with pytest.raises(PutError):
        world.connect("ana", "ben")
    world.views.disconnect("ana")
    world.connect("ana", "ben")
    world.push.posts.clear()
    world.deal()
    world.stream()
    assert world.push.to("ana") == []
