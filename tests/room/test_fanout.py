"""Snapshots to spectators: the newest wins, and nothing old is sent."""

import pytest

from cardroom.connections import SHARDS
from cardroom.fanout import SHARE, STALE_MS, Fanout, Parcel, dump_parcel, load_parcel
from cardroom.ports import Delivery
from tests.room.conftest import Memory
from tests.room.world import World


def _parcel(world: World, seq: int, data: str = "{}", *, hand: int = 1) -> str:
    world.push.made_up = True
    return dump_parcel(Parcel("t", hand, seq, world.clock.now(), (0,), data))


def _watching(world: World) -> None:
    world.connect("guest")
    world.say("", "watch", on="guest")


def test_of_one_batch_only_the_newest_is_sent(world: World) -> None:
    _watching(world)
    bodies = [("a", _parcel(world, 5, "five")), ("b", _parcel(world, 4, "four"))]
    assert world.fanout.deliver(bodies) == []
    assert world.push.to("guest") == [b"five"]


def test_how_a_hand_ended_is_sent_before_the_next(world: World) -> None:
    _watching(world)
    bodies = [
        ("a", _parcel(world, 7, "seven", hand=2)),
        ("b", _parcel(world, 5, "five", hand=1)),
        ("c", _parcel(world, 4, "four", hand=1)),
    ]
    assert world.fanout.deliver(bodies) == []
    assert world.push.to("guest") == [b"five", b"seven"]


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


def test_the_last_moment_of_what_is_not_too_old(world: World) -> None:
    _watching(world)
    body = _parcel(world, 5)
    world.clock.go(STALE_MS)
    world.fanout.deliver([("a", body)])
    assert len(world.push.to("guest")) == 1


@pytest.mark.parametrize(
    "body", ["", "nonsense", "[]", "{}", "null", '["t",0,5,1700000000000,"{}"]', "[1,2,3,4,5,6]"]
)
def test_damage_fails_no_batch(world: World, body: str) -> None:
    assert world.fanout.deliver([("a", body)]) == []
    assert world.signals.counts["ParcelDamaged"] == 1


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


@pytest.mark.parametrize(("failure", "again"), [(ConnectionError, ["a"]), (KeyError, [])])
def test_what_may_pass_comes_again_and_content_never(
    world: World, monkeypatch: pytest.MonkeyPatch, failure: type[Exception], again: list[str]
) -> None:
    _watching(world)

    def spectators(table_id: str, shard: int, now: int) -> list[str]:
        raise failure

    monkeypatch.setattr(world.views, "spectators", spectators)
    assert world.fanout.deliver([("a", _parcel(world, 1))]) == again
    assert world.signals.counts["FanoutFailed"] == 1


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


def _crowd(world: World, size: int) -> list[str]:
    guests = [f"guest-{number}" for number in range(size)]
    for guest in guests:
        world.connect(guest)
        world.views.watch("t", guest, "", seated=False, seq=1, now=world.clock.now())
    return guests


def test_five_hundred_spectators_are_served_by_several_functions(memory: Memory) -> None:
    """One message for all; who takes it sends to its share, and each shard that is left is another
    function's work. Everybody gets it, once.
    """
    world = World(shards=SHARDS)
    guests = _crowd(world, 500)
    world.seat("ana", "ben")
    world.stream()
    world.push.posts.clear()
    del world.queue.bodies[:-1]
    assert load_parcel(world.queue.bodies[0]).shards == tuple(range(SHARDS))
    shares: list[int] = []
    while world.queue.bodies:
        before = len(world.push.posts)
        function = Fanout(world.views, world.push, world.queue, world.clock, world.signals)
        assert function.deliver([("a", world.queue.bodies.pop(0))]) == []
        shares.append(len(world.push.posts) - before)
    assert sorted(to for to, _ in world.push.posts) == sorted(guests)
    assert len({data for _, data in world.push.posts}) == 1
    assert len(shares) > 3
    largest = max(
        len(world.views.spectators("t", shard, world.clock.now())) for shard in range(SHARDS)
    )
    assert max(shares) < SHARE + largest
    assert world.signals.counts["SnapshotsSent"] == 500


def test_few_spectators_in_many_shards_are_one_functions_work(aws: None) -> None:
    world = World(shards=SHARDS)
    guests = _crowd(world, 12)
    world.seat("ana", "ben")
    world.stream()
    bodies, world.queue.bodies = world.queue.bodies, []
    assert world.fanout.deliver([("a", bodies[0])]) == []
    assert world.queue.bodies == []
    assert {to for to, _ in world.push.posts} >= set(guests)


def test_a_batch_that_comes_again_sends_to_nobody_twice(aws: None) -> None:
    world = World(shards=SHARDS)
    _crowd(world, 12)
    world.seat("ana", "ben")
    world.stream()
    bodies = [(str(number), body) for number, body in enumerate(world.queue.bodies)]
    assert world.fanout.deliver(bodies) == []
    sent = len(world.push.posts)
    assert world.fanout.deliver(bodies) == []
    assert len(world.push.posts) == sent


def test_a_shard_is_counted_in_the_lobby_while_there_is_somebody_in_it(world: World) -> None:
    _watching(world)
    assert world.watchers.crowds(world.clock.now()) == {"t": 1}
    item = world.tables._client.get_item(
        TableName="cardroom", Key={"pk": {"S": "CROWDS"}, "sk": {"S": "t#0"}}
    )["Item"]
    assert int(item["ttl"]["N"]) * 1000 > world.clock.now() + 7_200_000
    world.push.outcomes["guest"] = Delivery.GONE
    world.fanout.deliver([("a", _parcel(world, 5))])
    assert world.watchers.crowds(world.clock.now()) == {"t": 0}
    world.fanout.deliver([("a", _parcel(world, 6))])
    assert world.watchers.crowds(world.clock.now()) == {}
