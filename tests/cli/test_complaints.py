"""`cardroom hands disputes` and `settle`: what players dispute, with the record beside it."""

import pytest

from cardroom.disputes import Dispute, DynamoDisputes
from cardroom.histories import DynamoHistories, Look
from cardroom.models import written
from cardroom.store import DynamoTables, _hand_item
from cli.main import main
from tests.cli.conftest import STACK
from tests.cli.recorded import seeded_records
from tests.room.world import START


class Desk:
    """Runs a command and gives its exit code, output and errors."""

    def __init__(self, tables: DynamoTables, capsys: pytest.CaptureFixture[str]) -> None:
        self.tables, self._capsys = tables, capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        code = main(["hands", *words, "--stack", STACK])
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def looks(self) -> list[tuple[str, str, str]]:
        looks = DynamoHistories.beside(self.tables).looks()
        return [(one.who, one.why, one.what) for one in looks if isinstance(one, Look)]


@pytest.fixture
def desk(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """Hands of table t-0, of which two are disputed, the second one by two."""
    monkeypatch.setattr("getpass.getuser", lambda: "sue")
    for record in seeded_records(range(1), 400):
        tables._client.put_item(TableName=tables.name, Item=written(_hand_item(record)))
    disputes = DynamoDisputes(tables.name)
    for at, player, hand, text in (
        (2_000, "p1", 2, "no \x1b[2J pot"),
        (1_000, "p2", 2, "my flush did not win"),
        (3_000, "p0", 1, "the clock"),
    ):
        assert disputes.put(Dispute(player, "t-0", hand, START + at, text, f"c{at}"))
    return Desk(tables, capsys)


def test_what_is_open_is_told_the_oldest_first(desk: Desk) -> None:
    code, out, err = desk("disputes", "--zone", "Asia/Manila")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2023-11-15 06:13:21 PST  t-0/2  p2 disputes it: my flush did not win",
        "2023-11-15 06:13:22 PST  t-0/2  p1 disputes it: no ?[2J pot",
        "2023-11-15 06:13:23 PST  t-0/1  p0 disputes it: the clock",
    ]
    assert desk.looks() == [], "it tells no cards"


def test_with_the_record_beside_it_is_a_look(desk: Desk) -> None:
    assert desk("disputes", "--records")[::2] == (
        2,
        "cardroom: support sees all cards: say --why\n",
    )
    code, out, _ = desk("disputes", "--records", "--why", "the day's")
    assert code == 0
    assert out.count("rake schedule") == 3
    assert out.index("my flush did not win") < out.index("t-0 hand 2: rules")
    assert desk.looks() == [("sue", "the day's", "3 disputed hands")]


def test_support_that_looks_at_a_hand_is_told_what_is_disputed(desk: Desk) -> None:
    _, out, _ = desk("show", "t-0/2", "--why", "ticket 4711")
    first, second, third, *_ = out.splitlines()
    assert first.endswith("p2 disputes it: my flush did not win")
    assert second.endswith("p1 disputes it: no ?[2J pot")
    assert third.startswith("t-0 hand 2: rules")
    assert desk.looks() == [("sue", "ticket 4711", "t-0 hand 2")]
    _, out, _ = desk("show", "t-0/2", "--as", "public")
    assert "disputes" not in out


def test_it_is_closed_once_with_a_word_which_is_kept(desk: Desk) -> None:
    settle = ("settle", "t-0/2", "p2", "--word", "the flush was on the board")
    assert desk(*settle)[:2] == (0, "closed: hand t-0/2, disputed by p2\n")
    assert desk(*settle) == (1, "", "cardroom: it was closed before\n")
    assert "my flush" not in desk("disputes")[1]
    text = desk("disputes", "--all")[1]
    assert "my flush did not win\n  closed 20" in text
    assert " by sue: the flush was on the board\n" in text
    (one,) = [one for one in DynamoDisputes(desk.tables.name).of("p2") if one.closed]
    assert (one.hand, one.who, one.word) == (2, "sue", "the flush was on the board")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("settle", "t-0/1", "p1", "--word", "no"), 1, "p1 disputes no hand t-0/1"),
        (("settle", "t-0", "p1", "--word", "no"), 2, "'t-0' names no hand"),
        (("settle", "t-0/2", "p2", "--word", " "), 2, "--word is one line of 1 to 120"),
        (("settle", "t-0/2", "a b", "--word", "no"), 2, "'a b' is no user name"),
        (("disputes", "--zone", "Mars"), 2, "'Mars' is no time zone"),
    ],
    ids=["not his", "no hand", "no word", "no name", "no zone"],
)
def test_what_makes_no_sense_is_refused(
    desk: Desk, words: tuple[str, ...], code: int, sentence: str
) -> None:
    found = desk(*words)
    assert found[0] == code
    assert found[2].startswith(f"cardroom: {sentence}")


def test_a_damaged_one_is_named_and_the_others_are_told(desk: Desk) -> None:
    desk.tables._client.put_item(
        TableName=desk.tables.name, Item={"pk": {"S": "DISPUTE#p9"}, "sk": {"S": "t-0#x"}}
    )
    code, out, err = desk("disputes")
    assert (code, err) == (1, "cardroom: DISPUTE#p9 / t-0#x cannot be read\n")
    assert len(out.splitlines()) == 3


def test_a_room_without_disputes_says_so(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Desk(tables, capsys)("disputes") == (0, "nothing is disputed\n", "")
