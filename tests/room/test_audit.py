"""The audit finds what is amiss, and is not misled by a room that moves while it counts."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cardroom.accounts import DynamoAccounts
from cardroom.audit import PATIENCE_MS, Count, Report, audit, check, sums
from cardroom.inventory import DynamoInventory
from cardroom.messages import Ok
from cardroom.stored import Change
from cardroom.tables import open_table
from poker_engine.stakes import no_limit, table_settings
from tests.room.conftest import Memory
from tests.room.faults import cancel
from tests.room.random_room import ORDER, something
from tests.room.world import RICH, TABLE, World


def _inventory(world: World) -> DynamoInventory:
    return DynamoInventory(TABLE, world.tables._client)


def _audit(world: World) -> Report:
    return audit(_inventory(world), Ticking(world))


class Ticking:
    """The world's clock, which goes while the audit waits."""

    def __init__(self, world: World) -> None:
        self._clock = world.clock

    def now(self) -> int:
        return self._clock.now()

    def pause(self, ms: int) -> None:
        self._clock.go(ms)


def _room(world: World) -> None:
    """Two currencies, rake, somebody who left, somebody at two tables, a withdrawal."""
    assert open_table(world.tables, "usd", table_settings(no_limit("USD", 500)), world.clock.now())
    world.seat("ana", "ben", "cyd")
    world.fund("ana", "ben", currency="USD")
    for seat, player in enumerate(("ana", "ben")):
        assert isinstance(world.say(player, "sit", table="usd", seat=seat, chips=20_000), Ok)
    world.deal()
    world.play_out()
    assert isinstance(world.say("cyd", "leave"), Ok)
    world.bank.withdraw("cyd", "PHP", 1_234, "out", ORDER)


def test_a_room_in_order_balances_in_each_currency(world: World) -> None:
    _room(world)
    report = _audit(world)
    assert report.balanced
    assert (report.players, report.tables, report.reread) == (3, 2, 0)
    pesos, dollars = report.sums
    assert (pesos.currency, dollars.currency) == ("PHP", "USD")
    assert (pesos.deposits, pesos.withdrawals) == (3 * RICH, 1_234)
    assert pesos.rake > 0
    assert pesos.seated == world.stored().chips
    assert (dollars.wallets, dollars.seated, dollars.rake) == (2 * RICH - 40_000, 40_000, 0)
    assert [one.difference for one in report.sums] == [0, 0]


def test_chips_that_are_leaving_are_counted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", chips=50_000)
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", 3)
        assert isinstance(world.say("ana", "leave"), Ok)
    report = _audit(world)
    assert report.balanced
    (pesos,) = report.sums
    assert (pesos.seated, pesos.leaving) == (0, 50_000)


def _set(world: World, key: tuple[str, str], name: str, value: dict[str, str]) -> None:
    world.tables._client.update_item(
        TableName=TABLE,
        Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}},
        UpdateExpression="SET #n = :v",
        ExpressionAttributeNames={"#n": name},
        ExpressionAttributeValues={":v": value},
    )


def _delete(world: World, *key: str) -> None:
    world.tables._client.delete_item(
        TableName=TABLE, Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}}
    )


def _richer(world: World) -> None:
    balance = world.balance("cyd") + 1
    _set(world, ("USER#cyd", "WALLET#PHP"), "balance", {"N": str(balance)})


def _counted_wrong(world: World) -> None:
    _set(world, ("USER#cyd", "WALLET#PHP"), "entries", {"N": "9"})


def _no_wallet(world: World) -> None:
    _delete(world, "USER#cyd", "WALLET#PHP")


def _entry_lost(world: World) -> None:
    _delete(world, "USER#cyd", f"LEDGER#{world.accounts.entries('cyd')[1].id}")


def _entry_changed(world: World) -> None:
    entry = world.accounts.entries("cyd")[1]
    _set(world, ("USER#cyd", f"LEDGER#{entry.id}"), "amount", {"N": str(entry.amount + 5)})


def _balances_swapped(world: World) -> None:
    entry = world.accounts.entries("cyd")[1]
    _set(world, ("USER#cyd", f"LEDGER#{entry.id}"), "balance", {"N": str(entry.balance + 5)})


def _other_table(world: World) -> None:
    entry = world.accounts.entries("cyd")[1]
    _set(world, ("USER#cyd", f"LEDGER#{entry.id}"), "table", {"S": "nowhere"})


def _more_came(world: World) -> None:
    _set(world, ("TABLE#t", "STATE"), "chips_in", {"N": str(world.stored().chips_in + 10)})


def _chips_from_nowhere(world: World) -> None:
    """The table agrees with itself, but nobody paid for them."""
    stored = world.stored()
    _set(world, ("TABLE#t", "STATE"), "chips_in", {"N": str(stored.chips_in + 10)})
    _set(world, ("TABLE#t", "STATE"), "chips_out", {"N": str(stored.chips_out + 10)})


def _rake_lost(world: World) -> None:
    _delete(world, "RAKE#t", "000000001")


def _rake_in_dollars(world: World) -> None:
    _set(world, ("RAKE#t", "000000001"), "currency", {"S": "USD"})


def _damaged_wallet(world: World) -> None:
    _set(world, ("USER#cyd", "WALLET#PHP"), "balance", {"S": "much"})


def _damaged_table(world: World) -> None:
    _set(world, ("TABLE#t", "STATE"), "state", {"S": "[]"})


@pytest.mark.parametrize(
    ("plant", "sentence", "differs"),
    [
        (_richer, "wallet cyd PHP: holds", {"PHP": 1}),
        (_counted_wrong, "wallet cyd PHP: made of 9 entries, its ledger has 4", {}),
        (_no_wallet, "wallet cyd PHP: holds 0", None),
        (_entry_lost, "wallet cyd PHP: holds", {}),
        (_entry_changed, "wallet cyd PHP: holds", {}),
        (_balances_swapped, "wallet cyd PHP: entry 2 says", {}),
        (_other_table, "table nowhere: there is none, but 1 ledger entries", {}),
        (_more_came, "table t: ", {}),
        (_chips_from_nowhere, "chips came in, the ledger has 300000", {}),
        (_rake_lost, "chips went, the ledger has", None),
        (_rake_in_dollars, "plays for PHP, but there is USD in its books", None),
        (_damaged_wallet, "USER#cyd / WALLET#PHP cannot be read", None),
        (_damaged_table, "TABLE#t / STATE cannot be read", None),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_planted_difference_is_found(
    world: World,
    plant: Callable[[World], None],
    sentence: str,
    differs: dict[str, int] | None,
) -> None:
    _room(world)
    plant(world)
    report = _audit(world)
    assert not report.balanced
    assert any(sentence in one.sentence for one in report.findings)
    assert report.moving == ()
    found = {one.currency: one.difference for one in report.sums if one.difference}
    if differs is not None:
        assert found == differs
    else:
        assert found


class Busy(DynamoInventory):
    """Something happens in the room after each item that is read."""

    def __init__(self, world: World, happens: Callable[[int], None]) -> None:
        super().__init__(TABLE, world.tables._client)
        self._happens = happens
        self.reads = 0

    def everything(self) -> Count:
        count = Count()
        for part in ("ana", "ben", "cyd"):
            count.replace_player(part, self.of_player(part))
        for table in ("t", "usd"):
            count.replace_table(table, self.of_table(table))
        return count

    def of_player(self, name: str) -> Count:
        return self._after(super().of_player(name))

    def of_table(self, table_id: str) -> Count:
        return self._after(super().of_table(table_id))

    def _after(self, read: Count) -> Count:
        self.reads += 1
        self._happens(self.reads)
        return read


def test_what_moved_while_it_was_counted_is_read_again(world: World) -> None:
    _room(world)

    def happens(read: int) -> None:
        if read == 1:
            assert isinstance(world.say("ana", "leave"), Ok)
        if read == 4:
            assert isinstance(world.say("ben", "leave"), Ok)

    report = audit(Busy(world, happens), Ticking(world))
    assert report.balanced, report
    assert report.reread > 0


def test_a_player_whom_nobody_knew_is_found_by_counting_anew(world: World) -> None:
    """His wallet was made, and his chips came, behind the audit's back."""
    _room(world)

    class Scanning(Busy):
        def everything(self) -> Count:
            if not self.reads:
                return super().everything()
            return DynamoInventory(TABLE, world.tables._client).everything()

    def happens(read: int) -> None:
        if read == 3:
            world.connect("zed", "zed")
            assert isinstance(world.say("zed", "sit", seat=4, chips=50_000), Ok)
            assert isinstance(world.say("zed", "leave"), Ok)

    report = audit(Scanning(world, happens), Ticking(world))
    assert report.balanced, report
    assert report.players == 4


def test_a_room_that_never_rests_stays_unsettled(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _room(world)
    # More than a seat may do in one hand: a room does not rest, though each table does.
    monkeypatch.setattr("cardroom.restraint.MOST", 1_000)

    def happens(read: int) -> None:
        assert isinstance(world.say("ben", "topup", table="usd", chips=1), Ok)

    started = world.clock.now()
    report = audit(Busy(world, happens), Ticking(world), patience_ms=2_000)
    assert not report.balanced
    assert report.moving
    assert report.findings == ()
    assert 2_000 <= world.clock.now() - started <= 3_000
    assert PATIENCE_MS == 10_000


def test_a_true_difference_is_told_from_movement_elsewhere(world: World) -> None:
    _room(world)
    _richer(world)

    def happens(read: int) -> None:
        if read < 12:
            assert isinstance(world.say("ben", "topup", table="usd", chips=1), Ok)

    report = audit(Busy(world, happens), Ticking(world))
    assert [one.sentence.split(":")[0] for one in report.findings] == ["wallet cyd PHP"]
    assert report.moving == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_after_every_single_write_all_is_accounted_for(memory: Memory, seed: int) -> None:
    """Random play with sittings, leavings, top-ups, timeouts, deposits and faults at wallets."""
    world, dice = World(seed=seed), Random(seed)
    inventory, players = _inventory(world), ("p0", "p1", "p2", "p3")
    for player in players:
        world.connect(player, player)
    writes = 0
    real = world.tables.write

    def write(change: Change) -> None:
        nonlocal writes
        real(change)
        count = inventory.everything()
        assert check(count) == []
        assert [one.difference for one in sums(count)] == [0]
        writes += 1

    patch = pytest.MonkeyPatch()
    patch.setattr(world.tables, "write", write)
    for turn in range(90):
        player = dice.choice(players)
        with pytest.MonkeyPatch.context() as faulty:
            if dice.random() < 0.15:
                cancel(world, faulty, "WALLET#", 3)
            something(world, dice, player, turn)
    patch.undo()
    assert writes > 40
    assert world.signals.counts.get("Unpaid", 0) > 0
    assert "InternalError" not in world.signals.counts
    entries = [one for player in players for one in world.accounts.entries(player)]
    assert any(one.id.startswith("auto#") for one in entries)


def test_reading_all_of_a_big_room_takes_many_pages(world: World) -> None:
    pages = 0
    client: Any = world.tables._client

    class Paged:
        """Three items a page."""

        def scan(self, **call: Any) -> Any:
            nonlocal pages
            pages += 1
            return client.scan(**call, Limit=3)

        def query(self, **call: Any) -> Any:
            return client.query(**call, Limit=1)

    _room(world)
    accounts: DynamoAccounts = DynamoInventory(TABLE, Paged())
    assert isinstance(accounts, DynamoInventory)
    assert accounts.everything() == _inventory(world).everything()
    assert pages > 5
    assert accounts.entries("cyd") == world.accounts.entries("cyd")
