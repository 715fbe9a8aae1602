"""Budgets of starting: how they are measured, and that the built functions keep them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench import budgets
from bench.budgets import BUDGETS, FEWEST, MOST, REFERENCE, REFERENCE_MS, measure
from local.artifacts import build
from tests.template.parsed import resources

COMMAND = "CommandFunction"
BUDGET = BUDGETS[COMMAND]


class Machine:
    """How long things take on it: each time the next of the list, at last the last one again."""

    def __init__(self, reference: list[float], function: list[float]) -> None:
        self._left: dict[str, Iterator[float]] = {
            REFERENCE: _and_so_on(reference),
            COMMAND: _and_so_on(function),
        }
        self.asked: list[str] = []

    def run(self, name: str) -> float:
        self.asked.append(name)
        return next(self._left[name])


def _and_so_on(times: list[float]) -> Iterator[float]:
    yield from times
    while True:
        yield times[-1]


def test_every_function_has_a_budget() -> None:
    assert set(BUDGETS) == set(resources("AWS::Serverless::Function"))


def test_the_budgets_are_those_of_the_design() -> None:
    assert BUDGETS["AuthorizerFunction"] == 120
    assert {BUDGETS[f"{name}Function"] for name in ("Connect", "Disconnect", "Clock")} == {230}
    assert {BUDGETS[f"{name}Function"] for name in ("Command", "Broadcast")} == {330}
    assert max(BUDGETS.values()) == 330


@pytest.mark.parametrize("slow", [0.5, 1, 3])
def test_the_speed_of_the_machine_does_not_count(slow: float) -> None:
    within = measure(COMMAND, Machine([REFERENCE_MS * slow], [(BUDGET - 1) * slow]).run)
    assert within.milliseconds == pytest.approx(BUDGET - 1)
    assert not within.over
    assert measure(COMMAND, Machine([REFERENCE_MS * slow], [(BUDGET + 1) * slow]).run).over


def test_what_slows_both_down_for_a_while_does_not_count() -> None:
    machine = Machine([REFERENCE_MS * n for n in (1, 4, 2)], [200.0 * n for n in (1, 4, 2)])
    assert measure(COMMAND, machine.run).milliseconds == pytest.approx(200)


def test_the_middle_run_counts() -> None:
    machine = Machine([REFERENCE_MS], [200, 900, 210, 100, 205])
    assert measure(COMMAND, machine.run).milliseconds == pytest.approx(205)
    assert machine.asked == [REFERENCE, COMMAND] * FEWEST


def test_one_that_is_over_is_measured_again_before_it_is_called_so() -> None:
    disturbed = Machine([REFERENCE_MS], [2.0 * BUDGET] * 3 + [BUDGET / 2])
    assert not measure(COMMAND, disturbed.run).over
    assert len(disturbed.asked) == 2 * 7
    over = Machine([REFERENCE_MS], [2.0 * BUDGET])
    assert measure(COMMAND, over.run).over
    assert len(over.asked) == 2 * MOST


@pytest.mark.parametrize(("milliseconds", "code"), [(BUDGET, 0), (BUDGET + 1, 1)])
def test_over_budget_fails_the_build(
    milliseconds: float,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cost = budgets.Cost(COMMAND, milliseconds, BUDGET)
    monkeypatch.setattr(budgets, "build", lambda: None)
    monkeypatch.setattr(budgets, "measure_built", lambda _: [cost])
    assert budgets.main() == code
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith(COMMAND)
    assert line.endswith("over" if code else "ok")


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[str], Path]:
    """An artifact whose handler is this text."""

    def write(text: str) -> Path:
        for folder in (f"{COMMAND}/command", f"{budgets.LAYER}/python"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / COMMAND / "command/app.py").write_text(text)
        return tmp_path

    return write


def test_a_function_that_does_not_start_is_no_cheap_one(broken: Callable[[str], Path]) -> None:
    folder = broken("import a_package_that_was_forgotten\n")
    with pytest.raises(RuntimeError, match=r"(?s)CommandFunction does not start: .*forgotten"):
        budgets.start(folder, COMMAND, {"Handler": "command.app.handler"})


def test_it_starts_without_anything_of_the_machine(
    broken: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_VARIABLE_OF_OURS", "1")
    folder = broken(
        "import os, sys\n"
        "assert 'A_VARIABLE_OF_OURS' not in os.environ\n"
        "assert os.environ['TABLE_NAME'] and os.environ['AWS_LAMBDA_FUNCTION_NAME']\n"
        "assert not [path for path in sys.path if 'site-packages' in path]\n"
        "try:\n"
        "    import pytest\n"
        "except ImportError:\n"
        "    pass\n"
        "else:\n"
        "    raise SystemError('the machine has a package that Lambda has not')\n"
    )
    properties = {
        "Handler": "command.app.handler",
        "Environment": {"Variables": {"TABLE_NAME": {"Ref": "Table"}}},
    }
    assert budgets.start(folder, COMMAND, properties) >= 0


@pytest.mark.slow
def test_the_built_functions_keep_their_budgets() -> None:
    over = [str(cost) for cost in budgets.measure_built(build()) if cost.over]
    assert not over
