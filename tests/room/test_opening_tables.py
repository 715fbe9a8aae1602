"""Tables that open and close by themselves."""

import threading
from collections.abc import Callable

import pytest

from cardroom.messages import Ok
from cardroom.supply import next_id
from cardroom.tables import MOST_TABLES, open_table
from cardroom.waiting import OFFER_MS
from poker_engine.stakes import table_settings
from tests.room.faults import cancel
from tests.room.meeting import Meeting
from tests.room.stake import CHIPS, STAKES, STRUCTURE, Stake
from tests.room.world import World


def _tables(world: World) -> list[str]:
    return [row.table for row in world.tables.rows() if row.structure == STRUCTURE]


# ------------------------------------------------------------------ opening


def test_when_the_last_seat_is_taken_another_table_opens(world: World) -> None:
    stake = Stake(world, "w", most=5)
    stake.seat("w", "ana")
    assert _tables(world) == ["w"]
    world.clock.go(5_000)
    stake.seat("w", "ben")
    assert _tables(world) == ["w", "w-2"]
    first, second = world.tables.meta("w"), world.tables.meta("w-2")
    assert first is not None
    assert second is not None
    assert (first.base, second.base) == ("", "w")
    assert second.settings == first.settings
    assert second.most == first.most == 5
    assert second.at == first.at + 5_000
    stake.seat("w-2", "cyd", "dee")
    assert _tables(world) == ["w", "w-2", "w-3"]


def test_while_a_seat_is_free_none_opens(world: World) -> None:
    stake = Stake(world, "a", "b", most=5)
    stake.seat("a", "ana", "ben")
    stake.wait("cyd")
    assert _tables(world) == ["a", "b"]
    assert stake.offers() == {"cyd": "b"}


def test_another_stakes_tables_do_not_count(world: World) -> None:
    """The world's own table is free."""
    stake = Stake(world, "w", most=2)
    stake.seat("w", "ana", "ben")
    assert _tables(world) == ["w", "w-2"]
    assert "t-2" not in world.tables.listed()


def test_the_next_table_is_offered_to_who_waits(world: World) -> None:
    """The last seat is taken by a walk-in, before the floor has looked; somebody waits."""
    stake = Stake(world, "w", most=2)
    stake.connect("ana", "ben", "cyd")
    assert isinstance(stake.sit("ana", "w", 0), Ok)
    assert isinstance(stake.sit("ben", "w", 1), Ok)
    assert isinstance(world.say("cyd", "wait", structure=STRUCTURE), Ok)
    stake.settle()
    assert stake.offers() == {"cyd": "w-2"}
    assert isinstance(stake.sit("cyd", "w-2", 0), Ok)


@pytest.mark.parametrize("most", [1, 3])
def test_up_to_as_many_as_the_operator_said(world: World, most: int) -> None:
    stake = Stake(world, "w", most=most)
    for number in range(most):
        table = f"w-{number + 1}" if number else "w"
        stake.seat(table, f"a{number}", f"b{number}")
    assert len(_tables(world)) == most
    stake.wait("cyd")
    assert stake.offers() == {}


def test_ten_unless_he_said_anything(world: World) -> None:
    assert open_table(world.tables, "x", table_settings(STAKES), world.clock.now())
    meta = world.tables.meta("x")
    assert meta is not None
    assert meta.most == MOST_TABLES == 10


def test_older_tables_make_no_others(world: World) -> None:
    stake = Stake(world, "w", most=5)
    world.tables._client.update_item(
        TableName="cardroom",
        Key={"pk": {"S": "TABLE#w"}, "sk": {"S": "META"}},
        UpdateExpression="REMOVE most",
    )
    stake.seat("w", "ana", "ben")
    assert _tables(world) == ["w"]


@pytest.mark.parametrize("how", ["close", "freeze"])
def test_a_table_that_takes_nobody_counts_as_none(world: World, how: str) -> None:
    """With no other table nothing opens: the operator wants it so."""
    stake = Stake(world, "w", most=5)
    stake.seat("w", "ana")
    getattr(world.dealer, how)("w")
    stake.settle()
    assert _tables(world) == ([] if how == "close" else ["w"])


def test_they_are_like_the_operators_first_one(world: World) -> None:
    stake = Stake(world, "b", seats=2, most=9)
    world.clock.go(1)
    stake.open("a", seats=3, most=1)
    stake.seat("b", "ana", "ben")
    stake.seat("a", "cyd", "dee", "eve")
    assert _tables(world) == ["a", "b", "b-2"]
    assert stake.seats("b-2") == [None, None]


def test_when_he_has_closed_his_own_they_go_on_under_its_name(world: World) -> None:
    stake = Stake(world, "w", most=5)
    stake.seat("w", "ana", "ben")
    world.dealer.close("w")
    stake.settle()
    assert _tables(world) == ["w-2"]
    stake.seat("w-2", "ana", "ben")
    assert _tables(world) == ["w-2", "w-3"]


def test_two_errands_at_once_open_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stake = Stake(world, "w", most=9)
    stake.connect("ana", "ben")
    assert isinstance(stake.sit("ana", "w", 0), Ok)
    assert isinstance(stake.sit("ben", "w", 1), Ok)
    world.stream()
    with monkeypatch.context() as patch:
        patch.setattr(world.tables, "meta", Meeting(world.tables.meta))
        threads = [
            threading.Thread(target=world.new_stakes().serve, args=(STRUCTURE,)) for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert _tables(world) == ["w", "w-2"]


@pytest.mark.parametrize("when", ["before the name", "after the name"])
def test_one_that_was_held_up_opens_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """It saw all tables full; another has opened one since."""
    stake = Stake(world, "w", most=9)
    stake.connect("ana", "ben")
    assert isinstance(stake.sit("ana", "w", 0), Ok)
    assert isinstance(stake.sit("ben", "w", 1), Ok)
    world.stream()
    late = world.new_stakes()
    real = world.tables.meta if when == "before the name" else world.tables.load
    looked = 0

    def held_up(table_id: str) -> object:
        nonlocal looked
        found = real(table_id)
        looked += table_id == ("w" if when == "before the name" else "w-2")
        if looked == 1:
            looked = 2
            monkeypatch.undo()
            stake.settle()
        return found

    name = "meta" if when == "before the name" else "load"
    monkeypatch.setattr(world.tables, name, held_up)
    late.serve(STRUCTURE)
    assert looked == 2
    assert _tables(world) == ["w", "w-2"]
    assert world.tables.load("w-3") is None


@pytest.mark.parametrize("used", [1, 2, 3, 4, 7, 8, 31, 100])
def test_names_are_used_one_after_the_other(used: int) -> None:
    asked: list[str] = []

    def taken(name: str) -> bool:
        asked.append(name)
        return int(name.removeprefix("php-5-10-")) <= used

    assert next_id("php-5-10", taken) == f"php-5-10-{used + 1}"
    assert len(asked) <= 2 * used.bit_length() + 1


@pytest.mark.parametrize("partition", ["TABLE#w-2", "LISTED"])
def test_a_name_under_which_something_was_left_is_passed_over(world: World, partition: str) -> None:
    """A table's META or place in the list, of which the rest is lost: it keeps the stake from
    nothing, and the floor at no work without end.
    """
    stake = Stake(world, "w", most=5)
    sort = "w-2" if partition == "LISTED" else "META"
    left = {"pk": {"S": partition}, "sk": {"S": sort}}
    world.tables._client.put_item(TableName="cardroom", Item=left)
    stake.connect("ana", "ben")
    for seat, player in enumerate(("ana", "ben")):
        assert isinstance(stake.sit(player, "w", seat), Ok)
    world.stream()
    stake.errands.clear()
    floor = world.new_stakes()
    floor.serve(STRUCTURE)
    assert _tables(world) == ["w", "w-3"]
    assert not [errand for errand in stake.errands if errand[0] > world.clock.now()]
    world.stream()
    floor.serve(STRUCTURE)
    assert _tables(world) == ["w", "w-3"]


def test_a_long_name_is_cut() -> None:
    assert next_id("x" * 32, lambda _: False) == "x" * 30 + "-2"


# ------------------------------------------------------------------ closing


def _three(world: World) -> Stake:
    """The operator's `w`, and `w-2` and `w-3` that opened by themselves; all but `w-3` full."""
    stake = Stake(world, "w", most=9)
    stake.seat("w", "ana", "ben")
    world.clock.go(1)
    stake.seat("w-2", "cyd", "dee")
    return stake


def test_one_empty_table_is_kept_and_no_more(world: World) -> None:
    stake = _three(world)
    stake.leave("cyd", "w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-2", "w-3"]
    stake.leave("dee", "w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-2"]
    closed = world.tables.load("w-3")
    assert closed is not None
    assert closed.table.closed
    assert not stake.errands


def test_the_operators_own_stay(world: World) -> None:
    stake = _three(world)
    for player, table in (("ana", "w"), ("ben", "w"), ("cyd", "w-2"), ("dee", "w-2")):
        stake.leave(player, table)
    stake.settle()
    assert _tables(world) == ["w"]
    stake.open("v")
    world.new_stakes().serve(STRUCTURE)
    assert _tables(world) == ["v", "w"]


def test_many_empty_tables_of_the_operators_are_looked_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may stand there for years: no errand of their stake reads them all again."""
    names = [f"w{number}" for number in range(5)]
    stake = Stake(world, *names)
    floor, read = world.new_stakes(), list[str]()

    def noted[Found](what: Callable[[str], Found]) -> Callable[[str], Found]:
        def look(table_id: str) -> Found:
            read.append(table_id)
            return what(table_id)

        return look

    for what in ("load", "meta"):
        monkeypatch.setattr(world.tables, what, noted(getattr(world.tables, what)))
    floor.serve(STRUCTURE)
    assert sorted(read) == names
    read.clear()
    floor.serve(STRUCTURE)
    assert read == []
    # One that opens later is looked at, once as well.
    stake.open("v")
    floor.serve(STRUCTURE)
    assert read == ["v"]
    assert _tables(world) == ["v", *names]


def test_a_frozen_one_stands_empty_for_nobody(world: World) -> None:
    stake = Stake(world, "w", most=9)
    stake.seat("w", "ana", "ben")
    world.dealer.freeze("w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-2", "w-3"]
    stake.leave("ana", "w")
    stake.settle()
    assert _tables(world) == ["w", "w-2", "w-3"]


def test_an_id_is_not_used_again(world: World) -> None:
    stake = _three(world)
    stake.leave("cyd", "w-2")
    stake.leave("dee", "w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-2"]
    stake.seat("w-2", "eve", "fay")
    assert _tables(world) == ["w", "w-2", "w-4"]


def test_a_table_on_offer_is_not_closed(world: World) -> None:
    """Its seat is kept for one who has been offered it; when he lets it pass, it closes."""
    stake = Stake(world, "w", most=9)
    stake.connect("ana", "ben")
    assert isinstance(stake.sit("ana", "w", 0), Ok)
    assert isinstance(stake.sit("ben", "w", 1), Ok)
    stake.wait("cyd")
    assert stake.offers() == {"cyd": "w-2"}
    stake.leave("ana", "w")
    stake.leave("ben", "w")
    stake.settle()
    assert _tables(world) == ["w", "w-2"]
    assert stake.last("cyd") == ("w-2", True)
    stake.later(OFFER_MS + 2_000)
    assert stake.last("cyd") == (None, False)
    assert _tables(world) == ["w"]


def test_who_sits_down_as_it_closes_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The floor has seen it empty: the write that would close it is decided anew."""
    stake = _three(world)
    stake.connect("eve")
    stake.leave("cyd", "w-2")
    stake.leave("dee", "w-2")
    world.stream()
    real: Callable[[str], object] = world.tables.load
    seen = 0

    def sits(table_id: str) -> object:
        nonlocal seen
        found = real(table_id)
        seen += table_id == "w-3"
        if seen == 2:  # The look; then what the closing itself reads first.
            monkeypatch.undo()
            assert isinstance(stake.sit("eve", "w-3", 0), Ok)
        return found

    monkeypatch.setattr(world.tables, "load", sits)
    stake.settle()
    assert seen == 2
    assert stake.seats("w-3") == ["eve", None]
    assert "w-3" in _tables(world)
    assert world.balance("eve") == world.balance("ana")


def test_it_is_not_closed_before_all_is_paid(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The floor moves no money: the sweep pays, and then it closes."""
    stake = _three(world)
    stake.seat("w-3", "eve")
    stake.leave("ana", "w")
    stake.leave("ben", "w")
    stake.leave("cyd", "w-2")
    stake.leave("dee", "w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-3"]
    before = world.balance("eve")
    with monkeypatch.context() as patch:
        cancel(world, patch, "USER#eve", 3)
        stake.leave("eve", "w-3")
    stake.settle()
    assert _tables(world) == ["w", "w-3"]
    world.clock.go(5_000)
    world.sweep.run()
    assert world.balance("eve") == before + CHIPS
    stake.settle()
    assert _tables(world) == ["w"]


def test_a_wallet_that_cannot_be_paid_keeps_no_other_table_open(world: World) -> None:
    stake = _three(world)
    stake.seat("w-3", "eve")
    world.tables._client.update_item(
        TableName="cardroom",
        Key={"pk": {"S": "USER#eve"}, "sk": {"S": "WALLET#PHP"}},
        UpdateExpression="SET balance = :bad",
        ExpressionAttributeValues={":bad": {"S": "?"}},
    )
    stake.leave("eve", "w-3")
    stake.leave("cyd", "w-2")
    stake.leave("dee", "w-2")
    stake.settle()
    assert _tables(world) == ["w", "w-3"]
    stake.leave("ana", "w")
    stake.settle()
    owed = world.tables.load("w-3")
    assert owed is not None
    assert [one.player for one in owed.leaving] == ["eve"]
    assert _tables(world) == ["w", "w-3"]
