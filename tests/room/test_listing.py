"""The list of open tables: each row as its table was last written, whatever the stream does."""

import random
from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.dealer import Applied
from cardroom.listing import Row, State, row_of
from cardroom.pace import Pace
from cardroom.store import DynamoTables
from poker_engine.stakes import fixed_limit, table_settings
from tests.room.world import World, settings


def _row(world: World) -> Row:
    (row,) = world.tables.rows()
    return row


def _true_row(world: World) -> Row:
    stored = world.stored()
    return row_of("t", stored.table, stored.pace)


def test_a_new_table_is_listed_empty(world: World) -> None:
    assert _row(world) == Row(
        table="t",
        structure="nl-PHP-500-1000",
        game="nl",
        currency="PHP",
        small_blind=500,
        big_blind=1_000,
        small_bet=0,
        big_bet=0,
        seats=6,
        taken=0,
        active=0,
        waiting=0,
        players=(None,) * 6,
        average_pot=None,
        flop_permille=None,
        hands_hour=None,
        acting_ms=None,
        state=State.OPEN,
        minimum=10_000,
        maximum=100_000,
        delay_s=0,
        time_bank_ms=0,
    )


def test_fixed_limit_has_its_bets_and_no_maximum(aws: None) -> None:
    world = World(table_settings(fixed_limit("USD", 200), 9))
    row = _row(world)
    assert (row.game, row.currency) == ("fl", "USD")
    assert (row.small_blind, row.big_blind, row.small_bet, row.big_bet) == (100, 200, 200, 400)
    assert row.maximum is None


def test_a_row_is_kept_as_text(world: World) -> None:
    world.seat("ana", "ben")
    row = replace(_true_row(world), average_pot=1_500, state=State.FROZEN)
    assert Row.load(row.dump()) == row


def test_it_tells_who_sits_who_is_dealt_in_and_who_waits(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.connect("dan", "dan")
    world.say("dan", "sit", seat=4, chips=50_000)
    world.say("cyd", "sitout")
    world.stream()
    row = _row(world)
    assert row.players == ("ana", "ben", "cyd", None, "dan", None)
    assert (row.seats, row.taken, row.active, row.waiting) == (6, 4, 2, 1)
    world.play_out()
    world.stream()
    assert (_row(world).taken, _row(world).active, _row(world).waiting) == (4, 2, 1)


def test_who_is_dealt_in_waits_no_more(world: World) -> None:
    world.seat("ana", "ben")
    world.stream()
    assert (_row(world).active, _row(world).waiting) == (0, 2)
    world.deal()
    world.stream()
    assert (_row(world).active, _row(world).waiting) == (2, 0)


def test_the_hands_end_brings_the_averages(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.play_out()
    world.stream()
    assert _row(world).average_pot == 2_000
    assert _row(world).flop_permille == 1_000


def test_a_delayed_table_tells_no_pot_before_its_spectators_see_it(aws: None) -> None:
    world = World(settings(delay_s=60))
    world.seat("ana", "ben")
    world.deal()
    world.play_out()
    world.stream()
    row = _row(world)
    assert world.stored().pace.pot == 2_000
    assert (row.delay_s, row.average_pot, row.flop_permille) == (60, None, None)
    assert row.taken == 2


def test_its_state_follows_the_operator(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    for done, state in (
        (world.dealer.freeze, State.FROZEN),
        (world.dealer.thaw, State.OPEN),
        (world.dealer.close, State.CLOSING),
    ):
        assert isinstance(done("t"), Applied)
        world.stream()
        assert _row(world).state is state


@pytest.mark.rule("2.8")
def test_a_closed_table_vanishes_and_stays_away(world: World) -> None:
    world.seat("ana", "ben")
    late = world.updates()
    world.dealer.close("t")
    assert world.tables.rows() == ()
    world.broadcast.deliver(late)
    world.stream()
    assert world.tables.rows() == ()


def _session(world: World) -> None:
    """Each thing that a row tells of changes at least once."""
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.play_out()
    world.say("cyd", "sitout")
    world.deal()
    world.act("fold")
    world.say("cyd", "sitin", post=True)
    world.say("ben", "leave")
    world.dealer.freeze("t")
    world.dealer.thaw("t")
    world.deal()
    world.dealer.void("t", "test")
    world.dealer.freeze("t")


def test_after_each_write_the_row_is_the_tables(world: World) -> None:
    """So nothing that changes it is overlooked."""
    _session(world)
    images = list(world.tables.images)
    assert len(images) > 15
    for update in world.updates():
        world.broadcast.deliver([update])
        assert _row(world) == row_of("t", update.table, update.pace)


@pytest.mark.parametrize("seed", range(3))
def test_a_row_never_goes_backwards(world: World, seed: int) -> None:
    """Whatever of the stream comes twice, late, or in another order."""
    _session(world)
    updates = world.updates()
    shuffled = [*updates, *updates]
    random.Random(seed).shuffle(shuffled)
    shown: list[int] = []
    for update in shuffled:
        world.broadcast.deliver([update])
        shown.append(_seq(world))
    assert shown == sorted(shown)
    assert _row(world) == _true_row(world)


def _seq(world: World) -> int:
    item = _item(world)
    return int(item["seq"]["N"])


def _item(world: World) -> Any:
    answer = world.tables._client.get_item(
        TableName="cardroom", Key={"pk": {"S": "LISTED"}, "sk": {"S": "t"}}
    )
    return answer["Item"]


def test_what_changes_nothing_is_not_written(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.stream()
    listed: list[int] = []
    monkeypatch.setattr(world.tables, "list_row", lambda row, seq: listed.append(seq))
    world.act("call")
    world.act("check")
    world.say("ana", "sitout", when="big_blind")
    world.stream()
    assert listed == []
    world.play_out()
    world.stream()
    assert len(listed) == 1
    world.deal()
    world.stream()
    assert len(listed) == 1, "a hand begins among those who were active"


@pytest.mark.parametrize("damage", [None, "", "[]", "{}", '{"table":"t"}', "nonsense"])
def test_a_row_that_is_missing_or_damaged_is_made_of_the_table(
    world: World, damage: str | None
) -> None:
    """As of tables that were opened before there were rows."""
    world.seat("ana")
    item = _item(world)
    del item["row"], item["seq"]
    if damage is not None:
        item["row"] = {"S": damage}
    world.tables._client.put_item(TableName="cardroom", Item=item)
    assert _row(world) == _true_row(world)
    world.stream()
    assert Row.load(_item(world)["row"]["S"]) == _true_row(world)


def test_a_row_that_cannot_be_written_comes_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ClientError({"Error": {"Code": "InternalServerError"}}, "UpdateItem")

    world.seat("ana", "ben")
    updates = world.updates()
    with monkeypatch.context() as patch:
        patch.setattr(DynamoTables, "list_row", broken)
        assert world.broadcast.deliver(updates) == updates[0].sequence
    assert world.push.to("ana"), "what was pushed was pushed"
    assert world.broadcast.deliver(updates) is None
    assert _row(world) == _true_row(world)


def test_a_row_fits_two_writes(aws: None) -> None:
    """Units of a write are 1 KB."""
    table = World(settings(seats=10)).stored().table
    names = tuple(f"{number}{'x' * 19}" for number in range(10))
    row = row_of("t" * 32, table, Pace(10**10, 1000, 10, 60_000, 10**13))
    assert len(replace(row, players=names, state=State.CLOSING).dump()) < 900
