"""On which items each function acts: exactly those whose leading keys its policy allows.

The emulator knows no leading keys; here each function's part of the room plays while its calls to
the table are written down.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import pytest

from cardroom.archiving import OLD_MS
from cardroom.archivist import Archivist
from cardroom.attendance import Change
from cardroom.clock import Ring, TurnClock
from cardroom.fanout import dump_parcel, load_parcel
from cardroom.messages import Error, Ok
from cardroom.ports import Delivery
from cardroom.recorded import DynamoRecords
from cardroom.room import Caller
from cardroom.tables import open_table
from tests.room.stake import STRUCTURE, Stake
from tests.room.world import TABLE, World, settings
from tests.template.test_template import ALLOWED

IN_A_TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}

type Access = tuple[str, str]
"""Action and leading key."""


class Watched:
    """Calls of the one client, by the function on whose behalf they are made."""

    def __init__(self, world: World) -> None:
        self.found: dict[str, set[Access]] = defaultdict(set)
        self._function: str | None = None
        events = world.tables._client.meta.events
        events.register("before-call.dynamodb.*", self._note)

    @contextmanager
    def as_function(self, name: str) -> Iterator[None]:
        before, self._function = self._function, f"{name}Function"
        yield
        self._function = before

    def _note(self, model: Any, params: Any, **_: Any) -> None:
        if self._function is not None:
            body = json.loads(params["body"])
            self.found[self._function] |= set(_accesses(model.name, body))


def _accesses(operation: str, body: dict[str, Any]) -> Iterator[Access]:
    if operation == "TransactWriteItems":
        for part in body["TransactItems"]:
            ((kind, request),) = part.items()
            yield from _accesses(IN_A_TRANSACTION[kind], request)
    elif operation == "Query":
        condition = body["KeyConditionExpression"]
        name = condition.split(" = ")[1].split(" ")[0].strip("()")
        yield "dynamodb:Query", body["ExpressionAttributeValues"][name]["S"]
    elif operation == "BatchGetItem":
        for asked in body["RequestItems"].values():
            yield from ((f"dynamodb:{operation}", keys["pk"]["S"]) for keys in asked["Keys"])
    else:
        keys = body.get("Key") or body["Item"]
        yield f"dynamodb:{operation}", keys["pk"]["S"]


def _compare(watched: Watched, name: str) -> None:
    """Both ways: every access is by a pattern of the policy, and every pattern is made use of."""
    function = f"{name}Function"
    patterns = {one for one in ALLOWED[function] if one[0].startswith("dynamodb:")}
    used = {
        (action, pattern)
        for action, key in watched.found[function]
        for allowed, pattern in patterns
        if allowed == action and fnmatchcase(key, pattern)
    }
    outside = {
        (action, key)
        for action, key in watched.found[function]
        if not any(a == action and fnmatchcase(key, pattern) for a, pattern in patterns)
    }
    assert outside == set()
    assert patterns - used == set()


def _command(world: World) -> None:
    """Whatever a client asks applies what is due. Decks that others stored are not in memory."""
    room = world.new_room(world.new_dealer())
    for number, route in enumerate(("watch", "sync", "lobby", "unwatch")):
        fields = {} if route == "lobby" else {"table": "t"}
        fields |= {"seq": 0} if route == "sync" else {}  # type: ignore[dict-item]
        body = json.dumps({"route": route, "id": f"c{number}", "v": 1, **fields})
        assert isinstance(room.answer(body, Caller("guest", None)), Ok)


def _clock(world: World) -> None:
    clock = TurnClock(world.new_dealer(), world.timers, world.clock, world.signals)
    clock.ring(Ring("t", 1, world.clock.now()))


def _sweep(world: World) -> None:
    assert world.new_sweep(world.new_dealer()).run() == 1


@pytest.mark.parametrize(
    ("name", "moves"), [("Command", _command), ("Clock", _clock), ("Sweep", _sweep)]
)
def test_who_deals(world: World, name: str, moves: Callable[[World], None]) -> None:
    """It starts a hand, for which a seat buys chips by itself, and, when time after time has
    passed, ends it, with rake, and the table.
    """
    watched = Watched(world)
    world.connect("guest")
    world.seat("ana", "ben", chips=60_000)
    assert isinstance(world.say("ana", "autotopup", to=100_000), Ok)
    if name == "Command":
        world.connect("cyd", "cyd")
        world.deal()
        world.stream()
        assert open_table(world.tables, "late", settings(delay_s=30), world.clock.now())
        with watched.as_function(name):
            assert isinstance(world.say("", "watch", on="guest", table="late"), Ok)
            world.bans.ban("ben", "192.0.2.1", world.clock.now())
            assert isinstance(world.say("cyd", "wait", structure="nl-PHP-500-1000"), Ok)
            assert isinstance(world.say("cyd", "account"), Ok)
            assert isinstance(world.say("ana", "hands"), Ok)
            assert isinstance(world.say("ana", "hand", hand=1), Error)
            world.act("fold")
            last = world.stored().table.hands
            assert isinstance(world.say("ana", "dispute", hand=last, text="why"), Ok)
            assert isinstance(world.say("ana", "hand", hand=last), Ok)
            assert isinstance(world.say("ana", "ledger"), Ok)
            assert isinstance(world.say("ana", "results"), Ok)
            winner = max(
                (seat for seat in world.stored().table.seats if seat is not None),
                key=lambda seat: seat.stack,
            )
            assert isinstance(world.say(winner.player, "show", cards=[0]), Ok)
            assert isinstance(world.say("ben", "leave"), Ok)
            chips = world.tables.departures("ben", "nl-PHP-500-1000")[0].left.chips
            assert isinstance(world.say("ben", "sit", seat=1, chips=max(chips, 100_000)), Ok)
    at = world.stored().table.next_hand_at
    assert at is not None
    world.clock.go_to(at + 5_000)
    with watched.as_function(name):
        moves(world)
    assert world.stored().table.running is not None
    world.act("call")
    world.act("check")
    world.dealer.close("t")
    while (hand := world.stored().table.running) is not None:
        assert hand.turn is not None
        world.clock.go_to(hand.turn.expires + 5_000)
        with watched.as_function(name):
            moves(world)
    assert world.stored().table.closed
    _compare(watched, name)


def test_who_connects_and_who_pushes(world: World) -> None:
    watched = Watched(world)
    with watched.as_function("Connect"):
        assert world.entrance.admit("guest", "", "192.0.2.1")
        assert world.entrance.admit("late", "", "192.0.2.1")
        assert world.entrance.admit("phone", "ana", "192.0.2.1")
    world.seat("ana", "ben", "cyd")
    world.say("", "watch", on="guest")
    world.push.outcomes["cyd"] = Delivery.GONE
    with watched.as_function("Broadcast"):
        world.stream()
    world.deal()
    with watched.as_function("Broadcast"):
        world.stream()
    for player in ("ana", "ben", "cyd"):
        world.say(player, "leave")
    with watched.as_function("Broadcast"):
        world.stream()
        assert world.attendance.tell([Change("1", "t")]) is None
    _fan_out(world, watched)
    with watched.as_function("Disconnect"):
        world.views.disconnect("ana")
        world.views.disconnect("ben")
    for name in ("Connect", "Broadcast", "Disconnect", "Fanout"):
        _compare(watched, name)


def _fan_out(world: World, watched: Watched) -> None:
    """Snapshots to one who is gone, then to nobody; somebody comes at that very moment. One is of a
    delayed table.
    """
    world.push.outcomes["guest"] = Delivery.GONE
    find = world.views.spectators

    def spectators(table_id: str, shard: int, now: int) -> list[str]:
        found = find(table_id, shard, now)
        with watched.as_function("Nobody's"):
            world.say("", "watch", on="late")
        return found

    bodies, world.queue.bodies = world.queue.bodies, []
    with watched.as_function("Fanout"):
        delayed = replace(load_parcel(bodies[0]), shards=None)
        assert world.fanout.deliver([("a", dump_parcel(delayed))]) == []
        for connection in ("ana", "ben"):
            with watched.as_function("Nobody's"):
                world.say("", "unwatch", on=connection)
        world.views.spectators = spectators  # type: ignore[method-assign]
        world.fanout.deliver([("b", bodies[-1])])
    world.views.spectators = find  # type: ignore[method-assign]


def test_who_moves_old_records(world: World) -> None:
    """Of an open table a block, with one that stays; of a closed one all."""
    watched = Watched(world)
    world.seat("ana", "ben")
    for _ in range(3):
        world.deal()
        world.act("fold")
    for player in ("ana", "ben"):
        world.say(player, "leave")
    records = DynamoRecords(TABLE, world.tables._client)
    archivist = Archivist(records, world.archive, world.clock, world.signals)
    with watched.as_function("Archive"):
        assert archivist.run(lambda: 900_000) == 0
    world.dealer.close("t")
    world.clock.go(OLD_MS)
    with watched.as_function("Archive"):
        assert archivist.run(lambda: 900_000) > 0
    assert records.tables() == {}
    _compare(watched, "Archive")


def test_who_runs_the_floor(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables open and close by themselves, and a seat is offered to one who is gone."""
    watched, deliver = Watched(world), world.floor.deliver

    def delivered(errands: list[tuple[str, str]]) -> list[str]:
        with watched.as_function("Floor"):
            return deliver(errands)

    monkeypatch.setattr(world.floor, "deliver", delivered)
    stake = Stake(world, "w", most=3)
    stake.seat("w", "ana", "ben")
    stake.seat("w-2", "cyd", "dee")
    world.connect("eve", "eve")
    assert isinstance(world.say("eve", "watch", table="w"), Ok)
    assert isinstance(world.say("eve", "wait", structure=STRUCTURE), Ok)
    world.push.outcomes["eve"] = Delivery.GONE
    assert isinstance(world.say("ana", "lobby"), Ok)
    stake.later(40_000)
    assert stake.line() == []
    for player in ("cyd", "dee"):
        stake.leave(player, "w-2")
    stake.settle()
    assert world.tables.listed() == ["t", "w", "w-2"]
    _compare(watched, "Floor")
