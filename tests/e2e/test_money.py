"""Buy-ins on the emulator, whose transactions are true ones, and over a connection."""

import asyncio
import csv
import io
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardroom.audit import check
from cardroom.bank import Booked, Order
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.errors import Refused, RoomCode
from cardroom.inventory import DynamoInventory
from cardroom.money import Wallet
from cardroom.shuffle import SystemRandomness
from cardroom.systemclock import SystemClock
from cli.main import main
from local.seats import Bots
from local.stack import Deployed, Room
from local.tables import LocalTables, open_tables
from local.welcome import GIFT, bank_of
from poker_engine.commands import Leave, Sit
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.test_race import Counted
from tests.e2e.watching import sit

pytestmark = pytest.mark.e2e

ROUNDS = 200


class AtTheSameTime(LocalTables):
    """The first read of the wallet in each round waits at a barrier: both know the same then."""

    def __init__(self, room: Deployed, barrier: threading.Barrier) -> None:
        super().__init__(room)
        self._barrier = barrier
        self.wait = False

    def wallet(self, player: str, currency: str) -> Wallet:
        found = super().wallet(player, currency)
        if self.wait:
            self.wait = False
            self._barrier.wait(30)
        return found


def test_of_two_buy_ins_at_once_with_money_for_one_exactly_one_succeeds(apart: Deployed) -> None:
    """200 times, at two tables."""
    settings = table_settings(PHP_STAKES[0], 2)
    chips = settings.maximum
    assert chips is not None
    names = ("rich-a", "rich-b")
    open_tables(LocalTables(apart), [(name, settings) for name in names])
    bank = bank_of(apart)
    bank.create("rita", Order("test", "one buy-in"))
    booked = bank.deposit("rita", "PHP", chips, "one", Order("test", "one buy-in"))
    assert isinstance(booked, Booked)
    barrier, counted = threading.Barrier(2), Counted()
    stores = [AtTheSameTime(apart, barrier) for _ in names]
    dealers = [Dealer(store, SystemClock(), SystemRandomness(), counted) for store in stores]

    def buy(number: int, turn: int) -> Applied:
        stores[number].wait = True
        wish = Wish(Sit("rita", 0, chips), "rita", f"{number}-{turn}")
        applied = dealers[number].apply(names[number], wish)
        assert isinstance(applied, Applied)
        return applied

    with ThreadPoolExecutor(2) as threads:
        for turn in range(ROUNDS):
            asked = [threads.submit(buy, number, turn) for number in (0, 1)]
            refusals = [one.result(60).refusal for one in asked]
            winner = refusals.index(None)
            lost = refusals[1 - winner]
            assert isinstance(lost, Refused)
            assert (lost.code, lost.facts["balance"]) == (RoomCode.INSUFFICIENT_FUNDS, 0)
            assert stores[0].wallet("rita", "PHP").balance == 0
            leave = Wish(Leave("rita"), "rita", f"leave-{turn}")
            dealers[winner].apply(names[winner], leave)
            assert stores[0].wallet("rita", "PHP").balance == chips
    assert counted.counts["Conflict"] == ROUNDS
    inventory = DynamoInventory.beside(stores[0])
    entries = inventory.entries("rita")
    assert len(entries) == 1 + 2 * ROUNDS
    assert check(inventory.everything()) == []


def test_a_players_chips_come_and_go_with_his_seat(
    room: Room, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    open_tables(LocalTables(room), [("purse", table_settings(PHP_STAKES[0], 2))])
    stage.start(_sits_and_leaves(room, stage.gate)).result(60)
    assert LocalTables(room).wallet("purse-a", "PHP").balance == GIFT
    where = ("--address", room.websocket_url)
    assert main(["players", "statement", "purse-a", "--currency", "PHP", "--csv", *where]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    kinds = [row["kind"] for row in rows if row["number"]]
    assert kinds == ["deposit", "buy_in", "top_up", "pay_out"]


async def _sits_and_leaves(room: Room, gate: asyncio.Semaphore) -> None:
    async with Bots(room, seed="purse", gate=gate) as bots:
        player = await bots.connect("purse-a")
        await sit(player, "purse", 0, 10_000)
        await player.request("topup", table="purse", chips=500)
        tables = LocalTables(room)
        wallet = await asyncio.to_thread(tables.wallet, "purse-a", "PHP")
        assert wallet.balance == GIFT - 10_500
        await player.request("leave", table="purse", when="now")
