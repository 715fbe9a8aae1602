"""Numbers of the command line: a run of nothing would find nothing."""

from typing import Final

MOST_MINUTES: Final = 1_440.0


def at_least_one(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError(text)
    return value


def minutes(text: str) -> float:
    if not 0 < (value := float(text)) <= MOST_MINUTES:
        raise ValueError(text)
    return value
