"""`cardroom players export` and `erase`: what is kept of a player, for him, and without it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.arrivals import DynamoArrivals
from cardroom.audit import audit
from cardroom.bank import Bank, Order
from cardroom.damage import Attributes
from cardroom.disputes import Dispute, DynamoDisputes
from cardroom.inventory import DynamoInventory
from cardroom.limits import Limit, Limits
from cardroom.models import LeftItem, written
from cardroom.money import Standing
from cardroom.personal import DynamoPersonal
from cardroom.session import Session
from cardroom.spans import DAY_MS
from cardroom.store import DynamoTables, _hand_item
from cardroom.systemclock import SystemClock
from cli.main import main
from tests.cli.conftest import STACK, fund
from tests.cli.recorded import seeded_records
from tests.room.world import TABLE

NOW = SystemClock().now()
TODAY = NOW // DAY_MS
TEXT = "my flush, said Ana of Manila"
WORD = "the flush was on the board"


@pytest.fixture
def room(tables: DynamoTables) -> DynamoTables:
    """Ana with all that may be kept of a player, and Ben with some of it."""
    fund(tables, "ana", "ben")
    arrivals, disputes = DynamoArrivals(TABLE, "a key"), DynamoDisputes(TABLE)
    arrivals.note("ana", "192.0.2.1", "a_device_of_ana_1", NOW - DAY_MS)
    arrivals.note("ana", "192.0.2.1", "", NOW)
    arrivals.note("ana", "192.0.2.2", "a_device_of_ana_1", NOW)
    arrivals.note("ben", "192.0.2.1", "", NOW)
    for one in (
        Dispute("ana", "t-0", 2, NOW - 1, TEXT, "c1", NOW, "sue", WORD),
        Dispute("ana", "t-0", 3, NOW, "again", "c2"),
        Dispute("ben", "t-0", 2, NOW, "his flush", "c1"),
    ):
        assert disputes.put(one)
    for record in seeded_records(range(1), 100):
        tables._client.put_item(TableName=TABLE, Item=written(_hand_item(record)))
    assert tables.put_limits(Limits("ana", reminder=Limit(60), version=1))
    tables.put_session("ana", Session(NOW - 5, NOW))
    left = keys.left("nl-PHP-500-1000", NOW, "t-0", 7)
    item = LeftItem(keys.user("ana"), left, chips=5_000, at=NOW, removed=0, ttl=NOW)
    tables._client.put_item(TableName=TABLE, Item=written(item))
    return tables


def says(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["players", *words, "--stack", STACK])
    said = capsys.readouterr()
    return code, said.out, said.err


def close(tables: DynamoTables, name: str) -> None:
    bank, order = (
        Bank(DynamoAccounts.beside(tables), SystemClock()),
        Order("olga", "he asks for it"),
    )
    for currency in ("PHP", "USD"):
        bank.withdraw(name, currency, 1_000_000, f"back {currency}", order)
    bank.suspend(name, order)
    bank.close(name, order)


def everything(tables: DynamoTables) -> list[Attributes]:
    return list(DynamoAccounts.beside(tables).scan("pk <> :none", {":none": {"S": "none"}}))


def day(ago: int) -> str:
    return datetime.fromtimestamp((TODAY - ago) * DAY_MS // 1000, UTC).strftime("%Y-%m-%d")


def test_he_is_given_all_that_is_kept_under_his_name(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = says(capsys, "export", "ana")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["player"] == "ana"
    assert told["wallets"] == {"PHP": 1_000_000, "USD": 1_000_000}
    assert [one["reference"] for one in told["ledger"]] == ["PHP", "USD"]
    assert told["limits"]["reminder"]
    assert told["last visit"]["to"]
    assert [one["chips"] for one in told["tables left"]] == [5_000]
    assert told["connections came from"] == {
        day(1): "1 address, 1 device that had a name, as hashes",
        day(0): "2 addresses, 1 device that had a name, as hashes",
    }
    first, second = told["disputed hands"]
    assert (first["hand"], first["text"], first["answered"]["word"]) == ("t-0/2", TEXT, WORD)
    assert (second["hand"], second["answered"]) == ("t-0/3", None)
    assert "--player ana --as player ana" in told["not in this file"][0]
    assert "his flush" not in out


def test_which_of_the_rooms_people_did_it_he_is_not_told(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in his statement: neither who booked, nor who answered, nor who changed his standing."""
    close(room, "ana")
    code, out, _ = says(capsys, "export", "ana")
    assert code == 0
    told = json.loads(out)
    assert told["standing"]["why"] == "he asks for it"
    assert {one["why"] for one in told["ledger"]} >= {"he asks for it"}
    assert "olga" not in out
    assert "sue" not in out


def test_a_file_is_written(
    room: DynamoTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ana.json"
    assert says(capsys, "export", "ana", "--out", str(path)) == (0, "", "")
    assert json.loads(path.read_text())["player"] == "ana"
    code, _, err = says(capsys, "export", "ana", "--out", str(tmp_path / "no" / "ana.json"))
    assert code == 1
    assert err.endswith("no such file or directory\n")


def test_what_can_be_done_without_is_erased_and_books_and_hands_stay(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    close(room, "ana")
    before = everything(room)
    code, out, err = says(capsys, "erase", "ana", "--why", "he asks for it", "--who", "olga")
    assert (code, err) == (0, "")
    assert out.startswith("ana is erased: 3 arrivals, 2 disputes, 3 of limits")
    after = everything(room)
    text = json.dumps(after)
    assert TEXT not in text
    assert WORD not in text
    gone = [one["pk"]["S"] + one["sk"]["S"] for one in before if one not in after]
    assert all("ana" in one for one in gone)
    kept = {(one["pk"]["S"], one["sk"]["S"].partition("#")[0]) for one in after}
    assert {one for one in kept if one[0].endswith("#ana")} == {
        ("NAME#ana", "NAME"),
        *(("USER#ana", kind) for kind in ("PLAYER", "WALLET", "LEDGER")),
    }
    assert [one for one in after if one["pk"]["S"].startswith(("HAND#", "NAME#"))] == [
        one for one in before if one["pk"]["S"].startswith(("HAND#", "NAME#"))
    ]
    assert len(DynamoDisputes(TABLE).of("ben")) == 1
    assert audit(DynamoInventory.beside(room), SystemClock()).balanced
    player = DynamoAccounts.beside(room).player("ana")
    assert player is not None
    assert (player.standing, player.who, player.why) == (Standing.CLOSED, "olga", "he asks for it")


def test_erased_once_more_nothing_is_left_to_erase(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    close(room, "ana")
    assert says(capsys, "erase", "ana", "--why", "he asks for it")[0] == 0
    code, out, _ = says(capsys, "erase", "ana", "--why", "once more")
    assert (code, out.splitlines()[0]) == (
        0,
        "ana is erased: 0 arrivals, 0 disputes, 0 of limits, last visit and leavings",
    )
    told = json.loads(says(capsys, "export", "ana")[1])
    assert (told["connections came from"], told["disputed hands"]) == ({}, [])


def test_who_may_still_play_is_not_erased(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    """His limits protect him, and what he disputes is for support to answer."""
    before = everything(room)
    assert says(capsys, "erase", "ana", "--why", "a test") == (
        1,
        "",
        "cardroom: ana is open: close his account first\n",
    )
    assert everything(room) == before
    assert says(capsys, "erase", "nobody", "--why", "a test")[0] == 1


def test_what_is_damaged_is_named_in_an_export_and_erased_all_the_same(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    for partition in ("CAME#ana", "DISPUTE#ana"):
        item = {"pk": {"S": partition}, "sk": {"S": "x"}}
        room._client.put_item(TableName=TABLE, Item=item)
        code, out, err = says(capsys, "export", "ana")
        assert (code, out, err) == (1, "", f"cardroom: {partition} / x cannot be read\n")
        if partition == "CAME#ana":
            room._client.delete_item(TableName=TABLE, Key=item)
    close(room, "ana")
    assert says(capsys, "erase", "ana", "--why", "a test")[0] == 0
    assert DynamoPersonal.beside(room).disputes_of_player("ana") == []


ODD: list[dict[str, Any]] = [
    {"N": "-5"},
    {"N": str(2**53)},
    {"S": "\u202ex\x9b31m"},
]


def test_whatever_an_item_of_his_holds_there_is_one_line_and_no_sign_that_steers_a_terminal(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    hers = {
        (one["pk"]["S"], one["sk"]["S"][:4]): one
        for one in everything(room)
        if one["pk"]["S"] in ("USER#ana", "DISPUTE#ana")
    }
    for item in hers.values():
        for name, odd in ((name, odd) for name in item if name not in ("pk", "sk") for odd in ODD):
            room._client.put_item(TableName=TABLE, Item={**item, name: odd})
            for command in ("export", "show"):
                code, out, err = says(capsys, command, "ana")
                assert (code, err.count("\n")) in ((0, 0), (1, 1)), (item["sk"], name, odd)
                assert (out + err).replace("\n", "").isprintable()
                assert command == "show" or code or json.loads(out)["player"] == "ana"
            room._client.put_item(TableName=TABLE, Item=item)


@pytest.mark.parametrize("day", ["9" * 30, "-1", "x", "200000000"])
def test_a_day_that_no_calendar_has_is_damage(
    room: DynamoTables, capsys: pytest.CaptureFixture[str], day: str
) -> None:
    sort = f"{day}#{'0' * 24}#-"
    item = {"pk": {"S": "CAME#ana"}, "sk": {"S": sort}}
    room._client.put_item(TableName=TABLE, Item=item)
    assert says(capsys, "export", "ana") == (1, "", f"cardroom: CAME#ana / {sort} cannot be read\n")


@pytest.mark.parametrize("wrong", ['"excluded_until":260000000000000', '"reminder":[1,2,%s]'])
def test_a_limit_of_a_moment_that_no_calendar_has_is_damage(
    room: DynamoTables, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    key = {"pk": {"S": "USER#ana"}, "sk": {"S": "LIMITS"}}
    item = room._client.get_item(TableName=TABLE, Key=key)["Item"]
    name = wrong.partition(":")[0].strip('"')
    text = {
        **json.loads(item["limits"]["S"]),
        **json.loads("{" + wrong.replace("%s", str(2**53)) + "}"),
    }
    assert name in text
    room._client.put_item(TableName=TABLE, Item={**item, "limits": {"S": json.dumps(text)}})
    for command in ("limits", "export"):
        code, out, err = says(capsys, command, "ana")
        assert (code, out, err.count("\n")) == (1, "", 1)
