"""From where players come: kept as hashes that tell who shares a place on a day, and no more."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.arrivals import KEPT_DAYS, DynamoArrivals, device_of
from cardroom.models import ConnectionItem
from cardroom.personal import Arrival, DynamoPersonal
from cardroom.spans import DAY_MS
from cardroom.store import DynamoTables
from tests.room.handled import Ports, handle, printed, sample
from tests.room.world import TABLE, World

ADDRESS = "192.0.2.7"
DEVICE = "n0tForTheLog_0123456789"
HASH = "00" * 12
DAMAGED = ("x", "1#zz#-", "1##-", "1#00#-", f"1#{HASH}", f"y#{HASH}#{HASH}", f"1#{HASH}#x")


def kept(world: World) -> list[Arrival]:
    found = DynamoPersonal.beside(world.tables).arrivals(world.clock.now())
    return [one for one in found if isinstance(one, Arrival)]


def admit(world: World, player: str, address: str = ADDRESS, device: str = "") -> Arrival:
    """What is kept of it, alone."""
    arrivals = DynamoPersonal.beside(world.tables)
    before = set(arrivals.arrivals_of(player, world.clock.now()))
    assert world.entrance.admit(f"{player}-{len(before)}", player, address, device)
    (new,) = set(arrivals.arrivals_of(player, world.clock.now())) - before
    return new


def test_two_of_one_place_are_told_by_the_same_hash(world: World) -> None:
    ana, ben = admit(world, "ana", device=DEVICE), admit(world, "ben", device=DEVICE)
    cyd = admit(world, "cyd", "192.0.2.8", "another_device_01")
    assert ana.day == ben.day == world.clock.now() // DAY_MS
    assert (ana.address, ana.device) == (ben.address, ben.device)
    assert cyd.address != ana.address
    assert cyd.device != ana.device
    assert len({ana.address, ana.device, cyd.address, cyd.device}) == 4


def test_an_address_of_ipv6_is_its_network(world: World) -> None:
    one, other = admit(world, "ana", "2001:db8::1"), admit(world, "ben", "2001:db8::ffff:2")
    assert one.address == other.address != admit(world, "cyd", "2001:db8:0:1::1").address


def test_a_hash_says_nothing_on_another_day_or_in_another_room(world: World) -> None:
    first = admit(world, "ana", device=DEVICE)
    world.clock.go(DAY_MS)
    second = admit(world, "ana", device=DEVICE)
    DynamoArrivals(TABLE, "another key").note("ben", ADDRESS, DEVICE, world.clock.now())
    (third,) = [one for one in kept(world) if one.player == "ben"]
    hashes = {h for one in (first, second, third) for h in (one.address, one.device)}
    assert len(hashes) == 6


def test_who_comes_again_on_a_day_is_kept_once(world: World) -> None:
    for number in range(3):
        assert world.entrance.admit(f"a{number}", "ana", ADDRESS, DEVICE)
        world.clock.go(60_000)
    assert len(kept(world)) == 1
    admit(world, "ana")
    assert [one.device == "" for one in kept(world)].count(True) == 1


def test_it_costs_one_write_of_one_unit_and_no_read(world: World) -> None:
    calls: list[tuple[str, str]] = []
    events = world.tables._client.meta.events
    events.register(
        "before-call.dynamodb.*",
        lambda model, params, **_: calls.append((model.name, params["body"])),
    )
    assert world.entrance.admit("a", "ana" * 12, "2001:db8::1", "x" * 64)
    (body,) = [body for name, body in calls if name == "PutItem" and keys.CAME in str(body)]
    item = json.loads(body)["Item"]
    assert sum(len(name) + len(*value.values()) for name, value in item.items()) < 1024
    assert [name for name, _ in calls] == ["GetItem", "PutItem", "PutItem"]
    calls.clear()
    assert world.entrance.admit("b", "", "2001:db8::1", "x" * 64)
    assert [name for name, _ in calls] == ["GetItem", "PutItem"]


def test_of_a_guest_and_of_one_who_is_kept_out_nothing_is_kept(world: World) -> None:
    assert world.entrance.admit("guest", "", ADDRESS, DEVICE)
    world.bans.ban("ana", ADDRESS, world.clock.now() + 1)
    assert not world.entrance.admit("a", "ana", ADDRESS, DEVICE)
    assert kept(world) == []


def test_it_is_forgotten_after_90_days_though_ttl_lags(world: World) -> None:
    admit(world, "ana")
    item = world.tables._client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": keys.came("ana")}},
    )["Items"][0]
    ends = 1000 * int(item["ttl"]["N"])
    assert ends == (world.clock.now() // DAY_MS + 1 + KEPT_DAYS) * DAY_MS
    world.clock.go_to(ends - 1)
    assert len(kept(world)) == 1
    world.clock.go_to(ends)
    assert kept(world) == []
    assert DynamoPersonal.beside(world.tables).arrivals_of("ana", ends) == []


@pytest.mark.parametrize("fault", ["ThrottlingException", "AccessDeniedException"])
def test_he_comes_in_though_it_cannot_be_kept(
    world: World, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def broken(*_: object) -> None:
        raise ClientError({"Error": {"Code": fault, "Message": ADDRESS}}, "PutItem")

    monkeypatch.setattr(world.arrivals, "note", broken)
    assert world.entrance.admit("a", "ana", ADDRESS, DEVICE)
    assert [item.player for item in ConnectionItem.query("CONN#a")] == ["ana"]
    assert world.signals.counts["ArrivalLost"] == 1
    assert ADDRESS not in "".join(world.signals.lines)


def test_neither_address_nor_device_is_stored_or_logged(ports: Ports) -> None:
    event = sample("connect")
    event["requestContext"]["identity"]["sourceIp"] = ADDRESS
    event["headers"]["Sec-WebSocket-Protocol"] += f", device.{DEVICE}"
    with printed() as out:
        assert handle("connect", event)["statusCode"] == 200
    personal = DynamoPersonal.beside(DynamoTables(TABLE))
    (one,) = personal.arrivals_of("ana", ports.now)
    assert one.device
    stored = json.dumps(list(personal.scan("pk <> :none", {":none": {"S": "none"}})))
    for text in (ADDRESS, DEVICE):
        assert text not in stored + out.getvalue()


@pytest.mark.parametrize(
    ("offered", "device"),
    [
        (f"cardroom.v1, bearer.x, device.{DEVICE}", DEVICE),
        (f"device.{DEVICE},cardroom.v1", DEVICE),
        ("cardroom.v1, bearer.x", ""),
        ("cardroom.v1, device.", ""),
        ("cardroom.v1, device.tooshort", ""),
        (f"cardroom.v1, device.{'x' * 65}", ""),
        ("cardroom.v1, device.has a blank in it", ""),
        ("cardroom.v1, device.#########################", ""),
        (f"cardroom.v1, device.{DEVICE}, device.{DEVICE}", ""),
        (7, ""),
        (None, ""),
    ],
    ids=repr,
)
def test_what_is_an_id_of_a_device(offered: Any, device: str) -> None:
    assert device_of({"Host": "x", "Sec-WebSocket-Protocol": offered}) == device


@pytest.mark.parametrize("headers", [None, [], "x", {}, {"SEC-websocket-PROTOCOL": ""}], ids=repr)
def test_a_client_may_say_nothing_of_its_device(headers: Any) -> None:
    assert device_of(headers) == ""


def test_what_offers_no_good_id_is_let_in_all_the_same(ports: Ports) -> None:
    event = sample("connect")
    event["headers"]["Sec-WebSocket-Protocol"] += ", device.!"
    assert handle("connect", event)["statusCode"] == 200
    del event["headers"]
    assert handle("connect", event)["statusCode"] == 200


def test_one_that_is_damaged_is_named_and_the_others_are_read(world: World) -> None:
    admit(world, "ana")
    for sort in DAMAGED:
        world.tables._client.put_item(
            TableName=TABLE, Item={"pk": {"S": "CAME#ben"}, "sk": {"S": sort}}
        )
    found = list(DynamoPersonal.beside(world.tables).arrivals(world.clock.now()))
    assert len(kept(world)) == 1
    assert {one for one in found if isinstance(one, str)} == {
        f"CAME#ben / {sort}" for sort in DAMAGED
    }
