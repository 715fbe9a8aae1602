"""A damaged item is reported, left as it is, and spoils nothing but its own table or player."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from cardroom import keys
from cardroom.bans import DynamoBans
from cardroom.connections import DynamoViews
from cardroom.damage import DamagedError
from cardroom.dealer import Dealer
from cardroom.errors import WalletError
from cardroom.lines import DynamoLines
from cardroom.lobby import AHEAD, SLOT_MS
from cardroom.messages import Error, Ok
from cardroom.shape import holds
from cardroom.store import DynamoTables, read_state
from cardroom.tables import open_table
from cardroom.watchers import DynamoWatchers
from clock import app as clock
from connect import app as connect
from poker_engine.schema import SCHEMA
from poker_engine.state import Table
from tests.room.world import TABLE, World, settings

type Item = dict[str, Any]

STRUCTURE = "nl-PHP-500-1000"


@pytest.fixture
def reporting(world: World) -> World:
    """Three players in a hand, and stores that report."""
    signals = world.signals
    world.tables = world.dealer.tables = DynamoTables(TABLE, signals)  # type: ignore[assignment]
    world.views = DynamoViews(TABLE, signals=signals)
    world.lines, world.watchers = DynamoLines(TABLE, signals), DynamoWatchers(TABLE, signals)
    world.dealer = Dealer(world.tables, world.clock, world.randomness, signals)
    world.room = world.new_room()
    world.sweep = world.new_sweep()
    world.seat("ana", "ben", "cem")
    world.deal()
    world.signals.counts.clear()
    return world


def _item(world: World, partition: str, sort: str) -> Item:
    key = {"pk": {"S": partition}, "sk": {"S": sort}}
    found: Item = world.tables._client.get_item(TableName=TABLE, Key=key)["Item"]
    return found


def _put(world: World, item: Item) -> None:
    world.tables._client.put_item(TableName=TABLE, Item=item)


def _damage(world: World, partition: str, sort: str, **changed: Any) -> Item:
    item = {**_item(world, partition, sort), **changed}
    item = {name: value for name, value in item.items() if value is not None}
    _put(world, item)
    return item


def _state(world: World) -> Item:
    return _item(world, keys.table("t"), keys.STATE)


def _in_state(path: tuple[int, ...], value: Any) -> Callable[[Item], None]:
    def change(item: Item) -> None:
        whole = json.loads(item["state"]["S"])
        at = whole
        for place in path[:-1]:
            at = at[place]
        at[path[-1]] = value
        item["state"] = {"S": json.dumps(whole)}

    return change


def _with(**attributes: Any) -> Callable[[Item], None]:
    def change(item: Item) -> None:
        item.update(attributes)

    return change


def _without(name: str) -> Callable[[Item], None]:
    def change(item: Item) -> None:
        del item[name]

    return change


STACK = (1, 0, 1)
"""Of the state's text: the first seat's chips."""
UNSOUND: dict[str, Callable[[Item], None]] = {
    "a missing attribute": _without("log"),
    "another type of attribute": _with(chips_in={"S": "5"}),
    "torn text": _with(state={"S": "[["}),
    "emptied text": _with(results={"S": ""}),
    "a depth that nobody reads": _with(log={"S": "[" * 5000}),
    "a schema to come": _with(schema={"N": str(SCHEMA + 1)}),
    "no schema": _with(schema={"N": "0"}),
    "a log that is no list": _with(log={"S": "{}"}),
    "text for a number": _in_state(STACK, "100"),
    "less than nothing": _in_state(STACK, -100),
    "more than can be counted": _in_state(STACK, 2**60),
    "other chips": _in_state(STACK, 1),
    "no name": _in_state((1, 0, 0), ""),
    "a player in two seats": _in_state((1, 0, 0), "ben"),
    "no such seat": _in_state((5,), 6),
    "a seat too few": _in_state((1,), []),
    "nobody leaving": _with(leaving={"S": "[[0]]"}),
    "pace that is text": _with(pace={"S": '["x",1,1,1,1]'}),
    "an answer without a number": _with(results={"S": '{"ana":["x",""]}'}),
}


@pytest.mark.parametrize("how", UNSOUND)
def test_nothing_is_decided_on_a_damaged_table(reporting: World, how: str) -> None:
    world = reporting
    item = _state(world)
    UNSOUND[how](item)
    _put(world, item)
    for route in ("watch", "sitout", "leave"):
        reply = world.say("ana", route)
        assert isinstance(reply, Error)
        assert reply.code == "out_of_order"
    assert world.signals.counts["ItemDamaged"] == world.signals.counts["OutOfOrder"] == 3
    assert "InternalError" not in world.signals.counts
    world.clock.go(60_000)
    world.sweep.run()
    assert world.signals.counts["StuckTable"] == 1
    assert _state(world) == item


def test_what_a_later_version_adds_is_no_damage(reporting: World) -> None:
    item = _state(reporting)
    whole = read_state(item)
    text = json.loads(item["state"]["S"])
    text += [None] * (len(Table.__dataclass_fields__) - len(text)) + ["more"]
    assert read_state({**item, "more": {"S": "x"}}) == whole


def test_shapes_are_what_annotations_say() -> None:
    assert holds((1, None), tuple[int | None, ...])
    assert not holds((1, "1"), tuple[int, ...])
    assert not holds((1,), tuple[int, int])
    assert not holds(True, int)
    assert not holds(-1, int)
    assert not holds("", str)
    with pytest.raises(TypeError):
        holds(1.0, float)


# --- beside it ------------------------------------------------------------------------------------


@pytest.fixture
def two(reporting: World) -> World:
    """And a second table of the stake, which is well."""
    assert open_table(reporting.tables, "u", settings(), reporting.clock.now())
    reporting.connect("dia", "dia")
    return reporting


def test_the_other_tables_of_the_stake_are_served(two: World) -> None:
    _damage(two, keys.table("t"), keys.STATE, state={"S": "[["})
    assert isinstance(two.say("dia", "quickseat", structure=STRUCTURE, chips=50_000), Ok)
    _damage(two, keys.LISTED, "t", row={"S": "{}"})
    reply = two.say("dia", "lobby")
    assert isinstance(reply, Ok)
    assert reply.lobby is not None
    assert [row["table"] for row in reply.lobby["tables"]] == ["u"]
    two.new_stakes().serve(STRUCTURE)
    assert two.signals.counts["ItemDamaged"] > 2


def test_a_row_that_cannot_be_read_is_made_from_the_table(two: World) -> None:
    rows = two.tables.rows()
    row = json.loads(_item(two, keys.LISTED, "t")["row"]["S"])
    for changed in (
        {"row": {"S": json.dumps({**row, "taken": "three"})}},
        {"row": {"S": json.dumps({**row, "table": "u"})}},
        {"row": {"S": json.dumps({**row, "players": []})}},
        {"seq": {"S": "x"}},
    ):
        before = _item(two, keys.LISTED, "t")
        _damage(two, keys.LISTED, "t", **changed)
        assert [one.table for one in two.tables.rows()] == [one.table for one in rows]
        _put(two, before)
    assert two.signals.counts["ItemDamaged"] == 4


def test_a_deck_that_cannot_be_read_is_one_that_is_lost(reporting: World) -> None:
    hand = reporting.stored().table.hand
    assert hand is not None
    _damage(reporting, keys.secret("t"), hand.deck, deck={"S": "AsAs"})
    reporting.dealer.decks._kept.clear()
    reply = reporting.say("ana", "watch")
    assert isinstance(reply, Ok)
    assert "hole" not in json.dumps(reply.snapshot)
    assert {"ItemDamaged", "DeckMissing"} <= reporting.signals.counts.keys()


def test_a_view_that_cannot_be_read_costs_nobody_else_his_pushes(reporting: World) -> None:
    for attribute in ("player", "ttl", "seq"):
        before = _item(reporting, keys.seats("t"), keys.view("ana"))
        _damage(reporting, keys.seats("t"), keys.view("ana"), **{attribute: None})
        seated = reporting.views.audience("t", reporting.clock.now()).seated
        assert {one.connection for one in seated} == {"ben", "cem"}
        _put(reporting, before)
    assert reporting.signals.counts["ItemDamaged"] == 3


@pytest.mark.parametrize("attribute", ["tables", "player", "ttl"])
def test_a_connection_to_which_nothing_can_be_added_is_told_so(
    reporting: World, attribute: str
) -> None:
    """Or that cannot be read once it was."""
    odd = {"S": "x"} if attribute != "player" else {"BOOL": True}
    _damage(reporting, keys.connection("ana"), keys.CONNECTION, **{attribute: odd})
    for route in ("watch", "lobby"):
        reply = reporting.say("ana", route)
        assert isinstance(reply, Error)
        assert reply.code == "out_of_order"
    assert isinstance(reporting.say("ben", "watch"), Ok)


# --- of a player ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sort", "changed"),
    [
        (keys.PLAYER, {"standing": {"S": "?"}}),
        (keys.wallet("PHP"), {"balance": {"N": "-5"}}),
        (keys.wallet("PHP"), {"entries": {"N": "1.5"}}),
        (keys.LIMITS, {"limits": {"S": "[]"}}),
        (keys.LIMITS, {"limits": {"S": '{"deposits":{"PHP":["x",null,null]}}'}}),
        (keys.LIMITS, {"version": None}),
    ],
)
def test_what_is_damaged_of_a_player_concerns_him_alone(
    reporting: World, sort: str, changed: Item
) -> None:
    reporting.say("ana", "limits", currency="PHP", deposit_day=10_000)
    before = _damage(reporting, keys.user("ana"), sort, **changed)
    reply = reporting.say("ana", "account")
    assert isinstance(reply, Error)
    assert reply.code == "out_of_order"
    assert reporting.signals.counts["ItemDamaged"] == 1
    assert isinstance(reporting.say("ben", "account"), Ok)
    assert _item(reporting, keys.user("ana"), sort) == before


def test_a_leaving_that_cannot_be_read_binds_nobody_else(reporting: World) -> None:
    world = reporting
    world.say("cem", "leave")
    world.clock.go(60_000)
    world.dealer.apply("t")
    departures = world.tables.departures("cem", STRUCTURE)
    assert departures
    one = departures[0]
    sort = keys.left(STRUCTURE, one.left.at, "t", one.version)
    _damage(world, keys.user("cem"), sort, chips={"S": "x"})
    with pytest.raises(WalletError):
        world.tables.departures("cem", STRUCTURE)
    assert world.tables.departures("ben", STRUCTURE) == ()


def test_a_session_that_cannot_be_read_begins_anew(reporting: World) -> None:
    reporting.say("ana", "limits", reminder_minutes=30)
    _damage(reporting, keys.user("ana"), keys.SESSION, began={"S": "x"})
    assert isinstance(reporting.say("ana", "ping"), Ok)
    assert reporting.signals.counts["ItemDamaged"] == 1


def test_half_an_offer_holds_up_nobody(reporting: World) -> None:
    lines, now = reporting.lines, reporting.clock.now()
    for player in ("dia", "eve"):
        lines.join(STRUCTURE, player, now)
    _damage(reporting, keys.line(STRUCTURE), "dia", offered={"S": "t"})
    assert [one.player for one in lines.line(STRUCTURE)] == ["eve"]
    assert reporting.signals.counts["ItemDamaged"] == 1


def test_a_ban_that_cannot_be_read_keeps_nobody_out(reporting: World) -> None:
    bans = DynamoBans(TABLE, reporting.signals)
    bans.ban("dia", "", reporting.clock.now() + 60_000)
    assert bans.banned("dia", "", reporting.clock.now())
    _damage(reporting, keys.ban("dia"), keys.BAN, until={"S": "soon"})
    assert not bans.banned("dia", "", reporting.clock.now())
    assert reporting.signals.counts["ItemDamaged"] == 1


# --- the lobby's ticks ----------------------------------------------------------------------------


@pytest.mark.parametrize("slot", [{"N": "1E+30"}, None])
def test_the_lobby_goes_on_after_a_tick_that_is_none(
    reporting: World, slot: dict[str, str] | None
) -> None:
    now = reporting.clock.now() // SLOT_MS
    assert reporting.watchers.claim(now, "a")
    _damage(reporting, keys.LOBBY, keys.TICK, slot=slot)
    assert reporting.watchers.claim(now, "b")
    assert not reporting.watchers.claim(now, "c")
    assert reporting.signals.counts["ItemDamaged"] == 1


def test_nobody_claims_a_slot_so_long_before_its_time(reporting: World) -> None:
    reporting.say("ana", "lobby")
    now = reporting.clock.now() // SLOT_MS
    body = json.dumps({"do": "tick", "slot": now + AHEAD + 1})
    assert reporting.floor.deliver([("a", body)]) == []
    assert reporting.signals.counts["ErrandDamaged"] == 1
    assert reporting.watchers.claim(now, "b")


# --- odd events -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [{}, {"table": 5, "hand": 1, "started": "2023-11-14T22:13:20Z"}, {"table": "t", "hand": "x"}]
    + [{"table": "t", "hand": 1, "started": odd} for odd in (None, 5, "soon")],
    ids=str,
)
def test_a_wake_up_that_is_none_ends_its_execution(
    world: World, monkeypatch: pytest.MonkeyPatch, event: Item
) -> None:
    monkeypatch.setattr(clock, "composed", lambda: (world.turn_clock, world.signals))
    assert clock.handler(event, None) == {"done": True}
    assert world.signals.counts["RingDamaged"] == 1


@pytest.mark.parametrize(
    "context",
    [
        {"authorizer": {}, "identity": {"sourceIp": "192.0.2.1"}},
        {"authorizer": None, "identity": {"sourceIp": "192.0.2.1"}},
        {"authorizer": {"player": "ana"}, "identity": {"sourceIp": ""}},
        {"authorizer": {"player": 5}, "identity": {"sourceIp": "192.0.2.1"}},
        {"authorizer": {"player": "a" * 65}, "identity": {"sourceIp": "192.0.2.1"}},
        {"authorizer": {"player": "ana"}, "identity": {}},
    ],
    ids=str,
)
def test_who_is_not_told_by_the_authorizer_is_not_let_in(
    world: World, monkeypatch: pytest.MonkeyPatch, context: Item
) -> None:
    monkeypatch.setattr(connect, "composed", lambda: (world.entrance, world.signals))
    event = {"requestContext": {"connectionId": "odd", **copy.deepcopy(context)}}
    assert connect.handler(event, None) == {"statusCode": 403}
    assert not world.views.connections_of("ana")


def test_no_report_tells_what_an_item_holds(reporting: World) -> None:
    _damage(reporting, keys.table("t"), keys.STATE, state={"S": "secret words"})
    with pytest.raises(DamagedError) as raised:
        reporting.tables.load("t")
    assert str(raised.value) == "TABLE#t / STATE"
    assert "secret" not in "".join(reporting.signals.lines)
