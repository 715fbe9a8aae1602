"""The lobby on a terminal: stakes and tables, as many columns and rows as there is room for."""

import time
from typing import Any

import pytest

from local.lobby_screen import LobbyScreen, account_told, limits_told, owned, ranges
from local.lobby_view import EVERYTHING, Filter, LobbyView
from local.page import columns
from tests.local.fake_room import lobby, row, stake

NOW = 1_000_000
BALANCES = [{"currency": "PHP", "balance": 123_450}, {"currency": "USD", "balance": 2_000}]


def drawn(
    *rows: dict[str, Any], now: int = NOW, width: int = 80, rows_: int = 100, **more: Any
) -> list[str]:
    view = LobbyView()
    view.load(lobby(*rows))
    return LobbyScreen().page(view, now, width, **more).lines(rows_, width)


def test_the_lobby_shows_stakes_and_tables_with_all_that_one_chooses_by() -> None:
    assert drawn(balances=BALANCES) == [
        "Lobby: 1 table, 2 seated  Balance: P1234.50, $20",
        "",
        "stake       game      buy-in      tables  seated  in line",
        "php-0.50-1  no-limit  P10 to 100       1     2/3        0",
        "",
        "table  seats  waiting     pot  flop  hands/h   acts  watch  free",
        "t1       2/3        1  P12.50   35%       85  3.2 s      4  1",
    ]


def test_what_nobody_knows_yet_is_a_dash() -> None:
    nothing = {"average_pot": None, "flop_permille": None, "hands_hour": None, "acting_ms": None}
    assert drawn(row(**nothing))[-1].split() == ["t1", "2/3", "1", "-", "-", "-", "-", "4", "1"]


@pytest.mark.parametrize(
    ("changes", "free"),
    [
        ({"players": [None] * 3, "taken": 0}, "0-2"),
        ({"players": [None, "x", None], "taken": 1}, "0,2"),
        ({"players": ["x", "y", "z"], "taken": 3}, "full"),
        ({"state": "closing"}, "closing"),
        ({"state": "frozen"}, "frozen"),
    ],
)
def test_free_seats_are_told_by_their_numbers(changes: dict[str, Any], free: str) -> None:
    assert drawn(row(**changes))[-1].endswith(f"  {free}")


def test_ranges() -> None:
    assert ranges([]) == ""
    assert ranges([0, 1, 2, 5, 7, 8]) == "0-2,5,7-8"


def test_a_buy_in_without_a_maximum() -> None:
    assert "P10 or more" in drawn(row(maximum=None))[3]


def test_a_filter_is_shown_and_how_to_get_rid_of_it() -> None:
    lines = drawn(shows=Filter(currency="USD"))
    assert lines[1] == "Only USD: type filter off to see all."
    assert lines[-1] == "No such table is open."


def test_an_old_lobby_says_so() -> None:
    assert "as of 8 s ago" in drawn(now=NOW + 8_000)[0]
    assert "as of" not in drawn(now=NOW + 5_000)[0]


def test_before_it_is_known_it_says_so() -> None:
    page = LobbyScreen().page(LobbyView(), NOW, foot=["Stop: Ctrl-C"])
    assert page.lines(10) == ["Waiting for the lobby ...", "", "Stop: Ctrl-C"][::2]


@pytest.mark.parametrize("width", [80, 70, 60, 50, 40, 30])
def test_a_narrow_terminal_drops_columns_and_keeps_what_one_needs(width: int) -> None:
    lines = drawn(row(table="x" * 32), width=width, balances=BALANCES)
    assert all(columns(line) <= width for line in lines)
    if width >= 60:
        table = next(line for line in lines if line.startswith("x"))
        assert table.split()[1] == "2/3"
        assert table.split()[-1] == "1"


def test_few_rows_keep_the_stakes_and_say_what_is_missing() -> None:
    rows = [row(table=f"t{number}") for number in range(30)]
    lines = drawn(*rows, rows_=20, foot=["", "Stop: Ctrl-C"])
    assert len(lines) == 20
    assert lines[0].startswith("Lobby: 30 tables")
    assert lines[1].startswith("stake")
    assert lines[-1] == "Stop: Ctrl-C"
    assert lines[-2] == "... 16 more lines"


def test_texts_of_others_steer_no_terminal() -> None:
    evil = "\x1b[2J\x07\u202e"
    view = LobbyView()
    view.load(lobby(row(table=evil, players=[evil, None, "x" * 500]), stakes=[stake()]))
    for line in LobbyScreen().page(view, NOW, shows=EVERYTHING).lines(50):
        assert line.isprintable(), repr(line)
        assert columns(line) <= 80


def test_an_account_is_told_with_what_its_limits_will_be() -> None:
    soon = int(time.time() + 3_600) * 1000
    none: dict[str, Any] = {"value": None, "next": None}
    loss = {"value": 50_000, "next": {"value": None, "at": soon}}
    deposit = {"value": None, "next": {"value": 1_000, "at": soon}}
    pesos = {"currency": "PHP", "deposit_day": none, "deposited": 0, "loss_day": loss, "lost": 250}
    dollars = {"currency": "USD", "deposit_day": deposit, "deposited": 5, "loss_day": none}
    limits = {
        "reminder_minutes": {"value": 30, "next": None},
        "exclude_until": soon,
        "currencies": [pesos, dollars | {"lost": 0}],
    }
    at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(soon // 1000))
    assert account_told({"balances": BALANCES, "limits": limits}) == (
        "You own P1234.50, $20. "
        f"You may lose P500 (from {at} on any amount) of PHP a day, P2.50 of it today. "
        f"You may deposit any amount (from {at} on $10) of USD a day, $0.05 of it today. "
        f"You are reminded every 30 minutes. You have excluded yourself until {at}."
    )
    bare: dict[str, Any] = {"reminder_minutes": none, "exclude_until": None, "currencies": []}
    assert account_told({"balances": [], "limits": bare}) == "You own nothing."


def test_what_is_set_is_told_with_what_holds_from_when_on() -> None:
    at = 1_700_000_000_000
    moment = "2023-11-14 22:13 UTC"
    lower: dict[str, Any] = {"value": 50_000, "next": None}
    higher: dict[str, Any] = {"value": 50_000, "next": {"value": None, "at": at}}
    minutes = {"value": 30, "next": {"value": None, "at": at}}
    pesos = {"currency": "PHP", "loss_day": lower, "deposit_day": higher}
    limits = {"reminder_minutes": minutes, "exclude_until": at, "currencies": [pesos]}
    told = {
        "loss_day": "In a day (UTC) you may lose P500 from now on.",
        "deposit_day": "In a day (UTC) you may deposit P500 as before, "
        f"and any amount of PHP from {moment} on.",
        "reminder_minutes": "You are reminded every 30 minutes as before, "
        f"and of nothing from {moment} on.",
        "exclude_until": f"You have excluded yourself from now on until {moment}: "
        "then it ends by itself.",
    }
    for name, sentence in told.items():
        assert limits_told(limits, {"currency": "PHP", name: None}) == sentence
    limits["reminder_minutes"] = {"value": 30, "next": None}
    said = limits_told(limits, {"reminder_minutes": 30})
    assert said == "You are reminded every 30 minutes from now on."


def test_what_is_owned_in_each_currency() -> None:
    assert owned(BALANCES) == "P1234.50, $20"
