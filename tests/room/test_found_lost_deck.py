"""A deck that is lost, or no longer kept, costs its hand, and nobody the table."""

from cardroom.messages import Error, Ok
from tests.room.world import World

EIGHT_DAYS = 8 * 86_400_000


def _lose_deck(world: World) -> None:
    """As if it had expired; no function has kept it either."""
    hand = world.stored().table.hand
    assert hand is not None
    world.tables._client.delete_item(
        TableName="cardroom", Key={"pk": {"S": "SECRET#t"}, "sk": {"S": hand.deck}}
    )
    world.dealer.decks._kept.clear()


def _second_hand(world: World) -> None:
    """In the first one a void hand makes newcomers of all who were dealt in."""
    world.seat("ana", "ben")
    world.deal()
    assert isinstance(world.act("fold"), Ok)
    world.deal()


def _state_shown_to(world: World, player: str) -> dict[str, object]:
    reply = world.say(player, "watch")
    assert isinstance(reply, Ok), reply
    assert reply.snapshot is not None
    state: dict[str, object] = reply.snapshot["state"]
    return state


def test_a_table_whose_deck_is_lost_is_shown_without_the_cards_of_the_hand(world: World) -> None:
    _second_hand(world)
    assert "hole" in _state_shown_to(world, "ana")
    _lose_deck(world)
    state = _state_shown_to(world, "ana")
    assert "hole" not in state
    assert state["turn"] is not None
    assert world.signals.counts["DeckMissing"] == 1
    assert "InternalError" not in world.signals.counts


def test_after_its_hand_was_voided_players_see_their_table(world: World) -> None:
    _second_hand(world)
    _lose_deck(world)
    assert isinstance(world.act("call"), Ok)
    assert isinstance(world.act("check"), Error)
    world.clock.go(60_000)
    assert world.sweep.run() == 1
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.voided
    assert "hole" not in _state_shown_to(world, "ana")
    assert "DeckMissing" not in world.signals.counts


def test_who_sits_alone_for_a_week_still_sees_his_table(world: World) -> None:
    """The deck of the last hand has expired by then."""
    world.seat("ana", "ben")
    world.deal()
    assert isinstance(world.act("fold"), Ok)
    assert isinstance(world.say("ben", "leave"), Ok)
    world.clock.go(EIGHT_DAYS)
    world.dealer.apply("t")
    _lose_deck(world)
    assert "hole" not in _state_shown_to(world, "ana")
    refused = world.say("ana", "show", cards=[0, 1])
    assert isinstance(refused, Error)
    assert refused.code == "nothing_to_show"
    assert "InternalError" not in world.signals.counts
