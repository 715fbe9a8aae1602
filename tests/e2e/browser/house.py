"""The room with its page, and the browsers that come to it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Browser

from cardroom.dealer import Dealer
from cardroom.shuffle import SystemRandomness
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from cli.tables import Silent
from local.sign_up import newcomer
from local.stack import Room
from local.tables import LocalTables
from poker_engine.stakes import Settings
from tests.e2e.browser.visitor import Visitor, visiting

PATIENT_MS: Final = 90_000
"""Of a clock that nobody is to be hurried by, on a machine that plays much else meanwhile."""


@dataclass(frozen=True)
class House:
    """The room with its page, and the browsers that come to it."""

    room: Room
    tables: LocalTables
    gate: asyncio.Semaphore
    address: str
    browser: Browser

    @asynccontextmanager
    async def table(self, table: str, settings: Settings) -> AsyncIterator[None]:
        """For as long as it is played at; no other of its stakes opens by itself."""
        now = time.time_ns() // 1_000_000
        opened = await asyncio.to_thread(open_table, self.tables, table, settings, now, most=1)
        assert opened, f"there is a table {table} already"
        try:
            yield
        finally:
            await asyncio.to_thread(self._close, table)

    def _close(self, table: str) -> None:
        """At once: a hand that nobody plays to its end any more is void."""
        dealer = Dealer(self.tables, SystemClock(), SystemRandomness(), Silent())
        dealer.close(table)
        dealer.void(table, "nobody is here any more")
        stored = self.tables.load(table)
        assert stored is not None
        assert stored.table.closed

    @asynccontextmanager
    async def guest(self, **options: Any) -> AsyncIterator[Visitor]:
        """In the lobby."""
        async with visiting(self.browser, self.address, **options) as visitor:
            await visitor.arrive()
            await visitor.come_as_a_guest()
            yield visitor

    @asynccontextmanager
    async def player(self, name: str, **options: Any) -> AsyncIterator[Visitor]:
        """Somebody new, signed in by the page, in the lobby."""
        password = await asyncio.to_thread(newcomer, self.room, name)
        async with visiting(self.browser, self.address, **options) as visitor:
            await visitor.arrive()
            await visitor.sign_in(name, password)
            yield visitor
