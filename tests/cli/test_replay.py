"""`cardroom replay`: what agrees, what differs and how it says so."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.cases import parse_case
from cli.main import main
from cli.progress import Progress
from cli.replay import Difference, Normalised, replay_case, replay_files
from tests.cli.hands import limit, own_cases, record

type Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of cases, or of lines as they are."""

    def written(*lines: dict[str, Any] | str, name: str = "hands.jsonl") -> Path:
        file = tmp_path / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        file.write_text("".join(f"{one}\n" for one in texts), encoding="utf-8")
        return file

    return written


def run(*files: Path) -> tuple[int, list[str], list[str]]:
    out, err = io.StringIO(), io.StringIO()
    code = replay_files(files, out, err)
    return code, out.getvalue().splitlines(), err.getvalue().splitlines()


def differs(**changes: Any) -> Difference | None:
    return replay_case(parse_case(record(**changes))).difference


def changed(index: int, **fields: Any) -> list[dict[str, Any]]:
    """The actions of `record`, one of them changed."""
    actions: list[dict[str, Any]] = record()["actions"]
    actions[index] |= fields
    return actions


def test_hands_that_agree_give_one_line_and_0(write: Write) -> None:
    code, out, err = run(write(record(), limit()))
    assert code == 0
    assert out == ["2 hands: 2 agree, 0 normalised (raise_nobody_can_match: 0), 0 differ"]
    assert err == []


def test_several_files_have_one_summary(write: Write) -> None:
    code, out, _ = run(write(record(), name="one"), write(limit(), record(), name="two"))
    assert code == 0
    assert out == ["3 hands: 3 agree, 0 normalised (raise_nobody_can_match: 0), 0 differ"]


def test_a_difference_says_hand_step_expected_and_got(write: Write) -> None:
    wrong = record(id="wrong", final_stacks=[71, 90, 139])
    code, out, err = run(write(record(), wrong, record()))
    assert code == 1
    assert out == [
        "wrong, step 7: expected stacks [71, 90, 139]; got stacks [70, 90, 140]",
        "3 hands: 2 agree, 0 normalised (raise_nobody_can_match: 0), 1 differ",
    ]
    assert err == []


def test_an_action_out_of_turn_differs() -> None:
    assert differs(actions=changed(1, seat=1)) == Difference(
        2, "preflop: seat 1 call to 30", "the turn of seat 0"
    )


def test_an_action_on_another_street_differs() -> None:
    assert differs(actions=changed(3, street="turn")) == Difference(
        4, "turn: seat 0 check", "flop: the turn of seat 0"
    )


def test_a_call_of_another_amount_differs() -> None:
    assert differs(actions=changed(1, to=29)) == Difference(
        2, "preflop: seat 0 call to 29", "a call makes 30"
    )


@pytest.mark.parametrize(
    ("index", "fields", "code"),
    [
        (0, {"to": 19}, "amount_too_small"),
        (0, {"to": 101}, "amount_too_large"),
        (0, {"do": "bet"}, "cannot_bet"),
        (1, {"do": "check"}, "cannot_check"),
        (3, {"do": "call", "to": 30}, "nothing_to_call"),
        (4, {"do": "raise"}, "cannot_raise"),
    ],
)
def test_an_illegal_action_differs_by_its_code(
    index: int, fields: dict[str, Any], code: str
) -> None:
    found = differs(actions=changed(index, **fields))
    assert found is not None
    assert found.step == index + 1
    assert found.got.startswith(f"{code}: ")


def test_a_hand_that_goes_on_differs() -> None:
    assert differs(actions=record()["actions"][:-1]) == Difference(
        6, "the hand ends", "the turn of seat 0"
    )


def test_a_hand_that_is_over_before_differs() -> None:
    actions = [*record()["actions"], {"street": "flop", "seat": 2, "do": "check"}]
    assert differs(actions=actions) == Difference(7, "flop: seat 2 check", "the hand is over")


def down_to_the_showdown() -> list[dict[str, Any]]:
    checks = [
        {"street": street, "seat": seat, "do": "check"}
        for street in ("flop", "turn", "river")
        for seat in (0, 2)
    ]
    return [*record()["actions"][:3], *checks]


BOARD = ["Ac", "9h", "4s", "3d", "2h"]
WON = [140, 90, 70]


def test_a_showdown_of_known_cards_agrees() -> None:
    assert differs(actions=down_to_the_showdown(), board=BOARD, final_stacks=WON) is None


def test_a_showdown_of_unknown_cards_proves_nothing() -> None:
    found = differs(
        actions=down_to_the_showdown(),
        board=BOARD,
        hole=[["As", "Ah"], None, None],
        final_stacks=WON,
    )
    assert found == Difference(10, "known cards at the showdown", "seat 2 has none")


def test_a_showdown_on_an_unknown_board_proves_nothing() -> None:
    found = differs(actions=down_to_the_showdown(), board=BOARD[:3], final_stacks=WON)
    assert found == Difference(10, "five cards on the board at the showdown", "Ac9h4s")


def heads_up(**changes: Any) -> dict[str, Any]:
    """The button covers the big blind, who is all-in: a raise that nobody can match."""
    fields = {
        "seats": 2,
        "button": 1,
        "sb_seat": 1,
        "bb_seat": 0,
        "stacks": [100, 500],
        "posts": [
            {"seat": 1, "kind": "small_blind", "amount": 5},
            {"seat": 0, "kind": "big_blind", "amount": 10},
        ],
        "hole": [["Kh", "Kd"], ["As", "Ad"]],
        "board": ["2c", "7d", "9h", "Js", "3c"],
        "actions": [
            {"street": "preflop", "seat": 1, "do": "raise", "to": 30},
            {"street": "preflop", "seat": 0, "do": "raise", "to": 100},
            {"street": "preflop", "seat": 1, "do": "raise", "to": 500},
        ],
        "final_stacks": [0, 600],
    }
    return record(**(fields | changes))


@pytest.mark.rule("3.5")
def test_a_raise_that_nobody_can_match_is_a_call_and_counted(write: Write) -> None:
    assert replay_case(parse_case(heads_up())).normalised is Normalised.RAISE_NOBODY_CAN_MATCH
    code, out, _ = run(write(heads_up(), record()))
    assert code == 0
    assert out == ["2 hands: 1 agree, 1 normalised (raise_nobody_can_match: 1), 0 differ"]


def test_a_normalised_hand_must_end_in_the_same_stacks(write: Write) -> None:
    code, out, _ = run(write(heads_up(final_stacks=[1, 599])))
    assert code == 1
    assert out[-1] == "1 hands: 0 agree, 0 normalised (raise_nobody_can_match: 0), 1 differ"


@pytest.mark.parametrize("to", [140, 501])
def test_a_raise_that_would_be_illegal_anyway_is_not_normalised(to: int) -> None:
    """Below the least raise, and above the stack."""
    actions = heads_up()["actions"]
    actions[2]["to"] = to
    verdict = replay_case(parse_case(heads_up(actions=actions)))
    assert verdict.normalised is None
    assert verdict.difference is not None
    assert verdict.difference.got.startswith("cannot_raise: ")


@pytest.mark.rule("3.3")
def test_a_raise_that_is_closed_to_who_has_acted_is_not_normalised() -> None:
    """Bet 100, all-in 125: the bettor faces 25 and may not raise, whoever could match it."""
    bets = [
        {"street": "preflop", "seat": 1, "do": "call", "to": 10},
        {"street": "preflop", "seat": 0, "do": "check"},
        {"street": "flop", "seat": 0, "do": "check"},
        {"street": "flop", "seat": 1, "do": "bet", "to": 60},
        {"street": "flop", "seat": 0, "do": "raise", "to": 90},
        {"street": "flop", "seat": 1, "do": "raise", "to": 490},
    ]
    found = replay_case(parse_case(heads_up(actions=bets))).difference
    assert found is not None
    assert found.step == 6
    assert found.got.startswith("cannot_raise: ")


def test_bad_input_goes_to_stderr_with_file_and_line_and_the_others_run(write: Write) -> None:
    fields = record()
    del fields["stacks"]
    file = write(record(), "{", fields, limit())
    code, out, err = run(file, file.with_name("missing.jsonl"))
    assert code == 2
    assert out == ["2 hands: 2 agree, 0 normalised (raise_nobody_can_match: 0), 0 differ"]
    assert err == [
        f"{file}:2: not JSON: Expecting property name enclosed in double quotes at column 2",
        f"{file}:3: `stacks` is missing",
        f"{file.with_name('missing.jsonl')}: no such file or directory",
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x7fELF\x02\x01\n\0\n" * 700, "is no text file"),
        (gzip.compress(b"x" * 10_000), "is no text file"),
        (json.dumps(record()).encode("utf-16"), "is UTF-16: save it as UTF-8"),
        ((json.dumps(record()) + "\n").encode("utf-16-be") * 9, "is no text file"),
    ],
    ids=["binary", "packed", "UTF-16", "UTF-16 without a mark"],
)
def test_a_file_that_is_no_text_is_one_line(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "hands"
    file.write_bytes(content)
    code, _, err = run(file)
    assert code == 2
    assert err == [f"{file}: {why}"]


def test_bad_input_weighs_more_than_a_difference(write: Write) -> None:
    code, out, err = run(write(record(final_stacks=[1, 2, 3]), "nonsense"))
    assert code == 2
    assert len(out) == 2
    assert len(err) == 1


def test_the_command_line_runs_it(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(write(record()))]) == 0
    assert capsys.readouterr().out.startswith("1 hands: 1 agree, ")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_progress_bar_that_goes_away(write: Write) -> None:
    out, err = io.StringIO(), Terminal()
    replay_files([write(*([record()] * 30), "{")], out, err)
    drawn = err.getvalue()
    assert "[####" in drawn
    assert "15/31" in drawn
    assert drawn.count("\n") == 1, "only the bad line stays"
    assert out.getvalue().startswith("30 hands: ")


def test_nothing_is_drawn_elsewhere() -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        assert list(progress.over("abc")) == ["a", "b", "c"]
    assert stream.getvalue() == ""


def test_the_events_of_a_hand_are_kept() -> None:
    for case in own_cases():
        verdict = replay_case(case)
        assert verdict.difference is None
        assert verdict.table.seq == 1 + case.seats + len(verdict.events)
