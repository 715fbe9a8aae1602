"""A seat at the best table of a stake, without choosing one."""

from typing import Any

import pytest

from cardroom.bank import Order
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from poker_engine.errors import Code
from tests.room.faults import cancel
from tests.room.stake import CHIPS, STRUCTURE, Stake, between, code
from tests.room.world import World


def _quick(world: World, player: str, **more: Any) -> Ok | Error:
    world.connect(player, player)
    fields = {"structure": STRUCTURE, "chips": CHIPS, **more}
    return world.say(player, "quickseat", **fields)


def _where(answer: Ok | Error) -> tuple[str | None, int | None]:
    assert isinstance(answer, Ok), answer
    return answer.table, answer.seat


def test_the_best_table_with_a_free_seat(world: World) -> None:
    stake = Stake(world, "a", "b", "c", seats=3)
    stake.seat("a", "ana")
    stake.seat("b", "ben", "bob")
    stake.seat("c", "cyd", "cat", "con")
    answer = _quick(world, "dee", post=True)
    assert _where(answer) == ("b", 2)
    assert isinstance(answer, Ok)
    assert answer.snapshot is not None
    assert answer.snapshot["seq"] == answer.seq
    assert answer.snapshot["state"]["seats"][2]["player"] == "dee"
    assert answer.snapshot["state"]["seats"][2]["stack"] == CHIPS
    stake.settle()
    assert _where(_quick(world, "eve")) == ("a", 1)
    assert world.balance("dee") == world.balance("eve") == world.balance("ana")


def test_he_is_subscribed_from_his_seat(world: World) -> None:
    Stake(world, "a")
    assert _where(_quick(world, "dee")) == ("a", 0)
    audience = world.views.audience("a", world.clock.now())
    assert [viewer.player for viewer in audience.seated] == ["dee"]


def test_not_where_he_has_a_seat(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana", "dee")
    assert _where(_quick(world, "dee")) == ("b", 0)
    stake.settle()
    assert code(_quick(world, "dee")) == RoomCode.ALL_FULL


def test_nor_where_it_is_closing_or_frozen(world: World) -> None:
    stake = Stake(world, "a", "b", "c", seats=3)
    stake.seat("a", "ana", "bob")
    stake.seat("b", "ben")
    world.dealer.freeze("a")
    assert _where(_quick(world, "dee")) == ("b", 1)  # Though the lobby does not know of it yet.
    world.dealer.close("b")
    stake.settle()
    assert _where(_quick(world, "eve")) == ("c", 0)


@pytest.mark.parametrize("full", ["all_full", "frozen"])
def test_no_seat_at_all(world: World, full: str) -> None:
    stake = Stake(world, "a")
    if full == "frozen":
        world.dealer.freeze("a")
    else:
        stake.seat("a", "ana", "ben")
    assert code(_quick(world, "dee")) == RoomCode.ALL_FULL


def test_no_such_stake(world: World) -> None:
    answer = _quick(world, "dee", structure="nl-USD-100-200")
    assert code(answer) == RoomCode.UNKNOWN_STAKE


def test_guests_do_not_play(world: World) -> None:
    Stake(world, "a")
    answer = world.say("", "quickseat", on="guest", structure=STRUCTURE, chips=CHIPS)
    assert code(answer) == RoomCode.NOT_ALLOWED


def test_what_the_table_refuses_is_told_as_it_is(world: World) -> None:
    stake = Stake(world, "a", "b")
    stake.connect("dee", "poor")
    assert code(_quick(world, "dee", chips=1)) == Code.BUY_IN_TOO_SMALL
    assert code(_quick(world, "dee", chips=10**9)) == Code.BUY_IN_TOO_LARGE
    world.fund("broke", amount=CHIPS - 1)
    answer = _quick(world, "broke")
    assert code(answer) == RoomCode.INSUFFICIENT_FUNDS
    world.bank.suspend("dee", Order("test", "because"))
    assert code(_quick(world, "dee")) == RoomCode.SUSPENDED
    assert stake.seats("a") == stake.seats("b") == [None, None]


@pytest.mark.rule("1.4")
def test_who_comes_back_brings_what_he_left_with(world: World) -> None:
    stake = Stake(world, "a", "b")
    assert _where(_quick(world, "dee")) == ("a", 0)
    stake.leave("dee", "a")
    assert code(_quick(world, "dee", chips=CHIPS - 1)) == Code.BUY_IN_FIXED


# ------------------------------------------------------------------ those who wait


def test_seats_that_are_kept_are_passed_over(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana", "bob")
    stake.seat("b", "ben")
    stake.wait("cyd")
    assert stake.offers() == {"cyd": "a"}
    assert _where(_quick(world, "dee")) == ("b", 1)
    stake.settle()
    assert code(stake.sit("eve", "a", 2)) == RoomCode.SEAT_RESERVED


def test_where_all_are_kept_he_has_to_wait(world: World) -> None:
    stake = Stake(world, "a")
    stake.seat("a", "ana")
    stake.wait("cyd")
    assert code(_quick(world, "dee")) == RoomCode.ALL_FULL
    assert stake.seats("a") == ["ana", None]


def test_his_own_offer_comes_first(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana", "bob")
    stake.wait("cyd", "dee")
    assert stake.offers() == {"cyd": "a", "dee": "b"}
    stake.leave("bob", "a")
    stake.settle()
    assert _where(_quick(world, "dee")) == ("b", 0)
    assert _where(_quick(world, "cyd"))[0] == "a"
    stake.settle()
    assert stake.line() == []


# ------------------------------------------------------------------ races and repetitions


def test_when_the_seat_is_taken_meanwhile_the_next_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    stake = Stake(world, "a", "b", seats=3)
    stake.seat("a", "ana")
    stake.connect("eve", "fay")

    def taken() -> None:
        monkeypatch.undo()
        assert isinstance(stake.sit("eve", "a", 1), Ok)

    monkeypatch.setattr(world.tables, "load", between(world.tables.load, taken))
    assert _where(_quick(world, "dee")) == ("a", 2)
    assert _where(_quick(world, "gus")) == ("b", 0)


def test_when_the_table_is_full_meanwhile_the_next_one(world: World) -> None:
    stake = Stake(world, "a", "b")
    stake.seat("a", "ana")
    stake.connect("eve")
    assert isinstance(stake.sit("eve", "a", 1), Ok)  # The lobby does not know of it yet.
    assert _where(_quick(world, "dee")) == ("b", 0)


def test_asked_again_he_is_seated_and_charged_once(world: World) -> None:
    stake = Stake(world, "a", "b", seats=3)
    first = _quick(world, "dee", id="once")
    assert _where(first) == ("a", 0)
    balance = world.balance("dee")
    stake.seat("b", "ana", "ben")  # Better by now.
    assert _quick(world, "dee", id="once") == first
    assert world.balance("dee") == balance
    stake.leave("dee", "a")
    again = _quick(world, "dee", id="once")
    assert _where(again) == ("a", None)
    assert isinstance(again, Ok)
    assert isinstance(first, Ok)
    assert again.seq == first.seq
    assert stake.seats("a") == [None, None, None]


def test_under_one_id_at_once_he_is_seated_at_one_table(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try has seen no entry when the second, sent again, takes a seat elsewhere."""
    stake = Stake(world, "a", "b")
    stake.connect("dee", "ben")
    balance = world.balance("dee")

    def again() -> None:
        monkeypatch.undo()
        assert isinstance(stake.sit("ben", "b", 0), Ok)
        stake.settle()
        assert _where(_quick(world, "dee", id="once")) == ("b", 1)

    listed = world.tables.rows
    monkeypatch.setattr(world.tables, "rows", between(listed, again))
    assert _where(_quick(world, "dee", id="once")) == ("b", 1)
    assert stake.seats("a") == [None, None]
    assert world.balance("dee") == balance - CHIPS


@pytest.mark.parametrize("other", [{"chips": CHIPS + 1}, {"structure": "nl-PHP-500-1000"}])
def test_an_id_names_one_movement(world: World, other: dict[str, Any]) -> None:
    Stake(world, "a")
    assert _where(_quick(world, "dee", id="once")) == ("a", 0)
    assert code(_quick(world, "dee", id="once", **other)) == RoomCode.ID_USED


def test_an_id_of_a_top_up_buys_no_seat(world: World) -> None:
    stake = Stake(world, "a")
    stake.seat("a", "dee")
    assert isinstance(world.say("dee", "topup", table="a", chips=CHIPS // 4, id="top"), Ok)
    assert code(_quick(world, "dee", id="top", chips=CHIPS // 4)) == RoomCode.ID_USED


def test_a_busy_table_is_passed_over_and_told_if_there_is_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    stake = Stake(world, "a", "b")
    stake.seat("a", "ana")
    world.connect("dee", "dee")
    with monkeypatch.context() as patch:
        cancel(world, patch, "TABLE#a", 5)
        assert _where(_quick(world, "dee")) == ("b", 0)
    world.dealer.close("b")
    stake.settle()
    world.connect("eve", "eve")
    cancel(world, monkeypatch, "TABLE#a", 5)
    assert code(_quick(world, "eve")) == RoomCode.BUSY


def test_a_reply_is_lost_and_the_seat_is_his(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the write: off the line, subscribed and answered when he asks again."""
    stake = Stake(world, "a")
    stake.wait("dee")

    class Killed(BaseException):
        pass

    def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(world.lines, "leave", dies)
        with pytest.raises(Killed):
            _quick(world, "dee", id="once")
    assert stake.line() == ["dee"]
    assert _where(_quick(world, "dee", id="once")) == ("a", 0)
    assert stake.line() == []
    assert [viewer.player for viewer in world.views.audience("a", world.clock.now()).seated] == [
        "dee"
    ]
