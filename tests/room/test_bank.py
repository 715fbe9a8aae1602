"""What an operator does with players and their money."""

import pytest

from cardroom.bank import BankCode, Booked, Declined, Order
from cardroom.messages import Ok
from cardroom.money import Entry, Kind, Player, Standing
from tests.room.faults import aws_error, cancel
from tests.room.world import START, World

pytestmark = pytest.mark.usefixtures("moto")

ORDER = Order("olga", "a test")


def _entry(answer: Booked | Declined) -> Entry:
    assert isinstance(answer, Booked), answer
    return answer.entry


def _code(answer: object) -> BankCode:
    assert isinstance(answer, Declined), answer
    assert isinstance(answer.code, BankCode)
    return answer.code


def test_a_player_is_made_once(world: World) -> None:
    made = world.bank.create("ana", ORDER)
    assert made == Player("ana", Standing.OPEN, START, "olga", "a test", created=START)
    assert world.accounts.player("ana") == made
    assert _code(world.bank.create("ana", ORDER)) is BankCode.PLAYER_EXISTS


def test_deposits_and_withdrawals_are_entries_with_who_and_why(world: World) -> None:
    world.bank.create("ana", ORDER)
    _entry(world.bank.deposit("ana", "PHP", 5_000, "bank-1", ORDER))
    _entry(world.bank.withdraw("ana", "PHP", 1_200, "bank-2", Order("otto", "asked for")))
    _entry(world.bank.deposit("ana", "USD", 7, "bank-3", ORDER))
    first, second, dollars = world.accounts.entries("ana")
    assert (first.kind, first.amount, first.balance, first.number) == (Kind.DEPOSIT, 5000, 5000, 1)
    assert (first.who, first.why, first.reference) == ("olga", "a test", "bank-1")
    assert (second.kind, second.amount, second.balance) == (Kind.WITHDRAWAL, -1200, 3800)
    assert (second.who, second.why, second.number) == ("otto", "asked for", 2)
    assert (dollars.currency, dollars.balance, dollars.number) == ("USD", 7, 1)


def test_a_reference_is_booked_once(world: World) -> None:
    world.bank.create("ana", ORDER)
    first = world.bank.deposit("ana", "PHP", 5_000, "r", ORDER)
    again = world.bank.deposit("ana", "PHP", 5_000, "r", ORDER)
    assert again == Booked(_entry(first), repeated=True)
    assert world.balance("ana") == 5_000
    for other in (
        world.bank.deposit("ana", "PHP", 5_001, "r", ORDER),
        world.bank.deposit("ana", "USD", 5_000, "r", ORDER),
        world.bank.withdraw("ana", "PHP", 5_000, "r", ORDER),
    ):
        assert _code(other) is BankCode.REFERENCE_USED
    assert world.balance("ana") == 5_000


@pytest.mark.parametrize("written", [True, False], ids=["written", "lost"])
def test_a_deposit_with_an_open_question_is_booked_once(
    world: World, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    world.bank.create("ana", ORDER)
    client = world.accounts._client
    real, calls = client.transact_write_items, 0

    def broken(**call: object) -> object:
        nonlocal calls
        calls += 1
        if calls > 1:
            return real(**call)
        if written:
            real(**call)
        raise aws_error("InternalServerError", 500)

    monkeypatch.setattr(client, "transact_write_items", broken)
    _entry(world.bank.deposit("ana", "PHP", 5_000, "r", ORDER))
    assert world.balance("ana") == 5_000


def test_a_wallet_in_motion_is_tried_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.fund("ana")
    before = world.balance("ana")
    cancel(world, monkeypatch, "WALLET#", 3)
    _entry(world.bank.withdraw("ana", "PHP", 1, "r", ORDER))
    assert world.balance("ana") == before - 1
    cancel(world, monkeypatch, "WALLET#", 99)
    assert _code(world.bank.withdraw("ana", "PHP", 1, "r2", ORDER)) is BankCode.BUSY
    assert world.balance("ana") == before - 1


def test_nobody_takes_out_more_than_he_has(world: World) -> None:
    world.bank.create("ana", ORDER)
    world.bank.deposit("ana", "PHP", 500, "in", ORDER)
    world.bank.deposit("ana", "USD", 900, "in-2", ORDER)
    declined = world.bank.withdraw("ana", "PHP", 501, "out", ORDER)
    assert _code(declined) is BankCode.INSUFFICIENT_FUNDS
    assert declined == Declined(BankCode.INSUFFICIENT_FUNDS, "ana has 5.00 PHP, less than 5.01")
    _entry(world.bank.withdraw("ana", "PHP", 500, "out", ORDER))
    assert world.balance("ana") == 0


def test_there_is_no_account_of_strangers(world: World) -> None:
    for answer in (
        world.bank.deposit("zed", "PHP", 1, "r", ORDER),
        world.bank.withdraw("zed", "PHP", 1, "r", ORDER),
        world.bank.suspend("zed", ORDER),
        world.bank.close("zed", ORDER),
    ):
        assert _code(answer) is BankCode.UNKNOWN_PLAYER
    assert world.accounts.entries("zed") == []


def test_the_suspended_may_take_their_money_out(world: World) -> None:
    world.fund("ana", amount=1000)
    suspended = world.bank.suspend("ana", Order("olga", "a complaint"))
    assert isinstance(suspended, Player)
    assert world.accounts.player("ana") == suspended
    assert (suspended.standing, suspended.why) == (Standing.SUSPENDED, "a complaint")
    assert all(wallet.suspended for wallet in suspended.wallets)
    assert _code(world.bank.deposit("ana", "PHP", 1, "r", ORDER)) is BankCode.SUSPENDED
    _entry(world.bank.withdraw("ana", "PHP", 400, "out", ORDER))
    lifted = world.bank.lift("ana", ORDER)
    assert isinstance(lifted, Player)
    assert world.accounts.player("ana") == lifted
    assert not any(wallet.suspended for wallet in lifted.wallets)
    _entry(world.bank.deposit("ana", "PHP", 1, "r", ORDER))


def test_an_account_is_closed_when_nothing_is_left(world: World) -> None:
    world.seat("ana", chips=50_000)
    assert _code(world.bank.close("ana", ORDER)) is BankCode.NOT_SUSPENDED
    world.bank.suspend("ana", ORDER)
    declined = world.bank.close("ana", ORDER)
    assert declined == Declined(BankCode.SEATED, "ana still has chips at t")
    assert isinstance(world.say("ana", "leave"), Ok)
    assert _code(world.bank.close("ana", ORDER)) is BankCode.NOT_EMPTY
    _entry(world.bank.withdraw("ana", "PHP", world.balance("ana"), "all", ORDER))
    closed = world.bank.close("ana", ORDER)
    assert isinstance(closed, Player)
    assert closed.standing is Standing.CLOSED
    for answer in (
        world.bank.deposit("ana", "PHP", 1, "r", ORDER),
        world.bank.lift("ana", ORDER),
        world.bank.suspend("ana", ORDER),
        world.bank.close("ana", ORDER),
    ):
        assert _code(answer) is BankCode.CLOSED


def test_a_suspension_waits_for_no_deposit_that_is_on_its_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first deposit would make a wallet that the suspension has not seen."""
    world.bank.create("ana", ORDER)
    read = world.accounts.wallet

    def then_suspend(player: str, currency: str) -> object:
        wallet = read(player, currency)
        world.bank.suspend("ana", ORDER)
        return wallet

    monkeypatch.setattr(world.accounts, "wallet", then_suspend)
    assert _code(world.bank.deposit("ana", "PHP", 5_000, "r", ORDER)) is BankCode.SUSPENDED
    assert world.accounts.wallets("ana") == ()
