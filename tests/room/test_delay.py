"""A delayed table: who has no seat there is told nothing before its time, by whatever way."""

import json
from random import Random
from typing import Any

import pytest

from cardroom.broadcast import encode
from cardroom.contract import EventsPush, Snapshot
from cardroom.fanout import STALE_MS, Parcel, dump_parcel, load_parcel
from cardroom.messages import Error, Ok
from tests.room.conftest import Memory
from tests.room.world import World, settings

DELAY = 30
PARTS = 24
"""Seconds for which all evenings are the same."""
SEATED = ("ana", "ben", "dan")
WATCHERS = {"guest": "", "eve": "eve", "cyd": "cyd"}
"""By connection: a guest, a player who has never sat here, and one who has left."""


@pytest.fixture
def delayed(aws: None) -> World:
    return World(settings(delay_s=DELAY))


def _sent(world: World, connection: str) -> list[dict[str, Any]]:
    return [json.loads(data) for data in world.push.to(connection)]


def _watch(world: World, connection: str, player: str = "") -> dict[str, Any]:
    world.connect(connection, player)
    return _snapshot(world.say(player, "watch", on=connection))


def _snapshot(reply: Ok | Error) -> dict[str, Any]:
    assert isinstance(reply, Ok)
    assert reply.snapshot is not None
    assert reply.seq == reply.snapshot["seq"]
    return Snapshot.model_validate_json(json.dumps(reply.snapshot)).model_dump(mode="json")


def _later(world: World, seconds: int = DELAY) -> None:
    world.clock.go(seconds * 1000)
    world.fan_out()


# --- nothing live, by whatever way ---------------------------------------------------------------


def _asked(world: World, step: int) -> list[str]:
    """Everything that one without a seat may ask, and what he is answered."""
    hand, turn = {"hand": world.stored().table.hands}, {"turn": 1}
    answers: list[str] = []
    for connection, player in WATCHERS.items():
        for route, fields in (
            ("sync", {"seq": 0}),
            ("sync", {"seq": 10}),
            ("sync", {"seq": 1_000_000}),
            ("act", {"hand": 2, **turn, "do": "fold"}),
            ("act", {**hand, **turn, "do": "raise", "to": 1}),
            ("preact", {"hand": 2, "price": 1_000, "do": "call"}),
            ("show", {"cards": [0, 1]}),
            ("dispute", {"hand": world.stored().table.hands, "text": "why"}),
            ("topup", {"chips": 1_000}),
            ("autotopup", {"to": 50_000}),
            ("sitout", {"when": "now"}),
            ("sitin", {}),
            ("leave", {"when": "now"}),
            ("sit", {"seat": 0, "chips": 50_000}),
            ("sit", {"seat": 9, "chips": 50_000}),
            ("sit", {"seat": 4, "chips": 1}),
            ("unwatch", {}),
            ("watch", {}),
        ):
            fields = {**fields, "id": f"q{step}-{len(answers)}"}
            answers.append(world.say(player, route, on=connection, **fields).text())
    # Paid for long ago: the answer is the same, but the seat is not his any more.
    answers.append(world.say("cyd", "sit", id="cyd-sits", seat=2, chips=50_000).text())
    return answers


def _played(own: int) -> tuple[World, list[Any], list[bytes], list[str]]:
    """An evening that is the same until a moment, and from then on goes its own way for less than
    the delay: all that watchers were answered and sent, and what those in their seats were sent.
    """
    world, random = World(settings(delay_s=DELAY, pause_ms=1_000)), Random(1)
    for connection, player in WATCHERS.items():
        world.connect(connection, player)
    assert isinstance(world.say("cyd", "sit", id="cyd-sits", seat=2, chips=50_000), Ok)
    for connection in ("guest", "eve"):
        assert isinstance(world.say(WATCHERS[connection], "watch", on=connection), Ok)
    for seat, player in zip((0, 1, 3), SEATED, strict=True):
        world.connect(player, player)
        assert isinstance(world.say(player, "sit", seat=seat, chips=100_000), Ok)
    told: list[Any] = []
    for step in range(PARTS + 16):
        if step == PARTS:
            random = Random(own)
            world.randomness.decks.append(tuple(random.sample(range(52), 52)))
            world.push.posts = [one for one in world.push.posts if one[0] in WATCHERS]
        world.clock.go(1_000)
        world.dealer.apply("t")
        if step == 12:
            assert isinstance(world.say("cyd", "leave"), Ok)
        elif step > PARTS and random.random() < 0.2:
            world.say("dan", random.choice(("sitout", "sitin")))
            world.views.disconnect(random.choice(SEATED))
            world.attendance._tell("t")
        elif world.stored().table.running is not None:
            _act(world, random)
        world.stream()
        world.fan_out()
        if step >= PARTS - 1 and step % 4 == 0:
            told.append(_asked(world, step))
    live = [data for to, data in world.push.posts if to in SEATED]
    return world, [told, _pushed(world)], live, [encode(i).decode() for i in world.tables.history]


def _act(world: World, random: Random) -> None:
    for do in (random.choice(("call", "fold", "bet", "raise")), "check", "call"):
        fields = {"to": 9_000} if do in ("bet", "raise") else {}
        if isinstance(world.act(do, **fields), Ok):
            return


def _pushed(world: World) -> list[tuple[str, bytes]]:
    return [one for one in world.push.posts if one[0] in WATCHERS]


@pytest.mark.rule("7")
def test_what_happens_within_the_delay_changes_no_byte(memory: Memory) -> None:
    world, told, live, states = _played(own=1)
    assert {to for to, _ in _pushed(world)} == set(WATCHERS)
    for own in (2, 3):
        memory.empty()
        again, told_again, live_again, states_again = _played(own)
        assert states[:20] == states_again[:20]
        assert states != states_again
        assert live != live_again
        assert told_again == told
    # In time all of it comes.
    before = len(_pushed(again))
    _later(again)
    assert len(_pushed(again)) > before


# --- the picture of those who watch --------------------------------------------------------------


def test_until_something_is_due_it_is_the_table_as_it_was_opened(delayed: World) -> None:
    delayed.seat("ana", "ben")
    delayed.deal()
    delayed.stream()
    delayed.fan_out()
    shown = _watch(delayed, "guest")
    assert shown["seq"] == 1
    assert shown["away"] == []
    assert shown["state"]["seats"] == [None] * 6
    assert shown["state"]["hand"] is None
    assert shown["state"]["log"] == []
    assert shown["state"]["settings"]["delay_s"] == DELAY
    assert isinstance(delayed.say("", "sync", on="guest", seq=1), Ok)
    assert delayed.push.to("guest") == []


def test_who_comes_is_shown_what_was_sent_last(delayed: World) -> None:
    """Also where nobody watched when it happened."""
    delayed.seat("ana", "ben")
    delayed.stream()
    planned = delayed.clock.now()
    seq = delayed.stored().table.seq
    delayed.deal()
    delayed.stream()
    delayed.clock.go_to(planned + DELAY * 1000 - 1)
    delayed.fan_out()
    assert _watch(delayed, "early")["seq"] == 1
    delayed.clock.go(1)
    delayed.fan_out()
    assert delayed.push.to("early")
    shown = _watch(delayed, "guest")
    assert (shown["seq"], shown["now"]) == (seq, planned)
    assert [seat and seat["player"] for seat in shown["state"]["seats"]][:2] == ["ana", "ben"]
    assert shown["state"]["hand"] is None


def test_a_sync_is_answered_like_a_watch(delayed: World) -> None:
    _watch(delayed, "guest")
    delayed.seat("ana", "ben")
    delayed.stream()
    _later(delayed)
    assert delayed.say("", "sync", on="guest", seq=1) == delayed.say(
        "", "watch", on="guest", id=f"m{delayed._ids}"
    )
    shown = _snapshot(delayed.say("", "sync", on="guest", seq=1))
    for has_already in (shown["seq"], shown["seq"] + 50):
        reply = delayed.say("", "sync", on="guest", seq=has_already)
        assert isinstance(reply, Ok)
        assert (reply.seq, reply.snapshot) == (shown["seq"], None)


def test_how_each_hand_ended_reaches_spectators_when_it_is_due(delayed: World) -> None:
    _watch(delayed, "guest")
    delayed.seat("ana", "ben", "cyd")
    ends = {}
    for _ in range(3):
        delayed.deal()
        delayed.stream()
        delayed.play_out()
        delayed.stream()
        delayed.fan_out()
        ends[delayed.stored().table.seq] = delayed.clock.now()
    while len(ends) > 0:
        delayed.clock.go(1_000)
        before = len(delayed.push.to("guest"))
        delayed.fan_out()
        for snapshot in _sent(delayed, "guest")[before:]:
            if snapshot["state"]["hand"] is not None and snapshot["state"]["hand"]["over"]:
                happened = ends.pop(snapshot["seq"])
                assert snapshot["now"] == happened
                assert 0 <= delayed.clock.now() - happened - DELAY * 1000 < 1_000


@pytest.mark.parametrize("delay", [1, 900])
def test_the_queue_keeps_it_back_for_as_long(aws: None, delay: int) -> None:
    world = World(settings(delay_s=delay))
    world.seat("ana", "ben")
    world.stream()
    assert set(world.queue.delays) == {delay}
    parcels = [load_parcel(body) for body in world.queue.bodies]
    assert {(parcel.at, parcel.shards) for parcel in parcels} == {
        (world.clock.now() + delay * 1000, None)
    }


def test_without_a_delay_nothing_is_kept_back(world: World) -> None:
    _watch(world, "guest")
    world.seat("ana", "ben")
    world.stream()
    assert set(world.queue.delays) == {0}
    world.fan_out()
    assert world.views.shown("t") is None
    assert _snapshot(world.say("", "sync", on="guest", seq=0))["seq"] == world.stored().table.seq


def test_who_takes_a_seat_sees_the_table_as_it_is(delayed: World) -> None:
    delayed.seat("ana", "ben")
    delayed.deal()
    delayed.stream()
    delayed.connect("cyd", "cyd")
    _watch(delayed, "cyd", "cyd")
    reply = delayed.say("cyd", "sit", seat=2, chips=50_000)
    assert isinstance(reply, Ok)
    assert reply.snapshot is not None
    assert reply.snapshot["seq"] == delayed.stored().table.seq
    assert reply.snapshot["state"]["turn"] is not None
    delayed.act("call")
    delayed.stream()
    assert _sent(delayed, "cyd")[-1]["seq"] == delayed.stored().table.seq


# --- late, early, twice, in another order --------------------------------------------------------


def _parcel(world: World, seq: int, at: int) -> str:
    snapshot = {"type": "snapshot", "table": "t", "seq": seq, "now": 1, "away": [], "state": {}}
    world.push.made_up = True
    return dump_parcel(Parcel("t", 1, seq, at, None, encode(snapshot).decode()))


def _shown(world: World) -> int | None:
    text = world.views.shown("t")
    return None if text is None else int(json.loads(text)["seq"])


def test_what_comes_before_its_time_goes_back(delayed: World) -> None:
    """By another clock it is due: it is not sent, nor kept for those who come."""
    _watch(delayed, "guest")
    body = _parcel(delayed, 5, delayed.clock.now() + 1_500)
    assert delayed.fanout.deliver([("a", body)]) == []
    assert (delayed.queue.bodies, delayed.queue.delays) == ([body], [2])
    assert delayed.push.to("guest") == []
    assert _shown(delayed) is None
    delayed.clock.go(1_500)
    delayed.fan_out()
    assert _shown(delayed) == 5
    assert len(delayed.push.to("guest")) == 1


def test_older_ones_are_neither_shown_nor_sent(delayed: World) -> None:
    _watch(delayed, "guest")
    now = delayed.clock.now()
    for seq in (5, 4, 5, 6, 3):
        # A function each: no one remembers what another has sent.
        delayed.fanout._sent.clear()
        assert delayed.fanout.deliver([("a", _parcel(delayed, seq, now))]) == []
    assert _shown(delayed) == 6
    assert [one["seq"] for one in _sent(delayed, "guest")] == [5, 5, 6]


def test_it_is_too_old_so_long_after_it_was_due(delayed: World) -> None:
    _watch(delayed, "guest")
    due = delayed.clock.now() + 1
    delayed.clock.go_to(due + STALE_MS)
    delayed.fanout.deliver([("a", _parcel(delayed, 5, due))])
    assert len(delayed.push.to("guest")) == 1
    delayed.clock.go(1)
    delayed.fanout.deliver([("b", _parcel(delayed, 6, due))])
    assert len(delayed.push.to("guest")) == 1
    # But who comes or asks is shown it.
    assert _shown(delayed) == 6
    assert delayed.signals.counts["SnapshotDropped"] == 1


def test_it_is_kept_before_it_is_sent(delayed: World) -> None:
    """Whoever subscribes meanwhile is sent it, or shown it."""
    _watch(delayed, "guest")
    kept: list[int | None] = []
    post = delayed.push.post

    def looked(posts: Any) -> Any:
        kept.append(_shown(delayed))
        return post(posts)

    delayed.push.post = looked  # type: ignore[method-assign]
    delayed.fanout.deliver([("a", _parcel(delayed, 5, delayed.clock.now()))])
    assert kept == [5]


def test_records_that_come_twice_or_late_show_the_same(delayed: World) -> None:
    _watch(delayed, "guest")
    delayed.seat("ana", "ben")
    delayed.deal()
    delayed.play_out()
    updates = delayed.updates()
    for update in (*updates, *updates[3:], *updates[:5]):
        assert delayed.broadcast.deliver([update]) is None
    Random(1).shuffle(delayed.queue.bodies)
    _later(delayed)
    assert _shown(delayed) == delayed.stored().table.seq
    sent = [one["seq"] for one in _sent(delayed, "guest")]
    assert sent == sorted(sent)


# --- who loses his seat --------------------------------------------------------------------------


def test_who_leaves_is_told_so_and_nothing_that_comes_after_it(delayed: World) -> None:
    """Though the stream brings both at once."""
    delayed.seat("ana", "ben", "cyd", "dan")
    assert isinstance(delayed.say("dan", "sitout"), Ok)
    delayed.deal()
    delayed.stream()
    delayed.push.posts.clear()
    before = delayed.stored().table.seq
    assert isinstance(delayed.say("dan", "leave"), Ok)
    left = delayed.stored().table.seq
    delayed.act("raise", to=7_000)
    assert delayed.broadcast.deliver(delayed.updates()) is None
    (farewell,) = _sent(delayed, "dan")
    EventsPush.model_validate_json(json.dumps(farewell))
    assert [event["e"] for event in farewell["events"]] == ["seat_emptied"]
    assert (farewell["before"], farewell["seq"]) == (before, left)
    assert (farewell["turn"], farewell["pots"], farewell["away"]) == (None, [], [])
    assert [one["e"] for one in _sent(delayed, "ana")[0]["events"]].count("acted") == 1
    delayed.act("call")
    delayed.stream()
    assert len(_sent(delayed, "dan")) == 1
    _later(delayed)
    assert _sent(delayed, "dan")[-1]["type"] == "snapshot"


def test_who_leaves_a_table_without_delay_is_told_all_of_it(world: World) -> None:
    world.seat("ana", "ben", "cyd", "dan")
    world.say("dan", "sitout")
    world.deal()
    world.stream()
    assert isinstance(world.say("dan", "leave"), Ok)
    world.act("raise", to=7_000)
    assert world.broadcast.deliver(world.updates()) is None
    assert _sent(world, "dan")[-1]["seq"] == world.stored().table.seq
    assert _sent(world, "dan")[-1]["turn"] is not None


def test_a_view_from_a_seat_that_is_lost_shows_nothing_and_is_a_spectators(
    delayed: World,
) -> None:
    """The record of the leaving never came."""
    delayed.seat("ana", "ben", "cyd")
    delayed.stream()
    assert isinstance(delayed.say("cyd", "leave"), Ok)
    delayed.updates()
    delayed.push.posts.clear()
    delayed.deal()
    delayed.stream()
    assert delayed.push.to("cyd") == []
    assert len(_sent(delayed, "ana")) == 1
    assert delayed.views.spectators("t", 0, delayed.clock.now()) == ["cyd"]
    assert "cyd" not in [
        viewer.player for viewer in delayed.views.audience("t", delayed.clock.now()).seated
    ]


def test_who_loses_his_seat_while_he_takes_it_is_shown_no_more_than_others(
    delayed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another device he leaves before the reply is made."""
    delayed.seat("ana", "ben")
    delayed.connect("cyd", "cyd")
    delayed.connect("phone", "cyd")
    watch = delayed.views.watch

    def leaves(*args: Any, **named: Any) -> None:
        monkeypatch.setattr(delayed.views, "watch", watch)
        watch(*args, **named)
        assert isinstance(delayed.say("cyd", "leave", on="phone"), Ok)

    monkeypatch.setattr(delayed.views, "watch", leaves)
    reply = delayed.say("cyd", "sit", seat=2, chips=50_000)
    assert isinstance(reply, Ok)
    assert reply.snapshot is not None
    assert reply.snapshot["state"]["seats"] == [None] * 6
    assert delayed.views.spectators("t", 0, delayed.clock.now()) == ["cyd"]
