"""One local room for all end-to-end tests. Where moments are measured, little else goes on; what
only has to be played is played beside the other tests.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import closing
from typing import Any

import pytest

from local.stack import Deployed, Room
from local.tables import LocalTables
from local.web_room import ORIGINS
from local.web_server import WebServer
from tests.e2e import hand_ends, table_of_six, turn_clock
from tests.room.world import TABLE, create_dynamodb_table

FIRST = ("test_turn_clock", "test_race", "test_money", "test_hands")
"""Modules in the order in which their scenarios end. Then the others, which take a machine for
themselves.
"""


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in the same hook.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the end-to-end tests, in the places that they have among all others."""
    places = [place for place, item in enumerate(items) if item.get_closest_marker("e2e")]
    ordered = sorted((items[place] for place in places), key=_turn)
    for place, item in zip(places, ordered, strict=True):
        items[place] = item
    for item in items:
        if isinstance(item, pytest.Function) and "own_room" in item.fixturenames:
            continue
        # One process builds what they share.
        for shared in ("e2e", "emulator"):
            if item.get_closest_marker(shared):
                item.add_marker(pytest.mark.xdist_group(shared))


def _turn(item: pytest.Item) -> int:
    name = item.path.stem
    return FIRST.index(name) if name in FIRST else len(FIRST)


@pytest.fixture(scope="session")
def web() -> Iterator[WebServer]:
    """Of the room's page: it has its port before the room is told whom to let in."""
    with WebServer() as web:
        yield web


@pytest.fixture(scope="session")
def room(web: WebServer) -> Iterator[Room]:
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Else each process would have a room, and play all that is played beside the tests.
        assert "@e2e" in os.environ["PYTEST_CURRENT_TEST"]
    with Room.start({ORIGINS: " ".join(web.origins)}) as room:
        yield room


@pytest.fixture(scope="session")
def apart(room: Room) -> Iterator[Deployed]:
    """The same AWS with another store: no stream leads from it to any function, so that what is
    written there by the hundred keeps none of them busy.
    """
    outputs = {**room.outputs, "TableName": TABLE}
    with closing(Deployed(room.endpoint, outputs, room.stack_name)) as apart:
        create_dynamodb_table(apart.client("dynamodb"))
        yield apart


@pytest.fixture(scope="session")
def tables(room: Room) -> LocalTables:
    return LocalTables(room)


class Stage:
    """An event loop in a thread of its own: scenarios play on it while tests run."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.gate = asyncio.Semaphore(2)
        """Connections that are opened at the same time."""
        self._started: list[Future[Any]] = []
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def start[Result](self, scenario: Coroutine[Any, Any, Result]) -> "Future[Result]":
        future = asyncio.run_coroutine_threadsafe(scenario, self._loop)
        self._started.append(future)
        return future

    def call(self, work: Callable[[], None]) -> None:
        """Do it on the loop's thread."""
        self._loop.call_soon_threadsafe(work)

    def close(self) -> None:
        for future in self._started:
            future.cancel()
        asyncio.run_coroutine_threadsafe(self._tidy(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _tidy(self) -> None:
        """Scenarios that were given up close their connections."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if others:
            await asyncio.wait(others, timeout=10)


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def playing(room: Room, stage: Stage) -> dict[str, "Future[Any]"]:
    """The scenarios that take long, all started: each test waits for its own."""
    gate = stage.gate
    stage.start(hand_ends.warm_up(room, gate)).result(90)
    ends = stage.start(hand_ends.twenty(room, gate))
    silent = stage.start(table_of_six.somebody_falls_silent(room, gate))
    passes = stage.start(_after([ends], turn_clock.deadline_passes(room)))
    acts = stage.start(_after([ends], turn_clock.acts_in_time(room, gate)))
    # Busy bots would spoil what is measured in these.
    measured: list[Future[Any]] = [ends, passes]
    return {
        "hand ends": ends,
        "deadline passes": passes,
        "acts in time": acts,
        "silent": silent,
        "thirty hands": stage.start(_after(measured, table_of_six.thirty_hands(room, gate))),
    }


async def _after[Result](
    others: list["Future[Any]"], scenario: Coroutine[Any, Any, Result]
) -> Result:
    """Play it when the others have ended, however they did."""
    try:
        await asyncio.wait([asyncio.wrap_future(one) for one in others])
    except asyncio.CancelledError:
        scenario.close()
        raise
    return await scenario
