"""What one does in the room beside playing: coming as somebody new, waiting for a seat, staying and
leaving; and a connection that is lost.
"""

import asyncio
import re
from typing import Final

import pytest
from playwright.async_api import WebSocketRoute, expect

from local.newcomers import welcome_new
from local.sign_up import mailed_code
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.company import company
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene
from tests.e2e.browser.visitor import Visitor, visiting

pytestmark = pytest.mark.e2e

LINE: Final = "web-line"
SEATED: Final = "web-seated"
FULL: Final = table_settings(no_limit("PHP", 2_700), 2)
PAUSED: Final = table_settings(no_limit("PHP", 2_900), 2, clock_ms=PATIENT_MS, pause_ms=10_000)
CHIPS: Final = 270_000
PASSWORD: Final = "Correct-horse-7-battery"


async def _somebody_new(house: House) -> None:
    """Signs up, waits for a seat at a full table, and takes the one that is offered."""
    async with (
        house.table(LINE, FULL),
        company(house.room, house.gate, LINE, {0: "WebLineA", 1: "WebLineB"}, CHIPS) as others,
        visiting(house.browser, house.address) as dora,
    ):
        await _sign_up(house, dora, "WebDora")
        page = dora.page
        await page.get_by_role("button", name="Wait for a seat at ₱27/₱54").click()
        await dora.sees("You are number 1 of 1 in line")
        await _reload(dora)
        await dora.sees("You are number 1 of 1 in line")
        await others.clients[1].request("leave", table=LINE, when="now")
        await dora.sees(f"A seat is free at {LINE}")
        await _reload(dora)
        await dora.sees(f"A seat is free at {LINE}")
        await page.get_by_role("button", name="Take the seat").click()
        await page.get_by_role("button", name=re.compile("^Sit down with")).click()
        await dora.at_the_table()
        await expect(dora.seat(2)).to_contain_text("WebDora")
        await page.get_by_role("link", name="Lobby", exact=True).click()
        await dora.in_the_lobby()
        await expect(page.get_by_text("in line")).to_be_hidden()


async def _sign_up(house: House, dora: Visitor, name: str) -> None:
    page = dora.page
    address = f"{name}@example.com"
    await dora.arrive()
    await page.get_by_role("button", name="New here? Sign up").click()
    await page.get_by_label("Player name").fill(name)
    await page.get_by_label("Email").fill(address)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Sign up", exact=True).click()
    await dora.sees(f".venv/bin/cardroom mail {name}")
    code = await asyncio.to_thread(mailed_code, house.room, address)
    await page.get_by_label("Code").fill(code)
    await page.get_by_role("button", name="Confirm").click()
    await dora.in_the_lobby()
    await asyncio.to_thread(welcome_new, house.room, set())


async def _reload(visitor: Visitor) -> None:
    await visitor.page.reload()
    await visitor.in_the_lobby()


@scene(_somebody_new)
def test_somebody_new_waits_for_a_seat_and_takes_it(house: House) -> None:
    stored = house.tables.load(LINE)
    assert stored is not None
    assert stored.table.closed


async def _stay(house: House) -> None:
    async with (
        house.table(SEATED, PAUSED),
        house.player("WebSeated") as ana,
        company(house.room, house.gate, SEATED, {1: "WebSeatedBot"}, CHIPS) as others,
    ):
        page = ana.page
        await ana.open_table(SEATED)
        await ana.sit(1, "1000")
        await ana.my_turn()
        await _buy(ana, "Top up", "200", "Add ₱200")
        await ana.logged("WebSeated tops up by ₱200")
        await _buy(ana, "Automatic top-up", "1500", "Top up to ₱1,500 each hand")
        await others.think()
        await ana.act(re.compile("^(Bet|Raise to)")).click()
        await expect(ana.turn).to_be_hidden()
        await ana.sees("Before each hand you top up to ₱1,500.")
        # Who leaves folds to a bet, so that nobody has seen what won.
        await others.clients[0].request("leave", table=SEATED, when="now")
        await page.get_by_role("button", name="Show both").click()
        await ana.logged(re.compile("^You: shows .+ .+"))
        await page.get_by_role("button", name="Table menu").click()
        await page.get_by_role("menuitem", name="Sit out next hand").click()
        await ana.sees("You sit out.")
        await page.get_by_role("button", name="I am back").click()
        await expect(page.get_by_role("button", name="I am back")).to_be_hidden()
        await ana.choose("Leave the table")
        await page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
        await ana.sees("You are watching.")
        await ana.logged("WebSeated left the table")


async def _buy(ana: Visitor, what: str, amount: str, button: str) -> None:
    await ana.choose(what)
    dialog = ana.page.get_by_role("dialog")
    await dialog.get_by_role("textbox", name="Chips").fill(amount)
    await dialog.get_by_role("button", name=button).click()
    await expect(dialog).to_be_hidden()


@scene(_stay)
def test_who_is_seated_tops_up_shows_sits_out_and_leaves() -> None:
    """Its scene says so."""


async def _cut(house: House) -> None:
    """The connection breaks, and for a while there is none."""
    refused, free = False, asyncio.Event()
    free.set()
    passed: list[WebSocketRoute] = []

    async def passes(route: WebSocketRoute) -> None:
        await free.wait()
        if refused:
            await route.close(code=1011)
        else:
            route.connect_to_server()
            passed.append(route)

    async with visiting(house.browser, house.address) as guest:
        page = guest.page
        await page.route_web_socket(re.compile("^ws"), passes)
        await guest.arrive()
        await guest.come_as_a_guest()
        connected = page.get_by_role("img", name="Connected")
        note = page.get_by_text(re.compile("^Reconnecting"))
        # The next one comes about when it has been seen that there is none.
        free.clear()
        await passed[-1].close(code=1001)
        await expect(connected).to_be_hidden()
        free.set()
        await expect(connected).to_be_visible()
        refused = True
        await passed[-1].close(code=1001)
        await expect(note).to_be_visible()
        refused = False
        await expect(connected).to_be_visible()
        await expect(note).to_be_hidden()
        assert len(passed) == 3


@scene(_cut)
def test_a_connection_that_is_lost_is_made_again_and_said_to_be_lost_while_it_is() -> None:
    """Its scene says so."""
