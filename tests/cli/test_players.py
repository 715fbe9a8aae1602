"""`cardroom players`, `audit` and `hands void`, on a stack in moto's AWS."""

import re
from dataclasses import dataclass, field, replace
from typing import Self

import pytest

from cardroom.accounts import DynamoAccounts
from cardroom.audit import Finding, Report, Sums
from cardroom.connections import DynamoViews
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.limits import Limit, Limits
from cardroom.money import Standing
from cardroom.ports import Delivery
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables, hands
from cardroom.tables import open_table
from cli import audit
from cli.main import main
from cli.tables import Silent
from poker_engine.commands import Sit
from poker_engine.stakes import no_limit, table_settings
from tests.cli.conftest import CALLBACK_URL, STACK, fund
from tests.room.world import TABLE, FakeClock

WHY = ("--why", "a test", "--who", "olga")


class Says:
    """Runs a command and gives its exit code, output and errors."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        code = main([*words, "--stack", STACK])
        said = self._capsys.readouterr()
        return code, said.out, said.err


@dataclass
class Closing:
    """Stands for the way to the callback endpoint."""

    outcomes: dict[str, Delivery] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)

    def __call__(self, url: str, make: object) -> Self:
        assert make is None
        self.urls.append(url)
        return self

    def close(self, connection: str) -> Delivery:
        self.closed.append(connection)
        return self.outcomes.get(connection, Delivery.DONE)


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> Closing:
    made = Closing()
    monkeypatch.setattr("cli.players.ApiCloser", made)
    return made


@pytest.fixture
def says(tables: DynamoTables, capsys: pytest.CaptureFixture[str]) -> Says:
    return Says(capsys)


def _seat(tables: DynamoTables, *players: str) -> Dealer:
    clock = FakeClock()
    open_table(tables, "t", table_settings(no_limit("PHP", 500)), clock.now())
    fund(tables, *players)
    dealer = Dealer(tables, clock, SystemRandomness(), Silent())
    for seat, player in enumerate(players):
        applied = dealer.apply("t", Wish(Sit(player, seat, 10_000), player, "s"))
        assert isinstance(applied, Applied)
        assert applied.refusal is None
    return dealer


def test_a_players_life(says: Says) -> None:
    assert says("players", "create", "ana", *WHY) == (0, "ana is a player\n", "")
    booked = "ana: deposit bank 7/1 of 120.50 PHP booked, balance after it 120.50\n"
    deposit = ("players", "deposit", "ana", "120.50", "php", "--reference", "bank 7/1", *WHY)
    said = says(*deposit)
    assert said == (0, booked.replace(" booked,", ","), "")
    again = "ana: deposit bank 7/1 of 120.50 PHP had been booked already, balance after it 120.50\n"
    assert says(*deposit) == (0, again, "")
    withdraw = ("players", "withdraw", "ana", "20", "PHP", "--reference", "w1", *WHY)
    assert says(*withdraw)[:2] == (0, "ana: withdrawal w1 of 20.00 PHP, balance after it 100.50\n")
    code, out, _ = says("players", "show", "ana")
    assert code == 0
    first, wallet = out.splitlines()
    assert re.fullmatch(r"ana: open since 20[0-9-]+ [0-9:]+ \(olga: a test\)", first)
    assert wallet.split() == ["100.50", "PHP,", "2", "entries"]
    code, out, _ = says("players", "statement", "ana")
    assert code == 0
    one, two = (line.split() for line in out.splitlines() if "reference" in line)
    assert (one[:2], *one[4:9]) == (
        ["PHP", "1"],
        "deposit",
        "120.50",
        "120.50",
        "reference",
        "bank",
    )
    assert two[4:7] == ["withdrawal", "-20.00", "100.50"]
    assert "closing balance and chips at tables: 100.50 + 0.00 = 100.50 PHP" in out
    assert out.count("olga") == 2
    nothing = says("players", "statement", "ana", "--currency", "USD")[1]
    assert "nothing was ever booked" in nothing
    assert says("players", "suspend", "ana", *WHY)[1].startswith("ana: suspended since ")
    code, _, err = says("players", "close", "ana", *WHY)
    assert (code, err) == (1, "cardroom: ana still has money: withdraw it first\n")
    assert says("players", "suspend", "ana", "--lift", *WHY)[1].startswith("ana: open since ")
    code, _, err = says("players", "close", "ana", *WHY)
    assert (code, err) == (1, "cardroom: ana may still play: suspend him first\n")
    says("players", "suspend", "ana", *WHY)
    says("players", "withdraw", "ana", "100.50", "PHP", "--reference", "w2", *WHY)
    assert says("players", "close", "ana", *WHY)[1].startswith("ana: closed since ")


def _connect(tables: DynamoTables, *connections: tuple[str, str]) -> DynamoViews:
    views = DynamoViews(tables.name)
    for connection, player in connections:
        views.connect(connection, player, FakeClock().now())
    return views


def test_suspending_closes_his_connections(
    tables: DynamoTables, says: Says, closing: Closing
) -> None:
    fund(tables, "ana")
    _connect(tables, ("phone", "ana"), ("laptop", "ana"), ("other", "ben"), ("guest", ""))
    code, out, err = says("players", "suspend", "ana", *WHY)
    assert (code, err) == (0, "")
    assert out.startswith("ana: suspended since ")
    assert out.endswith("\n  2 connections closed\n")
    assert closing.urls == [CALLBACK_URL]
    assert sorted(closing.closed) == ["laptop", "phone"]


def test_a_connection_that_ended_unnoticed_is_forgotten(
    tables: DynamoTables, says: Says, closing: Closing
) -> None:
    fund(tables, "ana")
    views = _connect(tables, ("phone", "ana"), ("laptop", "ana"))
    closing.outcomes["phone"] = Delivery.GONE
    assert says("players", "suspend", "ana", *WHY)[1].endswith("  1 connections closed\n")
    assert views.connections_of("ana") == ["laptop"]


def test_a_connection_that_does_not_close_is_said(
    tables: DynamoTables, says: Says, closing: Closing
) -> None:
    fund(tables, "ana")
    _connect(tables, ("phone", "ana"), ("laptop", "ana"))
    closing.outcomes["phone"] = Delivery.FAILED
    assert says("players", "suspend", "ana", *WHY) == (
        1,
        "",
        "cardroom: ana is suspended, but 1 of his connections did not close: again\n",
    )
    player = DynamoAccounts.beside(tables).player("ana")
    assert player is not None
    assert player.standing is Standing.SUSPENDED


def test_lifting_a_suspension_closes_nothing(
    tables: DynamoTables, says: Says, closing: Closing
) -> None:
    fund(tables, "ana")
    says("players", "suspend", "ana", *WHY)
    _connect(tables, ("phone", "ana"))
    assert says("players", "suspend", "ana", "--lift", *WHY)[0] == 0
    assert closing.closed == []


def test_a_stack_without_a_way_to_its_connections_is_named(
    tables: DynamoTables, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    fund(tables, "ana")
    monkeypatch.setattr("cli.players.outputs_of", lambda _: {"TableName": tables.name})
    assert says("players", "suspend", "ana", *WHY) == (
        1,
        "",
        "cardroom: he is suspended, but still connected: the stack has no output CallbackUrl\n",
    )


def _limit(tables: DynamoTables, limits: Limits) -> None:
    assert tables.put_limits(replace(limits, version=limits.version + 1))


def test_the_limits_that_a_player_has_set_himself(tables: DynamoTables, says: Says) -> None:
    _seat(tables, "ana")
    head = "ana: what he has set himself; days end at 00:00 UTC"
    shown = says("players", "limits", "ana")[1].splitlines()
    assert shown == [
        head,
        "  PHP deposits of a day: none; 10000.00 came in today",
        "  PHP losses of a day: none; 100.00 lost today",
        "  USD deposits of a day: none; 10000.00 came in today",
        "  USD losses of a day: none; 0.00 lost today",
        "  reminder: none",
        "  excluded until: no",
    ]
    later = 4_102_444_800_000
    limits = Limits(
        "ana",
        {"PHP": Limit(1_200_000, None, later)},
        {"PHP": Limit(50_000)},
        Limit(60, 90, later),
        excluded_until=later,
    )
    _limit(tables, limits)
    assert says("players", "limits", "ana")[1].splitlines() == [
        head,
        "  PHP deposits of a day: 12000.00, from 2100-01-01 00:00:00 none; 10000.00 came in today",
        "  PHP losses of a day: 500.00; 100.00 lost today",
        "  USD deposits of a day: none; 10000.00 came in today",
        "  USD losses of a day: none; 0.00 lost today",
        "  reminder: 60 minutes, from 2100-01-01 00:00:00 90 minutes",
        "  excluded until: 2100-01-01 00:00:00",
    ]


def test_a_deposit_keeps_to_them(tables: DynamoTables, says: Says) -> None:
    fund(tables, "ana")
    _limit(tables, Limits("ana", {"PHP": Limit(1_200_000)}))
    deposit = ("players", "deposit", "ana", "2000.01", "PHP", "--reference", "r", *WHY)
    line = "ana has limited a day's deposits to 12000.00 PHP: 2000.00 is left of it"
    assert says(*deposit) == (1, "", f"cardroom: {line}\n")
    _limit(tables, replace(tables.limits("ana"), excluded_until=4_102_444_800_000))
    line = "ana has excluded himself: no deposit is taken"
    assert says(*deposit) == (1, "", f"cardroom: {line}\n")
    assert says("players", "withdraw", "ana", "10000", "PHP", "--reference", "w", *WHY)[0] == 0


def test_seats_are_shown(tables: DynamoTables, says: Says) -> None:
    _seat(tables, "ana")
    assert says("players", "show", "ana")[1].splitlines()[-1] == "  chips at t"


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (("show", "zed"), 1, "there is no player zed"),
        (("statement", "zed"), 1, "there is no player zed"),
        (("create", "ana", *WHY), 1, "there is a player ana already"),
        (("create", "a b", *WHY), 2, "'a b' is no user name: 1 to 36 of A-Z a-z 0-9 _ . -"),
        (("limits", "zed"), 1, "there is no player zed"),
        (("create", "Ab", *WHY), 1, "a name has 3 to 20 characters"),
        (("create", "support", *WHY), 1, "this name is reserved for the room"),
        (("create", "a.n.a", *WHY), 1, "this name is taken, or looks like one that is"),
        (("create", "ben", "--why", " "), 2, "--why is one line of 1 to 120 characters"),
        (("create", "ben", "--why", "a\nb"), 2, "--why is one line of 1 to 120 characters"),
        (("deposit", "ana", "0", "PHP", "--reference", "r", *WHY), 2, "the amount is more than 0"),
        (
            ("deposit", "ana", "1.005", "PHP", "--reference", "r", *WHY),
            2,
            "'1.005' is not an amount: write 12 or 12.50, two decimals at most",
        ),
        (
            ("deposit", "ana", "1", "EUR", "--reference", "r", *WHY),
            2,
            "'EUR' is no currency: PHP or USD",
        ),
        (
            ("deposit", "ana", "1", "PHP", "--reference", "#1", *WHY),
            2,
            "'#1' is no reference: 1 to 64 letters, digits, blanks and _ . : / -",
        ),
        (
            ("withdraw", "ana", "10000.01", "PHP", "--reference", "r", *WHY),
            1,
            "ana has 10000.00 PHP, less than 10000.01",
        ),
        (
            ("withdraw", "ana", "1", "PHP", "--reference", "PHP", *WHY),
            1,
            "reference PHP is a deposit of 10000.00 PHP",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tables: DynamoTables, says: Says, words: tuple[str, ...], code: int, line: str
) -> None:
    fund(tables, "ana")
    assert says("players", *words) == (code, "", f"cardroom: {line}\n")


def test_a_room_in_order_is_0(tables: DynamoTables, says: Says) -> None:
    _seat(tables, "ana", "ben")
    code, out, err = says("audit")
    assert (code, err) == (0, "")
    pesos, dollars, last = out.splitlines()
    assert pesos == (
        "PHP: wallets 19800.00 + tables 200.00 + leaving 0.00 + rake 0.00 = 20000.00; "
        "deposits 20000.00 - withdrawals 0.00 = 20000.00; difference 0.00"
    )
    assert dollars.startswith("USD: wallets 20000.00 + tables 0.00")
    assert last == "2 players, 1 tables, 6 entries counted: balanced"


def test_a_difference_is_1(
    tables: DynamoTables, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.systemclock.SystemClock.pause", lambda _, ms: None)
    _seat(tables, "ana", "ben")
    DynamoAccounts.beside(tables)._client.update_item(
        TableName=TABLE,
        Key={"pk": {"S": "USER#ana"}, "sk": {"S": "WALLET#PHP"}},
        UpdateExpression="ADD balance :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
    )
    code, out, _ = says("audit")
    assert code == 1
    assert "difference 0.01" in out
    assert "wallet ana PHP: holds 990001, its ledger adds up to 990000" in out
    assert out.endswith("read again: 1 findings\n")


def test_what_does_not_settle_is_2() -> None:
    moving = Finding("table t: moves")
    report = Report((Sums("PHP"),), (), (moving,), 1, 1, 1, 8)
    assert audit.verdict(report) == 2
    assert audit.lines(report)[1:] == [
        "still moving: table t: moves",
        "1 players, 1 tables, 1 entries counted, 8 read again: "
        "unsettled after 10 s, 1 still moving",
    ]
    certain = Report((Sums("PHP"),), (moving,), (moving,), 1, 1, 1, 8)
    assert audit.verdict(certain) == 1
    assert audit.verdict(Report((Sums("PHP", wallets=1),), (), (), 1, 1, 1, 0)) == 1
    assert audit.verdict(Report((Sums("PHP"),), (), (), 1, 1, 1, 0)) == 0


@pytest.mark.parametrize("words", [("players", "show", "ana"), ("audit",)])
def test_no_such_room_is_one_line(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main([*words, "--stack", "nowhere"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("cardroom: stack 'nowhere'")
    assert err.count("\n") == 1


@pytest.mark.rule("9")
def test_a_hand_that_hangs_is_void(tables: DynamoTables, says: Says) -> None:
    dealer = _seat(tables, "ana", "ben")
    void = ("hands", "void", "t", "1", "--why", "the clock hangs")
    assert says(*void) == (1, "", "cardroom: t: hand 1 is not running\n")
    assert isinstance(dealer.clock, FakeClock)
    dealer.clock.go(10_000)
    dealer.apply("t")
    stored = tables.load("t")
    assert stored is not None
    assert stored.table.running is not None
    other = ("hands", "void", "t", "2", "--why", "x")
    assert says(*other) == (1, "", "cardroom: t: hand 2 is not running\n")
    assert says(*void)[:2] == (0, "hand 1 of t is void: every chip is where it came from\n")
    (record,) = hands("t")
    assert record.voided
    assert "the clock hangs" in record.events
    stored = tables.load("t")
    assert stored is not None
    assert [seat.stack for seat in stored.table.seats if seat is not None] == [10_000, 10_000]
    assert says("audit")[0] == 0
    assert says("hands", "void", "u", "1", "--why", "x")[2] == (
        "cardroom: u: there is no such table\n"
    )
