"""The moment at which a message came is the one that counts (RULES 4.5)."""

import pytest

from cardroom.errors import Conflict
from cardroom.messages import Error, Ok
from cardroom.stored import Change
from poker_engine.state import Hand, Turn
from tests.room.world import World


def _a_moment_before_it_expires(world: World) -> tuple[Hand, Turn]:
    world.seat("ana", "ben", "cat")
    world.deal()
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.expires - 1)
    return hand, hand.turn


@pytest.mark.rule("4.5")
def test_an_action_in_time_counts_though_a_race_makes_it_wait_beyond_the_deadline(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, turn = _a_moment_before_it_expires(world)
    monkeypatch.setattr(world.clock, "pause", world.clock.go)
    write = world.tables.write

    def lost_to_another(change: Change) -> None:
        monkeypatch.setattr(world.tables, "write", write)
        raise Conflict(None)

    monkeypatch.setattr(world.tables, "write", lost_to_another)
    assert isinstance(world.act("call"), Ok)
    assert world.clock.now() >= turn.expires
    after = world.stored().table.hand
    assert after is not None
    assert after.live == hand.live
    assert after.turns == hand.turns + 1


@pytest.mark.rule("4.5")
def test_an_expiry_that_was_written_meanwhile_stands(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, turn = _a_moment_before_it_expires(world)
    write = world.tables.write

    def the_clock_is_first(change: Change) -> None:
        monkeypatch.setattr(world.tables, "write", write)
        world.clock.go(1)
        world.dealer.apply("t")
        write(change)

    monkeypatch.setattr(world.tables, "write", the_clock_is_first)
    refused = world.act("call")
    assert isinstance(refused, Error)
    assert refused.code == "stale_turn"
    after = world.stored().table.hand
    assert after is not None
    assert after.live == hand.live & ~(1 << turn.seat)
