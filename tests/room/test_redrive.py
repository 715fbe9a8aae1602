"""Pushes were lost: an operator has the tables told anew, and every client ends right."""

import json
from typing import Any

import pytest

from cardroom.damage import DamagedError
from cardroom.messages import Ok
from cardroom.redrive import Redrive
from poker_engine.views import snapshot
from tests.room.world import World, settings

PLAYERS = ("ana", "ben", "cyd")


class Client:
    """What one of them knows, by the three rules of docs/protocol.md."""

    def __init__(self, world: World, player: str, connection: str) -> None:
        self.world = world
        self.player = player
        self.connection = connection
        self.seq = -1
        self.state: Any = None
        self.asked = 0
        self._heard = 0

    def watch(self) -> None:
        self._take(self.world.say(self.player, "watch", on=self.connection))

    def hear(self) -> None:
        """All that has come since."""
        posts = self.world.push.to(self.connection)
        for data in posts[self._heard :]:
            message = json.loads(data)
            if message["type"] == "snapshot" and message["seq"] > self.seq:
                self.seq, self.state = message["seq"], message["state"]
            elif message["type"] == "events" and message["before"] == self.seq:
                if message["events"]:
                    # It folds them; a test asks instead.
                    self._sync()
            elif message["type"] == "events" and message["seq"] > self.seq:
                self.asked += 1
                self._sync()
        self._heard = len(posts)

    def _sync(self) -> None:
        self._take(self.world.say(self.player, "sync", on=self.connection, seq=self.seq))

    def _take(self, answer: object) -> None:
        assert isinstance(answer, Ok)
        assert answer.snapshot is not None
        self.seq, self.state = answer.snapshot["seq"], answer.snapshot["state"]

    @property
    def right(self) -> bool:
        table = self.world.stored().table
        seat = table.seat_of(self.player) if self.player else None
        if self.seq != table.seq or self.state["hands"] != table.hands:
            return False
        seats = [None if one is None else one["player"] for one in self.state["seats"]]
        if seats != [None if one is None else one.player for one in table.seats]:
            return False
        turn = snapshot(table, None, None, self.world.clock.now(), ())["state"]["turn"]
        return bool(self.state["turn"] == turn) and (seat is None or seats[seat] == self.player)


@pytest.fixture
def clients(world: World) -> list[Client]:
    world.seat(*PLAYERS)
    world.connect("guest")
    made = [Client(world, player, player) for player in PLAYERS] + [Client(world, "", "guest")]
    world.stream()
    for client in made:
        client.watch()
        client.hear()
    return made


def _redrive(world: World, *tables: str) -> dict[str, list[str]]:
    return Redrive(world.tables, world.broadcast, world.signals).run(tables or ("t",))


def _told(world: World, clients: list[Client]) -> None:
    assert _redrive(world) == {"redriven": ["t"], "failed": [], "damaged": []}
    world.fan_out()
    for client in clients:
        client.hear()


def test_who_missed_something_asks_and_ends_right(world: World, clients: list[Client]) -> None:
    world.deal()
    world.act("call")
    # The stream gave all of it up.
    world.updates()
    assert not any(client.right for client in clients)
    before = world.stored()
    _told(world, clients)
    assert all(client.right for client in clients)
    assert [client.asked for client in clients] == [1, 1, 1, 0]
    # Nothing was written.
    assert world.stored() == before


def test_who_missed_nothing_is_told_nothing_new(world: World, clients: list[Client]) -> None:
    world.deal()
    world.stream()
    world.fan_out()
    for client in clients:
        client.hear()
    assert all(client.right for client in clients)
    seqs = [client.seq for client in clients]
    for _ in range(2):
        _told(world, clients)
    assert [client.seq for client in clients] == seqs
    assert [client.asked for client in clients] == [0] * 4


def test_a_write_that_comes_between_is_not_undone(world: World, clients: list[Client]) -> None:
    """What is told is older than what follows it, and arrives later."""
    world.deal()
    world.stream()
    stale = world.stored()
    world.act("call")
    world.stream()
    for client in clients:
        client.hear()
    asked = [client.asked for client in clients]
    world.broadcast.tell_anew(stale)
    world.fan_out()
    for client in clients:
        client.hear()
    assert all(client.right for client in clients[:3])
    assert [client.asked for client in clients] == asked


def test_who_lost_his_seat_unheard_learns_of_it(world: World, clients: list[Client]) -> None:
    assert isinstance(world.say("cyd", "leave"), Ok)
    world.updates()
    _told(world, clients)
    assert all(client.right for client in clients)
    # He watches on as a spectator.
    world.deal()
    world.stream()
    world.fan_out()
    clients[2].hear()
    assert clients[2].right


def test_no_card_is_told(world: World, clients: list[Client]) -> None:
    world.deal()
    world.updates()
    world.push.posts.clear()
    assert _redrive(world) == {"redriven": ["t"], "failed": [], "damaged": []}
    assert not any(b'"hole"' in data for _, data in world.push.posts)
    assert not any('"hole"' in body for body in world.queue.bodies)


def test_a_clock_that_never_started_is_started(world: World, clients: list[Client]) -> None:
    world.deal()
    world.updates()
    world.timers.started.clear()
    for _ in range(2):
        _redrive(world)
    # The same moment asks for the same one.
    assert [(table, hand) for table, hand, _ in world.timers.started.values()] == [("t", 1)]


def test_the_lobby_is_mended(world: World, clients: list[Client]) -> None:
    assert isinstance(world.say("cyd", "leave"), Ok)
    world.updates()
    assert world.tables.rows()[0].taken == 3
    world.floor_queue.bodies.clear()
    _redrive(world)
    assert world.tables.rows()[0].taken == 2
    assert any('"stake"' in body for body in world.floor_queue.bodies)


def test_one_that_fails_spoils_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = world.tables.load

    def load(table_id: str) -> object:
        if table_id == "bad":
            raise ConnectionError
        if table_id == "spoilt":
            raise DamagedError
        return real(table_id)

    monkeypatch.setattr(world.tables, "load", load)
    told = _redrive(world, "bad", "spoilt", "nowhere", "t")
    assert told == {"redriven": ["t"], "failed": ["bad", "nowhere"], "damaged": ["spoilt"]}
    assert world.signals.counts["BroadcastFailed"] == 1


def test_spectators_of_a_delayed_table_wait(aws: None) -> None:
    world = World(settings(delay_s=60))
    world.seat("ana", "ben")
    world.connect("guest")
    assert isinstance(world.say("", "watch", on="guest"), Ok)
    world.deal()
    world.updates()
    world.push.posts.clear()
    _redrive(world)
    world.fan_out()
    assert world.push.to("guest") == []
    world.clock.go(60_000)
    world.fan_out()
    (sent,) = world.push.to("guest")
    assert json.loads(sent)["seq"] == world.stored().table.seq
