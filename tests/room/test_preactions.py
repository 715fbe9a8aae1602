"""Pre-actions, time banks and a player's two devices, through the room."""

import json
from typing import Any

import pytest

from cardroom.hindsight import already_acted
from cardroom.messages import Error, Ok
from cardroom.store import hands
from cli.record import case_of_record
from cli.replay import replay_case
from poker_engine.clock import wake_at
from poker_engine.codec import load_events, load_table
from poker_engine.events import BankClosed, BankOpened, Prepared
from poker_engine.replay import replay
from poker_engine.stakes import PHP_STAKES, table_settings
from poker_engine.state import Hand, Turn
from tests.room.world import World

PLAYERS = ("ana", "ben", "cat")


@pytest.fixture
def dealt(world: World) -> World:
    """Three players in a hand that has just begun."""
    return begun(world)


def begun(world: World) -> World:
    world.seat(*PLAYERS)
    world.deal()
    world.stream()
    world.push.posts.clear()
    return world


def hand_of(world: World) -> Hand:
    hand = world.stored().table.hand
    assert hand is not None
    return hand


def turn_of(world: World) -> Turn:
    turn = hand_of(world).turn
    assert turn is not None
    return turn


def player_at(world: World, seat: int) -> str:
    occupant = world.stored().table.seats[seat]
    assert occupant is not None
    return occupant.player


def after(world: World, steps: int = 1) -> str:
    """The player so many seats left of the one whose turn it is."""
    return player_at(world, (turn_of(world).seat + steps) % 3)


def prepares(world: World, player: str, do: str, **fields: Any) -> Ok | Error:
    hand = hand_of(world)
    return world.say(
        player, "preact", do=do, **{"hand": hand.number, "price": hand.price, **fields}
    )


def pushed(world: World, connection: str) -> list[dict[str, Any]]:
    return [event for data in world.push.to(connection) for event in json.loads(data)["events"]]


# --- pre-actions ----------------------------------------------------------------------------------


@pytest.mark.rule("10.3", "7")
def test_a_pre_action_is_told_to_its_player_on_all_his_devices_and_to_nobody_else(
    dealt: World,
) -> None:
    dealt.connect("guest")
    dealt.say("", "watch", on="guest")
    player = after(dealt)
    dealt.connect("phone", player)
    dealt.say(player, "watch", on="phone")
    seq = dealt.stored().table.seq
    assert prepares(dealt, player, "call") == Ok(id=f"m{dealt._ids}", type="ok", seq=seq)
    dealt.stream()
    dealt.fan_out()
    assert {connection for connection, _ in dealt.push.posts} == {player, "phone"}
    for connection in (player, "phone"):
        (event,) = pushed(dealt, connection)
        assert (event["e"], event["do"], event["price"]) == ("prepared", "call", 1_000)
        (data,) = dealt.push.to(connection)
        assert json.loads(data)["seq"] == json.loads(data)["before"] == seq
    for viewer in (*PLAYERS, "guest"):
        reply = dealt.say("" if viewer == "guest" else viewer, "sync", on=viewer, seq=0)
        assert isinstance(reply, Ok)
        assert ("check_fold" in reply.text()) is False
        assert ('"prepared"' in reply.text()) == (viewer == player)


@pytest.mark.rule("10.3")
def test_it_acts_in_the_write_that_brings_its_turn(dealt: World) -> None:
    player = after(dealt)
    assert isinstance(prepares(dealt, player, "call"), Ok)
    version = dealt.stored().version
    assert isinstance(dealt.act("call"), Ok)
    assert dealt.stored().version == version + 1
    assert player_at(dealt, turn_of(dealt).seat) not in (player, "")
    dealt.stream()
    acted = [event for event in pushed(dealt, "ana") if event["e"] == "acted"]
    assert [(event["do"], event["cause"]) for event in acted] == [("call", "own")] * 2


@pytest.mark.rule("10.3")
def test_it_is_taken_back(dealt: World) -> None:
    player = after(dealt)
    assert isinstance(prepares(dealt, player, "fold"), Ok)
    assert isinstance(prepares(dealt, player, "none"), Ok)
    assert isinstance(dealt.act("call"), Ok)
    assert player_at(dealt, turn_of(dealt).seat) == player


@pytest.mark.rule("10.3")
def test_it_is_refused_with_its_code(dealt: World) -> None:
    def code(player: str, do: str, **fields: Any) -> tuple[str, dict[str, int] | None]:
        reply = prepares(dealt, player, do, **fields)
        assert isinstance(reply, Error)
        return reply.code, reply.facts

    on_turn, second, third = (after(dealt, steps) for steps in range(3))
    assert code(second, "call", price=999) == ("price_changed", {"price": 1_000})
    assert code(third, "call") == ("nothing_to_call", None)
    assert code(on_turn, "fold") == ("your_turn", {"turn": 1})
    assert code(second, "fold", hand=2)[0] == "stale_turn"
    assert code("", "fold")[0] == "not_allowed"
    assert code("dan", "fold")[0] == "not_seated"
    assert isinstance(dealt.act("fold"), Ok)
    assert code(on_turn, "fold") == ("nothing_to_prepare", None)
    assert isinstance(dealt.act("fold"), Ok)
    assert code(second, "fold")[0] == "no_hand"


# --- already acted --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "fields", "says"),
    [
        ("raise", {"to": 3_000}, "You have acted on this turn already: raise to 3000."),
        ("call", {}, "You have acted on this turn already: call to 1000."),
        ("fold", {}, "You have acted on this turn already: fold."),
    ],
)
def test_the_second_device_is_told_what_the_first_has_done(
    dealt: World, do: str, fields: dict[str, int], says: str
) -> None:
    player = after(dealt, 0)
    assert isinstance(dealt.act(do, **fields), Ok)
    version = dealt.stored().version
    reply = dealt.say(player, "act", on="phone", hand=1, turn=1, do="fold")
    assert isinstance(reply, Error)
    assert (reply.code, reply.message) == ("already_acted", says)
    to = {"raise": 3_000, "call": 1_000}.get(do)
    assert reply.facts == (None if to is None else {"to": to})
    assert dealt.stored().version == version


def test_also_when_it_has_ended_the_hand(dealt: World) -> None:
    assert isinstance(dealt.act("fold"), Ok)
    player, number = after(dealt, 0), turn_of(dealt).number
    assert isinstance(dealt.act("fold"), Ok)
    assert hand_of(dealt).over
    reply = dealt.say(player, "act", hand=1, turn=number, do="call")
    assert isinstance(reply, Error)
    assert reply.code == "already_acted"


def test_the_same_message_again_gets_its_answer(dealt: World) -> None:
    player = after(dealt, 0)
    said = [dealt.say(player, "act", hand=1, turn=1, do="call", id="same") for _ in range(2)]
    assert said[0] == said[1]
    assert isinstance(said[1], Ok)


def test_another_ones_turn_a_later_or_an_earlier_one_is_just_stale(dealt: World) -> None:
    first, second = after(dealt, 0), after(dealt)
    assert isinstance(dealt.act("call"), Ok)
    for player, turn in ((second, 1), (first, 3), (first, 0)):
        reply = dealt.say(player, "act", hand=1, turn=turn, do="fold")
        assert isinstance(reply, Error)
        assert reply.code == "stale_turn"


@pytest.mark.rule("4.1")
def test_a_turn_that_the_clock_took_is_stale(dealt: World) -> None:
    player = after(dealt, 0)
    dealt.clock.go_to(turn_of(dealt).expires)
    reply = dealt.say(player, "act", hand=1, turn=1, do="call")
    assert isinstance(reply, Error)
    assert reply.code == "stale_turn"


def test_in_the_next_hand_it_is_stale(dealt: World) -> None:
    player = after(dealt, 0)
    assert isinstance(dealt.act("fold"), Ok)
    assert isinstance(dealt.act("fold"), Ok)
    dealt.deal()
    reply = dealt.say(player, "act", hand=1, turn=1, do="call")
    assert isinstance(reply, Error)
    assert reply.code == "stale_turn"


def test_who_took_the_seat_after_the_hand_has_not_acted_in_it(dealt: World) -> None:
    player = after(dealt, 0)
    assert isinstance(dealt.act("fold"), Ok)
    assert isinstance(dealt.act("fold"), Ok)
    seat = dealt.stored().table.seat_of(player)
    assert already_acted(dealt.stored(), player, 1, 1) is not None
    dealt.say(player, "leave")
    dealt.connect("dan", "dan")
    assert isinstance(dealt.say("dan", "sit", seat=seat, chips=50_000), Ok)
    reply = dealt.say("dan", "act", hand=1, turn=1, do="call")
    assert isinstance(reply, Error)
    assert reply.code == "no_hand"


# --- the time bank --------------------------------------------------------------------------------


@pytest.fixture
def banked(aws: None) -> World:
    return begun(World(table_settings(PHP_STAKES[1], 3, time_bank_ms=10_000)))


@pytest.mark.rule("10.4")
def test_the_clock_opens_the_bank_and_all_are_told_the_new_deadline(banked: World) -> None:
    before = turn_of(banked)
    banked.clock.go_to(before.expires)
    banked.dealer.apply("t")
    turn = turn_of(banked)
    assert (turn.number, turn.seat) == (before.number, before.seat)
    assert turn.deadline == before.deadline + 10_000
    assert wake_at(banked.stored().table) == turn.expires
    banked.stream()
    for player in PLAYERS:
        (data,) = banked.push.to(player)
        push = json.loads(data)
        assert [event["e"] for event in push["events"]] == ["bank_opened"]
        assert push["turn"]["deadline"] == turn.deadline
        assert push["seq"] == push["before"] + 1


@pytest.mark.rule("10.4")
def test_an_action_that_comes_after_the_time_is_done_in_the_bank(banked: World) -> None:
    """Nobody had noticed yet that the time was over."""
    player = after(banked, 0)
    banked.clock.go_to(turn_of(banked).deadline + 2_500)
    assert isinstance(banked.act("call"), Ok)
    events = [event for update in banked.updates() for event in update.outbox.events]
    assert [type(event) for event in events[:2]] == [BankOpened, BankClosed]
    seat = banked.stored().table.seat_of(player)
    assert seat is not None
    occupant = banked.stored().table.seats[seat]
    assert occupant is not None
    assert occupant.standing.bank == 7_500


@pytest.mark.rule("10.4")
def test_after_an_outage_longer_than_time_and_bank_one_write_does_it_all(banked: World) -> None:
    version, seat = banked.stored().version, turn_of(banked).seat
    banked.clock.go_to(turn_of(banked).expires + 60_000)
    banked.dealer.apply("t")
    assert banked.stored().version == version + 1
    assert not hand_of(banked).live >> seat & 1


# --- the record -----------------------------------------------------------------------------------


@pytest.mark.rule("6.3")
def test_the_record_replays_and_makes_a_case(banked: World) -> None:
    for street in range(4):
        assert isinstance(prepares(banked, after(banked), "check_fold" if street else "call"), Ok)
        banked.clock.go_to(turn_of(banked).expires)
        while hand_of(banked).street == street and not hand_of(banked).over:
            hand, turn = hand_of(banked), turn_of(banked)
            do = "check" if hand.bets[turn.seat] >= hand.price else "call"
            assert isinstance(banked.act(do), Ok)
    assert hand_of(banked).over
    (record,) = hands("t")
    events = load_events(record.events)
    assert {Prepared, BankOpened, BankClosed} <= {type(event) for event in events}
    table = replay(events, load_table(record.opening))
    assert table.hand == hand_of(banked)
    verdict = replay_case(case_of_record(record))
    assert verdict.difference is None
    assert len(case_of_record(record).actions) == 12
