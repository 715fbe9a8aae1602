"""A hand that is over is found again, played step by step, disputed and shared; and it is in the
player's statement.
"""

import asyncio
import csv
import io
import re
import time
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.async_api import expect

from cardroom.complaints import DynamoComplaints
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.axe import faults
from tests.e2e.browser.company import company, deal
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene
from tests.e2e.browser.visitor import PHONE, Visitor

pytestmark = pytest.mark.e2e

TABLE: Final = "web-replay"
SETTINGS: Final = table_settings(no_limit("PHP", 1_900), 2, clock_ms=PATIENT_MS, pause_ms=5_000)
CHIPS: Final = 190_000
PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass
class Replayed:
    odds: list[str]
    boards: str | None
    said: str
    picture: bytes
    faults: list[str]
    guest: str
    refused: str
    disputed: str
    word: str
    statement: list[str]
    csv: str


async def _replay(house: House) -> Replayed:
    deal(house.room, TABLE, "0=AsKs", "1=QhQd", "board=QsJs2h3d4c")
    async with (
        house.table(TABLE, SETTINGS),
        house.player("WebReplay", timezone_id="Asia/Manila") as ana,
    ):
        await ana.open_table(TABLE)
        await ana.sit(1, "1900")
        async with company(house.room, house.gate, TABLE, {1: "WebReplayB"}, CHIPS):
            await ana.go_along()
            for street in ("flop", "turn", "river"):
                await ana.next_turn(street)
                await ana.go_along()
            await ana.logged(re.compile("Main pot"))
        await ana.page.get_by_role("button", name="Table menu").click()
        await ana.page.get_by_role("menuitem", name="Your hands").click()
        row = ana.page.get_by_role("link", name=re.compile("^Hand 1"))
        await expect(row).to_be_visible(timeout=20_000)
        found = await faults(ana.page)
        await row.click()
        await ana.at_the_table()
        return await _play(house, ana, found)


async def _play(house: House, ana: Visitor, found: list[str]) -> Replayed:
    page, test_id = ana.page, ana.page.get_by_test_id
    await test_id("replay-flop").click()
    await expect(ana.board_cards).to_have_count(3)
    await expect(test_id("badge-0")).to_be_visible()
    odds = [await test_id(f"badge-{seat}").inner_text() for seat in (0, 1)]
    boards = await test_id("odds-note").get_attribute("data-boards")
    found += await faults(page)
    await page.keyboard.press("ArrowRight")
    said = await test_id("replay-said").inner_text()
    await page.keyboard.press("End")
    await expect(ana.seat(2).get_by_text("Wins")).to_be_visible()
    async with page.expect_download() as downloaded:
        await page.get_by_role("button", name="Save a picture").click()
    picture = await (await downloaded.value).path()
    link = await page.get_by_label("Link to this hand").input_value()
    await page.get_by_role("button", name="To the start").click()
    await page.get_by_label("Speed").select_option("4")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(ana.board_cards).to_have_count(5, timeout=20_000)
    disputed, word = await _dispute(house, ana, found)
    rows, saved = await _statement(ana, found)
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    await page.goto(link)
    await ana.at_the_table()
    found += await faults(page)
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    async with house.guest() as guest:
        await guest.page.goto(link)
        await guest.page.reload()
        await guest.page.get_by_role("button", name="Watch as a guest").click()
        await guest.at_the_table()
        seen = await guest.page.get_by_test_id("replay-moves").inner_text()
        await guest.page.goto(link.removesuffix("1") + "999")
        sentence = guest.page.get_by_text("There is no such hand")
        await expect(sentence).to_be_visible()
        refused = await sentence.inner_text()
    told = picture.read_bytes()
    return Replayed(odds, boards, said, told, found, seen, refused, disputed, word, rows, saved)


async def _dispute(house: House, ana: Visitor, found: list[str]) -> tuple[str, str]:
    """What he is told at once, and when support has closed it."""
    page = ana.page
    await page.get_by_role("button", name="Dispute this hand").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("300 characters left")).to_be_visible()
    await dialog.get_by_label("What was wrong?").fill("my flush should have come")
    found += await faults(page)
    await page.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    disputed = await page.get_by_test_id("disputed").inner_text()
    await asyncio.to_thread(_settle, house)
    await page.reload()
    await ana.at_the_table()
    return disputed, await page.get_by_test_id("dispute-word").inner_text()


def _settle(house: House) -> None:
    support = DynamoComplaints.beside(house.tables)
    (one,) = support.disputes_of(TABLE, 1, None)
    assert support.settle(one, "olga", "the river was no spade", time.time_ns() // 1_000_000)


async def _statement(ana: Visitor, found: list[str]) -> tuple[list[str], str]:
    """The rows of the page, and the file."""
    page = ana.page
    await page.get_by_test_id("main-menu").click()
    await page.get_by_role("menuitem", name="Statement").click()
    save = page.get_by_role("button", name="Save as CSV")
    await expect(save).to_be_visible()
    await expect(page.get_by_test_id("statement-days")).to_contain_text("Asia/Manila")
    rows = await page.get_by_test_id("by-day-PHP").get_by_role("row").all_inner_texts()
    rows += await page.get_by_test_id("entries-PHP").get_by_role("row").all_inner_texts()
    found += await faults(page)
    async with page.expect_download() as downloaded:
        await save.click()
    return rows, (await (await downloaded.value).path()).read_text()


@scene(_replay)
def test_a_hand_is_found_played_again_disputed_and_shared(played: Replayed) -> None:
    # Three queens against a flush to come: 990 boards of two cards.
    assert played.boards == "990"
    shares = [float(re.findall(r"[\d.]+", odds)[-1]) for odds in played.odds]
    assert shares[1] > shares[0] > 20
    assert abs(sum(shares) - 100) < 0.2
    assert "check" in played.said
    assert played.picture.startswith(PNG)
    assert len(played.picture) > 10_000
    assert played.faults == []
    assert "Main pot" in played.guest
    assert played.refused.startswith("This hand cannot be shown.")
    assert "my flush should have come" in played.disputed
    assert "Support will look at it." in played.disputed
    assert "the river was no spade" in played.word
    head, row, total, *booked = [one.split("\t") for one in played.statement]
    assert head[:2] == ["Day", "Table"]
    assert row[1] == TABLE
    assert row[3:5] == ["1", "₱1,900"]
    assert total[6] == row[6]
    assert booked[-1][3:5] == ["Buy-in", "\u2212₱1,900"]
    told = list(csv.DictReader(io.StringIO(played.csv)))
    (result,) = [one for one in told if one["part"] == "results by day and table"]
    won, there = (round(float(result[name]) * 100) for name in ("result", "at table"))
    assert there == CHIPS + won
    assert result["stake"] == "nl-PHP-1900-3800"
