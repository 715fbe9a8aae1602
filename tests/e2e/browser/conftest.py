"""One Chromium and one page of the room, for all tests of this folder; each visitor has a profile
of his own.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from playwright.async_api import async_playwright

from local.stack import Room
from local.tables import LocalTables
from local.web_client import built
from local.web_room import open_page
from local.web_server import WebServer
from tests.e2e.browser.browsers import chromium
from tests.e2e.browser.house import House
from tests.e2e.browser.scenes import AT_ONCE, Scene, in_turn
from tests.e2e.conftest import Stage

SECONDS = 300


@pytest.fixture(scope="session")
def page_address(room: Room, web: WebServer) -> str:
    open_page(web, built(), room)
    return web.address


@pytest.fixture(scope="session")
def house(room: Room, stage: Stage, tables: LocalTables, page_address: str) -> Iterator[House]:
    playwright = stage.start(async_playwright().start()).result(60)
    browser = stage.start(chromium(playwright)).result(60)
    yield House(room, tables, stage.gate, page_address, browser)
    stage.start(browser.close()).result(30)
    stage.start(playwright.stop()).result(30)


@pytest.fixture(scope="session")
def playing(
    request: pytest.FixtureRequest, house: House, stage: Stage
) -> dict[Scene, "Future[Any]"]:
    """The scenes of all tests that are to run, each started once."""
    gate = asyncio.Semaphore(AT_ONCE)
    marks = [item.get_closest_marker("scene") for item in request.session.items]
    wanted = {mark.args[0]: bool(mark.kwargs["waits"]) for mark in marks if mark is not None}
    started = sorted(wanted.items(), key=lambda one: not one[1])
    return {
        played: stage.start(played(house) if waits else in_turn(gate, played, house))
        for played, waits in started
    }


@pytest.fixture(autouse=True)
def played(request: pytest.FixtureRequest, playing: dict[Scene, "Future[Any]"]) -> Any:
    """The test's own scene, to its end: what it gave."""
    mark = request.node.get_closest_marker("scene")
    return playing[mark.args[0]].result(SECONDS)
