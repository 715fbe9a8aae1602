"""The table on a terminal: everything a player needs, 80 columns, and nothing of others that could
steer it.
"""

import re
from typing import Any

import pytest

from cli.printable import printable
from local.money import parsed, shown
from local.page import WIDTH, columns
from local.rehearsal import Rehearsal
from local.table_screen import WATCHING, News, Screen, does, name
from local.table_view import TableView
from poker_engine import views
from poker_engine.stakes import PHP_STAKES, fixed_limit, no_limit, table_settings
from tests.local.fake_room import state

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def in_turn(**turn: Any) -> dict[str, Any]:
    """Ann (seat 0) faces a raise to 3 pesos on the flop."""
    table = state()
    for seat in table["seats"]:
        seat["in_hand"] = True
    table["seats"][0].update(stack=9_700, bet=0)
    table["seats"][1].update(stack=9_400, bet=300)
    table["seats"][2].update(in_hand=False, folded=True)
    table["hand"] = {
        "number": 7,
        "board": ["As", "Td", "2h"],
        "pot": 1_250,
        "pots": [{"amount": 900, "contenders": [0, 1]}, {"amount": 350, "contenders": [0]}],
        "shown": [],
        "over": False,
    }
    table["hole"] = ["Kc", "Kd"]
    table["turn"] = {
        "seat": 0,
        "hand": 7,
        "number": 5,
        "deadline": 1_015_000,
        "price": 300,
        "to_call": 300,
        "call_to": 300,
        "check": False,
        "verb": "raise",
        "min_to": 600,
        "max_to": 9_700,
        "step": 300,
    } | turn
    table["log"] = [
        {"e": "hand_started", "number": 7, "button": 0},
        {"e": "posted", "seat": 1, "post": "small_blind", "amount": 50},
        {"e": "acted", "seat": 2, "do": "fold", "to": 0, "paid": 0, "cause": "expired"},
        {"e": "board_dealt", "street": "flop", "cards": ["As", "Td", "2h"]},
        {"e": "acted", "seat": 1, "do": "bet", "to": 300, "paid": 300, "cause": "own"},
    ]
    return table


def drawn(
    table: dict[str, Any], now: int = 1_004_200, width: int = WIDTH, **screen: Any
) -> list[str]:
    view = TableView("t1", player="ann")
    view.load(1, table, now)
    return Screen(**screen).page(view, now, width).lines(100, width)


def test_screen_shows_all_that_a_turn_needs() -> None:
    text = "\n".join(drawn(in_turn()))
    for part in (
        "No-limit hold'em PHP 0.50/1",
        "hand 7",
        "Board: As Td 2h",
        "Pot: P12.50 (P9 + P3.50)",
        "Your cards: Kc Kd",
        "YOUR TURN (11 s): fold | call P3 | raise to P6 .. P97",
        "bet P3",
        "folded",
        "ann (you)",
        "ben bets P3",
        "cid folds (out of time)",
        "ben posts small blind P0.50",
        "Flop: As Td 2h",
    ):
        assert part in text, part


def test_allowed_actions_follow_the_turn() -> None:
    def line(**turn: Any) -> str:
        return next(one for one in drawn(in_turn(**turn)) if one.startswith("YOUR TURN"))

    free = line(to_call=0, call_to=0, check=True, verb="bet", min_to=100, max_to=9_700)
    assert free.endswith("fold | check | bet P1 .. P97")
    assert line(min_to=None, max_to=None).endswith("fold | call P3")
    assert line(min_to=600, max_to=600).endswith("raise to P6")


def test_others_turn_and_the_pause_say_how_long() -> None:
    assert "Turn: ben (11 s)" in drawn(in_turn(seat=1))
    assert "Next hand in 2 s." in drawn(state(next_hand_at=1_006_000))
    assert "Waiting for players." in drawn(state())


def test_log_speaks_to_the_player() -> None:
    assert does("ben", "folds") == "ben folds"
    assert does("You", "folds") == "You fold"
    assert does("You", "raises to P6 (out of time)") == "You raise to P6 (out of time)"
    assert does("You", "is leaving") == "You are leaving"


def test_the_log_keeps_the_names_of_then() -> None:
    """Ben raises and leaves, dan takes his seat: it was ben who raised."""
    table = in_turn(seat=1)
    table["log"] += [
        {"e": "seat_emptied", "seat": 1, "player": "ben", "chips": 9_400, "exit": "left", "at": 1},
        {"e": "seated", "seat": 1, "player": "dan", "chips": 5_000, "posting": True},
        {"e": "posted", "seat": 1, "post": "live", "amount": 100},
    ]
    table["seats"][1]["player"] = "dan"
    view = TableView("t1", player="ann")
    view.load(1, table, 0)
    for lines in (Screen().log(view), News(Screen()).lines(view)):
        assert lines[-5:] == [
            "Flop: As Td 2h",
            "ben bets P3",
            "ben left the table",
            "dan sits down with P50",
            "dan posts live P1",
        ]
        assert "ben posts small blind P0.50" in lines


def test_fixed_limit_is_called_by_its_bets() -> None:
    table = in_turn()
    table["settings"] |= {"game": "fl", "currency": "USD", "small_blind": 150, "big_blind": 300}
    table["settings"] |= {"small_bet": 300, "big_bet": 600}
    assert "Fixed-limit hold'em USD 3/6" in drawn(table)[0]


@pytest.mark.parametrize(
    ("seat", "line"),
    [
        (
            {"stack": 0, "status": "out"},
            "You have no chips: type top up 10 or more, then sit in; or leave.",
        ),
        (
            {"stack": 0, "topup": 400, "status": "out"},
            "You have no chips: type top up 6 or more, then sit in; or leave.",
        ),
        ({"status": "out"}, "You sit out: type sit in to come back, or leave."),
        (
            {"status": "waiting"},
            "You wait for the big blind: type sit in to post one and play sooner.",
        ),
    ],
)
def test_who_gets_no_cards_reads_what_to_do(seat: dict[str, Any], line: str) -> None:
    table = state()
    assert line not in drawn(table)
    table["seats"][0] |= seat
    assert line in drawn(table)


def test_who_is_away_is_called_so() -> None:
    view = TableView("t1", player="ann")
    view.load(1, in_turn(), 0)
    view.presence({"now": 1, "away": [1, 2]})
    lines = Screen().page(view, 0).lines(100)
    assert [line.split()[-1] for line in lines if line.split()[1:2] in (["ben"], ["cid"])] == [
        "away",
        "away",
    ]
    assert next(line for line in lines if "cid" in line).endswith("folded, away")


@pytest.mark.parametrize(
    ("own", "line"),
    [
        (
            {"pre": {"do": "call", "price": 300}},
            "When it is your turn you call P3: cancel takes that back.",
        ),
        (
            {"pre": {"do": "check_fold", "price": 300}},
            "When it is your turn you check, or fold to a bet: cancel takes that back.",
        ),
        (
            {"pre": {"do": "fold", "price": 300}},
            "When it is your turn you fold: cancel takes that back.",
        ),
        ({"refill": 5_000}, "Before each hand you top up to P50."),
    ],
)
def test_what_the_room_is_to_do_for_the_player_is_shown(own: dict[str, Any], line: str) -> None:
    table = in_turn(seat=1)
    assert line not in drawn(table)
    table["seats"][0] |= own
    assert line in drawn(table)


def test_who_is_refilled_needs_to_do_nothing_about_his_chips() -> None:
    table = state()
    table["seats"][0] |= {"stack": 0, "refill": 5_000}
    text = "\n".join(drawn(table))
    assert "You have no chips" not in text
    assert "Before each hand you top up to P50." in text


def test_a_time_bank_is_told_before_it_is_needed_and_while_it_runs() -> None:
    table = in_turn()
    for seat in table["seats"]:
        seat["bank"] = 5_400
    turn = next(line for line in drawn(table) if line.startswith("YOUR TURN"))
    assert turn.startswith("YOUR TURN (11 s, then 5 s of your time bank): fold")
    table["log"] += [
        {"e": "turn_began", "number": 5, "seat": 0, "deadline": 1_009_600},
        {"e": "bank_opened", "seat": 0, "deadline": 1_015_000},
    ]
    turn = next(line for line in drawn(table) if line.startswith("YOUR TURN"))
    assert turn.startswith("YOUR TURN (11 s of the time bank): fold")
    assert "  You take time from the bank" in drawn(table)
    table["log"].append({"e": "bank_closed", "seat": 0, "left": 1_000})
    table["turn"]["seat"] = 1
    assert "Turn: ben (11 s)" in drawn(table)


def test_the_log_keeps_the_names_of_who_left_after_the_hand() -> None:
    """Ann and ben were seen there, dan came in the hand; of who went a snapshot says nothing."""
    view = TableView("t1", player="eve")
    view.load(1, in_turn(), 0)
    table = in_turn()
    table["hand"]["over"] = True
    table["turn"] = None
    table["log"] = [
        {"e": "posted", "seat": 0, "post": "small_blind", "amount": 50},
        {"e": "seated", "seat": 3, "player": "dan", "chips": 5_000, "posting": True},
        {"e": "sat_out", "seat": 3, "at": 1},
    ]
    table["seats"] = [None] * 4
    view.load(2, table, 0)
    lines = ["ann posts small blind P0.50", "dan sits down with P50", "dan sits out"]
    assert Screen().log(view) == lines
    fresh = TableView("t1", player="eve")
    fresh.load(2, table, 0)
    assert Screen().log(fresh) == ["seat 0 posts small blind P0.50", *lines[1:]]


def test_a_table_that_is_frozen_closing_or_shown_late_says_so() -> None:
    table = state(frozen=True)
    assert "The table is frozen: no new hand begins for now." in drawn(table)
    assert "Waiting for players." not in drawn(table)
    assert "The table closes: no more hands after this one." in drawn(state(closing=True))
    table = state()
    table["settings"]["delay_s"] = 60
    late = "You see this table 60 s late."
    assert late not in drawn(table)
    table["seats"][0] = None
    assert late in drawn(table)


def test_who_watches_reads_how_to_sit_down() -> None:
    table = state()
    assert WATCHING not in drawn(table)
    table["seats"][0] = None
    assert WATCHING in drawn(table)
    view = TableView("t1")
    view.load(1, table, 0)
    # But not on a screen that nobody types at.
    assert WATCHING not in Screen().page(view, 0).lines(100)


def test_comings_back_stand_in_the_log() -> None:
    table = in_turn()
    table["log"] = [
        {"e": "sat_in", "seat": 0, "status": "posting"},
        {"e": "sat_in", "seat": 1, "status": "active"},
        {"e": "topped_up", "seat": 1, "chips": 5_000},
    ]
    text = drawn(table)
    assert "  You sit in, to post a blind" in text
    assert "  ben sits in" in text
    assert "  ben tops up by P50" in text


def test_a_narrow_terminal_splits_no_word() -> None:
    whole = " ".join(drawn(in_turn())).split()
    narrow = drawn(in_turn(), width=60)
    assert all(columns(line) <= 60 for line in narrow)
    assert " ".join(narrow).split() == whole


def test_texts_of_others_steer_no_terminal() -> None:
    table = in_turn()
    table["seats"][1]["player"] = "\x1b[2J\x07evil\u202e\n\r\x9b31m"
    table["seats"][2]["player"] = "x" * 500
    for colour in (False, True):
        for line in drawn(table, colour=colour, title="\x1b]0;owned\x07"):
            bare = ESCAPES.sub("", line) if colour else line
            assert bare.isprintable(), repr(line)
            assert columns(bare) <= WIDTH


def test_wide_and_combining_letters_keep_the_columns() -> None:
    assert columns(name("日本語日本語日本語日本語")) <= 16
    assert name("e\u0301clair") == "eclair"
    table = in_turn()
    table["seats"][1]["player"] = "日本語日本語日本語日本語"
    assert all(columns(line) <= WIDTH for line in drawn(table))


def test_screen_without_colour_has_no_escapes() -> None:
    assert "\x1b" not in "".join(drawn(in_turn()))
    assert "\x1b" in "".join(drawn(in_turn(), colour=True))


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(table_settings(no_limit("PHP", 10_000), 10), id="10 seats"),
        pytest.param(table_settings(PHP_STAKES[1], 6, time_bank_ms=5_000), id="6 seats"),
        pytest.param(table_settings(fixed_limit("USD", 2000), 3), id="limit"),
    ],
)
def test_every_moment_of_a_game_fits_80_columns(settings: Any) -> None:
    screen = Screen()
    log: list[Any] = []
    for step in Rehearsal(settings, seed=4, sleepy=0.1, prepares=0.2).steps(25):
        if any(type(event).__name__ == "HandStarted" for event in step.events):
            log = []
        log += step.events
        for seat in (None, 1):
            if seat is not None and step.table.seats[seat] is None:
                continue
            view = TableView("php-100", player="" if seat is None else f"bot-{seat}")
            shot = views.snapshot(step.table, seat, step.deck, step.at, log)
            view.load(shot["seq"], shot["state"], step.at)
            for rows, width in ((24, 80), (24, 60), (50, 120)):
                page = screen.page(view, step.at, min(width, WIDTH))
                lines = page.lines(rows, min(width, WIDTH))
                assert len(lines) <= rows
                assert all(columns(line) <= width for line in lines), lines
                newest = [word for line in page.log[-3:] for word in line.split()]
                shown_words = [word for line in lines for word in line.split()]
                assert shown_words[len(shown_words) - len(newest) :] == newest


def test_amounts_are_written_and_read_exactly() -> None:
    for amount in (0, 1, 10, 99, 100, 1250, 10**14 + 7):
        if amount < 10**14:
            assert parsed(shown(amount)) == amount
    assert shown(1250, "PHP") == "P12.50"
    assert shown(300, "USD") == "$3"
    assert shown(-5) == "-0.05"
    # What a float would get wrong.
    assert parsed("0.29") == 29
    assert parsed("1.1") == 110
    assert parsed("999999999999.99") == 99_999_999_999_999


@pytest.mark.parametrize("text", ["", "1.234", "-5", "1e3", "1,000", "٣", "5.", ".5", "nan"])
def test_anything_else_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount"):
        parsed(text)


@pytest.mark.parametrize("text", ["9" * 13, "99999999999999999", "9" * 100_000 + ".50"])
def test_an_amount_that_is_too_large_is_called_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"^'9+~?' is too large\.$"):
        parsed(text)


def test_printable_keeps_letters_and_cuts_long_texts() -> None:
    assert printable("Zoë") == "Zoë"
    assert printable("a\x1bb") == "a?b"
    assert printable("x" * 50, 10) == "x" * 9 + "~"
