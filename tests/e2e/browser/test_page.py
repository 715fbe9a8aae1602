"""What the page is: small, at home on a phone, usable by everybody, and asking nobody else."""

import re
from typing import Any, Final

import pytest
from playwright.async_api import expect

from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.axe import faults
from tests.e2e.browser.boxes import boxes, outside, overlaps, seconds_and_button
from tests.e2e.browser.company import company, deal
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene
from tests.e2e.browser.visitor import PHONE, Visitor, visiting

pytestmark = pytest.mark.e2e

MOST_BYTES: Final = 200_000
FULL: Final = "web-phone-and-the-longest-of-ids"
"""32 characters, as many as an id may have."""
NINE: Final = table_settings(no_limit("PHP", 1_700), 9, clock_ms=PATIENT_MS, pause_ms=5_000)
CHIPS: Final = 170_000
SMALL: Final[dict[str, Any]] = {
    "viewport": PHONE,
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
STATES: Final = 16
"""Of the page, that axe looks at."""
MARKUP: Final = """() => {
    try { document.body.insertAdjacentHTML("beforeend", "<i></i>") }
    catch (error) { return error.name }
}"""


async def _first_visit(house: House) -> dict[str, int]:
    """Bytes of each answer of the page's server, as they came over the wire."""
    async with visiting(house.browser, house.address) as visitor:
        await visitor.arrive()
        await visitor.come_as_a_guest()
        await visitor.page.wait_for_load_state("networkidle")
        return {
            request.url: (await request.sizes())["responseBodySize"]
            for request in visitor.asked
            if request.url.startswith(house.address)
        }


@scene(_first_visit)
def test_what_is_asked_for_before_the_lobby_is_small(played: dict[str, int]) -> None:
    assert {url.rpartition(".")[2] for url in played} >= {"js", "css", "json"}
    assert 50_000 < sum(played.values()) < MOST_BYTES, played


async def _policy(house: House) -> tuple[str, str]:
    async with visiting(house.browser, house.address) as visitor:
        answer = await visitor.page.goto(house.address)
        assert answer is not None
        tried = await visitor.page.evaluate(MARKUP)
        # The browser says what it refused, which is no trouble of the page's.
        visitor.troubles.clear()
        return answer.headers["content-security-policy"], tried


@scene(_policy)
def test_words_of_others_could_not_become_markup(played: tuple[str, str]) -> None:
    policy, tried = played
    assert "require-trusted-types-for 'script'" in policy
    assert tried == "TypeError"


async def _nine(house: House) -> None:
    deal(house.room, FULL, "0=AsKs", "board=QsJs2h3d4c")
    seats = {seat: f"WebPhone{'ABCDEFGH'[seat - 1]}" for seat in range(1, 9)}
    async with house.table(FULL, NINE), house.player("WebPhone", **SMALL) as ana:
        await expect(ana.page.get_by_role("link", name=f"Open {FULL}")).to_be_visible()
        await _does_not_scroll_sideways(ana)
        await ana.page.get_by_role("button", name="Menu").click()
        await ana.page.get_by_role("menuitem", name="Settings").click()
        await ana.page.get_by_role("radio", name="Filipino").check()
        await expect(ana.page.get_by_text("Mga stake").first).to_be_attached()
        await _does_not_scroll_sideways(ana)
        await ana.page.get_by_role("radio", name="English").check()
        await ana.page.keyboard.press("Escape")
        await ana.open_table(FULL)
        await ana.sit(1, "1700")
        async with company(house.room, house.gate, FULL, seats, CHIPS):
            await ana.my_turn()
            await _fits(ana)
            for street in ("flop", "turn", "river"):
                await ana.go_along()
                await ana.next_turn(street)
                await _fits(ana)
            assert await faults(ana.page) == []


async def _fits(ana: Visitor) -> None:
    """Nothing stands on anything else, and nothing beyond the edge."""
    others = [*await boxes("board", ana.board), *await boxes("controls", ana.turn)]
    seats = await boxes("seat", ana.felt.get_by_role("listitem"))
    assert (len(seats), len(others)) == (NINE.seats, 2)
    assert overlaps([*seats, *others]) == []
    assert outside([*seats, *others]) == []
    # Chips that are bet lie before a seat or in it, and hide nobody's name or stack.
    test_id = ana.page.get_by_test_id
    bets = await boxes("bet", test_id(re.compile(r"^bet-\d+$")))
    words = await boxes("name", test_id(re.compile(r"^name-\d+$")))
    words += await boxes("stack", test_id(re.compile(r"^stack-\d+$")))
    assert len(words) == 2 * NINE.seats
    words += await boxes("state", test_id(re.compile(r"^state-\d+$")))
    assert overlaps([*bets, *words, *others]) == []
    assert overlaps(await seconds_and_button(ana)) == []
    inside = await boxes("control", ana.turn.get_by_role("button"))
    inside += [*await boxes("box", ana.box), *await boxes("slider", ana.slider)]
    assert len(inside) == 10
    assert overlaps(inside) == []
    await _does_not_scroll_sideways(ana)


async def _does_not_scroll_sideways(ana: Visitor) -> None:
    assert await ana.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert await ana.page.evaluate("innerWidth") == PHONE["width"]


@scene(_nine)
def test_nine_players_fit_a_phone() -> None:
    """Its scene says so, at each street that it looks at."""


async def _axe(house: House, scheme: str) -> dict[str, list[str]]:
    """What axe finds, by where."""
    table, name = f"web-axe-{scheme}", f"WebAxe{scheme}"
    stakes = no_limit("PHP", {"light": 1_900, "dark": 2_100}[scheme])
    settings = table_settings(stakes, 6, clock_ms=PATIENT_MS)
    found: dict[str, list[str]] = {}
    async with visiting(house.browser, house.address, color_scheme=scheme) as visitor:
        await visitor.arrive()
        await visitor.page.get_by_label("Player name").wait_for()
        found["sign-in"] = await faults(visitor.page)
        await visitor.page.get_by_role("button", name="New here? Sign up").click()
        await visitor.page.get_by_label("Email").wait_for()
        found["sign-up"] = await faults(visitor.page)
        await visitor.page.get_by_role("button", name="I have a name: sign in").click()
        await visitor.page.get_by_role("button", name="Forgot your password?").click()
        await expect(visitor.page.get_by_role("heading", name="New password")).to_be_visible()
        found["forgotten"] = await faults(visitor.page)
    async with house.table(table, settings), house.player(name, color_scheme=scheme) as ana:
        found["lobby"] = await faults(ana.page)
        for where in ("Account", "Settings", "Keys"):
            await ana.page.get_by_role("button", name="Menu").click()
            await ana.page.get_by_role("menuitem", name=where).click()
            await expect(ana.page.get_by_role("heading", name=where).first).to_be_visible()
            found[where] = await faults(ana.page)
            await ana.page.keyboard.press("Escape")
        await ana.page.goto(f"{house.address}#/table/{table}")
        await ana.at_the_table()
        found["empty table"] = await faults(ana.page)
        await ana.page.get_by_role("button", name="Sit in seat 1").click()
        found["buy-in"] = await faults(ana.page)
        await ana.page.keyboard.press("Escape")
        await ana.sit(1)
        async with company(house.room, house.gate, table, {1: f"{name}Bot"}, settings.minimum):
            await ana.my_turn()
            found["turn"] = await faults(ana.page)
            await ana.act("½ pot").click()
            await ana.box.fill("1,5")
            found["no amount"] = await faults(ana.page)
            await ana.page.get_by_role("button", name="Table menu").click()
            found["menu"] = await faults(ana.page)
            await ana.page.keyboard.press("Escape")
            for where in ("Top up", "Automatic top-up", "Leave the table", "Hand log"):
                await ana.choose(where)
                found[where] = await faults(ana.page)
                await ana.page.keyboard.press("Escape")
    return found


async def _light(house: House) -> dict[str, list[str]]:
    return await _axe(house, "light")


async def _dark(house: House) -> dict[str, list[str]]:
    return await _axe(house, "dark")


@scene(_light)
def test_axe_finds_nothing_grave_in_the_light(played: dict[str, list[str]]) -> None:
    assert len(played) == STATES
    assert {where: what for where, what in played.items() if what} == {}


@scene(_dark)
def test_axe_finds_nothing_grave_in_the_dark(played: dict[str, list[str]]) -> None:
    assert len(played) == STATES
    assert {where: what for where, what in played.items() if what} == {}
