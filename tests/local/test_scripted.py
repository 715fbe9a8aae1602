"""Cards said beforehand: what may be said, and who knows of it."""

import re
import sys
from pathlib import Path

import pytest

from cardroom import dealer as dealing
from cli.main import main
from local import scripted
from local.deck import script_of
from local.scripted import AFTER, DECKS, Script
from poker_engine.cards import DECK, parse_cards
from tests.template.parsed import ROOT

SAID = ("0=AhKh", "2=QsQd", "board=Kd7c2sQh3d")
SCRIPT = Script({"0": ["Ah", "Kh"], "2": ["Qs", "Qd"]}, ["Kd", "7c", "2s", "Qh", "3d"])


def test_what_is_said_is_understood() -> None:
    assert script_of(SAID) == SCRIPT
    assert script_of(["board=Kd7c2s"]) == Script({}, ["Kd", "7c", "2s"])
    assert Script.load(SCRIPT.dump()) == SCRIPT


def test_the_protocols_page_says_it_right() -> None:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    shown = re.findall(r"cardroom deck (\S+) (.*)", page)
    assert [(table, words == "--shuffled") for table, words in shown] == [
        ("trial", False),
        ("trial", True),
    ]
    assert script_of(shown[0][1].split()).board == SCRIPT.board


@pytest.mark.parametrize(
    "words",
    [
        ["0=AhAh"],
        ["0=Ah"],
        ["0=AhKhQh"],
        ["0=AhKh", "1=KhQh"],
        ["0=AhKh", "0=2c2d"],
        ["0=AhKh", "board=Ah"],
        ["board=2c3c4c5c6c7c"],
        ["board="],
        ["board=2c", "board=3c"],
        ["0=XhKh"],
        ["AhKh"],
        ["12=AhKh"],
        ["-1=AhKh"],
        ["=AhKh"],
    ],
    ids=" ".join,
)
def test_what_makes_no_deck_is_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        script_of(words)


@pytest.mark.parametrize("words", [[], ["0=AhKh", "--shuffled"]], ids=str)
def test_either_cards_or_none_are_said(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deck", "t", *words]) == 2
    assert capsys.readouterr().err.startswith("cardroom: say which cards")


def test_only_a_room_on_this_machine_has_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "t", "0=AhKh", "--address", "wss://abc.execute-api.x.invalid/room"]) == 1
    assert "is not a room on this machine" in capsys.readouterr().err


@pytest.mark.parametrize("dealt", [(0, 2), (2, 0), (1, 0, 2), (3, 1)], ids=str)
def test_the_stack_deals_what_was_said_and_the_rest_as_it_lay(dealt: tuple[int, ...]) -> None:
    holes = {0: parse_cards("AhKh"), 2: parse_cards("QsQd")}
    board = parse_cards("Kd7c")
    deck = scripted.stack(dealt, holes, board, DECK)
    assert sorted(deck) == list(DECK)
    for place, seat in enumerate(dealt):
        if seat in holes:
            assert (deck[place], deck[len(dealt) + place]) == holes[seat]
    assert deck[2 * len(dealt) :][:2] == board
    named = {card for seat in dealt for card in holes.get(seat, ())} | set(board)
    rest = [card for card in deck if card not in named]
    assert rest == sorted(rest)


def test_a_process_that_does_not_deal_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(DECKS, str(tmp_path))
    monkeypatch.delitem(sys.modules, "cardroom.dealer")
    before = dealing.Dealer._start
    scripted.install()
    assert dealing.Dealer._start is before


def test_the_worker_loads_it_after_the_function() -> None:
    told = scripted.worker(f"try:\n    {AFTER}    rest()\n")
    lines = told.splitlines()
    assert lines[1] == f"    {AFTER.strip()}"
    assert lines[2].startswith('    if os.environ.get("CARDROOM_DECKS"): ')
    assert lines[3] == "    rest()"
    with pytest.raises(ValueError, match="worker"):
        scripted.worker("try:\n    rest()\n")


def _texts(folder: str, pattern: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob(pattern)]


def test_nothing_that_is_deployed_knows_of_it() -> None:
    deployed = _texts("functions", "*.py") + _texts("layers", "*.py") + _texts("statemachines", "*")
    deployed += [(ROOT / name).read_text() for name in ("template.yaml", "samconfig.toml")]
    assert len(deployed) > 50
    for word in (DECKS, "scripted", ".build/decks"):
        assert not any(word in one for one in deployed)
