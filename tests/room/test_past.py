"""Hands that are over: who sees which, and with which cards."""

from typing import Any

import pytest

from cardroom import past
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.models import EntryItem, HandItem
from cardroom.money import Kind
from cardroom.store import hands
from cardroom.stored import Stored
from cardroom.till import PAYING_TRIES
from poker_engine.cards import DECK, text
from tests.room.faults import cancel
from tests.room.world import World, settings

PLAYERS = ("ana", "ben", "cyd")


def _hand(world: World, player: str, number: int = 1) -> dict[str, Any]:
    world.connect(player or "guest", player)
    reply = world.say(player, "hand", on=player or "guest", hand=number)
    assert isinstance(reply, Ok), reply
    assert reply.hand is not None
    return reply.hand


def _hands(world: World, player: str, **fields: Any) -> dict[str, Any]:
    reply = world.say(player, "hands", **fields)
    assert isinstance(reply, Ok), reply
    assert reply.hands is not None
    return reply.hands


def _numbers(world: World, player: str, **fields: Any) -> list[int]:
    return [row["number"] for row in _hands(world, player, **fields)["hands"]]


def _play(world: World, count: int = 1) -> None:
    for _ in range(count):
        world.deal()
        world.play_out()


@pytest.fixture
def played(world: World) -> World:
    """A hand to the showdown; the deck is in its order."""
    world.randomness.decks.append(DECK)
    world.seat(*PLAYERS)
    _play(world)
    return world


@pytest.mark.parametrize("viewer", [*PLAYERS, "eve", ""])
def test_one_sees_his_own_cards_and_what_was_shown_and_nothing_else(
    played: World, viewer: str
) -> None:
    (record,) = hands("t")
    hand = _hand(played, viewer)
    dealt = hand["steps"][0]["event"]["dealt"]
    seat = PLAYERS.index(viewer) if viewer in PLAYERS else None
    assert hand["seat"] == seat
    own: set[str] = set()
    if seat is not None:
        place = dealt.index(seat)
        own = {text(record.deck[place]), text(record.deck[place + len(dealt)])}
        assert set(hand["hole"]) == own
    else:
        assert "hole" not in hand
    events = [step["event"] for step in hand["steps"]]
    public = {card for event in events for card in event.get("cards", [])}
    written = {card for card in map(text, DECK) if f'"{card}"' in str(hand).replace("'", '"')}
    assert written == public | own
    assert any(event["e"] == "shown" for event in events)
    unseen = {text(card) for card in record.deck} - public - own
    assert len(unseen) >= 52 - 5 - 2 * len(PLAYERS)


def test_its_steps_are_the_hand_and_nothing_that_came_after_it(played: World) -> None:
    played.say("ben", "leave")
    hand = _hand(played, "ana")
    events = [step["event"]["e"] for step in hand["steps"]]
    assert events[0] == "hand_started"
    assert events[-1] == "hand_ended"
    assert hand["state"]["hands"] == 0
    assert [seat and seat["stack"] for seat in hand["state"]["seats"]][:3] == [100_000] * 3
    settled = [step["pots"] for step in hand["steps"] if "pots" in step][-1]
    won = [step["event"] for step in hand["steps"] if step["event"]["e"] == "pot_won"]
    assert [pot["shares"] for pot in settled] == [event["shares"] for event in won]


def test_who_took_the_seat_after_the_hand_sees_what_was_public(played: World) -> None:
    played.say("ben", "leave")
    played.connect("eve", "eve")
    assert isinstance(played.say("eve", "sit", seat=1, chips=100_000), Ok)
    hand = _hand(played, "eve")
    assert hand["seat"] is None
    assert "hole" not in hand
    assert _hand(played, "ben")["seat"] == 1


@pytest.mark.parametrize("number", [2, 999_999_999])
def test_what_there_is_not_is_refused(played: World, number: int) -> None:
    refused = played.say("ana", "hand", hand=number)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.UNKNOWN_HAND


def test_a_running_hand_is_not_there_yet(played: World) -> None:
    played.deal()
    assert isinstance(played.say("ana", "hand", hand=2), Error)


def test_of_a_delayed_table_others_see_it_as_late_as_its_spectators(aws: None) -> None:
    world = World(settings(delay_s=30))
    world.seat(*PLAYERS)
    _play(world)
    world.connect("guest")
    assert _hand(world, "ana")["seat"] == 0
    world.clock.go(29_999)
    assert isinstance(world.say("", "hand", on="guest", hand=1), Error)
    world.clock.go(1)
    assert _hand(world, "")["seat"] is None


def test_what_is_shown_after_a_hand_others_see_as_late_as_its_spectators(aws: None) -> None:
    """However long after the hand it is shown."""
    world = World(settings(delay_s=30))
    world.seat(*PLAYERS)
    world.deal()
    for player in ("cyd", "ana"):
        table = world.stored().table
        assert table.running is not None
        assert table.running.turn is not None
        turn = table.running.turn.number
        assert isinstance(world.say(player, "act", hand=1, turn=turn, do="fold"), Ok)
        assert isinstance(world.say(player, "sitout"), Ok)
    world.connect("guest")

    def sees_it(player: str) -> bool:
        return any(step["event"]["e"] == "shown" for step in _hand(world, player)["steps"])

    world.clock.go(29_999)
    assert isinstance(world.say("ben", "show", cards=[0, 1]), Ok)
    world.clock.go(1)
    assert sees_it("ana")
    assert not sees_it("")
    world.clock.go(60_000)
    assert not sees_it(""), "for all that is known it was now"
    for player in ("cyd", "ana"):
        assert isinstance(world.say(player, "sitin", post=True), Ok)
    world.deal()
    world.dealer.void("t", "a test")
    assert not sees_it("")
    world.clock.go(30_000)
    assert sees_it("")


def test_a_void_hand_is_there_and_moved_nothing(world: World) -> None:
    world.seat(*PLAYERS)
    world.deal()
    world.dealer.void("t", "trial")
    assert _hand(world, "ana")["steps"][-1]["event"]["e"] == "hand_voided"
    (row,) = _hands(world, "ana")["hands"]
    assert (row["voided"], row["net"]) == (True, 0)


def test_a_list_is_of_ones_own_hands_the_newest_first(played: World) -> None:
    played.connect("dan", "dan")
    assert isinstance(played.say("dan", "sit", seat=3, chips=100_000, post=True), Ok)
    _play(played, 2)
    assert _numbers(played, "ana") == [3, 2, 1]
    assert _numbers(played, "dan") == [3, 2]
    assert _numbers(played, "ana", up_to=2) == [2, 1]
    shown = _hands(played, "dan")
    assert (shown["tables"], shown["table"]) == (["t"], "t")
    nets = [row["net"] for row in _hands(played, "ana", up_to=1)["hands"]]
    opening = {
        seat["player"]: seat["stack"] for seat in _hand(played, "ana", 2)["state"]["seats"] if seat
    }
    assert nets == [opening["ana"] - 100_000]


def test_the_list_goes_on_where_it_ended(played: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "SHOWN", 2)
    monkeypatch.setattr(past, "READ", 2)
    _play(played, 4)
    found: list[int] = []
    up_to: int | None = None
    while True:
        view = _hands(played, "ana", **({} if up_to is None else {"up_to": up_to}))
        found += [row["number"] for row in view["hands"]]
        up_to = view["next"]
        if up_to is None:
            break
    assert found == [5, 4, 3, 2, 1]


def test_one_answer_reads_no_more_than_so_many_records(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others have played on since: it says where to go on, and there his hands are found."""
    monkeypatch.setattr(past, "READ", 2)
    monkeypatch.setattr(past, "LOOKED_AT", 2)
    played.say("cyd", "sitout")
    _play(played, 3)
    view = _hands(played, "cyd")
    assert (view["hands"], view["next"]) == ([], 2)
    assert _numbers(played, "cyd", up_to=2) == [1]


def test_after_he_left_it_begins_where_he_stopped(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "LOOKED_AT", 1)
    played.say("cyd", "leave")
    played.clock.go(10_000)
    for _ in range(5):
        played.dealer.apply("t")
        played.play_out()
        played.clock.go(10_000)
    assert len(hands("t")) > 4
    assert _numbers(played, "cyd")[:1] == [1]


def test_who_has_played_nowhere_has_an_empty_list(played: World) -> None:
    played.connect("eve", "eve")
    assert _hands(played, "eve") == {"tables": [], "table": None, "hands": [], "next": None}
    elsewhere = _hands(played, "eve", table="t")
    assert (elsewhere["hands"], elsewhere["next"]) == ([], None)


def test_a_guest_has_no_list(played: World) -> None:
    played.connect("guest")
    refused = played.say("", "hands", on="guest")
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.NOT_ALLOWED


@pytest.mark.parametrize("field", ["opening", "events", "deck"])
def test_a_damaged_record_is_reported_and_spoils_no_other(played: World, field: str) -> None:
    _play(played)
    item = HandItem.get("HAND#t", "000000001")
    setattr(item, field, "damaged")
    item.save()
    refused = played.say("ana", "hand", hand=1)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.OUT_OF_ORDER
    assert _numbers(played, "ana") == [2]


def test_who_left_while_his_hand_ended_elsewhere_is_told_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function that lets him go has taken its moment, and reads slowly."""
    world.seat("ana", "ben")
    world.deal()
    load = world.tables.load

    def slowly(table_id: str) -> Stored | None:
        monkeypatch.setattr(world.tables, "load", load)
        world.clock.go(9_000)
        world.play_out()
        return load(table_id)

    monkeypatch.setattr(world.tables, "load", slowly)
    assert isinstance(world.say("ana", "leave"), Ok)
    (left,) = [one for one in world.accounts.entries("ana") if one.kind is Kind.PAY_OUT]
    (record,) = hands("t")
    assert left.at == record.ended - 9_000
    assert _numbers(world, "ana") == [1]


@pytest.mark.parametrize("between", [0, 500])
def test_who_came_back_before_he_was_paid_is_told_what_he_plays_now(
    world: World, monkeypatch: pytest.MonkeyPatch, between: int
) -> None:
    """It was booked by one write, or by a clock that was ahead."""
    world.seat("ana", "ben")
    with monkeypatch.context() as patch:
        cancel(world, patch, "USER#ana", PAYING_TRIES)
        assert isinstance(world.say("ana", "leave"), Ok)
    assert world.stored().leaving
    assert isinstance(world.say("ana", "sit", seat=2, chips=100_000), Ok)
    assert not world.stored().leaving
    (item,) = EntryItem.query("USER#ana", EntryItem.sk.startswith("LEDGER#out#"))
    item.update(actions=[EntryItem.at.set(item.at + between)])
    world.clock.go(past.LATE_MS + between)
    world.dealer.apply("t")
    world.play_out()
    assert _numbers(world, "ana") == [1]


def test_who_left_without_a_chip_finds_his_last_hands(world: World) -> None:
    """No entry tells that he was paid out: there was nothing to pay."""
    world.seat("ana", "ben")
    hands = 0
    while all(seat and seat.stack for seat in world.stored().table.seats[:2]):
        world.deal()
        hands += 1
        table = world.stored().table
        assert table.hand is not None
        assert table.hand.turn is not None
        seat = table.seats[table.hand.turn.seat]
        assert seat is not None
        assert isinstance(world.act("raise", to=seat.stack), Ok)
        assert isinstance(world.act("call"), Ok)
    seats = world.stored().table.seats
    broke = next(seat.player for seat in seats[:2] if seat is not None and not seat.stack)
    assert isinstance(world.say(broke, "leave"), Ok)
    reply = world.say(broke, "hands")
    assert isinstance(reply, Ok)
    assert reply.hands is not None
    assert [row["number"] for row in reply.hands["hands"]] == list(range(hands, 0, -1))
