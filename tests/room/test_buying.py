"""Chips come out of a wallet in the write that brings them to the table, once for each command."""

import threading

import pytest

from cardroom import keys
from cardroom.audit import check
from cardroom.bank import Order
from cardroom.errors import RoomCode
from cardroom.inventory import DynamoInventory
from cardroom.messages import Error, Ok
from cardroom.money import Kind
from cardroom.tables import open_table
from poker_engine.stakes import no_limit, table_settings
from tests.room.faults import suspend_between
from tests.room.meeting import Meeting
from tests.room.world import START, TABLE, World, settings

pytestmark = pytest.mark.usefixtures("moto")

RACES = 20
ORDER = Order("operator", "a test")


def _refused(answer: Ok | Error) -> tuple[str, dict[str, int] | None]:
    assert isinstance(answer, Error)
    return answer.code, answer.facts


def test_a_seats_chips_come_out_of_the_wallet(world: World) -> None:
    world.fund("ana", amount=120_000)
    assert isinstance(world.say("ana", "sit", id="s1", seat=3, chips=50_000), Ok)
    assert world.balance("ana") == 70_000
    _, entry = world.accounts.entries("ana")
    stored = world.stored()
    assert (entry.kind, entry.amount, entry.balance) == (Kind.BUY_IN, -50_000, 70_000)
    assert (entry.who, entry.why, entry.at) == ("ana", "buy_in", START)
    assert (entry.table, entry.version, entry.seq) == ("t", stored.version, stored.table.seq)
    assert (stored.chips_in, stored.chips_out, stored.chips) == (50_000, 0, 50_000)


@pytest.mark.rule("1.5")
def test_a_top_up_is_charged_at_once_also_in_a_hand(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.deal()
    before = world.balance("ana")
    assert isinstance(world.say("ana", "topup", chips=7_000), Ok)
    assert world.balance("ana") == before - 7_000
    assert world.accounts.entries("ana")[-1].kind is Kind.TOP_UP
    seat = world.stored().table.seats[0]
    assert seat is not None
    assert seat.topup == 7_000


def test_who_has_too_little_is_told_his_balance_and_the_amount(world: World) -> None:
    world.fund("ana", amount=49_999)
    before = world.stored()
    answer = world.say("ana", "sit", seat=0, chips=50_000)
    facts = {"balance": 49_999, "amount": 50_000}
    assert _refused(answer) == (RoomCode.INSUFFICIENT_FUNDS, facts)
    assert world.stored() == before
    assert world.balance("ana") == 49_999
    assert isinstance(world.say("ana", "sit", seat=0, chips=49_999), Ok)
    answer = world.say("ana", "topup", chips=1)
    assert _refused(answer) == (RoomCode.INSUFFICIENT_FUNDS, {"balance": 0, "amount": 1})


def test_who_has_no_wallet_has_no_money(world: World) -> None:
    answer = world.say("nobody", "sit", seat=0, chips=50_000)
    facts = {"balance": 0, "amount": 50_000}
    assert _refused(answer) == (RoomCode.INSUFFICIENT_FUNDS, facts)


def test_the_rules_refuse_before_money_is_looked_at(world: World) -> None:
    answer = world.say("nobody", "sit", seat=0, chips=1)
    assert _refused(answer)[0] == "buy_in_too_small"


def test_the_suspended_buy_nothing_but_get_what_is_theirs(world: World) -> None:
    world.seat("ana", chips=50_000)
    before = world.balance("ana")
    world.bank.suspend("ana", ORDER)
    assert _refused(world.say("ana", "topup", chips=1)) == (RoomCode.SUSPENDED, None)
    assert isinstance(world.say("ana", "leave"), Ok)
    assert world.balance("ana") == before + 50_000
    assert _refused(world.say("ana", "sit", seat=1, chips=100_000)) == (RoomCode.SUSPENDED, None)
    world.bank.lift("ana", ORDER)
    assert isinstance(world.say("ana", "sit", seat=1, chips=100_000), Ok)


def test_a_suspension_that_comes_between_read_and_write_holds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.fund("ana")
    suspend_between(world, monkeypatch)
    assert _refused(world.say("ana", "sit", seat=0, chips=50_000)) == (RoomCode.SUSPENDED, None)
    assert world.signals.counts["Conflict"] == 1


def test_of_two_buy_ins_at_once_with_money_for_one_exactly_one_succeeds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time and again, at two tables, and both read the wallet before either writes."""
    assert open_table(world.tables, "u", settings(), world.clock.now())
    world.fund("ana", amount=100_000)
    for number in range(RACES):
        answers: dict[str, Ok | Error] = {}

        def sit(table: str, into: dict[str, Ok | Error], command_id: str) -> None:
            into[table] = world.say("ana", "sit", id=command_id, table=table, seat=0, chips=100_000)

        threads = [
            threading.Thread(target=sit, args=(table, answers, f"{table}{number}"))
            for table in ("t", "u")
        ]
        with monkeypatch.context() as patch:
            patch.setattr(world.tables, "wallet", Meeting(world.tables.wallet))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        (lost,) = [one for one in answers.values() if isinstance(one, Error)]
        assert _refused(lost) == (
            RoomCode.INSUFFICIENT_FUNDS,
            {"balance": 0, "amount": 100_000},
        ), world.signals.lines[-3:]
        (table,) = [name for name, one in answers.items() if isinstance(one, Ok)]
        assert world.balance("ana") == 0
        assert isinstance(world.say("ana", "leave", table=table), Ok)
        assert world.balance("ana") == 100_000
    assert world.signals.counts["Conflict"] == RACES
    assert [entry.number for entry in world.accounts.entries("ana")] == list(
        range(1, 2 * RACES + 2)
    )


def test_of_two_buy_ins_at_once_with_money_for_both_the_second_counts_on_the_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers and balances of the ledger stay without a gap."""
    assert open_table(world.tables, "u", settings(), world.clock.now())
    world.fund("ana", amount=100_000)
    for number in range(5):
        tables = ("t", "u")
        buys = [
            threading.Thread(
                target=world.say,
                args=("ana", "topup" if number else "sit"),
                kwargs={"id": f"{table}{number}", "table": table, "chips": 10_000 - number}
                | ({} if number else {"seat": 0}),
            )
            for table in tables
        ]
        with monkeypatch.context() as patch:
            patch.setattr(world.tables, "wallet", Meeting(world.tables.wallet))
            for thread in buys:
                thread.start()
            for thread in buys:
                thread.join()
    assert world.balance("ana") == 100_000 - 2 * (50_000 - 10)
    assert check(DynamoInventory(TABLE, world.tables._client).everything()) == []


def test_a_top_up_whose_reply_was_lost_is_charged_once(world: World) -> None:
    """Also after so many other commands that the table has forgotten its answer."""
    world.seat("ana", "ben", chips=50_000)
    first = world.say("ana", "topup", id="again", chips=3_000)
    assert isinstance(first, Ok)
    after = world.balance("ana")
    for number in range(6):
        assert isinstance(world.say("ana", "sitout" if number % 2 else "sitin"), Ok)
        assert isinstance(world.say("ana", "topup", id=f"t{number}", chips=10), Ok)
    assert world.stored().results.find("ana", "again") is None
    before = world.stored()
    assert world.say("ana", "topup", id="again", chips=3_000) == first
    assert world.balance("ana") == after - 60
    assert world.stored() == before


def test_a_repeated_sit_is_no_second_one_even_after_he_left(world: World) -> None:
    world.fund("ana")
    first = world.say("ana", "sit", id="once", seat=0, chips=50_000)
    assert isinstance(first, Ok)
    assert isinstance(world.say("ana", "leave"), Ok)
    world.clock.go(24 * 3_600_000)
    before, balance = world.stored(), world.balance("ana")
    again = world.say("ana", "sit", id="once", seat=0, chips=50_000)
    assert isinstance(again, Ok)
    assert again.seq == first.seq
    assert world.balance("ana") == balance
    assert world.stored().table.seats[0] is None
    assert world.stored() == before


def test_an_id_that_has_paid_pays_for_nothing_else(world: World) -> None:
    assert open_table(world.tables, "u", settings(), world.clock.now())
    world.fund("ana")
    assert isinstance(world.say("ana", "sit", id="one", seat=0, chips=50_000), Ok)
    assert isinstance(world.say("ana", "sitout", id="two"), Ok)
    balance = world.balance("ana")
    for more in range(5):
        answers = [
            world.say("ana", "sit", id="one", table="u", seat=0, chips=50_000),
            world.say("ana", "sit", id="one", seat=0, chips=60_000),
            world.say("ana", "topup", id="one", chips=50_000),
        ]
        if not more:
            answers.append(world.say("ana", "topup", id="two", chips=50_000))
        assert {_refused(answer)[0] for answer in answers} == {RoomCode.ID_USED}
        assert world.balance("ana") == balance - more * 10
        assert isinstance(world.say("ana", "topup", chips=10), Ok)
    world.fund("ben")
    assert isinstance(world.say("ben", "sit", id="one", seat=1, chips=50_000), Ok)


def test_no_command_id_can_name_another_kind_of_entry() -> None:
    """Ids of clients hold no "#"."""
    made = [keys.bought("x"), keys.paid_out("t", 1, 0), keys.referred("x")]
    assert len({entry.split("#")[0] for entry in made}) == 3


def test_pesos_and_dollars_never_meet(world: World) -> None:
    dollars = table_settings(no_limit("USD", 500))
    assert open_table(world.tables, "usd", dollars, world.clock.now())
    world.fund("ana", amount=100_000, currency="USD")
    answer = world.say("ana", "sit", seat=0, chips=50_000)
    assert _refused(answer)[0] == RoomCode.INSUFFICIENT_FUNDS
    assert isinstance(world.say("ana", "sit", table="usd", seat=0, chips=50_000), Ok)
    world.fund("ana", amount=70_000, currency="PHP")
    assert isinstance(world.say("ana", "sit", seat=0, chips=50_000), Ok)
    assert (world.balance("ana", "USD"), world.balance("ana", "PHP")) == (50_000, 20_000)
    assert isinstance(world.say("ana", "leave"), Ok)
    assert (world.balance("ana", "USD"), world.balance("ana", "PHP")) == (50_000, 70_000)
    assert isinstance(world.say("ana", "leave", table="usd"), Ok)
    assert (world.balance("ana", "USD"), world.balance("ana", "PHP")) == (100_000, 70_000)


def test_an_action_moves_no_money_and_reads_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()

    def read(*_: object) -> None:
        raise AssertionError("a wallet was read")

    for name in ("wallet", "entry", "departures"):
        monkeypatch.setattr(world.tables, name, read)
    assert isinstance(world.act("call"), Ok)
