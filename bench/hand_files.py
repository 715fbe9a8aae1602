"""Where recorded hands lie: real ones beside the project where they are at hand, its own always."""

from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1]
REAL: Final = PROJECT.parent / "shared" / "hands"
"""Real hands as cases. They are no part of the project."""
OWN: Final = PROJECT / "tests" / "hands"


def real_hands() -> tuple[Path, ...]:
    """Files of real hands; none where they are not at hand."""
    return tuple(sorted(REAL.glob("*.jsonl")))


def own_hands() -> tuple[Path, ...]:
    """The project's own files of cases."""
    return tuple(sorted(OWN.glob("*.jsonl")))
