"""Spectators of a delayed table, and presence, over real connections and the real queue."""

import asyncio
import json
import time
from collections import Counter
from typing import Any, Final

import pytest

from local.client import Client
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.watching import act, sit

pytestmark = pytest.mark.e2e

TABLE: Final = "watched"
DELAY_S: Final = 4
HANDS: Final = 3
SETTINGS: Final = table_settings(PHP_STAKES[0], 2, pause_ms=1_000, delay_s=DELAY_S)


class Arrivals:
    """The snapshots that one connection was pushed, each with how long it was under way (ms)."""

    def __init__(self) -> None:
        self.snapshots: list[tuple[dict[str, Any], int]] = []

    def __call__(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "snapshot":
            self.snapshots.append((message, time.time_ns() // 1_000_000 - message["now"]))


@pytest.mark.rule("7")
def test_a_delayed_table_is_watched_as_late_as_it_says(room: Room, stage: Stage) -> None:
    open_tables(LocalTables(room), [(TABLE, SETTINGS)])
    stage.start(_watched(room, stage.gate)).result(120)


async def _watched(room: Room, gate: asyncio.Semaphore) -> None:
    async with Bots(room, seed="watched", gate=gate) as bots:
        arrivals = Arrivals()
        guest = await bots.connect("guest", arrivals, guest=True)
        opened = await guest.watch(TABLE)
        assert (opened.seq, opened.seats) == (1, [None, None])
        pair = [await bots.connect(f"watched-{name}") for name in "ab"]
        for seat, client in enumerate(pair):
            await sit(client, TABLE, seat, SETTINGS.minimum)
        live = pair[0].views[TABLE]
        for _ in range(HANDS):
            await _check_down(pair)
        assert arrivals.snapshots == [] or arrivals.snapshots[-1][0]["seq"] < live.seq
        await guest.sync(TABLE)
        assert opened.seq < live.seq
        # The other is gone for a while, and this one is told so.
        await pair[1].close()
        await pair[0].until(lambda: live.away == {1}, 20)
        again = await bots.connect(pair[1].player)
        await again.watch(TABLE)
        await pair[0].until(lambda: not live.away, 20)
        await guest.until(lambda: (opened.hand or {}).get("number", 0) > HANDS, 60)
        late = await bots.connect("watched-late")
        view = await late.watch(TABLE)
        assert [seat and seat["player"] for seat in view.seats] == ["watched-a", "watched-b"]
    assert min(age for _, age in arrivals.snapshots) >= DELAY_S * 1000
    hands = Counter(
        shot["state"]["hand"]["number"] for shot, _ in arrivals.snapshots if shot["state"]["hand"]
    )
    # Streets that come together are left out; nobody has shown anything of free will.
    assert all(1 <= hands[number] <= 5 for number in range(1, HANDS + 1))
    over = {
        shot["state"]["hand"]["number"]
        for shot, _ in arrivals.snapshots
        if shot["state"]["hand"] and shot["state"]["hand"]["over"]
    }
    # Of two functions the later may be first, and what is older then is left out; that else the end
    # of every hand is seen is shown without a race: `tests/room/test_delay.py`.
    assert over & set(range(1, HANDS + 1))


async def _check_down(pair: list[Client]) -> None:
    """One hand to its end."""
    view = pair[0].views[TABLE]
    await pair[0].until(lambda: view.turn is not None, 30)
    assert view.turn is not None
    number = view.turn["hand"]
    while (turn := view.turn) is not None and turn["hand"] == number:
        actor = next(one for one in pair if one.views[TABLE].mine == turn["seat"])
        await actor.until(lambda now=turn: actor.views[TABLE].turn == now, 20)  # type: ignore[misc]  # noqa: B023
        await act(actor, TABLE, turn, "check" if turn["check"] else "call")
        await pair[0].until(lambda now=turn: view.turn != now, 20)  # type: ignore[misc]
