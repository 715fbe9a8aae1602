"""A figure beside its budget, and how a report of them is printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

UNDER: Final = "under"
"""Within its budget."""
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class Figure:
    """One that was measured. Its `budget` is the most it may be, or where `at_least` the least."""

    name: str
    value: float
    unit: str = ""
    budget: float | None = None
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Empty where there is no budget."""
        if self.budget is None:
            return ""
        kept = self.value >= self.budget if self.at_least else self.value <= self.budget
        return UNDER if kept else OVER

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """Name, value with unit, budget, verdict."""
        budget = ""
        if self.budget is not None:
            budget = f"{'at least ' if self.at_least else ''}{number(self.budget)}"
        return self.name, f"{number(self.value)} {self.unit}".rstrip(), budget, self.verdict


def number(value: float) -> str:
    """Three digits that count, and no more than it takes."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    places = 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:.{places}f}"


def over(figures: Iterable[Figure]) -> list[Figure]:
    return [one for one in figures if one.verdict == OVER]


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Rows of a table in columns as wide as they need; those of `right` end alike."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The same as a table of Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]
