"""`cardroom tables` on a stack in moto's AWS."""

from pathlib import Path

import pytest

from cardroom.dealer import Dealer, Wish
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.main import main
from cli.tables import Silent
from poker_engine.commands import Leave, Sit
from poker_engine.stakes import Game
from tests.cli.conftest import STACK, fund


def dealer(tables: DynamoTables) -> Dealer:
    return Dealer(tables, SystemClock(), SystemRandomness(), Silent())


def test_a_table_is_opened_listed_and_closed(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "list", "--stack", STACK]) == 0
    assert capsys.readouterr().out == "no table is open\n"
    words = ["php-5-10", "nl", "PHP", "5", "--seats", "9", "--clock", "20", "--pause", "5"]
    words += ["--time-bank", "30", "--delay", "90"]
    assert main(["tables", "open", *words, "--stack", STACK]) == 0
    assert capsys.readouterr().out == "php-5-10 is open: no-limit 5/10 PHP\n"
    assert main(["tables", "open", "usd-limit", "fl", "usd", "0.50", "--stack", STACK]) == 0
    capsys.readouterr()
    stored = tables.load("php-5-10")
    assert stored is not None
    settings = stored.table.settings
    assert (settings.seats, settings.clock_ms, settings.pause_ms) == (9, 20_000, 5_000)
    assert (settings.minimum, settings.maximum) == (10_000, 100_000)
    assert (settings.time_bank_ms, settings.delay_s) == (30_000, 90)
    limit = tables.load("usd-limit")
    assert limit is not None
    stakes = limit.table.settings.stakes
    assert (stakes.game, stakes.small_bet, stakes.big_bet) == (Game.FIXED_LIMIT, 50, 100)
    fund(tables, "ana")
    dealer(tables).apply("php-5-10", Wish(Sit("ana", 0, 10_000), "ana", "a"))
    assert main(["tables", "list", "--stack", STACK]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split("  ")[0] == "php-5-10"
    assert first.endswith("no-limit 5/10 PHP, 1 of 9 seats taken, 0 hands")
    assert second.endswith("fixed-limit 0.50/1 USD, 0 of 6 seats taken, 0 hands")
    assert main(["tables", "close", "php-5-10", "--stack", STACK]) == 0
    assert capsys.readouterr().out == "php-5-10 is closed\n"
    assert tables.listed() == ["usd-limit"]
    stored = tables.load("php-5-10")
    assert stored is not None
    assert stored.table.closed
    assert stored.chips_in == stored.chips_out == 10_000


@pytest.mark.rule("2.8")
def test_a_running_hand_is_finished_first(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "open", "t", "nl", "PHP", "5", "--pause", "1", "--stack", STACK]) == 0
    deals = dealer(tables)
    fund(tables, "ana", "ben")
    for seat, player in enumerate(("ana", "ben")):
        deals.apply("t", Wish(Sit(player, seat, 10_000), player, "s"))
    deals.clock = _Later()
    deals.apply("t")
    stored = tables.load("t")
    assert stored is not None
    assert stored.table.running is not None
    capsys.readouterr()
    for _ in range(2):
        assert main(["tables", "close", "t", "--stack", STACK]) == 0
        assert capsys.readouterr().out == "t closes when its hand is over\n"
    assert tables.listed() == ["t"]
    assert main(["tables", "list", "--stack", STACK]) == 0
    assert capsys.readouterr().out.endswith("2 of 6 seats taken, 1 hands, closing\n")
    deals.apply("t", Wish(Leave("ana"), "ana", "l"))
    deals.apply("t", Wish(Leave("ben"), "ben", "l"))
    stored = tables.load("t")
    assert stored is not None
    assert stored.table.closed
    assert stored.table.seats == (None,) * 6
    assert tables.listed() == []


@pytest.mark.rule("10.2")
def test_a_table_is_frozen_and_thawed(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        assert main(["tables", *words, "--stack", STACK]) == 0
        return capsys.readouterr().out

    said("open", "t", "nl", "PHP", "5", "--pause", "1")
    for _ in range(2):
        assert said("freeze", "t") == "t is frozen\n"
    assert said("list").endswith("0 of 6 seats taken, 0 hands, frozen\n")
    assert said("thaw", "t") == "t is thawed: it waits for players\n"
    assert said("thaw", "t") == "t is not frozen: it waits for players\n"
    assert said("list").endswith("0 of 6 seats taken, 0 hands\n")
    deals = dealer(tables)
    fund(tables, "ana", "ben")
    for seat, player in enumerate(("ana", "ben")):
        deals.apply("t", Wish(Sit(player, seat, 10_000), player, "s"))
    assert said("freeze", "t") == "t is frozen\n"
    assert said("thaw", "t") == "t is thawed: it goes on\n"
    assert said("thaw", "t") == "t is not frozen: it goes on\n"
    deals.clock = _Later()
    deals.apply("t")
    assert said("freeze", "t") == "t is frozen: its hand goes on to its end\n"
    stored = tables.load("t")
    assert stored is not None
    assert stored.table.running is not None
    assert stored.table.frozen
    said("close", "t")
    for words in (("freeze", "t"), ("thaw", "t"), ("freeze", "nowhere")):
        assert main(["tables", *words, "--stack", STACK]) == 1
    assert capsys.readouterr().err == (
        "cardroom: t: this table is closing already\n" * 2
        + "cardroom: nowhere: there is no such table\n"
    )


class _Later(SystemClock):
    def now(self) -> int:
        return super().now() + 2_000


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["T", "nl", "PHP", "5"], "a table's id has 1 to 32 of a-z, 0-9 and '-'"),
        (["t" * 33, "nl", "PHP", "5"], "a table's id has 1 to 32"),
        (["t", "nl", "EUR", "5"], "'EUR' is no currency: PHP or USD"),
        (["t", "nl", "none", "5"], "'none' is no currency"),
        (["t", "nl", "PHP", "5.005"], "'5.005' is not an amount"),
        (["t", "nl", "PHP", "0"], "the amount is more than 0"),
        (["t", "nl", "PHP", "-1"], "'-1' is not an amount"),
        (["t", "nl", "PHP", "99999999999"], "the stakes are too high"),
        (["t", "fl", "PHP", "0.01"], "the lower limit must be even in minor units, got 1"),
        (["t", "nl", "PHP", "5", "--seats", "11"], "a table has 2 to 10 seats, got 11"),
        (["t", "nl", "PHP", "5", "--clock", "0"], "the clock is 5 to 120 seconds, not 0"),
        (["t", "nl", "PHP", "5", "--pause", "61"], "the pause is 1 to 60 seconds, not 61"),
        (
            ["t", "nl", "PHP", "5", "--time-bank", "181"],
            "a time bank holds 0 to 180 seconds, got 181",
        ),
        (["t", "nl", "PHP", "5", "--delay", "901"], "spectators are 0 to 900 seconds behind"),
        (["t", "nl", "PHP", "5", "--delay", "-1"], "spectators are 0 to 900 seconds behind"),
        (["t", "nl", "PHP", "5", "--up-to", "0"], "tables of a stake are 1 to 100, not 0"),
        (["t", "nl", "PHP", "5", "--up-to", "101"], "tables of a stake are 1 to 100, not 101"),
        (["t", "omaha", "PHP", "5"], None),
    ],
)
def test_nonsense_is_refused_in_one_line(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str], words: list[str], says: str | None
) -> None:
    """`says` is None where the command line itself is wrong: that is answered with the usage."""
    if says is None:
        with pytest.raises(SystemExit) as left:
            main(["tables", "open", *words, "--stack", STACK])
        assert left.value.code == 2
        return
    assert main(["tables", "open", *words, "--stack", STACK]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"cardroom: {says}")
    assert told.err.count("\n") == 1
    assert tables.listed() == []


def test_what_cannot_be_done_is_said_in_one_line(
    tables: DynamoTables,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def failed(*words: str) -> str:
        assert main(["tables", *words]) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        return told.err

    assert main(["tables", "open", "t", "nl", "PHP", "5", "--stack", STACK]) == 0
    capsys.readouterr()
    again = failed("open", "t", "nl", "PHP", "5", "--stack", STACK)
    assert again == "cardroom: there is, or was, a table t: choose another id\n"
    assert "there is no such table" in failed("close", "u", "--stack", STACK)
    assert "'nowhere'" in failed("list", "--stack", "nowhere")
    assert "it has no output TableName" in failed("list", "--stack", "other")
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    assert failed("list") == "cardroom: no room is running here: start one with make play\n"
    assert "is not a room on this machine" in failed("list", "--address", "wss://example.com")


def test_no_region_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    assert main(["tables", "list", "--stack", STACK]) == 1
    assert capsys.readouterr().err == f"cardroom: stack '{STACK}': You must specify a region\n"
