"""A client on simulated time: it keeps to the protocol, as docs/protocol.md asks of clients."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from local.table_view import Outcome, TableView
from tests.simulation.cloud import Cloud
from tests.simulation.laws import CARD, Laws

REPLY_MS: Final = 3_000
TRIES: Final = 4
TICK_MS: Final = 1_500
SILENT_MS: Final = 5_000
PAST_DEADLINE_MS: Final = 2_000

type Json = dict[str, Any]


@dataclass
class Pending:
    message: Json
    table: str
    done: Callable[[Json], None] | None
    tries: int = 0


@dataclass
class Client:
    """One player, or a guest (""), at some tables, over one connection or two."""

    cloud: Cloud
    laws: Laws
    player: str
    tables: tuple[str, ...]
    seed: int
    stays: bool = True
    """Wants to sit at its tables."""
    connection: str = ""
    views: dict[str, TableView] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)
    quiet: bool = False
    """Says nothing of its own any more, but keeps what it knows up to date."""
    _pending: dict[str, Pending] = field(default_factory=dict)
    _made: int = 0
    _connections: int = 0
    _acted: dict[str, tuple[int, int]] = field(default_factory=dict)
    _syncing: set[str] = field(default_factory=set)
    _asking: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._dice = Random(f"client/{self.seed}/{self.player}/{self.tables}")
        self.views = {name: TableView(name, self.player) for name in self.tables}
        self.name = f"{self.player or 'guest'}.{self.seed}"

    @property
    def now(self) -> int:
        return self.cloud.now

    # Connections

    def start(self) -> None:
        self.connect()
        self.cloud.scheduler.after(self._dice.randint(1, TICK_MS), self._tick)

    def connect(self) -> None:
        self._connections += 1
        connection = f"{self.name}.{self._connections}"

        def opened(accepted: bool) -> None:
            if not accepted:
                self.cloud.scheduler.after(1_000, self.connect)
                return
            old, self.connection = self.connection, connection
            for pending in list(self._pending.values()):
                self._send(pending)
            for table in self.tables:
                self.request("watch", table)
            if old and old in self.cloud.connections:
                # The new socket first, then the old one.
                self.cloud.scheduler.after(500, lambda: self.cloud.close(old))

        self.cloud.connect(connection, self.player, opened)

    def lost(self, connection: str) -> None:
        """The connection has ended."""
        if connection == self.connection:
            self.connection = ""
            self.cloud.scheduler.after(self._dice.randint(200, 6_000), self._come_back)

    def _come_back(self) -> None:
        if not self.connection:
            self.connect()

    # Messages

    def request(
        self, route: str, table: str, done: Callable[[Json], None] | None = None, **fields: Any
    ) -> None:
        self._made += 1
        message: Json = {"route": route, "id": f"c{self.seed}-{self._made}", "v": 1}
        message |= {"table": table, **fields}
        pending = Pending(message, table, done)
        self._pending[message["id"]] = pending
        self.laws.asked(self.player, message)
        self._send(pending)

    def _send(self, pending: Pending) -> None:
        faults, message_id = self.cloud.faults, pending.message["id"]
        if message_id not in self._pending:
            return
        pending.tries += 1
        if pending.tries > TRIES:
            self._drop(pending)
            return
        self.cloud.scheduler.after(REPLY_MS * pending.tries, lambda: self._send(pending))
        if not self.connection:
            return
        connection = self.connection
        if faults.strikes("message lost"):
            return
        for _ in range(2 if faults.strikes("message doubled") else 1):
            wait = self._dice.randint(2, 40)
            if faults.strikes("message delayed"):
                wait += faults.between(500, 20_000)
            self.cloud.scheduler.after(wait, lambda: self._arrive(connection, pending))

    def _arrive(self, connection: str, pending: Pending) -> None:
        if connection not in self.cloud.connections:
            return
        body = json.dumps(pending.message)

        def answered(text: str | None) -> None:
            if text is None:
                return
            if CARD.search(data := text.encode()) and (shot := json.loads(text).get("snapshot")):
                seq = shot["seq"]
                self.laws.may_see(pending.table, self.player, data, seq, seq)
            if self.cloud.faults.strikes("reply lost"):
                return
            self.cloud.scheduler.after(self._dice.randint(2, 30), lambda: self._reply(text))

        self.cloud.say(connection, self.player, body, answered)

    def _drop(self, pending: Pending) -> None:
        self._pending.pop(pending.message["id"], None)
        self._forget(pending)

    def _forget(self, pending: Pending) -> None:
        if pending.message["route"] == "sync":
            self._syncing.discard(pending.table)
        if pending.message["route"] == "sit":
            self._asking.discard(pending.table)

    def _reply(self, text: str) -> None:
        reply = json.loads(text)
        pending = self._pending.pop(reply["id"], None)
        if pending is None:
            return
        self._forget(pending)
        view = self.views[pending.table]
        if reply["type"] == "error":
            self.refusals[reply["code"]] = self.refusals.get(reply["code"], 0) + 1
            if reply["code"] == "internal":
                self.laws.counts["internal"] += 1
            if reply["code"] == "busy":
                self._pending[reply["id"]] = pending
        elif "snapshot" in reply:
            shot = reply["snapshot"]
            view.load(shot["seq"], shot["state"], shot["now"])
        if pending.done is not None:
            pending.done(reply)

    def hear(self, data: bytes) -> None:
        message = json.loads(data)
        view = self.views.get(message.get("table", ""))
        if view is None:
            return
        if message["type"] == "snapshot":
            view.load(message["seq"], message["state"], message["now"], asked=False)
            if view.mine is None and view.seat_of(self.player) is not None:
                # He sits there, and is shown what a spectator is.
                self.request("watch", message["table"])
        elif message["type"] == "presence":
            view.presence(message)
        elif message["type"] == "events":
            outcome = view.push(message)
            if outcome is Outcome.GAP or view.stale:
                # What is missing may only be late.
                self.cloud.scheduler.after(300, lambda: self._mend(message["table"]))

    def _mend(self, table: str) -> None:
        view = self.views[table]
        if view.behind or view.stale:
            self.sync(table)

    def sync(self, table: str) -> None:
        if table in self._syncing:
            return
        self._syncing.add(table)
        self.request("sync", table, seq=max(0, self.views[table].seq))

    # What it does of its own

    def _tick(self) -> None:
        self.cloud.scheduler.after(TICK_MS, self._tick)
        if not self.connection:
            return
        for table, view in self.views.items():
            if view.seq < 0:
                continue
            self._listen(table, view)
            if not self.quiet and self.player:
                self._play(table, view)
        self._mishap()

    def _listen(self, table: str, view: TableView) -> None:
        """Against a last push that was lost."""
        turn, running = view.turn, view.running
        if running is None or turn is None:
            at = view.state.get("next_hand_at")
            if at is not None and self.now > at + PAST_DEADLINE_MS + 1_000:
                self.sync(table)
            return
        silent = self.now - view.heard
        mine = view.mine
        if (mine is not None and silent > SILENT_MS and turn["seat"] != mine) or (
            self.now > turn["deadline"] + PAST_DEADLINE_MS
        ):
            view.heard = self.now
            self.sync(table)

    def _play(self, table: str, view: TableView) -> None:
        mine, turn, dice = view.mine, view.turn, self._dice
        if mine is None:
            if self.stays and dice.random() < 0.5:
                self._sit(table, view)
            return
        if turn is not None and turn["seat"] == mine:
            moment = (turn["hand"], turn["number"])
            if self._acted.get(table) != moment:
                self._acted[table] = moment
                self._decide(table, turn)
            return
        rolled = dice.random()
        if rolled < 0.008:
            self.request("leave", table, when=dice.choice(("now", "big_blind", "never")))
        elif rolled < 0.02:
            self.request("sitout", table, when=dice.choice(("now", "big_blind", "never")))
        elif rolled < 0.03:
            self.request("topup", table, chips=dice.randint(1, view.settings["minimum"]))
        elif rolled < 0.04:
            self.request("show", table, cards=[dice.randint(0, 1)])
        elif rolled < 0.05:
            to = dice.choice((0, view.settings["minimum"], 2 * view.settings["minimum"]))
            self.request("autotopup", table, to=to)
        elif rolled < 0.15 and turn is not None:
            do = dice.choice(("check_fold", "call", "fold", "none"))
            wish = {"hand": turn["hand"], "price": turn["price"], "do": do}
            self.request("preact", table, **wish)
        seat = view.seats[mine]
        if seat is not None and seat["status"] == "out" and not seat["exit"]:
            if seat["stack"] == 0 and dice.random() < 0.3:
                self.request("topup", table, chips=view.settings["minimum"])
            elif dice.random() < 0.2:
                self.request("sitin", table, post=dice.random() < 0.5)

    def _sit(self, table: str, view: TableView) -> None:
        free = [number for number, seat in enumerate(view.seats) if seat is None]
        if not free or table in self._asking:
            return
        self._asking.add(table)
        chips = self._dice.randint(view.settings["minimum"], 4 * view.settings["minimum"])

        def answered(reply: Json) -> None:
            facts = reply.get("facts", {})
            if reply.get("code") == "buy_in_fixed" and not self.quiet:
                # He brings what he left with (RULES 1.4).
                self.request("sit", table, seat=seat, chips=facts["amount"])

        seat = self._dice.choice(free)
        self.request("sit", table, answered, seat=seat, chips=chips, post=self._dice.random() < 0.5)

    def _decide(self, table: str, turn: Json) -> None:
        dice = self._dice
        # Some think too long.
        wait = round(min(22_000, dice.expovariate(1 / 2_500)))
        choices: list[Json] = [{"do": "fold"}]
        choices += [{"do": "check"}] * 6 if turn["check"] else [{"do": "call"}] * 6
        if turn["min_to"] is not None:
            more = dice.randint(0, 3) * turn["step"]
            to = turn["max_to"] if dice.random() < 0.1 else turn["min_to"] + more
            choices += [{"do": turn["verb"], "to": min(to, turn["max_to"])}] * 3
        wish = {"hand": turn["hand"], "turn": turn["number"], **dice.choice(choices)}
        self.cloud.scheduler.after(wait, lambda: self._act(table, wish))

    def _act(self, table: str, wish: Json) -> None:
        if self.quiet:
            return
        faults = self.cloud.faults
        self.request("act", table, **wish)
        if faults.strikes("message stale"):
            self.request("act", table, **{**wish, "turn": max(1, wish["turn"] - 1)})
        if faults.strikes("message forged"):
            # Of a turn that is not his, by all likelihood.
            self.request("act", table, **{**wish, "turn": wish["turn"] + 1})

    def _mishap(self) -> None:
        faults = self.cloud.faults
        if self._dice.random() > 0.1:
            return
        if faults.strikes("client vanished"):
            self.cloud.close(self.connection)
        elif faults.strikes("client back on another socket"):
            self.connect()
