"""One round of `make faults`, on a room of its own: it is restarted while hands run, its functions
are killed, and so is what reads the stream.

The sweep is asked to come, for every minute is too seldom for a test.
"""

import asyncio
from collections.abc import Iterator

import pytest

from bench.faults import ENVIRONMENTS, FEW, SMALL, Faults
from bench.judging import Fate
from local.stack import Room

pytestmark = pytest.mark.e2e


@pytest.fixture
def own_room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """One that can be restarted."""
    monkeypatch.setenv(ENVIRONMENTS, FEW)
    with Room.start(keep=True) as room:
        yield room


def test_hands_go_on_or_are_void_and_nothing_is_lost(own_room: Room) -> None:
    faults = Faults(own_room, SMALL)
    (done,) = asyncio.run(faults.play(1))
    assert done.findings == []
    assert done.back == done.bots
    fates = [one.fate for one in done.judged]
    # The restart strikes all tables, each of the others those that everybody still sits at.
    assert len(fates) == len(faults.names) + SMALL.going * (SMALL.strikes + 1)
    assert Fate.VOID in fates
    assert {"command", "broadcast"} <= set(done.killed)
