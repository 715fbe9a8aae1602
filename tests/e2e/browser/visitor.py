"""Somebody at a browser: what he does, by the names that a screen reader reads out, and what of it
went over the wire.

No test knows a class or a tag of the client. Names are its English texts.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

from tests.e2e.watching import Received

LOOPBACK: Final = ("127.0.0.1", "localhost")
PATIENCE_MS: Final = 30_000
"""For what the room answers, on a machine that plays much else meanwhile."""
FIRST_MS: Final = 60_000
"""For the lobby, as many come at the same time, to functions that have not run yet; and for a turn,
as others may have theirs before.
"""
expect.set_options(timeout=PATIENCE_MS)
DESKTOP: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}


def pesos(amount: int) -> str:
    """As the page writes so many centavos in English."""
    whole, rest = divmod(amount, 100)
    return f"₱{whole:,}.{rest:02}" if rest else f"₱{whole:,}"


@dataclass
class Visitor:
    """`received` are the texts of all WebSocket messages that his page got, `asked` whatever it
    requested, `troubles` what it complained about.
    """

    page: Page
    context: BrowserContext
    address: str
    received: Received = field(default_factory=lambda: Received(""))
    asked: list[Request] = field(default_factory=list)
    sockets: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def listen(self) -> None:
        page = self.page
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.asked.append(request))
        page.on("websocket", self._hear)
        page.on("console", self._complain)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def _hear(self, socket: WebSocket) -> None:
        self.sockets.append(socket.url)
        socket.on(
            "framereceived",
            lambda told: self.received(told if isinstance(told, str) else told.decode()),
        )

    def _complain(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.text} ({message.location.get('url', '')})")

    @property
    def places(self) -> set[str]:
        """Every host that the page asked for anything."""
        urls = [*(request.url for request in self.asked), *self.sockets]
        asked = [urlsplit(url) for url in urls]
        return {str(one.hostname) for one in asked if one.scheme not in ("data", "blob")}

    # what he does

    async def arrive(self) -> None:
        await self.page.goto(self.address)

    async def sign_in(self, name: str, password: str) -> None:
        """And waits for the lobby."""
        page = self.page
        await page.get_by_label("Player name").fill(name)
        await page.get_by_label("Password", exact=True).fill(password)
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await self.in_the_lobby()
        self.received.player = name

    async def come_as_a_guest(self) -> None:
        await self.page.get_by_role("button", name="Watch as a guest").click()
        await self.in_the_lobby()

    async def go_along(self) -> None:
        """Checks, or calls."""
        await self.my_turn()
        this = await self.turn.get_attribute("data-turn")
        await self.act(re.compile("^(Check|Call)")).click()
        await expect(self.page.locator(f"[data-turn='{this}']")).to_have_count(0)

    async def in_the_lobby(self) -> None:
        await expect(self.page.get_by_role("heading", name="Lobby")).to_be_visible(timeout=FIRST_MS)

    async def open_table(self, table: str) -> None:
        """From the lobby."""
        await (
            self.page.get_by_role("link", name=f"Open {table}")
            .or_(self.page.get_by_role("button", name=f"Open {table}"))
            .first.click()
        )
        await self.at_the_table()

    async def at_the_table(self) -> None:
        await expect(self.felt).to_be_visible()

    async def sit(self, seat: int, chips: str | None = None) -> None:
        """In a seat as it is named, which counts from 1, with so many chips as he types."""
        await self.page.get_by_role("button", name=f"Sit in seat {seat}").click()
        dialog = self.page.get_by_role("dialog")
        if chips is not None:
            await dialog.get_by_role("textbox", name="Chips").fill(chips)
        await dialog.get_by_role("button", name=re.compile("^Sit down with")).click()
        await expect(dialog).to_be_hidden()

    async def choose(self, name: str) -> None:
        """In the menu of the table; waits for the dialog that opens."""
        await self.page.get_by_role("button", name="Table menu").click()
        await self.page.get_by_role("menuitem", name=name, exact=True).click()
        await expect(self.page.get_by_role("dialog", name=name)).to_be_visible()

    # what he sees

    @property
    def felt(self) -> Locator:
        return self.page.get_by_role("list", name="The table")

    @property
    def turn(self) -> Locator:
        """His own turn's controls."""
        return self.page.get_by_role("region", name="Your turn", exact=True)

    def act(self, name: str | re.Pattern[str]) -> Locator:
        return self.turn.get_by_role("button", name=name)

    @property
    def box(self) -> Locator:
        return self.turn.get_by_role("textbox")

    @property
    def slider(self) -> Locator:
        return self.turn.get_by_role("slider")

    def seat(self, number: int) -> Locator:
        """As it is named, which counts from 1."""
        return self.felt.get_by_role("listitem", name=re.compile(rf"^Seat {number}\b"))

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log", name="Hand log")

    async def my_turn(self) -> None:
        await expect(self.turn).to_be_visible(timeout=FIRST_MS)

    async def next_turn(self, street: str) -> None:
        """His first turn on this street, when its card is there and not before."""
        cards = {"flop": 3, "turn": 4, "river": 5}[street]
        await expect(self.board_cards).to_have_count(cards)
        await self.my_turn()

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("region", name="Board")

    @property
    def board_cards(self) -> Locator:
        return self.board.get_by_role("img", name=re.compile(" of "))

    async def logged(self, text: str | re.Pattern[str]) -> None:
        await expect(self.log.get_by_text(text).first).to_be_attached()

    async def sees(self, text: str | re.Pattern[str]) -> None:
        await expect(self.page.get_by_text(text).first).to_be_visible()


@asynccontextmanager
async def visiting(browser: Browser, address: str, **options: Any) -> AsyncIterator[Visitor]:
    """Somebody with a new profile. When he goes, everything that he asked for must have been on
    this machine, and his page must have complained about nothing.
    """
    context = await browser.new_context(**{"viewport": DESKTOP, "locale": "en-PH", **options})
    page = await context.new_page()
    visitor = Visitor(page, context, address)
    visitor.listen()
    try:
        yield visitor
    except BaseException:
        # A picture of what went wrong, before it is gone.
        folder = Path(__file__).parents[3] / ".build" / "browser"
        folder.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=folder / "last-failure.png")
        await context.close()
        print("The page complained:", *visitor.troubles, sep="\n")  # noqa: T201
        raise
    await context.close()
    assert visitor.places <= set(LOOPBACK), visitor.places
    assert visitor.troubles == [], visitor.troubles
