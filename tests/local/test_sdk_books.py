"""The books that the TypeScript SDK keeps of a table: folding the pushes gives what a new snapshot
shows, over whole evenings.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from local.rehearsal import BEGIN, Rehearsal
from poker_engine import views
from poker_engine.evolve import open_table
from poker_engine.stakes import PHP_STAKES, Settings, fixed_limit, table_settings
from tests.web import run

HANDS = 60
EVENINGS = {
    "no-limit": table_settings(PHP_STAKES[1], 5, time_bank_ms=5_000),
    "limit": table_settings(fixed_limit("USD", 1000), 4),
}


def _evening(settings: Settings, viewer: int) -> Iterator[dict[str, Any]]:
    before = open_table(settings)
    player = f"bot-{viewer}"
    yield {"player": player, "snapshot": views.snapshot(before, None, None, BEGIN) | {"away": []}}
    for step in Rehearsal(settings, seed=11, sleepy=0.1, prepares=0.3).steps(HANDS):
        seat = viewer if step.table.seats[viewer] is not None else None
        deck = step.deck if views.needs_deck(step.table, seat) else None
        push = views.push(step.table, step.events, seat, deck, before.seq, step.at)
        shown = views.snapshot(step.table, seat, deck, step.at)
        yield {"push": push | {"away": []}, "snapshot": shown | {"away": []}}
        before = step.table


@pytest.mark.parametrize("name", EVENINGS)
def test_folded_pushes_equal_a_snapshot(name: str) -> None:
    lines = "\n".join(json.dumps(line) for line in _evening(EVENINGS[name], viewer=2))
    told = json.loads(run("follow", lines, seconds=60))
    assert told["compared"] > 10 * HANDS
    assert told["own"] > 10
