"""`make aws-probe` on an account of fakes: every check runs, and a fault fails its check alone."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.store import DynamoTables
from cli import probes
from cli.account import Account, Closed, Refused
from cli.gate import GATED
from cli.main import main
from cli.place import Place
from cli.probe import chosen_of, plan, probed
from cli.probes import CHECKS
from tests.cli.conftest import STACK

pytestmark = pytest.mark.usefixtures("moto")

ALL = {"--idle", "--two-hours", "--restore"}
GOOD = "head.claims.signature"
PAGE = "https://d1.cloudfront.net"


def _refusal(code: str) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "no"}}
    return ClientError(answer, "Asked")


class FakeSocket:
    def __init__(self, world: "FakeWorld", subprotocol: str | None) -> None:
        self.subprotocol = subprotocol
        self._world = world
        self._inbox: list[str] = []
        self._opened = self._active = world.clock
        self.closed = self._watches = False

    def send(self, text: str) -> None:
        world = self._world
        self._check()
        self._active = world.clock
        if len(text) > 128 * 1024:
            self.closed = world.is_right("limit")
            return
        message = json.loads(text)
        if not world.is_right("routes"):
            return
        self._watches = message["route"] == "watch" and "unknown" not in message
        ok = message["route"] in ("ping", "watch") and "unknown" not in message
        self._inbox.append(json.dumps({"id": message["id"], "type": "ok" if ok else "error"}))

    def receive(self, seconds: float) -> str | None:
        self._check()
        world = self._world
        if self._inbox:
            return self._inbox.pop(0)
        if self._watches and world.is_frozen() and world.is_right("stream"):
            self._watches = False
            return json.dumps({"type": "snapshot"})
        world.clock += round(seconds * 1000)
        return None

    def _check(self) -> None:
        """As API Gateway ends connections."""
        world = self._world
        idle, age = world.clock - self._active, world.clock - self._opened
        if self.closed:
            raise Closed(1009)
        if world.is_right("idle") and (idle >= 600_000 or age >= 7_200_000):
            raise Closed(1001)

    def close(self) -> None:
        self.closed = True
        self._world.open.discard(id(self))


class FakeWorld:
    def __init__(self, wrong: str) -> None:
        self.wrong = wrong
        self.clock = 1_700_000_000_000
        self.open: set[int] = set()
        self.is_frozen: Callable[[], bool] = lambda: False

    def is_right(self, what: str) -> bool:
        return what != self.wrong

    def socket(self, url: str, protocols: list[str], origin: str | None) -> FakeSocket:
        assert url == "wss://room"
        if not protocols and self.is_right("silent"):
            raise Refused(401)
        if origin not in (None, PAGE) and self.is_right("origin"):
            raise Refused(403)
        tokens = [one for one in protocols if one.startswith("bearer.")]
        if tokens and tokens[0] != f"bearer.{GOOD}" and self.is_right("authorizer"):
            raise Refused(403)
        socket = FakeSocket(self, protocols[0] if protocols and self.is_right("echo") else None)
        self.open.add(id(socket))
        return socket

    def page(self, url: str) -> tuple[int, dict[str, str]]:
        assert url == f"{PAGE}/"
        headers = json.loads(probes.HEADERS.read_text())
        headers["strict-transport-security"] = "max-age=1"
        if not self.is_right("page"):
            headers["X-Frame-Options"] = "ALLOW"
        return 200, {name.lower(): value for name, value in headers.items()}

    def now(self) -> int:
        return self.clock

    def pause(self, ms: int) -> None:
        self.clock += ms


class FakeAws:
    """Each service answers as AWS does, but for what is `wrong`."""

    def __init__(self, world: FakeWorld, tables: DynamoTables) -> None:
        self.world = world
        self.real = tables._client
        self.made: list[str] = []
        self.gone: list[str] = []
        self.exceptions = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    # Cognito
    def admin_create_user(self, **asked: Any) -> None:
        self.made.append(asked["Username"])

    def admin_set_user_password(self, **asked: Any) -> None: ...

    def admin_delete_user(self, **asked: Any) -> None:
        if not self.world.is_right("cleaning"):
            raise _refusal("TooManyRequestsException")
        self.gone.append(asked["Username"])

    # API Gateway
    def post_to_connection(self, **asked: Any) -> None:
        raise _refusal("GoneException" if self.world.is_right("gone") else "ForbiddenException")

    # Lambda
    def list_event_source_mappings(self, *, FunctionName: str) -> Any:  # noqa: N803
        assert FunctionName == "BroadcastFunction:live"
        filters: list[Any] = [{}, {}] if self.world.is_right("filter") else []
        mapping = {
            "State": "Enabled",
            "FilterCriteria": {"Filters": filters},
            "BisectBatchOnFunctionError": True,
            "MaximumRecordAgeInSeconds": 60,
        }
        return {"EventSourceMappings": [mapping]}

    def get_account_settings(self) -> Any:
        free = 700 if self.world.is_right("quota") else 50
        return {
            "AccountLimit": {"UnreservedConcurrentExecutions": free, "ConcurrentExecutions": 1000}
        }

    def get_function_concurrency(self, **_: Any) -> Any:
        return {"ReservedConcurrentExecutions": 10}

    def get_alias(self, **_: Any) -> Any:
        return {"FunctionVersion": "3" if self.world.is_right("alias") else "$LATEST"}

    # Step Functions
    def start_sync_execution(self, **asked: Any) -> Any:
        wait = datetime.fromisoformat(json.loads(asked["input"])["wait"]).timestamp()
        late = 0.4 if self.world.is_right("wait") else 3.0
        return {"status": "SUCCEEDED", "stopDate": datetime.fromtimestamp(wait + late, UTC)}

    # DynamoDB
    def transact_write_items(self, **asked: Any) -> Any:
        if "PROBE#" not in json.dumps(asked):
            return self.real.transact_write_items(**asked)
        if self.world.is_right("conflict"):
            refusal = _refusal("TransactionCanceledException")
            refusal.response["CancellationReasons"] = [{"Code": "TransactionConflict"}]
            raise refusal
        return {}

    def describe_continuous_backups(self, **_: Any) -> Any:
        at = datetime.fromtimestamp(self.world.clock / 1000 - 300, UTC)
        state = "ENABLED" if self.world.is_right("recovery") else "DISABLED"
        point = {"PointInTimeRecoveryStatus": state, "LatestRestorableDateTime": at}
        return {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": point}}

    def restore_table_to_point_in_time(self, **asked: Any) -> None:
        self.made.append(asked["TargetTableName"])

    def describe_table(self, *, TableName: str) -> Any:  # noqa: N803
        if TableName not in self.made:
            return self.real.describe_table(TableName=TableName)
        return {"Table": {"TableStatus": "ACTIVE"}}

    def scan(self, **asked: Any) -> Any:
        if asked["TableName"] in self.made:
            return {"Count": int(self.world.is_right("restore"))}
        return self.real.scan(**asked)

    def delete_table(self, *, TableName: str) -> None:  # noqa: N803
        self.gone.append(TableName)

    # IAM
    def get_role(self, *, RoleName: str) -> Any:  # noqa: N803
        return {"Role": {"Arn": RoleName}}

    def simulate_principal_policy(self, **asked: Any) -> Any:
        (key,) = asked["ContextEntries"][0]["ContextKeyValues"]
        role = asked["PolicySourceArn"]
        may = {"Connect": "CONN#x", "Broadcast": "SECRET#x", "Fanout": "WATCH#x"}
        fits = may.get(role.removesuffix("FunctionRole")) == key
        allowed = fits or not self.world.is_right("rights")
        return {"EvaluationResults": [{"EvalDecision": "allowed" if allowed else "implicitDeny"}]}

    # CloudWatch
    def list_metrics(self, *, Namespace: str, Dimensions: list[dict[str, str]]) -> Any:  # noqa: N803
        """With a fault those of another room alone."""
        room = STACK if self.world.is_right("metrics") else "another"
        (asked,) = Dimensions
        found = Namespace == "Cardroom" and asked == {"Name": "room", "Value": room}
        return {"Metrics": [{"MetricName": "Accepted"}] if found else []}


class Probe:
    def __init__(
        self, tables: DynamoTables, monkeypatch: pytest.MonkeyPatch, wrong: str = ""
    ) -> None:
        self.world = FakeWorld(wrong)
        self.aws = FakeAws(self.world, tables)
        tables._client = self.aws
        resources = {name: name for name in GATED} | {
            f"{name}Role": f"{name}Role" for name in GATED
        }
        outputs = {
            "UserPoolId": "pool",
            "UserPoolClientId": "client",
            "WebSocketUrl": "wss://room",
            "CallbackUrl": "https://room",
            "TurnClockArn": f"arn:aws:states:us-east-1:1:stateMachine:{STACK}-turn-clock",
            "WebUrl": f"{PAGE}/",
        }
        place = Place(
            tables, outputs, lambda: resources, lambda _: self.aws, lambda *_: self.aws, dict
        )
        self.account = Account(place, self.world)
        monkeypatch.setattr("cli.account.UserPool.sign_in", lambda *_: GOOD)
        self._asked = 0
        monkeypatch.setattr("cli.probes.DynamoViews.connections_of", self._connections)
        self.world.is_frozen = self._frozen
        self.tables = tables
        self.said: list[str] = []

    def _connections(self, *_: object) -> list[str]:
        """The first time it is there."""
        self._asked += 1
        return ["c1"] if self._asked == 1 or not self.world.is_right("disconnect") else []

    def _frozen(self) -> bool:
        stored = self.tables.load(self.account.name)
        return stored is not None and stored.table.frozen

    def run(self, options: set[str]) -> int:
        return probed(self.account, chosen_of(options), self.said.append)

    def failed(self) -> list[str]:
        return [line for line in self.said if line.startswith("FAILED")]


@pytest.fixture
def probe(tables: DynamoTables, monkeypatch: pytest.MonkeyPatch) -> Probe:
    return Probe(tables, monkeypatch)


def test_where_all_is_as_relied_on_all_is_proven(probe: Probe) -> None:
    assert probe.run(ALL) == 0, probe.said
    assert [line.split()[0] for line in probe.said[:-1]] == ["PROVEN"] * len(CHECKS)
    assert probe.said[-1] == f"{len(CHECKS)} of {len(CHECKS)} proven"


def test_what_it_has_made_is_taken_away(probe: Probe) -> None:
    probe.run(ALL)
    name = probe.account.name
    assert set(probe.aws.made) == {name}
    assert sorted(probe.aws.gone) == [name, name]
    stored = probe.tables.load(name)
    assert stored is not None
    assert stored.table.closed
    assert probe.tables.listed() == []
    assert not probe.world.open


FAULTS = {
    "routes": 3,
    "authorizer": 1,
    "silent": 1,
    "echo": 1,
    "origin": 1,
    "limit": 1,
    "gone": 1,
    "disconnect": 1,
    "stream": 1,
    "filter": 1,
    "wait": 1,
    "conflict": 1,
    "rights": 1,
    "recovery": 1,
    "quota": 1,
    "alias": 1,
    "metrics": 1,
    "page": 1,
    "idle": 2,
    "restore": 1,
}
"""What is wrong, and how many checks find it: without answers no write can be waited for either."""


@pytest.mark.parametrize(("wrong", "checks"), FAULTS.items())
def test_a_fault_fails_its_check_and_spoils_no_other(
    tables: DynamoTables, monkeypatch: pytest.MonkeyPatch, wrong: str, checks: int
) -> None:
    probe = Probe(tables, monkeypatch, wrong)
    assert probe.run(ALL - {"--two-hours"} if wrong == "routes" else ALL) == 1
    assert len(probe.failed()) == checks, probe.said
    assert all(len(line) < 160 for line in probe.said)


def test_what_could_not_be_taken_away_is_named(
    tables: DynamoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = Probe(tables, monkeypatch, "cleaning")
    assert probe.run(set()) == 1
    (left,) = [line for line in probe.said if line.startswith("LEFT")]
    assert f"the user {probe.account.name}" in left
    # And the rest is taken away all the same.
    assert probe.tables.listed() == []


def test_interrupted_it_cleans_up(probe: Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(probe.aws, "list_event_source_mappings", interrupted)
    with pytest.raises(KeyboardInterrupt):
        probe.run(set())
    assert probe.aws.gone == [probe.account.name]
    assert probe.tables.listed() == []


def test_it_says_before_what_it_does_and_what_it_costs(probe: Probe) -> None:
    short, long = list(plan(STACK, chosen_of(set()))), list(plan(STACK, chosen_of(ALL)))
    assert short[0] == f"On stack {STACK}, for 7 minutes at most, will be checked:"
    assert "less than $0.01" in short[-2]
    assert "GB" not in short[-2]
    assert "$0.15 for each GB" in long[-2]
    assert len(long) == len(CHECKS) + 3
    probe.run(set())
    assert [line for line in probe.said if line.startswith("NOT TRIED")] == [
        f"NOT TRIED  {check.what} ({check.only})" for check in CHECKS if check.only
    ]


@pytest.mark.parametrize("answer", ["n", "", "no", None])
def test_without_a_yes_nothing_is_done(
    tables: DynamoTables,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str | None,
) -> None:
    def asked(_: str) -> str:
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", asked)
    monkeypatch.setattr("cli.probe.probed", lambda *_: 1 / 0)
    assert main(["probe", "--stack", STACK]) == 1
    told = capsys.readouterr()
    assert "will be checked" in told.out
    assert ("nothing was done" in told.out) is (answer is not None)
    assert tables.listed() == []
