"""Scenes: what is played for a test before it looks at what came of it.

    @scene(_a_hand)
    def test_a_hand_is_played(played: Seen) -> None:
        ...                        # the scene has come to its end, and gave this

Those of all tests that are to run are played beside each other, as many as the machine bears:
people wait more than they do.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest

from tests.e2e.browser.house import House

AT_ONCE: Final = 3

type Scene = Callable[[House], Coroutine[Any, Any, Any]]


def scene(played: Scene, *, waits: bool = False) -> pytest.MarkDecorator:
    """`waits`: it mostly does, and others may be played beside it."""
    return pytest.mark.scene(played, waits=waits)


async def in_turn(gate: asyncio.Semaphore, played: Scene, house: House) -> Any:
    async with gate:
        return await played(house)
