"""Snapshots to spectators: the newest wins, and nothing old is sent."""

import pytest

from cardroom.fanout import STALE_MS, Parcel, dump_parcel
from tests.room.world import World


def _parcel(world: World, seq: int, data: str = "{}") -> str:
    return dump_parcel(Parcel("t", 0, seq, world.clock.now(), data))


def _watching(world: World) -> None:
    world.connect("guest")
    world.say("", "watch", on="guest")


def test_of_one_batch_only_the_newest_is_sent(world: World) -> None:
    _watching(world)
    bodies = [("a", _parcel(world, 5, "five")), ("b", _parcel(world, 4, "four"))]
    assert world.fanout.deliver(bodies) == []
    assert world.push.to("guest") == [b"five"]


def test_what_is_older_than_what_was_sent_is_dropped(world: World) -> None:
    _watching(world)
    for seq in (5, 4, 5, 6):
        world.fanout.deliver([("a", _parcel(world, seq, str(seq)))])
    assert world.push.to("guest") == [b"5", b"6"]


def test_what_is_too_old_is_dropped(world: World) -> None:
    _watching(world)
    old = _parcel(world, 5)
    world.clock.go(STALE_MS + 1)
    assert world.fanout.deliver([("a", old)]) == []
    assert world.push.posts == []


def test_what_cannot_be_read_is_reported_and_passed(world: World) -> None:
    _watching(world)
    assert world.fanout.deliver([("a", "nonsense"), ("b", _parcel(world, 1, "one"))]) == []
    assert world.push.to("guest") == [b"one"]
    assert world.signals.counts["ParcelDamaged"] == 1


def test_it_reads_no_table(world: World) -> None:
    _watching(world)
    calls: list[str] = []
    world.views._client.meta.events.register(
        "before-call.dynamodb.*", lambda model, **_: calls.append(model.name)
    )
    world.fanout.deliver([("a", _parcel(world, 1))])
    assert calls == ["Query"]


def test_a_failure_of_ours_comes_again(world: World, monkeypatch: object) -> None:
    _watching(world)
    world.fanout._audiences = None  # type: ignore[assignment]
    assert world.fanout.deliver([("a", _parcel(world, 1))]) == ["a"]


def test_who_comes_as_his_shard_is_found_empty_is_not_forgotten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _watching(world)
    world.say("", "unwatch", on="guest")
    find, missed = world.views.spectators, 1

    def spectators(table_id: str, shard: int, now: int) -> list[str]:
        nonlocal missed
        found = find(table_id, shard, now)
        if missed:
            missed -= 1
            world.say("", "watch", on="guest")
        return found

    monkeypatch.setattr(world.views, "spectators", spectators)
    assert world.fanout.deliver([("a", _parcel(world, 5))]) == []
    assert world.views.audience("t", world.clock.now()).shards == (0,)
