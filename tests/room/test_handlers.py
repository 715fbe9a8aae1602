"""The sample events, one for each route and trigger, through the handlers as Lambda calls them."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.bans import DynamoBans
from cardroom.budget import FLOOD, Rate
from cardroom.compose.authorizer import verifier
from cardroom.compose.broadcast import broadcast, redrive
from cardroom.compose.clock import turn_clock
from cardroom.compose.command import door
from cardroom.compose.connections import connections, entrance
from cardroom.compose.fanout import fanout
from cardroom.compose.floor import floor
from cardroom.compose.signup import sign_up
from cardroom.compose.sweep import sweep
from cardroom.models import ConnectionItem, ViewItem
from cardroom.store import DynamoTables
from cardroom.tables import open_table
from tests.room.world import TABLE, FakeClock, FakeCloser, FakePush, FakeQueue, FakeTimers, settings
from tests.template.parsed import ROOT, resources

EVENTS = ROOT / "events"
CONTRACT = {"asyncapi", "messages.schema"}
SAMPLES = sorted({path.stem for path in EVENTS.glob("*.json")} - CONTRACT)
ROUTES = [name for name in SAMPLES if name.startswith("route-")]
SEATED = [
    f"route-{name}"
    for name in ("act", "autotopup", "leave", "preact", "show", "sitin", "sitout", "topup")
]
NOW = 1_700_000_000_000
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "CALLBACK_URL": "http://127.0.0.1:9/room",
    "TURN_CLOCK_ARN": "arn:aws:states:us-east-1:123456789012:stateMachine:clock",
    "FANOUT_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/fanout",
    "FLOOR_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/123456789012/floor",
    "ISSUER": "https://cognito-idp.us-east-1.amazonaws.com/pool",
    "CLIENT_ID": "client",
    "JWKS_URL": "http://127.0.0.1:9/jwks.json",
    "ORIGINS": "https://d111111abcdef8.cloudfront.net",
    "GUESTS": "true",
}
COMPOSED = (
    verifier,
    connections,
    entrance,
    door,
    broadcast,
    redrive,
    turn_clock,
    sweep,
    fanout,
    floor,
    sign_up,
)


class Ports:
    def __init__(self) -> None:
        self.push = FakePush()
        self.queue = FakeQueue()
        self.timers = FakeTimers()
        self.closer = FakeCloser()


@pytest.fixture
def ports(aws: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ports]:
    """The handlers' environment, with a table; what goes to services beside DynamoDB is kept."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    made = Ports()
    for name in ("broadcast", "fanout", "floor"):
        monkeypatch.setattr(f"cardroom.compose.{name}.ApiPush", lambda _: made.push)
    for name in ("broadcast", "clock", "sweep"):
        monkeypatch.setattr(f"cardroom.compose.{name}.StepTimers", lambda _: made.timers)
    for name in ("broadcast", "command", "fanout", "floor", "sweep"):
        monkeypatch.setattr(f"cardroom.compose.{name}.SqsQueue", lambda _: made.queue)
    monkeypatch.setattr("cardroom.compose.command.ApiCloser", lambda _: made.closer)
    monkeypatch.setattr("cardroom.systemclock.SystemClock.now", lambda _: NOW)
    for one in COMPOSED:
        one.cache_clear()
    tables = DynamoTables(TABLE)
    open_table(tables, "php-5-10", settings(), NOW)
    bank = Bank(DynamoAccounts(TABLE, tables._client), FakeClock(NOW))
    for player in ("ana", "ben"):
        bank.create(player, Order("test", "to play with"))
        bank.deposit(player, "PHP", 1_000_000, "first", Order("test", "to play with"))
    yield made
    for one in COMPOSED:
        one.cache_clear()


def _event(name: str) -> Any:
    return json.loads((EVENTS / f"{name}.json").read_text())


def _handle(function: str, event: Any) -> Any:
    return importlib.import_module(f"{function}.app").handler(event, None)


def _said(name: str) -> dict[str, Any]:
    answer = _handle("command", _event(name))
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
    triggers |= {"floor", "signup", "confirmed", "redrive"}
    assert set(SAMPLES) == routes | triggers


def test_a_guest_is_let_in(ports: Ports) -> None:
    answer = _handle("authorizer", _event("authorizer"))
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    assert answer["context"] == {"player": ""}


def test_a_token_that_is_none_is_refused(ports: Ports) -> None:
    event = _event("authorizer")
    event["headers"] = {"sec-websocket-protocol": "cardroom.v1, bearer.x.y.z"}
    answer = _handle("authorizer", event)
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Deny"


def test_connecting_echoes_the_protocol_and_is_remembered(ports: Ports) -> None:
    answer = _handle("connect", _event("connect"))
    assert answer["headers"] == {"Sec-WebSocket-Protocol": "cardroom.v1"}
    assert [item.player for item in ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")] == ["ana"]


def test_disconnecting_forgets_what_was_watched(ports: Ports) -> None:
    _handle("connect", _event("connect"))
    assert _said("route-watch")["type"] == "ok"
    assert len(list(ViewItem.query("WATCH#php-5-10#7"))) == 1
    for _ in range(2):
        assert _handle("disconnect", _event("disconnect")) == {"statusCode": 200}
    assert list(ViewItem.query("WATCH#php-5-10#7")) == []
    assert list(ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")) == []


def test_who_is_banned_is_refused_by_status_and_not_remembered(ports: Ports) -> None:
    DynamoBans(TABLE).ban("ana", "", NOW + 1)
    assert _handle("connect", _event("connect")) == {"statusCode": 429}
    assert list(ConnectionItem.query("CONN#Zx1fAbCdIAMCEjQ=")) == []


@pytest.mark.parametrize("player", ["ana", ""], ids=["player", "guest"])
def test_a_flood_ends_with_the_connection_and_a_ban(ports: Ports, player: str) -> None:
    event = _event("route-ping")
    event["requestContext"]["authorizer"]["player"] = player
    codes = [
        json.loads(_handle("command", event)["body"]).get("code")
        for _ in range(Rate().burst + FLOOD)
    ]
    assert codes == [None] * Rate().burst + ["slow_down"] * FLOOD
    assert ports.closer.closed == ["Zx1fAbCdIAMCEjQ="]
    event = _event("connect")
    event["requestContext"]["authorizer"]["player"] = player
    assert _handle("connect", event) == {"statusCode": 429}


@pytest.mark.parametrize("name", ROUTES)
def test_every_route_answers_by_the_commands_id(ports: Ports, name: str) -> None:
    reply = _said(name)
    assert reply["id"] == "c-1"
    expected = {
        "route-default": "unknown_route",
        **dict.fromkeys(SEATED, "not_seated"),
    }
    assert reply.get("code") == expected.get(name)


def test_the_player_comes_from_the_connection(ports: Ports) -> None:
    event = _event("route-sit")
    event["body"] = event["body"].replace("}", ', "player": "ben"}')
    assert json.loads(_handle("command", event)["body"])["code"] == "bad_message"
    event = _event("route-sit")
    event["requestContext"]["authorizer"]["player"] = ""
    assert json.loads(_handle("command", event)["body"])["code"] == "not_allowed"


def test_an_empty_message_is_a_bad_one(ports: Ports) -> None:
    event = _event("route-default")
    del event["body"]
    assert json.loads(_handle("command", event)["body"])["code"] == "bad_message"


def test_the_stream_is_broadcast(ports: Ports) -> None:
    _handle("connect", _event("connect"))
    _said("route-sit")
    assert _handle("broadcast", _event("broadcast")) == {"batchItemFailures": []}
    events, presence = map(json.loads, ports.push.to("Zx1fAbCdIAMCEjQ="))
    assert [event["e"] for event in events["events"]] == ["seated", "seated", "hand_scheduled"]
    assert (presence["type"], presence["away"]) == ("presence", [])
    assert [hand for _, hand, _ in ports.timers.started.values()] == [1]


def test_an_operator_has_tables_told_anew(ports: Ports) -> None:
    _handle("connect", _event("connect"))
    _said("route-sit")
    assert _handle("broadcast", _event("redrive")) == {"redriven": ["php-5-10"], "failed": []}
    (push,) = map(json.loads, ports.push.to("Zx1fAbCdIAMCEjQ="))
    assert (push["type"], push["events"], push["before"]) == ("events", [], push["seq"])


def test_a_poison_record_is_passed_over(ports: Ports, capsys: pytest.CaptureFixture[str]) -> None:
    event = _event("broadcast")
    event["Records"][0]["dynamodb"]["NewImage"]["state"] = {"S": "[]"}
    del event["Records"][1]["dynamodb"]["NewImage"]["outbox"]
    del event["Records"][2]["dynamodb"]["Keys"]
    assert _handle("broadcast", event) == {"batchItemFailures": []}
    assert '"RecordDamaged":[1.0,1.0,1.0]' in capsys.readouterr().out


def test_what_fails_on_our_side_comes_again(ports: Ports) -> None:
    ports.timers.broken = True
    assert _handle("broadcast", _event("broadcast")) == {
        "batchItemFailures": [{"itemIdentifier": "100000000000000000001"}]
    }


def test_who_comes_or_goes_is_told_again_too(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(DynamoTables, "load", broken)
    assert _handle("broadcast", _event("broadcast")) == {
        "batchItemFailures": [{"itemIdentifier": "100000000000000000003"}]
    }
    ports.timers.broken = True
    assert _handle("broadcast", _event("broadcast"))["batchItemFailures"] == [
        {"itemIdentifier": "100000000000000000001"},
        {"itemIdentifier": "100000000000000000003"},
    ]


def test_the_clock_answers_when_to_wake_it(ports: Ports) -> None:
    assert _handle("clock", _event("clock")) == {"table": "php-5-10", "hand": 1, "done": True}
    _handle("connect", _event("connect"))
    _said("route-sit")
    event = _event("route-sit")
    event["requestContext"]["authorizer"]["player"] = "ben"
    event["body"] = event["body"].replace('"seat": 0', '"seat": 1')
    assert json.loads(_handle("command", event)["body"])["type"] == "ok"
    assert _handle("clock", _event("clock")) == {
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
    with pytest.raises(ClientError):
        _handle("clock", _event("clock"))


def test_the_sweep_counts(ports: Ports) -> None:
    assert _handle("sweep", _event("sweep")) == {"overdue": 0}
    assert ports.queue.bodies[-1] == '{"do":"stake","structure":"nl-PHP-500-1000"}'


def test_the_queue_is_fanned_out(ports: Ports) -> None:
    _handle("connect", _event("connect"))
    _said("route-watch")
    assert _handle("fanout", _event("fanout")) == {"batchItemFailures": []}
    (sent,) = ports.push.to("Zx1fAbCdIAMCEjQ=")
    assert json.loads(sent)["type"] == "snapshot"


def test_the_floor_tells_the_lobby(ports: Ports) -> None:
    _handle("connect", _event("connect"))
    assert _said("route-lobby")["lobby"]["stakes"][0]["tables"] == 1
    ports.queue.bodies.clear()
    assert _handle("floor", _event("floor")) == {"batchItemFailures": []}
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
    sample = "route-ping" if function == "command" else function
    with pytest.raises(Exception, match="missing in the environment: TABLE_NAME"):
        _handle(function, _event(sample))


@pytest.mark.parametrize("path", sorted((ROOT / "functions").glob("*/app.py")), ids=str)
def test_a_handler_fits_a_screen(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 40
