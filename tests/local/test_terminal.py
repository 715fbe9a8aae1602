"""Typed characters become lines; what is shown suits a terminal and a file alike."""

import io
import os
import pty
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from local.page import Page, columns
from local.terminal import LineEditor, Terminal
from local.wishes import HELP


@pytest.mark.parametrize(
    ("typed", "lines", "rest"),
    [
        ("fold\n", ["fold"], ""),
        ("fold\rcall\n", ["fold", "call"], ""),
        ("folk\x7fd\n", ["fold"], ""),
        ("bet 5\x15check\n", ["check"], ""),
        ("\x1b[A\x1b[1;5Dra\x1bOPise", [], "raise"),
        ("\x00\x07fold\n", ["fold"], ""),
        ("x" * 500 + "\n", ["x" * 200], ""),
    ],
)
def test_editor_knows_backspace_and_drops_control_keys(
    typed: str, lines: list[str], rest: str
) -> None:
    editor = LineEditor()
    assert editor.feed(typed) == lines
    assert editor.typed == rest


def test_end_of_input_counts_on_an_empty_line_only() -> None:
    editor = LineEditor()
    editor.feed("fo\x04")
    assert not editor.ended
    editor.feed("\n\x04")
    assert editor.ended


async def test_lines_of_a_file_and_of_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text("fold\ncall\n")
    with file.open() as source, Terminal(source, io.StringIO()) as terminal:
        assert [line async for line in terminal.lines()] == ["fold", "call"]
    reading, writing = os.pipe()
    os.write(writing, b"check\nra")
    os.write(writing, b"ise 5\n")
    os.close(writing)
    with os.fdopen(reading) as source, Terminal(source, io.StringIO()) as terminal:
        assert [line async for line in terminal.lines()] == ["check", "raise 5"]


def test_without_a_terminal_the_output_is_plain() -> None:
    out = io.StringIO()
    with Terminal(io.StringIO(), out) as terminal:
        assert not terminal.live
        assert not terminal.colour
        terminal.draw(Page(["one", "two"]))
        terminal.say("three")
    assert out.getvalue() == "one\ntwo\nthree\n"


def on_screen(written: str) -> list[str]:
    """What a terminal shows of what was drawn last."""
    last = written.removesuffix("\x1b[?1049l").rpartition("\x1b[H")[2]
    return last.replace("\x1b[K", "").replace("\x1b[J", "").replace("\r", "").split("\n")


def test_screen_is_redrawn_in_place_and_the_terminal_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    page = Page(
        [f"table {number}" for number in range(15)], [f"log {number}" for number in range(100)]
    )
    with os.fdopen(slave, "r", closefd=False) as source, os.fdopen(os.dup(slave), "w") as out:
        with Terminal(source, out) as terminal:
            assert terminal.live
            assert not terminal.colour
            assert termios.tcgetattr(slave) != before
            terminal.say(HELP)
            terminal.draw(page, "> ")
        assert termios.tcgetattr(slave) == before
    os.close(slave)
    data = b""
    # What is left in it comes piece by piece, then an error for the end.
    with suppress(OSError):
        while piece := os.read(master, 65536):
            data += piece
    os.close(master)
    shown = data.decode()
    assert shown.startswith("\x1b[?1049h")
    assert shown.endswith("\x1b[?1049l")
    rows = on_screen(shown)
    assert len(rows) == 24
    assert all(columns(row) <= 80 for row in rows)
    assert rows[:15] == page.table
    assert "log 99" in rows
    assert " ".join(" ".join(rows).split()).endswith(f"log 99 {HELP} >")
