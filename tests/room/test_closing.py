"""A table that closes: in one write everybody is paid and the list forgets it (RULES 2.8)."""

import pytest
from botocore.exceptions import ClientError

from cardroom.dealer import Applied
from cardroom.errors import Refused, RoomCode
from cardroom.messages import Ok
from cardroom.store import hands
from poker_engine.errors import Code
from tests.room.world import World

pytestmark = pytest.mark.rule("2.8")


def _listed(world: World) -> list[str]:
    answer = world.say("", "lobby", on="guest", watch=False)
    assert isinstance(answer, Ok)
    assert answer.lobby is not None
    return [row["table"] for row in answer.lobby["tables"]]


def _closed(world: World) -> Applied:
    applied = world.dealer.close("t")
    assert isinstance(applied, Applied)
    assert applied.refusal is None
    return applied


def _is_gone(world: World) -> None:
    stored = world.stored()
    assert stored.table.closed
    assert [seat for seat in stored.table.seats if seat is not None] == []
    assert stored.chips_in == stored.chips_out
    assert _listed(world) == []
    world.stream()


def test_at_rest_it_closes_at_once(world: World) -> None:
    world.seat("ana", "ben")
    assert _listed(world) == ["t"]
    assert _closed(world).stored == world.stored()
    _is_gone(world)
    assert hands("t") == []


def test_watching_it_still_answers(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.play_out()
    _closed(world)
    world.connect("guest")
    answer = world.say("", "watch", on="guest")
    assert isinstance(answer, Ok)
    assert answer.snapshot is not None
    assert answer.snapshot["state"]["closing"] is True
    assert answer.snapshot["state"]["seats"] == [None] * 6
    assert isinstance(world.say("ana", "sync", seq=0), Ok)
    refused = world.say("ana", "sit", seat=0, chips=50_000)
    assert getattr(refused, "code", None) == Code.TABLE_CLOSING


def test_a_players_last_action_closes_it(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    _closed(world)
    assert _listed(world) == ["t"]
    assert world.stored().table.running is not None
    assert isinstance(world.act("fold"), Ok)
    assert len(hands("t")) == 1
    _is_gone(world)


@pytest.mark.parametrize("by", ["clock", "sweep"])
def test_or_time_does(world: World, by: str) -> None:
    world.seat("ana", "ben")
    world.deal()
    _closed(world)
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    world.clock.go_to(hand.turn.expires + 5_000)
    if by == "clock":
        world.dealer.apply("t")
    else:
        assert world.sweep.run() == 1
    assert len(hands("t")) == 1
    _is_gone(world)


def test_closing_waits_for_nothing_that_is_due(world: World) -> None:
    """The next hand was to begin by now: it does not."""
    world.seat("ana", "ben")
    world.clock.go(60_000)
    _closed(world)
    assert world.stored().table.hands == 0
    _is_gone(world)


def test_it_closes_once(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    _closed(world)
    again = world.dealer.close("t")
    assert isinstance(again, Applied)
    assert again.refusal is not None
    assert again.refusal.code is Code.TABLE_CLOSING
    unknown = world.dealer.close("u")
    assert isinstance(unknown, Refused)
    assert unknown.code is RoomCode.UNKNOWN_TABLE


def test_list_and_table_change_together(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails takes the table off the list no more than it closes it."""
    world.seat("ana", "ben")
    before = world.stored()
    client = world.tables._client
    real = client.transact_write_items

    def with_a_refusal(TransactItems: list[object], **more: object) -> object:  # noqa: N803
        impossible = {
            "ConditionCheck": {
                "TableName": world.tables.name,
                "Key": {"pk": {"S": "TABLE#t"}, "sk": {"S": "META"}},
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        }
        first, *rest = TransactItems
        return real(TransactItems=[first, impossible, *rest], **more)

    monkeypatch.setattr(client, "transact_write_items", with_a_refusal)
    with pytest.raises(ClientError):
        world.dealer.close("t")
    assert world.stored() == before
    assert _listed(world) == ["t"]
