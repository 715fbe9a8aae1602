"""Each metric is emitted by the functions themselves, as it is declared, and by nothing else."""

import ast
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.accounts import DynamoAccounts
from cardroom.archiving import OLD_MS
from cardroom.arrivals import DynamoArrivals
from cardroom.bank import Bank, Order
from cardroom.budget import FLOOD, Rate
from cardroom.census import CHECKED, in_turn, slowest_of
from cardroom.codes import SENT
from cardroom.compose.dealing import dealer
from cardroom.connections import DynamoViews
from cardroom.errors import Ambiguous, Conflict, WalletError
from cardroom.lines import DynamoLines
from cardroom.listing import Row, row_of
from cardroom.metrics import METRICS, NAMESPACE, By, Health, Metric
from cardroom.models import prime
from cardroom.pace import Pace
from cardroom.ports import Delivery
from cardroom.signals import Failed, PowertoolsSignals, signals
from cardroom.signup import SignUpRefused
from cardroom.store import DynamoTables
from cardroom.tables import open_table
from cardroom.waiting import OFFER_MS
from poker_engine.evolve import open_table as empty_table
from poker_engine.stakes import no_limit, table_settings
from tests.room.conftest import Memory
from tests.room.handled import NAME, NOW, Ports, handle, metric_lines, ports_of, printed, sample
from tests.room.world import TABLE, FakeClock, settings
from tests.template.parsed import ROOT

CALLERS = {"count", "milliseconds"}
VALUES = {
    "room": {"cardroom"},
    "code": {str(code) for code in SENT},
    "currency": {"PHP", "USD"},
    "noticed_by": {"clock", "command", "sweep"},
}
"""All that a dimension may be: nothing that grows with the room."""

type Patch = pytest.MonkeyPatch
type Scenario = Callable[[Ports, Patch], None]


@pytest.fixture
def room(memory: Memory, monkeypatch: Patch) -> Iterator[Ports]:
    yield from ports_of(monkeypatch)


def _raise(error: BaseException) -> Callable[..., Any]:
    def broken(*_: Any, **__: Any) -> Any:
        raise error

    return broken


def _change(pk: str, sk: str, **attributes: Any) -> None:
    """An item of the store, changed behind the room's back; None takes an attribute away."""
    client: Any = prime(TABLE).connection.client
    key = {"pk": {"S": pk}, "sk": {"S": sk}}
    item = client.get_item(TableName=TABLE, Key=key, ConsistentRead=True)["Item"]
    item |= attributes
    kept = {name: value for name, value in item.items() if value is not None}
    client.put_item(TableName=TABLE, Item=kept)


def _damage_state() -> None:
    _change(f"TABLE#{NAME}", "STATE", state={"S": "[]"})


def _fund(*players: str) -> None:
    bank = Bank(DynamoAccounts(TABLE, DynamoTables(TABLE)._client), FakeClock(NOW))
    for player in players:
        bank.create(player, Order("test", "to play with"))
        bank.deposit(player, "PHP", 1_000_000, "first", Order("test", "to play with"))


# ------------------------------------------------------------------ what happens


def a_hand(ports: Ports, _: Patch) -> None:
    ports.seat("ana", "ben")
    ports.stream()
    ports.deal()
    ports.play_out()
    ports.stream()


def a_refusal(ports: Ports, _: Patch) -> None:
    assert ports.say("ana", "leave", table=NAME)["code"] == "not_seated"


def a_player_notices(ports: Ports, _: Patch) -> None:
    ports.seat("ana", "ben")
    ports.now = (ports.stored.table.next_hand_at or 0) + 700
    assert ports.say("ana", "sync", table=NAME, seq=0)["type"] == "ok"


def the_sweep_notices(ports: Ports, patch: Patch) -> None:
    a_hand(ports, patch)
    ports.now = (ports.stored.table.next_hand_at or 0) + 60_000
    assert handle("sweep", sample("sweep")) == {"overdue": 1}


def nothing_to_sweep(_: Ports, __: Patch) -> None:
    assert handle("sweep", sample("sweep")) == {"overdue": 0}


def chips_are_missing(_: Ports, __: Patch) -> None:
    _change(f"TABLE#{NAME}", "STATE", chips_in={"N": "250"})
    handle("sweep", sample("sweep"))


def chips_would_be_lost(ports: Ports, patch: Patch) -> None:
    patch.setattr("cardroom.dealer.chips_moved", lambda _: (1, 0))
    ports.connect("ana")
    answer = ports.say("ana", "sit", table=NAME, seat=0, chips=50_000)
    assert answer["code"] == "internal"


def the_store_is_damaged(ports: Ports, _: Patch) -> None:
    _damage_state()
    assert ports.say("ana", "sync", table=NAME, seq=0)["code"] == "out_of_order"


def a_fault_of_ours(ports: Ports, patch: Patch) -> None:
    patch.setattr(DynamoTables, "load", _raise(RuntimeError()))
    assert ports.say("ana", "sync", table=NAME, seq=0)["code"] == "internal"


def a_handler_fails(_: Ports, patch: Patch) -> None:
    patch.setattr(DynamoViews, "disconnect", _raise(RuntimeError()))
    with pytest.raises(Failed, match=r"^RuntimeError$"):
        handle("disconnect", sample("disconnect"))


def a_wake_up_fails(_: Ports, patch: Patch) -> None:
    patch.setattr(DynamoTables, "load", _raise(RuntimeError()))
    with pytest.raises(Failed, match=r"^RuntimeError$"):
        handle("clock", sample("clock"))


def a_write_cannot_be_told(ports: Ports, patch: Patch) -> None:
    ports.timers.broken = True
    patch.setattr(DynamoTables, "load", _raise(RuntimeError()))
    handle("broadcast", sample("broadcast"))


def a_snapshot_cannot_be_sent(_: Ports, patch: Patch) -> None:
    patch.setattr(DynamoViews, "spectators", _raise(RuntimeError()))
    handle("fanout", sample("fanout"))


def an_errand_fails(ports: Ports, patch: Patch) -> None:
    ports.connect("ana")
    ports.say("ana", "lobby")
    patch.setattr(DynamoLines, "line", _raise(RuntimeError()))
    patch.setattr(ports.push, "post", _raise(RuntimeError()))
    handle("floor", sample("floor"))


def a_sweep_fails(_: Ports, patch: Patch) -> None:
    patch.setattr(DynamoTables, "rows", _raise(RuntimeError()))
    handle("sweep", sample("sweep"))


def a_table_is_stuck(ports: Ports, _: Patch) -> None:
    ports.seat("ana", "ben")
    ports.now = (ports.stored.table.next_hand_at or 0) + 60_000
    _damage_state()
    handle("sweep", sample("sweep"))


def a_deck_is_lost(ports: Ports, patch: Patch) -> None:
    ports.seat("ana", "ben")
    ports.deal()
    patch.setattr(DynamoTables, "secret", lambda *_: None)
    for function in (door_again, clock_again, broadcast_again):
        function()
    ports.stream()
    ports.say("ana", "watch", table=NAME)
    ports.act("call")
    ports.now += 60_000
    handle("sweep", sample("sweep"))


def what_comes_is_damaged(_: Ports, __: Patch) -> None:
    for function in ("broadcast", "fanout", "floor"):
        event = sample(function)
        for record in event["Records"]:
            record |= {"body": "[", "dynamodb": {"Keys": {}}}
        handle(function, event)
    assert handle("clock", {}) == {"done": True}


def nobody_s_connection(_: Ports, __: Patch) -> None:
    event = sample("connect")
    del event["requestContext"]["authorizer"]
    assert handle("connect", event) == {"statusCode": 403}


def a_place_is_not_kept(_: Ports, patch: Patch) -> None:
    patch.setattr(DynamoArrivals, "note", _raise(OSError()))
    assert handle("connect", sample("connect"))["statusCode"] == 200


def races_are_lost(ports: Ports, patch: Patch) -> None:
    losses: list[Exception] = [Conflict(None), Ambiguous(), *[Conflict(None)] * 20]
    real = DynamoTables.write

    def write(tables: DynamoTables, change: Any) -> None:
        if losses:
            raise losses.pop(0)
        real(tables, change)

    patch.setattr(DynamoTables, "write", write)
    ports.connect("ana")
    answer = ports.say("ana", "sit", table=NAME, seat=0, chips=50_000)
    assert answer["code"] == "busy"
    del losses[1:]
    assert ports.say("ana", "sit", table=NAME, seat=0, chips=50_000)["type"] == "ok"


def a_payment_waits(ports: Ports, patch: Patch) -> None:
    ports.seat("ana")
    patch.setattr(DynamoTables, "wallet", _raise(WalletError()))
    assert ports.say("ana", "leave", table=NAME, when="now", id="c-2")["type"] == "ok"


def posts_do_not_arrive(ports: Ports, _: Patch) -> None:
    ports.push.outcomes = {"ana": Delivery.GONE, "ben": Delivery.FAILED}
    ports.seat("ana", "ben")
    ports.stream()


def the_crowd_is_told(ports: Ports, _: Patch) -> None:
    handle("connect", sample("connect"))
    handle("command", sample("route-watch"))
    handle("command", sample("route-lobby"))
    for _again in range(2):
        handle("fanout", sample("fanout"))
    handle("floor", sample("floor"))


def a_flood(ports: Ports, _: Patch) -> None:
    codes = [ports.say("ana", "ping").get("code") for _ in range(Rate().burst + FLOOD)]
    assert codes[-1] == "slow_down"
    event = sample("connect")
    event["requestContext"]["authorizer"]["player"] = "ana"
    assert handle("connect", event) == {"statusCode": 429}


def people_sign_up(_: Ports, __: Patch) -> None:
    handle("signup", sample("signup"))
    event = sample("signup")
    event["userName"] = "d0ra"
    with pytest.raises(SignUpRefused):
        handle("signup", event)


def seats_are_offered(ports: Ports, _: Patch) -> None:
    chosen = table_settings(no_limit("PHP", 1_000), 2)
    open_table(DynamoTables(TABLE), "php-10-20", chosen, NOW)
    structure = chosen.stakes.structure
    _fund("cyd", "dan")
    for seat, player in enumerate(("ana", "ben")):
        fields = {"table": "php-10-20", "seat": seat, "chips": 50_000, "id": f"s-{player}"}
        assert ports.say(player, "sit", **fields)["type"] == "ok"
    for player in ("cyd", "dan"):
        assert ports.say(player, "wait", structure=structure)["type"] == "ok"
    assert ports.say("ana", "leave", table="php-10-20", when="now")["type"] == "ok"
    event = sample("floor")
    event["Records"][1]["body"] = json.dumps({"do": "stake", "structure": structure})
    event["Records"].pop(0)
    handle("floor", event)
    ports.now += OFFER_MS + 5_000
    handle("floor", event)
    floor = dealer(TABLE, signals("command"))
    floor.freeze("php-10-20")
    ports.now += 1
    handle("floor", event)
    floor.close("php-10-20")
    handle("floor", event)


def door_again() -> None:
    """With no deck kept, as in another instance."""
    from cardroom.compose.command import door

    door.cache_clear()


def clock_again() -> None:
    from cardroom.compose.clock import turn_clock

    turn_clock.cache_clear()


def _an_old_hand(ports: Ports, patch: Patch) -> None:
    """Of a table that has closed since."""
    a_hand(ports, patch)
    for player in ("ana", "ben"):
        ports.say(player, "leave", table=NAME, when="now", id=f"{player}-goes")
    dealer(TABLE, signals("sweep")).close(NAME)
    ports.now += OLD_MS


def old_hands_are_moved(ports: Ports, patch: Patch) -> None:
    _an_old_hand(ports, patch)
    assert handle("archive", sample("archive")) == {"moved": 1}


def an_old_record_is_changed(ports: Ports, patch: Patch) -> None:
    _an_old_hand(ports, patch)
    _change(f"HAND#{NAME}", "000000001", rake={"N": "7"})
    assert handle("archive", sample("archive")) == {"moved": 0}


def the_archive_does_not_answer(ports: Ports, patch: Patch) -> None:
    _an_old_hand(ports, patch)
    ports.bucket.broken = True
    ports.now += 1_000
    assert handle("archive", sample("archive")) == {"moved": 0}
    ports.bucket.broken = False
    assert handle("archive", sample("archive")) == {"moved": 1}
    ports.bucket.broken = True
    answer = ports.say("ana", "hand", table=NAME, hand=1)
    assert answer["code"] == "archive_unavailable"


def broadcast_again() -> None:
    from cardroom.compose.broadcast import broadcast

    broadcast.cache_clear()


SCENARIOS: dict[Scenario, set[str]] = {
    a_hand: {
        *("Accepted", "CommandTime", "ActionToBroadcast", "PushesSent", "Hands", "Rake"),
        "ClockLateness",
    },
    a_refusal: {"Rejected"},
    a_player_notices: {"ClockLateness"},
    the_sweep_notices: {"ClockLateness", "StuckHands", "Overdue", "SlowestTable"},
    nothing_to_sweep: {
        *("Overdue", "StuckHands", "ChipDifference", "OpenTables"),
        *("SeatedPlayers", "ActivePlayers"),
    },
    chips_are_missing: {"ChipDifference"},
    chips_would_be_lost: {"ChipDifference", "InternalError"},
    the_store_is_damaged: {"ItemDamaged", "OutOfOrder"},
    a_fault_of_ours: {"InternalError"},
    a_handler_fails: {"HandlerFailed"},
    a_wake_up_fails: {"ClockFailed"},
    a_write_cannot_be_told: {"BroadcastFailed", "PresenceFailed"},
    a_snapshot_cannot_be_sent: {"FanoutFailed"},
    an_errand_fails: {"FloorFailed", "LobbyFailed"},
    a_sweep_fails: {"SweepFailed"},
    a_table_is_stuck: {"StuckTable", "StuckHands"},
    a_deck_is_lost: {"DeckMissing", "HandVoided", "StuckHands"},
    what_comes_is_damaged: {"RecordDamaged", "ParcelDamaged", "ErrandDamaged", "RingDamaged"},
    nobody_s_connection: {"CallerUnknown"},
    a_place_is_not_kept: {"ArrivalLost"},
    races_are_lost: {"Conflict", "Ambiguous", "Retries", "Busy"},
    a_payment_waits: {"Unpaid"},
    posts_do_not_arrive: {"PushFailed", "ConnectionGone"},
    the_crowd_is_told: {"SnapshotsSent", "SnapshotDropped", "LobbySent"},
    a_flood: {"SlowedDown", "FlooderClosed", "ConnectionRefused", "Rejected"},
    people_sign_up: {"SignUpAccepted", "SignUpRefused"},
    old_hands_are_moved: {"ArchiveBehind", "BlocksRefused"},
    an_old_record_is_changed: {"BlocksRefused"},
    the_archive_does_not_answer: {"ArchiveFailed", "ArchiveUnread", "ArchiveBehind"},
    seats_are_offered: {"SeatOffered", "OfferMissed", "OfferTakenBack", "Waiting", "LineClosed"},
}
"""And what each has to emit, with a value other than 0 where that would be a fault."""


def emitted(lines: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Values by metric; each line is as its metrics are declared."""
    values: dict[str, list[float]] = defaultdict(list)
    for line in lines:
        told = {"_aws", "service"}
        for directive in line["_aws"]["CloudWatchMetrics"]:
            assert directive["Namespace"] == NAMESPACE
            for metric in directive["Metrics"]:
                name = metric["Name"]
                declared = METRICS[name]
                assert metric["Unit"] == str(declared.unit)
                sets = {tuple(one) for one in directive["Dimensions"]}
                assert sets == set(declared.dimension_sets)
                told |= {name, *(dimension for one in sets for dimension in one)}
                values[name] += line[name]
        assert set(line) == told
        for dimension in told & VALUES.keys():
            assert line[dimension] in VALUES[dimension]
    return values


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_what_happens_is_counted(room: Ports, monkeypatch: Patch, scenario: Scenario) -> None:
    with printed() as out:
        scenario(room, monkeypatch)
    values = emitted(metric_lines(out.getvalue()))
    wanted = SCENARIOS[scenario]
    assert wanted <= values.keys()
    faults = {name for name in values if METRICS[name].health is Health.FAULT and any(values[name])}
    expected = {name for name in wanted if METRICS[name].health is Health.FAULT}
    well = scenario in (nothing_to_sweep, old_hands_are_moved)
    # What is damaged may be met more than once on the way.
    assert faults - {"ItemDamaged"} == (set() if well else expected - {"ItemDamaged"})


def test_no_metric_is_left_out() -> None:
    assert set().union(*SCENARIOS.values()) == set(METRICS)


def test_what_is_counted_is_declared_and_what_is_declared_is_counted() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for path in (ROOT / "functions").rglob("*.py"):
        if path.name == "signals.py":
            continue
        for name in _counted(path):
            found[name].add(path.name)
    # The handlers' own, in `invocation`.
    assert set(METRICS) - set(found) == {"HandlerFailed", "ClockFailed"}
    assert set(found) <= set(METRICS)


def _counted(path: Path) -> Iterator[str]:
    """Names of metrics in calls, written out; none is made up at run time."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = ast.unparse(node.func.value)
        if node.func.attr not in CALLERS or not owner.lower().endswith("signals"):
            continue
        first = node.args[0]
        options = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        for option in options:
            assert isinstance(option, ast.Constant), f"{path}:{node.lineno}"
            assert isinstance(option.value, str)
            yield option.value


@pytest.mark.parametrize("name", METRICS)
def test_no_metric_is_told_apart_by_what_grows(name: str) -> None:
    apart = {one for dimensions in METRICS[name].dimension_sets for one in dimensions}
    assert apart <= {"room", *By}
    assert apart <= VALUES.keys()


def test_who_noticed_is_told(room: Ports, monkeypatch: Patch) -> None:
    late: dict[str, list[float]] = {}
    for scenario in (a_hand, a_player_notices):
        with printed() as out:
            scenario(room, monkeypatch)
            for player in ("ana", "ben"):
                room.say(player, "leave", table=NAME, when="now", id=f"{player}-goes")
                _forget(player)
        for line in metric_lines(out.getvalue()):
            if "ClockLateness" in line:
                late.setdefault(line["noticed_by"], []).extend(line["ClockLateness"])
    assert late == {"clock": [0.0], "command": [700.0]}


def _forget(player: str) -> None:
    """What he left with: he may buy in as anyone."""
    client: Any = prime(TABLE).connection.client
    for item in client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :left)",
        ExpressionAttributeValues={":pk": {"S": f"USER#{player}"}, ":left": {"S": "LEFT#"}},
    )["Items"]:
        client.delete_item(TableName=TABLE, Key={"pk": item["pk"], "sk": item["sk"]})


def test_a_fault_is_one_number_and_the_hand_is_told_once(room: Ports, monkeypatch: Patch) -> None:
    with printed() as out:
        a_hand(room, monkeypatch)
        room.stream()
    values = emitted(metric_lines(out.getvalue()))
    assert values["Hands"] == [1.0]
    # 1000 each in the pot, 5% of it.
    assert values["Rake"] == [100.0]
    with printed() as out:
        chips_are_missing(room, monkeypatch)
    assert emitted(metric_lines(out.getvalue()))["ChipDifference"] == [abs(250.0 - 100_000)]


def test_one_command_is_one_line_of_metrics(room: Ports) -> None:
    room.seat("ana", "ben")
    room.deal()
    with printed() as out:
        room.act("fold")
    (line,) = metric_lines(out.getvalue())
    assert {"Accepted", "CommandTime", "Hands", "Rake"} <= line.keys()
    assert (line["currency"], line["room"], line["service"]) == ("PHP", "cardroom", "command")


def test_what_contradicts_is_in_lines_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    log = PowertoolsSignals("sweep", room="second")
    for currency, rake in (("PHP", 5), ("USD", 7), ("PHP", 6)):
        log.count("Rake", rake, by=currency)
    log.count("Overdue", 0)
    log.flush()
    log.flush()
    first, second = metric_lines(capsys.readouterr().out)
    assert (first["currency"], first["Rake"], first["Overdue"]) == ("PHP", [5.0, 6.0], [0.0])
    assert (second["currency"], second["Rake"]) == ("USD", [7.0])
    assert first["room"] == second["room"] == "second"
    assert first["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["room", "currency"]]


def test_a_room_is_named_by_its_stack(
    monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROOM", "cardroom-test")
    log = PowertoolsSignals("sweep")
    log.count("Overdue", 0)
    log.flush()
    (line,) = metric_lines(capsys.readouterr().out)
    assert line["room"] == "cardroom-test"


# ------------------------------------------------------------------ the census


def _row(table: str, active: int, acting_ms: int | None) -> Row:
    row = row_of(table, empty_table(settings()), Pace(acting_ms=acting_ms))
    values = {name: getattr(row, name) for name in Row.__slots__}
    return Row(**{**values, "active": active})


def test_the_slowest_table_is_one_that_plays() -> None:
    rows = [_row("a", 2, 900), _row("b", 1, 9_000), _row("c", 6, 4_000), _row("d", 2, None)]
    slowest = slowest_of(rows)
    assert slowest is not None
    assert slowest.table == "c"
    assert slowest_of(rows[1:2]) is None


def test_every_table_s_chips_are_counted_in_turn() -> None:
    names = [f"t{number}" for number in range(2 * CHECKED + 3)]
    turns = [in_turn(names, turn) for turn in range(3)]
    assert all(len(turn) == CHECKED for turn in turns)
    assert set().union(*turns) == set(names)
    assert in_turn(names[:CHECKED], 7) == names[:CHECKED]


def test_a_damaged_table_hides_no_other_s_missing_chips(room: Ports) -> None:
    open_table(DynamoTables(TABLE), "another", settings(), NOW)
    _damage_state()
    _change("TABLE#another", "STATE", chips_out={"N": "40"})
    with printed() as out:
        handle("sweep", sample("sweep"))
    values = emitted(metric_lines(out.getvalue()))
    assert (values["ChipDifference"], values["ItemDamaged"]) == ([40.0], [1.0])
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert any(
        (line.get("message"), line.get("table"), line.get("missing"))
        == ("chips missing", "another", -40)
        for line in told
    )


def test_metrics_are_declared_in_full() -> None:
    for name, metric in METRICS.items():
        assert isinstance(metric, Metric)
        assert name[0].isupper()
        assert metric.functions
        assert metric.total or metric.by is not None
        assert not metric.meaning.endswith(".")


def test_an_error_of_aws_is_no_text_in_the_log(room: Ports, monkeypatch: Patch) -> None:
    refused = ClientError({"Error": {"Code": "Odd", "Message": "Qh Qd"}}, "GetItem")
    monkeypatch.setattr(DynamoTables, "load", _raise(refused))
    with printed() as out, pytest.raises(Failed) as failed:
        handle("clock", sample("clock"))
    assert "Qh" not in out.getvalue()
    assert failed.value.__suppress_context__
