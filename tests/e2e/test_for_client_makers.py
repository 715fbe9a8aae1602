"""What client makers are given, on the local room: the sample bot, and cards said beforehand."""

import subprocess
import sys

import pytest

from cardroom.stored import HandRecord
from cli.main import main
from local.cognito import Users
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.cards import join_cards
from poker_engine.codec import load_events
from poker_engine.events import Acted, BoardDealt, Shown
from poker_engine.stakes import Settings, no_limit, table_settings
from poker_engine.state import Cause
from tests.e2e.processes import ROOT

pytestmark = pytest.mark.e2e

SAMPLE = ROOT / "local/sample_bot.py"
HANDS = 2


def _bot(room: Room, name: str, settings: Settings) -> "subprocess.Popen[str]":
    token = Users(room).token(name)
    stake, chips = settings.stakes.structure, str(settings.minimum)
    bot = subprocess.Popen(
        [sys.executable, str(SAMPLE), room.websocket_url, stake, chips, str(HANDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert bot.stdin is not None
    bot.stdin.write(f"{token}\n")
    bot.stdin.flush()
    return bot


def _played(room: Room, table: str, settings: Settings, *names: str) -> list[HandRecord]:
    """The hands that two sample bots have played when both have left."""
    bots = [_bot(room, name, settings) for name in names]
    try:
        outputs = [bot.communicate(timeout=90)[0] for bot in bots]
    finally:
        for bot in bots:
            bot.kill()
            bot.communicate()  # Nothing of it is left for another test to stumble over.
    assert outputs == ["", ""]
    assert [bot.returncode for bot in bots] == [0, 0]
    stored = LocalTables(room).load(table)
    assert stored is not None
    assert stored.table.seats == (None, None)
    return LocalTables(room).hands(table)


def _turned_up(hand: HandRecord) -> tuple[dict[int, str], str]:
    """Cards by seat, and the board."""
    events = load_events(hand.events)
    shown = {one.seat: join_cards(one.cards) for one in events if isinstance(one, Shown)}
    board = [card for one in events if isinstance(one, BoardDealt) for card in one.cards]
    return shown, join_cards(board)


def test_two_sample_bots_play_some_hands_and_leave(room: Room) -> None:
    assert len(SAMPLE.read_text().splitlines()) <= 50
    settings = table_settings(no_limit("PHP", 1_300), 2, pause_ms=1_000)
    open_tables(LocalTables(room), [("sampled", settings)])
    hands = _played(room, "sampled", settings, "SampleAda", "SampleBob")
    assert len(hands) == HANDS
    for hand in hands:
        acted = [one for one in load_events(hand.events) if isinstance(one, Acted)]
        assert len(acted) == 8
        assert all(one.cause is Cause.OWN for one in acted)


def test_the_next_hand_has_the_cards_that_were_said(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = table_settings(no_limit("PHP", 1_400), 2, pause_ms=1_000)
    open_tables(LocalTables(room), [("scripted", settings)])
    said = ("deck", "scripted", "0=AhKh", "1=QsQd", "board=Kd7c2sQh3d")
    here = ("--address", room.websocket_url)
    assert main([*said, *here]) == 0
    assert main(["deck", "scripted", "9=AhKh", *here]) == 2
    assert main(["deck", "nowhere", "0=AhKh", *here]) == 1
    first, second = _played(room, "scripted", settings, "ScriptAda", "ScriptBob")
    assert _turned_up(first)[1] == "Kd7c2sQh3d"
    assert _turned_up(first)[0][1] == "QsQd"
    assert _turned_up(first)[0].get(0, "AhKh") == "AhKh"
    assert _turned_up(second)[1] != "Kd7c2sQh3d"
    assert sorted(first.deck) == list(range(52))
    assert "has these cards" in capsys.readouterr().out
