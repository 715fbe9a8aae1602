"""A player's account, as he is told of it himself."""

import json
from typing import Any

import pytest

from cardroom import contract
from cardroom.bank import Order
from cardroom.messages import Error, Ok
from cardroom.tables import open_table
from tests.room.world import RICH, World, settings


def _account(world: World, player: str = "ana") -> dict[str, Any]:
    answer = world.say(player, "account")
    assert isinstance(answer, Ok)
    shown: dict[str, Any] = json.loads(answer.text())["account"]
    contract.AccountView.model_validate_json(json.dumps(shown))
    return shown


def test_it_tells_balances_and_where_he_sits(world: World) -> None:
    assert open_table(world.tables, "second", settings(), world.clock.now())
    world.connect("ana", "ana")
    world.connect("ben", "ben")
    world.fund("ana", amount=500, currency="USD")
    world.say("ana", "sit", seat=0, chips=40_000)
    world.say("ana", "sit", seat=5, chips=30_000, table="second")
    world.say("ben", "sit", seat=1, chips=40_000)
    world.stream()
    shown = _account(world)
    assert (shown["player"], shown["standing"]) == ("ana", "open")
    assert shown["balances"] == [
        {"currency": "PHP", "balance": RICH - 70_000},
        {"currency": "USD", "balance": 500},
    ]
    assert shown["seats"] == ["second", "t"]
    assert _account(world, "ben")["seats"] == ["t"]
    world.say("ana", "leave")
    world.stream()
    assert _account(world)["seats"] == ["second"]
    assert _account(world)["balances"][0]["balance"] == RICH - 30_000


def test_it_tells_his_standing_and_his_limits(world: World) -> None:
    world.connect("ana", "ana")
    world.bank.suspend("ana", Order("test", "why"))
    shown = _account(world)
    assert shown["standing"] == "suspended"
    assert shown["limits"]["exclude_until"] is None
    assert [one["currency"] for one in shown["limits"]["currencies"]] == ["PHP"]


def test_it_tells_where_he_waits_for_a_seat(world: World) -> None:
    """With his place, as `wait` would; it gives him none."""
    stake = "nl-PHP-500-1000"
    for player in ("cyd", "dan"):
        world.connect(player, player)
        world.say(player, "wait", structure=stake)
    assert _account(world, "eve")["lines"] == []
    place = {"structure": stake, "length": 2, "table": None, "until": None}
    assert _account(world, "cyd")["lines"] == [{**place, "place": 1}]
    assert _account(world, "dan")["lines"] == [{**place, "place": 2}]
    world.say("cyd", "unwait", structure=stake)
    assert _account(world, "cyd")["lines"] == []
    assert _account(world, "dan")["lines"] == [{**place, "place": 1, "length": 1}]


def test_an_offer_is_told_while_it_lasts(world: World) -> None:
    stake = "nl-PHP-500-1000"
    world.lines.join(stake, "cyd", world.clock.now())
    (waiter,) = world.lines.line(stake)
    until = world.clock.now() + 1_000
    assert world.lines.offer(waiter, "t", until)
    world.lines.told(world.lines.line(stake)[0])
    told = {"structure": stake, "place": 1, "length": 1, "table": "t", "until": until}
    assert _account(world, "cyd")["lines"] == [told]
    world.clock.go(1_000)
    assert _account(world, "cyd")["lines"] == []


def test_lines_of_more_stakes_than_one_read_takes_are_told(world: World) -> None:
    stakes = [f"nl-PHP-{number}-{2 * number}" for number in range(1, 131)]
    for stake in stakes[::43]:
        world.lines.join(stake, "cyd", world.clock.now())
    assert world.lines.of("cyd", stakes) == set(stakes[::43])
    assert world.lines.of("cyd", []) == set()


def test_who_is_no_player_of_the_room_yet_has_an_empty_one(world: World) -> None:
    shown = _account(world, "new")
    assert shown["standing"] is None
    assert shown["balances"] == shown["seats"] == shown["limits"]["currencies"] == []


def test_a_guest_has_none(world: World) -> None:
    answer = world.say("", "account", on="guest")
    assert isinstance(answer, Error)
    assert answer.code == "not_allowed"


@pytest.mark.parametrize("field", ["table", "of"])
def test_nobody_asks_for_anothers(world: World, field: str) -> None:
    answer = world.say("ana", "account", **{field: "ben"})
    assert isinstance(answer, Error)
    assert answer.code == "bad_message"
