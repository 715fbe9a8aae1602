"""The room among faults keeps its laws; the same seed is the same history."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.cloud import AMONG_NINE
from tests.simulation.history import run
from tests.simulation.plans import TEN

SEEDS = range(1, 26)
MINUTES = 2.0
REGRESSIONS = json.loads((Path(__file__).parent / "regressions.json").read_text())
SHORT = (3, 0.3)
"""A seed and its minutes, where no more is needed."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_laws_hold_among_faults(seed: int) -> None:
    ended = run(seed, MINUTES)
    again = f"make simulate SEED={seed} SEEDS=1 MINUTES={MINUTES:g}"
    assert ended.violation is None, f"{again}: {ended.violation}"


def test_a_seed_is_one_history() -> None:
    digest = run(*SHORT).digest
    assert run(4, 0.3).digest != digest
    # Also after others in the same process.
    assert run(*SHORT).digest == digest


@pytest.mark.slow
def test_a_seed_is_one_history_in_every_process() -> None:
    program = f"from tests.simulation.history import run; run(8, 0.1); print(run(*{SHORT}).digest)"
    digests = {
        subprocess.run(
            [sys.executable, "-P", "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {run(*SHORT).digest}


def test_nine_tables_and_more_play_on_beside_a_record_that_nobody_can_read() -> None:
    ended = run(TEN, 0.5)
    assert ended.violation is None
    assert ended.fired[AMONG_NINE] > 0
    assert ended.counts["hands"] >= 10


@pytest.mark.parametrize("case", REGRESSIONS, ids=lambda case: f"seed {case['seed']}")
def test_what_once_broke_a_law_does_not_any_more(case: dict[str, object]) -> None:
    seed, minutes, without = case["seed"], case["minutes"], case["without"]
    assert isinstance(seed, int)
    assert isinstance(minutes, float)
    assert isinstance(without, list)
    assert run(seed, minutes, without).violation is None
