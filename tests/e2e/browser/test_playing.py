"""A hand, from the sign-in to the showdown, in Chromium; and a turn that is let go by."""

import re
from typing import Final, TypeIs

import pytest
from playwright.async_api import expect

from poker_engine.codec import load_events
from poker_engine.events import Acted, PotWon
from poker_engine.stakes import no_limit, table_settings
from poker_engine.state import Cause, Do
from tests.e2e.browser.boxes import overlaps, seconds_and_button
from tests.e2e.browser.company import deal, opposite
from tests.e2e.browser.house import PATIENT_MS, House
from tests.e2e.browser.scenes import scene

pytestmark = pytest.mark.e2e

HAND: Final = "web-hand"
CLOCK: Final = "web-clock"
SETTINGS: Final = table_settings(no_limit("PHP", 2_000), 2, clock_ms=PATIENT_MS)
SHORT: Final = table_settings(no_limit("PHP", 2_200), 2, clock_ms=8_000)
CHIPS: Final = 160_000


async def _a_hand(house: House) -> None:
    deal(house.room, HAND, "0=AsAd", "1=7c2d", "board=KsQd9h4c3s")
    async with opposite(house, HAND, SETTINGS, "WebHand", CHIPS) as ana:
        await ana.my_turn()
        await expect(ana.act("Raise to ₱80")).to_be_visible()
        await ana.box.fill("142.50")
        await ana.act("Raise to ₱142.50").click()
        await ana.next_turn("flop")
        assert overlaps(await seconds_and_button(ana)) == []
        await ana.slider.press("ArrowRight")
        await ana.slider.press("ArrowRight")
        await ana.act("Bet ₱120").click()
        await ana.next_turn("turn")
        await ana.act("½ pot").click()
        await ana.act("Bet ₱262.50").click()
        await ana.next_turn("river")
        await ana.sees("Pair of aces")
        await ana.act("Bet ₱40").click()
        await expect(ana.seat(1)).to_contain_text("Wins")


@scene(_a_hand)
@pytest.mark.rule("8.1")
@pytest.mark.rule("8.2")
@pytest.mark.rule("8.3")
def test_a_hand_is_played_by_box_slider_and_button(house: House) -> None:
    (record, *_) = house.tables.hands(HAND)
    events = load_events(record.events)
    acted = [(one.do, one.to) for one in events if isinstance(one, Acted) and one.seat == 0]
    # The box before the flop, the slider on it, a shortcut on the turn, the button on the river.
    assert acted == [(Do.RAISE, 14_250), (Do.BET, 12_000), (Do.BET, 26_250), (Do.BET, 4_000)]
    (pot,) = [one for one in events if isinstance(one, PotWon)]
    assert [seat for seat, _ in pot.shares] == [0]


async def _silence(house: House) -> None:
    # There is a price to pay in each seat, so that silence folds.
    async with opposite(house, CLOCK, SHORT, "WebClock", CHIPS, raises=True) as ana:
        await ana.my_turn()
        await expect(ana.seat(1).get_by_role("timer")).to_have_text(re.compile(r"^[1-8] s$"))
        await expect(ana.turn).to_be_hidden()
        await ana.logged(re.compile(r": fold \(out of time\)"))
        await ana.my_turn()
        await ana.act("Fold").click()
        await expect(ana.turn).to_be_hidden()


@scene(_silence)
@pytest.mark.rule("4.1")
def test_who_lets_the_clock_run_out_is_folded_and_plays_on(house: House) -> None:
    folds = [
        [(one.seat, one.cause) for one in load_events(record.events) if _is_fold(one)]
        for record in house.tables.hands(CLOCK)[:2]
    ]
    assert folds == [[(0, Cause.EXPIRED)], [(0, Cause.OWN)]]


def _is_fold(event: object) -> TypeIs[Acted]:
    return isinstance(event, Acted) and event.do is Do.FOLD
