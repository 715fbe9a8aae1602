"""The calls that the functions made, in all scenarios, equal their roles' policies, both ways.

The policies are read back from the roles that were deployed.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

import pytest

from cardroom import keys
from cardroom.archive import S3Archive
from cardroom.models import Item, LobbyItem, SecretItem, ViewItem, written
from cardroom.results import Results
from cardroom.stored import Stored
from cardroom.systemclock import timestamp
from cardroom.tables import open_table as open_one
from local.client import PROTOCOL, Client
from local.cognito import Users
from local.seats import Bots
from local.sign_up import newcomer
from local.stack import Call, Room
from local.tables import LocalTables, open_tables
from poker_engine.cards import DECK, join_cards
from poker_engine.codec import dump_events, dump_table
from poker_engine.commands import Close, Command, Sit, Start
from poker_engine.decide import Advance, advance
from poker_engine.events import HandScheduled
from poker_engine.evolve import evolve, open_table
from poker_engine.stakes import PHP_STAKES, no_limit, table_settings
from poker_engine.state import Table
from tests.e2e.conftest import Stage
from tests.e2e.raw import flood, opened
from tests.e2e.watching import act, sit

pytestmark = pytest.mark.e2e

SETTINGS: Final = table_settings(PHP_STAKES[0], 3, clock_ms=60_000, pause_ms=1_000)
STAKE: Final = table_settings(no_limit("PHP", 300), 2)
GONE: Final = keys.view("gone=")
POLICIES_OF_AWS: Final = {
    "AWSLambdaBasicExecutionRole": "the service writes the function's log",
    "AWSLambdaDynamoDBExecutionRole": "the event source mapping reads the stream",
    "AWSLambdaSQSQueueExecutionRole": "the event source mapping takes from the queue",
}
"""Attached by SAM, and used by Lambda in the function's name; each with its reason. Where a room is
traced there is one more.
"""
UNUSED: Final = {
    ("BroadcastFunction", "sqs:SendMessage", "FailuresQueue"): (
        "the event source mapping sends there what it gives up"
    ),
}
"""Rights that no scenario makes use of: function, action, what on; each with its reason."""
SELDOM: Final = {
    ("FanoutFunction", "dynamodb:PutItem", "Table"): (
        "a spectator who comes at the very moment at which his shard is found empty"
    ),
    ("FanoutFunction", "sqs:SendMessage", "FanoutQueue"): (
        "a crowd that is too large for one function, or a delayed table's parcel that comes early"
    ),
    ("SweepFunction", "dynamodb:ConditionCheckItem", "Table"): (
        "a hand that no clock has begun, for which a seat buys chips by itself"
    ),
}
"""Rights that only a race makes use of; tests of the room bring it about."""


@dataclass(frozen=True)
class Right:
    """An action that a role's own policy allows, on a resource by its pattern."""

    function: str
    action: str
    resource: str

    def covers(self, call: Call) -> bool:
        return (self.function, self.action) == (call.function, call.action) and fnmatchcase(
            call.resource, self.resource
        )


def rights(room: Room, function: str) -> list[Right]:
    """Of the role that was deployed for a function."""
    iam = room.client("iam")
    role = room.resources[f"{function}Role"]
    found = []
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        document = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        for statement in document["Statement"]:
            assert statement["Effect"] == "Allow"
            for action in _all(statement["Action"]):
                found += [Right(function, action, one) for one in _all(statement["Resource"])]
    return found


def _all(one_or_more: str | list[str]) -> list[str]:
    return [one_or_more] if isinstance(one_or_more, str) else one_or_more


def functions(room: Room) -> list[str]:
    return [name for name in room.resources if name.endswith("Function")]


# --- everything that the functions can do, once --------------------------------------------------


async def everything(room: Room, gate: asyncio.Semaphore) -> None:
    tables = LocalTables(room)
    open_tables(tables, [("rights", SETTINGS)])
    await asyncio.to_thread(_leave_behind, room, "rights")
    await asyncio.to_thread(_overdue, room)
    await asyncio.to_thread(newcomer, room, "rights-new")
    async with Bots(room, seed="rights", gate=gate) as bots:
        guest = await bots.connect("guest", guest=True)
        await _look_at_an_old_hand(room, guest)
        await guest.enter_lobby()
        await guest.watch("rights")
        players = [await bots.connect(name) for name in ("rights-a", "rights-b")]
        for seat, player in enumerate(players):
            await sit(player, "rights", seat, SETTINGS.minimum)
        view = players[0].views["rights"]
        await players[0].until(lambda: view.turn is not None, 20)
        assert view.turn is not None
        await players[0].request("account")
        folds, wins = view.turn["seat"], 1 - view.turn["seat"]
        # His chips for the next hand come by themselves, when the clock begins it.
        await players[folds].request("autotopup", table="rights", to=SETTINGS.minimum)
        first = view.turn["hand"]
        await act(players[folds], "rights", view.turn, "fold")
        await players[wins].request("show", table="rights", cards=[0])
        await guest.until(lambda: guest.counts.pushes > 0, 20)
        # The last spectator goes: the next snapshot finds nobody.
        await guest.unwatch("rights")
        await asyncio.to_thread(_wake_in_an_old_execution, room, "rights")
        await asyncio.to_thread(_until, lambda: not _crowded(room, "rights"))
        await asyncio.to_thread(_until, lambda: not _get(room, keys.seats("rights"), GONE))
        token = await asyncio.to_thread(Users(room).token, "rights-flood")
        await flood(await opened(room, PROTOCOL, f"bearer.{token}"))
        await players[0].until(lambda: view.turn is not None and view.turn["hand"] > first, 20)
        for player in players:
            await player.request("leave", table="rights", when="now")
        # Who has no seat any more is a spectator.
        await asyncio.to_thread(_until, lambda: _crowded(room, "rights"))
        await _fill_a_stake(room, [*players, await bots.connect("rights-c")])
        # The lobby is told, and who is gone from it forgotten.
        await guest.until(lambda: guest.lobby.table("rights-stake-2") is not None, 20)
        await asyncio.to_thread(_until, lambda: not _get(room, keys.LOBBY_WATCH, GONE))


async def _fill_a_stake(room: Room, players: list[Client]) -> None:
    """Another table opens by itself, and the last one is offered a seat there."""
    chips, structure = STAKE.minimum, STAKE.stakes.structure
    assert open_one(LocalTables(room), "rights-stake", STAKE, _now(), most=2)
    await players[0].quick_seat(structure, chips, post=True)
    await players[1].request("sit", table="rights-stake", seat=1, chips=chips)
    last = players[-1]
    await last.wait_in_line(structure)
    await last.until(lambda: last.offers[structure].table == "rights-stake-2", 20)
    await last.leave_line(structure)


async def _look_at_an_old_hand(room: Room, guest: Client) -> None:
    """That of a table which has closed, as if a year had passed since: it goes to the archive."""
    table, number = "rights-closing", keys.number(1)
    item = _get(room, keys.hand(table), number)
    before = await guest.request("hand", table=table, hand=1)
    year_ago = {"ended": {"N": str(int(item["ended"]["N"]) - 365 * 86_400_000)}}
    unsealed = {name: value for name, value in item.items() if name not in ("seal", "before")}
    client: Any = room.client("dynamodb")
    client.put_item(TableName=room.outputs["TableName"], Item=unsealed | year_ago)
    moved = await asyncio.to_thread(room.invoke, "ArchiveFunction", {})
    assert moved == {"moved": 1}
    assert _get(room, keys.hand(table), number) is None
    assert _get(room, keys.CLOSED, table) is None
    archive = S3Archive(lambda: room.client("s3"), room.outputs["HandsBucket"])
    assert archive.read(table, 0) == [unsealed | year_ago]
    after = await guest.request("hand", table=table, hand=1)
    assert after["hand"]["steps"] == before["hand"]["steps"]


def _leave_behind(room: Room, table: str) -> None:
    """A view from a seat, and one of the lobby, of a connection that is gone, of which nobody was
    told.
    """
    ends = int(time.time()) + 3600
    _put(room, ViewItem(keys.seats(table), GONE, player="gone", seq=0, ttl=ends))
    _put(room, LobbyItem(keys.LOBBY_WATCH, GONE, player="gone", ttl=ends))


def _wake_in_an_old_execution(room: Room, table: str) -> None:
    """The clock, in an execution that has lived nearly as long as it may: it has a successor."""
    stored = LocalTables(room).load(table)
    assert stored is not None
    hand = stored.table.hands + (stored.table.running is None)
    started = timestamp(_now() - 290_000)
    answer = room.invoke("ClockFunction", {"table": table, "hand": hand, "started": started})
    assert answer["done"] is True


def _overdue(room: Room) -> None:
    """Hands whose turn expired long ago: one goes on, two are the last of tables that close."""
    names = {name: f"rights-{name}" for name in ("late", "closing", "closing-too")}
    for name, table in names.items():
        _running_hand(room, table, closing=name != "late")
    event = {"table": names["closing"], "hand": 1, "started": timestamp(_now())}
    assert room.invoke("ClockFunction", event)["done"] is True
    assert room.invoke("SweepFunction", {})["overdue"] >= 1
    _until(lambda: not {names["closing"], names["closing-too"]} & set(LocalTables(room).listed()))
    late = LocalTables(room).load(names["late"])
    assert late is not None
    assert late.table.running is None


def _running_hand(room: Room, name: str, *, closing: bool) -> None:
    """A hand that began an hour ago, stored without any event that would start a clock."""
    settings = table_settings(PHP_STAKES[0], 2, pause_ms=3_600_000)
    at = _now() - 3_600_000
    table = open_table(settings)
    for command in (Sit("ava", 0, settings.minimum), Sit("ben", 1, settings.minimum)):
        table = _advanced(table, command, at).table
    opening = evolve(table, HandScheduled(at))
    begun = _advanced(opening, Start(f"{name}-deck", 0), at)
    table = _advanced(begun.table, Close(), at).table if closing else begun.table
    secret = SecretItem(
        keys.secret(name),
        f"{name}-deck",
        deck=join_cards(DECK),
        opening=dump_table(opening),
        ttl=at // 1000 + 86_400,
    )
    _put(room, secret)
    log, chips = dump_events(begun.events), 2 * settings.minimum
    stored = Stored(name, 1, table, log, Results(), chips_in=chips, chips_out=0)
    assert LocalTables(room).create(stored, at)


def _advanced(table: Table, command: Command, at: int) -> Advance:
    advanced = advance(table, command, at, DECK)
    assert isinstance(advanced, Advance)
    return advanced


def _now() -> int:
    return time.time_ns() // 1_000_000


def _put(room: Room, item: Item) -> None:
    client: Any = room.client("dynamodb")
    client.put_item(TableName=room.outputs["TableName"], Item=written(item))


def _get(room: Room, partition: str, sort: str) -> Any:
    answer = room.client("dynamodb").get_item(
        TableName=room.outputs["TableName"],
        Key={"pk": {"S": partition}, "sk": {"S": sort}},
        ConsistentRead=True,
    )
    return answer.get("Item")


def _crowded(room: Room, table: str) -> bool:
    """Whether a shard of spectators is marked."""
    answer = room.client("dynamodb").query(
        TableName=room.outputs["TableName"],
        KeyConditionExpression="pk = :pk AND begins_with(sk, :shard)",
        ExpressionAttributeValues={
            ":pk": {"S": keys.seats(table)},
            ":shard": {"S": keys.SHARD},
        },
        ConsistentRead=True,
    )
    return bool(answer["Items"])


def _until(holds: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


# --- both ways -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def calls(room: Room, stage: Stage) -> list[Call]:
    """All calls so far, when every function has done all that it can."""
    stage.start(everything(room, stage.gate)).result(90)

    # The connections have closed by now; that is told to their function a little later.
    def disconnected() -> bool:
        return any(call.function == "DisconnectFunction" for call in room.calls())

    _until(disconnected)
    return room.calls()


def test_every_call_was_allowed(calls: list[Call]) -> None:
    """The emulator asks a queue's own policy too, and there is none: the role's word counts."""
    allowed = {_what(call) for call in calls if call.allowed}
    assert [call for call in calls if _what(call) not in allowed] == []


def _what(call: Call) -> tuple[str, str, str]:
    return call.function, call.action, call.resource


def test_every_call_is_by_a_right_of_the_functions_own(room: Room, calls: list[Call]) -> None:
    """Not by a policy of AWS that is attached for Lambda's sake."""
    known = functions(room)
    by_functions = [call for call in calls if call.function in known]
    own = [right for name in known for right in rights(room, name)]
    assert len({call.action for call in by_functions}) >= 6
    assert [call for call in by_functions if not any(right.covers(call) for right in own)] == []


def test_every_right_is_made_use_of(room: Room, calls: list[Call]) -> None:
    names = {_last(physical): logical for logical, physical in room.resources.items()}
    unused = set()
    for function in functions(room):
        for right in rights(room, function):
            if not any(right.covers(call) for call in calls):
                target = _last(right.resource)
                unused.add((right.function, right.action, names.get(target, target)))
    assert unused - set(SELDOM) == set(UNUSED)


def _last(name: str) -> str:
    """The last part of an ARN or an address."""
    return name.rpartition(":")[2].rpartition("/")[2]


def test_nothing_else_is_attached_to_a_function(room: Room) -> None:
    iam = room.client("iam")
    attached = {
        policy["PolicyName"]
        for function in functions(room)
        for policy in iam.list_attached_role_policies(RoleName=room.resources[f"{function}Role"])[
            "AttachedPolicies"
        ]
    }
    assert attached == set(POLICIES_OF_AWS)
