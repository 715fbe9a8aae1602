"""The codec's texts: what they look like, what is refused, and how long they get."""

import json
from random import Random
from uuid import UUID

import pytest

from poker_engine.codec import Damaged, dump_events, dump_table, load_events, load_table
from poker_engine.commands import Act, Sit, Start
from poker_engine.decide import Advance, advance
from poker_engine.events import Acted, Event, Paused, Posted, TurnBegan
from poker_engine.evolve import open_table
from poker_engine.legal import Options, options
from poker_engine.stakes import no_limit, table_settings
from poker_engine.state import Cause, Do, Post, Table
from tests.engine.kit import NOON, given
from tests.engine.strategies import shuffled


def test_an_event_is_a_list_of_its_tag_and_its_fields() -> None:
    events: tuple[Event, ...] = (
        Posted(1, Post.SMALL_BLIND, 100),
        TurnBegan(number=3, seat=2, deadline=NOON + 1, expires=NOON + 2000),
        Acted(2, Do.RAISE, 400, 300, Cause.OWN),
        Acted(2, Do.CALL, 400, 400, Cause.OWN),
        Acted(3, Do.FOLD, 0, 0, Cause.OWN),
        Acted(4, Do.FOLD, 0, 0, Cause.EXPIRED),
        Paused(),
    )
    text = dump_events(events)
    assert json.loads(text) == [
        ["small_blind", 1, 100],
        ["turn", 3, 2, NOON + 1],
        ["raise", 2, 400, 300],
        ["call", 2, 400],
        ["fold", 3],
        ["fold", 4, 0, 0, "expired"],
        ["pause"],
    ]
    assert load_events(text) == events


def test_lists_of_events_may_be_joined_as_texts() -> None:
    game = given([100, 100])
    game.play("s1 calls, s0 checks")
    parts = [dump_events(game.log[:5]), dump_events(game.log[5:])]
    assert load_events(f"{parts[0][:-1]},{parts[1][1:]}") == tuple(game.log)


def test_standings_that_the_hand_did_not_change_are_not_written_twice() -> None:
    game = given([100, 100, 100])
    game.fold_out()
    game.next_hand()
    before = json.loads(dump_table(game.table))[4][7]
    # The first hand is behind them: now only the big blind's standing changes.
    assert [entry == 0 for entry in before] == [number != 2 for number in range(3)]
    assert load_table(dump_table(game.table)) == game.table


def test_booleans_come_back_as_booleans() -> None:
    game = given([100, 100])
    game.void()
    table = load_table(dump_table(game.table))
    assert table.hand is not None
    assert table.hand.voided is True
    assert table.hand.capped is False
    assert table.hand.positions_before[3] is True
    assert table.fresh is True


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", "7", '"table"', "[[]]", "[1,2,3]", '[["nl"],[]]', "[[[]],[[]]]"],
)
def test_what_is_no_table_is_damaged(text: str) -> None:
    with pytest.raises(Damaged):
        load_table(text)


@pytest.mark.parametrize(
    "text",
    ["", "{", "7", "null", "[7]", "[[]]", '[["no such tag",1]]', '[["fold"]]', '[["turn",1,2]]'],
)
def test_what_is_no_list_of_events_is_damaged(text: str) -> None:
    with pytest.raises(Damaged):
        load_events(text)


def test_a_hand_of_ten_stays_within_the_state_items_budget() -> None:
    """3 KB on average, 8 at most, of which the room needs 1; these hands are long, of 27 turns."""
    sizes = [size for seed in range(4) for size in _sizes(seed)]
    assert sum(sizes) / len(sizes) < 2_000
    assert max(sizes) < 4_000


def _sizes(seed: int) -> list[int]:
    """Bytes of table and log after every action of ten hands with ten players."""
    random = Random(seed)
    players = [str(UUID(int=random.getrandbits(128))) for _ in range(10)]
    table = open_table(table_settings(no_limit("PHP", 10_000), 10))
    for seat, player in enumerate(players):
        table = _after(table, Sit(player, seat, 2_000_000), NOON).table
    sizes = []
    for number in range(10):
        now = table.next_hand_at
        assert now is not None
        deck = shuffled(random.getrandbits(32))
        step = _after(table, Start(f"{number:022}", random.randrange(2520)), now, deck)
        log = [*step.events]
        while (may := options(step.table)) is not None:
            sizes.append(len(dump_table(step.table)) + len(dump_events(log)))
            now += random.randrange(500, 9_000)
            step = _after(step.table, _action(step.table, may, random), now, deck)
            log += step.events
        table = step.table
    return sizes


def _after(
    table: Table, command: Sit | Start | Act, now: int, deck: tuple[int, ...] | None = None
) -> Advance:
    outcome = advance(table, command, now, deck)
    assert isinstance(outcome, Advance), outcome
    return outcome


def _action(table: Table, may: Options, random: Random) -> Act:
    hand, occupant = table.hand, table.seats[may.seat]
    assert hand is not None
    assert hand.turn is not None
    assert occupant is not None
    do, to = Do.CHECK if may.check else Do.CALL if random.random() < 0.5 else Do.FOLD, 0
    if may.min_to is not None and random.random() < 0.15:
        do, to = may.verb, may.min_to
    return Act(occupant.player, hand.number, hand.turn.number, do, to)
