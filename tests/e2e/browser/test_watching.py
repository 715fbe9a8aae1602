"""A spectator's browser is sent no hidden card."""

from typing import Final

import pytest
from playwright.async_api import expect

from local.tables import LocalTables
from poker_engine.stakes import no_limit, table_settings
from tests.e2e.browser.company import company
from tests.e2e.browser.house import House
from tests.e2e.browser.scenes import scene
from tests.e2e.hidden_cards import Truth, leaks
from tests.e2e.watching import Received

pytestmark = pytest.mark.e2e

TABLE: Final = "web-watch"
SETTINGS: Final = table_settings(no_limit("PHP", 1_500), 3, pause_ms=1_000)
CHIPS: Final = 150_000
HANDS: Final = 3


async def _watch(house: House) -> list[Received]:
    """What a guest and a player without a seat were sent; and at last somebody with a seat."""
    async with (
        house.table(TABLE, SETTINGS),
        house.guest() as guest,
        house.player("WebWatcher") as watcher,
        company(house.room, house.gate, TABLE, {0: "WebSeenA"}, CHIPS) as others,
    ):
        for visitor in (guest, watcher):
            await visitor.open_table(TABLE)
        seated = Received("WebSeenA")
        others.clients[0]._record = seated
        await others.take({1: "WebSeenB"}, CHIPS)
        await expect(guest.felt.get_by_role("img", name="Hidden card").first).to_be_visible()
        view = others.clients[0].views[TABLE]
        await others.clients[0].until(
            lambda: view.hand is not None and view.hand["number"] > HANDS, 60
        )
        return [guest.received, watcher.received, seated]


@scene(_watch)
@pytest.mark.rule("7")
def test_a_guest_and_a_player_without_a_seat_are_sent_no_hidden_card(
    played: list[Received], tables: LocalTables
) -> None:
    guest, watcher, seated = played
    truth = Truth(tables.hands(TABLE))
    for one in (guest, watcher):
        found = leaks(truth, one)
        assert found.leaked == []
        assert found.public > 0
    # And the check sees cards where they are.
    assert leaks(truth, seated).own > 0
    assert leaks(truth, Received("", seated.texts)).leaked
