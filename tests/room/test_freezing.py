"""A table that an operator freezes: its hand ends, and no other begins (RULES 10.2)."""

import json

import pytest

from cardroom.audit import check
from cardroom.clock import Ring
from cardroom.dealer import Applied
from cardroom.errors import Refused, RoomCode
from cardroom.inventory import DynamoInventory
from cardroom.messages import Error, Ok
from cardroom.store import hands
from poker_engine.errors import Code
from tests.room.world import RICH, TABLE, World

pytestmark = pytest.mark.rule("10.2")


def _frozen(world: World) -> None:
    applied = world.dealer.freeze("t")
    assert isinstance(applied, Applied)
    assert applied.refusal is None
    assert applied.stored == world.stored()


def _thawed(world: World) -> None:
    applied = world.dealer.thaw("t")
    assert isinstance(applied, Applied)
    assert applied.refusal is None


def _late(world: World) -> None:
    """Half an hour later; the sweep has nothing to do, whatever wakes up does nothing."""
    world.clock.go(1_800_000)
    version = world.stored().version
    assert world.sweep.run() == 0
    assert world.turn_clock.ring(Ring("t", world.stored().table.hands + 1, 0)) is None
    assert world.stored().version == version


def test_the_hand_goes_on_and_is_the_last(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    _frozen(world)
    assert world.stored().table.running is not None
    world.play_out()
    assert [record.number for record in hands("t")] == [1]
    _late(world)
    assert world.stored().table.running is None
    assert None not in world.stored().table.seats[:2]


@pytest.mark.rule("4.1")
def test_its_turns_still_run_out(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    _frozen(world)
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.expires + 3001)
    assert world.sweep.run() == 1
    assert world.stored().table.running is None


def test_a_hand_that_is_due_is_called_off(world: World) -> None:
    """The operator is faster than the clock that is late: what he asks for comes first."""
    world.seat("ana", "ben")
    at = world.stored().table.next_hand_at
    assert at is not None
    world.clock.go_to(at + 10_000)
    _frozen(world)
    assert world.stored().table.hands == 0
    _late(world)
    assert world.stored().table.hands == 0


def test_nobody_sits_down(world: World) -> None:
    world.seat("ana", "ben")
    _frozen(world)
    world.connect("cyd", "cyd")
    answer = world.say("cyd", "sit", seat=2, chips=50_000)
    assert isinstance(answer, Error)
    assert answer.code == Code.TABLE_FROZEN
    assert world.balance("cyd") == RICH
    _thawed(world)
    assert isinstance(world.say("cyd", "sit", seat=2, chips=50_000), Ok)


def test_who_sits_may_leave_sit_out_and_buy(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _frozen(world)
    answers = [
        world.say("ana", "sitout"),
        world.say("ana", "sitin"),
        world.say("ana", "topup", chips=1_000),
        world.say("ana", "autotopup", to=60_000),
        world.say("ben", "leave"),
    ]
    assert [answer for answer in answers if not isinstance(answer, Ok)] == []
    assert world.balance("ben") == RICH
    assert world.stored().table.next_hand_at is None
    assert check(DynamoInventory(TABLE, world.tables._client).everything()) == []


@pytest.mark.rule("2.6")
def test_nobody_loses_his_seat_meanwhile(world: World) -> None:
    world.seat("ana", "ben")
    assert isinstance(world.say("ana", "sitout"), Ok)
    _frozen(world)
    _late(world)
    assert world.stored().table.seat_of("ana") == 0
    _thawed(world)
    sit_out_ms = world.stored().table.settings.sit_out_ms
    world.clock.go(sit_out_ms - 1)
    world.dealer.apply("t")
    assert world.stored().table.seat_of("ana") == 0
    world.clock.go(1)
    world.dealer.apply("t")
    assert world.stored().table.seat_of("ana") is None
    assert world.balance("ana") == RICH


def test_thawed_it_goes_on_with_a_clock_of_its_own(world: World) -> None:
    world.seat("ana", "ben")
    world.stream()
    world.timers.started.clear()
    _frozen(world)
    world.clock.go(60_000)
    _thawed(world)
    at = world.stored().table.next_hand_at
    assert at == world.clock.now() + world.stored().table.settings.pause_ms
    world.stream()
    assert list(world.timers.started.values()) == [("t", 1, at)]
    world.deal()
    assert world.stored().table.running is not None


def test_seats_and_spectators_are_told(world: World) -> None:
    world.seat("ana", "ben")
    world.connect("guest")
    world.say("", "watch", on="guest")
    world.stream()
    for name, change in (("frozen", _frozen), ("thawed", _thawed)):
        world.push.posts.clear()
        change(world)
        world.stream()
        world.fan_out()
        events = [json.loads(data)["events"] for data in world.push.to("ana")]
        assert name in [event["e"] for one in events for event in one]
        *_, last = [json.loads(data) for data in world.push.to("guest")]
        assert last["state"]["frozen"] is (name == "frozen")


def test_it_is_frozen_once_and_thawed_once(world: World) -> None:
    def refusal(applied: Applied | Refused) -> object:
        return applied.refusal and applied.refusal.code if isinstance(applied, Applied) else None

    assert refusal(world.dealer.thaw("t")) is Code.NOT_FROZEN
    _frozen(world)
    before = world.stored()
    assert refusal(world.dealer.freeze("t")) is Code.TABLE_FROZEN
    assert world.stored() == before
    _thawed(world)
    assert refusal(world.dealer.thaw("t")) is Code.NOT_FROZEN
    for ask in (world.dealer.freeze, world.dealer.thaw):
        nowhere = ask("nowhere")
        assert isinstance(nowhere, Refused)
        assert nowhere.code is RoomCode.UNKNOWN_TABLE


@pytest.mark.rule("2.8")
def test_frozen_it_is_closed_and_all_are_paid(world: World) -> None:
    world.seat("ana", "ben")
    _frozen(world)
    applied = world.dealer.close("t")
    assert isinstance(applied, Applied)
    assert world.stored().table.closed
    assert [world.balance(player) for player in ("ana", "ben")] == [RICH, RICH]


@pytest.mark.rule("10.1")
def test_nothing_is_bought_before_it_is_thawed(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    assert isinstance(world.say("ana", "autotopup", to=60_000), Ok)
    _frozen(world)
    _late(world)
    assert world.balance("ana") == RICH - 50_000
    _thawed(world)
    world.deal()
    assert world.balance("ana") == RICH - 60_000
