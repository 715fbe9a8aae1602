"""Statements and the report of rake: every entry once, and all of it adds up to the ledger."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cardroom.audit import check, sums
from cardroom.days import Days, Zone, midnight
from cardroom.histories import Unreadable
from cardroom.inventory import DynamoInventory
from cardroom.models import RakeItem
from cardroom.money import Entry, Kind
from cardroom.outcomes import borne, outcome
from cardroom.store import DynamoTables
from cardroom.stored import HandRecord
from cardroom.tables import open_table
from cardroom.takings import DynamoTakings, Taken, UnreadableTaken
from cli.days import days
from cli.finished import finished_record
from cli.main import main
from cli.rake_report import Rakes, rakes
from cli.rake_report import report as rake_report
from cli.sheets import Column, Holds, Part, Report, Style, write
from cli.statements import Statement, report, statement
from poker_engine.events import PotWon
from poker_engine.stakes import no_limit, table_settings
from tests.cli.conftest import STACK, fund
from tests.cli.recorded import seeded_records
from tests.cli.stated import (
    FILE,
    HOUR,
    PLAYERS,
    ledger_of,
    number_of,
    played,
    results_of,
    text,
)
from tests.room.conftest import Memory
from tests.room.world import TABLE, World

BERLIN = Zone("Europe/Berlin")


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1000


def _takings(world: World) -> DynamoTakings:
    return DynamoTakings(TABLE, world.tables._client)


def _chips(world: World, player: str, currency: str) -> int:
    """What the tables themselves say he has there."""
    held = 0
    for name in ("t", "u"):
        stored = world.tables.load(name)
        assert stored is not None
        assert stored.table.running is None
        if stored.table.settings.stakes.currency == currency:
            held += sum(one.chips for one in stored.leaving if one.player == player)
            held += sum(one.chips for one in stored.table.seats if one and one.player == player)
    return held


SEEDS = {
    1: ("2024-03-29T20:00+00:00", BERLIN),
    2: ("2024-10-25T20:00+00:00", BERLIN),
    3: ("2024-06-01T12:00+00:00", Zone("Asia/Manila")),
}
"""Over the days on which clocks go forward, and back; and without either."""


@pytest.mark.parametrize("seed", SEEDS)
def test_all_adds_up_to_the_ledger(memory: Memory, seed: int) -> None:
    begins, zone = SEEDS[seed]
    world = played(seed, moment(begins), zone)
    count = DynamoInventory(TABLE, world.tables._client).everything()
    assert check(count) == []
    assert all(not one.difference for one in sums(count))
    _all_kinds(world, zone)
    takings, now = _takings(world), world.clock.now()
    whole = Days(zone=zone)
    first, last = whole.day(moment(begins)) - timedelta(1), whole.day(now) + timedelta(1)
    single = [Days(day, day, zone) for day in _each(first, last)]
    assert len(single) > 4
    raked: Counter[tuple[date, str]] = Counter()
    won: dict[tuple[date, str], int] = defaultdict(int)
    for player in PLAYERS:
        told = statement(takings, player, whole, now)
        assert told.amiss == []
        _his_own_is_the_same(world, told)
        _adds_up(world, told, world.accounts.entries(player))
        by_day = [statement(takings, player, one, now) for one in single]
        _continues(by_day, told)
        for (day, table), sat in told.sat.items():
            raked[day, told.stakes[table]] += sat.rake
            won[day, table] += sat.net + sat.rake
    # What one wins another loses, and the room takes what the ledger has as its rake.
    assert set(won.values()) == {0}
    booked = rakes(takings, whole)
    assert booked.amiss == []
    per_stake = {(day, stake): one.rake for (day, stake, _), one in booked.sums.items()}
    assert per_stake == {key: amount for key, amount in raked.items() if amount}
    of_ledger = sum(one.amount for one in count.rake.values())
    assert sum(one.rake for one in booked.sums.values()) == of_ledger > 0
    assert sum(one.hands for one in booked.sums.values()) == len(count.rake)
    daily = [rakes(takings, one) for one in single]
    assert sum(one.rake for told in daily for one in told.sums.values()) == of_ledger
    assert any(not told.sums for told in daily), "no empty day"


def _each(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(1)


def test_what_the_clients_statements_are_held_to_is_of_today() -> None:
    assert FILE.read_text() == text(), ".venv/bin/python -m tests.cli.stated"


def _adds_up(world: World, told: Statement, ledger: list[Entry]) -> None:
    """A statement from the beginning until now, with the wallets and the tables."""
    listed = [entry for purse in told.purses.values() for _, entry in purse.entries]
    assert Counter(listed) == Counter(ledger)
    for currency, purse in told.purses.items():
        assert purse.opening == 0
        assert purse.closing == world.balance(told.player, currency)
        assert told.chips(currency) == _chips(world, told.player, currency)
    for table, currency in told.currencies.items():
        sat = [one for (_, name), one in told.sat.items() if name == table]
        entries = [entry for entry in ledger if entry.table == table]
        assert {entry.currency for entry in entries} == {currency}
        assert sum(one.bought - one.paid for one in sat) == -sum(one.amount for one in entries)


def _his_own_is_the_same(world: World, told: Statement) -> None:
    """What the room tells him himself, by the messages that he asks with: it is in no statement of
    the operator's if it is not here, and adds up to his wallets and his chips at the tables.
    """
    player, zone = told.player, told.days.zone.name
    entries, wallets = ledger_of(world, player, zone)
    for wallet in wallets:
        held = wallet["currency"]
        kept = sorted((one for one in entries if one["currency"] == held), key=number_of)
        assert [one["number"] for one in kept] == [*range(1, wallet["entries"] + 1)]
        assert sum(one["amount"] for one in kept) == wallet["balance"]
        assert wallet["balance"] == world.balance(player, held)
        latest, rows = (0, ""), []
        for one in kept:
            latest = max(latest, (one["at"], one["day"]))
            rows.append((latest[1], one["number"], one["amount"], one["balance"], one["table"]))
        assert rows == [
            (str(day), one.number, one.amount, one.balance, one.table or None)
            for day, one in told.purses[held].entries
        ]
        chips = 0
        for table in {one["table"] for one in kept if one["table"]}:
            days = results_of(world, player, zone, table)
            mine = {day: sat for (day, name), sat in told.sat.items() if name == table}
            assert {day: (one["hands"], one["net"], one["rake"]) for day, one in days.items()} == {
                str(day): (sat.hands, sat.net, sat.rake) for day, sat in mine.items() if sat.hands
            }
            chips += sum(one["net"] for one in days.values())
            chips -= sum(one["amount"] for one in kept if one["table"] == table)
        assert chips == _chips(world, player, held)


def _continues(by_day: list[Statement], told: Statement) -> None:
    """Day by day: nothing twice, nothing lost, and each day begins where the last one ended."""
    for currency, purse in told.purses.items():
        closing = chips = 0
        entries: list[tuple[date, Entry]] = []
        for one in by_day:
            daily = one.purses[currency]
            assert daily.opening == closing
            assert sum(held for t, held in one.before.items() if one.currencies[t] == currency) == (
                chips
            )
            assert {day for day, _ in daily.entries} <= {one.days.first}
            closing, chips = daily.closing, one.chips(currency)
            entries += daily.entries
        assert entries == purse.entries
        assert (closing, chips) == (purse.closing, told.chips(currency))
    pieces = {key: sat for one in by_day for key, sat in one.sat.items()}
    assert pieces == told.sat


def _all_kinds(world: World, zone: Zone) -> None:
    """Voids, automatic top-ups, hands that end on another day than they began."""
    entries = [one for name in PLAYERS for one in world.accounts.entries(name)]
    assert {one.id.split("#")[0] for one in entries} == {"ref", "in", "auto", "out"}
    records = [one for one in _takings(world).records("t") if isinstance(one, HandRecord)]
    assert any(one.voided for one in records)
    spans = Days(zone=zone)
    assert any(spans.day(one.started) != spans.day(one.ended) for one in records)


# The commands, on a stack


def test_a_statement_and_the_rake_are_written_where_they_are_wanted(
    tables: DynamoTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fund(tables, "ana", amount=12_050)
    file = tmp_path / "ana.csv"
    where = ("--stack", STACK)
    words = ("players", "statement", "ana", "--zone", "Asia/Manila", *where)
    assert main([*words, "--currency", "PHP", "--csv", "--out", str(file)]) == 0
    with file.open(encoding="utf-8", newline="") as text:
        kinds = [(row["kind"], row["balance"]) for row in csv.DictReader(text)]
    assert kinds == [("opening", "0.00"), ("deposit", "120.50"), ("closing", "120.50")]
    assert main([*words, "--html"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert main([*words, "--from", "2020-01-01", "--to", "2020-01-02"]) == 0
    assert "0.00 + 0.00 = 0.00 USD" in capsys.readouterr().out
    assert main(["report", "rake", *where]) == 0
    assert "no rake was taken" in capsys.readouterr().out
    entry = RakeItem("RAKE#t", "000000001", amount=35, currency="PHP", schedule="php", at=HOUR)
    assert open_table(tables, "t", table_settings(no_limit("PHP", 500)), 0)
    entry.save()
    assert main(["report", "rake", "--csv", *where]) == 0
    assert "by day and stake,1970-01-01,nl-PHP-500-1000,PHP,1,0.35" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("players", "statement", "ana", "--from", "soon"), 2, "'soon' is no day"),
        (("players", "statement", "zed"), 1, "there is no player zed"),
        (("report", "rake", "--zone", "Mars"), 2, "'Mars' is no time zone"),
        (("report", "rake", "--out", "/nowhere/at/all"), 1, "cannot write /nowhere/at/all"),
    ],
    ids=["no day", "no player", "no zone", "no file"],
)
def test_what_cannot_be_done_is_said(
    words: tuple[str, ...],
    code: int,
    sentence: str,
    tables: DynamoTables,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*words, "--stack", STACK]) == code
    assert capsys.readouterr().err.startswith(f"cardroom: {sentence}")


# Days


def test_days_are_those_of_the_zone_and_of_any_length() -> None:
    for day, hours in ((date(2024, 3, 31), 23), (date(2024, 10, 27), 25), (date(2024, 5, 1), 24)):
        found = Days(day, day, BERLIN)
        assert (found.ends or 0) - (found.begins or 0) == hours * HOUR
        assert found.day(found.begins or 0) == day
        assert found.day((found.ends or 0) - 1) == day
        assert found.day(found.ends or 0) == day + timedelta(1)


@pytest.mark.parametrize(
    ("zone", "around"),
    [
        ("America/Sao_Paulo", "2018-11-04T03:00+00:00"),  # There is no midnight.
        ("America/Sao_Paulo", "2018-02-18T02:00+00:00"),  # 23:00 comes twice.
        ("America/St_Johns", "2006-10-29T02:31+00:00"),  # Midnight comes twice.
        ("Pacific/Apia", "2011-12-30T10:00+00:00"),  # A whole day is left out.
        ("Europe/Berlin", "2024-03-31T01:00+00:00"),
    ],
)
def test_each_moment_is_of_one_day_and_days_follow_each_other(zone: str, around: str) -> None:
    every = Days(zone=Zone(zone))
    before = None
    for at in range(moment(around) - 30 * HOUR, moment(around) + 30 * HOUR, HOUR // 4):
        day = every.day(at)
        assert midnight(day, every.zone) <= at < midnight(day + timedelta(1), every.zone)
        assert before is None or day >= before
        before = day


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("2024-02-30", None, "UTC"), "'2024-02-30' is no day, like 2026-11-30"),
        (("1969-12-31", None, "UTC"), "'1969-12-31' is no day, like 2026-11-30"),
        (("2024-02-02", "2024-02-01", "UTC"), "2024-02-01 is before 2024-02-02"),
        ((None, None, "Mars/Base"), "'Mars/Base' is no time zone, like Asia/Manila"),
    ],
)
def test_days_that_make_no_sense_are_refused(asked: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        days(*asked)


# Hands and entries that are at hand


class FakeLedgers:
    def __init__(self, entries: list[Entry], records: list[HandRecord | Unreadable]) -> None:
        self._entries, self._records = entries, records

    def entries(self, player: str) -> list[Entry]:
        return self._entries

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        return iter(self._records)

    def stake(self, table_id: str) -> str:
        return ""


def entry(number: int, amount: int, at: int, kind: Kind = Kind.DEPOSIT, table: str = "") -> Entry:
    return Entry(
        f"e{number}", "ana", "PHP", kind, amount, at, "olga", "=1+1", number, 0, table=table
    )


def test_an_entry_counts_no_earlier_than_one_that_was_booked_before_it() -> None:
    """Two writers' clocks differ around midnight."""
    night = moment("2024-06-02T00:00+00:00")
    ledger = [entry(1, 500, night + 3), entry(2, 70, night - 2), entry(3, 9, night + 5)]
    told = [
        statement(FakeLedgers(ledger, []), "ana", Days(day, day), night + HOUR).purses["PHP"]
        for day in (date(2024, 6, 1), date(2024, 6, 2))
    ]
    assert [(one.opening, len(one.entries), one.closing) for one in told] == [
        (0, 0, 0),
        (0, 3, 579),
    ]


def test_what_cannot_be_read_is_named() -> None:
    record = next(seeded_records(range(1)))
    broken = replace(record, events=f'[["p0"{record.events}')
    ledgers = FakeLedgers(
        [replace(entry(1, -500, 0, Kind.BUY_IN, "t-0"), player="p0")],
        [Unreadable("t-0", "000000007"), broken],
    )
    told = statement(ledgers, "p0", Days(), record.ended + HOUR)
    assert told.amiss == ["t-0 hand 7", f"t-0 hand {record.number}"]
    assert "cannot be read, and is not counted: t-0 hand 7" in report(told).about


def test_rake_is_borne_by_those_who_won_the_pot() -> None:
    assert borne(PotWon(0, 700, 35, (1, 2, 3), ((2, 333), (3, 332)))) == {2: 18, 3: 17}
    seen = 0
    for record in seeded_records(range(6), 300):
        if record.voided and not record.opening:
            continue
        hand = finished_record(record)
        results = [outcome(record, one.name) for one in hand.players]
        if hand.void is not None:
            assert set(results) == {None}
            continue
        assert [one.net for one in results if one] == [
            one.final - one.stack for one in hand.players
        ]
        assert sum(one.rake for one in results if one) == hand.rake
        assert sum(one.net for one in results if one) == -hand.rake
        seen += hand.rake > 0
    assert seen > 5


class FakeTakings:
    def __init__(self, *taken: Taken | UnreadableTaken) -> None:
        self._taken = taken

    def tables(self) -> list[str]:
        return ["t"]

    def taken(self, table_id: str) -> Iterator[Taken | UnreadableTaken]:
        return iter(self._taken)

    def stake(self, table_id: str) -> str:
        return "nl-PHP-250-500"


def test_rake_that_cannot_be_read_is_named() -> None:
    told = rakes(
        FakeTakings(UnreadableTaken("t", "000000012"), Taken("t", 13, 5, "PHP", 0)), Days()
    )
    assert told.amiss == ["t hand 12"]
    assert [one.rake for one in told.sums.values()] == [5]


# How it is written


def written(told: Report, style: Style) -> str:
    out = io.StringIO()
    write(told, style, out)
    return out.getvalue()


def example() -> Statement:
    at = moment("2024-06-01T20:30+00:00")
    ledger = [
        entry(1, 10_000, at),
        entry(2, -5_000, at + HOUR, Kind.BUY_IN, "php-5-10-1"),
        entry(3, 4_500, at + 2 * HOUR, Kind.PAY_OUT, "php-5-10-1"),
    ]
    return statement(FakeLedgers(ledger, []), "ana", Days(zone=Zone("Asia/Manila")), at + 9 * HOUR)


def test_the_csv_adds_up_by_itself_and_starts_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(written(report(example()), Style.CSV))))
    booked = [row for row in rows if row["part"] == "PHP ledger" and row["number"]]
    closing = next(row for row in rows if row["kind"] == "closing")
    assert sum(round(float(row["amount"]) * 100) for row in booked) == 9_500
    assert closing["balance"] == "95.00"
    assert booked[0]["day"] == "2024-06-02"
    assert booked[1]["amount"] == "-50.00"
    assert {row["why"] for row in booked} == {"'=1+1"}
    (result,) = [row for row in rows if row["part"] == "results by day and table"]
    assert (result["bought"], result["paid out"], result["at table"]) == ("50.00", "45.00", "5.00")


def test_the_page_is_made_for_people() -> None:
    page = written(report(example()), Style.PAGE).splitlines()
    assert page[:2] == [
        "Statement of ana",
        "the beginning to now, days and times of Asia/Manila",
    ]
    assert "  closing balance and chips at tables: 95.00 + 5.00 = 100.00 PHP" in page


def test_nobodys_text_is_markup_or_steers_a_terminal() -> None:
    column = Column("a<b", 4)
    told = Report(
        "<script>", ("&",), (column,), (Part("p", (column,), [("<b>\x1b[2J</b>",)], "none"),)
    )
    html = written(told, Style.HTML)
    assert "&lt;b&gt;?[2J&lt;/b&gt;" in html
    assert "<script>" not in html
    assert "\x1b" not in html + written(told, Style.PAGE)


def test_a_table_without_rows_says_so() -> None:
    column = Column("rake", 4, Holds.MONEY)
    told = Report("r", (), (column,), (Part("p", (column,), (), "no rake was taken"),))
    assert written(told, Style.PAGE) == "r\n\np\n  no rake was taken\n"
    assert "<p>no rake was taken</p>" in written(told, Style.HTML)
    assert written(told, Style.CSV) == "part,rake\r\n"


def test_the_report_of_rake_has_days_stakes_and_sums() -> None:
    at = date(2024, 6, 1)
    taken = [Taken("t", n, 50 + n, "PHP", midnight(at, Zone()) + n * 13 * HOUR) for n in range(4)]
    told: Rakes = rakes(FakeTakings(*taken), Days(at, at + timedelta(5)))
    rows = list(csv.DictReader(io.StringIO(written(rake_report(told), Style.CSV))))
    assert [(row["part"], row["day"], row["raked hands"], row["rake"]) for row in rows] == [
        ("by day and stake", "2024-06-01", "2", "1.01"),
        ("by day and stake", "2024-06-02", "2", "1.05"),
        ("by stake", "", "4", "2.06"),
        ("in all", "", "4", "2.06"),
    ]
