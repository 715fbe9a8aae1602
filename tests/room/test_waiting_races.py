"""Several at once: the floor with itself, errands that come twice or late, devices, the killer."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cardroom.audit import check
from cardroom.inventory import DynamoInventory
from cardroom.messages import Error, Ok
from cardroom.waiting import OFFER_MS
from tests.room.conftest import Memory
from tests.room.meeting import Meeting
from tests.room.stake import CHIPS, STRUCTURE, Stake, between
from tests.room.test_effects import Killed, Killer
from tests.room.world import TABLE, World

RACES = 15


def _at_once(*works: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("read", ["line", "rows"])
def test_two_errands_at_once_offer_a_seat_once(
    world: World, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    """Both have read the same line, or the same list of tables, before either acts."""
    stake = Stake(world, "w", seats=3)
    stake.seat("w", "ana", "ben", "bob")
    stake.wait("cyd", "dee", "eve")
    stake.leave("ben", "w")
    stake.leave("bob", "w")
    world.stream()
    for _ in range(RACES):
        with monkeypatch.context() as patch:
            whose = world.lines if read == "line" else world.tables
            patch.setattr(whose, read, Meeting(getattr(whose, read)))
            _at_once(*(partial(world.new_stakes().serve, STRUCTURE) for _ in range(2)))
        assert stake.offers() == {"cyd": "w", "dee": "w"}
        for player in ("cyd", "dee"):
            (waiter,) = (one for one in world.lines.line(STRUCTURE) if one.player == player)
            assert waiter.told
            assert stake.told(player)
            assert world.lines.take_back(waiter)
        world.push.posts.clear()


@pytest.mark.parametrize("rejoins", [False, True])
def test_a_floor_that_was_held_up_does_nothing_by_what_it_saw_before(
    world: World, monkeypatch: pytest.MonkeyPatch, rejoins: bool
) -> None:
    stake = Stake(world, "w")
    stake.seat("w", "ana", "ben")
    stake.wait("cyd", "dee")
    stake.leave("ben", "w")
    world.stream()

    def meanwhile() -> None:
        monkeypatch.undo()
        assert isinstance(world.say("cyd", "unwait", structure=STRUCTURE), Ok)
        if rejoins:
            assert isinstance(world.say("cyd", "wait", structure=STRUCTURE), Ok)
        stake.settle()

    monkeypatch.setattr(world.lines, "line", between(world.lines.line, meanwhile))
    world.new_stakes().serve(STRUCTURE)
    assert stake.offers() == {"dee": "w"}
    assert stake.told("cyd") == []
    assert stake.line() == (["dee", "cyd"] if rejoins else ["dee"])


def test_nor_does_it_take_back_an_offer_that_has_been_made_since(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    stake = Stake(world, "a", "b")
    stake.seat("a", "ana", "bob")
    stake.seat("b", "ben", "eve")
    stake.wait("cyd")
    stake.leave("bob", "a")
    stake.settle()
    world.dealer.freeze("a")
    world.stream()

    def meanwhile() -> None:
        monkeypatch.undo()
        stake.settle()
        world.clock.go(5)
        stake.leave("eve", "b")
        stake.settle()

    monkeypatch.setattr(world.lines, "line", between(world.lines.line, meanwhile))
    world.new_stakes().serve(STRUCTURE)
    assert stake.offers() == {"cyd": "b"}
    assert [push["table"] for push in stake.told("cyd")] == ["a", None, "b"]


def test_an_errand_that_comes_twice_or_late_changes_nothing(world: World) -> None:
    stake = Stake(world, "w")
    stake.seat("w", "ana", "ben")
    stake.wait("cyd")
    stake.leave("ben", "w")
    world.stream()
    errands = [body for _, body in stake.errands]
    stake.settle()
    before, sent = world.lines.line(STRUCTURE), list(world.push.posts)
    for body in (*errands, *errands):
        assert world.floor.deliver([("late", body)]) == []
    assert world.lines.line(STRUCTURE) == before
    assert world.push.posts == sent
    assert isinstance(stake.sit("cyd", "w", 1), Ok)
    stake.later(3 * OFFER_MS)
    for body in errands:
        assert world.floor.deliver([("late", body)]) == []
    assert stake.line() == []
    assert len(stake.told("cyd")) == 1


def test_an_offer_that_lapses_as_he_takes_it_goes_to_one_of_the_two(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floor has seen the line, with his time over, when his sit is written."""
    stake = Stake(world, "w")
    stake.seat("w", "ana", "ben")
    stake.wait("cyd", "dee")
    stake.leave("ben", "w")
    stake.settle()
    until = stake.told("cyd")[0]["until"]
    seen = world.lines.line(STRUCTURE)
    world.clock.go_to(until - 1)
    assert isinstance(stake.sit("cyd", "w", 1), Ok)
    world.clock.go_to(until)
    real, stale = world.lines.line, iter([seen])
    monkeypatch.setattr(world.lines, "line", lambda structure: next(stale, None) or real(structure))
    world.new_stakes().serve(STRUCTURE)
    stake.later(2 * OFFER_MS)
    assert stake.seats("w") == ["ana", "cyd"]
    assert stake.line() == ["dee"]
    assert stake.told("dee") == []
    assert len(stake.told("cyd")) == 1


def test_two_devices_with_one_offer_have_one_seat(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    stake = Stake(world, "w", seats=4)
    stake.seat("w", "ana", "ben")
    stake.wait("cyd")
    balance = world.balance("cyd")
    rooms = [world.new_room(world.new_dealer()) for _ in range(2)]
    answers: list[Any] = []

    def sit(number: int) -> None:
        answers.append(
            rooms[number]._seating.quick_seat(STRUCTURE, "cyd", CHIPS, f"q{number}", post=False)
        )

    with monkeypatch.context() as patch:
        patch.setattr(world.tables, "load", Meeting(world.tables.load))
        _at_once(partial(sit, 0), partial(sit, 1))
    assert stake.seats("w").count("cyd") == 1
    assert world.balance("cyd") == balance - CHIPS


# ------------------------------------------------------------------ killed

PORTS = {
    "tables": ("write", "list_row"),
    "lines": ("join", "leave", "offer", "take_back", "told", "drop"),
    "views": ("watch", "disconnect"),
    "push": ("post",),
    "floor_queue": ("send",),
}
REDELIVERED_MS = 60_000
"""A queue's message comes again when its visibility timeout is over."""


class StakeKiller(Killer):
    def haunt(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        for port, names in PORTS.items():
            for name in names:
                effect = partial(
                    self._effect, f"{port}.{name}", getattr(getattr(world, port), name)
                )
                monkeypatch.setattr(getattr(world, port), name, effect)


class Evening:
    """Two at a full table, two who wait, one who comes by: the one lets his offer lapse."""

    def __init__(self, world: World, stake: Stake) -> None:
        self.world = world
        self.stake = stake
        self._asked = 0

    def again[Answer](self, step: Callable[[], Answer]) -> Answer:
        while True:
            try:
                return step()
            except Killed:
                self.world.dealer.decks._kept.clear()

    def say(self, player: str, route: str, **fields: Any) -> Ok | Error:
        self._asked += 1
        fields["id"] = f"c{self._asked}"
        return self.again(lambda: self.world.say(player, route, **fields))

    def floor(self) -> None:
        """The stream, and one errand that is due, or the next one when it is due."""
        for update in self.world.updates():
            self.again(partial(self.world.broadcast.deliver, [update]))
        if not self.stake.errands:
            return
        errand = min(self.stake.errands)
        self.stake.errands.remove(errand)
        self.world.clock.go_to(max(errand[0], self.world.clock.now()))
        try:
            assert self.world.floor.deliver([("m", errand[1])]) == []
        except Killed:
            self.stake.errands.append((self.world.clock.now() + REDELIVERED_MS, errand[1]))

    def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            assert self.world.tables.images or self.stake.errands, "nobody looks any more"
            self.floor()

    def offered(self, player: str) -> bool:
        """As he believes: an offer of which he was told, and which is not over."""
        told = self.stake.told(player)
        now = self.world.clock.now()
        return bool(told) and told[-1]["table"] == "w" and told[-1]["until"] > now

    def play(self) -> None:
        for player in ("cyd", "dee"):
            assert isinstance(self.say(player, "wait", structure=STRUCTURE), Ok)
            self.world.clock.go(1)
        assert isinstance(self.say("ben", "leave", table="w"), Ok)
        self.until(lambda: self.offered("cyd"))
        self.until(lambda: self.offered("dee"))
        assert self.stake.last("cyd") == (None, False)
        assert isinstance(self.say("dee", "sit", table="w", seat=1, chips=CHIPS), Ok)
        assert isinstance(self.say("ana", "leave", table="w"), Ok)
        assert isinstance(self.say("eve", "quickseat", structure=STRUCTURE, chips=CHIPS), Ok)
        while self.world.tables.images or self.stake.errands:
            self.floor()


def _run(killer: StakeKiller) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        world = World()
        stake = Stake(world, "w")
        stake.seat("w", "ana", "ben")
        stake.connect("cyd", "dee", "eve")
        killer.haunt(world, patch)
        Evening(world, stake).play()
        killer.over = True
        assert check(DynamoInventory(TABLE, world.tables._client).everything()) == []
        rows = {row.table: row.players for row in world.tables.rows()}
        return {
            "seats": stake.seats("w"),
            "rows": rows,
            "line": stake.line(),
            "balances": [world.balance(one) for one in ("ana", "ben", "cyd", "dee", "eve")],
            "told": [stake.last(one) for one in ("cyd", "dee")],
        }


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whatever_kills_a_function_the_same_players_sit(memory: Memory, after: bool) -> None:
    unharmed = StakeKiller()
    expected = _run(unharmed)
    assert expected["seats"] == ["eve", "dee"]
    assert expected["line"] == []
    wanted = {"lines.join", "lines.offer", "lines.told", "lines.drop", "push.post"}
    assert wanted | {"lines.leave", "floor_queue.send", "tables.list_row"} <= set(unharmed.done)
    for at in range(1, len(unharmed.done) + 1):
        memory.empty()
        killer = StakeKiller(at, after)
        assert _run(killer) == expected, f"killed at {unharmed.done[at - 1]}, the {at}."
        assert len(killer.done) > at
