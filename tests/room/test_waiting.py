"""Waiting for a seat: one line a stake, offers in its order, and nobody overtaken."""

import json
from typing import Any

import pytest

from cardroom.bank import Booked, Order
from cardroom.contract import OfferPush, WaitingView
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.money import Player, Standing
from cardroom.ports import Delivery
from cardroom.waiting import OFFER_MS
from poker_engine.errors import Code
from poker_engine.stakes import table_settings
from tests.room.stake import STAKES, STRUCTURE, Stake, between, code
from tests.room.world import World

ORDER = Order("test", "because")


@pytest.fixture
def full(world: World) -> Stake:
    """One table with two seats, ana's and ben's; no more open by themselves."""
    stake = Stake(world, "w")
    stake.seat("w", "ana", "ben")
    return stake


def _waiting(stake: Stake, player: str, **more: Any) -> dict[str, Any]:
    answer = stake.world.say(player, "wait", structure=STRUCTURE, **more)
    assert isinstance(answer, Ok)
    assert answer.waiting is not None
    WaitingView.model_validate(answer.waiting)
    return answer.waiting


# ------------------------------------------------------------------ the line


def test_who_waits_is_told_his_place_and_keeps_it(full: Stake) -> None:
    full.wait("cyd", "dee")
    assert _waiting(full, "cyd") == {
        "structure": STRUCTURE,
        "place": 1,
        "length": 2,
        "table": None,
        "until": None,
    }
    full.world.connect("cyd-phone", "cyd")
    assert _waiting(full, "cyd", on="cyd-phone")["place"] == 1
    assert _waiting(full, "dee")["place"] == 2
    assert full.line() == ["cyd", "dee"]


def test_two_devices_that_ask_at_once_have_one_place(
    full: Stake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one joins, later, while the first has only read."""
    full.connect("cyd", "dee")
    seating = full.world.room._seating

    def joins() -> None:
        full.world.lines.join(STRUCTURE, "cyd", full.world.clock.now())
        full.world.lines.join(STRUCTURE, "dee", full.world.clock.now() + 1)
        full.world.clock.go(5)

    monkeypatch.setattr(seating, "_stake", between(seating._stake, joins))
    assert _waiting(full, "cyd")["place"] == 1
    assert full.line() == ["cyd", "dee"]


def test_nobody_waits_where_there_is_no_table(full: Stake) -> None:
    answer = full.world.say("ana", "wait", structure="nl-USD-500-1000")
    assert code(answer) == RoomCode.UNKNOWN_STAKE


@pytest.mark.parametrize("route", ["wait", "unwait"])
def test_guests_do_not_wait(full: Stake, route: str) -> None:
    answer = full.world.say("", route, on="guest", structure=STRUCTURE)
    assert code(answer) == RoomCode.NOT_ALLOWED


def test_who_has_a_seat_at_the_stake_does_not_wait(full: Stake) -> None:
    assert code(full.world.say("ana", "wait", structure=STRUCTURE)) == Code.ALREADY_SEATED
    full.leave("ana", "w")
    # The lobby's row still shows him; the table itself does not.
    assert _waiting(full, "ana")["place"] == 1


def test_a_suspended_player_does_not_wait(full: Stake) -> None:
    full.connect("cyd")
    full.world.bank.suspend("cyd", ORDER)
    assert code(full.world.say("cyd", "wait", structure=STRUCTURE)) == RoomCode.SUSPENDED
    assert full.line() == []


def test_who_has_less_than_the_least_buy_in_does_not_wait(full: Stake) -> None:
    least = table_settings(STAKES, 2).minimum
    now = full.world.clock.now()
    # Signed in, but no player of the room.
    full.world.views.connect("dee", "dee", now)
    full.world.accounts.create(Player("cyd", Standing.OPEN, now, "test", "because", now))
    full.world.connect("cyd", "cyd")
    booked = full.world.bank.deposit("cyd", "PHP", least - 1, "a", ORDER)
    assert isinstance(booked, Booked)
    for player, balance in (("cyd", least - 1), ("dee", 0)):
        answer = full.world.say(player, "wait", structure=STRUCTURE)
        assert code(answer) == RoomCode.INSUFFICIENT_FUNDS
        assert isinstance(answer, Error)
        assert answer.facts == {"balance": balance, "amount": least}
    assert full.line() == []
    booked = full.world.bank.deposit("cyd", "PHP", 1, "b", ORDER)
    assert isinstance(booked, Booked)
    assert _waiting(full, "cyd")["place"] == 1


def test_nor_does_a_player_who_is_suspended_before_his_first_deposit(full: Stake) -> None:
    now = full.world.clock.now()
    full.world.accounts.create(Player("cyd", Standing.OPEN, now, "test", "because", now))
    full.world.bank.suspend("cyd", ORDER)
    full.world.connect("cyd", "cyd")
    assert code(full.world.say("cyd", "wait", structure=STRUCTURE)) == RoomCode.SUSPENDED


@pytest.mark.parametrize("structure", ["", "nl", "NL-PHP-250-500", "nl-PHP-250-500#x", 5])
def test_a_stake_is_named_by_its_structure(full: Stake, structure: object) -> None:
    for route in ("wait", "unwait"):
        assert code(full.world.say("cyd", route, structure=structure)) == RoomCode.BAD_MESSAGE


def test_the_lobby_shows_how_many_wait(full: Stake) -> None:
    full.wait("cyd", "dee", "eve")
    answer = full.world.say("ana", "lobby", structure=STRUCTURE)
    assert isinstance(answer, Ok)
    assert answer.lobby is not None
    assert [stake["waiting"] for stake in answer.lobby["stakes"]] == [3]
    assert isinstance(full.world.say("dee", "unwait", structure=STRUCTURE), Ok)
    answer = full.world.say("ana", "lobby", structure=STRUCTURE)
    assert isinstance(answer, Ok)
    assert answer.lobby is not None
    assert [stake["waiting"] for stake in answer.lobby["stakes"]] == [2]


# ------------------------------------------------------------------ offers


def test_a_freed_seat_is_offered_to_the_first_on_all_his_devices(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.world.connect("cyd-phone", "cyd")
    full.leave("ben", "w")
    now = full.world.clock.now()
    full.settle()
    for device in ("cyd", "cyd-phone"):
        (push,) = full.told(device)
        OfferPush.model_validate(push)
        assert push == {
            "type": "offer",
            "structure": STRUCTURE,
            "table": "w",
            "until": now + OFFER_MS,
            "waiting": True,
            "now": now,
        }
    assert full.told("dee") == full.told("ana") == full.told("ben") == []
    assert _waiting(full, "cyd")["table"] == "w"
    assert _waiting(full, "cyd")["until"] == now + OFFER_MS


def test_he_takes_the_seat_and_is_off_the_line(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    assert isinstance(full.sit("cyd", "w", 1), Ok)
    assert full.line() == ["dee"]
    full.later(OFFER_MS * 2)
    assert full.seats("w") == ["ana", "cyd"]
    assert full.line() == ["dee"]
    assert full.told("dee") == []
    assert len(full.told("cyd")) == 1


def test_nobody_else_takes_it(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    until = full.told("cyd")[0]["until"]
    full.connect("eve")
    full.world.clock.go(10_000)
    for player in ("dee", "eve"):
        answer = full.sit(player, "w", 1)
        assert code(answer) == RoomCode.SEAT_RESERVED
        assert answer.facts == {"until": until}  # type: ignore[union-attr]
    assert code(full.sit("eve", "w", 0)) == Code.SEAT_TAKEN
    assert full.world.balance("eve") == full.world.balance("dee")


def test_an_offer_holds_for_thirty_seconds_and_passes_on(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    full.later(OFFER_MS - 1)
    assert full.offers() == {"cyd": "w"}
    full.later(2_000)
    assert full.last("cyd") == (None, False)
    assert full.line() == ["dee"]
    assert full.last("dee") == ("w", True)
    assert code(full.sit("cyd", "w", 1)) == RoomCode.SEAT_RESERVED
    assert isinstance(full.sit("dee", "w", 1), Ok)
    assert len(full.told("cyd")) == 2
    assert len(full.told("dee")) == 1


@pytest.mark.parametrize(("late", "taken"), [(-1, True), (0, False)])
def test_the_last_moment_of_an_offer(full: Stake, late: int, taken: bool) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    full.world.clock.go_to(full.told("cyd")[0]["until"] + late)
    answer = full.sit("cyd", "w", 1)
    assert isinstance(answer, Ok) is taken
    full.later(OFFER_MS)
    assert full.seats("w") == ["ana", "cyd" if taken else None]


def test_who_missed_his_offer_may_join_again_at_the_end(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    full.world.clock.go(OFFER_MS)
    # Before anybody looked: his place is lost all the same.
    assert _waiting(full, "cyd") == {
        "structure": STRUCTURE,
        "place": 2,
        "length": 2,
        "table": None,
        "until": None,
    }
    full.settle()
    assert full.line() == ["dee", "cyd"]
    assert full.offers() == {"dee": "w"}


def test_a_line_that_nobody_answers_is_gone_and_the_seat_is_free(full: Stake) -> None:
    """Players without a connection are passed over after their time, as anyone."""
    full.wait("cyd", "dee")
    for player in ("cyd", "dee"):
        full.world.views.disconnect(player)
    full.leave("ben", "w")
    full.settle()
    full.later(3 * OFFER_MS)
    assert full.line() == []
    assert full.told("cyd") == full.told("dee") == []
    full.connect("eve")
    assert isinstance(full.sit("eve", "w", 1), Ok)


def test_a_connection_that_is_gone_is_forgotten(full: Stake) -> None:
    full.wait("cyd")
    full.world.push.outcomes["cyd"] = Delivery.GONE
    full.leave("ben", "w")
    full.settle()
    assert full.world.views.connections_of("cyd") == []
    assert full.offers() == {"cyd": "w"}


def test_who_gives_up_passes_it_on_at_once(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    for _ in range(2):
        assert isinstance(full.world.say("cyd", "unwait", structure=STRUCTURE), Ok)
    full.settle()
    assert full.line() == ["dee"]
    assert full.offers() == {"dee": "w"}


def test_two_seats_are_offered_to_two(full: Stake) -> None:
    full.wait("cyd", "dee", "eve")
    full.leave("ana", "w")
    full.leave("ben", "w")
    full.settle()
    assert full.offers() == {"cyd": "w", "dee": "w"}
    assert isinstance(full.sit("dee", "w", 0), Ok)
    assert code(full.sit("eve", "w", 1)) == RoomCode.SEAT_RESERVED
    assert isinstance(full.sit("cyd", "w", 1), Ok)


def test_a_free_seat_is_offered_to_who_joins(world: World) -> None:
    stake = Stake(world, "w")
    stake.seat("w", "ana")
    stake.wait("cyd")
    assert stake.offers() == {"cyd": "w"}


def test_the_fullest_table_is_offered(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana")
    stake.seat("b", "ben", "bob")
    stake.wait("cyd", "dee")
    assert stake.offers() == {"cyd": "b", "dee": "a"}


# ------------------------------------------------------------------ nobody is overtaken


def test_a_seat_is_not_there_for_others_before_it_was_offered(full: Stake) -> None:
    """Freed and asked for at once: the floor has not looked yet."""
    full.wait("cyd")
    full.leave("ben", "w")
    full.connect("eve")
    answer = full.sit("eve", "w", 1)
    assert code(answer) == RoomCode.SEAT_RESERVED
    assert answer.facts == {"until": full.world.clock.now() + OFFER_MS}  # type: ignore[union-attr]
    # That he asked made the floor look: no write of the table was needed.
    full.world.tables.images.clear()
    full.settle()
    assert full.offers() == {"cyd": "w"}


def test_the_first_may_sit_before_he_is_offered_the_seat_and_the_second_not(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    assert code(full.sit("dee", "w", 1)) == RoomCode.SEAT_RESERVED
    assert isinstance(full.sit("cyd", "w", 1), Ok)
    full.settle()
    assert full.line() == ["dee"]


def test_who_comes_when_there_is_a_seat_for_each_who_waits_overtakes_nobody(world: World) -> None:
    stake = Stake(world, "w", seats=4)
    stake.seat("w", "ana")
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "wait", structure=STRUCTURE), Ok)
    stake.connect("eve", "fay", "gus")
    assert isinstance(stake.sit("eve", "w", 3), Ok)
    assert isinstance(stake.sit("fay", "w", 2), Ok)
    assert code(stake.sit("gus", "w", 1)) == RoomCode.SEAT_RESERVED


def test_who_asked_before_anybody_waited_takes_the_seat_and_the_first_keeps_his_place(
    full: Stake, monkeypatch: pytest.MonkeyPatch
) -> None:
    full.leave("ben", "w")
    full.settle()
    full.connect("eve")

    def somebody_joins() -> None:
        monkeypatch.undo()
        full.wait("cyd")
        assert full.offers() == {"cyd": "w"}

    lines = full.world.lines
    monkeypatch.setattr(lines, "line", between(lines.line, somebody_joins))
    assert isinstance(full.sit("eve", "w", 1), Ok)
    full.settle()
    assert full.seats("w") == ["ana", "eve"]
    assert full.line() == ["cyd"]
    assert full.offers() == {}
    assert full.last("cyd") == (None, True)
    full.leave("ana", "w")
    full.settle()
    assert full.last("cyd") == ("w", True)


def test_a_seat_that_is_freed_while_he_asks_is_decided_anew(
    full: Stake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He read the table before it was freed, and the line before somebody joined it."""
    full.connect("eve")

    def freed() -> None:
        monkeypatch.undo()
        full.wait("cyd")
        full.leave("ben", "w")

    tables = full.world.tables
    monkeypatch.setattr(tables, "load", between(tables.load, freed))
    # By then the seat is free and cyd's.
    assert code(full.sit("eve", "w", 1)) in (Code.SEAT_TAKEN, RoomCode.SEAT_RESERVED)
    full.settle()
    assert full.offers() == {"cyd": "w"}


def test_of_two_who_come_at_once_one_finds_the_kept_seat(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seats, one on offer: the second is decided anew on what the first has left."""
    stake = Stake(world, "w", seats=3)
    stake.seat("w", "ana")
    stake.wait("cyd")
    stake.connect("eve", "fay")

    def another_comes() -> None:
        monkeypatch.undo()
        assert isinstance(stake.sit("fay", "w", 1), Ok)

    monkeypatch.setattr(world.tables, "load", between(world.tables.load, another_comes))
    assert code(stake.sit("eve", "w", 2)) == RoomCode.SEAT_RESERVED
    assert isinstance(stake.sit("cyd", "w", 2), Ok)


# ------------------------------------------------------------------ offers that come to nothing


def test_an_offer_is_taken_on_any_device_and_once(full: Stake) -> None:
    full.wait("cyd", "dee")
    full.world.connect("cyd-phone", "cyd")
    full.leave("ben", "w")
    full.settle()
    assert isinstance(full.sit("cyd", "w", 1, on="cyd-phone"), Ok)
    assert code(full.sit("cyd", "w", 1)) == Code.ALREADY_SEATED
    assert full.world.balance("cyd") == full.world.balance("ana")
    full.leave("ana", "w")
    full.settle()
    assert full.offers() == {"dee": "w"}


def test_a_repeated_sit_after_he_left_does_not_end_his_new_waiting(full: Stake) -> None:
    full.leave("ben", "w")
    full.connect("cyd")
    assert isinstance(full.sit("cyd", "w", 1, id="once"), Ok)
    full.leave("cyd", "w")
    full.seat("w", "eve")
    full.wait("cyd")
    assert isinstance(full.sit("cyd", "w", 1, id="once"), Ok)
    assert full.line() == ["cyd"]


def test_who_sits_down_elsewhere_frees_what_was_kept_for_him(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana", "bob")
    stake.seat("b", "ben")
    stake.wait("cyd", "dee")
    assert stake.offers() == {"cyd": "a", "dee": "b"}
    assert isinstance(stake.sit("cyd", "b", 1), Ok)
    stake.settle()
    assert stake.line() == ["dee"]
    stake.connect("eve")
    assert isinstance(stake.sit("eve", "a", 2), Ok)
    assert isinstance(stake.sit("dee", "b", 2), Ok)


def test_who_sat_down_unnoticed_is_taken_off_the_line(
    full: Stake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His own command was killed after the write: the floor sees him in his seat."""
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.settle()
    with monkeypatch.context() as patch:
        patch.setattr(full.world.lines, "leave", lambda *_: None)
        assert isinstance(full.sit("cyd", "w", 1), Ok)
    assert full.line() == ["cyd", "dee"]
    full.settle()
    assert full.line() == ["dee"]
    assert len(full.told("cyd")) == 1


@pytest.mark.parametrize("how", ["close", "freeze"])
def test_a_table_that_closes_or_freezes_takes_its_offers_back(world: World, how: str) -> None:
    stake = Stake(world, "a", "b")
    stake.seat("a", "ana", "bob")
    stake.seat("b", "ben", "eve")
    stake.wait("cyd", "dee")
    stake.leave("bob", "a")
    stake.settle()
    assert stake.offers() == {"cyd": "a"}
    getattr(world.dealer, how)("a")
    stake.settle()
    assert stake.offers() == {}
    assert stake.last("cyd") == (None, True)
    refused = stake.sit("cyd", "a", 1)
    assert code(refused) == (Code.TABLE_CLOSING if how == "close" else Code.TABLE_FROZEN)
    stake.leave("eve", "b")
    stake.settle()
    assert stake.last("cyd") == ("b", True)
    assert stake.line() == ["cyd", "dee"]


def test_a_thawed_table_is_offered_again(full: Stake) -> None:
    full.world.dealer.freeze("w")
    full.leave("ben", "w")
    full.settle()
    full.wait("cyd")
    assert full.offers() == {}
    full.world.dealer.thaw("w")
    full.settle()
    assert full.offers() == {"cyd": "w"}


@pytest.mark.parametrize("how", [RoomCode.SUSPENDED, RoomCode.EXCLUDED])
def test_who_may_not_play_any_more_is_passed_over_after_his_time(
    full: Stake, how: RoomCode
) -> None:
    full.wait("cyd", "dee")
    if how is RoomCode.SUSPENDED:
        full.world.bank.suspend("cyd", ORDER)
    else:
        until = full.world.clock.now() + 90_000_000
        assert isinstance(full.world.say("cyd", "limits", exclude_until=until), Ok)
    full.leave("ben", "w")
    full.settle()
    assert full.offers() == {"cyd": "w"}
    assert code(full.sit("cyd", "w", 1)) == how
    assert code(full.world.say("cyd", "wait", structure=STRUCTURE)) == how
    full.later(OFFER_MS + 2_000)
    assert full.offers() == {"dee": "w"}


@pytest.mark.parametrize("lost", ["the freed seat's", "the offer's end"])
def test_an_errand_that_is_lost_is_made_good_by_the_sweep(full: Stake, lost: str) -> None:
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    if lost == "the freed seat's":
        full.world.stream()
    else:
        full.settle()
        full.world.clock.go(OFFER_MS)
    full.errands.clear()
    full.world.sweep.run()
    full.settle()
    assert full.offers() == {"cyd" if lost == "the freed seat's" else "dee": "w"}


def test_the_floor_looks_when_seats_change_and_not_while_a_hand_is_played(world: World) -> None:
    def asked() -> int:
        world.stream()
        count = [json.loads(body)["do"] for body in world.floor_queue.bodies].count("stake")
        world.floor_queue.bodies.clear()
        return count

    world.seat("ana", "ben")
    assert asked() == 2
    world.deal()
    world.play_out()
    assert isinstance(world.say("ana", "sitout"), Ok)
    assert asked() == 0
    for changes in (world.dealer.freeze, world.dealer.thaw):
        changes("t")
        assert asked() == 1
    assert isinstance(world.say("ana", "leave"), Ok)
    assert asked() == 1
    world.dealer.close("t")
    assert asked() == 1


def test_an_offer_of_which_nobody_was_told_costs_no_place(
    full: Stake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floor died before it told him, and its errands came back a minute later."""
    full.wait("cyd", "dee")
    full.leave("ben", "w")
    full.world.stream()
    with monkeypatch.context() as patch:
        patch.setattr(full.world.stakes, "_tell", lambda *_: 1 / 0)
        ((_, errand),) = full.errands
        assert full.world.floor.deliver([("m", errand)]) == ["m"]
    assert full.told("cyd") == []
    full.errands.clear()
    full.world.clock.go(2 * OFFER_MS)
    full.world.connect("eve", "eve")
    assert _waiting(full, "cyd")["place"] == 1
    full.errands.clear()
    assert code(full.sit("eve", "w", 1)) == RoomCode.SEAT_RESERVED
    assert full.world.floor.deliver([("m", errand)]) == []
    assert full.line() == ["cyd", "dee"]
    assert full.last("cyd") == ("w", True)
    assert isinstance(full.sit("cyd", "w", 1), Ok)


def test_a_damaged_place_in_the_line_spoils_no_other(full: Stake) -> None:
    full.world.tables._client.put_item(
        TableName="cardroom",
        Item={"pk": {"S": f"WAIT#{STRUCTURE}"}, "sk": {"S": "bad"}, "since": {"S": "x"}},
    )
    full.wait("cyd")
    full.leave("ben", "w")
    full.settle()
    assert full.offers() == {"cyd": "w"}


def test_a_stake_without_a_table_has_no_line(full: Stake) -> None:
    """While its tables close all keep their places; then everybody is told that it is over."""
    full.wait("cyd", "dee")
    full.world.dealer.freeze("w")
    full.settle()
    assert full.line() == ["cyd", "dee"]
    full.world.dealer.close("w")
    full.settle()
    assert full.line() == []
    assert full.last("cyd") == full.last("dee") == (None, False)
    assert full.world.signals.counts["LineClosed"] == 2


def test_a_table_that_cannot_be_read_ends_no_line(full: Stake) -> None:
    full.wait("cyd")
    for partition, sort, name in (("LISTED", "w", "row"), ("TABLE#w", "STATE", "state")):
        full.world.tables._client.update_item(
            TableName="cardroom",
            Key={"pk": {"S": partition}, "sk": {"S": sort}},
            UpdateExpression="SET #name = :bad",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues={":bad": {"S": "?"}},
        )
    full.world.stakes.serve(STRUCTURE)
    assert full.line() == ["cyd"]
