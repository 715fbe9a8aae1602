"""`cardroom backup` and `restore`, and the gate that keeps functions away meanwhile."""

import gzip
import json
import stat
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.dealer import Dealer, Wish
from cardroom.ports import Delivery
from cardroom.restoring import AHEAD, Items, NotCopiedError
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cli import restore
from cli.backup import read_backup, wait_for_rest
from cli.gate import GATED, Gate
from cli.main import main
from cli.place import Place
from cli.served import Failed
from cli.tables import Silent
from poker_engine.commands import Leave, Sit
from tests.cli.conftest import STACK, fund
from tests.cli.test_drain import Passing
from tests.room.faults import aws_error
from tests.room.world import FakeCloser
from tests.template.parsed import resources, template

pytestmark = pytest.mark.usefixtures("moto")


class FakeFunctions:
    """Lambda, as far as it is asked how many of a function may run."""

    def __init__(self) -> None:
        self.reserved: dict[str, int | None] = {}

    def put_function_concurrency(
        self,
        *,
        FunctionName: str,  # noqa: N803
        ReservedConcurrentExecutions: int,  # noqa: N803
    ) -> None:
        self.reserved[FunctionName] = ReservedConcurrentExecutions

    def delete_function_concurrency(self, *, FunctionName: str) -> None:  # noqa: N803
        self.reserved[FunctionName] = None


class Here:
    """A room in moto, at which nothing runs."""

    def __init__(self, tables: DynamoTables) -> None:
        self.tables = tables
        self.functions = FakeFunctions()
        self.clock = Passing()
        self.closer = FakeCloser()
        self.said: list[str] = []
        clients: dict[str, Any] = {"lambda": self.functions, "dynamodb": tables._client}
        parameters = dict.fromkeys(GATED.values(), "7") | {"SignupConcurrency": "0"}
        self.place = Place(
            tables,
            {},
            lambda: {name: name for name in GATED},
            clients.__getitem__,
            lambda service, _: clients[service],
            lambda: parameters,
        )
        self.gate = Gate(self.place, self.clock, self.said.append)

    def dealer(self) -> Dealer:
        return Dealer(self.tables, self.clock, SystemRandomness(), Silent())

    def restore(self, file: Path, *, replace: bool = True) -> Any:
        return restore.restored(
            self.place,
            list(read_backup(file)),
            self.gate,
            self.closer,
            self.clock,
            self.said.append,
            replace=replace,
        )

    @property
    def shut(self) -> bool:
        return set(self.functions.reserved) == set(GATED) and not any(
            self.functions.reserved.values()
        )


@pytest.fixture
def here(tables: DynamoTables) -> Here:
    assert main(["tables", "open", "t", "nl", "PHP", "5", "--stack", STACK]) == 0
    made = Here(tables)
    fund(tables, "ana", "ben")
    for seat, player in enumerate(("ana", "ben")):
        made.dealer().apply("t", Wish(Sit(player, seat, 20_000), player, "sit"))
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "room.gz"


def _backed_up(file: Path, *more: str) -> int:
    return main(["backup", str(file), "--stack", STACK, *more])


def test_what_was_stored_comes_back_and_adds_up(here: Here, file: Path) -> None:
    assert main(["tables", "freeze", "t", "--stack", STACK]) == 0
    assert _backed_up(file) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    fund(here.tables, "cyd")
    here.tables._client.put_item(
        TableName=here.tables.name, Item={"pk": {"S": "CONN#c1"}, "sk": {"S": "CONN"}}
    )
    report = here.restore(file)
    assert report.balanced
    assert (report.players, report.tables) == (2, 1)
    assert here.closer.closed == ["c1"]
    assert here.said == [
        "no function is started any more; 60 s for those that run",
        "1 connections are closed",
        f"{report_items(file) + 7} items are taken away",
        f"{report_items(file)} items are there",
        "1 tables are at rest",
    ]
    # Only who has looked at the report opens the gate.
    assert here.shut


def report_items(file: Path) -> int:
    return len(list(read_backup(file)))


def test_begun_anew_it_is_the_same(here: Here, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _backed_up(file, "--playing") == 0
    with monkeypatch.context() as patch:
        patch.setattr("cli.restore.settle", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            here.restore(file)
    assert here.shut
    assert here.restore(file).balanced
    stored = here.tables.load("t")
    assert stored is not None
    assert stored.table.frozen


def test_what_is_there_is_not_taken_away_unasked(here: Here, file: Path) -> None:
    assert _backed_up(file, "--playing") == 0
    with pytest.raises(Failed, match="with --replace all of that is taken away"):
        here.restore(file, replace=False)
    assert here.functions.reserved == {}
    assert here.tables.load("t") is not None


def test_functions_run_again_as_the_stack_has_it(here: Here) -> None:
    here.gate.shut()
    assert here.shut
    assert here.clock.now() >= Passing().now() + 60_000
    here.gate.open()
    expected: dict[str, int | None] = dict.fromkeys(GATED, 7)
    assert here.functions.reserved == expected | {"SignupFunction": None}


def test_the_gate_knows_every_function_and_its_parameter() -> None:
    functions = resources("AWS::Serverless::Function")
    assert set(GATED) == set(functions)
    for name, function in functions.items():
        reserved = function["Properties"]["ReservedConcurrentExecutions"]
        assert GATED[name] in json.dumps(reserved), name
        assert int(function["Properties"].get("Timeout", 10)) < 60
    assert set(GATED.values()) <= set(template()["Parameters"])


def test_a_room_that_plays_is_not_backed_up(
    here: Here, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert _backed_up(file) == 1
    assert "t plays: freeze all tables first" in capsys.readouterr().err
    assert not file.exists()


def test_money_that_moves_meanwhile_is_in_the_file_whole_or_not_at_all(
    here: Here, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a frozen table somebody may still leave with his chips, while items are read."""
    here.dealer().freeze("t")
    real, client, name = Items.all, here.tables._client, here.tables.name
    leaves = ["ana"]

    def one_by_one(items: Items, *names: str) -> Any:
        """As a scan of many pages: what is read late is as it is then."""
        found = sorted(real(items, *names), key=lambda item: str(item["pk"]))
        for item in found:
            key = {"pk": item["pk"], "sk": item["sk"]}
            yield client.get_item(TableName=name, Key=key)["Item"]
            if item["sk"]["S"] == "STATE" and leaves:
                player = leaves.pop()
                here.dealer().apply("t", Wish(Leave(player), player, "leave"))

    with monkeypatch.context() as others:
        others.setattr(Items, "all", one_by_one)
        assert _backed_up(file) == 0
        assert not leaves
    assert here.restore(file).balanced


def test_where_something_is_always_written_there_is_no_file(
    here: Here, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here.dealer().freeze("t")
    real, numbers = Items.all, count()

    def restless(items: Items, *names: str) -> Any:
        item = {"pk": {"S": "USER#ana"}, "sk": {"S": f"LEDGER#ref#{next(numbers)}"}}
        here.tables._client.put_item(TableName=here.tables.name, Item=item)
        yield from real(items, *names)

    monkeypatch.setattr(Items, "all", restless)
    assert _backed_up(file) == 1
    assert "somebody wrote all the while" in capsys.readouterr().err
    assert list(file.parent.iterdir()) == []
    # Where that is wanted.
    assert _backed_up(file, "--playing") == 0


def test_a_damaged_table_is_backed_up_as_it_is(here: Here, file: Path) -> None:
    """Before it is mended is when one wants it."""
    here.dealer().freeze("t")
    client, name = here.tables._client, here.tables.name
    key = {"pk": {"S": "TABLE#t"}, "sk": {"S": "STATE"}}
    spoilt = {**client.get_item(TableName=name, Key=key)["Item"], "state": {"S": "?"}}
    client.put_item(TableName=name, Item=spoilt)
    assert _backed_up(file) == 0
    assert spoilt in list(read_backup(file))


def test_the_hand_of_a_frozen_table_is_waited_for(here: Here, file: Path) -> None:
    dealer = here.dealer()
    here.clock.pause(3_000)
    dealer.apply("t")
    dealer.freeze("t")
    with pytest.raises(Failed, match="t: its hand has not ended yet"):
        wait_for_rest(here.tables, here.clock)
    here.clock.meanwhile = [lambda: None, lambda: dealer.void("t", "test")]
    wait_for_rest(here.tables, here.clock)
    assert not here.clock.meanwhile


@pytest.mark.parametrize("spoilt", ["cut", "other", "empty", "none"])
def test_what_is_no_backup_takes_nothing_away(
    here: Here, file: Path, capsys: pytest.CaptureFixture[str], spoilt: str
) -> None:
    assert _backed_up(file, "--playing") == 0
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    match spoilt:
        case "cut":
            file.write_bytes(gzip.compress(b"".join(lines[:-2])))
        case "other":
            file.write_bytes(b"hello\n")
        case "empty":
            file.write_bytes(b"")
        case _:
            file.unlink()
    with pytest.raises(Failed, match="no backup of a room"):
        here.restore(file)
    assert here.functions.reserved == {}
    del capsys


def test_a_table_that_was_damaged_then_holds_up_no_other(here: Here, file: Path) -> None:
    """Nor one that was listed in the very moment; and no function runs before somebody looks."""
    for name in ("spoilt", "u"):
        assert main(["tables", "open", name, "nl", "PHP", "5", "--stack", STACK]) == 0
    assert main(["tables", "freeze", "--all", "--stack", STACK]) == 0
    client, name = here.tables._client, here.tables.name
    assert _backed_up(file) == 0
    with gzip.open(file, "rt") as lines:
        head, *items, _ = [json.loads(line) for line in lines]
    for item in items:
        if item["pk"]["S"] == "TABLE#spoilt" and item["sk"]["S"] == "STATE":
            item["state"] = {"S": "?"}
    items.append({"pk": {"S": "LISTED"}, "sk": {"S": "half"}})
    with gzip.open(file, "wt") as out:
        for line in (head, *items, {"items": len(items)}):
            out.write(json.dumps(line) + "\n")
    report = here.restore(file)
    assert not report.balanced
    assert here.shut
    assert "half is listed, and not there" in here.said
    assert "spoilt cannot be read, and is left as it is" in here.said
    assert here.said[-1] == "2 tables are at rest"
    for table_id in ("t", "u"):
        stored = here.tables.load(table_id)
        assert stored is not None
        assert stored.table.seq > AHEAD
    assert client.get_item(TableName=name, Key={"pk": {"S": "TABLE#spoilt"}, "sk": {"S": "STATE"}})


class Copies:
    """Tables beside the room's, as AWS restores them: by name their status and what they hold."""

    def __init__(self, real: Any, **tables: tuple[str, list[dict[str, Any]]]) -> None:
        self._real = real
        self._tables = tables

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def describe_table(self, *, TableName: str) -> Any:  # noqa: N803
        if TableName not in self._tables:
            raise aws_error("ResourceNotFoundException")
        status, items = self._tables[TableName]
        names = ("pk", "sk") if items is not OTHERS else ("id",)
        keys = [{"AttributeName": name} for name in names]
        return {"Table": {"TableStatus": status, "KeySchema": keys}}

    def get_paginator(self, name: str) -> Any:
        return self

    def paginate(self, *, TableName: str, **_: Any) -> Any:  # noqa: N803
        yield {"Items": self._tables[TableName][1]}


OTHERS: list[dict[str, Any]] = [{"id": {"S": "x"}}]
A_TABLE = {"pk": {"S": "TABLE#t"}, "sk": {"S": "STATE"}}
A_CONNECTION = {"pk": {"S": "CONN#c"}, "sk": {"S": "CONN"}}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "nowhere: there is no such table"),
        ("young", "young is creating still: wait for it"),
        ("empty", "empty holds nothing of a room"),
        ("gone", "gone holds nothing of a room"),
        ("others", "others holds nothing of a room"),
    ],
)
def test_a_copy_that_is_none_takes_nothing_away(here: Here, name: str, said: str) -> None:
    """All is taken away before it is read: so it is looked at before that."""
    copies = Copies(
        here.tables._client,
        young=("CREATING", [A_TABLE]),
        empty=("ACTIVE", []),
        gone=("ACTIVE", [A_CONNECTION]),
        others=("ACTIVE", OTHERS),
        back=("ACTIVE", [A_CONNECTION, A_TABLE]),
    )
    with pytest.raises(Failed, match=said):
        restore.from_table(name, copies, here.clock)
    assert list(restore.from_table("back", copies, here.clock)) == [A_CONNECTION, A_TABLE]


def test_a_copy_that_is_not_there_ends_the_command(
    here: Here, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(restore, "place", lambda _: here.place)
    before = list(Items(here.tables.name, here.tables._client, here.clock).all())
    asked = ["restore", "--from-table", "nowhere", "--replace", "--stack", STACK]
    assert main(asked) == 1
    assert capsys.readouterr().err == "cardroom: nowhere: there is no such table\n"
    assert list(Items(here.tables.name, here.tables._client, here.clock).all()) == before
    assert here.functions.reserved == {}


def test_a_table_that_takes_no_more_is_said() -> None:
    class Full:
        def batch_write_item(self, **asked: Any) -> dict[str, Any]:
            return {"UnprocessedItems": asked["RequestItems"]}

    items = Items("t", Full(), Passing())
    with pytest.raises(NotCopiedError):
        items.put([{"pk": {"S": "a"}, "sk": {"S": "b"}}])


def test_what_is_refused_for_now_is_asked_again() -> None:
    class Slow:
        def __init__(self) -> None:
            self.kept: list[Any] = []

        def batch_write_item(self, **asked: Any) -> dict[str, Any]:
            first, *rest = asked["RequestItems"]["t"]
            self.kept.append(first)
            return {"UnprocessedItems": {"t": rest} if rest else {}}

    client = Slow()
    assert Items("t", client, Passing()).put([{"pk": {"S": one}} for one in "abcd"]) == 4
    assert len(client.kept) == 4


@pytest.mark.parametrize(
    ("code", "said"),
    [("ProvisionedThroughputExceededException", None), ("AccessDeniedException", ClientError)],
)
def test_a_partition_that_has_too_much_to_do_is_waited_for(
    code: str, said: type[ClientError] | None
) -> None:
    """Items come partition by partition, so that one takes all that is written."""

    class Full:
        refusals = 3
        kept = 0

        def batch_write_item(self, **asked: Any) -> dict[str, Any]:
            if self.refusals:
                self.refusals -= 1
                raise aws_error(code)
            self.kept += len(asked["RequestItems"]["t"])
            return {}

    client, clock = Full(), Passing()
    items = [{"pk": {"S": str(number)}} for number in range(30)]
    if said is not None:
        with pytest.raises(said):
            Items("t", client, clock).put(items)
        return
    before = clock.now()
    assert Items("t", client, clock).put(items) == client.kept == 30
    assert clock.now() > before


def test_an_empty_page_is_not_the_last() -> None:
    class Paged:
        def __init__(self) -> None:
            self.left = [{"pk": {"S": "a"}, "sk": {"S": "b"}}]

        def get_paginator(self, name: str) -> "Paged":
            assert name == "scan"
            return self

        def paginate(self, **_: Any) -> Any:
            yield {"Items": [], "LastEvaluatedKey": {"pk": {"S": "0"}}}
            yield {"Items": list(self.left)}

        def batch_write_item(self, **asked: Any) -> dict[str, Any]:
            self.left.clear()
            return {}

    client = Paged()
    assert Items("t", client, Passing()).empty() == 1
    assert not client.left


def test_a_connection_that_is_gone_is_no_hindrance(here: Here, file: Path) -> None:
    assert _backed_up(file, "--playing") == 0
    here.tables._client.put_item(
        TableName=here.tables.name, Item={"pk": {"S": "CONN#c1"}, "sk": {"S": "CONN"}}
    )
    here.closer.outcomes["c1"] = Delivery.GONE
    assert here.restore(file).balanced
    assert "0 connections are closed" in here.said
