"""The whole room in one process: the real use cases on moto's DynamoDB, every other port a fake."""

import io
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from cardroom.accounts import DynamoAccounts
from cardroom.archive import S3Archive
from cardroom.arrivals import DynamoArrivals
from cardroom.attendance import Attendance
from cardroom.bank import Bank, Booked, Order
from cardroom.bans import DynamoBans
from cardroom.broadcast import Broadcast, Update
from cardroom.budget import Budgets
from cardroom.clock import TurnClock
from cardroom.connections import DynamoViews
from cardroom.dealer import Dealer
from cardroom.decks import Decks
from cardroom.disputes import DynamoDisputes
from cardroom.door import Door
from cardroom.entrance import Entrance
from cardroom.fanout import Fanout, load_parcel
from cardroom.floor import Floor
from cardroom.lines import DynamoLines
from cardroom.lobby import Lobby, Ticks
from cardroom.messages import MESSAGES, AtTable, Error, Ok
from cardroom.metrics import METRICS, By, Unit
from cardroom.models import prime
from cardroom.money import Player, Standing
from cardroom.past import Past
from cardroom.played import DynamoPlayed
from cardroom.ports import Delivery, Field
from cardroom.room import Caller, Room
from cardroom.seating import Seating
from cardroom.stakes import Stakes
from cardroom.statements import Statements
from cardroom.store import DynamoTables, state_item
from cardroom.stored import Change, Stored
from cardroom.streamed import read_update
from cardroom.supply import Supply
from cardroom.sweep import Sweep
from cardroom.tables import open_table
from cardroom.watchers import DynamoWatchers
from poker_engine.cards import DECK
from poker_engine.stakes import Settings, no_limit, table_settings
from tests.room.schema import hold_push, hold_reply
from tests.template.parsed import resources

TABLE = "cardroom"
RICH = 100_000_000
"""What a player has to begin with, unless a test says otherwise."""
START = 1_700_000_000_000


class FakeClock:
    """Stands still until told."""

    def __init__(self, now: int = START) -> None:
        self._now = now
        self.paused: list[int] = []

    def now(self) -> int:
        return self._now

    def pause(self, ms: int) -> None:
        self.paused.append(ms)

    def go(self, ms: int) -> None:
        self._now += ms

    def go_to(self, moment: int) -> None:
        assert moment >= self._now
        self._now = moment


class SeededRandomness:
    """Decks may be laid out by the test; all else follows from the seed."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)
        self._lock = threading.Lock()
        self._tokens = 0
        self.decks: list[tuple[int, ...]] = []

    def deck(self) -> tuple[int, ...]:
        with self._lock:
            shuffled = list(DECK)
            self._random.shuffle(shuffled)
            return self.decks.pop(0) if self.decks else tuple(shuffled)

    def token(self) -> str:
        with self._lock:
            self._tokens += 1
            return f"deck-{self._tokens}"

    def below(self, limit: int) -> int:
        with self._lock:
            return self._random.randrange(limit)


class FakePush:
    def __init__(self) -> None:
        self.posts: list[tuple[str, bytes]] = []
        self.outcomes: dict[str, Delivery] = {}
        self.made_up = False
        """Whether a test sends bytes of its own, which are no messages."""

    def post(self, posts: Iterable[tuple[str, bytes]]) -> list[tuple[str, Delivery]]:
        posts = list(posts)
        for _, data in posts:
            if not self.made_up:
                hold_push(data)
        self.posts += posts
        return [(to, self.outcomes.get(to, Delivery.DONE)) for to, _ in posts]

    def to(self, connection: str) -> list[bytes]:
        return [data for one, data in self.posts if one == connection]


@dataclass
class FakeCloser:
    closed: list[str] = field(default_factory=list)
    outcomes: dict[str, Delivery] = field(default_factory=dict)

    def close(self, connection: str) -> Delivery:
        self.closed.append(connection)
        return self.outcomes.get(connection, Delivery.DONE)


class FakeBucket:
    """S3, as far as the archive needs it."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.broken = False

    def _answer(self, operation: str) -> None:
        if self.broken:
            raise ClientError({"Error": {"Code": "SlowDown"}}, operation)

    def put_object(self, Key: str, Body: bytes, **asked: Any) -> None:  # noqa: N803
        self._answer("PutObject")
        if asked.get("IfNoneMatch") == "*" and Key in self.objects:
            raise ClientError({"Error": {"Code": "PreconditionFailed"}}, "PutObject")
        self.objects[Key] = Body

    def get_object(self, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        self._answer("GetObject")
        if Key not in self.objects:
            raise ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject")
        return {"Body": io.BytesIO(self.objects[Key])}

    def list_objects_v2(self, Prefix: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        self._answer("ListObjectsV2")
        keys = sorted(key for key in self.objects if key.startswith(Prefix))
        return {"Contents": [{"Key": key} for key in keys]}


@dataclass
class FakeTimers:
    """Started executions by name: (table, hand, first wake-up)."""

    started: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    broken: bool = False

    def start(self, name: str, table_id: str, hand: int, wait: int) -> None:
        if self.broken:
            raise ConnectionError
        self.started.setdefault(name, (table_id, hand, wait))


@dataclass
class FakeQueue:
    bodies: list[str] = field(default_factory=list)
    delays: list[int] = field(default_factory=list)
    """In seconds, of each body."""

    def send(self, body: str, delay: int = 0) -> None:
        self.bodies.append(body)
        self.delays.append(delay)


class ListSignals:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.counts: dict[str, float] = {}
        self.times: dict[str, list[float]] = {}
        self.fields: dict[str, Field] = {}

    def note(self, what: str, **fields: Field) -> None:
        self.lines.append(f"{what} {sorted(fields.items())}")

    def begin(self, **fields: Field) -> None:
        self.fields = dict(fields)

    def flush(self) -> None: ...

    def context(self, **fields: Field) -> None:
        self.fields |= fields

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        """Each as it is declared, and no other."""
        declared = METRICS[metric]
        assert bool(by) == (declared.by not in (None, By.NOTICED_BY))
        self.counts[metric] = self.counts.get(metric, 0) + value
        if by:
            self.counts[f"{metric} {by}"] = self.counts.get(f"{metric} {by}", 0) + value

    def milliseconds(self, metric: str, value: float) -> None:
        assert METRICS[metric].unit is Unit.MILLISECONDS
        self.times.setdefault(metric, []).append(value)

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        self.lines.append(f"fault {where} {type(error).__name__} {sorted(fields.items())}")


class StreamedTables(DynamoTables):
    """Keeps what the stream would bring."""

    def __init__(self, table_name: str) -> None:
        super().__init__(table_name)
        self.images: list[dict[str, Any]] = []
        self.history: list[dict[str, Any]] = []

    def write(self, change: Change) -> None:
        super().write(change)
        # As if each write were another function's: what is stored is read, in every test.
        self._written.clear()
        self.images.append(state_item(change))
        self.history.append(self.images[-1])


def create_dynamodb_table(client: Any = None) -> None:
    """As the template declares it, but for its stream."""
    declared = resources("AWS::DynamoDB::Table")["Table"]["Properties"]
    client = client or prime(TABLE).connection.client
    names = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")
    client.create_table(TableName=TABLE, **{name: declared[name] for name in names})


def settings(**chosen: int) -> Settings:
    return table_settings(no_limit("PHP", 500), **chosen)


class World:
    """A room with one table, `t`."""

    def __init__(self, chosen: Settings | None = None, seed: int = 1, shards: int = 1) -> None:
        self.clock = FakeClock()
        self.randomness = SeededRandomness(seed)
        self.signals = ListSignals()
        self.push = FakePush()
        self.timers = FakeTimers()
        self.queue = FakeQueue()
        self.floor_queue = FakeQueue()
        self.tables = StreamedTables(TABLE)
        self.views = DynamoViews(TABLE, shards)
        self.dealer = self.new_dealer()
        self.bucket = FakeBucket()
        self.archive = S3Archive(lambda: self.bucket, "hands", lists=False)
        self.watchers = DynamoWatchers(TABLE)
        self.lines = DynamoLines(TABLE)
        self.lobby = Lobby(self.tables, self.watchers, self.lines, self.floor_queue, self.clock)
        self.room = self.new_room()
        self.bans = DynamoBans(TABLE)
        self.closer = FakeCloser()
        self.arrivals = DynamoArrivals(TABLE, "a key")
        self.entrance = Entrance(self.views, self.bans, self.arrivals, self.clock, self.signals)
        self.door = self.new_door()
        self.turn_clock = TurnClock(self.dealer, self.timers, self.clock, self.signals)
        self.sweep = self.new_sweep()
        self.broadcast = Broadcast(
            self.views,
            self.tables,
            Decks(self.tables),
            self.push,
            self.queue,
            self.floor_queue,
            self.timers,
            self.clock,
            self.signals,
        )
        self.attendance = Attendance(self.tables, self.views, self.push, self.clock, self.signals)
        self.fanout = Fanout(self.views, self.push, self.queue, self.clock, self.signals)
        ticks = Ticks(self.lobby, self.watchers, self.views, self.push, self.clock, self.signals)
        self.stakes = self.new_stakes()
        self.floor = Floor(ticks, self.stakes, self.signals)
        self.accounts = DynamoAccounts(TABLE, self.tables._client)
        self.bank = Bank(self.accounts, self.clock)
        self._ids = 0
        self.currency = (chosen or settings()).stakes.currency
        assert open_table(self.tables, "t", chosen or settings(), self.clock.now())

    def new_door(self) -> Door:
        """With all budgets unspent."""
        return Door(self.room, Budgets(), self.bans, self.closer, self.clock, self.signals)

    def new_dealer(self) -> Dealer:
        return Dealer(self.tables, self.clock, self.randomness, self.signals)

    def new_sweep(self, dealer: Dealer | None = None) -> Sweep:
        deals = dealer or self.dealer
        return Sweep(deals, self.timers, self.floor_queue, self.clock, self.signals)

    def new_room(self, dealer: Dealer | None = None) -> Room:
        deals = dealer or self.dealer
        seating = Seating(self.tables, deals, self.lines, self.floor_queue)
        played = DynamoPlayed(TABLE, self.signals, self.archive)
        past = Past(played, self.signals)
        statements = Statements(self.tables, played, self.signals)
        return Room(
            self.tables,
            self.views,
            deals,
            self.lobby,
            seating,
            past,
            statements,
            DynamoDisputes(TABLE, self.signals),
            self.clock,
            self.signals,
        )

    def new_stakes(self) -> Stakes:
        supply = Supply(self.tables, self.dealer, self.signals)
        return Stakes(
            self.tables,
            self.lines,
            supply,
            self.views,
            self.push,
            self.floor_queue,
            self.clock,
            self.signals,
        )

    def stored(self) -> Stored:
        return self.stored_by(self.tables.load)

    def stored_by(self, load: Callable[[str], Stored | None]) -> Stored:
        found = load("t")
        assert found is not None
        return found

    def fund(self, *players: str, amount: int = RICH, currency: str = "PHP") -> None:
        """Make them players of the room, with this much money; once for each amount."""
        order = Order("test", "to play with")
        for player in players:
            # Not by the bank, which holds names to what a person may be called.
            now = self.clock.now()
            self.accounts.create(Player(player, Standing.OPEN, now, order.who, order.why, now))
            booked = self.bank.deposit(player, currency, amount, f"{currency}-{amount}", order)
            assert isinstance(booked, Booked)

    def balance(self, player: str, currency: str = "PHP") -> int:
        return self.tables.wallet(player, currency).balance

    def connect(self, connection: str, player: str = "") -> None:
        """Who has never been here has money from now on."""
        self.views.connect(connection, player, self.clock.now())
        if player and self.accounts.player(player) is None:
            self.fund(player, currency=self.currency)

    def say(self, player: str, route: str, *, on: str | None = None, **fields: Any) -> Ok | Error:
        """A message of the player, over his connection of the same name or `on` another."""
        if "id" not in fields:
            self._ids += 1
            fields["id"] = f"m{self._ids}"
        if issubclass(MESSAGES.get(route, AtTable), AtTable):
            fields.setdefault("table", "t")
        body = json.dumps({"route": route, "v": 1, **fields})
        reply = self.room.answer(body, Caller(on or player, player or None))
        hold_reply(route, reply)
        return reply

    def seat(self, *players: str, chips: int = 100_000) -> None:
        """Connect these players and sit them down from seat 0 on."""
        for number, player in enumerate(players):
            self.connect(player, player)
            assert isinstance(self.say(player, "sit", seat=number, chips=chips), Ok)

    def deal(self) -> None:
        """Let the pause pass and the next hand begin."""
        at = self.stored().table.next_hand_at
        assert at is not None
        self.clock.go_to(at)
        self.dealer.apply("t")

    def act(self, do: str, **fields: Any) -> Ok | Error:
        """The player whose turn it is does this."""
        table = self.stored().table
        assert table.hand is not None
        turn = table.hand.turn
        assert turn is not None
        seat = table.seats[turn.seat]
        assert seat is not None
        number = table.hand.number
        return self.say(seat.player, "act", hand=number, turn=turn.number, do=do, **fields)

    def act_free(self) -> None:
        """Something that changes the table in any state of it."""
        assert isinstance(self.say("ana", "sitout"), Ok)

    def play_out(self) -> None:
        """Check or call to the showdown."""
        while (table := self.stored().table).running is not None:
            assert table.hand is not None
            assert table.hand.turn is not None
            seat = table.hand.turn.seat
            do = "check" if table.hand.bets[seat] >= table.hand.price else "call"
            assert isinstance(self.act(do), Ok)

    def updates(self) -> list[Update]:
        """What the stream brings since the last time."""
        images, self.tables.images = self.tables.images, []
        return [
            read_update({"SequenceNumber": str(number), "NewImage": image})
            for number, image in enumerate(images)
        ]

    def stream(self) -> None:
        """Deliver what was written, write by write."""
        for update in self.updates():
            assert self.broadcast.deliver([update]) is None

    def fan_out(self) -> None:
        """Deliver what is queued and due, each body by itself, and what is queued again by that."""
        while due := [body for body in self.queue.bodies if self._is_due(body)]:
            for body in due:
                self.queue.bodies.remove(body)
                assert self.fanout.deliver([("a", body)]) == []

    def _is_due(self, body: str) -> bool:
        parcel = load_parcel(body)
        return parcel.shards is not None or parcel.at <= self.clock.now()
