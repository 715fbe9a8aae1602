"""A hand through the room, from sitting down to its record."""

import json

import pytest

from cardroom.messages import Error, Ok
from cardroom.models import RakeItem
from cardroom.store import hands
from poker_engine.chips import chips_on_table
from poker_engine.codec import load_events, load_table
from poker_engine.replay import replay
from tests.room.world import World


def test_two_sit_down_and_play_a_hand_to_its_record(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.play_out()
    stored = world.stored()
    assert chips_on_table(stored.table) == stored.chips_in - stored.chips_out
    (record,) = hands("t")
    assert record.number == 1
    assert record.rake > 0
    assert stored.chips_out == record.rake
    assert [item.amount for item in RakeItem.query("RAKE#t")] == [record.rake]
    assert sum(pot[1] for pot in json.loads(record.pots)) == record.rake


@pytest.mark.rule("6.3")
def test_a_record_gives_the_table_back(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.play_out()
    (record,) = hands("t")
    assert replay(load_events(record.events), load_table(record.opening)) == world.stored().table


@pytest.mark.rule("5.4")
def test_a_voluntary_show_belongs_to_the_record(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.act("fold")
    winner = next(
        seat.player
        for seat in world.stored().table.seats
        if seat is not None and seat.stack > 100_000
    )
    (before,) = hands("t")
    assert isinstance(world.say(winner, "show", cards=[0]), Ok)
    (after,) = hands("t")
    assert after.events.startswith(before.events[:-1])
    (shown,) = load_events(after.events)[len(load_events(before.events)) :]
    assert type(shown).__name__ == "Shown"
    assert replay(load_events(after.events), load_table(after.opening)) == world.stored().table


def test_what_follows_a_hand_is_not_in_its_record(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.act("fold")
    (before,) = hands("t")
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "sit", seat=2, chips=50_000), Ok)
    assert hands("t") == [before]
    assert world.stored().log == before.events


def test_a_rejected_command_still_writes_what_was_due(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    late = world.stored().table.seats[hand.turn.seat]
    assert late is not None
    world.clock.go_to(hand.turn.expires)
    answer = world.say(late.player, "act", hand=hand.number, turn=hand.turn.number, do="call")
    assert isinstance(answer, Error)
    assert answer.code in ("stale_turn", "no_hand")
    assert world.stored().table.running is None
