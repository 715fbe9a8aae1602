"""What leaves a table is in its owner's wallet with the write that empties his seat."""

from typing import Any

import pytest

from cardroom.messages import Ok
from cardroom.models import RakeItem
from cardroom.money import Kind
from cardroom.store import hands
from cardroom.till import PAYING_TRIES
from poker_engine.state import Exit
from tests.room.faults import aws_error, cancel, transactions
from tests.room.world import RICH, World, settings

pytestmark = pytest.mark.usefixtures("moto")


def _all(world: World, *players: str) -> int:
    """Wallets, table and rake together."""
    rake = sum(int(item.amount) for item in RakeItem.query("RAKE#t"))
    return sum(world.balance(player) for player in players) + world.stored().chips + rake


def _silent(world: World) -> None:
    """The turn's time passes."""
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.expires)
    world.dealer.apply("t")


def _leave_in_hand(world: World, player: str) -> None:
    assert isinstance(world.say(player, "leave"), Ok)
    assert world.stored().table.seat_of(player) is not None


def test_who_leaves_between_hands_is_paid_at_once(world: World) -> None:
    world.seat("ana", chips=50_000)
    assert isinstance(world.say("ana", "leave"), Ok)
    assert world.balance("ana") == RICH
    entry = world.accounts.entries("ana")[-1]
    assert (entry.kind, entry.amount, entry.balance) == (Kind.PAY_OUT, 50_000, RICH)
    assert (entry.who, entry.why, entry.table) == ("table", "left seat 0", "t")
    stored = world.stored()
    assert (stored.chips, stored.chips_in, stored.chips_out) == (0, 50_000, 50_000)


@pytest.mark.rule("2.7")
def test_who_leaves_in_a_hand_is_paid_in_the_transaction_that_ends_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    assert isinstance(world.act("raise", to=3_000), Ok)
    assert isinstance(world.act("call"), Ok)
    assert isinstance(world.act("call"), Ok)
    _leave_in_hand(world, "ana")
    assert world.balance("ana") == RICH - 100_000
    made = transactions(world, monkeypatch)
    world.play_out()
    (parts,) = [parts for parts in made if "USER#ana" in str(parts)]
    touched = [next(iter(part.values())) for part in parts]
    named = [
        str(part.get("Item", part.get("Key"))["pk"]["S"]).split("#")[0]
        + "/"
        + str(part.get("Item", part.get("Key"))["sk"]["S"]).split("#")[0]
        for part in touched
    ]
    assert named[0] == "TABLE/STATE"
    assert sorted(name.split("/")[0] for name in named[1:3]) == ["HAND", "RAKE"]
    assert sorted(named[3:]) == ["USER/LEDGER", "USER/LEFT", "USER/WALLET"]
    (record,) = hands("t")
    assert world.balance("ana") + world.stored().chips + record.rake == RICH - 100_000 + 300_000
    assert _all(world, "ana", "ben", "cyd") == 3 * RICH


@pytest.mark.rule("4.3")
def test_who_is_removed_by_the_clock_is_paid_when_the_hand_ends(aws: None) -> None:
    world = World(settings(clock_ms=2000))
    world.seat("ana", "ben")
    for _ in range(3):
        if world.stored().table.next_hand_at is None:
            break
        world.deal()
        while world.stored().table.running is not None:
            _silent(world)
    entries = [one for name in ("ana", "ben") for one in world.accounts.entries(name)]
    paid = [one for one in entries if one.kind is Kind.PAY_OUT]
    assert [one.why.split()[0] for one in paid] == ["removed"]
    assert _all(world, "ana", "ben") == 2 * RICH


@pytest.mark.rule("2.6")
def test_who_sat_out_too_long_is_paid(world: World) -> None:
    world.seat("ana", chips=50_000)
    world.say("ana", "sitout")
    world.clock.go(world.stored().table.settings.sit_out_ms + 3001)
    assert world.sweep.run() == 1
    assert world.balance("ana") == RICH
    assert world.accounts.entries("ana")[-1].why == "sat_out seat 0"


@pytest.mark.rule("2.8")
def test_a_closing_table_pays_everybody_and_binds_nobody(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    world.deal()
    world.dealer.close("t")
    assert world.balance("ana") == RICH - 50_000
    world.play_out()
    stored = world.stored()
    assert stored.table.closed
    assert stored.chips == 0
    assert _all(world, "ana", "ben", "cyd") == 3 * RICH
    structure = stored.table.settings.stakes.structure
    assert [world.tables.departures(name, structure) for name in ("ana", "ben", "cyd")] == [()] * 3


def test_ten_who_leave_in_one_hand_make_33_items(
    aws: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(settings(seats=10))
    players = [f"p{number}" for number in range(10)]
    world.seat(*players)
    world.deal()
    for _ in players[:-1]:
        assert isinstance(world.act("call"), Ok)
    assert isinstance(world.act("check"), Ok)
    made = transactions(world, monkeypatch)
    for player in players:
        assert isinstance(world.say(player, "leave"), Ok)
    assert all(seat is None for seat in world.stored().table.seats)
    assert max(len(parts) for parts in made) == 33
    assert _all(world, *players) == 10 * RICH


def test_who_left_with_nothing_is_paid_nothing(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.deal()
    world.act("raise", to=50_000)
    world.act("call")
    loser = next(
        name
        for name in ("ana", "ben")
        for seat in [world.stored().table.seats[world.stored().table.seat_of(name) or 0]]
        if seat is not None and seat.stack == 0
    )
    ledger = world.accounts.entries(loser)
    assert isinstance(world.say(loser, "leave"), Ok)
    assert world.accounts.entries(loser) == ledger
    assert _all(world, "ana", "ben") == 2 * RICH


@pytest.mark.parametrize("code", ["TransactionConflict", "ConditionalCheckFailed"])
@pytest.mark.parametrize("times", [1, PAYING_TRIES - 1])
def test_a_wallet_in_motion_is_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str, times: int
) -> None:
    world.seat("ana", "ben", chips=50_000)
    cancel(world, monkeypatch, "WALLET#", times, code)
    assert isinstance(world.say("ana", "leave"), Ok)
    assert world.balance("ana") == RICH
    assert world.stored().leaving == ()
    assert world.signals.counts["Conflict"] == times


def test_after_three_conflicts_the_hand_ends_all_the_same_and_the_next_write_pays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    _leave_in_hand(world, "ana")
    with monkeypatch.context() as patch:
        cancel(world, patch, "USER#ana", PAYING_TRIES)
        world.play_out()
    stored = world.stored()
    assert stored.table.seat_of("ana") is None
    (one,) = stored.leaving
    assert (one.player, one.exit, one.version) == ("ana", Exit.LEFT, stored.version)
    assert stored.chips == stored.chips_in - stored.chips_out
    assert world.balance("ana") == RICH - 100_000
    assert len(hands("t")) == 1
    assert world.signals.counts["Unpaid"] == 1
    assert _all(world, "ana", "ben", "cyd") == 3 * RICH
    assert isinstance(world.say("ben", "sitout"), Ok)
    assert world.stored().leaving == ()
    assert world.balance("ana") == RICH - 100_000 + one.chips
    assert _all(world, "ana", "ben", "cyd") == 3 * RICH


def test_the_sweep_pays_what_no_write_came_to_pay(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", chips=50_000)
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        assert isinstance(world.say("ana", "leave"), Ok)
    assert world.balance("ana") == RICH - 50_000
    assert world.sweep.run() == 0
    world.clock.go(3_001)
    assert world.sweep.run() == 1
    assert world.balance("ana") == RICH
    assert world.stored().leaving == ()
    assert world.timers.started == {}
    assert world.sweep.run() == 0


def test_paying_starts_no_second_clock(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", "ben", "cyd")
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        assert isinstance(world.say("cyd", "leave"), Ok)
    (one,) = world.stored().leaving
    world.deal()
    assert world.stored().leaving == () or one in world.stored().leaving
    world.clock.go(3_001)
    world.sweep.run()
    assert world.stored().leaving == ()
    assert world.timers.started == {}


def test_a_write_without_an_event_tells_nobody_anything(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.say("ben", "sitout")
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        assert isinstance(world.say("ana", "leave"), Ok)
    world.stream()
    world.push.posts.clear()
    seq = world.stored().table.seq
    assert world.say("ben", "sync", id="s", seq=seq) == Ok(type="ok", id="s", seq=seq)
    assert world.balance("ana") == RICH
    world.stream()
    assert world.push.posts == []


def test_a_payment_of_which_nobody_knows_is_made_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for written in (True, False):
        name = f"p{written}"
        world.connect(name, name)
        assert isinstance(world.say(name, "sit", seat=0, chips=50_000), Ok)
        client = world.tables._client
        real, failed = client.transact_write_items, False

        def broken(_written: bool = written, _real: Any = real, **call: Any) -> Any:
            nonlocal failed
            if failed:
                return _real(**call)
            failed = True
            if _written:
                _real(**call)
            raise aws_error("InternalServerError", 500)

        with monkeypatch.context() as patch:
            patch.setattr(client, "transact_write_items", broken)
            assert isinstance(world.say(name, "leave"), Ok)
        assert failed
        assert world.balance(name) == RICH
        assert len(world.accounts.entries(name)) == 3


def test_a_damaged_wallet_holds_up_no_table(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    key = {"pk": {"S": "USER#ana"}, "sk": {"S": "WALLET#PHP"}}
    world.tables._client.put_item(TableName="cardroom", Item={**key, "balance": {"S": "much"}})
    _leave_in_hand(world, "ana")
    _leave_in_hand(world, "ben")
    world.play_out()
    assert world.stored().table.seats[:2] == (None, None)
    assert [one.player for one in world.stored().leaving] == ["ana"]
    assert world.balance("ben") > RICH - 100_000
    assert isinstance(world.say("cyd", "sitout"), Ok)
    assert "Conflict" not in world.signals.counts


def test_who_comes_back_before_he_was_paid_pays_with_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One write: paid and charged."""
    world.fund("ana", amount=100_000)
    assert isinstance(world.say("ana", "sit", seat=0, chips=100_000), Ok)
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        assert isinstance(world.say("ana", "leave"), Ok)
    assert world.balance("ana") == 0
    assert isinstance(world.say("ana", "sit", seat=2, chips=100_000), Ok)
    assert world.balance("ana") == 0
    assert world.stored().leaving == ()
    entries = world.accounts.entries("ana")
    assert [(one.number, one.amount, one.balance) for one in entries] == [
        (1, 100_000, 100_000),
        (2, -100_000, 0),
        (3, 100_000, 100_000),
        (4, -100_000, 0),
    ]


@pytest.mark.rule("4.5")
def test_conflicts_shortly_before_the_deadline_cost_no_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TransactionConflict twice, 300 ms before the deadline that is shown."""
    world.seat("ana", "ben", "cyd")
    world.deal()
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.deadline - 300)
    monkeypatch.setattr(world.clock, "pause", world.clock.go)
    client = world.tables._client
    real, times = client.put_item, 2

    def broken(**call: Any) -> Any:
        nonlocal times
        if times:
            times -= 1
            raise aws_error("TransactionConflictException")
        return real(**call)

    monkeypatch.setattr(client, "put_item", broken)
    assert isinstance(world.act("call"), Ok)
    assert times == 0
    assert "InternalError" not in world.signals.counts


@pytest.mark.rule("4.5")
def test_nor_do_they_where_the_action_ends_the_hand(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole transaction is refused twice, and the waits last beyond the end of the turn."""
    world.seat("ana", "ben")
    world.deal()
    assert isinstance(world.act("raise", to=3_000), Ok)
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    acts = world.stored().table.seats[hand.turn.seat]
    assert acts is not None
    other = "ben" if acts.player == "ana" else "ana"
    assert isinstance(world.say(other, "leave"), Ok)
    world.clock.go_to(hand.turn.deadline - 300)
    monkeypatch.setattr(world.clock, "pause", lambda ms: world.clock.go(1_500))
    cancel(world, monkeypatch, "STATE", 2)
    assert isinstance(world.act("fold"), Ok)
    assert world.clock.now() > hand.turn.expires
    assert world.signals.counts["Conflict"] == 2
    assert "InternalError" not in world.signals.counts
    assert world.stored().table.running is None
    assert world.balance(other) == RICH + 1_000 - 100
    (record,) = hands("t")
    assert "expired" not in record.events
