"""Who reloads the page, or looks at something else for a minute, is where he was."""

import asyncio
import re
from typing import Final

import pytest
from playwright.async_api import expect

from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.company import company, deal, opposite
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene
from tests.e2e.browser.visitor import pesos

pytestmark = pytest.mark.e2e

RELOADED: Final = "web-reload"
HIDDEN: Final = "web-hidden"
SETTINGS: Final = table_settings(no_limit("PHP", 900), 2, clock_ms=PATIENT_MS)
SLOW: Final = table_settings(no_limit("PHP", 1_100), 3, clock_ms=PATIENT_MS, pause_ms=10_000)
CHIPS: Final = 90_000
MINUTE: Final = 60.0
MISSED: Final = 4
"""Hands that are played while he does not look."""
SOON_MS: Final = 10_000
"""Long before the page would ask of itself why nothing comes, which is after 30 s."""
HIDE: Final = """hidden => {
    const state = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Playwright keeps every page visible: what a page is told when its tab is hidden is told here, and
Chromium then freezes it as it freezes such a tab, timers and all.
"""


async def _reload(house: House) -> None:
    deal(house.room, RELOADED, "0=QsQd", "1=7c2d", "board=Ks9h4c3s2s")
    async with opposite(house, RELOADED, SETTINGS, "WebReload", CHIPS) as ana:
        await ana.go_along()
        await ana.next_turn("flop")
        await ana.page.reload()
        await ana.at_the_table()
        await expect(ana.board_cards).to_have_count(3)
        await ana.sees("Pair of queens")
        # It is still his turn, and what he does counts.
        await ana.my_turn()
        for street in ("turn", "river"):
            await ana.act("Check").click()
            await ana.next_turn(street)
        await ana.act("Check").click()
        await ana.logged(re.compile(": shows "))


@scene(_reload)
def test_a_reload_in_the_middle_of_a_hand_changes_nothing(house: House) -> None:
    (record, *_) = house.tables.hands(RELOADED)
    assert record.number == 1


async def _a_minute(house: House) -> None:
    """The others play on meanwhile, and come to a stop at the start of a hand that he has not seen
    begin: spectators are not shown each action.
    """
    seats = {1: "WebHiddenA", 2: "WebHiddenB"}
    async with (
        house.table(HIDDEN, SLOW),
        house.player("WebHidden") as ana,
        company(house.room, house.gate, HIDDEN, seats, CHIPS) as others,
    ):
        await ana.open_table(HIDDEN)
        protocol = await ana.context.new_cdp_session(ana.page)
        client = others.clients[0]
        view = client.views[HIDDEN]
        await client.until(lambda: view.turn is not None, 30)
        await ana.sees(re.compile(r"Hand \d"))
        await ana.page.evaluate(HIDE, True)
        await protocol.send("Page.setWebLifecycleState", {"state": "frozen"})
        heard = len(ana.received.texts)
        assert view.hand is not None
        stop = view.hand["number"] + MISSED
        others.last = stop - 1
        stopped = client.until(
            lambda: view.turn is not None and view.turn["hand"] == stop, 3 * MINUTE
        )
        await asyncio.gather(asyncio.sleep(MINUTE), stopped)
        await protocol.send("Page.setWebLifecycleState", {"state": "active"})
        await ana.page.evaluate(HIDE, False)
        await expect(ana.page.get_by_text(f"Hand {stop}").first).to_be_visible(timeout=SOON_MS)
        for seat, taken in enumerate(view.seats, 1):
            if taken is not None:
                await expect(ana.seat(seat)).to_contain_text(pesos(taken["stack"]), timeout=SOON_MS)
        turn = view.turn
        assert turn is not None
        clock = ana.seat(turn["seat"] + 1).get_by_role("timer")
        await expect(clock).to_be_visible(timeout=SOON_MS)
        assert len(ana.received.texts) > heard


@scene(_a_minute, waits=True)
def test_a_tab_that_was_hidden_for_a_minute_is_right_at_once() -> None:
    """Its scene says so."""
