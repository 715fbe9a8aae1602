"""`cardroom bench` measures both sides on the same hands, and fails under its floor."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench import engine, evaluator
from bench.hand_files import OWN
from cli.cases import Case, dump_line
from cli.main import main
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


@pytest.mark.parametrize(("ours", "code"), [(3_000.0, 0), (2_999.0, 1)])
def test_under_three_times_pokerkit_is_1(
    ours: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "measure", lambda cases: (ours, 1_000.0))
    monkeypatch.setattr(evaluator, "measure", lambda: (500_000.0, 100_000.0))
    assert main(["bench"]) == code
    out = capsys.readouterr().out
    assert "pokerkit 1,000 hands/s, ratio 3.0 (fails under 3, aim 10)" in out
    assert "evaluator: 500,000/s, treys 100,000/s, ratio 5.0 (aim 3)" in out


def test_only_the_named_hands_of_a_file_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def measure(cases: list[Case]) -> tuple[float, float]:
        measured.extend(case.id for case in cases)
        return 10.0, 1.0

    monkeypatch.setattr(engine, "measure", measure)
    monkeypatch.setattr(evaluator, "measure", lambda: (5.0, 1.0))
    file = tmp_path / "hands.jsonl"
    lines = (OWN / "worked.jsonl").read_text().splitlines()
    chosen = lines[0].replace('"worked/case-1"', '"pluribus/1"')
    file.write_text("\n".join([chosen, *lines[1:], dump_line(own_cases()[0])]))
    assert main(["bench", "--cases", str(file)]) == 0
    assert measured == ["pluribus/1"]


def test_without_such_hands_it_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--cases", str(OWN / "worked.jsonl")]) == 2
    assert "no case's id begins with pluribus/" in capsys.readouterr().err
