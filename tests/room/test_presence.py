"""Who is away: told to the seats when it changes, and with all that they are sent.

The stream is moto's own, through the template's filters.
"""

import json
from typing import Any

import pytest
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends

from cardroom.attendance import Change
from cardroom.broadcast import Update
from cardroom.contract import PresencePush
from cardroom.messages import Ok
from cardroom.ports import Delivery
from cardroom.streamed import read_record
from tests.room.world import TABLE, World, settings
from tests.template.parsed import resources

pytestmark = pytest.mark.usefixtures("moto")


class Stream:
    """The table's stream as the broadcast function gets it."""

    def __init__(self, world: World) -> None:
        self._world = world
        client: Any = world.tables._client
        wanted = resources("AWS::DynamoDB::Table")["Table"]["Properties"]["StreamSpecification"]
        client.update_table(TableName=TABLE, StreamSpecification={"StreamEnabled": True, **wanted})
        self._shard: Any = (
            dynamodb_backends[DEFAULT_ACCOUNT_ID]["us-east-1"].tables[TABLE].stream_shard
        )
        source = resources("AWS::Serverless::Function")["BroadcastFunction"]
        filters = source["Properties"]["Events"]["Stream"]["Properties"]["FilterCriteria"]
        self._patterns = [json.loads(one["Pattern"]) for one in filters["Filters"]]

    def take(self) -> list[Update | Change]:
        """What has come since the last time."""
        records, self._shard.items = [one.to_json() for one in self._shard.items], []
        return [
            read_record(record["dynamodb"])
            for record in records
            if any(_matches(pattern, record) for pattern in self._patterns)
        ]

    def deliver(self) -> None:
        """All, and what comes of it."""
        while records := self.take():
            for one in records:
                if isinstance(one, Update):
                    assert self._world.broadcast.deliver([one]) is None
                else:
                    assert self._world.attendance.tell([one]) is None


def _matches(pattern: Any, value: Any) -> bool:
    """As far as our patterns go."""
    if isinstance(pattern, dict):
        return all(name in value and _matches(one, value[name]) for name, one in pattern.items())
    return any(
        value.startswith(one["prefix"]) if isinstance(one, dict) else one == value
        for one in pattern
    )


@pytest.fixture
def stream(world: World) -> Stream:
    """Three at a table, ana on two devices, all told."""
    made = Stream(world)
    world.seat("ana", "ben", "cyd")
    world.connect("phone", "ana")
    assert isinstance(world.say("ana", "watch", on="phone"), Ok)
    made.deliver()
    world.push.posts.clear()
    return made


def _told(world: World, connection: str) -> list[list[int]]:
    """The lists of who is away in what this connection was sent since the last time."""
    messages = [json.loads(data) for data in world.push.to(connection)]
    world.push.posts = [one for one in world.push.posts if one[0] != connection]
    for message in messages:
        if message["type"] == "presence":
            PresencePush.model_validate(message)
    return [message["away"] for message in messages]


def test_who_loses_his_connection_is_away_and_is_not_when_he_is_back(
    world: World, stream: Stream
) -> None:
    world.views.disconnect("ben")
    stream.deliver()
    assert _told(world, "ana") == _told(world, "phone") == _told(world, "cyd") == [[1]]
    world.connect("ben-again", "ben")
    assert isinstance(world.say("ben", "watch", on="ben-again"), Ok)
    stream.deliver()
    assert _told(world, "ana") == [[]]
    assert _told(world, "ben-again") == [[]]


def test_a_connection_that_watches_another_table_does_not_make_him_present(
    world: World, stream: Stream
) -> None:
    assert isinstance(world.say("ben", "unwatch"), Ok)
    stream.deliver()
    assert _told(world, "ana") == [[1]]


def test_with_another_device_he_is_not_away(world: World, stream: Stream) -> None:
    world.views.disconnect("ana")
    stream.deliver()
    assert _told(world, "ben") == [[]]
    world.views.disconnect("phone")
    stream.deliver()
    assert _told(world, "ben") == [[0]]


def test_a_rotation_with_the_new_socket_first_shows_nobody_away(
    world: World, stream: Stream
) -> None:
    world.connect("ben-2", "ben")
    assert isinstance(world.say("ben", "watch", on="ben-2"), Ok)
    stream.deliver()
    world.views.disconnect("ben")
    stream.deliver()
    world.views.disconnect("ben")
    stream.deliver()
    assert _told(world, "ana") == [[], []]
    assert world.say("ben", "sync", on="ben-2", seq=0).snapshot["away"] == []  # type: ignore[union-attr,index]


def test_the_late_close_of_a_socket_that_was_replaced_changes_nothing(
    world: World, stream: Stream
) -> None:
    """He was away, came back on a new socket; only then the old one's end is told."""
    world.push.outcomes["ben"] = Delivery.GONE
    world.act_free()
    stream.deliver()
    assert _told(world, "cyd")[-1] == [1]
    world.connect("ben-2", "ben")
    assert isinstance(world.say("ben", "watch", on="ben-2"), Ok)
    stream.deliver()
    world.views.disconnect("ben")
    stream.deliver()
    assert _told(world, "cyd") == [[]]
    audience = world.views.audience("t", world.clock.now())
    assert "ben-2" in [viewer.connection for viewer in audience.seated]


def test_what_ttl_removes_is_told(world: World, stream: Stream) -> None:
    world.tables._client.delete_item(
        TableName=TABLE, Key={"pk": {"S": "SEATED#t"}, "sk": {"S": "VIEW#cyd"}}
    )
    stream.deliver()
    assert _told(world, "ana") == [[2]]


def test_what_ttl_has_not_removed_yet_counts_no_more(world: World, stream: Stream) -> None:
    world.clock.go(7_600_000)
    world.connect("ben-2", "ben")
    reply = world.say("ben", "watch", on="ben-2")
    assert isinstance(reply, Ok)
    assert reply.snapshot is not None
    assert set(reply.snapshot["away"]) >= {0, 2} - {
        number for number, seat in enumerate(world.stored().table.seats) if seat is None
    }


def test_every_push_and_snapshot_says_who_is_away(world: World, stream: Stream) -> None:
    world.connect("guest")
    watched = world.say("", "watch", on="guest")
    world.views.disconnect("cyd")
    stream.deliver()
    world.push.posts.clear()
    world.deal()
    stream.deliver()
    world.fan_out()
    assert _told(world, "ana") == _told(world, "guest") == [[2]]
    synced = world.say("", "sync", on="guest", seq=0)
    for reply, expected in ((watched, []), (synced, [2])):
        assert isinstance(reply, Ok)
        assert reply.snapshot is not None
        assert reply.snapshot["away"] == expected


def test_one_who_has_just_sat_down_is_not_away(world: World, stream: Stream) -> None:
    """His subscription follows the write: others see him come, not go."""
    subscribe, kept = world.room._subscribe, []
    world.connect("dan", "dan")
    world.room._subscribe = lambda *args: kept.append(args)  # type: ignore[method-assign]
    assert isinstance(world.say("dan", "sit", seat=3, chips=50_000), Ok)
    stream.deliver()
    assert _told(world, "ana") == [[]]
    subscribe(*kept[0])
    stream.deliver()
    assert _told(world, "ana") == [[]]


def test_late_and_double_records_tell_how_it_is_now(world: World, stream: Stream) -> None:
    world.views.disconnect("ben")
    gone = stream.take()
    world.connect("ben-2", "ben")
    world.say("ben", "watch", on="ben-2")
    came = stream.take()
    changes = [one for one in (*came, *gone, *gone) if isinstance(one, Change)]
    for one in changes:
        world.clock.go(1)
        assert world.attendance.tell([one]) is None
    assert len(changes) == 3
    assert set(map(tuple, _told(world, "ana"))) == {()}


def test_presence_counts_nothing_and_changes_no_table(world: World, stream: Stream) -> None:
    before = world.stored()
    world.views.disconnect("ben")
    (change,) = stream.take()
    assert isinstance(change, Change)
    assert world.attendance.tell([change, change]) is None
    (sent,) = [json.loads(data) for data in world.push.to("ana")]
    assert sent == {"type": "presence", "table": "t", "now": world.clock.now(), "away": [1]}
    assert world.stored() == before
    assert stream.take() == []


def test_a_spectators_coming_and_going_is_nobodys_presence(world: World, stream: Stream) -> None:
    world.connect("guest")
    world.say("", "watch", on="guest")
    world.say("", "unwatch", on="guest")
    world.connect("eve", "eve")
    world.say("eve", "watch")
    world.views.disconnect("eve")
    assert stream.take() == []


def test_who_watches_again_on_the_same_connection_is_no_news(world: World, stream: Stream) -> None:
    assert isinstance(world.say("ben", "watch"), Ok)
    assert stream.take() == []


def test_who_has_no_seat_any_more_is_told_nothing(world: World, stream: Stream) -> None:
    """His view is among the seats until the record of his leaving comes."""
    assert isinstance(world.say("ben", "leave"), Ok)
    late = stream.take()
    world.views.disconnect("cyd")
    stream.deliver()
    assert _told(world, "ben") == []
    assert _told(world, "ana") == [[2]]
    for one in late:
        assert isinstance(one, Update)
        world.broadcast.deliver([one])
    stream.deliver()
    assert _told(world, "ana")[-1] == [2]
    assert world.views.spectators("t", 0, world.clock.now()) == ["ben"]


def test_a_push_that_finds_nobody_makes_him_away(world: World, stream: Stream) -> None:
    world.push.outcomes["ben"] = Delivery.GONE
    world.views.disconnect("cyd")
    stream.deliver()
    assert _told(world, "ana") == [[2], [1, 2]]


def test_a_table_that_is_not_there_is_passed(world: World) -> None:
    assert world.attendance.tell([Change("1", "none")]) is None
    assert world.push.posts == []


def test_what_may_pass_comes_again_and_damage_does_not(
    world: World, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [Change("1", "a"), Change("2", "t"), Change("3", "t"), Change("4", "b")]

    def broken(error: Exception) -> None:
        def load(table_id: str) -> None:
            if table_id in ("t", "b"):
                raise error

        monkeypatch.setattr(world.tables, "load", load)

    broken(ConnectionError())
    assert world.attendance.tell(changes) == "2"
    broken(ValueError())
    assert world.attendance.tell(changes) is None
    assert world.signals.counts["PresenceFailed"] == 4


def test_presence_decides_nothing(aws: None) -> None:
    """His clock runs on, his all-in stands, and he is dealt in again."""
    world = World(settings(pause_ms=1000))
    world.seat("ana", "ben")
    world.deal()
    world.act("raise", to=100_000)
    for player in ("ana", "ben"):
        world.views.disconnect(player)
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.expires)
    world.dealer.apply("t")
    table = world.stored().table
    assert table.hand is not None
    assert table.hand.over
    assert [seat.exit for seat in table.seats if seat is not None] == [None, None]
    world.deal()
    running = world.stored().table.running
    assert running is not None
    assert len(running.dealt) == 2
