"""What the stream's consumer does; all of it may happen twice."""

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cardroom.dealer import Applied
from cardroom.messages import Ok
from cardroom.ports import Delivery
from poker_engine.clock import wake_at
from tests.room.world import World, settings


def _pushed(world: World, connection: str) -> list[dict[str, Any]]:
    return [json.loads(data) for data in world.push.to(connection)]


def _dealt(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.stream()
    world.push.posts.clear()
    world.deal()
    world.stream()


def test_each_seat_sees_its_own_cards_and_no_others(world: World) -> None:
    _dealt(world)
    holes = [_pushed(world, player)[0]["hole"] for player in ("ana", "ben", "cyd")]
    assert len({card for hole in holes for card in hole}) == 6
    for player, hole in zip(("ana", "ben", "cyd"), holes, strict=True):
        others = [card for other in holes if other != hole for card in other]
        text = "".join(map(str, world.push.to(player)))
        assert not any(f'"{card}"' in text for card in others)


def test_pushes_name_the_seq_before_them_without_a_gap(world: World) -> None:
    _dealt(world)
    world.play_out()
    world.stream()
    for player in ("ana", "ben", "cyd"):
        pushes = _pushed(world, player)
        for one, following in pairwise(pushes):
            assert following["before"] == one["seq"]
        assert pushes[-1]["seq"] == world.stored().table.seq


def test_writes_that_come_together_are_pushed_as_one(world: World) -> None:
    _dealt(world)
    world.push.posts.clear()
    before = world.stored().table.seq
    world.act("call")
    world.act("call")
    assert world.broadcast.deliver(world.updates()) is None
    (push,) = _pushed(world, "ana")
    assert (push["before"], push["seq"]) == (before, world.stored().table.seq)
    assert [event["e"] for event in push["events"]].count("acted") == 2


def test_a_record_that_comes_twice_pushes_the_same_and_starts_no_second_clock(
    world: World,
) -> None:
    world.seat("ana", "ben")
    updates = world.updates()
    world.broadcast.deliver(updates)
    posts, started = list(world.push.posts), dict(world.timers.started)
    world.push.posts.clear()
    world.broadcast.deliver(updates)
    assert world.push.posts == posts
    assert world.timers.started == started


def test_a_planned_hand_has_its_clock(world: World) -> None:
    world.seat("ana", "ben")
    world.stream()
    ((name, (table_id, hand, wait)),) = world.timers.started.items()
    assert name.startswith("t-1-")
    assert (table_id, hand) == ("t", 1)
    at = world.stored().table.next_hand_at
    assert at is not None
    assert at <= wait < at + 1000
    assert wait % 1000 == 0
    world.deal()
    world.play_out()
    world.stream()
    assert {hand for _, hand, _ in world.timers.started.values()} == {1, 2}


def test_a_clock_comes_first_for_a_seat_whose_time_is_over(aws: None) -> None:
    """Where all that ran at the table had died, the write that ends the hand leaves it undone:
    RULES 2.6 waits for no pause.
    """
    world = World(replace(settings(), sit_out_ms=8_000, pause_ms=5_000))
    world.seat("ana", "ben", "cyd")
    world.say("cyd", "sitout")
    world.deal()
    world.timers.started.clear()
    world.clock.go(60_000)
    applied = world.dealer.apply("t")
    assert isinstance(applied, Applied)
    table = world.stored().table
    at = wake_at(table)
    assert table.next_hand_at is not None
    assert at is not None
    assert at < world.clock.now() < table.next_hand_at
    world.stream()
    waits = [wait for _, hand, wait in world.timers.started.values() if hand == table.hands + 1]
    assert waits
    assert max(waits) <= world.clock.now() + 2_000


def test_spectators_get_whole_snapshots_through_the_queue(world: World) -> None:
    world.connect("guest")
    world.say("", "watch", on="guest")
    _dealt(world)
    assert world.push.to("guest") == []
    world.fan_out()
    snapshot = _pushed(world, "guest")[-1]
    assert snapshot["type"] == "snapshot"
    assert snapshot["seq"] == world.stored().table.seq
    assert "before" not in snapshot
    assert "hole" not in snapshot["state"]


def test_who_sat_down_by_a_newer_write_is_told_nothing_of_an_older_one(world: World) -> None:
    """He has it by his snapshot; nor is he made a spectator by it."""
    world.seat("ana", "ben")
    late = world.updates()
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "sit", seat=2, chips=100_000), Ok)
    assert world.broadcast.deliver(late) is None
    assert world.push.to("cyd") == []
    audience = world.views.audience("t", world.clock.now())
    assert (audience.seated[-1].player, audience.shards) == ("cyd", ())


def test_an_action_costs_one_query(world: World) -> None:
    """Who has a seat and which shards there are, away or not, is read at once."""
    world.connect("guest")
    world.say("", "watch", on="guest")
    _dealt(world)
    world.act("call")
    calls: list[str] = []
    world.views._client.meta.events.register(
        "before-call.dynamodb.*", lambda model, **_: calls.append(model.name)
    )
    world.stream()
    assert calls == ["Query"]


def test_without_spectators_nothing_is_queued(world: World) -> None:
    _dealt(world)
    assert world.queue.bodies == []


def test_a_connection_that_is_gone_is_forgotten(world: World) -> None:
    world.seat("ana", "ben")
    world.push.outcomes["ana"] = Delivery.GONE
    world.push.outcomes["ben"] = Delivery.FAILED
    world.stream()
    audience = world.views.audience("t", world.clock.now())
    assert [viewer.connection for viewer in audience.seated] == ["ben"]
    assert world.signals.counts["ConnectionGone"] == 1
    assert world.signals.counts["PushFailed"] >= 1


def test_who_loses_his_seat_goes_on_watching_as_a_spectator(world: World) -> None:
    world.seat("ana", "ben")
    assert isinstance(world.say("ben", "leave"), Ok)
    world.stream()
    assert _pushed(world, "ben")[-1]["seq"] == world.stored().table.seq
    audience = world.views.audience("t", world.clock.now())
    assert [viewer.player for viewer in audience.seated] == ["ana"]
    assert world.views.spectators("t", 0, world.clock.now()) == ["ben"]


def test_a_plan_is_told_to_its_owner_alone(world: World) -> None:
    _dealt(world)
    world.push.posts.clear()
    world.say("ben", "sitout", when="big_blind")
    world.stream()
    assert [event["e"] for event in _pushed(world, "ben")[0]["events"]] == ["planned"]
    for other in ("ana", "cyd"):
        assert all(push["events"] == [] for push in _pushed(world, other))


def test_one_tables_trouble_is_told_by_its_first_record(world: World) -> None:
    world.seat("ana", "ben")
    updates = world.updates()
    world.timers.broken = True
    assert world.broadcast.deliver(updates) == updates[0].sequence
    assert world.signals.counts["BroadcastFailed"] == 1


def test_content_that_cannot_be_shown_is_passed_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> None:
        raise ValueError

    world.seat("ana", "ben")
    monkeypatch.setattr("cardroom.broadcast.views.push", damaged)
    assert world.broadcast.deliver(world.updates()) is None
    assert world.signals.counts["BroadcastFailed"] == 1


def test_a_lost_deck_fails_no_batch(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    updates = world.updates()
    world.tables._client.delete_item(
        TableName="cardroom", Key={"pk": {"S": "SECRET#t"}, "sk": {"S": "deck-1"}}
    )
    assert world.broadcast.deliver(updates) is None
    assert world.signals.counts["DeckMissing"] == 2


@pytest.mark.parametrize("shards", [1, 3])
def test_spectators_in_shards(aws: None, shards: int) -> None:
    world = World(shards=shards)
    guests = [f"guest-{number}" for number in range(12)]
    for guest in guests:
        world.connect(guest)
        world.say("", "watch", on=guest)
    world.seat("ana", "ben")
    world.stream()
    world.fan_out()
    newest = {guest: _pushed(world, guest)[-1]["seq"] for guest in guests}
    assert set(newest.values()) == {world.stored().table.seq}
    for guest in guests:
        world.views.disconnect(guest)
    world.deal()
    world.stream()
    world.fan_out()
    assert world.views.audience("t", world.clock.now()).shards == ()
