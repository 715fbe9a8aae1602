"""What hands on record were broken with: each fault with others of its kind."""

import csv
import io
import json
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from cardroom.damage import Attributes
from cardroom.days import Days, Zone
from cardroom.histories import DynamoHistories, Unreadable
from cardroom.models import HandItem, written
from cardroom.seals import sealed
from cardroom.store import _hand_item, read_hand
from cardroom.stored import HandRecord
from cli.cases import dump_line
from cli.collusion.report import look
from cli.exporting import Format, Wanted, export
from cli.finished import finished_record
from cli.formats import pokerstars
from cli.formats.phh import dump_case
from cli.importing import write as import_hands
from cli.main import main
from cli.outputs import into
from cli.replay import replay_files
from cli.sheets import Column, Part, Report, Style, write
from poker_engine.codec import dump_events, load_events
from poker_engine.events import Event, PotWon
from tests.cli.conftest import STACK
from tests.cli.hands import own_cases
from tests.cli.recorded import seeded_records
from tests.cli.test_hand_audit import audit, put, record
from tests.cli.test_hand_audit import world as world
from tests.cli.test_replay import Terminal
from tests.room.world import TABLE, World

WHY: Final = ("--why", "a test", "--stack", STACK)


class Records:
    """Of one table."""

    def __init__(self, *kept: HandRecord) -> None:
        self.kept = kept

    def tables(self) -> list[str]:
        return ["t"]

    def tables_of(self, player: str) -> list[str]:
        return ["t"]

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        return iter(self.kept)

    def put_look(self, look: Any) -> None: ...

    def looks(self) -> Iterator[Any]:
        return iter(())


def played() -> HandRecord:
    return next(one for one in seeded_records(range(1)) if not one.voided)


def with_events(one: HandRecord, change: Callable[[Event], Event]) -> HandRecord:
    return replace(one, events=dump_events(tuple(map(change, load_events(one.events)))))


def a_pot_that_nobody_won(one: HandRecord) -> HandRecord:
    def change(event: Event) -> Event:
        return replace(event, shares=()) if isinstance(event, PotWon) else event

    return with_events(one, change)


def a_moment_after_all_time(one: HandRecord) -> HandRecord:
    return replace(one, started=10**25, ended=10**25)


def a_player_without_a_name(one: HandRecord) -> HandRecord:
    assert '"p0"' in one.opening
    return replace(one, opening=one.opening.replace('"p0"', "1.5"))


@pytest.mark.parametrize(
    "damaged", [a_pot_that_nobody_won, a_moment_after_all_time, a_player_without_a_name]
)
def test_no_damage_of_a_record_ends_a_command(damaged: Callable[[HandRecord], HandRecord]) -> None:
    good = played()
    records = Records(damaged(good), good)
    for kind in Format:
        out = io.StringIO()
        outcome = export(records, ["t"], Wanted(), kind, out, io.StringIO())
        assert outcome.written == 2 - outcome.damaged
        assert out.getvalue()
    found = look(records, ["t"], Days())
    assert found.tallies.hands == 2 - len(found.amiss)


@pytest.mark.parametrize("name", ["started", "ended"])
def test_a_hand_of_no_moment_is_damaged_and_not_half_told(
    world: World, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    put(world, record(world, 1) | {name: {"N": "9" * 25}})
    assert main(["hands", "show", "t/1", *WHY]) == 1
    assert capsys.readouterr() == ("", "cardroom: t hand 1: its record is damaged\n")


# The audit


def delete(world: World, partition: str, sort: str) -> None:
    key = {"pk": {"S": partition}, "sk": {"S": sort}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)


def test_a_table_that_never_was_is_no_proof_of_anything(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    for named, said in (
        ("nosuch", "there never was a table 'nosuch'"),
        ("", "'' is no table's id"),
        ("\x1b[2J", "'?[2J' is no table's id"),
        ("\udc80", "'?' is no table's id"),
    ):
        assert audit("--table", named) == 1
        assert capsys.readouterr() == ("", f"cardroom: {said}\n")


@pytest.mark.parametrize("gone", [("META",), ("STATE",), ("META", "STATE")], ids="+".join)
def test_a_table_that_is_gone_is_found_by_what_is_left_of_it(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], gone: tuple[str, ...]
) -> None:
    heads = tmp_path / "heads.jsonl"
    assert audit("--keep", str(heads)) == 0
    for sort in gone:
        delete(world, "TABLE#t", sort)
    assert audit("--table", "t") == ("STATE" in gone)
    capsys.readouterr()
    delete(world, "HAND#t", "000000002")
    assert audit("--heads", str(heads)) == 1
    assert "t hand 2: it was recorded, and is gone\n" in capsys.readouterr().out
    if gone != ("META", "STATE"):
        assert audit() == 1, "the end of its chain is gone, or nobody can say"


def test_a_table_of_which_nothing_is_left_is_known_by_its_seals(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = tmp_path / "heads.jsonl"
    assert audit("--keep", str(heads)) == 0
    for partition, sort in (
        ("TABLE#t", "META"),
        ("TABLE#t", "STATE"),
        ("HAND#t", "000000001"),
        ("HAND#t", "000000002"),
    ):
        delete(world, partition, sort)
    capsys.readouterr()
    assert audit("--heads", str(heads)) == 1
    assert capsys.readouterr().out.startswith("t hand 2: it was recorded, and is gone\n")


def test_no_line_of_kept_seals_ends_the_audit(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = tmp_path / "heads.jsonl"
    assert audit("--keep", str(heads)) == 0
    strange = [
        "[" * 100_000,
        f'{{"table":"t","hand":{"9" * 5000},"seal":"x"}}',
        '{"table":"t","hand":-5,"seal":"x"}',
        '{"table":"t","hand":NaN,"seal":"x"}',
        '{"table":"\\u001b[2J","hand":1,"seal":"x"}',
        '{"table":"\\udc80","hand":1,"seal":"x"}',
    ]
    heads.write_text("\n".join([*strange, heads.read_text()]))
    assert audit("--heads", str(heads)) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("file", "why"),
    [("/dev/full", "no space left on device"), ("/", "is a directory")],
)
def test_seals_that_cannot_be_kept_are_one_line(
    world: World, capsys: pytest.CaptureFixture[str], file: str, why: str
) -> None:
    assert audit("--keep", file) == 1
    assert capsys.readouterr().err == f"cardroom: {file}: {why}\n"


# What is written


def cases_file(path: Path, count: int = 3) -> str:
    lines = [f"{dump_line(case)}\n" for case in own_cases()[:count]]
    path.write_text("".join(lines))
    return path.read_text()


def test_hands_are_read_from_the_file_that_they_are_written_to(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    before = cases_file(file)
    assert main(["hands", "import", str(file), "--out", str(file)]) == 0
    assert file.read_text() == before
    assert list(tmp_path.iterdir()) == [file]


def half_write(file: Path, ended_by: type[BaseException]) -> None:
    with into(file) as out:
        out.write("half of it")
        raise ended_by


@pytest.mark.parametrize("kind", [KeyboardInterrupt, OSError, BrokenPipeError])
def test_what_ends_too_soon_leaves_what_was_there(
    tmp_path: Path, kind: type[BaseException]
) -> None:
    file = tmp_path / "out"
    for before in (None, "kept"):
        if before is not None:
            file.write_text(before)
        with pytest.raises(kind):
            half_write(file, kind)
        assert (file.read_text() if file.exists() else None) == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_keeps_its_place_and_who_may_read_it(tmp_path: Path) -> None:
    file, link = tmp_path / "real", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o600)
    link.symlink_to(file)
    with into(link) as out:
        out.write("after")
    assert link.is_symlink()
    assert file.read_text() == "after"
    assert file.stat().st_mode & 0o777 == 0o600
    with into(Path("/dev/null")) as out:
        out.write("to nobody")
    assert Path("/dev/null").is_char_device()


# Damaged items beside the records

FAR: Final = {"N": str(2**52)}
"""Milliseconds after all calendars, and yet a number that items may hold."""


def look_at(**changes: Any) -> dict[str, Any]:
    """A look as it is kept, changed."""
    fields = {"at": {"N": "5"}} | {name: {"S": name} for name in ("who", "why", "what")}
    kept = {**fields, **changes}
    return {name: value for name, value in kept.items() if value is not None}


@pytest.mark.parametrize(
    "changes", [{"who": None}, {"at": None}, {"at": FAR}, {"what": {"N": "1"}}]
)
def test_a_damaged_look_is_named_and_hides_no_other(
    world: World, capsys: pytest.CaptureFixture[str], changes: dict[str, Any]
) -> None:
    for sort, fields in (("1#x", look_at(**changes)), ("2#y", look_at(who={"S": "sue"}))):
        put(world, {"pk": {"S": "LOOKS"}, "sk": {"S": sort}, **fields})
    assert main(["hands", "looks", "--stack", STACK]) == 1
    said = capsys.readouterr()
    assert said.out == "1970-01-01 00:00:00 UTC  sue  what  why\n"
    assert said.err == "cardroom: LOOKS / 1#x cannot be read\n"


@pytest.mark.parametrize(
    "command",
    [("hands", "disputes", "--all"), ("report", "rake"), ("report", "rake", "--csv")],
    ids=" ".join,
)
def test_nothing_that_happened_after_all_time_ends_a_report(
    world: World, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    entry = {"amount": {"N": "1"}, "currency": {"S": "PHP"}, "at": FAR}
    put(world, {"pk": {"S": "RAKE#t"}, "sk": {"S": "000000001"}, **entry})
    texts = {"text": {"S": "x"}, "command": {"S": "c"}}
    put(world, {"pk": {"S": "DISPUTE#ana"}, "sk": {"S": "t#000000001"}, "at": FAR, **texts})
    assert main([*command, "--stack", STACK]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_a_ledger_that_goes_on_after_all_time_cannot_be_read(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "begins_with(pk, :user) AND begins_with(sk, :ledger)"
    values = {":user": {"S": "USER#ana"}, ":ledger": {"S": "LEDGER#"}}
    (entry, *_) = DynamoHistories.beside(world.tables).scan(query, values)
    put(world, {**entry, "at": FAR})
    assert main(["players", "statement", "ana", "--stack", STACK]) == 1
    assert "cannot be read" in capsys.readouterr().err


# Sheets


@pytest.mark.parametrize("sign", [*"=+-@", *"\uff1d\uff0b\uff0d\uff20"], ids=ascii)
def test_no_cell_of_a_text_begins_a_formula(sign: str) -> None:
    column, hostile = Column("why"), f"{sign}cmd"
    told = Report("r", (), (column,), (Part(hostile, (column,), [(hostile,)]),))
    out = io.StringIO()
    write(told, Style.CSV, out)
    (row,) = csv.DictReader(io.StringIO(out.getvalue()))
    assert list(row.values()) == [f"'{hostile}"] * 2


def test_nothing_on_a_page_of_text_steers_a_terminal() -> None:
    column, hostile = Column("why"), "\x1b[2J"
    part = Part(hostile, (column,), [(hostile,)], notes=(hostile,))
    told = Report(hostile, (hostile,), (column,), (part,))
    out = io.StringIO()
    write(told, Style.PAGE, out)
    assert out.getvalue().count("?[2J") == 5
    assert "\x1b" not in out.getvalue()


def test_a_part_without_rows_says_so_or_nothing(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("report", "rake", "--to", "2000-01-01", "--stack", STACK)
    assert main([*words]) == 0
    said = capsys.readouterr().out
    assert said.count("  no rake was taken\n") == 3
    assert "\n  \n" not in said
    assert main([*words, "--html"]) == 0
    assert "<p></p>" not in capsys.readouterr().out


# What is asked for


@pytest.mark.parametrize("hand", ["t/3", "t/0", "nosuch/1"])
def test_a_hand_that_is_not_there_is_said_and_no_file_is_touched(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], hand: str
) -> None:
    file = tmp_path / "hand.phh"
    file.write_text("kept")
    words = ("hands", "export", "--format", "phh", "--out", str(file), *WHY)
    assert main([*words, "--hand", hand]) == 1
    assert capsys.readouterr().err == f"cardroom: there is no {hand.replace('/', ' hand ')}\n"
    assert file.read_text() == "kept"
    with pytest.raises(SystemExit) as ended:
        main([*words, "--hand", "t/1", "--table", "other"])
    assert ended.value.code == 2


def test_what_is_disputed_in_a_hand_takes_no_look_at_all_that_is_stored(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"text": {"S": "my flush"}, "command": {"S": "c"}}
    for hand in (1, 2):
        key = {"pk": {"S": "DISPUTE#ben"}, "sk": {"S": f"t#{hand:09d}"}}
        put(world, {**key, "at": {"N": "5"}, **texts})
    scanned: list[str] = []
    scan = DynamoHistories.scan

    def counted(self: DynamoHistories, condition: str, values: Attributes) -> Iterator[Attributes]:
        scanned.append(condition)
        return scan(self, condition, values)

    monkeypatch.setattr(DynamoHistories, "scan", counted)
    told = "1970-01-01 00:00:00 UTC  t/1  ben disputes it: my flush"
    assert main(["hands", "show", "t/1", *WHY]) == 0
    assert capsys.readouterr().out.splitlines()[0] == told
    settle = ("hands", "settle", "t/2", "ben", "--word", "so it was", "--stack", STACK)
    assert main([*settle]) == 0
    assert scanned == []
    # Of a hand of which nobody knows who played it, there is no other way.
    put(world, record(world, 1) | {"events": {"S": "[["}})
    capsys.readouterr()
    assert main(["hands", "show", "t/1", *WHY]) == 1
    assert capsys.readouterr() == (f"{told}\n", "cardroom: t hand 1: its record is damaged\n")


@pytest.mark.parametrize(("rake", "found"), [(0, True), (75, True), (150, False)])
def test_a_rake_that_is_not_the_schedules_is_not_by_the_rules(
    world: World, capsys: pytest.CaptureFixture[str], rake: int, *, found: bool
) -> None:
    """Also where all that the record says of it agrees, and is sealed."""
    first = read_hand(HandItem.from_raw_data(record(world, 1)))
    (pot,) = (one for one in load_events(first.events) if isinstance(one, PotWon))
    assert pot.rake == 150
    ((winner, chips),) = pot.shares
    share = winner, chips + pot.rake - rake
    other = with_events(
        replace(
            first,
            rake=rake,
            pots=json.dumps([[pot.amount, rake, pot.contenders, [share]]], separators=(",", ":")),
        ),
        lambda one: replace(one, rake=rake, shares=(share,)) if one == pot else one,
    )
    put(world, written(_hand_item(sealed(other, ""))))
    assert audit() == found
    assert ("t hand 1: by the rules, stacks [" in capsys.readouterr().out) == found


# Files of hands


@pytest.mark.parametrize("suffix", [".jsonl", ".phhs"])
def test_a_file_of_hands_takes_no_memory_but_for_one(tmp_path: Path, suffix: str) -> None:
    """However many there are in it, replayed or imported, on a terminal or not."""
    file = tmp_path / f"many{suffix}"
    one = own_cases()[0]
    hand = dump_line(one) + " " * 200_000
    if suffix == ".phhs":
        hand = f"[1]\n# {'x' * 200_000}\n{dump_case(one)}"
    file.write_text(f"{hand}\n" * 30)
    for err in (io.StringIO(), Terminal()):
        tracemalloc.start()
        assert replay_files([file], io.StringIO(), err) == 0
        assert import_hands([file], io.StringIO(), io.StringIO()) == 0
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < file.stat().st_size / 2


def test_a_line_without_an_end_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    good = dump_line(own_cases()[0])
    file.write_text(f"{good}\r{good}\r\n{'9' * 1_100_000}\n{good}\n")
    out, err = io.StringIO(), io.StringIO()
    assert replay_files([file], out, err) == 2
    assert out.getvalue().startswith("2 hands: 2 agree")
    assert err.getvalue() == f"{file}:3: is longer than any hand; nothing after it is read\n"


@pytest.mark.parametrize("between", ["", "\n"], ids=["one line", "many lines"])
def test_a_hand_without_an_end_is_not_waited_for(tmp_path: Path, between: str) -> None:
    file = tmp_path / "x.phhs"
    good = dump_case(own_cases()[0])
    file.write_text(f"[1]\n{good}[2]\n{(' ' * 9_999 + between) * 110}\n[3]\n{good}")
    for err in (io.StringIO(), Terminal()):
        out = io.StringIO()
        assert replay_files([file], out, err) == 2
        assert out.getvalue().startswith("1 hands: 1 agree")
        assert err.getvalue().endswith("longer than any hand; nothing after it is read\n")


FOREIGN: Final = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsAh", "d dh p2 ????", "d dh p3 KdQd", "p3 cbr 30"%s]
"""
"""A hand that does not say its final stacks."""


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("", "step 2: expected the hand ends; got the turn of seat 0"),
        (', "p2 f"', "step 2: expected preflop: seat 1 fold; got the turn of seat 0"),
        (', "p1 f", "p2 f"', ""),
    ],
    ids=["not over", "out of turn", "whole"],
)
def test_no_stacks_are_made_up_for_a_hand_that_does_not_come_to_any(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, why: str
) -> None:
    file = tmp_path / "x.phh"
    file.write_text(FOREIGN % more)
    assert main(["hands", "import", str(file)]) == (2 if why else 0)
    said = capsys.readouterr()
    if why:
        no = "it does not say its final stacks, and by our rules it has none"
        assert (said.out, said.err) == ("", f"{file}: x: {no}: {why}\n0 hands written\n")
    else:
        assert json.loads(said.out)["final_stacks"] == [95, 90, 115]


@pytest.mark.parametrize("command", [("replay", "{}"), ("hands", "import", "{}")], ids=" ".join)
@pytest.mark.parametrize("buffering", [1, -1], ids=["by line", "at the end"])
def test_a_full_disk_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    buffering: int,
) -> None:
    file = tmp_path / "x.jsonl"
    cases_file(file)
    with Path("/dev/full").open("w", buffering=buffering) as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main([word.format(file) for word in command]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("cardroom: cannot write")
    assert told.endswith(": no space left on device")


def test_without_an_output_a_command_is_done_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.jsonl"
    cases_file(file)
    monkeypatch.setattr("sys.stdout", None)
    assert main(["replay", str(file)]) == 0


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "UTC"),
        ("Europe/Berlin", "CET"),
        ("America/Los_Angeles", "PST"),
        ("Asia/Manila", "UTC+08"),
        ("Asia/Shanghai", "UTC+08"),
        ("Asia/Kolkata", "UTC+0530"),
        ("America/Sao_Paulo", "UTC-03"),
        ("Australia/Lord_Howe", "UTC+11"),
    ],
)
def test_a_zone_is_abbreviated_where_it_is_taken_for_no_other(zone: str, said: str) -> None:
    hand = replace(finished_record(played()), started=1_764_000_000_000)
    first, *_ = pokerstars.dump(hand, Zone(zone).info).splitlines()
    assert first.endswith(f" {said}")
