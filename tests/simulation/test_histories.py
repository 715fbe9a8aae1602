"""The room among faults keeps its laws; the same seed is the same history."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.simulation.faults import RATES
from tests.simulation.history import run

SEEDS = range(1, 13)
MINUTES = 2.0
REGRESSIONS = json.loads((Path(__file__).parent / "regressions.json").read_text())


@pytest.mark.slow
def test_laws_hold_among_faults() -> None:
    fired: Counter[str] = Counter()
    for seed in SEEDS:
        ended = run(seed, MINUTES)
        assert ended.violation is None, f"make simulate SEED={seed} MINUTES={MINUTES:g}"
        fired += ended.fired
    assert len(fired) > len(RATES) // 2


def test_a_seed_is_one_history() -> None:
    assert run(3, 0.3).digest == run(3, 0.3).digest
    assert run(3, 0.3).digest != run(4, 0.3).digest


@pytest.mark.parametrize("case", REGRESSIONS, ids=lambda case: f"seed {case['seed']}")
def test_what_once_broke_a_law_does_not_any_more(case: dict[str, object]) -> None:
    seed, minutes, without = case["seed"], case["minutes"], case["without"]
    assert isinstance(seed, int)
    assert isinstance(minutes, float)
    assert isinstance(without, list)
    assert run(seed, minutes, without).violation is None
