"""Hands that are played once for all that is asked of them."""

import pytest

from bench.people import Played, play


@pytest.fixture(scope="session")
def played() -> Played:
    """Two hands with six players and ten spectators."""
    return play(2, warm=1, signed=False)
