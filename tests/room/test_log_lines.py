"""What the handlers log: a command can be followed to its pushes; nothing that came is repeated."""

import copy
import hashlib
import json
import logging
import traceback
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from cardroom.models import prime
from poker_engine.cards import text
from tests.room.conftest import Memory
from tests.room.handled import EVENTS, NAME, Ports, handle, ports_of, printed, sample
from tests.room.test_handlers import ROUTES
from tests.room.world import TABLE

MARK = "leaked"
"""In all that comes, and may not be in a line."""
NUMBER = "8675309"
FUNCTIONS = (
    "connect",
    "disconnect",
    "clock",
    "broadcast",
    "sweep",
    "fanout",
    "floor",
    "signup",
    "archive",
)

type Json = dict[str, Any]


@pytest.fixture
def room(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ports]:
    yield from ports_of(monkeypatch)


def _lines(out: str, message: str) -> list[Json]:
    lines = [json.loads(line) for line in out.splitlines()]
    return [line for line in lines if line.get("message") == message]


# ------------------------------------------------------------------ from request to push


def test_a_command_is_followed_to_its_pushes(room: Ports) -> None:
    room.seat("ana", "ben")
    room.stream()
    room.deal()
    room.stream()
    with printed() as out:
        answer = room.act("call")
        room.stream()
    (command,) = _lines(out.getvalue(), "command")
    (broadcast,) = _lines(out.getvalue(), "broadcast")
    assert command["request"] == sample("route-ping")["requestContext"]["requestId"]
    assert command["write"] == f"{NAME}@{room.stored.version}"
    assert command["write"] in broadcast["writes"].split()
    assert broadcast["before"] < command["seq"] == answer["seq"] == broadcast["seq"]
    assert (command["table"], command["route"], command["code"]) == (NAME, "act", "ok")
    # A client that complains knows the id of its command.
    name = hashlib.sha256(answer["id"].encode()).hexdigest()[:12]
    assert command["command"] == name


def test_writes_that_are_told_as_one_are_all_named(room: Ports) -> None:
    room.seat("ana", "ben")
    with printed() as out:
        room.stream()
    (broadcast,) = _lines(out.getvalue(), "broadcast")
    assert broadcast["writes"] == f"{NAME}@2 {NAME}@3"
    assert broadcast["pushes"] == 2


def test_what_concerns_one_player_alone_is_followed_too(room: Ports) -> None:
    """It has no seq of its own, but a version."""
    room.seat("ana", "ben")
    room.deal()
    room.stream()
    before = room.stored
    with printed() as out:
        assert room.say("ana", "autotopup", table=NAME, to=40_000)["type"] == "ok"
        room.stream()
    (command,) = _lines(out.getvalue(), "command")
    (broadcast,) = _lines(out.getvalue(), "broadcast")
    assert before.table.seq == room.stored.table.seq == command["seq"]
    assert command["write"] == broadcast["writes"] == f"{NAME}@{before.version + 1}"


def test_spectators_are_told_of_the_same_write(room: Ports) -> None:
    room.seat("ana")
    room.connect("")
    room.say("", "watch", table=NAME)
    room.stream()
    room.queue.bodies.clear()
    with printed() as out:
        room.connect("ben")
        room.say("ben", "sit", table=NAME, seat=1, chips=50_000, id="ben-sits")
        room.stream()
        (parcel,) = (body for body in room.queue.bodies if body.startswith("["))
        handle("fanout", {"Records": [{"messageId": "m", "body": parcel}]})
    command = _lines(out.getvalue(), "command")[-1]
    (broadcast,) = _lines(out.getvalue(), "broadcast")
    (snapshot,) = _lines(out.getvalue(), "snapshot")
    assert command["write"] == broadcast["writes"] == snapshot["write"]
    assert (snapshot["seq"], snapshot["spectators"]) == (command["seq"], 1)


def test_a_command_that_writes_nothing_names_no_write(room: Ports) -> None:
    with printed() as out:
        room.seat("ana")
        room.say("ana", "sync", table=NAME, seq=0)
        room.say("ana", "ping")
        room.say("ana", "act", table=NAME, hand=1, turn=1, do="fold")
    sat, *others = _lines(out.getvalue(), "command")
    assert sat["write"] == f"{NAME}@2"
    assert len(others) == 3
    assert not any("write" in line for line in others)


def test_a_fault_names_its_request(room: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(MARK)

    monkeypatch.setattr("cardroom.store.DynamoTables.load", broken)
    with printed() as out:
        room.say("ana", "sync", table=NAME, seq=0)
    (fault,) = _lines(out.getvalue(), "fault")
    (command,) = _lines(out.getvalue(), "command")
    assert fault["request"] == command["request"]
    assert (fault["kind"], command["code"]) == ("RuntimeError", "internal")
    assert MARK not in out.getvalue()


def test_the_clock_s_write_is_followed_too(room: Ports) -> None:
    room.seat("ana", "ben")
    room.stream()
    with printed() as out:
        room.deal()
        room.stream()
    (clock,) = _lines(out.getvalue(), "clock")
    (broadcast,) = _lines(out.getvalue(), "broadcast")
    assert clock["write"] == broadcast["writes"]
    assert (clock["table"], clock["hand"], clock["late"]) == (NAME, 1, 0)


# ------------------------------------------------------------------ nothing is repeated


def test_a_hand_leaves_none_of_its_cards_in_the_log(room: Ports) -> None:
    with printed() as out:
        room.seat("ana", "ben")
        room.connect("")
        room.say("", "watch", table=NAME)
        room.stream()
        room.deal()
        room.stream()
        hand = room.stored.table.hand
        assert hand is not None
        room.play_out()
        room.stream()
        handle("sweep", sample("sweep"))
    client: Any = prime(TABLE).connection.client
    record = client.get_item(
        TableName=TABLE, Key={"pk": {"S": f"HAND#{NAME}"}, "sk": {"S": "000000001"}}
    )
    dealt = record["Item"]["deck"]["S"]
    logged = out.getvalue()
    assert len(dealt) == 104
    for start in range(0, 104, 2):
        assert f'"{dealt[start : start + 2]}"' not in logged
    for start in range(0, 100, 2):
        assert dealt[start : start + 4] not in logged
    shown = room.stored.table.hand
    assert shown is not None
    assert all(text(card) in dealt for card in shown.board)


def test_nothing_of_a_message_is_repeated(room: Ports) -> None:
    said = (
        "not JSON " + MARK,
        json.dumps({"route": MARK, "id": MARK, "v": 1}),
        json.dumps({"route": "sit", "id": MARK, "v": 1, "table": MARK + "!", "seat": 0}),
        json.dumps({"route": "sync", "id": "c-1", "v": 1, "table": NAME, MARK: MARK}),
        json.dumps({"route": "lobby", "id": MARK, "v": 1}),
        MARK * 1_000,
        "[" * 50 + MARK,
    )
    event = sample("route-ping")
    event["queryStringParameters"] = {"token": MARK}
    event["headers"] = {"Sec-WebSocket-Protocol": f"cardroom.v1, bearer.{MARK}"}
    with printed() as out:
        for body in said:
            handle("command", {**event, "body": body})
    assert len(_lines(out.getvalue(), "command")) == len(said)
    assert MARK not in out.getvalue()


def test_nothing_of_who_comes_or_signs_up_is_repeated(room: Ports) -> None:
    with printed() as out:
        for name in ("authorizer", "connect", "disconnect"):
            event = sample(name)
            event["queryStringParameters"] = {"token": MARK}
            event["multiValueQueryStringParameters"] = {"token": [MARK]}
            event["headers"] = {"Sec-WebSocket-Protocol": f"cardroom.v1, bearer.{MARK}.{MARK}.x"}
            handle(name, event)
        for name in ("signup", "confirmed"):
            event = sample(name)
            event["userName"] = f"x{MARK}"
            event["request"] |= {
                "userAttributes": {"email": f"{MARK}@example.com"},
                "clientMetadata": {"note": MARK},
                "validationData": {"note": MARK},
            }
            handle("signup", event)
    assert len(_lines(out.getvalue(), "sign-up")) == 2
    assert MARK not in out.getvalue()


def _events() -> Iterator[tuple[str, Json]]:
    """What the functions are called with, one after another."""
    for name in ROUTES:
        yield "command", sample(name)
    for name in FUNCTIONS:
        yield name, sample(name)
    yield "signup", sample("confirmed")
    yield "broadcast", sample("redrive")
    yield "authorizer", sample("authorizer")


def _heard(function: str, event: Any) -> str:
    """What Lambda itself would log of it."""
    try:
        handle(function, event)
    except Exception as failed:
        return "".join(traceback.format_exception(failed))
    return ""


class Libraries(logging.Handler):
    """Lines of others, which Lambda prints from warnings on."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def libraries() -> Iterator[Libraries]:
    handler = Libraries()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


NAMES = ("connectionId", "requestId", "table")
"""Made by the room or by AWS, and logged: what they name can be found by them."""


NUMBERS = ("version", "chips_in", "chips_out")
"""Which write it was, and how many chips are missing, are logged on purpose."""


def _spoilt(value: Any) -> Iterator[Any]:
    """The JSON value with the mark somewhere in it, or instead."""
    yield MARK
    yield [MARK]
    yield {MARK: MARK}
    if isinstance(value, dict):
        for name in value.keys() - {*NAMES}:
            for other in _spoilt(value[name]) if isinstance(value[name], dict) else (MARK,):
                yield {**value, name: other}
    elif isinstance(value, list):
        for place in range(min(len(value), 12)):
            yield [*value[:place], MARK, *value[place + 1 :]]


def test_nothing_of_an_odd_event_is_repeated(room: Ports, libraries: Libraries) -> None:
    room.seat("ana", "ben")
    failures: set[str] = set()
    with printed() as out:
        for function, event in _events():
            for spoilt in _spoilt(event):
                failures.add(_heard(function, copy.deepcopy(spoilt)))
            for record in _spoilt(event["Records"][0]) if "Records" in event else ():
                failures.add(_heard(function, {"Records": [record]}))
    assert MARK not in out.getvalue()
    assert any(failures)
    assert not [one for one in failures if MARK in one]
    assert not [line for line in libraries.lines if MARK in line]


def _everything(client: Any) -> list[Json]:
    found: list[Json] = client.scan(TableName=TABLE)["Items"]
    return found


def _damaged(item: Json) -> Iterator[Json]:
    """The item with the mark in one of its attributes."""
    for name, value in item.items():
        if name in ("pk", "sk"):
            continue
        yield {**item, name: {"S": MARK}}
        if name not in NUMBERS:
            yield {**item, name: {"N": NUMBER}}
        yield {**item, name: {"SS": [MARK]}}
        if "S" in value:
            try:
                told = json.loads(value["S"])
            except ValueError:
                continue
            for spoilt in _spoilt(told):
                yield {**item, name: {"S": json.dumps(spoilt)}}


def test_nothing_of_a_damaged_item_is_repeated(room: Ports, libraries: Libraries) -> None:
    """Each item of a room that plays, each attribute, and each function over it."""
    client: Any = prime(TABLE).connection.client
    room.seat("ana", "ben")
    room.connect("")
    room.say("", "watch", table=NAME)
    room.say("ana", "lobby")
    room.say("ana", "limits", currency="PHP", loss=40_000)
    room.deal()
    room.stream()
    handle("connect", sample("connect"))
    failures: set[str] = set()
    tried = 0
    calls = [
        *(("command", sample(f"route-{name}")) for name in ("sync", "watch", "account", "lobby")),
        *(("command", sample(f"route-{name}")) for name in ("sit", "act", "quickseat", "ping")),
        *((name, sample(name)) for name in ("clock", "sweep", "floor", "fanout", "disconnect")),
        ("archive", sample("archive")),
    ]
    with printed() as out:
        for item in _everything(client):
            for damaged in _damaged(item):
                client.put_item(TableName=TABLE, Item=damaged)
                record = {"dynamodb": {"Keys": damaged, "SequenceNumber": "1"}}
                record["dynamodb"]["NewImage"] = damaged
                for function, event in (*calls, ("broadcast", {"Records": [record]})):
                    failures.add(_heard(function, copy.deepcopy(event)))
                tried += 1
                client.put_item(TableName=TABLE, Item=item)
    logged = out.getvalue()
    assert tried > 200
    assert '"ItemDamaged"' in logged
    assert '"kind"' in logged
    for mark in (MARK, NUMBER):
        assert mark not in logged
        assert not [one for one in failures if mark in one]
        assert not [line for line in libraries.lines if mark in line]


def test_a_token_that_cannot_be_verified_is_not_repeated(room: Ports, libraries: Libraries) -> None:
    """The key set cannot be had: an invocation that fails, and is logged by Lambda."""
    header, claims = {"alg": "RS256", "kid": "one"}, {"username": MARK, "token_use": MARK}
    parts = [urlsafe_b64encode(json.dumps(part).encode()).decode() for part in (header, claims)]
    token = ".".join([*(part.rstrip("=") for part in parts), 2 * MARK])
    event = sample("authorizer")
    event["headers"] = {"Sec-WebSocket-Protocol": f"cardroom.v1, bearer.{token}"}
    with printed() as out:
        failure = _heard("authorizer", event)
    assert "PyJWKClientConnectionError" in failure
    for secret in (MARK, *token.split(".")):
        assert secret not in out.getvalue() + failure + "".join(libraries.lines)


def test_the_samples_are_all_looked_at() -> None:
    names = {path.stem for path in EVENTS.glob("*.json")} - {"asyncapi", "messages.schema"}
    assert names == {*ROUTES, *FUNCTIONS, "authorizer", "confirmed", "redrive"}


def test_a_damaged_buy_in_repeats_no_id_of_a_client(room: Ports) -> None:
    """It is kept under the command's id, which is the client's own text."""
    client: Any = prime(TABLE).connection.client
    key = {"pk": {"S": "USER#ana"}, "sk": {"S": f"LEDGER#in#{MARK}"}}
    room.connect("ana")
    sit: Json = {"table": NAME, "seat": 0, "chips": 50_000, "id": MARK}
    assert room.say("ana", "sit", **sit)["type"] == "ok"
    client.put_item(TableName=TABLE, Item={**key, "amount": {"S": "?"}})
    with printed() as out:
        assert room.say("ana", "sit", **sit)["code"] == "out_of_order"
    named = hashlib.sha256(MARK.encode()).hexdigest()[:12]
    faults = _lines(out.getvalue(), "fault")
    assert {"USER#ana / LEDGER#in#~" + named} == {one["item"] for one in faults if "item" in one}
    (command,) = _lines(out.getvalue(), "command")
    assert command["command"] == named
    assert MARK not in out.getvalue()
