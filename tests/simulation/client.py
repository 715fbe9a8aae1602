"""A client on simulated time: it keeps to the protocol, as docs/protocol.md asks of clients."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from local.table_view import Outcome, TableView
from tests.simulation.cloud import Cloud
from tests.simulation.laws import Laws
from tests.simulation.plans import Habits

REPLY_MS: Final = 3_000
TRIES: Final = 4
TICK_MS: Final = 2_000
SILENT_MS: Final = 5_000
PAST_DEADLINE_MS: Final = 2_000
LOBBY_SILENT_MS: Final = 6_000
SEATING: Final = frozenset({"sit", "quickseat"})
FULL: Final = frozenset({"all_full", "seat_reserved"})
ZONES: Final = ("UTC", "UTC", "Asia/Manila", "Mars/Base")
"""Days by which one asks for one's statement; the last are of no time zone."""
NOT_HERE: Final = frozenset({"table_closing", "unknown_table"})

type Json = dict[str, Any]
type Done = Callable[[Json], None]


@dataclass
class Pending:
    message: Json
    done: Done | None
    tries: int = 0

    @property
    def table(self) -> str:
        return str(self.message.get("table", ""))


@dataclass
class Client:
    """One device of a player, or of a guest, over one connection or two."""

    cloud: Cloud
    laws: Laws
    habits: Habits
    number: int
    seeks: bool = True
    """Wants the seats that its player likes: one device of each does."""
    goes: bool = False
    """Gives its seats up."""
    quiet: bool = False
    """Says nothing of its own any more, but keeps what it knows up to date."""
    connection: str = ""
    views: dict[str, TableView] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    """Structures at which it waits for a seat."""
    _offers: dict[str, Json] = field(default_factory=dict)
    """By structure: the newest."""
    _let_pass: set[int] = field(default_factory=set)
    """Ends of the offers that it does not take."""
    _pending: dict[str, Pending] = field(default_factory=dict)
    _made: int = 0
    _connections: int = 0
    _acted: dict[str, tuple[int, int]] = field(default_factory=dict)
    _syncing: set[str] = field(default_factory=set)
    _asking: set[str] = field(default_factory=set)
    """Structures at which it asks for a seat just now."""
    _rests: dict[str, int] = field(default_factory=dict)
    """By structure: until when it wants no seat."""
    _elsewhere: dict[str, int] = field(default_factory=dict)
    """By table: until when it does not look there."""
    _in_lobby: int = 0
    """Until when it watches the lobby; 0 while it does not."""
    _lobby_heard: int = 0

    def __post_init__(self) -> None:
        self.player = self.habits.player
        self._dice = Random(f"client/{self.number}/{self.habits}")
        self.views = {name: TableView(name, self.player) for name in self.habits.tables}
        self.name = f"{self.player or 'guest'}.{self.number}"

    @property
    def now(self) -> int:
        return self.cloud.now

    def watches(self, table: str) -> bool:
        return table in self.views and table not in self._elsewhere

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
            for table in self.views:
                if self.watches(table):
                    self.request("watch", table=table)
            for structure in sorted(self.lines):
                # An offer that was made meanwhile is told only once.
                self._wait(structure)
            if self._in_lobby:
                self._lobby(watch=True)
            if old and old in self.cloud.connections:
                # The new socket first, then the old one.
                self.cloud.scheduler.after(500, lambda: self.cloud.close(old))

        self.cloud.connect(connection, self.player, opened)

    def lost(self, connection: str) -> None:
        """The connection has ended."""
        if connection == self.connection:
            self.connection = ""
            long = self._dice.random() < 0.1 and not self.cloud.faults.calm
            wait = self._dice.randint(6_000, 60_000) if long else self._dice.randint(200, 6_000)
            self.cloud.scheduler.after(max(wait, self._dark()), self._come_back)

    def _dark(self) -> int:
        left = self.cloud.dark_until - self.now
        return left + self._dice.randint(1, 6_000) if left > 0 else 0

    def _come_back(self) -> None:
        if not self.connection:
            self.connect()

    # Messages

    def request(self, route: str, done: Done | None = None, **fields: Any) -> None:
        self._made += 1
        message: Json = {"route": route, "id": f"c{self.number}-{self._made}", "v": 1, **fields}
        pending = Pending(message, done)
        self._pending[message["id"]] = pending
        self.laws.asked(self.player, message)
        self._send(pending)

    def _send(self, pending: Pending) -> None:
        faults, message_id = self.cloud.faults, pending.message["id"]
        if message_id not in self._pending:
            return
        pending.tries += 1
        if pending.tries > TRIES:
            self._pending.pop(message_id)
            self._forget(pending)
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
        call = self.laws.taken_up(connection, self.player, pending.message)

        def answered(text: str | None) -> None:
            self.laws.answered(call, text)
            if text is None or self.cloud.faults.strikes("reply lost"):
                return
            self.cloud.scheduler.after(self._dice.randint(2, 30), lambda: self._reply(text))

        self.cloud.say(connection, self.player, json.dumps(pending.message), answered)

    def _forget(self, pending: Pending) -> None:
        route, message = pending.message["route"], pending.message
        if route == "sync":
            self._syncing.discard(pending.table)
        elif route in SEATING:
            self._asking.discard(message.get("structure") or self._stake(pending.table))

    def _reply(self, text: str) -> None:
        reply = json.loads(text)
        pending = self._pending.pop(reply["id"], None)
        if pending is None:
            return
        if reply.get("code") == "busy":
            self._pending[reply["id"]] = pending
            return
        self._forget(pending)
        if reply["type"] == "error":
            self.refusals[reply["code"]] = self.refusals.get(reply["code"], 0) + 1
        if (shot := reply.get("snapshot")) is not None:
            table = reply.get("table") or pending.table
            view = self.views.setdefault(table, TableView(table, self.player))
            view.load(shot["seq"], shot["state"], shot["now"])
            view.presence(shot)
        if "waiting" in reply:
            self._offered({"waiting": True, "now": reply["now"], **reply["waiting"]})
        if "account" in reply:
            self._sees_account(reply["account"])
        if "lobby" in reply:
            self._lobby_heard = self.now
        if pending.done is not None:
            pending.done(reply)

    def _sees_account(self, account: Json) -> None:
        """Seats of which he does not know, as after a lost reply."""
        for table in account["seats"]:
            view = self.views.setdefault(table, TableView(table, self.player))
            if view.mine is None:
                self.request("watch", table=table)

    def hear(self, data: bytes) -> None:
        message = json.loads(data)
        if message["type"] == "offer":
            self._offered(message)
        elif message["type"] == "lobby":
            self._lobby_heard = self.now
        elif (view := self.views.get(message["table"])) is not None:
            self._hear_of(view, message)

    def _hear_of(self, view: TableView, message: Json) -> None:
        if message["type"] == "snapshot":
            if view.mine is not None and message["seq"] > view.seq:
                # Sent to a spectator: has the seat been lost unheard?
                self.sync(view.table)
            view.load(message["seq"], message["state"], message["now"], asked=False)
            if view.mine is None and self.player and view.seat_of(self.player) is not None:
                # He sits there, and is shown what a spectator is.
                self.request("watch", table=view.table)
        elif message["type"] == "events":
            outcome = self.laws.folding.fold(view, message)
            if outcome is Outcome.GAP or view.stale:
                # What is missing may only be late.
                self.cloud.scheduler.after(300, lambda: self._mend(view))
        view.presence(message)

    def _mend(self, view: TableView) -> None:
        if self.views.get(view.table) is view and (view.behind or view.stale):
            self.sync(view.table)

    def sync(self, table: str) -> None:
        if self.views[table].stale:
            # What a void hand puts back stands in no event, and nothing is newer.
            self.request("watch", table=table)
        elif table not in self._syncing:
            self._syncing.add(table)
            self.request("sync", table=table, seq=max(0, self.views[table].seq))

    # What it does of its own

    def _tick(self) -> None:
        self.cloud.scheduler.after(TICK_MS, self._tick)
        if not self.connection:
            return
        for table, view in list(self.views.items()):
            if view.seq < 0 or not self._looks(table):
                continue
            self._listen(table, view)
            if not self.quiet:
                self._play(table, view) if self.player else self._look_on(table, view)
        if not self.quiet:
            if self.seeks:
                for structure in self.habits.stakes:
                    self._seek(structure)
            self._wander()
        self._mishap()

    def _looks(self, table: str) -> bool:
        until = self._elsewhere.get(table)
        if until is not None and (until <= self.now or self.quiet):
            del self._elsewhere[table]
            self.request("watch", table=table)
        return until is None

    def _listen(self, table: str, view: TableView) -> None:
        """Against a last push that was lost; a spectator may wait for the next."""
        if view.mine is None:
            return
        at = view.sync_at(next_ms=SILENT_MS, deadline_ms=PAST_DEADLINE_MS)
        if at is not None and self.now > at:
            view.heard = self.now
            self.sync(table)

    def _look_on(self, table: str, view: TableView) -> None:
        if view.state.get("closing") and not any(view.seats):
            self._go(table)
        elif self._dice.random() < 0.02:
            self.sync(table)

    def _play(self, table: str, view: TableView) -> None:
        mine, turn, dice = view.mine, view.turn, self._dice
        if mine is None:
            self._look_on(table, view)
            return
        if turn is not None and turn["seat"] == mine:
            moment = (turn["hand"], turn["number"])
            if self._acted.get(table) != moment:
                self._acted[table] = moment
                self._decide(table, view, turn)
            return
        seat = view.seats[mine]
        if seat is None or seat["exit"]:
            return
        if self.goes:
            if self.seeks:
                self.request("leave", table=table, when="now")
            return
        self._fidget(table, view, seat)
        if seat["status"] == "out":
            if seat["stack"] == 0 and dice.random() < 0.3:
                self.request("topup", table=table, chips=view.settings["minimum"])
            # Some stay out for long.
            elif dice.random() < (0.3 if self.number % 3 else 0.03):
                self.request("sitin", table=table, post=dice.random() < 0.5)

    def _fidget(self, table: str, view: TableView, seat: Json) -> None:
        """What one does at a table beside acting on one's turn."""
        dice, turn, least = self._dice, view.turn, view.settings["minimum"]
        when = dice.choice(("now", "big_blind", "never"))
        rolled = dice.random()
        if rolled < 0.008:
            self.request("leave", table=table, when=when)
            self._rests[self._stake(table)] = self.now + dice.randint(5_000, 40_000)
        elif rolled < 0.016:
            self.request("sitout", table=table, when=when)
        elif rolled < 0.022:
            self.request("topup", table=table, chips=dice.randint(1, least))
        elif rolled < 0.030:
            if view.running is None:
                self.request("show", table=table, cards=[dice.randint(0, 1)])
        elif rolled < 0.036:
            self.request("autotopup", table=table, to=dice.choice((0, least, 2 * least)))
        elif self.habits.careful and not seat.get("refill") and rolled < 0.3:
            self.request("autotopup", table=table, to=2 * least)
        elif rolled < 0.1:
            if turn is not None and seat["in_hand"]:
                do = dice.choice(("check_fold", "call", "fold", "none"))
                wish = {"hand": turn["hand"], "price": turn["price"], "do": do}
                self.request("preact", table=table, **wish)
        elif rolled < 0.106:
            self._elsewhere[table] = self.now + dice.randint(4_000, 20_000)
            self.request("unwatch", table=table)

    def _go(self, table: str) -> None:
        del self.views[table]
        self.request("unwatch", table=table)

    # Seats

    def _stake(self, table: str) -> str:
        """Its structure, where the table is known."""
        view = self.views.get(table)
        if view is None or not view.settings:
            return ""
        one = view.settings
        return f"{one['game']}-{one['currency']}-{one['small_blind']}-{one['big_blind']}"

    def _seek(self, structure: str) -> None:
        dice = self._dice
        if self.goes or structure in self._asking or self._rests.get(structure, 0) > self.now:
            return
        at = {table: view for table, view in self.views.items() if self._stake(table) == structure}
        if any(view.mine is not None for view in at.values()) and (
            dice.random() >= self.habits.many
        ):
            return
        offer = self._offers.get(structure)
        if offer is not None and offer["table"] and offer["until"] > self.now:
            if offer["until"] not in self._let_pass:
                self._take(structure, offer["table"])
        elif structure in self.lines:
            if dice.random() < 0.01:
                self.lines.discard(structure)
                self.request("unwait", structure=structure)
            elif dice.random() < 0.02:
                self._wait(structure)
        elif dice.random() < 0.4:
            open_ones = [
                table
                for table, view in at.items()
                if view.mine is None and None in view.seats and not view.state["closing"]
            ]
            if open_ones and dice.random() < 0.6:
                self._sit(structure, dice.choice(open_ones))
            else:
                self._quick(structure)

    def _take(self, structure: str, table: str) -> None:
        view = self.views.get(table)
        if view is not None and None in view.seats and self._dice.random() < 0.7:
            self._sit(structure, table)
        else:
            self._quick(structure)

    def _sit(self, structure: str, table: str, chips: int | None = None) -> None:
        view, dice = self.views[table], self._dice
        free = [number for number, seat in enumerate(view.seats) if seat is None]
        if not free:
            return
        least = view.settings["minimum"]
        brings = chips or dice.randint(least, 4 * least)
        self._asking.add(structure)
        self.request(
            "sit",
            lambda reply: self._seated(structure, table, reply),
            table=table,
            seat=dice.choice(free),
            chips=brings,
            post=dice.random() < 0.5,
        )

    def _quick(self, structure: str, chips: int | None = None) -> None:
        big = structure.rpartition("-")[2]
        # The least buy-in is ten times the lower limit (RULES 1.2).
        least = 10 * int(big)
        brings = chips or self._dice.randint(least, 4 * least)
        self._asking.add(structure)
        self.request(
            "quickseat",
            lambda reply: self._seated(structure, "", reply),
            structure=structure,
            chips=brings,
            post=self._dice.random() < 0.5,
        )

    def _seated(self, structure: str, table: str, reply: Json) -> None:
        """What came of asking for a seat."""
        code, dice = reply.get("code"), self._dice
        if code is None:
            self.lines.discard(structure)
            self._offers.pop(structure, None)
            if self.habits.careful:
                self._is_careful(structure)
        elif self.quiet or self.goes:
            return
        elif code == "buy_in_fixed":
            # He brings what he left with (RULES 1.4).
            amount = reply["facts"]["amount"]
            self._sit(structure, table, amount) if table else self._quick(structure, amount)
        elif code in FULL and structure not in self.lines and dice.random() < 0.7:
            self._wait(structure)
        elif code == "already_seated":
            self.request("account")
        elif code in NOT_HERE and table in self.views:
            self._go(table)
        else:
            self._rests[structure] = self.now + dice.randint(5_000, 30_000)

    def _is_careful(self, structure: str) -> None:
        """He means to lose little more than this, or less."""
        _, currency, _, big = structure.split("-")
        some = 10 * int(big) * self._dice.randint(1, 3)
        self.request("limits", currency=currency, loss_day=some)

    def _wait(self, structure: str) -> None:
        def answered(reply: Json) -> None:
            if reply["type"] == "ok":
                self.lines.add(structure)
                return
            self.lines.discard(structure)
            self._rests[structure] = self.now + self._dice.randint(5_000, 30_000)
            if reply["code"] == "already_seated":
                self.request("account")

        self.request("wait", answered, structure=structure)

    def _offered(self, told: Json) -> None:
        structure = told["structure"]
        before = self._offers.get(structure)
        if before is not None and before["now"] > told["now"]:
            return
        self._offers[structure] = told
        if not told["waiting"]:
            self.lines.discard(structure)
        if told["table"] and self._dice.random() < 0.15:
            self._let_pass.add(told["until"])

    # Turns

    def _decide(self, table: str, view: TableView, turn: Json) -> None:
        dice = self._dice
        # Some think too long.
        longest = 22_000 + int(view.settings["time_bank_ms"])
        wait = round(min(longest, dice.expovariate(1 / self.habits.thinks_ms)))
        if dice.random() < 0.05:
            # Others take all the time that they are shown, or what they think that they are.
            wait = max(0, turn["deadline"] - self.now + dice.randint(-3_000, 1_500))
        choices: list[Json] = [{"do": "fold"}]
        choices += [{"do": "check"}] * 6 if turn["check"] else [{"do": "call"}] * 6
        if turn["min_to"] is not None:
            more = dice.randint(0, 3) * turn["step"]
            rash = 0.6 if self.habits.careful else 0.1
            to = turn["max_to"] if dice.random() < rash else turn["min_to"] + more
            choices += [{"do": turn["verb"], "to": min(to, turn["max_to"])}] * 3
        wish = {"hand": turn["hand"], "turn": turn["number"], **dice.choice(choices)}
        self.cloud.scheduler.after(wait, lambda: self._act(table, wish))

    def _act(self, table: str, wish: Json) -> None:
        if self.quiet:
            return
        faults = self.cloud.faults
        self.request("act", table=table, **wish)
        if faults.strikes("message stale"):
            self.request("act", table=table, **{**wish, "turn": max(1, wish["turn"] - 1)})
        if faults.strikes("message forged"):
            # Of a turn that is not his, by all likelihood.
            self.request("act", table=table, **{**wish, "turn": wish["turn"] + 1})

    # Besides

    def _wander(self) -> None:
        dice = self._dice
        if self._in_lobby:
            if self._in_lobby < self.now:
                self._in_lobby = 0
                self._lobby(watch=False)
            elif self.now - self._lobby_heard > LOBBY_SILENT_MS:
                self._lobby_heard = self.now
                self._lobby(watch=True)
        rolled = dice.random() / self.habits.curious
        if rolled < 0.002 and not self._in_lobby:
            self._in_lobby = self.now + dice.randint(6_000, 20_000)
            self._lobby_heard = self.now
            self._lobby(watch=True)
        elif rolled < 0.004:
            self.request("ping")
        elif rolled < 0.006 and self.player:
            self.request("account")
        elif rolled < 0.010 and self.player:
            self._limit()
        elif rolled < 0.030:
            self._look_back()
        elif rolled < 0.040:
            self._take_stock()
        if dice.random() < (0.15 if self.habits.quarrelsome else 0.002):
            self._dispute()
        if not self.views and dice.random() < 0.1:
            self.request("lobby", self._chooses, watch=False)

    def _chooses(self, reply: Json) -> None:
        for row in reply.get("lobby", {}).get("tables", [])[:1]:
            self.views.setdefault(row["table"], TableView(row["table"], self.player))
            self.request("watch", table=row["table"])

    def _lobby(self, *, watch: bool) -> None:
        dice = self._dice
        fields: Json = {} if watch else {"watch": False}
        if dice.random() < 0.3:
            fields["free"] = True
        if dice.random() < 0.3:
            fields |= dice.choice(({"currency": "PHP"}, {"game": "fl"}, {"game": "nl"}))
        self.request("lobby", **fields)

    def _limit(self) -> None:
        """Told, or changed: a lower limit at once, a higher one not today."""
        dice = self._dice
        rolled = dice.random()
        if rolled < 0.3 or not self.habits.stakes:
            self.request("limits")
            return
        _, currency, _, big = dice.choice(self.habits.stakes).split("-")
        some = 10 * int(big) * dice.randint(2, 12)
        if rolled < 0.5:
            self.request("limits", currency=currency, loss_day=some)
        elif rolled < 0.6:
            self.request("limits", currency=currency, loss_day=None)
        elif rolled < 0.75:
            self.request("limits", currency=currency, deposit_day=25 * some)
        elif rolled < 0.9:
            self.request("limits", reminder_minutes=dice.choice((1, 2, None)))
        else:
            self.request("limits", exclude_until=self.now + dice.randint(20_000, 120_000))

    # Hands that are over

    def _look_back(self) -> None:
        """At his hands, or at one: his or another's, now and then one that runs or never was."""
        dice, past = self._dice, self._past_hand()
        rolled = dice.random()
        if rolled < 0.3:
            fields: Json = {} if past is None or dice.random() < 0.5 else {"table": past[0]}
            if past is not None and dice.random() < 0.3:
                fields["up_to"] = past[1]
            self.request("hands", **fields)
        elif past is not None:
            self.request("hand", table=past[0], hand=past[1])

    def _take_stock(self) -> None:
        """His ledger, or what hands at a table left him: all of it, or of some time."""
        dice, past = self._dice, self._past_hand()
        fields: Json = {"zone": dice.choice(ZONES)}
        if past is None or dice.random() < 0.5:
            self._read_on("ledger", fields, "after")
            return
        if dice.random() < 0.4:
            fields["since"] = self.now - dice.randint(0, 120_000)
        if dice.random() < 0.3:
            fields["until"] = self.now - dice.randint(0, 60_000)
        self._read_on("results", {"table": past[0], **fields}, "hand")

    def _read_on(self, route: str, fields: Json, place: str) -> None:
        """Page by page: `place` says where one begins."""

        def answered(reply: Json) -> None:
            following = reply.get(route, {}).get("next")
            if following is not None:
                self._read_on(route, {**fields, place: following}, place)

        self.request(route, answered, **fields)

    def _dispute(self) -> None:
        if (past := self._past_hand()) is not None:
            self.request("dispute", table=past[0], hand=past[1], text="I had the better hand")

    def _past_hand(self) -> tuple[str, int] | None:
        """A table that he knows, and one of its last hands."""
        known = [(table, view.state["hands"]) for table, view in self.views.items() if view.state]
        if not known:
            return None
        table, hands = self._dice.choice(known)
        if self._dice.random() < 0.1:
            return table, hands + 1
        return table, self._dice.randint(max(1, hands - 6), max(1, hands))

    def _mishap(self) -> None:
        faults = self.cloud.faults
        if self._dice.random() > 0.1:
            return
        if faults.strikes("client vanished"):
            self.cloud.close(self.connection)
        elif faults.strikes("client back on another socket"):
            self.connect()
