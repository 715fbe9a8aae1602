"""Bots: legal and varied, the same again from the same seed."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from local.bots import (
    GONE_ON,
    STYLES,
    Bot,
    Choice,
    Choices,
    Habits,
    Policy,
    Style,
    Way,
    rate,
)
from local.client import Client
from local.rehearsal import Rehearsal
from poker_engine.cards import parse_cards
from poker_engine.chips import chips_on_table
from poker_engine.commands import Sit, TopUp
from poker_engine.events import PotWon, SeatEmptied
from poker_engine.stakes import PHP_STAKES, fixed_limit, table_settings
from poker_engine.state import PreDo
from tests.local.fake_room import (
    STRUCTURE,
    FakeRoom,
    Fault,
    Json,
    answer,
    refuse,
    refuse_at,
    state,
)

SETTINGS = [
    pytest.param(table_settings(PHP_STAKES[1]), id="no-limit 5/10"),
    pytest.param(table_settings(fixed_limit("USD", 1000)), id="limit 10/20"),
]


def choices(**changes: object) -> Choices:
    base: dict[str, object] = {
        "hand": 1,
        "number": 3,
        "to_call": 200,
        "call_to": 200,
        "check": False,
        "min_to": 400,
        "max_to": 9000,
        "verb": "raise",
        "step": 200,
    }
    return Choices.of(base | changes)


def test_a_thousand_seeded_hands_hold_everything() -> None:
    """At least 20 each of raise, all-in, side pot, split and timeout; the engine refuses
    nothing.
    """
    tally = Rehearsal(table_settings(PHP_STAKES[0]), seed=1).play(1000)
    assert tally.hands == 1000
    for kind in ("raise", "all-in", "side pot", "split", "timeout", "bet", "call", "check", "fold"):
        assert tally.kinds[kind] >= 20, (kind, tally.kinds)


@pytest.mark.parametrize("settings", SETTINGS)
def test_same_seed_plays_the_same_hands(settings) -> None:  # type: ignore[no-untyped-def]
    first = [step.events for step in Rehearsal(settings, seed="a").steps(20)]
    again = [step.events for step in Rehearsal(settings, seed="a").steps(20)]
    other = [step.events for step in Rehearsal(settings, seed="b").steps(20)]
    assert first == again
    assert first != other


@pytest.mark.parametrize("settings", SETTINGS)
def test_bots_neither_make_nor_lose_chips(settings) -> None:  # type: ignore[no-untyped-def]
    in_play = 0
    for step in Rehearsal(settings, seed=3).steps(200):
        if isinstance(step.command, Sit | TopUp):
            in_play += step.command.chips
        for event in step.events:
            if isinstance(event, PotWon):
                in_play -= event.rake
            if isinstance(event, SeatEmptied):
                in_play -= event.chips
        if step.table.running is None:
            assert chips_on_table(step.table) == in_play


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_only_offered_choices_are_made(style: Style) -> None:
    policy = Policy(style, "offered")
    hole = parse_cards("AsKs")
    offers = [
        choices(),
        choices(min_to=None, max_to=None, verb=None),
        choices(to_call=0, call_to=0, check=True, verb="bet", min_to=200),
        choices(to_call=0, call_to=0, check=True, verb=None, min_to=None, max_to=None),
        choices(min_to=400, max_to=400),
    ]
    for board in ((), parse_cards("QsJs2d")):
        for offer in offers:
            for _ in range(200):
                choice = policy.choose(offer, hole, board, pot=600)
                assert choice is not None
                match choice:
                    case Choice("fold", None):
                        pass
                    case Choice("check", None):
                        assert offer.check
                    case Choice("call", None):
                        assert offer.to_call
                    case Choice("bet" | "raise" as verb, int(to)):
                        assert offer.verb == verb
                        assert offer.min_to is not None
                        assert offer.max_to is not None
                        assert offer.min_to <= to <= offer.max_to
                    case _:
                        pytest.fail(f"{choice} is no choice")


def test_sleepy_bot_lets_turns_go_by() -> None:
    policy = Policy(Style("sleeper", 0.5, 0.5, 0.0, sleepy=1.0), 0)
    assert policy.choose(choices(), parse_cards("AsAd"), (), 300) is None


def test_better_cards_rate_higher() -> None:
    dice = random.Random(5)
    aces, rags = parse_cards("AsAd"), parse_cards("7c2d")
    assert rate(aces, (), dice) > rate(rags, (), dice)
    board = parse_cards("7h7d2s")
    assert rate(rags, board, dice) > rate(aces, board, dice)
    assert rate((), board, dice) == 0.0


# --- actions that come too late ------------------------------------------------------------------


def ann_to_act(number: int = 3) -> Json:
    turn = {"seat": 0, "hand": 1, "number": number, "deadline": 1_020_000, "price": 100}
    offer = {"to_call": 0, "call_to": 0, "check": True, "min_to": None, "max_to": None}
    hand = {"number": 1, "board": [], "pot": 150, "over": False}
    return state(hand=hand, turn=turn | offer | {"verb": None, "step": 100})


def without_ann(seat: Json | None) -> Json:
    """It is somebody else's turn; `seat` is what is in hers."""
    after = ann_to_act(4)
    after["turn"]["seat"] = 1
    after["seats"][0] = seat
    return after


GOING = state()["seats"][0] | {"exit": "left"}
STAYING = state()["seats"][0]


@pytest.mark.parametrize(
    ("code", "after", "is_right"),
    [
        ("stale_turn", ann_to_act(4), True),
        ("stale_turn", ann_to_act(3), False),
        ("no_hand", without_ann(STAYING) | {"turn": None}, True),
        ("no_hand", ann_to_act(3), False),
        ("leaving", without_ann(GOING), True),
        ("leaving", without_ann(None), True),
        ("leaving", without_ann(STAYING), False),
        ("not_seated", without_ann(None), True),
        ("not_seated", without_ann(GOING), False),
        ("not_your_turn", without_ann(STAYING), False),
        ("cannot_check", without_ann(STAYING), False),
    ],
)
async def test_refusal_of_an_action_is_held_against_the_table(
    code: str, after: Json, is_right: bool
) -> None:
    """A bot may be overtaken while it thinks; whether it was, the next snapshot tells."""
    async with FakeRoom() as room:
        room.state = ann_to_act(3)
        room.faults.append(refuse_at("act", code, after))
        async with Client(room.address, nobody, "ann") as client:
            bot = Bot(client, "t1", STYLES[0], 0, Habits(think=(0, 0), stays=False))
            playing = asyncio.ensure_future(bot.run())
            await room.until(lambda: bot.played.stale + bot.played.refused > 0)
            playing.cancel()
        assert (bot.played.stale, len(bot.refusals)) == ((1, 0) if is_right else (0, 1))


# --- ways to a seat, and what is said beforehand ------------------------------------------------


def without_ben() -> Json:
    found = state()
    found["seats"][1] = None
    return found


@asynccontextmanager
async def looking(room: FakeRoom, way: Way, **habits: Any) -> AsyncIterator[Bot]:
    """Ben, who has sat before and looks for a seat in this way."""
    room.state = without_ben()
    async with Client(room.address, nobody, "ben") as client:
        bot = Bot(client, "t1", STYLES[0], 0, Habits(ways=(way,), **habits))
        bot._sat = True
        playing = asyncio.ensure_future(bot.run())
        yield bot
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


def seats_ben(route: str, **more: Any) -> Fault:
    """Who asks on this route is seated."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        room.state, room.seq = state(), room.seq + 1
        seen = {"seq": room.seq, "now": room.now, "away": [], "state": room.state}
        return answer(route, snapshot=seen, **more)(room, socket, message)

    return fault


async def test_a_bot_takes_the_best_seat_of_its_stake() -> None:
    async with FakeRoom() as room, looking(room, Way.QUICK) as bot:
        room.faults.append(seats_ben("quickseat", table="t2", seat=1))
        await room.until(lambda: bot.played.quick > 0 and "unwatch" in room.routes())
        assert (bot.table, bot.played.sits) == ("t2", 1)
        assert room.of("quickseat")[0]["structure"] == STRUCTURE
        assert room.of("unwatch")[0]["table"] == "t1"


async def test_a_bot_that_finds_all_full_tries_again() -> None:
    async with FakeRoom() as room, looking(room, Way.QUICK) as bot:
        room.faults.append(refuse("quickseat", "all_full"))
        await room.until(lambda: bot.played.refused > 0)
        assert bot.refusals == []


async def test_a_bot_waits_in_line_and_takes_what_is_offered() -> None:
    async with FakeRoom() as room, looking(room, Way.WAIT) as bot:
        await room.until(lambda: bot.played.waits > 0)
        room.faults.append(seats_ben("sit"))
        await room.send(offer(room, "t1"))
        await room.until(lambda: bot.played.offered > 0)
        assert bot.client.lines == set()
        assert [message["seat"] for message in room.of("sit")] == [1]
        assert room.of("unwait") == []


async def test_a_bot_may_let_an_offer_go_by() -> None:
    async with FakeRoom() as room, looking(room, Way.WAIT, ignores=1.0) as bot:
        await room.until(lambda: bot.played.waits == 1)
        await room.send(offer(room, "t1"))
        await room.send(offer(room, None) | {"until": None, "waiting": False})
        await room.until(lambda: bot.played.waits == 2)
        assert room.of("sit") == []


def offer(room: FakeRoom, table: str | None) -> Json:
    until = room.now + 30_000
    told = {"type": "offer", "structure": STRUCTURE, "now": room.now, "waiting": True}
    return told | {"table": table, "until": until}


@pytest.mark.parametrize("code", sorted(GONE_ON))
async def test_a_bot_says_beforehand_what_it_will_do_once_a_turn(code: str) -> None:
    async with FakeRoom() as room:
        room.state = bens_turn()
        room.faults.append(refuse("preact", code))
        async with Client(room.address, nobody, "ann") as client:
            bot = Bot(client, "t1", STYLES[0], 0, Habits(prepares=1.0))
            playing = asyncio.ensure_future(bot.run())
            await room.until(lambda: bot.played.refused > 0)
            await room.push({"e": "sat_out", "seat": 2, "at": 1}, turn=bens_turn(4)["turn"])
            await room.until(lambda: bot.played.prepared > 0)
            await room.push({"e": "sat_in", "seat": 2, "status": "active"})
            await client.request("ping")
            playing.cancel()
        assert bot.refusals == []
        assert [message["price"] for message in room.of("preact")] == [100, 100]
        assert {message["do"] for message in room.of("preact")} <= {*map(str, PreDo), "none"}


def bens_turn(number: int = 3) -> Json:
    found = ann_to_act(number)
    found["turn"]["seat"] = 1
    for seat in found["seats"]:
        seat["in_hand"] = True
    return found


async def test_a_bot_lets_its_chips_be_topped_up_once_a_hand() -> None:
    async with FakeRoom() as room:
        room.state = state(hands=4)
        async with Client(room.address, nobody, "ann") as client:
            bot = Bot(client, "t1", STYLES[0], 0, Habits(refills=1.0))
            playing = asyncio.ensure_future(bot.run())
            await room.until(lambda: bot.played.refills == 1)
            await room.push({"e": "sat_in", "seat": 2, "status": "active"})
            await client.request("ping")
            playing.cancel()
        (asked,) = room.of("autotopup")
        assert asked["to"] == 0 or 1_000 <= asked["to"] <= 10_000


async def nobody() -> None:
    """No token."""
