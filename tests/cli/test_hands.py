"""`cardroom hands`: hands of a room, exported, shown and imported; and who looked."""

import gc
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from cardroom.days import Zone
from cardroom.histories import DynamoHistories, Look, Unreadable
from cardroom.models import written
from cardroom.seals import sealed
from cardroom.store import DynamoTables, _hand_item
from cardroom.stored import HandRecord
from cardroom.tables import open_table
from cli.cases import Case, parse_line
from cli.exporting import Format, Outcome, Wanted, export
from cli.finished import Finished
from cli.main import main
from cli.replay import NOW, replay_case, table_of
from local.errors import RoomError
from poker_engine.codec import dump_events
from poker_engine.events import HandVoided
from poker_engine.views import EVERYTHING, PUBLIC, Sight
from tests.cli.conftest import STACK, Stacks
from tests.cli.hands import own_cases
from tests.cli.recorded import recorded as recorded_at
from tests.cli.recorded import seeded_records
from tests.room.conftest import Memory, sign_in
from tests.room.world import TABLE
from tests.simulation.wire import wired

NOON_UTC = 1_764_072_000_000
"""12:00 on 25 November 2025, in Manila 20:00."""
HOUR = 3_600_000
WHY = ("--why", "a test")


def recorded(table_id: str, number: int, case: Case, schedule: str = "php") -> HandRecord:
    return recorded_at(case, schedule, table_id, number)


def voided(table_id: str, number: int, case: Case) -> HandRecord:
    events = (*replay_case(case).events[:2], HandVoided(1, NOW, "test"))
    return replace(recorded(table_id, number, case), events=dump_events(events), voided=True)


def playable() -> list[Case]:
    return [case for case in own_cases() if replay_case(case).normalised is None]


# The export itself, from records that are at hand


@dataclass
class FakeHistories:
    kept: dict[str, list[HandRecord | Unreadable]] = field(default_factory=dict)
    looked: list[Look] = field(default_factory=list)

    def tables(self) -> list[str]:
        return list(self.kept)

    def tables_of(self, player: str) -> list[str]:
        return list(self.kept)

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        for record in self.kept[table_id]:
            if number in (None, record.number):
                yield record

    def put_look(self, look: Look) -> None:
        self.looked.append(look)

    def looks(self) -> Iterator[Look]:
        yield from self.looked


def exported(
    records: list[HandRecord | Unreadable],
    kind: Format = Format.CASES,
    wanted: Wanted | None = None,
    sight: Sight = EVERYTHING,
) -> tuple[str, list[str], Outcome]:
    out, err = io.StringIO(), io.StringIO()
    outcome = export(
        FakeHistories({"t": records}), ["t"], wanted or Wanted(), kind, out, err, sight=sight
    )
    return out.getvalue(), err.getvalue().splitlines(), outcome


def cases_of(text: str) -> list[Case]:
    return [parse_line(line) for line in text.splitlines()]


def test_exported_cases_replay_and_agree() -> None:
    played = playable()
    out, err, _ = exported([recorded("t", number, case) for number, case in enumerate(played, 1)])
    assert err == [f"{len(played)} hands written"]
    cases = cases_of(out)
    assert [case.id for case in cases] == [f"t/{number}" for number in range(1, len(played) + 1)]
    for case, original in zip(cases, played, strict=True):
        assert replay_case(case).difference is None
        assert case.final_stacks == original.final_stacks
        assert case.actions == original.actions
        assert None not in case.hole


@pytest.mark.parametrize("kind", [Format.CASES, Format.OHH])
def test_a_void_hand_is_left_out_where_the_format_cannot_say_it(kind: Format) -> None:
    case = playable()[0]
    out, err, outcome = exported([recorded("t", 1, case), voided("t", 2, case)], kind)
    assert out
    why = f"the hand was void, which {kind} cannot say"
    assert err == [f"t hand 2 left out: {why}", "1 hands written"]
    assert (outcome.written, outcome.void, outcome.damaged) == (1, 1, 0)


@pytest.mark.parametrize("kind", [Format.PHH, Format.POKERSTARS])
def test_a_void_hand_is_written_where_the_format_can_say_it(kind: Format) -> None:
    case = playable()[0]
    out, err, outcome = exported([recorded("t", 1, case), voided("t", 2, case)], kind)
    assert ("Hand cancelled" in out) == (kind is Format.POKERSTARS)
    assert ('_void = "test"' in out) == (kind is Format.PHH)
    assert err == ["2 hands written"]
    assert (outcome.written, outcome.void, outcome.damaged) == (2, 0, 0)


def test_a_void_hand_without_its_deck_is_left_out() -> None:
    lost = replace(recorded("t", 1, playable()[0]), opening="", deck=())
    out, err, _ = exported([lost])
    assert out == ""
    assert err[0] == "t hand 1 left out: its record does not say how it began"


@pytest.mark.parametrize(
    "changed",
    [
        {"events": "[["},
        {"events": '[["start",1]]'},
        {"events": "[" * 5000},
        {"opening": "[]"},
        {"opening": "null"},
        {"deck": (1,)},
    ],
    ids=str,
)
def test_a_damaged_record_is_named_and_the_others_are_written(changed: dict[str, Any]) -> None:
    case = playable()[0]
    broken = replace(recorded("t", 6, case), **changed)
    out, err, outcome = exported([Unreadable("t", "000000005"), broken, recorded("t", 7, case)])
    assert len(out.splitlines()) == 1
    assert outcome.damaged == 2
    assert err == [
        "t hand 5 left out: its record is damaged",
        "t hand 6 left out: its record is damaged",
        "1 hands written",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("err", "drawn"), [(Terminal(), True), (io.StringIO(), False)])
def test_a_bar_is_drawn_on_a_terminal_only(err: io.StringIO, drawn: bool) -> None:
    case = playable()[0]
    told: Any = FakeHistories({"t": [recorded("t", number, case) for number in (1, 2, 3)]})
    export(told, ["t"], Wanted(), Format.OHH, io.StringIO(), err, total=lambda table: 3)
    assert ("] 3/3" in err.getvalue()) == drawn
    assert err.getvalue().endswith("3 hands written\n")


def at(hour: float, number: int) -> HandRecord:
    return replace(recorded("t", number, playable()[0]), started=NOON_UTC + int(hour * HOUR))


def test_a_day_is_one_of_the_zone_that_is_said() -> None:
    """From midnight to midnight in Manila: 16:00 to 16:00 UTC."""
    hands: list[HandRecord | Unreadable] = [
        at(hour, number) for number, hour in enumerate((-21, -20, 0, 3.99, 4), start=1)
    ]
    manila = Wanted(day="2025-11-25", zone=Zone("Asia/Manila"))
    assert [case.id for case in cases_of(exported(hands, wanted=manila)[0])] == [
        "t/2",
        "t/3",
        "t/4",
    ]
    utc = Wanted(day="2025-11-25")
    assert [case.id for case in cases_of(exported(hands, wanted=utc)[0])] == ["t/3", "t/4", "t/5"]


def test_a_day_may_have_23_hours() -> None:
    begins, ends = Wanted(day="2025-03-30", zone=Zone("Europe/Berlin")).moments() or (0, 0)
    assert ends - begins == 23 * HOUR


def test_a_players_hands_are_those_that_he_was_dealt_in() -> None:
    records = list(seeded_records(range(4)))
    for name in ("p0", "p3", "nobody"):
        written, _, outcome = exported(
            [*records], Format.OHH, Wanted(player=name), sight=Sight(name)
        )
        texts = [line for line in written.splitlines() if line]
        assert outcome.written == len(texts)
        assert all(f'"name":"{name}"' in line for line in texts)
        assert all('"hero_player_id":' in line for line in texts)
        assert (len(texts) > 3) == (name != "nobody")


def test_one_hand_is_one_table_of_toml_and_many_are_numbered() -> None:
    hands: list[HandRecord | Unreadable] = [recorded("t", n, playable()[0]) for n in (1, 2, 3)]
    one, _, _ = exported(hands, Format.PHH, Wanted(number=2))
    assert HandHistory.loads(one).hand == 2
    many, _, _ = exported(hands, Format.PHH)
    assert [history.hand for history in HandHistory.loads_all(many)] == [1, 2, 3]


def test_the_public_sees_only_what_was_shown() -> None:
    records = list(seeded_records(range(3)))
    everything = exported([*records], Format.OHH)[0].count("Dealt Cards")
    public = exported([*records], Format.OHH, sight=PUBLIC)[0].count("Dealt Cards")
    assert 0 < public < everything


class Counted:
    """Records that are made as they are asked for. It counts those that are in memory then."""

    def __init__(self, one: HandRecord, count: int) -> None:
        self._one, self._count = one, count
        self.most = 0

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        before = alive()
        for hand in range(1, self._count + 1):
            yield replace(self._one, number=hand)
            if hand % 10 == 0:
                self.most = max(self.most, alive() - before)


def alive() -> int:
    return sum(type(one) in (HandRecord, Finished, Case) for one in gc.get_objects())


@pytest.mark.parametrize("kind", Format)
def test_a_hand_is_forgotten_when_it_is_written(kind: Format, tmp_path: Path) -> None:
    """So a million take no more memory than a few: see `cardroom bench hands`."""
    counted = Counted(recorded("t", 1, playable()[0]), 60)
    found: Any = counted
    with (tmp_path / "out").open("w") as out:
        export(found, ["t"], Wanted(), kind, out, io.StringIO())
    assert counted.most < 5


# The command, on a stack


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoTables]:
    """Two tables, of which `two` has closed; three hands."""
    sign_in(monkeypatch)
    monkeypatch.setattr("boto3.client", {"cloudformation": Stacks()}.__getitem__)
    monkeypatch.setattr("getpass.getuser", lambda: "sue")
    first, second, *_ = playable()
    with wired(Memory()):
        store = DynamoTables(TABLE)
        for name in ("one", "two"):
            assert open_table(store, name, table_of(first).settings, 0)
        before = ""
        for record in (recorded("one", 1, first), at_table("one", 2, second)):
            chained = sealed(record, before)
            before = chained.seal
            put(store, chained)
        put(store, sealed(recorded("two", 1, second), ""))
        store._client.delete_item(TableName=TABLE, Key={"pk": {"S": "LISTED"}, "sk": {"S": "two"}})
        yield store


def at_table(table_id: str, number: int, case: Case) -> HandRecord:
    return replace(recorded(table_id, number, case), started=NOON_UTC + 30 * 24 * HOUR)


def put(store: DynamoTables, record: HandRecord) -> None:
    store._client.put_item(TableName=TABLE, Item=written(_hand_item(record)))


def hands(*words: str, why: bool = True) -> int:
    return main(["hands", *words, "--stack", STACK, *(WHY if why else ())])


def looks(store: DynamoTables) -> list[Look]:
    found = DynamoHistories.beside(store).looks()
    return [one for one in found if isinstance(one, Look)]


def ids(text: str) -> list[str]:
    return [parse_line(line).id for line in text.splitlines()]


def test_all_open_tables_are_exported(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hands("export", "--cases") == 0
    assert ids(capsys.readouterr().out) == ["one/1", "one/2"]


def test_one_table_is_exported_open_or_not(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hands("export", "--cases", "--table", "two") == 0
    assert ids(capsys.readouterr().out) == ["two/1"]


def test_a_day_is_looked_for_at_all_tables(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("export", "--cases", "--day", "2025-12-25", "--zone", "Asia/Manila")
    assert hands(*words) == 0
    said = capsys.readouterr()
    assert ids(said.out) == ["one/2"]
    assert said.err.startswith("hands begun on 2025-12-25 in Asia/Manila\n")


def test_one_hand_goes_to_a_file(
    room: DynamoTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hand.phh"
    assert hands("export", "--format", "phh", "--hand", "one/2", "--out", str(file)) == 0
    assert capsys.readouterr().out == ""
    assert HandHistory.loads(file.read_text()).hand == 2
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.startswith("1 hands: 1 agree")


def test_support_says_why_and_each_look_is_kept(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hands("show", "one/2", why=False) == 2
    assert "say --why" in capsys.readouterr().err
    assert looks(room) == []
    assert hands("show", "one/2") == 0
    assert "one hand 2: rules" in capsys.readouterr().out
    assert hands("export", "--format", "ohh", "--table", "one") == 0
    capsys.readouterr()
    assert [(one.who, one.why, one.what) for one in looks(room)] == [
        ("sue", "a test", "one hand 2"),
        ("sue", "a test", "all hands of one"),
    ]
    assert hands("looks", why=False) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("UTC  sue  one hand 2  a test")


def test_a_look_is_kept_before_anything_is_seen(
    room: DynamoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RoomError("away")

    monkeypatch.setattr(DynamoHistories, "put_look", fails)
    monkeypatch.setattr(DynamoHistories, "records", None)
    assert hands("show", "one/2") == 1


def test_players_and_the_public_are_no_look(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hands("show", "one/1", "--as", "player", "seat 0", why=False) == 0
    own = capsys.readouterr().out
    assert own.count("Dealt to") == 1
    assert "Dealt to seat 0" in own
    assert hands("show", "one/1", "--as", "public", why=False) == 0
    assert hands("show", "one/1", "--as", "player", "nobody", why=False) == 1
    assert capsys.readouterr().err == "cardroom: one hand 1: he was not dealt in\n"
    assert hands("export", "--cases", "--as", "public", why=False) == 2
    assert hands("show", "one/1", "--as", "god", why=False) == 2
    assert looks(room) == []


def test_a_file_that_cannot_be_written_is_one_line(
    room: DynamoTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, why in (
        (tmp_path, "is a directory"),
        (tmp_path / "no/x", "no such file or directory"),
    ):
        assert hands("export", "--cases", "--out", str(file)) == 1
        assert capsys.readouterr().err == f"cardroom: cannot write {file}: {why}\n"


def test_an_unknown_table_is_refused_and_no_file_is_touched(
    room: DynamoTables, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text("kept")
    assert hands("export", "--cases", "--table", "nope", "--out", str(file)) == 1
    assert capsys.readouterr().err == "cardroom: there is no table 'nope': one\n"
    assert file.read_text() == "kept"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "one"), "'one' names no hand, like php-5-10-1/17"),
        (("show", "one/x"), "'one/x' names no hand, like php-5-10-1/17"),
        (("show", "one/2", "--zone", "Mars"), "'Mars' is no time zone, like Asia/Manila"),
        (("export", "--cases", "--day", "today"), "'today' is no day, like 2026-11-30"),
        (("export", "--cases", "--zone", "../x"), "'../x' is no time zone, like Asia/Manila"),
    ],
)
def test_what_makes_no_sense_is_said(
    room: DynamoTables, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert hands(*words) == 2
    assert capsys.readouterr().err == f"cardroom: {said}\n"
    assert looks(room) == []


def test_a_hand_that_is_not_there_is_said(
    room: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hands("show", "one/3") == 1
    assert capsys.readouterr().err == "cardroom: there is no one hand 3\n"


def test_without_a_room_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(address: str | None) -> None:
        raise RoomError("no room is running")

    monkeypatch.setattr("local.running.find", nothing)
    assert main(["hands", "export", "--cases"]) == 1
    assert capsys.readouterr().err == "cardroom: no room is running\n"


# Import


def test_hands_of_others_become_cases_that_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [recorded("t", number, case) for number, case in enumerate(playable()[:20], 1)]
    phhs, cases = tmp_path / "all.phhs", tmp_path / "cases.jsonl"
    phhs.write_text(exported([*records], Format.PHH)[0])
    assert main(["hands", "import", str(phhs), "--out", str(cases)]) == 0
    assert capsys.readouterr().err == "20 hands written\n"
    assert main(["replay", str(cases)]) == 0
    assert main(["replay", str(phhs)]) == 0
    assert capsys.readouterr().out.count("20 hands: 20 agree") == 2


def test_a_hand_that_cannot_be_read_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = exported([recorded("t", 1, playable()[0])], Format.PHH, Wanted(number=1))[0]
    file = tmp_path / "some.phhs"
    file.write_text(f"[1]\n{good}\n[2]\nvariant = 'NT'\n\n[3]\n{good}")
    assert main(["hands", "import", str(file)]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    line = 4 + len(good.splitlines())
    assert said.err.splitlines()[0] == f"{file}:{line}: `starting_stacks` is missing"


@pytest.mark.parametrize(
    ("content", "said"), [(b"\xff\xfe", "is not UTF-8"), (None, "no such file or directory")]
)
def test_a_file_that_is_no_phh_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    file = tmp_path / "x.phh"
    if content is not None:
        file.write_bytes(content)
    assert main(["hands", "import", str(file)]) == 2
    assert capsys.readouterr().err.splitlines()[0] == f"{file}: {said}"
