"""STATE in the first schema and in the second: either way the same table is read of it."""

import json
from random import Random

import pytest

from cardroom.damage import UNREADABLE, Attributes
from cardroom.soundness import events_of
from cardroom.store import read_table
from cardroom.streamed import read_update
from poker_engine.terse import plain, terse
from tests.releases.__main__ import Memory
from tests.room.random_room import something
from tests.room.world import World, settings

PLAYERS = ("p0", "p1", "p2", "p3", "p4")


def _in(item: Attributes, schema: int) -> Attributes:
    """The item as a release has it that writes this schema."""
    rewrite = {(1, 2): terse, (2, 1): plain}.get((int(item["schema"]["N"]), schema), list)
    after = read_table(item)
    before, seq, at, events = json.loads(item["outbox"]["S"])
    seats = [None if seat is None else seat.player for seat in after.table.seats]
    return {
        **item,
        "schema": {"N": str(schema)},
        "log": {"S": _text([rewrite(one) for one in json.loads(item["log"]["S"])])},
        "outbox": {"S": _text([before, seq, at, [rewrite(one) for one in events]])},
        "results": {"S": after.results.dump(seats, schema)},
    }


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.parametrize("seed", [1, 2])
def test_both_are_read_as_the_same_table(memory: Memory, seed: int) -> None:
    world, dice = World(settings(time_bank_ms=20_000), seed=seed), Random(seed)
    for player in PLAYERS:
        world.connect(player, player)
    for turn in range(200):
        something(world, dice, dice.choice(PLAYERS), turn)
    left = shorter = 0
    for item in world.tables.history:
        first, second = _in(item, 1), _in(item, 2)
        assert item in (first, second)
        assert read_table(first) == read_table(second)
        assert events_of(read_table(first).log) == events_of(read_table(second).log)
        one, other = ({"SequenceNumber": "1", "NewImage": image} for image in (first, second))
        assert read_update(one) == read_update(other)
        left += any(until for until, _ in read_table(item).results.players.values())
        shorter += len(_text(first)) - len(_text(second)) > 100
    assert left > 5
    assert shorter > 5


def test_what_is_of_the_one_is_damaged_as_the_other(memory: Memory) -> None:
    world = World()
    world.seat("ana", "ben", "cem")
    world.deal()
    world.act("call")
    item = world.tables.history[-1]
    for schema, other in ((1, 2), (2, 1)):
        spoilt = {**_in(item, schema), "schema": {"N": str(other)}}
        with pytest.raises(UNREADABLE):
            read_update({"SequenceNumber": "1", "NewImage": spoilt})
        with pytest.raises(UNREADABLE):
            events_of(read_table(spoilt).log)
