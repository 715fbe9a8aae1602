"""What the emulator cannot prove, one check each, on the stack of a real account.

A check returns what it found, in a few words; it raises NotProven where that is not what the room
relies on. None of them moves money, and each ends by itself in the time that it names.
"""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from botocore.exceptions import ClientError

from cardroom.connections import DynamoViews
from cardroom.messages import MESSAGES
from cardroom.metrics import NAMESPACE, ROOM
from cardroom.systemclock import timestamp
from cli.account import Account, Closed, Refused, Socket
from cli.gate import GATED
from cli.place import ALIAS

FOREIGN: Final = "https://example.com"
ANSWER_SECONDS: Final = 10.0
MOST_PUSHES: Final = 20
HEADERS: Final = Path(__file__).parents[1] / "web/headers.json"
LATE_MS: Final = 2_000
"""Of a wait of the turn clock, its function's start included."""


class NotProven(Exception):
    """What was found instead, in a few words."""


@dataclass(frozen=True, slots=True)
class Check:
    """`what` is the sentence that it proves; `seconds` is how long it takes at most."""

    what: str
    seconds: int
    run: Callable[[Account], str]
    only: str = ""
    """The option without which it is not tried."""


def hold(holds: object, found: str) -> str:
    """Raises NotProven."""
    if not holds:
        raise NotProven(found)
    return found


def ask(socket: Socket, route: str, **fields: Any) -> dict[str, Any]:
    """The reply to a message. Raises NotProven where none comes, among whatever is pushed."""
    message = {"route": route, "id": f"probe-{route}", "v": 1, **fields}
    socket.send(json.dumps(message))
    for _ in range(MOST_PUSHES):
        if (text := socket.receive(ANSWER_SECONDS)) is None:
            break
        reply: dict[str, Any] = json.loads(text)
        if reply.get("id") == message["id"]:
            return reply
    raise NotProven(f"{route} is not answered")


def status(account: Account, token: str = "", origin: str | None = None, **more: bool) -> int:
    """With which status a connection is answered; 101 lets in."""
    try:
        account.socket(token, origin, **more).close()
    except Refused as refused:
        return refused.status
    return 101


# ------------------------------------------------------------------ the WebSocket API


def routes(account: Account) -> str:
    socket = account.socket(account.token)
    for route in MESSAGES:
        reply = ask(socket, route, unknown=True)
        hold(reply.get("type") in ("ok", "error"), f"{route}: {reply.get('message', reply)}")
    reply = ask(socket, "no-such-route")
    hold(reply.get("type") == "error", "an unknown route is not refused")
    return f"{len(MESSAGES)} routes and the default one"


def authorizer(account: Account) -> str:
    hold(status(account, account.token) == 101, "a good token is refused")
    head, _, signature = account.token.rpartition(".")
    forged = f"{head}.{'A' * len(signature)}"
    found = status(account, forged)
    hold(found in (401, 403), f"a forged token, after a good one, is answered with {found}")
    again = status(account, account.token)
    hold(again == 101, f"a good token, after a forged one, is answered with {again}")
    return f"the forged one is answered with {found}, whatever came before it"


def silent(account: Account) -> str:
    found = status(account, silent=True)
    return hold(found in (401, 403), f"without a subprotocol: {found}")


def subprotocol(account: Account) -> str:
    chosen = account.socket(account.token).subprotocol
    return hold(chosen == "cardroom.v1", f"the subprotocol is {chosen}")


def origin(account: Account) -> str:
    foreign = status(account, account.token, FOREIGN)
    hold(foreign == 403, f"a foreign page is answered with {foreign}")
    if url := account.room.outputs.get("WebUrl"):
        own = status(account, account.token, url.rstrip("/"))
        hold(own == 101, f"the room's own page is answered with {own}")
    return "a foreign page is answered with 403"


def too_long(account: Account) -> str:
    socket = account.socket(account.token)
    try:
        socket.send("x" * (128 * 1024 + 1))
        socket.receive(ANSWER_SECONDS)
        socket.send(json.dumps({"route": "ping", "id": "after", "v": 1}))
        text = socket.receive(ANSWER_SECONDS)
    except Closed as closed:
        return hold(closed.code in (1009, None), f"closed with {closed.code}")
    raise NotProven(f"more than 128 KB leave the connection open: {(text or '')[:40]}")


def gone(account: Account) -> str:
    socket = account.socket(account.token)
    hold(ask(socket, "ping")["type"] == "ok", "ping is refused")
    views = DynamoViews(account.room.tables.name, client=account.client("dynamodb"))
    ours = views.connections_of(account.name)
    hold(ours, "the connection is in no index")
    url = account.room.output("CallbackUrl")
    callback = account.room.client_at("apigatewaymanagementapi", url)
    socket.close()
    account.world.pause(3_000)
    for connection in ours:
        try:
            callback.post_to_connection(ConnectionId=connection, Data=b"{}")
        except ClientError as error:
            code = error.response["Error"]["Code"]
            hold(code == "GoneException", f"a closed connection is answered with {code}")
    left = views.connections_of(account.name)
    hold(not left, "the room still has it: $disconnect has not come")
    return "$disconnect came, and a post to it is refused as gone"


def idle(account: Account) -> str:
    """API Gateway ends a connection after 10 minutes in which nothing was sent."""
    return _ended(account.socket(account.token), account, 590, 660, keep=False)


def two_hours(account: Account) -> str:
    return _ended(account.socket(account.token), account, 7_140, 7_320, keep=True)


def _ended(socket: Socket, account: Account, least: int, most: int, *, keep: bool) -> str:
    began = account.world.now()
    try:
        while (account.world.now() - began) / 1000 < most:
            if keep:
                ask(socket, "ping")
            socket.receive(240.0 if keep else 30.0)
    except Closed:
        after = (account.world.now() - began) // 1000
        return hold(after >= least, f"closed after {after} s")
    raise NotProven(f"still open after {most} s")


# ------------------------------------------------------------------ stream, queue, clock


def pushes(account: Account) -> str:
    """STATE to the stream, through its filter, to the queue, to a spectator."""
    socket = account.socket(account.token)
    reply = ask(socket, "watch", table=account.table)
    hold(reply.get("type") == "ok", f"watch: {reply.get('code')}")
    began = account.world.now()
    account.dealer.freeze(account.table)
    for _ in range(MOST_PUSHES):
        if (text := socket.receive(ANSWER_SECONDS)) is None:
            break
        if json.loads(text).get("type") == "snapshot":
            return f"a write reached a spectator after {account.world.now() - began} ms"
    raise NotProven("a write reached no spectator")


def stream_filter(account: Account) -> str:
    function = account.room.resources()["BroadcastFunction"]
    found = account.client("lambda").list_event_source_mappings(FunctionName=f"{function}:{ALIAS}")
    (mapping,) = found["EventSourceMappings"] or [{}]
    filters = mapping.get("FilterCriteria", {}).get("Filters", [])
    hold(mapping.get("State") == "Enabled", f"the stream's consumer is {mapping.get('State')}")
    hold(len(filters) == 2, f"it has {len(filters)} filters")
    wanted = {"BisectBatchOnFunctionError": True, "MaximumRecordAgeInSeconds": 60}
    off = [name for name, value in wanted.items() if mapping.get(name) != value]
    return hold(not off, f"{len(filters)} filters, and bisecting" if not off else f"not so: {off}")


def waits(account: Account) -> str:
    """An execution for a table that is not there waits, asks, and is done."""
    states = account.client("stepfunctions")
    wait = (account.world.now() // 1000 + 4) * 1000
    event = {"table": f"{account.name}-none", "hand": 1, "wait": timestamp(wait)}
    answer = states.start_sync_execution(
        stateMachineArn=account.room.output("TurnClockArn"),
        name=account.name,
        input=json.dumps(event),
    )
    hold(answer["status"] == "SUCCEEDED", f"the execution {answer['status'].lower()}")
    late = round(answer["stopDate"].timestamp() * 1000) - wait
    return hold(0 <= late <= LATE_MS, f"a wait ended {late} ms after its moment")


def conflicts(account: Account) -> str:
    """Two at once at one item: DynamoDB refuses one, as the room expects it."""
    client, name = account.client("dynamodb"), account.room.tables.name
    key = {"pk": {"S": f"PROBE#{account.name}"}, "sk": {"S": "PROBE"}}
    account.keep("the item", lambda: client.delete_item(TableName=name, Key=key))
    codes: set[str] = set()

    def write() -> None:
        for _ in range(50):
            try:
                client.transact_write_items(
                    TransactItems=[{"Put": {"TableName": name, "Item": key}}]
                )
            except ClientError as error:
                reasons: Any = error.response.get("CancellationReasons", [])
                codes.update({one["Code"] for one in reasons} or {error.response["Error"]["Code"]})

    threads = [threading.Thread(target=write) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = ", ".join(sorted(codes)) or "nothing"
    return hold("TransactionConflict" in codes, f"refused with {found}")


# ------------------------------------------------------------------ rights


def leading_keys(account: Account) -> str:
    """As IAM's own simulator judges the roles that the stack has made."""
    resources = account.room.resources()
    iam, arn = account.client("iam"), _table_arn(account)
    cases = (
        ("ConnectFunctionRole", "dynamodb:PutItem", "CONN#x", True),
        ("ConnectFunctionRole", "dynamodb:PutItem", "USER#x", False),
        ("BroadcastFunctionRole", "dynamodb:GetItem", "SECRET#x", True),
        ("BroadcastFunctionRole", "dynamodb:GetItem", "USER#x", False),
        ("FanoutFunctionRole", "dynamodb:Query", "WATCH#x", True),
        ("FanoutFunctionRole", "dynamodb:Query", "SECRET#x", False),
        ("FloorFunctionRole", "dynamodb:PutItem", "USER#x", False),
    )
    for role, action, key, allowed in cases:
        found = iam.get_role(RoleName=resources[role])["Role"]["Arn"]
        answer = iam.simulate_principal_policy(
            PolicySourceArn=found,
            ActionNames=[action],
            ResourceArns=[arn],
            ContextEntries=[
                {
                    "ContextKeyName": "dynamodb:LeadingKeys",
                    "ContextKeyValues": [key],
                    "ContextKeyType": "stringList",
                }
            ],
        )
        decision = answer["EvaluationResults"][0]["EvalDecision"]
        if (decision == "allowed") is not allowed:
            raise NotProven(f"{role} {action} {key}: {decision}")
    return f"{len(cases)} cases"


def _table_arn(account: Account) -> str:
    found = account.client("dynamodb").describe_table(TableName=account.room.tables.name)
    return str(found["Table"]["TableArn"])


# ------------------------------------------------------------------ what the stack has


def recovery(account: Account) -> str:
    found = account.client("dynamodb").describe_continuous_backups(
        TableName=account.room.tables.name
    )["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
    on = found["PointInTimeRecoveryStatus"] == "ENABLED"
    latest = found.get("LatestRestorableDateTime")
    if latest is None:
        return hold(on, "it is on, and has nothing to restore yet" if on else "it is off")
    behind = account.world.now() // 1000 - round(latest.timestamp())
    return hold(on and behind <= 600, f"the latest moment is {behind} s ago")


def restored_table(account: Account) -> str:
    """A table is made of the room's at a moment, looked at, and deleted."""
    client, name = account.client("dynamodb"), account.room.tables.name
    account.keep("the restored table", lambda: client.delete_table(TableName=account.name))
    began = account.world.now()
    client.restore_table_to_point_in_time(
        SourceTableName=name, TargetTableName=account.name, UseLatestRestorableTime=True
    )
    while account.world.now() - began < 3_600_000:
        account.world.pause(15_000)
        if client.describe_table(TableName=account.name)["Table"]["TableStatus"] == "ACTIVE":
            minutes = (account.world.now() - began) // 60_000
            some = client.scan(TableName=account.name, Limit=1)["Count"]
            return hold(some, f"{minutes} minutes, {'with' if some else 'without'} items")
    raise NotProven("not there after an hour")


def concurrency(account: Account) -> str:
    client = account.client("lambda")
    limit = client.get_account_settings()["AccountLimit"]
    free = limit["UnreservedConcurrentExecutions"]
    hold(free >= 100, f"{free} are left for functions without a reservation")
    resources = account.room.resources()
    without = []
    for function in GATED:
        answer = client.get_function_concurrency(FunctionName=resources[function])
        if not answer.get("ReservedConcurrentExecutions"):
            without.append(function)
    most = limit["ConcurrentExecutions"]
    return f"{free} of {most} are free, {len(without)} functions reserve none"


def aliases(account: Account) -> str:
    client, resources = account.client("lambda"), account.room.resources()
    versions = {
        client.get_alias(FunctionName=resources[name], Name=ALIAS)["FunctionVersion"]
        for name in GATED
    }
    return hold("$LATEST" not in versions, f"{len(GATED)} functions have a version of their own")


def metrics(account: Account) -> str:
    """Of this room: another one of the account may have had them for long."""
    machine = account.room.output("TurnClockArn").rpartition(":")[2]
    room = {"Name": ROOM, "Value": machine.removesuffix("-turn-clock")}
    client = account.client("cloudwatch")
    found = client.list_metrics(Namespace=NAMESPACE, Dimensions=[room])["Metrics"]
    return hold(found, f"{len({one['MetricName'] for one in found})} metrics of our own")


def page(account: Account) -> str:
    url = account.room.outputs.get("WebUrl")
    if url is None:
        return "the stack has no page"
    code, headers = account.world.page(url)
    hold(code == 200, f"the page is answered with {code}")
    wanted: dict[str, str] = json.loads(HEADERS.read_text())
    csp = headers.get("content-security-policy", "")
    hold("default-src 'none'" in csp and "frame-ancestors 'none'" in csp, "no such policy")
    wanted = {name: value for name, value in wanted.items() if "{" not in value}
    off = [name for name, value in wanted.items() if headers.get(name.lower()) != value]
    off += [] if "strict-transport-security" in headers else ["Strict-Transport-Security"]
    return hold(not off, f"{len(wanted) + 2} headers" if not off else f"not so: {', '.join(off)}")


CHECKS: Final = (
    Check("every route answers: its RouteResponse is there", 60, routes),
    Check("a token is verified anew at each connection", 30, authorizer),
    Check("who offers no subprotocol is refused", 10, silent),
    Check("the subprotocol is echoed", 10, subprotocol),
    Check("other pages are refused by their Origin", 20, origin),
    Check("a message over 128 KB ends its connection", 30, too_long),
    Check("who goes is forgotten, and a post to him is a GoneException", 30, gone),
    Check("a write passes the stream's filter and reaches a spectator", 30, pushes),
    Check("the stream's consumer is as the template has it", 10, stream_filter),
    Check("a wait of the turn clock ends within 2 s of its moment, and not before", 15, waits),
    Check("two transactions at one item conflict", 60, conflicts),
    Check("rights end where LeadingKeys say", 30, leading_keys),
    Check("the table can be restored to a moment of the last 10 minutes", 10, recovery),
    Check("enough functions may run at once", 20, concurrency),
    Check("each function is called through a version", 20, aliases),
    Check("our metrics come out of the logs", 10, metrics),
    Check("the page has its headers", 20, page),
    Check("a silent connection ends after 10 minutes", 690, idle, only="--idle"),
    Check("any connection ends after 2 hours", 7_400, two_hours, only="--two-hours"),
    Check("a table is restored to a moment", 3_700, restored_table, only="--restore"),
)  # fmt: skip
