"""Rake (RULES 6): how much of a hand, and how much of each of its pots."""

from collections.abc import Sequence
from typing import Final

from poker_engine.frozen import dataclass

PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Schedule:
    """`percent` of the hand's pots in whole `step`s, at most `cap` or `cap_blinds` big blinds."""

    name: str
    percent: int
    step: int
    cap: int | None = None
    cap_blinds: int | None = None

    def of(self, total: int, big_blind: int) -> int:
        """Rake on all pots of a hand together, in minor units (RULES 6.2)."""
        rake = total * self.percent // PERCENT // self.step * self.step
        if self.cap is not None:
            rake = min(rake, self.cap)
        if self.cap_blinds is not None:
            rake = min(rake, self.cap_blinds * big_blind)
        return rake


SCHEDULES: Final = {
    schedule.name: schedule
    for schedule in (
        Schedule("none", percent=0, step=1),
        Schedule("php", percent=5, step=1, cap_blinds=5),
        Schedule("usd", percent=5, step=25, cap=300),
    )
}


def per_pot(rake: int, pots: Sequence[int]) -> tuple[int, ...]:
    """Each pot's part by its size (RULES 6.2).

    Left-over units go one each to the largest remainders, of equal ones to the earlier pot.
    """
    total = sum(pots)
    if not rake:
        return (0,) * len(pots)
    parts = [rake * pot // total for pot in pots]
    by_remainder = sorted(range(len(pots)), key=lambda i: (-(rake * pots[i] % total), i))
    for i in by_remainder[: rake - sum(parts)]:
        parts[i] += 1
    return tuple(parts)
