"""`cardroom hands export --cases`: hands that a room played, as cases."""

import io
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from cardroom.stored import HandRecord
from cli import hands
from cli.cases import Case, deck_of, parse_line
from cli.main import main
from cli.replay import NOW, replay_case, table_of
from local.errors import RoomError
from poker_engine.codec import dump_events, dump_table
from poker_engine.events import Event, HandVoided
from poker_engine.stakes import RULES_VERSION
from poker_engine.state import Table
from tests.cli.hands import own_cases


@dataclass
class FakeStore:
    records: dict[str, list[HandRecord]] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    unreadable: dict[str, list[str]] = field(default_factory=dict)

    def listed(self) -> list[str]:
        return [table for table in self.records if table not in self.closed]

    def hands(self, table_id: str) -> list[HandRecord]:
        return self.records.get(table_id, [])

    def damaged_hands(self, table_id: str) -> list[str]:
        return self.unreadable.get(table_id, [])


def recorded(table_id: str, number: int, case: Case, schedule: str = "php") -> HandRecord:
    """What a room with this rake would keep of the case's hand."""
    table = table_of(case)
    stakes = replace(table.settings.stakes, rake=schedule)
    table = replace(table, settings=replace(table.settings, stakes=stakes))
    return record_of(table_id, number, case, table, replay_case(case, table).events)


def record_of(
    table_id: str, number: int, case: Case, table: Table, events: tuple[Event, ...]
) -> HandRecord:
    return HandRecord(
        table_id=table_id,
        number=number,
        opening=dump_table(table),
        events=dump_events(events),
        deck=deck_of(case),
        started=NOW,
        ended=NOW,
        currency=table.settings.stakes.currency,
        schedule=table.settings.stakes.rake,
        rake=0,
        pots="[]",
        rules=RULES_VERSION,
        voided=any(isinstance(event, HandVoided) for event in events),
    )


def exported(store: FakeStore, *tables: str) -> tuple[list[Case], list[str]]:
    out, err = io.StringIO(), io.StringIO()
    hands.write_cases(store, tables, out, err)
    return [parse_line(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


def playable() -> list[Case]:
    return [case for case in own_cases() if replay_case(case).normalised is None]


def test_exported_hands_replay_and_agree() -> None:
    played = playable()
    store = FakeStore({"t": [recorded("t", number, case) for number, case in enumerate(played)]})
    cases, err = exported(store, "t")
    assert err == [f"{len(played)} hands written"]
    assert [case.id for case in cases] == [f"t/{number}" for number in range(len(played))]
    for case, original in zip(cases, played, strict=True):
        assert replay_case(case).difference is None
        assert case.final_stacks == original.final_stacks
        assert case.actions == original.actions
        assert None not in case.hole


def test_a_void_hand_is_left_out_and_said_so() -> None:
    case = playable()[0]
    events = (*replay_case(case).events[:2], HandVoided(1, NOW, "test"))
    void = record_of("t", 2, case, table_of(case), events)
    cases, err = exported(FakeStore({"t": [recorded("t", 1, case), void]}), "t")
    assert [one.id for one in cases] == ["t/1"]
    assert err == ["t hand 2 left out: the hand was void", "1 hands written"]


def test_a_void_hand_without_its_deck_is_left_out() -> None:
    case = playable()[0]
    lost = replace(recorded("t", 1, case), opening="", deck=())
    cases, err = exported(FakeStore({"t": [lost]}), "t")
    assert cases == []
    assert err[0] == "t hand 1 left out: its record does not say how it began"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> FakeStore:
    """The room that the command finds."""
    first, second, *_ = playable()
    found = FakeStore(
        {"one": [recorded("one", 1, first)], "two": [recorded("two", 1, second)]}, {"two"}
    )
    monkeypatch.setattr("local.running.find", lambda address: address)
    monkeypatch.setattr("local.tables.LocalTables", lambda room: found)
    return found


def ids(text: str) -> list[str]:
    return [parse_line(line).id for line in text.splitlines()]


def test_all_open_tables_are_exported(store: FakeStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hands", "export", "--cases"]) == 0
    assert ids(capsys.readouterr().out) == ["one/1"]


def test_one_table_is_exported_open_or_not(
    store: FakeStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hands", "export", "--cases", "--table", "two"]) == 0
    assert ids(capsys.readouterr().out) == ["two/1"]


def test_cases_go_to_a_file(
    store: FakeStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.jsonl"
    assert main(["hands", "export", "--cases", "--out", str(file)]) == 0
    assert ids(file.read_text()) == ["one/1"]
    assert capsys.readouterr().out == ""


def test_a_file_that_cannot_be_written_is_one_line(
    store: FakeStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, why in (
        (tmp_path, "is a directory"),
        (tmp_path / "no/x", "no such file or directory"),
    ):
        assert main(["hands", "export", "--cases", "--out", str(file)]) == 1
        assert capsys.readouterr().err == f"cardroom: cannot write {file}: {why}\n"


def test_an_unknown_table_is_refused_and_no_file_is_touched(
    store: FakeStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text("kept")
    assert main(["hands", "export", "--cases", "--table", "nope", "--out", str(file)]) == 1
    assert capsys.readouterr().err == "cardroom: there is no table 'nope': one\n"
    assert file.read_text() == "kept"


def test_without_a_room_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(address: str | None) -> None:
        raise RoomError("no room is running")

    monkeypatch.setattr("local.running.find", nothing)
    assert main(["hands", "export", "--cases"]) == 1
    assert capsys.readouterr().err == "cardroom: no room is running\n"


@pytest.mark.parametrize(
    "changed",
    [
        {"events": "[["},
        {"events": '[["start",1]]'},
        {"events": "[" * 5000},
        {"opening": "[]"},
        {"opening": "null"},
        {"deck": ()},
    ],
    ids=str,
)
def test_a_damaged_record_is_named_and_the_others_are_written(changed: dict[str, Any]) -> None:
    case = playable()[0]
    whole = recorded("t", 7, case)
    store = FakeStore({"t": [replace(recorded("t", 6, case), **changed), whole]})
    store.unreadable["t"] = ["5"]
    out, err = io.StringIO(), io.StringIO()
    assert not hands.write_cases(store, ["t"], out, err)
    assert len(out.getvalue().splitlines()) == 1
    assert err.getvalue().splitlines() == [
        "t hand 5 left out: its record is damaged",
        "t hand 6 left out: its record is damaged",
        "1 hands written",
    ]
