"""`cardroom tables show`."""

import pytest

from cardroom.dealer import Dealer, Wish
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.tables import open_table
from cli.main import main
from cli.tables import Silent
from poker_engine.commands import Act, Leave, Sit, SitOut, TopUp
from poker_engine.stakes import fixed_limit, no_limit, table_settings
from poker_engine.state import Do
from tests.cli.conftest import STACK, fund
from tests.room.faults import aws_error
from tests.room.world import START, FakeClock


@pytest.fixture
def dealer(tables: DynamoTables) -> Dealer:
    return Dealer(tables, FakeClock(), SystemRandomness(), Silent())


def shown(capsys: pytest.CaptureFixture[str], table: str = "w") -> list[str]:
    assert main(["tables", "show", table, "--stack", STACK]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_new_table(tables: DynamoTables, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = table_settings(fixed_limit("USD", 300), 9, time_bank_ms=30_000, delay_s=60)
    assert open_table(tables, "w", chosen, START, most=1)
    assert shown(capsys) == [
        "table     w, open",
        "opened    2023-11-14 22:13:20 UTC by an operator",
        "more      alone",
        "stakes    fixed-limit 3/6 USD, fl-USD-150-300",
        "buy-in    30 without a maximum",
        "clock     15 s to act, 3 s between hands, time bank 30 s, spectators 60 s behind",
        "seats     0 of 9 taken",
        "hands     0",
        "pace      nothing is known yet",
        "chips     0 at the table: 0 brought, 0 paid out or raked",
    ]


def test_a_table_that_opened_by_itself(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = table_settings(no_limit("PHP", 500))
    assert open_table(tables, "w-2", chosen, START, base="w", most=4)
    lines = shown(capsys, "w-2")
    assert lines[1:5] == [
        "opened    2023-11-14 22:13:20 UTC by itself, after w",
        "more      up to 4 of these stakes open by themselves",
        "stakes    no-limit 5/10 PHP, nl-PHP-500-1000",
        "buy-in    100 to 1000",
    ]


def test_a_table_at_which_is_played(
    tables: DynamoTables, dealer: Dealer, capsys: pytest.CaptureFixture[str]
) -> None:
    fund(tables, "ana", "ben", "cyd", "dee")
    assert open_table(tables, "w", table_settings(no_limit("PHP", 500)), START)
    for seat, player in enumerate(("ana", "ben", "cyd")):
        dealer.apply("w", Wish(Sit(player, seat, 40_000), player, "s"))
    lines = shown(capsys)
    assert "seats     3 of 6 taken" in lines
    assert "  0       ana: 400, waits for the big blind" in lines
    assert "hands     0, the next one at 2023-11-14 22:13:23 UTC" in lines
    clock = dealer.clock
    assert isinstance(clock, FakeClock)
    clock.go(3_000)
    dealer.apply("w")
    dealer.apply("w", Wish(Sit("dee", 4, 40_000, post=True), "dee", "s"))
    stored = tables.load("w")
    assert stored is not None
    hand = stored.table.running
    assert hand is not None
    assert hand.turn is not None
    first = stored.table.seats[hand.turn.seat]
    assert first is not None
    clock.go(2_000)
    dealer.apply("w", Wish(Act(first.player, 1, 1, Do.CALL), first.player, "a"))
    dealer.apply("w", Wish(TopUp(first.player, 5_050), first.player, "t"))
    dealer.apply("w", Wish(Leave(first.player), first.player, "l"))
    lines = shown(capsys)
    line = f"  {hand.turn.seat}       {first.player}: 400 and 50.50 to come"
    assert f"{line}, leaves when the hand is over" in lines
    assert "  4       dee: 400, posts to come in" in lines
    assert "hands     1, the last one is played" in lines
    assert "chips     1650.50 at the table: 1650.50 brought, 0 paid out or raked" in lines
    out = _on_turn(tables)
    dealer.apply("w", Wish(SitOut(out), out, "o"))
    while (stored := tables.load("w")) is not None and stored.table.running is not None:
        clock.go(2_000)
        player, hand = _on_turn(tables), stored.table.running
        assert hand.turn is not None
        act = Act(player, 1, hand.turn.number, Do.FOLD)
        dealer.apply("w", Wish(act, player, f"f{hand.turn.number}"))
    lines = shown(capsys)
    assert any(f"{out}: " in line and line.endswith(", sits out") for line in lines)
    (pace,) = (line for line in lines if line.startswith("pace"))
    assert pace.startswith("pace      average pot ")
    assert pace.endswith("% see the flop, 2 s to act")


def _on_turn(tables: DynamoTables) -> str:
    stored = tables.load("w")
    assert stored is not None
    assert stored.table.running is not None
    assert stored.table.running.turn is not None
    seat = stored.table.seats[stored.table.running.turn.seat]
    assert seat is not None
    return seat.player


def test_chips_that_have_not_reached_their_owner(
    tables: DynamoTables,
    dealer: Dealer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fund(tables, "ana")
    assert open_table(tables, "w", table_settings(no_limit("PHP", 500)), START)
    dealer.apply("w", Wish(Sit("ana", 0, 40_000), "ana", "s"))
    real = tables._client.transact_write_items

    def broken(**call: object) -> object:
        if "LEDGER#out" in str(call):
            raise aws_error("TransactionConflictException")
        return real(**call)

    monkeypatch.setattr(tables._client, "transact_write_items", broken)
    dealer.apply("w", Wish(Leave("ana"), "ana", "l"))
    lines = shown(capsys)
    assert "seats     0 of 6 taken" in lines
    assert lines[-2:] == [
        "chips     400 at the table: 400 brought, 0 paid out or raked",
        "leaving   ana: 400, since 2023-11-14 22:13:20 UTC",
    ]


def test_states(tables: DynamoTables, dealer: Dealer, capsys: pytest.CaptureFixture[str]) -> None:
    assert open_table(tables, "w", table_settings(no_limit("PHP", 500)), START)
    dealer.freeze("w")
    assert shown(capsys)[0] == "table     w, frozen"
    dealer.close("w")
    assert shown(capsys)[0] == "table     w, closed"


def test_no_such_table_is_one_line(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "show", "nowhere", "--stack", STACK]) == 1
    assert capsys.readouterr().err == "cardroom: nowhere: there is no such table\n"
