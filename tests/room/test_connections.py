"""A player's connections, found by the player."""

import pytest

from tests.room.world import World

pytestmark = pytest.mark.usefixtures("moto")


def test_a_players_connections_are_found_on_all_his_devices(world: World) -> None:
    for connection, player in (("laptop", "ana"), ("phone", "ana"), ("other", "ben")):
        world.connect(connection, player)
    assert sorted(world.views.connections_of("ana")) == ["laptop", "phone"]
    assert world.views.connections_of("ben") == ["other"]
    assert world.views.connections_of("cyd") == []


def test_an_ended_connection_is_found_no_longer(world: World) -> None:
    world.connect("laptop", "ana")
    world.connect("phone", "ana")
    world.views.disconnect("laptop")
    assert world.views.connections_of("ana") == ["phone"]


def test_what_a_connection_watches_leaves_it_where_it_is_found(world: World) -> None:
    world.seat("ana", "ben")
    assert world.views.connections_of("ana") == ["ana"]
    assert world.say("ana", "leave").type == "ok"
    world.stream()
    assert world.views.connections_of("ana") == ["ana"]


def test_guests_are_in_no_index(world: World) -> None:
    world.connect("guest")
    item = world.views._client.get_item(
        TableName=world.views.name, Key={"pk": {"S": "CONN#guest"}, "sk": {"S": "CONN"}}
    )["Item"]
    assert set(item) == {"pk", "sk", "player", "ttl"}
    assert world.views.connections_of("") == []


def test_a_name_that_begins_another_finds_only_its_own(world: World) -> None:
    world.connect("one", "ana")
    world.connect("two", "ana2")
    assert world.views.connections_of("ana") == ["one"]
