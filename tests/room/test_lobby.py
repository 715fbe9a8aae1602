"""The lobby: what is asked for, and what those who watch it are told and when."""

import heapq
import json
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from cardroom import contract
from cardroom.lobby import MOST_ROWS, SLOT_MS, Lobby
from cardroom.messages import Error, Ok
from cardroom.ports import Delivery
from cardroom.tables import open_table
from poker_engine.stakes import Settings, fixed_limit, no_limit, table_settings
from tests.room.world import World, settings

NEVER_OLDER_MS = 5_000


def _asked(world: World, on: str = "guest", **wanted: Any) -> dict[str, Any]:
    answer = world.say("", "lobby", on=on, **wanted)
    assert isinstance(answer, Ok)
    shown: dict[str, Any] = json.loads(answer.text())["lobby"]
    contract.LobbyView.model_validate_json(json.dumps(shown))
    return shown


def _pushed(world: World, connection: str = "guest") -> list[dict[str, Any]]:
    for data in world.push.to(connection):
        contract.LobbyPush.model_validate_json(data)
    return [json.loads(data) for data in world.push.to(connection)]


def _ids(shown: dict[str, Any]) -> list[str]:
    return [row["table"] for row in shown["tables"]]


def _open(world: World, table_id: str, chosen: Settings) -> None:
    assert open_table(world.tables, table_id, chosen, world.clock.now())


class TimedQueue:
    """The floor's queue as time goes by: what was sent is received when it is due, and later by
    what the queue and a start take.
    """

    def __init__(self, world: World, lateness: Callable[[], int] = lambda: 0) -> None:
        self.world = world
        self.lateness = lateness
        self._sent: list[tuple[int, int, str]] = []
        self._number = 0

    def collect(self) -> None:
        queue, now = self.world.floor_queue, self.world.clock.now()
        for body, delay in zip(queue.bodies, queue.delays, strict=True):
            self._number += 1
            due = now + 1000 * delay + self.lateness()
            heapq.heappush(self._sent, (due, self._number, body))
        queue.bodies, queue.delays = [], []

    def __len__(self) -> int:
        self.collect()
        return len(self._sent)

    def lose(self) -> None:
        self.collect()
        self._sent = []

    def double(self) -> None:
        """All of it comes once more, under ids of its own."""
        self.collect()
        for due, _, body in list(self._sent):
            self._number += 1
            heapq.heappush(self._sent, (due, self._number, body))

    def run(self, ms: int) -> None:
        end = self.world.clock.now() + ms
        self.collect()
        while self._sent and self._sent[0][0] <= end:
            due, number, body = heapq.heappop(self._sent)
            self.world.clock.go_to(max(due, self.world.clock.now()))
            assert self.world.floor.deliver([(f"floor-{number}", body)]) == []
            self.collect()
        self.world.clock.go_to(end)


# --- what is asked for ----------------------------------------------------------------------------


def test_stakes_and_tables(world: World) -> None:
    _open(world, "second", settings())
    world.seat("ana", "ben")
    world.stream()
    world.connect("guest")
    shown = _asked(world)
    assert shown["now"] == world.clock.now()
    assert (shown["part"], shown["parts"]) == (1, 1)
    assert shown["stakes"] == [
        {
            "structure": "nl-PHP-500-1000",
            "game": "nl",
            "currency": "PHP",
            "small_blind": 500,
            "big_blind": 1000,
            "small_bet": 0,
            "big_bet": 0,
            "tables": 2,
            "taken": 2,
            "seats": 12,
            "waiting": 0,
        }
    ]
    assert _ids(shown) == ["second", "t"]
    (row,) = [row for row in shown["tables"] if row["table"] == "t"]
    assert row["players"] == ["ana", "ben", None, None, None, None]
    assert (row["taken"], row["waiting"], row["watching"]) == (2, 2, 0)


@pytest.fixture
def several(world: World) -> World:
    """Of three stakes; both seats of `full` are taken, `shut` is frozen."""
    _open(world, "small", table_settings(no_limit("PHP", 250)))
    _open(world, "limit", table_settings(fixed_limit("PHP", 1000)))
    _open(world, "dollars", table_settings(no_limit("USD", 100)))
    _open(world, "full", settings(seats=2))
    _open(world, "shut", settings())
    for seat, player in enumerate(("ana", "ben")):
        world.connect(player, player)
        assert isinstance(world.say(player, "sit", table="full", seat=seat, chips=50_000), Ok)
    world.dealer.freeze("shut")
    world.stream()
    world.connect("guest")
    return world


@pytest.mark.parametrize(
    ("wanted", "tables", "stakes"),
    [
        ({}, ["dollars", "full", "limit", "shut", "small", "t"], 4),
        ({"currency": "USD"}, ["dollars"], 1),
        ({"currency": "EUR"}, [], 0),
        ({"game": "fl"}, ["limit"], 1),
        ({"game": "nl", "currency": "PHP"}, ["full", "shut", "small", "t"], 2),
        ({"structure": "nl-PHP-500-1000"}, ["full", "shut", "t"], 1),
        ({"structure": "nl-PHP-500-1000", "free": True}, ["t"], 1),
        ({"free": True}, ["dollars", "limit", "small", "t"], 4),
    ],
)
def test_filters(several: World, wanted: dict[str, Any], tables: list[str], stakes: int) -> None:
    shown = _asked(several, **wanted)
    assert sorted(_ids(shown)) == tables
    assert len(shown["stakes"]) == stakes


def test_stakes_go_up_and_of_one_stake_the_busiest_is_first(several: World) -> None:
    several.clock.go(5_000)
    several.dealer.apply("full")
    several.stream()
    shown = _asked(several)
    assert [stake["structure"] for stake in shown["stakes"]] == [
        "fl-PHP-500-1000",
        "nl-PHP-250-500",
        "nl-PHP-500-1000",
        "nl-USD-100-200",
    ]
    assert _ids(shown) == ["limit", "small", "full", "shut", "t", "dollars"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"game": "omaha"},
        {"currency": "php"},
        {"structure": "x"},
        {"free": 1},
        {"watch": None},
        {"table": "t"},
    ],
)
def test_a_wish_that_is_none_is_refused(world: World, wanted: dict[str, Any]) -> None:
    answer = world.say("", "lobby", on="guest", **wanted)
    assert isinstance(answer, Error)
    assert answer.code == "bad_message"


@pytest.mark.parametrize("shards", [1, 3])
def test_spectators_are_counted(aws: None, shards: int) -> None:
    world = World(shards=shards)
    _open(world, "second", settings())
    for number in range(7):
        world.connect(f"guest-{number}")
        world.say("", "watch", on=f"guest-{number}")
    world.say("", "watch", on="guest-0", table="second")
    world.seat("ana")
    assert _watching(world) == {"t": 7, "second": 1}
    world.views.disconnect("guest-0")
    world.say("", "unwatch", on="guest-1")
    world.say("ana", "leave")
    world.stream()
    assert _watching(world) == {"t": 6, "second": 0}, "who left his seat goes on watching"
    world.clock.go(7_600_000)
    assert _watching(world) == {"t": 0, "second": 0}, "no connection lives that long"


def _watching(world: World) -> dict[str, int]:
    return {row["table"]: row["watching"] for row in _asked(world, watch=False)["tables"]}


# --- what those who watch are told ----------------------------------------------------------------


def test_who_asks_is_told_again_and_again(world: World) -> None:
    world.connect("guest")
    _asked(world)
    TimedQueue(world).run(12_000)
    times = [push["now"] for push in _pushed(world)]
    assert len(times) >= 4
    assert all(0 < b - a <= SLOT_MS for a, b in pairwise(times))
    assert {push["type"] for push in _pushed(world)} == {"lobby"}


def test_who_does_not_want_to_watch_is_answered_alone(world: World) -> None:
    world.connect("guest")
    _asked(world, watch=False)
    queue = TimedQueue(world)
    assert len(queue) == 0
    _asked(world)
    _asked(world, watch=False)
    queue.run(12_000)
    assert _pushed(world) == []
    assert len(queue) == 0


def test_all_of_it_is_told_whatever_was_asked_for(several: World) -> None:
    _asked(several, currency="USD")
    TimedQueue(several).run(4_000)
    assert len(_ids(_pushed(several)[0])) == 6


def test_with_nobody_there_the_chain_ends(world: World) -> None:
    world.connect("guest")
    _asked(world)
    queue = TimedQueue(world)
    queue.run(7_000)
    world.views.disconnect("guest")
    before = len(_pushed(world))
    queue.run(7_000)
    assert len(queue) == 0
    assert len(_pushed(world)) == before
    world.connect("late")
    _asked(world, on="late")
    queue.run(SLOT_MS)
    assert len(_pushed(world, "late")) == 1


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_ever_more_than_five_seconds_behind(world: World, seed: int) -> None:
    """Seats are taken and left at any moment; the stream takes up to half a second, a message of
    the floor up to another; some come twice.
    """
    chance = random.Random(seed)
    queue = TimedQueue(world, lambda: chance.randrange(500))
    world.clock.go(chance.randrange(SLOT_MS))
    for name in ("ana", "ben", "guest"):
        world.connect(name, "" if name == "guest" else name)
    _asked(world)
    states = [(0, _players(world))]
    for _ in range(25):
        player = chance.choice(("ana", "ben"))
        if world.stored().table.seat_of(player) is None:
            bound = world.tables.departures(player, "nl-PHP-500-1000")
            chips = max([50_000, *(one.left.chips for one in bound)])
            world.say(player, "sit", seat=chance.randrange(6), chips=chips)
        else:
            world.say(player, "leave")
        states.append((world.clock.now(), _players(world)))
        queue.run(chance.randrange(500))
        world.stream()
        if chance.random() < 0.3:
            _asked(world)
            queue.double()
        queue.run(chance.randrange(2_500))
    queue.run(NEVER_OLDER_MS)
    pushes = [(push["now"], push["tables"][0]["players"]) for push in _pushed(world)]
    assert len(pushes) > 10
    for (_, seen), (until, _) in pairwise([*pushes, (world.clock.now(), [])]):
        # Until he was told more: what he saw was so less than 5 seconds before.
        assert seen in _true_since(until - NEVER_OLDER_MS, states)


def _players(world: World) -> list[str | None]:
    return [None if seat is None else seat.player for seat in world.stored().table.seats]


def _true_since(moment: int, states: list[tuple[int, list[str | None]]]) -> list[list[str | None]]:
    last = max(number for number, (at, _) in enumerate(states) if at <= moment)
    return [players for _, players in states[last:]]


@pytest.mark.parametrize("doubled", range(1, 4))
def test_ticks_that_are_doubled_make_one_chain(world: World, doubled: int) -> None:
    queue = TimedQueue(world)
    for number in range(3):
        world.connect(f"guest-{number}")
        _asked(world, on=f"guest-{number}")
        world.clock.go(700)
    for _ in range(4):
        for _ in range(doubled):
            queue.double()
        queue.run(SLOT_MS)
        slots = [push["now"] // SLOT_MS for push in _pushed(world, "guest-0")]
        assert len(slots) == len(set(slots))
    queue.run(2 * SLOT_MS)
    assert len(queue) == 1


def test_a_chain_that_was_lost_begins_again_with_whoever_asks(world: World) -> None:
    world.connect("guest")
    _asked(world)
    queue = TimedQueue(world)
    queue.run(SLOT_MS)
    queue.lose()
    queue.run(20_000)
    assert len(_pushed(world)) == 1
    world.connect("other")
    _asked(world, on="other")
    queue.run(SLOT_MS)
    assert len(_pushed(world)) == 2
    assert len(queue) == 1


def test_without_anybody_asking_the_sweep_begins_it_again(world: World) -> None:
    world.connect("guest")
    _asked(world)
    queue = TimedQueue(world)
    queue.lose()
    world.sweep.run()
    queue.run(2 * SLOT_MS)
    assert len(_pushed(world)) == 2
    world.sweep.run()
    queue.run(2 * SLOT_MS)
    assert len(_pushed(world)) == 4, "beside a chain that runs it begins none"
    world.views.disconnect("guest")
    queue.run(2 * SLOT_MS)
    world.sweep.run()
    queue.run(2 * SLOT_MS)
    assert len(queue) == 0


def test_a_sweep_that_cannot_ask_the_floor_has_done_the_rest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ConnectionError

    world.seat("ana", "ben")
    world.clock.go(60_000)
    monkeypatch.setattr(world.floor_queue, "send", broken)
    assert world.sweep.run() == 1
    assert world.stored().table.running is not None
    assert world.signals.counts["SweepFailed"] == 1


def test_a_tick_that_failed_halfway_goes_on_when_it_comes_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its slot is claimed, but nobody was told and no successor asked for."""
    world.connect("guest")
    _asked(world)
    (body,) = world.floor_queue.bodies
    world.clock.go(SLOT_MS)

    def broken(*_: object, **__: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(world.floor_queue, "send", broken)
        assert world.floor.deliver([("first", body)]) == ["first"]
    assert world.floor.deliver([("double", body)]) == []
    assert _pushed(world) == []
    world.clock.go(60_000)
    world.floor_queue.bodies.clear()
    assert world.floor.deliver([("first", body)]) == []
    assert len(_pushed(world)) == 1
    assert len(world.floor_queue.bodies) == 1
    assert world.floor_queue.delays[-1] * 1000 <= SLOT_MS


def test_who_comes_while_a_chain_ends_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tick has looked for watchers when he comes, and found none."""
    queue = TimedQueue(world)
    world.connect("gone")
    _asked(world, on="gone")
    world.views.disconnect("gone")
    world.connect("guest")
    find = world.watchers.watchers

    def watchers(now: int) -> list[str]:
        found = find(now)
        monkeypatch.setattr(world.watchers, "watchers", find)
        _asked(world)
        return found

    monkeypatch.setattr(world.watchers, "watchers", watchers)
    queue.run(2 * SLOT_MS)
    assert len(_pushed(world)) >= 1
    assert len(queue) == 1


def test_who_comes_while_the_clocks_differ_is_told(world: World) -> None:
    """His tick is of a slot that another machine, ahead of his, has had already."""
    queue = TimedQueue(world)
    world.connect("first")
    _asked(world, on="first")
    queue.run(SLOT_MS + 500)
    queue.collect()
    behind = Lobby(world.tables, world.watchers, world.lobby._lines, world.floor_queue, world.clock)
    world.connect("guest")
    world.watchers.watch("guest", "", world.clock.now())
    behind.go_on()
    world.floor_queue.bodies[-1] = '{"do":"tick","slot":1}'
    queue.run(2 * SLOT_MS)
    assert len(_pushed(world)) >= 1


def test_trouble_with_one_telling_does_not_end_the_chain(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.connect("guest")
    _asked(world)
    queue = TimedQueue(world)

    def broken() -> None:
        raise ValueError

    with monkeypatch.context() as patch:
        patch.setattr(world.tables, "rows", broken)
        queue.run(SLOT_MS)
    assert world.signals.counts["LobbyFailed"] == 1
    queue.run(SLOT_MS)
    assert len(_pushed(world)) == 1


def test_who_is_gone_is_forgotten(world: World) -> None:
    for name in ("guest", "gone", "failing"):
        world.connect(name)
        _asked(world, on=name)
    world.push.outcomes = {"gone": Delivery.GONE, "failing": Delivery.FAILED}
    TimedQueue(world).run(SLOT_MS)
    assert world.watchers.watchers(world.clock.now()) == ["failing", "guest"]
    assert world.signals.counts["ConnectionGone"] == 1
    assert world.signals.counts["PushFailed"] == 1


def test_who_has_never_connected_watches_nothing(world: World) -> None:
    """His connection ended while he asked."""
    _asked(world)
    assert world.watchers.watchers(world.clock.now()) == []


def test_a_connection_that_ended_unnoticed_is_told_nothing(world: World) -> None:
    world.connect("guest")
    _asked(world)
    assert world.watchers.watchers(world.clock.now()) == ["guest"]
    assert world.watchers.watchers(world.clock.now() + 7_600_000) == []


def test_more_tables_than_a_message_holds_come_in_parts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = world.tables.rows()
    fields = {"players": ("x" * 36,) * 10, "average_pot": 10**10, "maximum": 10**10}
    rows = tuple(
        type(row)(**{**_fields(row), **fields, "table": f"table-{number:026}"})
        for number in range(2 * MOST_ROWS + 1)
    )
    monkeypatch.setattr(world.tables, "rows", lambda: rows)
    world.connect("guest")
    shown = _asked(world)
    assert (shown["part"], shown["parts"], len(shown["tables"])) == (1, 3, MOST_ROWS)
    TimedQueue(world).run(SLOT_MS)
    pushes = _pushed(world)
    assert [push["part"] for push in pushes] == [1, 2, 3]
    assert len({push["now"] for push in pushes}) == 1
    assert [table for push in pushes for table in _ids(push)] == [row.table for row in rows]
    # API Gateway sends no more.
    assert max(len(data) for data in world.push.to("guest")) < 128_000


def _fields(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


def test_an_empty_room_has_an_empty_lobby(world: World) -> None:
    world.dealer.close("t")
    world.connect("guest")
    shown = _asked(world)
    assert (shown["parts"], shown["stakes"], shown["tables"]) == (1, [], [])
