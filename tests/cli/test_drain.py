"""`cardroom tables drain` and `reopen` on a stack whose DynamoDB is in memory."""

from collections.abc import Callable

import pytest

from cardroom.audit import audit
from cardroom.dealer import Dealer, Wish
from cardroom.drained import Drained, DynamoDrained
from cardroom.errors import Conflict
from cardroom.inventory import DynamoInventory
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.stored import Change
from cardroom.tables import open_table
from cli.drain import Drain, Which, reopened
from cli.main import main
from cli.served import Failed
from cli.tables import Silent
from poker_engine.commands import Sit
from poker_engine.stakes import no_limit, table_settings
from tests.cli.conftest import STACK, fund

STAKES = no_limit("PHP", 500)
OTHER = no_limit("PHP", 1000)


class Passing:
    """A clock on which a second passes while one waits."""

    def __init__(self) -> None:
        self._now = 1_700_000_000_000
        self.meanwhile: list[Callable[[], object]] = []

    def now(self) -> int:
        return self._now

    def pause(self, ms: int) -> None:
        self._now += ms
        if ms >= 1_000 and self.meanwhile:
            self.meanwhile.pop(0)()


class Floor:
    """Two tables of a stake, and one of another, with two players each and a hand running."""

    def __init__(self, tables: DynamoTables) -> None:
        self.tables = tables
        self.clock = Passing()
        self.dealer = Dealer(tables, self.clock, SystemRandomness(), Silent())
        self.said: list[str] = []
        for number, (table_id, stakes, base) in enumerate(
            [("a", STAKES, ""), ("a-2", STAKES, "a"), ("b", OTHER, "")]
        ):
            settings = table_settings(stakes, 2, pause_ms=1_000)
            assert open_table(tables, table_id, settings, self.clock.now(), base=base)
            players = [f"p{number}x", f"p{number}y"]
            fund(tables, *players)
            for seat, player in enumerate(players):
                self.dealer.apply(table_id, Wish(Sit(player, seat, 20_000), player, "sit"))
        self.clock.pause(999)
        self.clock.pause(999)
        for table_id in ("a", "a-2", "b"):
            self.dealer.apply(table_id)
            assert self.running(table_id)

    def running(self, table_id: str) -> bool:
        stored = self.tables.load(table_id)
        assert stored is not None
        return stored.table.running is not None

    def drain(self, which: Which = Which(), minutes: int = 15) -> bool:  # noqa: B008
        return Drain(self.tables, self.dealer, which, self.said.append).run(minutes * 60_000)

    def hands(self) -> list[int]:
        found = [self.tables.load(table_id) for table_id in ("a", "a-2", "b")]
        return [stored.table.hands for stored in found if stored is not None]

    def balanced(self) -> bool:
        return audit(DynamoInventory.beside(self.tables), self.clock).balanced


@pytest.fixture
def floor(tables: DynamoTables) -> Floor:
    return Floor(tables)


def test_hands_end_everybody_is_paid_and_none_begins(floor: Floor) -> None:
    assert floor.drain()
    assert floor.tables.listed() == []
    assert floor.hands() == [1, 1, 1]
    for table_id in ("a", "a-2", "b"):
        stored = floor.tables.load(table_id)
        assert stored is not None
        assert stored.table.closed
        assert stored.chips == 0
        assert not stored.leaving
    assert floor.balanced()
    assert floor.said[0].startswith("0 of 3 tables are closed and paid; a: hand 1 is played, 2 in")
    assert floor.said[-1] == "3 of 3 tables are closed and paid"
    # Each news once.
    assert len(set(floor.said)) == len(floor.said)


def test_asked_again_there_is_nothing_to_do(floor: Floor) -> None:
    assert floor.drain()
    floor.said.clear()
    assert floor.drain()
    assert floor.said == ["0 of 0 tables are closed and paid"]


def test_only_the_stake_that_was_named(floor: Floor) -> None:
    assert floor.drain(Which(stakes=(OTHER.structure,)))
    assert floor.tables.listed() == ["a", "a-2"]
    stored = floor.tables.load("a")
    assert stored is not None
    assert not stored.table.frozen


def test_only_the_table_that_was_named(floor: Floor) -> None:
    assert floor.drain(Which(tables=("a",)))
    assert floor.tables.listed() == ["a-2", "b"]
    with pytest.raises(Failed, match="there is no such table"):
        floor.drain(Which(tables=("nowhere",)))


def test_whoever_is_interrupted_goes_on(floor: Floor) -> None:
    def killed() -> None:
        raise KeyboardInterrupt

    floor.clock.meanwhile = [killed]
    with pytest.raises(KeyboardInterrupt):
        floor.drain()
    assert any(floor.running(table_id) for table_id in ("a", "a-2", "b"))
    assert floor.drain()
    assert floor.tables.listed() == []
    assert floor.balanced()


def test_a_table_that_opens_meanwhile_is_drained_too(floor: Floor) -> None:
    settings = table_settings(STAKES, 2)
    floor.clock.meanwhile = [
        lambda: open_table(floor.tables, "a-3", settings, floor.clock.now(), base="a")
    ]
    assert floor.drain()
    assert floor.tables.listed() == []


def test_who_is_owed_something_is_waited_for(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """His wallet is written by others all the while: the table closes, and pays later."""
    real, refused = floor.tables.write, 0

    def contested(change: Change) -> None:
        nonlocal refused
        if change.books.moves and refused < 5:
            refused += 1
            raise Conflict(None)
        real(change)

    monkeypatch.setattr(floor.tables, "write", contested)
    assert floor.drain()
    assert refused == 5
    assert any("could not be written yet" in line for line in floor.said)
    assert floor.balanced()


def test_what_cannot_be_read_is_named_and_the_others_are_drained(floor: Floor) -> None:
    floor.tables._client.update_item(
        TableName=floor.tables.name,
        Key={"pk": {"S": "TABLE#a"}, "sk": {"S": "STATE"}},
        UpdateExpression="SET #state = :bad",
        ExpressionAttributeNames={"#state": "state"},
        ExpressionAttributeValues={":bad": {"S": "?"}},
    )
    assert not floor.drain()
    assert floor.tables.listed() == ["a"]
    assert floor.said[-1] == "a cannot be read, and is left as it is"


def test_time_that_is_up_is_said(floor: Floor) -> None:
    assert not Drain(floor.tables, Stuck(floor.dealer), Which(), floor.said.append).run(60_000)


class Stuck(Dealer):
    """Whose tables never come to rest."""

    def __init__(self, dealer: Dealer) -> None:
        super().__init__(dealer.tables, dealer.clock, SystemRandomness(), Silent())
        self.close = lambda table_id: self.freeze(table_id)  # type: ignore[method-assign]


def test_tables_like_those_are_opened_in_their_place(floor: Floor) -> None:
    assert floor.drain()
    said = list(reopened(floor.tables, Which(), floor.clock.now()))
    assert said == [
        "a-3 is open in place of a: no-limit 5/10 PHP",
        "b-2 is open in place of b: no-limit 10/20 PHP",
    ]
    assert floor.tables.listed() == ["a-3", "b-2"]
    before, after = floor.tables.meta("a"), floor.tables.meta("a-3")
    assert before is not None
    assert after is not None
    assert (after.settings, after.most, after.base) == (before.settings, before.most, "")
    assert list(reopened(floor.tables, Which(), floor.clock.now())) == []
    # And once more, from there.
    assert floor.drain()
    assert list(reopened(floor.tables, Which(tables=("a-3",)), floor.clock.now())) == [
        "a-4 is open in place of a-3: no-limit 5/10 PHP"
    ]


def test_reopening_begun_anew_opens_no_second_one(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert floor.drain()
    with monkeypatch.context() as patch:
        patch.setattr("cardroom.drained.DynamoDrained.forget", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            list(reopened(floor.tables, Which(), floor.clock.now()))
    assert len(list(reopened(floor.tables, Which(), floor.clock.now()))) == 2
    assert floor.tables.listed() == ["a-3", "b-2"]


@pytest.mark.parametrize("what", ["META", "place in the list", "one that opened by itself"])
def test_a_name_that_is_not_free_is_passed_over(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It says that a table is open only where one is, which is the operator's."""
    assert floor.drain()
    settings = table_settings(no_limit("PHP", 1_000))
    put, left = DynamoDrained.put, "b-2"

    def meanwhile(notes: DynamoDrained, drained: Drained) -> None:
        put(notes, drained)
        if drained.successor != left:
            return
        if what == "one that opened by itself":
            open_table(floor.tables, left, settings, 1, base="b")
        else:
            pk, sk = ("TABLE#b-2", "META") if what == "META" else ("LISTED", left)
            item = {"pk": {"S": pk}, "sk": {"S": sk}}
            floor.tables._client.put_item(TableName=floor.tables.name, Item=item)

    monkeypatch.setattr(DynamoDrained, "put", meanwhile)
    for name in ("b-3", None):
        said = [one for one in reopened(floor.tables, Which(), 2) if " of b:" in one]
        assert said == ([f"{name} is open in place of b: no-limit 10/20 PHP"] if name else [])
    meta = floor.tables.meta("b-3")
    assert meta is not None
    assert not meta.base
    assert "b-3" in floor.tables.listed()


def test_the_command_says_what_it_does(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "open", "t", "nl", "PHP", "5", "--stack", STACK]) == 0
    assert main(["tables", "freeze", "--all", "--stack", STACK]) == 0
    assert main(["tables", "thaw", "--all", "--stack", STACK]) == 0
    capsys.readouterr()
    assert main(["tables", "drain", "--stack", STACK]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 1 tables are closed and paid",
        "nobody is seated there, and everybody is paid",
    ]
    assert main(["tables", "reopen", "--stack", STACK]) == 0
    assert capsys.readouterr().out == "t-2 is open in place of t: no-limit 5/10 PHP\n"
    assert main(["tables", "reopen", "--stack", STACK]) == 0
    assert capsys.readouterr().out == "no table of these was drained\n"
    assert main(["tables", "drain", "--minutes", "0", "--stack", STACK]) == 2
    assert main(["tables", "drain", "--table", "u", "--stack", STACK]) == 1


def _spoil(floor: Floor, partition: str, sort: str, name: str) -> None:
    floor.tables._client.update_item(
        TableName=floor.tables.name,
        Key={"pk": {"S": partition}, "sk": {"S": sort}},
        UpdateExpression="SET #name = :bad",
        ExpressionAttributeNames={"#name": name},
        ExpressionAttributeValues={":bad": {"S": "?"}},
    )


def _lose_the_deck(floor: Floor) -> None:
    stored = floor.tables.load("a")
    assert stored is not None
    assert stored.table.hand is not None
    floor.tables._client.delete_item(
        TableName=floor.tables.name,
        Key={"pk": {"S": "SECRET#a"}, "sk": {"S": stored.table.hand.deck}},
    )
    floor.dealer = Dealer(floor.tables, floor.clock, SystemRandomness(), Silent())


def test_a_hand_that_cannot_go_on_holds_up_none(floor: Floor) -> None:
    _lose_the_deck(floor)
    assert floor.drain()
    assert floor.tables.listed() == []
    assert floor.balanced()


def test_who_cannot_be_paid_holds_up_his_table_alone(floor: Floor) -> None:
    _spoil(floor, "USER#p0x", "WALLET#PHP", "balance")
    assert not floor.drain(minutes=1)
    assert set(floor.tables.listed()) <= {"a"}
    assert "p0x" in floor.said[-1]


def test_a_drained_table_that_cannot_be_read_keeps_no_other_closed(floor: Floor) -> None:
    assert floor.drain()
    _spoil(floor, "TABLE#a", "STATE", "state")
    said = list(reopened(floor.tables, Which(), floor.clock.now()))
    assert "b-2 is open in place of b: no-limit 10/20 PHP" in said
    assert "a cannot be read" in said[0]
