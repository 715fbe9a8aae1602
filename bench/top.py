"""What the operator sees of a room, by the same figures as `cardroom top` shows."""

from typing import Final

from cardroom.metrics import METRICS, Health
from local.figures import Figures
from local.stack import Deployed
from local.top import Watch
from local.top_screen import slow

SHOWN: Final = frozenset(name for name, one in METRICS.items() if one.health is Health.PASSING)


def figures(room: Deployed, seconds: float) -> Figures:
    """Of the last so many seconds. Raises botocore's errors."""
    return Watch(room, max(1, round(seconds * 1000))).look()


def said(found: Figures) -> list[str]:
    """What is wrong first, as `top` has it in red; then what is wrong only if it lasts, in yellow;
    then what is no fault now and then.
    """
    lines = [f"{name} {times}" for name, times in found.faults().items()]
    lines += slow(found)
    lines += [f"{name} {times} (if it lasts)" for name, times in found.warnings().items()]
    passing = {name: found.total(name) for name in sorted(SHOWN)}
    return lines + [f"{name} {times}" for name, times in passing.items() if times]
