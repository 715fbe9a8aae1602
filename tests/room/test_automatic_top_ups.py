"""Seats that buy chips by themselves, in the write that begins a hand (RULES 10.1)."""

import io
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cardroom import keys
from cardroom.audit import check, sums
from cardroom.bank import Order
from cardroom.errors import RoomCode
from cardroom.histories import DynamoHistories
from cardroom.inventory import DynamoInventory
from cardroom.messages import Error, Ok
from cardroom.models import prime
from cardroom.money import Entry, Kind
from cardroom.store import hands
from cardroom.tables import open_table
from cardroom.till import PAYING_TRIES
from cli.cases import Case, parse_line
from cli.exporting import Format, Wanted, export
from cli.replay import replay_case
from poker_engine.blinds import lay_out
from poker_engine.codec import load_events, load_table
from poker_engine.events import HandStarted, RefillSet, SatOut, ToppedUp
from poker_engine.legal import options
from poker_engine.replay import replay
from poker_engine.stakes import fixed_limit, table_settings
from poker_engine.state import Seat, Status
from tests.engine.kit import deck_for
from tests.room.faults import aws_error, cancel, suspend_between, transactions
from tests.room.meeting import Meeting
from tests.room.world import TABLE, World, settings

pytestmark = pytest.mark.rule("10.1")

ORDER = Order("operator", "a test")
RACES = 5


@pytest.fixture(autouse=True)
def no_draw(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button goes to the first who may have it: so a deck can be laid out for a hand."""
    if "world" in request.fixturenames:
        world = request.getfixturevalue("world")
        monkeypatch.setattr(world.randomness, "below", lambda limit: 0)


def _seat(world: World, player: str, table: str = "t") -> Seat:
    stored = world.tables.load(table)
    assert stored is not None
    number = stored.table.seat_of(player)
    assert number is not None
    seat = stored.table.seats[number]
    assert seat is not None
    return seat


def _refused(answer: Ok | Error) -> tuple[str, dict[str, int] | None]:
    assert isinstance(answer, Error)
    return answer.code, answer.facts


def _auto(world: World, player: str, to: int, **more: Any) -> None:
    assert isinstance(world.say(player, "autotopup", to=to, **more), Ok)


def _bust(world: World, player: str) -> None:
    """A hand in which the player loses all that he has; whoever has more than he plays with him."""
    table = world.stored().table
    loser = table.seat_of(player)
    layout = lay_out(table, 0)
    assert loser is not None
    assert layout is not None
    (winner, *_) = [seat for seat in layout.dealt if seat != loser]
    holes = {loser: "7c2d", winner: "AsAh"}
    world.randomness.decks.append(deck_for(layout.dealt, holes, "AcKdQs9h3c"))
    world.deal()
    while (may := options(world.stored().table)) is not None:
        if may.seat not in (loser, winner):
            world.act("fold")
        elif may.max_to is not None:
            world.act(may.verb, to=may.max_to)
        else:
            world.act("check" if may.check else "call")
    assert _seat(world, player).stack == 0


def _withdraw_all_but(world: World, player: str, amount: int) -> None:
    rest = world.balance(player) - amount
    if rest:
        reference = f"out-{len(world.accounts.entries(player))}"
        world.bank.withdraw(player, "PHP", rest, reference, ORDER)
    assert world.balance(player) == amount


def _entries(world: World, player: str) -> list[Entry]:
    """Of top-ups, oldest first."""
    return [one for one in world.accounts.entries(player) if one.kind is Kind.TOP_UP]


def _kinds_of_last_write(world: World) -> list[type]:
    return [type(event) for event in world.updates()[-1].outbox.events]


def _exported() -> list[Case]:
    """The hands as `cardroom hands export --cases` writes them; each replays as it was played."""
    out, told = io.StringIO(), io.StringIO()
    export(
        DynamoHistories(TABLE, prime(TABLE).connection.client),
        ["t"],
        Wanted(),
        Format.CASES,
        out,
        told,
    )
    cases = [parse_line(line) for line in out.getvalue().splitlines()]
    assert told.getvalue() == f"{len(cases)} hands written\n"
    assert [replay_case(case).difference for case in cases] == [None] * len(cases)
    return cases


def _balanced(world: World) -> None:
    count = DynamoInventory(TABLE, world.tables._client).everything()
    assert check(count) == []
    assert {one.difference for one in sums(count)} == {0}


# --- what is asked for ---------------------------------------------------------------------------


def test_what_the_rules_refuse_is_refused_with_its_amount(world: World) -> None:
    world.seat("ana", chips=50_000)
    answer = world.say("ana", "autotopup", to=9_999)
    assert _refused(answer) == ("buy_in_too_small", {"minimum": 10_000})
    answer = world.say("ana", "autotopup", to=100_001)
    assert _refused(answer) == ("buy_in_too_large", {"maximum": 100_000})
    assert _refused(world.say("ben", "autotopup", to=10_000)) == ("not_seated", None)
    assert _refused(world.say("", "autotopup", on="guest", to=0)) == (RoomCode.NOT_ALLOWED, None)


def test_it_is_shown_and_pushed_to_its_owner_alone(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.connect("guest")
    world.say("", "watch", on="guest")
    world.stream()
    world.push.posts.clear()
    world.queue.bodies.clear()
    seq = world.stored().table.seq
    answer = world.say("ana", "autotopup", id="a", to=60_000)
    assert answer == Ok(type="ok", id="a", seq=seq)
    world.stream()
    ((to, data),) = world.push.posts
    assert to == "ana"
    assert b'{"e":"refill_set","seat":0,"to":60000}' in data
    assert world.queue.bodies == []

    def shown(player: str, on: str) -> list[Any]:
        answer = world.say(player, "sync", on=on, seq=0)
        assert isinstance(answer, Ok)
        assert answer.snapshot is not None
        return [seat and seat.get("refill") for seat in answer.snapshot["state"]["seats"][:2]]

    assert shown("ana", "ana") == [60_000, None]
    assert shown("ben", "ben") == [None, 0]


def test_said_twice_it_is_answered_alike(world: World) -> None:
    world.seat("ana", chips=50_000)
    first = world.say("ana", "autotopup", id="a", to=60_000)
    assert isinstance(world.say("ana", "sitout"), Ok)
    before = world.stored()
    assert world.say("ana", "autotopup", id="a", to=60_000) == first
    assert world.stored() == before


# --- what is bought ------------------------------------------------------------------------------


def test_before_a_hand_it_buys_what_is_missing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one transaction with the start of the hand."""
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    before, balance = world.stored(), world.balance("ana")
    assert balance + 50_000 == world.balance("ben") + 50_000
    made = transactions(world, monkeypatch)
    world.deal()
    (parts,) = made
    assert [next(iter(part)) for part in parts][:2] == ["Put", "Update"]
    stored = world.stored()
    assert stored.table.running is not None
    assert (stored.version, stored.chips_in) == (before.version + 1, before.chips_in + 10_000)
    assert _seat(world, "ana").stack == 60_000
    assert world.balance("ana") == balance - 10_000
    (entry,) = _entries(world, "ana")
    assert (entry.amount, entry.balance, entry.at) == (-10_000, balance - 10_000, world.clock.now())
    assert (entry.who, entry.why) == ("table", "automatic top_up seat 0")
    assert (entry.table, entry.version) == ("t", stored.version)
    assert entry.id == f"auto#t#{stored.version}#0" == keys.refilled("t", stored.version, 0)
    assert _entries(world, "ben") == []
    kinds = _kinds_of_last_write(world)
    assert kinds.index(ToppedUp) < kinds.index(HandStarted)
    _balanced(world)


def test_a_hand_for_which_nothing_is_bought_reads_no_wallet(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", chips=60_000)
    _auto(world, "ana", 60_000)

    def read(*_: object) -> None:
        raise AssertionError("a wallet was read")

    monkeypatch.setattr(world.tables, "wallet", read)
    world.deal()
    assert world.stored().table.running is not None


def test_an_empty_stack_is_bought_anew_and_plays(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 40_000)
    _bust(world, "ana")
    assert _seat(world, "ana").standing.status is Status.ACTIVE
    balance = world.balance("ana")
    world.deal()
    hand = world.stored().table.running
    assert hand is not None
    assert 0 in hand.dealt
    assert _seat(world, "ana").stack == 40_000
    assert world.balance("ana") == balance - 40_000
    _balanced(world)


def test_all_seats_of_a_table_buy_in_one_write(aws: None) -> None:
    world = World(settings(seats=10))
    players = [f"player{number}" for number in range(10)]
    world.seat(*players, chips=10_000)
    for number, player in enumerate(players):
        _auto(world, player, 20_000 + number)
    version = world.stored().version
    world.deal()
    assert world.stored().version == version + 1
    assert [_seat(world, player).stack for player in players] == list(range(20_000, 20_010))
    _balanced(world)


def test_whoever_comes_first_after_the_pause_lets_it_buy(world: World) -> None:
    """No clock woke: a message of anybody applies what is due, top-ups included."""
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    at = world.stored().table.next_hand_at
    assert at is not None
    world.clock.go_to(at + 700)
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "sit", seat=2, chips=50_000), Ok)
    assert _seat(world, "ana").stack == 60_000
    assert len(_entries(world, "ana")) == 1
    _balanced(world)


def test_who_bought_by_himself_meanwhile_buys_the_rest(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    at = world.stored().table.next_hand_at
    assert at is not None
    world.clock.go_to(at)
    # One write: 10,000 for the hand that is due, and his own 5,000, which wait for its end.
    assert isinstance(world.say("ana", "topup", chips=5_000), Ok)
    assert (_seat(world, "ana").stack, _seat(world, "ana").topup) == (60_000, 5_000)
    assert [one.amount for one in _entries(world, "ana")] == [-10_000, -5_000]
    _balanced(world)


# --- what is not enough --------------------------------------------------------------------------


def test_money_for_a_part_buys_that_part_and_ends_it_the_next_time(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _withdraw_all_but(world, "ana", 3_000)
    _auto(world, "ana", 60_000)
    world.deal()
    assert _seat(world, "ana").stack == 53_000
    assert _seat(world, "ana").refill == 60_000
    assert world.balance("ana") == 0
    world.play_out()
    stack = _seat(world, "ana").stack
    world.deal()
    assert _seat(world, "ana").stack == stack
    assert _seat(world, "ana").refill == 0
    assert world.stored().table.running is not None
    _balanced(world)


@pytest.mark.parametrize("left", [0, 1, 9_999])
def test_an_empty_stack_that_cannot_be_bought_the_minimum_sits_out(world: World, left: int) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    _withdraw_all_but(world, "ana", left)
    world.stream()
    world.push.posts.clear()
    world.deal()
    hand = world.stored().table.running
    assert hand is not None
    assert 0 not in hand.dealt
    assert _seat(world, "ana").standing.status is Status.OUT
    assert _seat(world, "ana").refill == 0
    assert world.balance("ana") == left
    assert _entries(world, "ana") == []
    world.stream()
    assert any(b'"refill_set"' in data for data in world.push.to("ana"))
    told = b"".join(world.push.to("ben"))
    assert told.count(b"refill") == told.count(b'"refill":0')
    assert any(b'"sat_out"' in data for data in world.push.to("ben"))
    _balanced(world)


def test_an_empty_stack_is_bought_the_minimum_or_more_with_what_there_is(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    _withdraw_all_but(world, "ana", 10_000)
    world.deal()
    assert _seat(world, "ana").stack == 10_000
    assert world.balance("ana") == 0
    _balanced(world)


def test_a_suspended_player_buys_nothing_and_plays_on_with_what_he_has(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    balance = world.balance("ana")
    world.bank.suspend("ana", ORDER)
    world.deal()
    assert world.stored().table.running is not None
    assert (_seat(world, "ana").stack, _seat(world, "ana").refill) == (50_000, 0)
    assert world.balance("ana") == balance


def test_a_suspended_player_with_nothing_left_sits_out(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    balance = world.balance("ana")
    world.bank.suspend("ana", ORDER)
    world.deal()
    assert world.stored().table.running is not None
    assert _seat(world, "ana").standing.status is Status.OUT
    assert world.balance("ana") == balance


def test_a_suspension_that_comes_between_read_and_write_holds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    balance = world.balance("ana")
    read = world.tables.wallet
    suspend_between(world, monkeypatch)
    world.deal()
    assert world.signals.counts["Conflict"] == 1
    assert world.stored().table.running is not None
    assert (_seat(world, "ana").stack, _seat(world, "ana").refill) == (50_000, 0)
    assert read("ana", "PHP").balance == balance


def test_fixed_limit_without_a_maximum_takes_what_there_is(aws: None) -> None:
    world = World(table_settings(fixed_limit("USD", 1000)))
    world.seat("ana", "ben", chips=50_000)
    assert world.stored().table.settings.maximum is None
    answer = world.say("ana", "autotopup", to=9_999)
    assert _refused(answer) == ("buy_in_too_small", {"minimum": 10_000})
    assert isinstance(world.say("ana", "autotopup", to=10**12), Ok)
    balance = world.balance("ana", "USD")
    world.deal()
    assert _seat(world, "ana").stack == 50_000 + balance
    assert world.balance("ana", "USD") == 0
    _balanced(world)


# --- wallets that cannot be written --------------------------------------------------------------


def test_a_wallet_in_conflict_is_asked_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    balance = world.balance("ana")
    cancel(world, monkeypatch, "WALLET#", PAYING_TRIES - 1)
    world.deal()
    assert _seat(world, "ana").stack == 60_000
    assert world.balance("ana") == balance - 10_000
    _balanced(world)


@pytest.mark.parametrize("code", ["TransactionConflict", "ConditionalCheckFailed"])
def test_no_hand_waits_for_a_wallet(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    balance = world.balance("ana")
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES, code)
        world.deal()
    assert world.stored().table.running is not None
    assert (_seat(world, "ana").stack, _seat(world, "ana").refill) == (50_000, 60_000)
    assert world.balance("ana") == balance
    world.play_out()
    world.deal()
    assert _seat(world, "ana").stack == 60_000
    _balanced(world)


def test_an_empty_stack_then_sits_out_and_buys_when_he_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 40_000)
    _bust(world, "ana")
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        world.deal()
    assert _seat(world, "ana").standing.status is Status.OUT
    assert _seat(world, "ana").refill == 40_000
    assert _kinds_of_last_write(world)[0] is SatOut
    assert _refused(world.say("ana", "sitin")) == ("no_chips", {"minimum": 10_000})
    assert isinstance(world.say("ana", "topup", chips=10_000), Ok)
    assert isinstance(world.say("ana", "sitin"), Ok)
    world.play_out()
    world.deal()
    assert _seat(world, "ana").stack == 40_000
    _balanced(world)


@pytest.mark.rule("2.6")
def test_who_has_nothing_left_keeps_no_seat_by_coming_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table at rest, where no hand begins that would ask him for his chips."""
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 40_000)
    _bust(world, "ana")
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", PAYING_TRIES)
        world.deal()
    out = _seat(world, "ana").out_since
    assert out is not None
    assert world.stored().table.next_hand_at is None
    world.clock.go_to(out + 240_000)
    _auto(world, "ana", 50_000)
    assert _refused(world.say("ana", "sitin")) == ("no_chips", {"minimum": 10_000})
    world.clock.go_to(out + 300_000)
    world.dealer.apply("t")
    assert world.stored().table.seat_of("ana") is None
    _balanced(world)


def test_a_damaged_wallet_holds_up_no_table(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 40_000)
    _bust(world, "ana")
    key = {"pk": {"S": "USER#ana"}, "sk": {"S": "WALLET#PHP"}}
    world.tables._client.put_item(TableName=TABLE, Item={**key, "balance": {"S": "much"}})
    world.deal()
    assert world.stored().table.running is not None
    assert _seat(world, "ana").standing.status is Status.OUT
    assert _seat(world, "ana").refill == 40_000
    assert "Conflict" not in world.signals.counts


@pytest.mark.parametrize("written", [True, False])
def test_a_write_of_which_nobody_knows_charges_once(
    world: World, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 60_000)
    balance = world.balance("ana")
    client = world.tables._client
    real: Callable[..., Any] = client.transact_write_items
    failed = False

    def broken(**call: Any) -> Any:
        nonlocal failed
        if failed:
            return real(**call)
        failed = True
        if written:
            real(**call)
        raise aws_error("InternalServerError", 500)

    monkeypatch.setattr(client, "transact_write_items", broken)
    world.deal()
    assert failed
    assert world.stored().table.hands == 1
    assert world.balance("ana") == balance - 10_000
    assert len(_entries(world, "ana")) == 1
    _balanced(world)


def test_of_two_tables_at_once_with_money_for_one_exactly_one_buys(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both read the wallet before either writes; the other one then finds it empty."""
    chosen = replace(settings(), pause_ms=1_000)
    for number in range(RACES):
        ids = (f"a{number}", f"b{number}")
        world.fund("ana", amount=150_000 + number)
        _withdraw_all_but(world, "ana", 150_000)
        for table_id, other in zip(ids, ("ben", "cyd"), strict=True):
            assert open_table(world.tables, table_id, chosen, world.clock.now())
            world.connect(other, other)
            assert isinstance(world.say("ana", "sit", table=table_id, seat=0, chips=50_000), Ok)
            assert isinstance(world.say(other, "sit", table=table_id, seat=1, chips=50_000), Ok)
            _auto(world, "ana", 100_000, table=table_id)
        assert world.balance("ana") == 50_000
        world.clock.go(2_000)
        threads = [threading.Thread(target=world.dealer.apply, args=(one,)) for one in ids]
        with monkeypatch.context() as patch:
            patch.setattr(world.tables, "wallet", Meeting(world.tables.wallet))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert world.balance("ana") == 0
        seats = [_seat(world, "ana", one) for one in ids]
        assert sorted(seat.stack for seat in seats) == [50_000, 100_000]
        assert sorted(seat.refill for seat in seats) == [0, 100_000]
        for table_id in ids:
            stored = world.tables.load(table_id)
            assert stored is not None
            assert stored.table.running is not None
    assert world.signals.counts["Conflict"] == RACES
    _balanced(world)


def test_of_two_tables_at_once_with_money_for_both_both_buy(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = replace(settings(), pause_ms=1_000)
    for table_id, other in (("a", "ben"), ("b", "cyd")):
        assert open_table(world.tables, table_id, chosen, world.clock.now())
        for seat, player in enumerate(("ana", other)):
            world.connect(player, player)
            assert isinstance(world.say(player, "sit", table=table_id, seat=seat, chips=50_000), Ok)
        _auto(world, "ana", 100_000, table=table_id)
    balance = world.balance("ana")
    world.clock.go(2_000)
    threads = [threading.Thread(target=world.dealer.apply, args=(one,)) for one in "ab"]
    with monkeypatch.context() as patch:
        patch.setattr(world.tables, "wallet", Meeting(world.tables.wallet))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert world.balance("ana") == balance - 100_000
    assert [_seat(world, "ana", one).stack for one in "ab"] == [100_000, 100_000]
    _balanced(world)


# --- two players ---------------------------------------------------------------------------------


def test_one_of_two_is_broke_and_buys(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    world.deal()
    assert world.stored().table.running is not None
    assert _seat(world, "ana").stack == 50_000


def test_one_of_two_is_broke_and_cannot_buy(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    _withdraw_all_but(world, "ana", 100)
    world.deal()
    table = world.stored().table
    assert table.running is None
    assert table.next_hand_at is None
    assert _seat(world, "ana").standing.status is Status.OUT
    assert _kinds_of_last_write(world)[0] is RefillSet
    assert world.balance("ana") == 100


@pytest.mark.rule("2.3")
def test_one_of_two_is_broke_and_the_other_leaves(world: World) -> None:
    """No hand begins, so nothing is bought for it; but for the next who comes."""
    world.seat("ana", "ben", chips=50_000)
    _auto(world, "ana", 50_000)
    _bust(world, "ana")
    balance = world.balance("ana")
    assert isinstance(world.say("ben", "leave"), Ok)
    world.deal()
    table = world.stored().table
    assert (table.running, table.next_hand_at) == (None, None)
    assert world.balance("ana") == balance
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "sit", seat=1, chips=50_000), Ok)
    world.deal()
    assert world.stored().table.running is not None
    assert world.balance("ana") == balance - 50_000
    _balanced(world)


def test_who_leaves_with_the_hand_that_would_be_next_is_paid_all(world: World) -> None:
    """He plans to leave at the big blind: what was bought for the hand goes back with him."""
    world.seat("ana", "ben", "cyd", chips=50_000)
    for player in ("ana", "ben", "cyd"):
        _auto(world, player, 60_000)
    world.deal()
    world.play_out()
    table = world.stored().table
    assert table.big_blind is not None
    following = table.seats[(table.big_blind + 1) % 3]
    assert following is not None
    goer = following.player
    assert isinstance(world.say(goer, "leave", when="big_blind"), Ok)
    world.deal()
    assert world.stored().table.seat_of(goer) is None
    assert world.stored().leaving == ()
    _balanced(world)


# --- the hand's record ---------------------------------------------------------------------------


@pytest.mark.rule("6.3")
def test_the_record_opens_after_what_was_bought(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    _auto(world, "ana", 40_000)
    _bust(world, "ana")
    world.deal()
    world.play_out()
    record = hands("t")[-1]
    assert record.number == 2
    opening = load_table(record.opening)
    assert opening.seats[0] is not None
    assert opening.seats[0].stack == 40_000
    log = load_events(record.events)
    assert isinstance(log[0], HandStarted)
    assert replay(log, opening) == world.stored().table
    assert [40_000 in case.stacks for case in _exported()] == [False, True]


@pytest.mark.rule("6.3")
def test_a_setting_of_mid_hand_is_in_the_record_and_in_nobody_elses_log(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.deal()
    _auto(world, "ana", 60_000)
    assert any(isinstance(event, RefillSet) for event in load_events(world.stored().log))
    for player, sees in (("ana", True), ("ben", False)):
        answer = world.say(player, "sync", seq=0)
        assert isinstance(answer, Ok)
        assert answer.snapshot is not None
        names = {event["e"] for event in answer.snapshot["state"]["log"]}
        assert ("refill_set" in names) is sees
    world.play_out()
    (record,) = hands("t")
    assert replay(load_events(record.events), load_table(record.opening)) == world.stored().table
    assert [case.stacks for case in _exported()] == [(50_000, 50_000)]
