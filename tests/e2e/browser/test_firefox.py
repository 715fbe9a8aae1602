"""The core of it in Firefox, as it is installed."""

import asyncio
import re
from typing import Final
from urllib.parse import urlsplit

import pytest

from local.sign_up import newcomer
from poker_engine.codec import load_events
from poker_engine.events import Acted
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.bidi import firefox
from tests.e2e.browser.company import company, deal
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene
from tests.e2e.browser.visitor import LOOPBACK

pytestmark = pytest.mark.e2e

TABLE: Final = "web-firefox"
SETTINGS: Final = table_settings(no_limit("PHP", 2_300), 2, clock_ms=PATIENT_MS)
CHIPS: Final = 230_000
STREETS: Final = 4
TURN: Final = "document.querySelector('[data-testid=action-bar]')?.dataset.turn ?? null"


async def _a_hand(house: House) -> None:
    deal(house.room, TABLE, "0=AsAd", "1=7c2d", "board=KsQd9h4c3s")
    password = await asyncio.to_thread(newcomer, house.room, "WebFox")
    async with (
        house.table(TABLE, SETTINGS),
        firefox() as page,
        company(house.room, house.gate, TABLE, {1: "WebFoxBot"}, CHIPS),
    ):
        await page.go(house.address)
        await page.fill("textbox", "Player name", "WebFox")
        await page.fill("textbox", "Password", password)
        await page.click("button", "Sign in")
        await page.find("heading", "Lobby")
        await page.go(f"{house.address}#/table/{TABLE}")
        await page.click("button", "Sit in seat 1")
        await page.click("button", re.compile("^Sit down with"))
        for _ in range(STREETS):
            await page.find("region", "Your turn", seconds=30)
            async with page.changing(TURN):
                await page.click("button", re.compile("^(Check|Call)"))
        await page.shows(": shows ")
        asked = {urlsplit(url).hostname for url in page.asked if url.startswith(("http", "ws"))}
        assert asked <= set(LOOPBACK)
        assert page.troubles == []


@scene(_a_hand)
def test_a_hand_is_played_in_firefox(house: House) -> None:
    (record, *_) = house.tables.hands(TABLE)
    acted = [one for one in load_events(record.events) if isinstance(one, Acted)]
    assert len([one for one in acted if one.seat == 0]) == STREETS
