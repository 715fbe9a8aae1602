"""A screen of few rows: what matters most is never what is cut."""

import pytest

from local.page import Page, columns, fitted

TABLE = ["heading", "", *(f"seat {number}" for number in range(10)), "", "board", "YOUR TURN"]
LOG = [f"event {number}" for number in range(50)]
FOOT = ["", "Room: ws://127.0.0.1:4566/", "Join: cardroom join", "Stop: Ctrl-C"]


def test_ten_seats_on_24_rows_keep_the_newest_events_and_the_foot() -> None:
    lines = Page(TABLE, LOG, FOOT).lines(23)
    assert len(lines) <= 23
    assert [line for line in TABLE if line] == lines[:13]
    assert lines[-3:] == FOOT[1:]
    log = [line for line in lines if line.startswith("event")]
    assert len(log) >= 3
    assert log == LOG[-len(log) :]


def test_more_rows_make_a_longer_log_up_to_20() -> None:
    lengths = []
    for rows in (24, 30, 40, 60):
        log = [line for line in Page(TABLE, LOG, FOOT).lines(rows) if line.startswith("event")]
        assert log == LOG[-len(log) :]
        lengths.append(len(log))
    assert lengths == sorted(lengths)
    assert lengths[-1] == 20
    assert Page(TABLE, LOG, FOOT).lines(60)[: len(TABLE)] == TABLE


@pytest.mark.parametrize("rows", range(1, 30))
def test_in_any_number_of_rows_the_foot_is_last_and_the_own_turn_before_it(rows: int) -> None:
    lines = Page(TABLE, LOG, FOOT).lines(rows)
    assert len(lines) <= rows
    if rows >= 4:
        assert lines[-3:] == FOOT[1:]
        assert "YOUR TURN" in lines
    if rows >= 16:
        assert lines[0] == "heading"


def test_a_page_that_begins_with_what_matters_is_cut_at_its_end() -> None:
    page = Page(TABLE, [], FOOT, top=True)
    assert page.lines(30)[: len(TABLE)] == TABLE
    lines = page.lines(10)
    seats = [f"seat {number}" for number in range(5)]
    assert lines == ["heading", *seats, "... 7 more lines", *FOOT[1:]]
    for rows in range(1, 30):
        lines = page.lines(rows)
        assert len(lines) <= rows
        if rows >= 4:
            assert lines[-3:] == FOOT[1:]
        if rows >= 5:
            assert lines[0] == "heading"


def test_a_line_is_broken_at_blanks_and_a_long_word_in_pieces() -> None:
    assert fitted("one two three four five six", 20) == ["one two three four", "  five six"]
    assert fitted("x" * 45, 20) == ["x" * 20, "  " + "x" * 18, "  " + "x" * 7]
    pieces = fitted("日本語" * 20, 20)
    assert all(columns(piece) <= 20 for piece in pieces)
    assert "".join(pieces).replace(" ", "") == "日本語" * 20
