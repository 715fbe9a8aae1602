"""When the next hand begins."""

import pytest

from tests.engine.kit import NOON, opened


@pytest.mark.parametrize("ms", [0, 1, 499, 500, 999])
def test_the_pause_ends_at_the_nearest_whole_second(ms: int) -> None:
    """A wait of the turn clock is cut to seconds: so none is cut short or has to be longer."""
    game = opened()
    game.now = NOON + ms
    game.sit("ann", 0)
    game.sit("bob", 1)
    at = game.table.next_hand_at
    assert at is not None
    assert at % 1000 == 0
    assert abs(at - (game.now + game.table.settings.pause_ms)) <= 500
