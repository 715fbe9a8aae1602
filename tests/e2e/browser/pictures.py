"""Pictures of the page for the docs, of a room that is played in: `make screenshots`. Look at them.

python -m tests.e2e.browser.pictures [FOLDER]
"""

import asyncio
import io
import re
import sys
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import async_playwright, expect

from local.bots import Habits
from local.client import Client
from local.play import tables_of_the_room
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables, open_tables
from local.web_client import built
from local.web_room import ORIGINS, open_page
from local.web_server import WebServer
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.browsers import chromium
from tests.e2e.browser.company import company, deal
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.visitor import PHONE, Visitor
from tests.web import ROOT

FOLDER: Final = ROOT / "docs" / "pictures"
MOST_BYTES: Final = 150_000
OFTEN: Final = 192
"""Colours chosen by how often they are there: the felt and its shades."""
FAR: Final = 64
"""Colours chosen so that each has one near it: small things would fade into others."""
PAUSE_MS: Final = 20_000
"""Long enough to look at a showdown."""
LIVELY_SECONDS: Final = 25
"""Of play, before the lobby is worth a picture."""
SIX: Final = {1: "Berto", 2: "Liway", 3: "Emong", 4: "Talia", 5: "Nonoy"}
NINE: Final = {**SIX, 6: "Marikit", 7: "Itoy", 8: "Juana"}


def few_colours(taken: Image.Image) -> Image.Image:
    """The same in a palette of `OFTEN + FAR`."""
    whole, kinds = taken.convert("RGB"), Image.Quantize
    chosen: list[int] = []
    for colours, method in ((OFTEN, kinds.MEDIANCUT), (FAR, kinds.MAXCOVERAGE)):
        palette = whole.quantize(colours, method=method).getpalette() or []
        chosen += palette[: 3 * colours]
    palette_image = Image.new("P", (1, 1))
    palette_image.putpalette(chosen)
    return whole.quantize(palette=palette_image, dither=Image.Dither.NONE)


class Album:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    async def take(self, visitor: Visitor, name: str) -> None:
        """As the page is now, in few colours. Raises ValueError where it is too large."""
        # Chips have come to rest.
        await asyncio.sleep(0.6)
        taken = Image.open(io.BytesIO(await visitor.page.screenshot()))
        path = self._folder / f"{name}.png"
        few_colours(taken).save(path, optimize=True)
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"{path} has {path.stat().st_size} bytes")
        print(f"{path}: {path.stat().st_size} bytes")  # noqa: T201


async def lobby(house: House, album: Album) -> None:
    await asyncio.to_thread(open_tables, house.tables, tables_of_the_room())
    everywhere = [name for name, _ in tables_of_the_room()]
    async with Bots(house.room, seed="pictures", gate=house.gate) as bots:
        seats = dict(zip(everywhere, (4, 5, 3, 2, 0, 2, 3, 4), strict=True))
        await bots.fill(seats, Habits(think=(0.5, 1.5)))
        async with house.player("Amada", color_scheme="light") as ana:
            await asyncio.sleep(LIVELY_SECONDS)
            await album.take(ana, "lobby")


async def tables(house: House, album: Album) -> None:
    """A turn on the flop, in light and in dark."""
    for table, scheme, name in (
        ("php-10-20-7", "light", "Rosa"),
        ("php-10-20-8", "dark", "Andres"),
    ):
        settings = table_settings(no_limit("PHP", 1_000), 6, clock_ms=20_000, pause_ms=6_000)
        deal(house.room, table, "0=AhQh", "board=Kh9h2sQc4d")
        async with house.table(table, settings), house.player(name, color_scheme=scheme) as ana:
            await ana.open_table(table)
            await ana.sit(1, "1250")
            async with company(house.room, house.gate, table, SIX, 140_000):
                await ana.go_along()
                await ana.next_turn("flop")
                await album.take(ana, f"table-{scheme}")


async def phone(house: House, album: Album) -> None:
    table = "php-25-50-7"
    settings = table_settings(no_limit("PHP", 2_500), 9, clock_ms=20_000, pause_ms=6_000)
    deal(house.room, table, "0=JsJd", "board=Jc8h3s2d9c")
    small: dict[str, Any] = {
        "viewport": PHONE,
        "is_mobile": True,
        "has_touch": True,
        "color_scheme": "dark",
    }
    async with house.table(table, settings), house.player("Delfin", **small) as ana:
        await ana.open_table(table)
        await ana.sit(1, "2500")
        async with company(house.room, house.gate, table, NINE, 250_000):
            await ana.go_along()
            await ana.next_turn("flop")
            await album.take(ana, "phone")


async def showdown(house: House, album: Album) -> None:
    """Four are all-in for four prices, and three of them win something."""
    table = "php-5-10-7"
    settings = table_settings(no_limit("PHP", 500), 6, clock_ms=PATIENT_MS, pause_ms=PAUSE_MS)
    deal(house.room, table, "0=KsKd", "1=QhQc", "2=AsAd", "3=Jd9c", "board=Qd7s7h4c2s")
    stacks = {1: 15_000, 2: 25_000, 3: 60_000}
    async with (
        house.table(table, settings),
        house.player("Helena", color_scheme="light") as ana,
        Bots(house.room, seed="showdown", gate=house.gate) as bots,
    ):
        await ana.open_table(table)
        await ana.sit(1, "400")
        players = [await bots.connect(SIX[seat]) for seat in stacks]
        for client, (seat, chips) in zip(players, stacks.items(), strict=True):
            await client.watch(table)
            await client.request("sit", table=table, seat=seat, chips=chips, post=True)
        works = [asyncio.ensure_future(_all_in(client, table)) for client in players]
        await ana.my_turn()
        bet = ana.page.get_by_test_id("bet-button")
        if await bet.count():
            await ana.page.get_by_test_id("shortcut-all-in").click()
            await bet.click()
        else:
            await ana.act(re.compile("^Call")).click()
        await expect(ana.page.get_by_text("Side pot 2").first).to_be_visible(timeout=60_000)
        await expect(ana.seat(1)).to_contain_text("Wins", timeout=30_000)
        await album.take(ana, "showdown")
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


async def _all_in(client: Client, table: str) -> None:
    view = client.views[table]
    async for _ in client.changes():
        turn = view.turn
        if turn is not None and turn["seat"] == view.mine:
            most = {"to": turn["max_to"]} if turn["max_to"] is not None else {}
            do = turn["verb"] if most else "call"
            await client.request(
                "act", table=table, hand=turn["hand"], turn=turn["number"], do=do, **most
            )


async def again(house: House, album: Album) -> None:
    """A hand that was played, seen again, and the statement that it is in."""
    table = "php-10-20-9"
    settings = table_settings(no_limit("PHP", 1_000), 6, clock_ms=20_000, pause_ms=3_000)
    deal(house.room, table, "0=AsKs", "1=QhQd", "2=Jc9c", "board=QsJs2h3d4c")
    look: dict[str, Any] = {"color_scheme": "light", "timezone_id": "Asia/Manila"}
    async with house.table(table, settings), house.player("Isagani", **look) as ana:
        await ana.open_table(table)
        await ana.sit(1, "1250")
        async with company(house.room, house.gate, table, {1: "Berto", 2: "Liway"}, 140_000):
            for _ in range(2):
                for street in ("preflop", "flop", "turn", "river"):
                    if street != "preflop":
                        await ana.next_turn(street)
                    await ana.go_along()
                await ana.logged(re.compile("Main pot"))
        await ana.page.goto(f"{house.address.rstrip('/')}/#/hand/{table}/1")
        await ana.page.get_by_test_id("replay-flop").click()
        await expect(ana.page.get_by_test_id("badge-0")).to_be_visible()
        await album.take(ana, "replayer")
        await ana.page.get_by_test_id("main-menu").click()
        await ana.page.get_by_role("menuitem", name="Statement").click()
        await expect(ana.page.get_by_role("button", name="Save as CSV")).to_be_visible()
        await album.take(ana, "statement")


async def take_all(room: Room, address: str, folder: Path) -> None:
    album = Album(folder)
    async with async_playwright() as playwright:
        browser = await chromium(playwright)
        house = House(room, LocalTables(room), asyncio.Semaphore(2), address, browser)
        for scene in (lobby, tables, phone, showdown, again):
            await scene(house, album)
        await browser.close()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    client = built()
    with WebServer() as web, Room.start({ORIGINS: " ".join(web.origins)}) as room:
        open_page(web, client, room)
        asyncio.run(take_all(room, web.address, folder))


if __name__ == "__main__":
    main()
