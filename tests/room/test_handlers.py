"""The sample events, one for each route and trigger, through the handlers as Lambda calls them."""

import json
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.archiving import OLD_MS
from cardroom.bans import DynamoBans
from cardroom.budget import FLOOD, Rate
from cardroom.compose.dealing import dealer
from cardroom.models import ConnectionItem, ViewItem
from cardroom.signals import Failed, signals
from cardroom.store import DynamoTables
from tests.room.handled import EVENTS, NAME, NOW, Ports, handle, sample
from tests.room.world import TABLE
from tests.template.parsed import ROOT, resources

CONTRACT = {"asyncapi", "messages.schema"}
SAMPLES = sorted({path.stem for path in EVENTS.glob("*.json")} - CONTRACT)
ROUTES = [name for name in SAMPLES if name.startswith("route-")]
SEATED = [
    f"route-{name}"
    for name in ("act", "autotopup", "leave", "preact", "show", "sitin", "sitout", "topup")
]


def _said(name: str) -> dict[str, Any]:
    answer = handle("command", sample(name))
    assert answer["statusCode"] == 200
    reply: dict[str, Any] = json.loads(answer["body"])
    return reply


def test_there_is_a_sample_for_every_route_and_trigger() -> None:
    (api,) = resources("AWS::Serverless::WebSocketApi").values()
    routes = {
        f"route-{name.removeprefix('$')}"
        for name in api["Properties"]["Routes"]
        if name not in ("$connect", "$disconnect")
    }
    triggers = {"authorizer", "connect", "disconnect", "clock", "broadcast", "sweep", "fanout"}
    triggers |= {"floor", "signup", "confirmed", "redrive", "archive"}
    assert set(SAMPLES) == routes | triggers


def test_a_guest_is_let_in(ports: Ports) -> None:
    answer = handle("authorizer", sample("authorizer"))
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    assert answer["context"] == {"player": ""}


def test_a_token_that_is_none_is_refused(ports: Ports) -> None:
    event = sample("authorizer")
    event["headers"] = {"sec-websocket-protocol": "cardroom.v1, bearer.x.y.z"}
    answer = handle("authorizer", event)
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Deny"


def test_connecting_echoes_the_protocol_and_is_remembered(ports: Ports) -> None:
    answer = handle("connect", sample("connect"))
    assert answer["headers"] == {"Sec-WebSocket-Protocol": "cardroom.v1"}
    assert [item.player for item in ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")] == ["ana"]


def test_disconnecting_forgets_what_was_watched(ports: Ports) -> None:
    handle("connect", sample("connect"))
    assert _said("route-watch")["type"] == "ok"
    assert len(list(ViewItem.query("WATCH#php-5-10#7"))) == 1
    for _ in range(2):
        assert handle("disconnect", sample("disconnect")) == {"statusCode": 200}
    assert list(ViewItem.query("WATCH#php-5-10#7")) == []
    assert list(ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")) == []


def test_who_is_banned_is_refused_by_status_and_not_remembered(ports: Ports) -> None:
    DynamoBans(TABLE).ban("ana", "", NOW + 1)
    assert handle("connect", sample("connect")) == {"statusCode": 429}
    assert list(ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")) == []


@pytest.mark.parametrize("player", ["ana", ""], ids=["player", "guest"])
def test_a_flood_ends_with_the_connection_and_a_ban(ports: Ports, player: str) -> None:
    event = sample("route-ping")
    event["requestContext"]["authorizer"]["player"] = player
    codes = [
        json.loads(handle("command", event)["body"]).get("code")
        for _ in range(Rate().burst + FLOOD)
    ]
    assert codes == [None] * Rate().burst + ["slow_down"] * FLOOD
    assert ports.closer.closed == ["Zx1fAbCdIAMCEjQ="]
    event = sample("connect")
    event["requestContext"]["authorizer"]["player"] = player
    assert handle("connect", event) == {"statusCode": 429}


@pytest.mark.parametrize("name", ROUTES)
def test_every_route_answers_by_the_commands_id(ports: Ports, name: str) -> None:
    reply = _said(name)
    assert reply["id"] == "c-1"
    expected = {
        "route-default": "unknown_route",
        "route-hand": "unknown_hand",
        "route-dispute": "not_dealt_in",
        **dict.fromkeys(SEATED, "not_seated"),
    }
    assert reply.get("code") == expected.get(name)


def test_the_player_comes_from_the_connection(ports: Ports) -> None:
    event = sample("route-sit")
    event["body"] = event["body"].replace("}", ', "player": "ben"}')
    assert json.loads(handle("command", event)["body"])["code"] == "bad_message"
    event = sample("route-sit")
    event["requestContext"]["authorizer"]["player"] = ""
    assert json.loads(handle("command", event)["body"])["code"] == "not_allowed"


def test_an_empty_message_is_a_bad_one(ports: Ports) -> None:
    event = sample("route-default")
    del event["body"]
    assert json.loads(handle("command", event)["body"])["code"] == "bad_message"


def test_the_stream_is_broadcast(ports: Ports) -> None:
    handle("connect", sample("connect"))
    _said("route-sit")
    assert handle("broadcast", sample("broadcast")) == {"batchItemFailures": []}
    events, presence = map(json.loads, ports.push.to("Zx1fAbCdIAMCEjQ="))
    assert [event["e"] for event in events["events"]] == ["seated", "seated", "hand_scheduled"]
    assert (presence["type"], presence["away"]) == ("presence", [])
    assert [hand for _, hand, _ in ports.timers.started.values()] == [1]


def test_an_operator_has_tables_told_anew(ports: Ports) -> None:
    handle("connect", sample("connect"))
    _said("route-sit")
    assert handle("broadcast", sample("redrive")) == {
        "redriven": ["php-5-10"],
        "failed": [],
        "damaged": [],
    }
    (push,) = map(json.loads, ports.push.to("Zx1fAbCdIAMCEjQ="))
    assert (push["type"], push["events"], push["before"]) == ("events", [], push["seq"])


def test_a_poison_record_is_passed_over(ports: Ports, capsys: pytest.CaptureFixture[str]) -> None:
    event = sample("broadcast")
    event["Records"][0]["dynamodb"]["NewImage"]["state"] = {"S": "[]"}
    del event["Records"][1]["dynamodb"]["NewImage"]["outbox"]
    del event["Records"][2]["dynamodb"]["Keys"]
    assert handle("broadcast", event) == {"batchItemFailures": []}
    assert '"RecordDamaged":[1.0,1.0,1.0]' in capsys.readouterr().out


def test_what_fails_on_our_side_comes_again(ports: Ports) -> None:
    ports.timers.broken = True
    assert handle("broadcast", sample("broadcast")) == {
        "batchItemFailures": [{"itemIdentifier": "100000000000000000001"}]
    }


def test_who_comes_or_goes_is_told_again_too(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(DynamoTables, "load", broken)
    assert handle("broadcast", sample("broadcast")) == {
        "batchItemFailures": [{"itemIdentifier": "100000000000000000003"}]
    }
    ports.timers.broken = True
    assert handle("broadcast", sample("broadcast"))["batchItemFailures"] == [
        {"itemIdentifier": "100000000000000000001"},
        {"itemIdentifier": "100000000000000000003"},
    ]


def test_the_clock_answers_when_to_wake_it(ports: Ports) -> None:
    assert handle("clock", sample("clock")) == {"table": "php-5-10", "hand": 1, "done": True}
    handle("connect", sample("connect"))
    _said("route-sit")
    event = sample("route-sit")
    event["requestContext"]["authorizer"]["player"] = "ben"
    event["body"] = event["body"].replace('"seat": 0', '"seat": 1')
    assert json.loads(handle("command", event)["body"])["type"] == "ok"
    assert handle("clock", sample("clock")) == {
        "table": "php-5-10",
        "hand": 1,
        "done": False,
        "wait": "2023-11-14T22:13:23Z",
    }


def test_the_clock_fails_loudly_so_that_it_is_tried_again(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDeniedException"}}, "GetItem")

    monkeypatch.setattr(DynamoTables, "load", broken)
    with pytest.raises(Failed, match=r"^ClientError$"):
        handle("clock", sample("clock"))


def test_the_archive_takes_what_is_old(ports: Ports) -> None:
    ports.seat("ana", "ben")
    ports.deal()
    ports.play_out()
    for player in ("ana", "ben"):
        assert ports.say(player, "leave", table=NAME, id=f"l-{player}")["type"] == "ok"
    dealer(TABLE, signals("trial")).close(NAME)
    assert handle("archive", sample("archive")) == {"moved": 0}
    ports.now += OLD_MS
    assert handle("archive", sample("archive")) == {"moved": 1}
    assert list(ports.bucket.objects) == [f"hands/{NAME}/0000000.jsonl"]


def test_the_sweep_counts(ports: Ports) -> None:
    assert handle("sweep", sample("sweep")) == {"overdue": 0}
    assert ports.queue.bodies[-1] == '{"do":"stake","structure":"nl-PHP-500-1000"}'


def test_the_queue_is_fanned_out(ports: Ports) -> None:
    handle("connect", sample("connect"))
    _said("route-watch")
    assert handle("fanout", sample("fanout")) == {"batchItemFailures": []}
    (sent,) = ports.push.to("Zx1fAbCdIAMCEjQ=")
    assert json.loads(sent)["type"] == "snapshot"


def test_the_floor_tells_the_lobby(ports: Ports) -> None:
    handle("connect", sample("connect"))
    assert _said("route-lobby")["lobby"]["stakes"][0]["tables"] == 1
    ports.queue.bodies.clear()
    assert handle("floor", sample("floor")) == {"batchItemFailures": []}
    (sent,) = ports.push.to("Zx1fAbCdIAMCEjQ=")
    assert [row["table"] for row in json.loads(sent)["tables"]] == ["php-5-10"]
    assert '{"do":"tick","slot":566666668}' in ports.queue.bodies


@pytest.mark.parametrize(
    "function", ["connect", "command", "broadcast", "clock", "fanout", "floor"]
)
def test_an_incomplete_environment_is_named(
    ports: Ports, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    monkeypatch.setenv("TABLE_NAME", "")
    name = "route-ping" if function == "command" else function
    with pytest.raises(Exception, match="missing in the environment: TABLE_NAME"):
        handle(function, sample(name))


@pytest.mark.parametrize("path", sorted((ROOT / "functions").glob("*/app.py")), ids=str)
def test_a_handler_that_fails_is_reported_by_name(path: Path) -> None:
    """All but the authorizer, which has no time for the libraries that it takes."""
    name, text = path.parent.name, path.read_text()
    assert (f'with invocation(signals, "{name}"' in text) != (name == "authorizer")


@pytest.mark.parametrize("path", sorted((ROOT / "functions").glob("*/app.py")), ids=str)
def test_a_handler_fits_a_screen(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 40
