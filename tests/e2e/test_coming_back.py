"""Connections that break, are replaced and are held twice, in a hand that goes on."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final

import pytest

from local.client import Client, RequestError
from local.seats import Bots
from local.stack import Room
from local.table_view import Json
from local.tables import LocalTables, open_tables
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.watching import Received, act, my_turn, sit

pytestmark = [pytest.mark.e2e, pytest.mark.rule("4.4")]

SETTINGS: Final = table_settings(PHP_STAKES[0], 2, clock_ms=60_000, pause_ms=1_000)
SHORT: Final = table_settings(PHP_STAKES[0], 2, clock_ms=12_000, pause_ms=1_000)
NEVER: Final = (-1, -1)
TABLES: Final = ("back", "second")


@dataclass
class Two:
    """Whose turn it is, and who waits for it."""

    acts: Client
    waits: Client


async def _in_a_hand(one: Client, other: Client, table: str) -> Two:
    await one.until(lambda: one.views[table].turn is not None, 30)
    turn = one.views[table].turn
    assert turn is not None
    return Two(one, other) if turn["seat"] == one.views[table].mine else Two(other, one)


async def _passes(client: Client, turn: Json) -> None:
    """Check, or else call."""
    await act(client, TABLES[0], turn, "check" if turn["check"] else "call")


def _pushed(received: Received, after: int) -> list[Json]:
    """What was pushed to a seat of the first table, beyond this seq."""
    messages: list[dict[str, Any]] = [json.loads(text) for text in received.texts]
    return [
        {name: value for name, value in one.items() if name != "away"}
        for one in messages
        if one["type"] == "events" and one["table"] == TABLES[0] and one["seq"] > after
    ]


def test_a_second_device_takes_over_in_the_middle_of_a_turn(room: Room, stage: Stage) -> None:
    open_tables(LocalTables(room), [(name, SETTINGS) for name in TABLES])
    stage.start(_takes_over(room, stage.gate)).result(120)


async def _takes_over(room: Room, gate: asyncio.Semaphore) -> None:
    table, other = TABLES
    async with Bots(room, seed="back", gate=gate) as bots:
        names = ("back-a", "back-b")
        heard = {name: Received(name) for name in names}
        clients = [await bots.connect(name, heard[name]) for name in names]
        for seat, client in enumerate(clients):
            await sit(client, table, seat, SETTINGS.minimum)
        two = await _in_a_hand(clients[0], clients[1], table)
        player, view = two.acts, two.acts.views[table]
        turn = await my_turn(player, table, NEVER, 10)

        # Another device: all there is to go on with.
        onto = Received(player.player)
        phone = await bots.connect(player.player, onto)
        seen = await phone.watch(table)
        assert (seen.mine, seen.hole, len(seen.hole)) == (view.mine, view.hole, 2)
        assert seen.turn == turn == view.turn
        assert turn["price"] == SETTINGS.stakes.big_blind
        assert 0 < turn["deadline"] - phone.now() <= SETTINGS.clock_ms
        assert seen.log[0]["e"] == "hand_started"
        assert seen.log == view.log
        since = seen.seq

        # It acts; the first device is told that this turn is over.
        await act(phone, table, turn, "call")
        with pytest.raises(RequestError) as later:
            await act(player, table, turn, "fold")
        assert later.value.code == "already_acted"
        await act(two.waits, table, await my_turn(two.waits, table, NEVER, 20), "check")
        await phone.until(lambda: seen.seq > since + 3, 20)
        reached = seen.seq
        await player.until(lambda: view.seq >= reached, 20)
        both = [_pushed(one, since) for one in (heard[player.player], onto)]
        least = min(len(one) for one in both)
        assert least >= 2
        assert both[0][:least] == both[1][:least]

        # The first one closes at last: the second goes on, at a second table too.
        await player.close()
        await sit(phone, other, 0, SETTINGS.minimum)
        mine = view.mine
        while seen.turn is not None:
            turn = seen.turn
            await _passes(phone if turn["seat"] == mine else two.waits, turn)
            await phone.until(lambda now=turn: seen.turn != now, 20)  # type: ignore[misc]
        assert seen.running is None
        await phone.request("leave", table=other, when="now")
        await phone.until(lambda: phone.views[other].mine is None, 20)
        # The next hand at the first table, with cards, over the same connection.
        await phone.until(lambda: seen.running is not None and len(seen.hole) == 2, 30)
        assert seen.mine == mine
        assert phone.counts.connects == 1


def test_a_broken_connection_costs_no_turn_and_a_missing_one_stops_no_hand(
    room: Room, stage: Stage
) -> None:
    open_tables(LocalTables(room), [("broken", SHORT)])
    stage.start(_breaks_off(room, stage.gate)).result(120)


async def _breaks_off(room: Room, gate: asyncio.Semaphore) -> None:
    async with Bots(room, seed="broken", gate=gate) as bots:
        clients = [await bots.connect(name) for name in ("broken-a", "broken-b")]
        for seat, client in enumerate(clients):
            await sit(client, "broken", seat, SHORT.minimum)
        two = await _in_a_hand(clients[0], clients[1], "broken")
        view, turn = two.acts.views["broken"], await my_turn(two.acts, "broken", NEVER, 10)
        hole = view.hole
        await two.acts.drop()
        await two.acts.until(lambda: two.acts.counts.connects == 2, 20)
        await two.acts.request("sync", table="broken", seq=0)
        assert (view.turn, view.hole) == (turn, hole)
        await act(two.acts, "broken", turn, "call")

        # Gone for good, when his turn has come: his clock runs out, and the other plays on.
        turn = await my_turn(two.waits, "broken", NEVER, 20)
        goes, stays = two.waits, two.acts
        gone = goes.views["broken"].mine
        await goes.close()
        await stays.until(
            lambda: any(
                event["e"] == "acted" and event["seat"] == gone and event["cause"] == "expired"
                for event in view.log
            ),
            30,
        )
        again = await bots.connect(goes.player)
        seen = await again.watch("broken")
        assert seen.mine == gone
        assert seen.own is not None
        assert seen.own["status"] == "active"
