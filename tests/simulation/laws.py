"""What must hold after every step, whatever goes wrong; `ending` has what must hold in the end."""

import json
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cardroom import keys
from cardroom.codes import SENT
from cardroom.listing import changes_row
from cardroom.outbox import Outbox, load_outbox
from cardroom.seals import seal_of
from cardroom.store import read_state
from cardroom.stored import Stored
from poker_engine.blinds import expected
from poker_engine.clock import wake_at
from poker_engine.codec import load_events, load_table
from poker_engine.events import (
    Acted,
    BankOpened,
    BoardDealt,
    Closed,
    Closing,
    Event,
    Frozen,
    HandEnded,
    HandStarted,
    HandVoided,
    Seated,
    SeatEmptied,
    Shown,
    Thawed,
)
from poker_engine.replay import replay
from poker_engine.schema import raised_events, raised_table
from poker_engine.state import Cause, Do, Table
from tests.simulation.afterwards import Afterwards
from tests.simulation.answers import Answers
from tests.simulation.cloud import Cloud, Execution
from tests.simulation.duties import Duties
from tests.simulation.dynamo import Written
from tests.simulation.expressions import Item
from tests.simulation.folding import Folding
from tests.simulation.purses import Purses
from tests.simulation.record import SKEW_MS, Broken, Call, Past, Record
from tests.simulation.referee import Referee
from tests.simulation.secrecy import CARD, Secrecy, text_of
from tests.simulation.statements import Statements
from tests.simulation.subscriptions import Subscriptions
from tests.simulation.waits import Waits

__all__ = ["CARD", "Broken", "Laws"]

LATE_MS = 3_000
LATEST_MS = 65_000
SWEEP_MS = 60_000
LOCK = "transaction in progress"
LOCKED_MS = 3_000
"""For so long nobody can write a table whose write is in progress."""
MOST_WAKES = {True: 1, False: 2}
"""Of one execution at one deadline, by whether it has come: for this one, and before it for one
that has passed on.
"""
CODES = frozenset(map(str, SENT))
"""Of refusals: those that the contract knows."""
OUTSIDE = ("deposit", "withdrawal")
SEATS = (Seated, SeatEmptied, Closing, Closed, Frozen, Thawed)
"""What makes a seat free or taken, or keeps it from being taken."""


@dataclass
class Laws:
    """Watches a cloud, and is told what clients ask for and get."""

    cloud: Cloud
    balances: dict[tuple[str, str], int] = field(default_factory=dict)
    ledgers: Counter[tuple[str, str]] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    """By currency: wallets, tables and rake less what came from outside; always 0."""
    wishes: dict[tuple[str, str], set[tuple[Any, ...]]] = field(default_factory=dict)
    taken: set[tuple[str, int, int]] = field(default_factory=set)
    bought: set[tuple[str, str]] = field(default_factory=set)
    """By player and id, what was charged."""
    banked: set[tuple[str, int, int]] = field(default_factory=set)
    """Turns that went on in a time bank: table, hand and number."""
    wakes: Counter[tuple[Execution, int, bool]] = field(default_factory=Counter)
    """By execution of the turn clock and deadline: those when it had come, and all."""
    unrecorded: set[tuple[str, int]] = field(default_factory=set)
    """Hands, by table and number, that end in the write that is looked at."""
    _dirty: list[Written] = field(default_factory=list)
    _records: list[tuple[str, Item, tuple[Event, ...]]] = field(default_factory=list)
    """Of hands that end in the write that is looked at: table, item and events."""
    _looked: int = 0
    _locks: tuple[int, int] = (0, 0)
    """How often a transaction was left in progress, and until when the last one may be (ms)."""

    def __post_init__(self) -> None:
        self.record = Record(self.cloud)
        self.tables, self.counts = self.record.tables, self.record.counts
        self.purses, self.waits = Purses(self.record), Waits(self.record)
        self.secrecy = Secrecy(self.record, self.purses, self.waits)
        self.subscriptions = Subscriptions(self.record)
        self.answers, self.folding = Answers(self.record, self.bought), Folding(self.record)
        self.afterwards = Afterwards(self.record, self.secrecy.cards)
        self.statements = Statements(self.record)
        self.duties = Duties(self.record, self.subscriptions)
        self.referee = Referee(self.record, self._asked_to_show)
        self.fail = self.record.fail
        self.cloud.written.append(self._dirty.append)
        self.cloud.settled.append(self._settled)
        self.cloud.posted.append(self._posted)
        self.cloud.woken.append(self._woken)

    @property
    def violation(self) -> str | None:
        return self.record.violation

    # Of clients

    def asked(self, player: str, message: dict[str, Any]) -> None:
        """A client sends this in its player's name."""
        wish: tuple[Any, ...]
        if message["route"] == "act":
            wish = (message["hand"], message["turn"], message["do"], message.get("to", 0))
        elif message["route"] == "preact":
            wish = (message["hand"], message["do"])
        elif message["route"] == "show":
            wish = ("show",)
        else:
            return
        self.wishes.setdefault((message["table"], player), set()).add(wish)

    def _asked_to_show(self, table: str, player: str) -> bool:
        return ("show",) in self.wishes.get((table, player), ())

    def taken_up(self, connection: str, player: str, message: dict[str, Any]) -> Call:
        """A function begins to work on a client's message."""
        about = message.get("table") or message.get("structure") or ""
        route = message["route"]
        leaves = route == "unwatch" or (route == "lobby" and not message.get("watch", True))
        about = "" if route == "lobby" else about
        call = Call(connection, player, route, about, self.cloud.now, leaves)
        self.record.calls.append(call)
        self.record.calls_told = True
        self.subscriptions.begun(call)
        self.answers.begun(call, message)
        self.afterwards.begun(call, message)
        self.statements.begun(call, message)
        return call

    def answered(self, call: Call, text: str | None) -> None:
        """It has ended, with this reply or without any."""
        self.record.calls.remove(call)
        call.ended = self.cloud.now
        reply = None if text is None else json.loads(text)
        self.subscriptions.ended(call, reply)
        if call.leaves and reply is not None and reply["type"] == "ok":
            self.subscriptions.forgotten(call.connection, call.about, call.begun)
        self.answers.ended(call, reply)
        self.afterwards.ended(call, reply)
        self.statements.ended(call, reply)
        if text is not None and reply is not None:
            if reply["type"] == "error" and reply["code"] not in CODES:
                self.fail(f"{call.route} is answered {reply['code']}, which no contract knows")
            if reply.get("code") == "internal":
                self.fail(f"{call.route} of {call.player or 'a guest'} is an internal error")
            self.secrecy.replied(call, text, reply)

    def _posted(self, connection: str, data: bytes) -> None:
        """Bytes on their way to a client."""
        with self._by_law():
            message = json.loads(data)
            self.subscriptions.posted(connection, message)
            self.secrecy.pushed(self.cloud.connections[connection], data, message)

    def may_see(self, name: str, player: str, data: bytes, before: int, seq: int) -> None:
        """What the player is told of the table from `before` to `seq`: none of its cards is one
        that he may not see.
        """
        self.secrecy.may_see(name, player, data, before, seq)

    @contextmanager
    def _by_law(self) -> Iterator[None]:
        """A law that cannot make sense of what it sees is broken too: a function would catch it."""
        try:
            yield
        except Broken:
            raise
        except Exception as error:
            self.record.violation = self.record.violation or traceback.format_exc()
            raise Broken from error

    # After every operation of the store

    def _settled(self) -> None:
        written, self._dirty[:] = list(self._dirty), []
        if written:
            with self._by_law():
                self._weigh(written)

    def _weigh(self, written: list[Written]) -> None:
        for one in written:
            self._count(one)
        for name, item, events in self._records:
            # When all is counted that the same write pays.
            self.statements.recorded(self.tables[name], item, events)
        self._records.clear()
        for name, number in self.unrecorded:
            self.fail(f"{name}: hand {number} has ended, and there is no record of it")
        for currency, total in self.totals.items():
            if total:
                what = "too much" if total > 0 else "missing"
                self.fail(f"{abs(total)} {currency} {what}")
        for wallet in {
            (keys.player(one.key[0]), one.key[1])
            for one in written
            if one.key[0].startswith("USER#") and one.key[1].startswith(keys.WALLET)
        }:
            player, currency = wallet[0], wallet[1].removeprefix(keys.WALLET)
            if self.balances[player, currency] != self.ledgers[player, currency]:
                self.fail(f"{player}'s wallet is not what his ledger says")

    def _count(self, written: Written) -> None:
        pk, sk = written.key
        kind = pk.partition("#")[0]
        if sk == keys.STATE:
            self._table(written)
        elif kind == "USER":
            self._of_player(written)
        elif kind == "HAND":
            if written.inserted:
                self._recorded(keys.table_id(pk), self._new(written))
            self._sealed(keys.table_id(pk), int(sk), self.cloud.dynamo.item(pk, sk) or {})
        elif pk.startswith(keys.DISPUTES):
            self.afterwards.written(written)
        elif kind == "RAKE":
            item = self._new(written)
            self.totals[item["currency"]["S"]] += int(item["amount"]["N"])
        elif kind == "WAIT":
            self.waits.written(written)
        elif kind in ("SEATED", "WATCH"):
            self.subscriptions.written(written)
        elif kind == "CONN":
            self.duties.parted(written)
        elif pk == keys.LISTED:
            self.duties.listed(written)

    def _of_player(self, written: Written) -> None:
        player, sk = keys.player(written.key[0]), written.key[1]
        if sk == keys.LIMITS:
            self.purses.limited(written)
        elif sk.startswith(keys.WALLET) and written.new is not None:
            owner = (player, sk.removeprefix(keys.WALLET))
            balance = int(written.new["balance"]["N"])
            if balance < 0:
                self.fail(f"{player} owes money")
            self.totals[owner[1]] += balance - self.balances.get(owner, 0)
            self.balances[owner] = balance
            self.purses.wallet(owner, written.new)
        elif sk.startswith(keys.LEDGER):
            self._entry(written)

    def _new(self, written: Written) -> Item:
        """Of what is written once and never changed."""
        if written.new is None or not written.inserted:
            self.fail(f"{written.key} is written for ever")
        return written.new

    def _entry(self, written: Written) -> None:
        item, player = self._new(written), keys.player(written.key[0])
        currency, amount = item["currency"]["S"], int(item["amount"]["N"])
        kind = item["kind"]["S"]
        self.ledgers[player, currency] += amount
        if int(item["balance"]["N"]) != self.ledgers[player, currency]:
            self.fail(f"{player}'s ledger has a wrong balance")
        how, asked, *_ = written.key[1].removeprefix(keys.LEDGER).split("#")
        if how == "in":
            if (player, asked) in self.bought:
                self.fail(f"{player} was charged twice for {asked}")
            self.bought.add((player, asked))
        if kind in OUTSIDE:
            self.totals[currency] -= amount
        self.purses.entry((player, currency), kind, amount, int(item["at"]["N"]))
        self.statements.booked(player, item)

    # Tables

    def _table(self, written: Written) -> None:
        if written.new is None:
            self.fail(f"{written.key} is gone")
        after = read_state(written.new)
        name, currency = after.table_id, after.table.settings.stakes.currency
        before, seq = self.tables.get(name), after.table.seq
        self.tables[name] = after
        self.totals[currency] += after.chips - (0 if before is None else before.chips)
        if after.chips != after.chips_in - after.chips_out:
            self.fail(f"{name}: chips in less chips out are not what is there")
        self.secrecy.hand_at[name][seq] = after.table.hands
        past = self.record.pasts.setdefault(name, Past(seq))
        # What a table's opening is told by begins before it.
        self.secrecy.hand_at[name].setdefault(0, 0)
        past.tables.setdefault(seq, []).append(after.table)
        past.since.setdefault(seq, self.cloud.now)
        if before is None:
            self.duties.written(name, after.version, after.table, after.pace, (), listed=False)
            past.seats_at = past.told_at = past.listed_at = self.cloud.now
            return
        if after.version != before.version + 1:
            self.fail(f"{name}: version {after.version} follows {before.version}")
        if seq != before.table.seq:
            past.told_at = self.cloud.now
        schema = int(written.new["schema"]["N"])
        outbox = load_outbox(name, written.new["outbox"]["S"], schema)
        listed = changes_row(outbox.events, after.table)
        if listed:
            past.listed_at = self.cloud.now
        self.duties.written(
            name, after.version, after.table, after.pace, outbox.events, listed=listed
        )
        if self._events(name, before, outbox) != after.table:
            self.fail(f"{name}: its events do not lead to version {after.version}")
        table = after.table
        rests = table.running is None and table.next_hand_at is None
        if rests and not (table.frozen or table.closing) and len(expected(table)) >= 2:
            self.fail(f"{name} rests, and two could play")
        self.counts["writes"] += 1

    def _events(self, name: str, before: Stored, outbox: Outbox) -> Table:
        """The table to which they lead."""
        table, past, now = before.table, self.record.pasts[name], self.cloud.now
        for event in outbox.events:
            if isinstance(event, Acted):
                self._acted(name, table, event, outbox.at)
            elif isinstance(event, Seated):
                self.waits.seated(name, table, event)
            elif isinstance(event, HandStarted) and table.frozen:
                self.fail(f"{name}: a hand begins while it is frozen")
            self.referee.happens(name, table, event, outbox.at)
            table = replay((event,), table)
            self.secrecy.hand_at[name][table.seq] = table.hands
            if isinstance(event, SEATS):
                past.seats_at = now
            past.happened(event, table.seq, now)
            self.referee.happened(name, table, event)
            match event:
                case HandStarted():
                    self.counts["hands"] += 1
                    self._dealt(name, table, event)
                case Shown(cards=cards) | BoardDealt(cards=cards):
                    self.secrecy.cards[name, table.hands].public |= text_of(cards)
                case BankOpened():
                    self._bank_opened(name, table)
                case HandEnded(number=number):
                    self.unrecorded.add((name, number))
                    self.counts["hands ended"] += 1
                case HandVoided(number=number):
                    self.unrecorded.add((name, number))
                    self.counts["hands voided"] += 1
        return table

    def _recorded(self, name: str, item: Item) -> None:
        """A hand's record tells how the table came to be what the hand's end left."""
        self.unrecorded.discard((name, int(item["sk"]["S"])))
        events: tuple[Event, ...] = ()
        if opening := item["opening"]["S"]:
            self.afterwards.over(name, int(item["sk"]["S"]), int(item["ended"]["N"]))
            self.counts["records replayed"] += 1
            schema = int(item["schema"]["N"])
            events = load_events(raised_events(item["events"]["S"], schema))
            told = replay(events, load_table(raised_table(opening, schema)))
            if told != self.tables[name].table:
                self.fail(f"{name}: the record of hand {told.hands} does not lead to its end")
        self._records.append((name, item, events))

    def _sealed(self, name: str, number: int, item: Item) -> None:
        """A hand's record is what was sealed, and follows the one before it."""
        self.counts["seals checked"] += 1
        if seal_of(name, number, item) != item["seal"]["S"]:
            self.fail(f"{name}: the record of hand {number} is not what was sealed")
        last = self.cloud.dynamo.item(keys.hand(name), keys.number(number - 1))
        if item["before"]["S"] != ("" if last is None else last["seal"]["S"]):
            self.fail(f"{name}: the record of hand {number} does not follow the one before it")
        if self.tables[name].seal != item["seal"]["S"]:
            self.fail(f"{name}: the table has another seal than its last record")

    def _bank_opened(self, name: str, table: Table) -> None:
        hand = table.running
        if hand is None or hand.turn is None:
            self.fail(f"{name}: a time bank is opened outside of a turn")
        turn = (name, hand.number, hand.turn.number)
        if turn in self.banked:
            self.fail(f"{name}: a time bank is opened twice in one turn")
        self.banked.add(turn)
        self.counts["time banks"] += 1

    def _dealt(self, name: str, table: Table, event: HandStarted) -> None:
        secret = self.cloud.dynamo.item(keys.secret(name), event.deck)
        if secret is None:
            self.fail(f"{name}: a hand without a deck")
        self.secrecy.dealt(name, table, event, secret["deck"]["S"])
        self.statements.dealt(name, table, event)
        self.referee.dealt(name, table, event, secret["deck"]["S"])

    def _acted(self, name: str, table: Table, event: Acted, at: int) -> None:
        """`at` is when it was decided, by the clock of who did."""
        hand, seat = table.hand, table.seats[event.seat]
        if hand is None or seat is None:
            self.fail(f"{name}: seat {event.seat} acts outside of a hand")
        player = seat.player
        now = self.cloud.now
        # What is taken at once, as a choice made in advance, is no turn that lasts.
        turn = hand.turn
        if turn is not None:
            if turn.seat != event.seat:
                self.fail(f"{name}: {player} acts in the turn of seat {turn.seat}")
            key = (name, hand.number, turn.number)
            if key in self.taken:
                self.fail(f"{key} was acted on twice")
            self.taken.add(key)
        if event.cause is Cause.EXPIRED:
            self.counts["expired"] += 1
            if turn is None or now + SKEW_MS < turn.expires:
                self.fail(f"{name}: {player} was expired early")
        elif event.cause is Cause.OWN:
            self.counts["acted"] += 1
            if turn is not None and at >= turn.deadline - 3_000:
                self.counts["acted at the last moment"] += 1
            if turn is not None and at >= turn.expires:
                self.fail(f"{name}: {player} acted after his time")
            wishes = self.wishes.get((name, player), set())
            to = event.to if event.do in (Do.BET, Do.RAISE) else 0
            number = 0 if turn is None else turn.number
            if (hand.number, number, str(event.do), to) in wishes:
                return
            ways = {Do.FOLD: ("fold", "check_fold"), Do.CHECK: ("check_fold",), Do.CALL: ("call",)}
            if any((hand.number, way) in wishes for way in ways.get(event.do, ())):
                self.counts["acted in advance"] += 1
                return
            self.fail(f"{name}: nobody asked {player} to {event.do}")

    def _woken(self, execution: Execution) -> None:
        """Each wake-up costs money."""
        stored = self.tables.get(execution.table)
        deadline = None if stored is None else wake_at(stored.table)
        if deadline is None:
            return
        for come in (False, True) if self.cloud.now >= deadline else (False,):
            self.wakes[execution, deadline, come] += 1
            if self.wakes[execution, deadline, come] > MOST_WAKES[come] + execution.excused:
                self.fail(f"{execution.table}: its clock is woken again and again")

    # As time passes

    def look(self) -> None:
        """After each step; looks at what is overdue once a second."""
        if self.violation is not None:
            raise Broken(self.violation)
        if self.cloud.notes.ours:
            self.fail(f"a fault of ours: {self.cloud.notes.ours[0]}")
        now = self.cloud.now
        if now - self._looked < 1_000:
            return
        self._looked = now
        self.subscriptions.look()
        locks = self.cloud.faults.fired[LOCK]
        if locks != self._locks[0]:
            self._locks = (locks, now + LOCKED_MS)
        for name, stored in self.tables.items():
            at = wake_at(stored.table)
            if at is None or at > now:
                continue
            late = now - at
            table = stored.table
            hand = table.hands if table.running is not None else table.hands + 1
            runs = self.cloud.running_clocks[name, hand] > 0
            struck = self.cloud.struck_clocks.get((name, hand), 0) > now
            # What a sweep that died has not come to, the next one does.
            latest = LATEST_MS + (SWEEP_MS if self.duties.sweep_died >= at else 0)
            if late > latest + SKEW_MS:
                self.fail(f"{name}: overdue for {late} ms")
            if not runs or struck:
                continue
            late = now - max(at, self.cloud.clocks_since[name, hand], self._locks[1])
            if late > LATE_MS + SKEW_MS:
                self.fail(f"{name}: overdue for {late} ms while its clock runs")
