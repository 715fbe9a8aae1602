"""Who sits at a table and who looks on: they keep to the protocol, and no more.

Players think for a while, then take one of the choices that they were sent: as a table of six that
plays loosely does, so that a hand has about as many pushes as the budget is made for. A player
who is next asks for a snapshot after 5 seconds of silence, as docs/protocol.md asks of clients;
everybody pings every 4 minutes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from bench.metered import Counts, Metered, metered
from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.tables import opened
from local.table_view import Outcome, TableView
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.simulation.cloud import TABLE

type Json = dict[str, Any]

PING_MS: Final = 240_000
LOOK_MS: Final = 1_000
SILENT_MS: Final = 5_000
PAST_DEADLINE_MS: Final = 2_000
THINKS_MS: Final = 2_500
"""On average: most turns take a second or two, some many."""
LONGEST_MS: Final = 12_000
FOLDS: Final = 0.13
"""Of the turns in which there is something to call."""
RAISES: Final = 0.07
STAKES: Final = PHP_STAKES[2]
WARM: Final = 3
"""Hands before the counting: every function is warm, everybody is there."""
ORDER: Final = Order("bench", "to play with")
BUSY_MS: Final = 500
"""Until one who lost every race at a full table says the same again."""
LIMIT_MS: Final = 30 * 60_000
"""Of simulated time, for one hand: more would be a table that stands still."""


@dataclass
class Person:
    """One connection: a player's, or with no name a guest's."""

    cloud: Metered
    table: str
    number: int
    player: str = ""
    seat: int = 0
    thinks_ms: int = THINKS_MS
    heard: int = 0
    """Pushes that came."""
    refused: list[str] = field(default_factory=list)
    _made: int = 0
    _acted: tuple[int, int] = (0, 0)
    _topped: int = 0
    _pending: dict[str, Callable[[Json], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = Random(f"person/{self.number}/{self.player}")
        self.view = TableView(self.table, self.player)
        self.connection = f"{self.table}.{self.number}"

    def come(self) -> None:
        """Connect, watch, and sit down where it is a player."""

        def connected(accepted: bool) -> None:
            if not accepted:
                raise RuntimeError(f"{self.connection} is refused")
            self.ask("watch", self._watches, table=self.table)
            self.cloud.scheduler.after(PING_MS, self._ping)
            if self.player:
                self.cloud.scheduler.after(LOOK_MS, self._look)

        self.cloud.connect(self.connection, self.player, connected)

    def _watches(self, reply: Json) -> None:
        self._load(reply)
        if self.player and self.view.mine is None:
            chips = self.view.settings["maximum"] or 4 * self.view.settings["minimum"]
            self.ask("sit", self._sits, table=self.table, seat=self.seat, chips=chips, post=True)

    def _sits(self, reply: Json) -> None:
        self.ask("sync", self._load, table=self.table, seq=max(0, self.view.seq))

    def _load(self, reply: Json) -> None:
        if (shot := reply.get("snapshot")) is not None:
            self.view.load(shot["seq"], shot["state"], shot["now"])
            self._turn()

    def ask(self, route: str, done: Callable[[Json], None] | None = None, **fields: Any) -> None:
        self._made += 1
        message = {"route": route, "id": f"p{self.number}-{self._made}", "v": 1, **fields}
        said = json.dumps(message)

        def answered(text: str | None) -> None:
            if text is None:
                raise RuntimeError(f"{route} of {self.connection} is not answered")
            reply = json.loads(text)
            if reply.get("code") == "busy":
                self.cloud.scheduler.after(BUSY_MS, say)
            elif reply["type"] == "error":
                self.refused.append(f"{route} {reply['code']}")
            elif done is not None:
                done(reply)

        def say() -> None:
            self.cloud.say(self.connection, self.player, said, answered)

        say()

    def hear(self, message: Json) -> None:
        self.heard += 1
        if message["type"] == "events" and self.player:
            if self.view.push(message) is Outcome.GAP:
                self.cloud.scheduler.after(300, self._mend)
            self._turn()

    def _mend(self) -> None:
        if self.view.behind:
            self._sync()

    def _sync(self) -> None:
        self.ask("sync", self._load, table=self.table, seq=max(0, self.view.seq))

    def _ping(self) -> None:
        self.cloud.scheduler.after(PING_MS, self._ping)
        self.ask("ping")

    def _look(self) -> None:
        """Has it been silent for too long? Have the chips gone?"""
        self.cloud.scheduler.after(LOOK_MS, self._look)
        if self.view.seq < 0 or self.view.mine is None:
            return
        at = self.view.sync_at(next_ms=SILENT_MS, deadline_ms=PAST_DEADLINE_MS)
        if at is not None and self.cloud.now > at:
            self.view.heard = self.cloud.now
            self._sync()
        own, hand = self.view.own, self.view.hand
        number = 0 if hand is None else int(hand["number"])
        if own is None or self.view.running is not None or self._topped == number:
            return
        most = self.view.settings["maximum"] or 4 * self.view.settings["minimum"]
        if own["stack"] * 5 < most:
            self._topped = number
            self.ask("topup", table=self.table, chips=most - own["stack"])
            if own["status"] == "out":
                self.ask("sitin", table=self.table, post=True)

    def _turn(self) -> None:
        turn = self.view.turn
        if turn is None or self.view.mine is None or turn["seat"] != self.view.mine:
            return
        moment = (turn["hand"], turn["number"])
        if moment > self._acted:
            self._acted = moment
            wish = {"hand": turn["hand"], "turn": turn["number"], **self._choice(turn)}
            wait = min(LONGEST_MS, 200 + round(self.dice.expovariate(1 / self.thinks_ms)))
            self.cloud.scheduler.after(wait, lambda: self.ask("act", table=self.table, **wish))

    def _choice(self, turn: Json) -> Json:
        rolled = self.dice.random()
        if turn["min_to"] is not None and rolled < RAISES:
            return {"do": turn["verb"], "to": turn["min_to"]}
        if turn["check"]:
            return {"do": "check"}
        return {"do": "fold" if rolled > 1 - FOLDS else "call"}


@dataclass(frozen=True, slots=True)
class Played:
    """A span of play at some tables, and what it took that everybody came."""

    seats: int
    spectators: int
    tables: int
    counts: Counts
    coming: Counts
    """From the opened room to everybody at his place."""
    going: Counts
    """All connections end."""


def play(
    hands: int,
    *,
    seats: int = 6,
    spectators: int = 10,
    tables: int = 1,
    seed: int = 1,
    warm: int = WARM,
    signed: bool = True,
) -> Played:
    """`hands` hands at each of the tables, after `warm` others that are not counted.

    Raises RuntimeError where a table stands still or somebody is refused.
    """
    cloud = Metered(seed)
    people: dict[str, Person] = {}
    with metered(cloud, signed=signed):
        store = DynamoTables(TABLE)
        bank = Bank(DynamoAccounts.beside(store), SystemClock())
        settings = table_settings(STAKES, seats)
        names = [f"t{number}" for number in range(1, tables + 1)]
        for name in names:
            opened(store, name, settings, most=1)
            for number in range(seats + spectators):
                player = f"{name}p{number}" if number < seats else ""
                person = Person(cloud, name, number, player, number)
                people[person.connection] = person
                if player:
                    bank.create(player, ORDER)
                    bank.deposit(player, STAKES.currency, 10**9, "first", ORDER)
        cloud.heard = lambda connection, data: people[connection].hear(json.loads(data))
        cloud.sweep_forever()
        cloud.begin()
        for number, person in enumerate(people.values()):
            cloud.scheduler.after(40 * number, person.come)
        cloud.scheduler.run(cloud.now + 40 * len(people) + 5_000)
        coming = cloud.end()
        cloud.begin()
        _until(cloud, people, names, warm)
        cloud.begin()
        began = _hands(people, names)
        _until(cloud, people, names, warm + hands)
        counts = cloud.end()
        counts.hands = _hands(people, names) - began
        cloud.begin()
        for connection in people:
            cloud.close(connection)
        cloud.scheduler.run(cloud.now + 2_000)
        going = cloud.end()
    refused = [code for person in people.values() for code in person.refused]
    if refused:
        raise RuntimeError(f"refused: {sorted(set(refused))}")
    return Played(seats, spectators, tables, counts, coming, going)


def _hands(people: dict[str, Person], names: list[str]) -> int:
    return sum(_over(people[f"{name}.0"].view) for name in names)


def _over(view: TableView) -> int:
    hand = view.hand
    return 0 if hand is None else int(hand["number"]) - (not hand["over"])


def _until(cloud: Metered, people: dict[str, Person], names: list[str], hands: int) -> None:
    """Until each table has played so many. Raises RuntimeError where one stands still."""
    deadline = cloud.now + LIMIT_MS * hands
    while any(_over(people[f"{name}.0"].view) < hands for name in names):
        if cloud.now > deadline:
            raise RuntimeError("a table stands still")
        cloud.scheduler.run(cloud.now + 250)
