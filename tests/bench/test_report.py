"""`cardroom bench`: both sides play the same hands, and what is over its budget is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench import budgets, engine, evaluator, handlers, page, report
from bench.budgets import Cost
from bench.figures import Figure, columns, markdown, number
from bench.hand_files import OWN
from bench.people import Played
from cli.cases import Case, dump_line
from cli.main import main
from local.errors import RoomError
from tests.cli.hands import own_cases


def test_both_sides_play_the_recorded_hands_to_their_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "ROUNDS", 1)
    cases = [case for case in own_cases() if engine.suitable(case)]
    assert len(cases) > 15
    ours, theirs = engine.measure(cases)
    assert ours > 0
    assert theirs > 0


def test_a_hand_that_does_not_end_as_recorded_is_not_measured() -> None:
    case = next(case for case in own_cases() if engine.suitable(case))
    wrong = replace(case, final_stacks=tuple(stack + 1 for stack in case.final_stacks))
    with pytest.raises(ValueError, match=r"the recorded stacks of .* are not reached"):
        engine.measure([wrong])


def test_all_three_evaluators_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator, "HANDS", 100)
    assert all(speed > 0 for speed in evaluator.measure())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """All that is within its budget, and takes no time."""
    monkeypatch.setattr(engine, "measure", lambda cases: (10_000.0, 1_000.0))
    monkeypatch.setattr(evaluator, "measure", lambda: (300_000.0, 100_000.0, 900_000.0))
    monkeypatch.setattr(handlers, "measure", lambda hands, rounds: None)
    monkeypatch.setattr(handlers, "figures", lambda played: [])
    monkeypatch.setattr(report, "play", lambda hands, **more: None)
    monkeypatch.setattr(report, "sizes", lambda played: [])
    monkeypatch.setattr(report, "costs", lambda played: [Figure("1,000 hands", 0.5, "", 0.5)])
    monkeypatch.setattr(report, "build", lambda: None)
    monkeypatch.setattr(budgets, "measure_built", lambda built: [Cost("ClockFunction", 200.0, 230)])
    return monkeypatch


def test_within_all_budgets_it_is_0(
    quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench"]) == 0
    out = capsys.readouterr().out
    assert "engine: times pokerkit" in out
    assert "init: ClockFunction" in out
    assert "4 under, 0 over" in out


@pytest.mark.parametrize("ours", [9_999.0, 2_999.0])
def test_an_engine_that_is_too_slow_is_over(
    ours: float, quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick.setattr(engine, "measure", lambda cases: (ours, 1_000.0))
    assert main(["bench"]) == 1
    assert capsys.readouterr().out.endswith("1 over\n  engine: times pokerkit\n")


def test_one_figure_over_its_budget_is_1(
    quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick.setattr(report, "costs", lambda played: [Figure("1,000 hands", 0.51, "", 0.5)])
    assert main(["bench"]) == 1
    assert "  1,000 hands\n" in capsys.readouterr().out


def test_a_function_that_starts_too_slowly_is_over(
    quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = [Cost("ClockFunction", 230.0, 230), Cost("SweepFunction", 230.5, 230)]
    quick.setattr(budgets, "measure_built", lambda built: slow)
    assert main(["bench"]) == 1
    assert capsys.readouterr().out.endswith("1 over\n  init: SweepFunction\n")


def test_what_cannot_be_built_is_not_measured(
    quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RoomError("no SAM here")

    quick.setattr(report, "build", broken)
    assert main(["bench"]) == 1
    assert capsys.readouterr().err == "cardroom: no SAM here\n"


def test_only_the_named_hands_of_a_file_are_measured(
    tmp_path: Path, quick: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def measure(cases: list[Case]) -> tuple[float, float]:
        measured.extend(case.id for case in cases)
        return 10.0, 1.0

    quick.setattr(engine, "measure", measure)
    file = tmp_path / "hands.jsonl"
    lines = (OWN / "worked.jsonl").read_text().splitlines()
    chosen = lines[0].replace('"worked/case-1"', '"pluribus/1"')
    file.write_text("\n".join([chosen, *lines[1:], dump_line(own_cases()[0])]))
    assert main(["bench", "--cases", str(file)]) == 0
    assert measured == ["pluribus/1"]


def test_without_such_hands_it_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--cases", str(OWN / "worked.jsonl")]) == 2
    assert "no case's id begins with pluribus/" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--hands", "0"], ["--tables", "0"], ["--seconds", "0"], ["--minutes", "0"]]
)
def test_nothing_to_measure_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *words]) == 2
    assert "more than 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "budget", "at_least", "verdict"),
    [
        (3.0, 3.0, False, "under"),
        (3.1, 3.0, False, "over"),
        (10.0, 10.0, True, "under"),
        (9.9, 10.0, True, "over"),
        (9.9, None, False, ""),
    ],
)
def test_a_budget_is_the_most_or_the_least_there_may_be(
    value: float, budget: float | None, at_least: bool, verdict: str
) -> None:
    assert Figure("it", value, "", budget, at_least).verdict == verdict


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5013, "0.501"), (2.345, "2.35"), (23.45, "23.4"), (2345.6, "2,346"), (6.0, "6")],
)
def test_figures_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_rows_stand_in_columns() -> None:
    rows = [("figure", "measured"), ("a", "12.5 ms")]
    assert columns(rows, right=frozenset({1})) == ["figure  measured", "a        12.5 ms"]
    assert markdown(("a", "b"), [("1", "2")]) == ["| a | b |", "|---|---|", "| 1 | 2 |"]


def test_the_page_is_written_between_its_markers(tmp_path: Path) -> None:
    text = f"# Costs\n{page.BEGIN.format('bill')}\nold\n{page.END}\nrest\n"
    changed = page.replaced(text, "bill", ["new"])
    assert changed == text.replace("old", "new")
    with pytest.raises(ValueError, match="no place for figures"):
        page.replaced(text, "figures", ["new"])


def test_the_page_of_the_docs_has_all_places() -> None:
    text = page.PAGE.read_text()
    for name in ("figures", "bill", "calls", "ceiling"):
        assert page.replaced(text, name, []) != text
    text = page.LOAD.read_text()
    for name in report.LOADS:
        assert page.replaced(text, name, [""], page.BEGIN_LOAD) != text


def test_the_report_of_a_played_hand_has_every_figure(played: Played) -> None:
    figures = [*handlers.figures(played), *report.sizes(played), *report.costs(played)]
    names = [one.name for one in figures]
    assert len(set(names)) == len(names)
    assert all(one.value > 0 for one in figures)
    assert "1,000 hands" in names
    assert len(page.table_of_calls(played)) == len(report.asked(played)) + 1
    assert len(page.table_of_bill(played)) == len(report.bills(played)) + 1
