"""Damaged items of the store: each is isolated and reported, and nobody else notices.

Two tables of one stake play beside a delayed one. Again and again one item is damaged in one place,
everything that the room does is done over it, the healthy table has to play a hand to its end
meanwhile, and then the item is mended and the room goes on.
"""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.bans import DynamoBans
from cardroom.compose.connections import connections as composed_connections
from cardroom.damage import UNREADABLE
from cardroom.errors import RoomCode
from cardroom.lobby import SLOT_MS
from cardroom.store import DynamoTables, read_table
from cardroom.systemclock import SystemClock, timestamp
from cardroom.tables import open_table
from poker_engine.errors import Code
from poker_engine.schema import SCHEMA
from poker_engine.stakes import no_limit, table_settings
from tests.simulation.calm import CalmCloud
from tests.simulation.cloud import TABLE, Cloud, simulated
from tests.simulation.dynamo import Key
from tests.simulation.expressions import Item
from tests.simulation.laws import CARD, Broken, Laws

CODES: Final = {str(code) for code in (*RoomCode, *Code)}
STAKES: Final = no_limit("PHP", 500)
HURT: Final = "hurt"
WELL: Final = "well"
LATE: Final = "late"
"""The table whose spectators are behind."""
PLAYERS: Final = {HURT: ("ana", "ben", "cem"), WELL: ("dia", "eve"), LATE: ("fay", "gus")}
WAITS: Final = "hal"
GUEST: Final = ""
BANNED: Final = "ivy"
MONEY: Final = 100_000_000
NEWS: Final = frozenset({"events", "lobby"})
"""What a player is told who sits, and watches the lobby."""
HAND_MS: Final = 90_000
"""Within so long the healthy table ends a hand, a sweep included."""
ALARMS: Final = frozenset(
    {"ItemDamaged", "RecordDamaged", "DeckMissing", "StuckTable", "ClockFailed", "OutOfOrder"}
)
TEXTS: Final = frozenset({"state", "log", "outbox", "results", "pace", "leaving", "row", "limits"})
"""Attributes that hold JSON text."""


@dataclass(frozen=True)
class Damage:
    """An item, as it was and as it lies there now."""

    key: Key
    attribute: str
    how: str
    before: Item
    after: Item

    @property
    def kind(self) -> str:
        """As in `USER/WALLET`: what sort of item it is."""
        partition, sort = (part.partition("#")[0] for part in self.key)
        return f"{partition}/{sort}" if sort.isupper() else partition

    def __str__(self) -> str:
        return f"{self.key[0]} / {self.key[1]}, {self.attribute} {self.how}"


class Damager:
    """Draws damages from a seed."""

    ODD: Final[tuple[dict[str, Any], ...]] = (
        {"S": ""},
        {"S": "x"},
        {"S": "12"},
        {"S": "[["},
        {"S": "null"},
        {"S": "{}"},
        {"S": "[" * 3000},
        {"N": "-1"},
        {"N": "1.5"},
        {"N": "1E+30"},
        {"N": "99999999999999999999999999999999999999"},
        {"NULL": True},
        {"BOOL": True},
        {"L": []},
        {"M": {}},
        {"SS": ["x"]},
        {"B": "AAAA"},
    )
    INSIDE: Final[tuple[Any, ...]] = (
        None,
        "",
        "7",
        "x",
        -1,
        77,
        10**20,
        1.5,
        True,
        [],
        [[]],
        {},
        "TABLE#t",
    )

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def of(self, key: Key, item: Item) -> Damage:
        dice = self._dice
        names = sorted(set(item) - {"pk", "sk"})
        damaged = copy.deepcopy(item)
        name = dice.choice(names)
        rolled = dice.random()
        if rolled < 0.06:
            how, damaged["future"] = "is joined by one of a later version", {"S": "x"}
        elif name in TEXTS and rolled < 0.55:
            how, damaged[name] = "holds other JSON", {"S": self._other(item[name]["S"])}
        elif "S" in item[name] and rolled < 0.7:
            text = item[name]["S"]
            how, damaged[name] = "is torn", {"S": text[: dice.randint(0, max(0, len(text) - 1))]}
        elif rolled < 0.8:
            how = "is missing"
            del damaged[name]
        elif name == "schema":
            how, damaged[name] = "is another", {"N": dice.choice(("0", str(SCHEMA + 1), "99"))}
        else:
            how, damaged[name] = "is something else", dice.choice(self.ODD)
        return Damage(key, name, how, item, damaged)

    def _other(self, text: str) -> str:
        """With one value somewhere in it replaced."""
        value = json.loads(text)
        places = list(_places(value))
        if not places:
            return json.dumps(self._dice.choice(self.INSIDE))
        holder, index = self._dice.choice(places)
        if self._dice.random() < 0.2:
            del holder[index]
        else:
            holder[index] = self._dice.choice(self.INSIDE)
        return json.dumps(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where in it something else may stand: (list or object, index or name)."""
    pairs = enumerate(value) if isinstance(value, list) else value.items()
    for index, one in list(pairs):
        yield value, index
        if isinstance(one, list | dict):
            yield from _places(one)


@dataclass
class Room:
    """The room that is damaged, and all that is done in it."""

    seed: int
    dice: Random
    cloud: CalmCloud
    laws: Laws
    answers: Counter[str] = field(default_factory=Counter)
    damaged: Damage | None = None
    refused: bool = False
    """Somebody was told that something is out of order."""
    told: set[str] = field(default_factory=set)
    """Kinds of what a player of the healthy table was told."""
    _made: int = 0

    @property
    def _alarms(self) -> int:
        return sum(self.cloud.notes.counts[name] for name in ALARMS)

    def open(self) -> None:
        store = DynamoTables(TABLE)
        bank = Bank(DynamoAccounts(TABLE, store._client), SystemClock())
        order = Order("damage", "to play with")
        now = self.cloud.now
        for name, players in PLAYERS.items():
            seats = len(players) if name != HURT else 6
            settings = table_settings(STAKES, seats, clock_ms=5_000, pause_ms=1_000)
            if name == LATE:
                settings = replace(settings, delay_s=2)
            open_table(store, name, settings, now, most=5)
        for player in (*(one for several in PLAYERS.values() for one in several), WAITS, BANNED):
            bank.create(player, order)
            bank.deposit(player, "PHP", MONEY, player, order)
            self.cloud.call("connect", self.cloud.request(player, player, "CONNECT"))
            self.cloud.connections[player] = player
        self.cloud.call("connect", self.cloud.request("guest", GUEST, "CONNECT"))
        self.cloud.connections["guest"] = GUEST
        DynamoBans(TABLE).ban(BANNED, "", now + 10**10)
        for name in PLAYERS:
            self.sit(name)
        self.prepare()
        self.cloud.sweep_forever()
        self.cloud.posted.append(self._told)

    def _told(self, connection: str, data: bytes) -> None:
        if connection == PLAYERS[WELL][0]:
            self.told |= NEWS & {json.loads(data)["type"]}

    # What is done

    def ask(self, player: str, route: str, **fields: Any) -> dict[str, Any]:
        """A player's message over his own connection; a guest's over his."""
        self._made += 1
        message = {"route": route, "v": 1, "id": f"d{self._made}", **fields}
        self.laws.asked(player, message)
        event = self.cloud.request(player or "guest", player, "MESSAGE")
        reply = self.cloud.call("command", {**event, "body": json.dumps(message)})
        answer: dict[str, Any] = json.loads(reply["body"])
        code = "ok" if answer["type"] == "ok" else str(answer["code"])
        self.answers[code] += 1
        self._judge(player, message, code, reply)
        if code == "ok" and CARD.search(data := reply["body"].encode()):
            table, seq = fields.get("table") or answer["table"], answer["snapshot"]["seq"]
            self.laws.may_see(table, player, data, seq, seq)
        return answer

    def _judge(self, player: str, message: dict[str, Any], code: str, reply: Any) -> None:
        if reply["statusCode"] != 200 or code == "internal" or code not in {*CODES, "ok"}:
            raise Broken(f"{message} was answered {reply}")
        if code == RoomCode.OUT_OF_ORDER:
            self.refused = True
            if not self._concerned(player, str(message.get("table", ""))):
                raise Broken(f"{player or 'a guest'} hears of it: {message}")

    def _concerned(self, player: str, table: str) -> bool:
        """Whether the damaged item is of this table or player; of none, of his own table."""
        if self.damaged is None:
            return False
        partition, sort = self.damaged.key
        if partition.startswith(("USER#", "CONN#", "WAIT#", "BAN#")):
            return player in (*partition.split("#"), sort)
        tables = {*partition.split("#"), *sort.split("#")} & set(PLAYERS)
        return table in tables or (not table and any(player in PLAYERS[one] for one in tables))

    def sit(self, table: str) -> None:
        """Whoever of its players has no seat takes one."""
        for seat, player in enumerate(PLAYERS[table]):
            stored = self.laws.tables[table].table
            if stored.seat_of(player) is None:
                self.ask(player, "sit", table=table, seat=seat, chips=STAKES.big_blind * 50)
            elif stored.seats[seat] is None or stored.running is None:
                self.ask(player, "sitin", table=table, post=True)

    def prepare(self) -> None:
        """All kinds of items are there."""
        self.ask("ana", "limits", reminder_minutes=30, currency="PHP", loss_day=10**10)
        self.ask("ana", "ping")
        self.ask(WAITS, "wait", structure=STAKES.structure)
        for one in (GUEST, PLAYERS[WELL][0]):
            self.ask(one, "lobby")
        for table in PLAYERS:
            self.ask(GUEST, "watch", table=table)
            for player in PLAYERS[table]:
                self.ask(player, "watch", table=table)

    def play(self, table: str) -> None:
        """Whoever's turn it is acts."""
        stored = self.laws.tables[table].table
        hand = stored.running
        if hand is None or hand.turn is None:
            return
        seat = stored.seats[hand.turn.seat]
        if seat is None:
            return
        free = hand.bets[hand.turn.seat] >= hand.price
        do = self.dice.choice(("check",) if free else ("call", "call", "fold"))
        wish = {"hand": hand.number, "turn": hand.turn.number, "do": do}
        self.ask(seat.player, "act", table=table, **wish)

    def everything(self) -> None:
        """Each function, each route: at the damaged item, and at what lies beside it."""
        cloud, structure = self.cloud, STAKES.structure
        image = cloud.dynamo.item(keys.table(HURT), keys.STATE)
        well = cloud.dynamo.item(keys.table(WELL), keys.STATE)
        self.quietly("broadcast", {"Records": [_record(1, HURT, image), _record(2, WELL, well)]})
        self.quietly("broadcast", {"Records": [_arrival(3, HURT), _arrival(4, WELL)]})
        for body in (
            {"do": "stake", "structure": structure},
            {"do": "tick", "slot": cloud.now // SLOT_MS},
        ):
            self._made += 1
            record = {"messageId": f"f{self._made}", "body": json.dumps(body)}
            self.quietly("floor", {"Records": [record]})
        parcels = [
            json.dumps([name, 1, self.laws.tables[name].table.seq, cloud.now, [0, 7], "{}"])
            for name in (HURT, WELL)
        ]
        records = [{"messageId": str(n), "body": body} for n, body in enumerate(parcels)]
        self.quietly("fanout", {"Records": records})
        for table in (HURT, WELL):
            hand = self.laws.tables[table].table.hands
            event = {"table": table, "hand": hand, "started": timestamp(cloud.now)}
            try:
                self.cloud.call("clock", event)
            except Exception:
                # Its state machine tries again, and ends.
                if table == WELL or not self._concerned("", table):
                    raise
        self.quietly("sweep", {})
        for player in (BANNED, "ana", GUEST):
            connection = f"{player or 'guest'}-2"
            answer = self.cloud.call("connect", cloud.request(connection, player, "CONNECT"))
            if answer["statusCode"] not in (200, 429):
                raise Broken(f"{connection} is answered {answer}")
            self.cloud.call("disconnect", cloud.request(connection, player, "DISCONNECT"))
        self.cloud.call("disconnect", cloud.request("cem", "cem", "DISCONNECT"))
        self.cloud.call("connect", cloud.request("cem", "cem", "CONNECT"))
        self.messages()

    def messages(self) -> None:
        """Each route, some of them by several players."""
        for table in (LATE if self._concerned("", LATE) else HURT, WELL):
            stored = self.laws.tables[table].table
            players = PLAYERS[table]
            for player in (*players, GUEST):
                self.ask(player, "watch", table=table)
                self.ask(player, "sync", table=table, seq=0)
            for player in players:
                self.play(table)
                self.ask(player, "sitout", table=table, when="big_blind")
                self.ask(player, "sitout", table=table, when="never")
            one = players[0]
            self.ask(one, "topup", table=table, chips=1)
            self.ask(one, "autotopup", table=table, to=self.dice.choice((0, STAKES.big_blind * 60)))
            self.ask(one, "show", table=table, cards=[0])
            self.ask(one, "sitin", table=table, post=True)
            hand = {"hand": stored.hands, "price": 0, "do": "check_fold"}
            self.ask(players[-1], "preact", table=table, **hand)
            self.ask(WAITS, "sit", table=table, seat=9, chips=1)
        for player in ("ana", "dia", WAITS):
            for route in ("account", "ping", "lobby"):
                self.ask(player, route)
            self.ask(player, "limits", reminder_minutes=self.dice.randint(1, 90))
            self.ask(player, "quickseat", structure=STAKES.structure, chips=1)
            self.ask(player, "wait", structure=STAKES.structure)
        self.ask("cem", "leave", table=HURT)
        self.ask("cem", "sit", table=HURT, seat=2, chips=STAKES.big_blind * 50)
        self.ask(GUEST, "unwatch", table=HURT)

    def quietly(self, function: str, event: Any) -> None:
        """It has to be done with it: nothing of it comes again."""
        answer = self.cloud.call(function, event)
        if answer.get("batchItemFailures"):
            raise Broken(f"{function} wants it again: {answer}")

    # One damage after the other

    def hurt(self, damage: Damage) -> None:
        """Damage it, live with it, mend it."""
        self.damaged, self.refused = damage, False
        seen = self._alarms
        with self._unwatched():
            self._put(damage.key, damage.after)
            # Nobody's place in a line, and no hand, hangs on an item that cannot be read.
            for line in self.laws.waits.lines.values():
                line.pop(damage.key[1], None)
            if damage.key[0].startswith("SECRET#"):
                hands = {(name, one.table.hands) for name, one in self.laws.tables.items()}
                self.laws.referee.voidable |= hands
                # Else warm functions know it by heart.
                self.cloud.cold()
        self.everything()
        self._ends_a_hand()
        reported = self._alarms > seen
        left = self.cloud.dynamo.item(*damage.key)
        if self.refused and not reported:
            raise Broken("somebody is refused something, and nobody is told why")
        if left != damage.after and not reported and unreadable(damage):
            raise Broken(f"it is written over in silence: {left}")
        # Who comes to watch writes anew what says so, whatever was there.
        stands = left == damage.after
        if not reported and (unreadable(damage) or (stands and read_by_all(damage))):
            raise Broken("nobody is told")
        if stands:
            with self._unwatched():
                self._put(damage.key, damage.before)
        self.damaged = None
        self._refresh()

    def _put(self, key: Key, item: Item) -> None:
        self.cloud.dynamo.put(key, item)
        if key[0].startswith("SEATED#"):
            self.laws.subscriptions.changed(keys.table_id(key[0]))

    def _ends_a_hand(self) -> None:
        self.told.clear()
        before, until = self.laws.counts["hands ended"], self.cloud.now + HAND_MS
        well = self.laws.tables[WELL].table.hands
        while self.laws.tables[WELL].table.hands < well + 2 or len(self.told) < len(NEWS):
            if self.cloud.now > until:
                raise Broken(f"no hand ends at the healthy table, or it is told {self.told} alone")
            self.cloud.scheduler.run(self.cloud.now + 500, self._look)
            for table in PLAYERS:
                if table != HURT or self.damaged is None:
                    self.play(table)
        if self.laws.counts["hands ended"] == before:
            raise Broken("hands begin and do not end")

    def _look(self) -> None:
        if self.laws.violation is not None:
            raise Broken(self.laws.violation)

    def _refresh(self) -> None:
        """Everybody plays again, at the mended table too."""
        for table in PLAYERS:
            self.ask(GUEST, "sync", table=table, seq=0)
            self.sit(table)
        self.prepare()
        self.cloud.scheduler.run(self.cloud.now + 2_500, self._look)
        for _ in range(2):
            for table in PLAYERS:
                self.play(table)

    @contextmanager
    def _unwatched(self) -> Iterator[None]:
        """What is done in it is not the room's doing: the laws do not look."""
        watching, self.cloud.written = self.cloud.written, []
        yield
        self.cloud.written = watching


def unreadable(damage: Damage) -> bool:
    """Whether the room has to notice: a table that cannot be read, and what else it reads."""
    if damage.key[1] == keys.STATE:
        try:
            read_table(damage.after)
        except UNREADABLE:
            return True
    return False


READ: Final = {
    "LISTED": {"seq"},
    "SEATED/VIEW": {"ttl", "seq"},
    "SEATED/SHARD": {"ttl"},
    "CROWDS": {"ttl"},
    "WAIT": {"since"},
    "BAN/BAN": {"until"},
    "LOBBY/TICK": {"slot"},
}
"""Numbers that somebody reads whatever happens, by kind of item."""


def read_by_all(damage: Damage) -> bool:
    lobby = damage.key[0] == keys.LOBBY_WATCH and damage.attribute == "ttl"
    if "future" in damage.after:
        return False
    return lobby or damage.attribute in READ.get(damage.kind, ())


def playable(damage: Damage) -> bool:
    """Whether a table can be told from a good one: then it is no damage that anybody could find."""
    if damage.key[1] != keys.STATE or damage.after.get("future"):
        return False
    return not unreadable(damage)


def _record(number: int, table: str, image: Item | None) -> dict[str, Any]:
    key = {"pk": {"S": keys.table(table)}, "sk": {"S": keys.STATE}}
    told = {"Keys": key, "SequenceNumber": str(number), "NewImage": image}
    return {"eventName": "MODIFY", "dynamodb": told}


def _arrival(number: int, table: str) -> dict[str, Any]:
    key = {"pk": {"S": keys.seats(table)}, "sk": {"S": keys.view("x")}}
    return {"eventName": "INSERT", "dynamodb": {"Keys": key, "SequenceNumber": str(number)}}


WEIGHTS: Final = {"TABLE/STATE": 8, "SECRET": 2, "LISTED": 2}
"""How much more often than the others they are damaged."""
SPARED: Final = ("NAME#", "CAME#")
"""Partitions that only a sign-up reads, or no function."""


def candidates(cloud: Cloud, laws: Laws) -> dict[str, list[Key]]:
    """Items by kind, but those of the healthy table and its players, and decks of old hands."""
    found: dict[str, list[Key]] = {}
    well = {WELL, *PLAYERS[WELL]}
    hands = (stored.table.hand for stored in laws.tables.values())
    decks = {hand.deck for hand in hands if hand is not None}
    for partition, items in cloud.dynamo.partitions.items():
        for sort in items:
            parts = {*partition.split("#"), *sort.split("#")}
            if parts & well or partition.startswith(SPARED):
                continue
            if partition.startswith("SECRET#") and sort not in decks:
                continue
            kind = Damage((partition, sort), "", "", {}, {}).kind
            found.setdefault(kind, []).append((partition, sort))
    return found


def damage(seed: int, inputs: int) -> tuple[Counter[str], Counter[str]]:
    """Damage so many items: how many of each kind, and how often each code was answered. Raises
    Broken.
    """
    cloud = CalmCloud(seed)
    dice = Random(f"damage/{seed}")
    room, damager = Room(seed, dice, cloud, Laws(cloud)), Damager(dice)
    kinds: Counter[str] = Counter()
    composed_connections.cache_clear()
    with simulated(cloud):
        room.open()
        room._refresh()
        for number in range(1, inputs + 1):
            one = _drawn(dice, damager, room)
            try:
                room.hurt(one)
            except Exception as broken:
                text = f"seed {seed}, damaged item {number} ({one}): {broken}"
                raise Broken(text) from broken
            kinds[one.kind] += 1
    return kinds, room.answers


def _drawn(dice: Random, damager: Damager, room: Room) -> Damage:
    found = candidates(room.cloud, room.laws)
    while True:
        (kind,) = dice.choices(sorted(found), [WEIGHTS.get(one, 1) for one in sorted(found)])
        key = dice.choice(sorted(found[kind]))
        item = room.cloud.dynamo.item(*key)
        assert item is not None
        if set(item) == {"pk", "sk"}:
            continue
        one = damager.of(key, item)
        if one.after != item and not playable(one):
            return one
