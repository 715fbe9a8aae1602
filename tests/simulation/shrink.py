"""A history that breaks a law, made as small as it goes: shorter, with fewer kinds of faults."""

from dataclasses import dataclass

from tests.simulation.faults import RATES
from tests.simulation.history import run

SHORTEST = 0.05


@dataclass(frozen=True, slots=True)
class Case:
    """Enough to play it again: one line of `regressions.json`."""

    seed: int
    minutes: float
    without: tuple[str, ...]

    @property
    def violation(self) -> str | None:
        return run(self.seed, self.minutes, self.without).violation


def shrunk(seed: int, minutes: float) -> Case:
    """The least that still breaks a law, found greedily. The seed must break one at `minutes`."""
    case = Case(seed, minutes, ())
    while case.minutes / 2 >= SHORTEST:
        half = Case(seed, case.minutes / 2, ())
        if half.violation is None:
            break
        case = half
    for fault in RATES:
        fewer = Case(seed, case.minutes, (*case.without, fault))
        if fewer.violation is not None:
            case = fewer
    return case
