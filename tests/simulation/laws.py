"""What must hold after every step, whatever goes wrong."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from cardroom import keys
from cardroom.outbox import load_outbox
from cardroom.store import read_state
from cardroom.stored import Stored
from poker_engine.cards import parse_cards, text
from poker_engine.clock import wake_at
from poker_engine.events import Acted, BoardDealt, HandEnded, HandStarted, HandVoided, Shown
from poker_engine.replay import replay
from poker_engine.showdown import hole_cards
from poker_engine.state import Cause, Do, Table
from tests.simulation.cloud import Cloud, Execution
from tests.simulation.dynamo import Written
from tests.simulation.expressions import Item

SKEW_MS = 500
LATE_MS = 3_000
LATEST_MS = 65_000
MOST_WAKES = 2
"""Of one execution at one deadline: for one that has passed on, and for this."""
CARD = re.compile(rb'"([2-9TJQKA][cdhs])"')
OUTSIDE = ("deposit", "withdrawal")


class Broken(AssertionError):
    """A law does not hold."""


@dataclass
class Cards:
    """Of a hand: what everybody may see by now, and what each player."""

    public: set[str] = field(default_factory=set)
    own: dict[str, set[str]] = field(default_factory=dict)


@dataclass
class Laws:
    """Watches a cloud. `asked` is told what players' clients ask for."""

    cloud: Cloud
    tables: dict[str, Stored] = field(default_factory=dict)
    balances: dict[tuple[str, str], int] = field(default_factory=dict)
    ledgers: Counter[tuple[str, str]] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    """By currency: wallets, tables and rake less what came from outside; always 0."""
    wishes: dict[tuple[str, str], set[tuple[Any, ...]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    taken: set[tuple[str, int, int]] = field(default_factory=set)
    cards: dict[tuple[str, int], Cards] = field(default_factory=lambda: defaultdict(Cards))
    """By table and number of the hand."""
    hand_at: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    """By table: at each seq the number of its last hand."""
    bought: set[tuple[str, str]] = field(default_factory=set)
    """By player and id, what was charged."""
    wakes: Counter[tuple[Execution, int]] = field(default_factory=Counter)
    """By execution of the turn clock and deadline."""
    violation: str | None = None
    counts: Counter[str] = field(default_factory=Counter)
    _dirty: list[Written] = field(default_factory=list)
    _looked: int = 0

    def __post_init__(self) -> None:
        self.cloud.written.append(self._dirty.append)
        self.cloud.settled.append(self._settled)
        self.cloud.posted.append(self.seen)
        self.cloud.woken.append(self._woken)

    def asked(self, player: str, message: dict[str, Any]) -> None:
        """A client sends this in its player's name."""
        if message["route"] == "act":
            wish = (message["hand"], message["turn"], message["do"], message.get("to", 0))
            self.wishes[message["table"], player].add(wish)
        elif message["route"] == "preact":
            self.wishes[message["table"], player].add((message["hand"], message["do"]))

    # After every operation of the store

    def _settled(self) -> None:
        written, self._dirty[:] = list(self._dirty), []
        if not written:
            return
        for one in written:
            self._count(one)
        for currency, total in self.totals.items():
            if total:
                self.fail(f"{total} {currency} too much")
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
        if sk == keys.STATE:
            self._table(written)
        elif pk.startswith("USER#") and sk.startswith(keys.WALLET) and written.new is not None:
            owner = (keys.player(pk), sk.removeprefix(keys.WALLET))
            balance = int(written.new["balance"]["N"])
            if balance < 0:
                self.fail(f"{owner[0]} owes money")
            self.totals[owner[1]] += balance - self.balances.get(owner, 0)
            self.balances[owner] = balance
        elif pk.startswith("USER#") and sk.startswith(keys.LEDGER):
            self._entry(written)
        elif pk.startswith("RAKE#"):
            item = self._new(written)
            self.totals[item["currency"]["S"]] += int(item["amount"]["N"])

    def _new(self, written: Written) -> Item:
        """Of what is written once and never changed."""
        if written.new is None or not written.inserted:
            self.fail(f"{written.key} is written for ever")
        return written.new

    def _entry(self, written: Written) -> None:
        item, player = self._new(written), keys.player(written.key[0])
        currency, amount = item["currency"]["S"], int(item["amount"]["N"])
        self.ledgers[player, currency] += amount
        how, asked, *_ = written.key[1].removeprefix(keys.LEDGER).split("#")
        if how == "in":
            if (player, asked) in self.bought:
                self.fail(f"{player} was charged twice for {asked}")
            self.bought.add((player, asked))
        if item["kind"]["S"] in OUTSIDE:
            self.totals[currency] -= amount

    # Tables

    def _table(self, written: Written) -> None:
        if written.new is None:
            self.fail(f"{written.key} is gone")
        after = read_state(written.new)
        name, currency = after.table_id, after.table.settings.stakes.currency
        before = self.tables.get(name)
        self.tables[name] = after
        self.totals[currency] += after.chips - (0 if before is None else before.chips)
        if after.chips != after.chips_in - after.chips_out:
            self.fail(f"{name}: chips in less chips out are not what is there")
        self.hand_at[name][after.table.seq] = after.table.hands
        if before is None:
            return
        if after.version != before.version + 1:
            self.fail(f"{name}: version {after.version} follows {before.version}")
        outbox = load_outbox(name, written.new["outbox"]["S"])
        if replay(outbox.events, before.table) != after.table:
            self.fail(f"{name}: its events do not lead to version {after.version}")
        self._events(name, before, outbox.events)
        self.counts["writes"] += 1

    def _events(self, name: str, before: Stored, events: Iterable[Any]) -> None:
        table = before.table
        for event in events:
            if isinstance(event, Acted):
                self._acted(name, table, event)
            table = replay((event,), table)
            match event:
                case HandStarted():
                    self.counts["hands"] += 1
                    self._dealt(name, table, event)
                case Shown(cards=cards) | BoardDealt(cards=cards):
                    self.cards[name, table.hands].public |= {text(card) for card in cards}
                case HandEnded():
                    self.counts["hands ended"] += 1
                case HandVoided():
                    self.counts["hands voided"] += 1

    def _dealt(self, name: str, table: Table, event: HandStarted) -> None:
        """From here on its players may see their cards."""
        secret = self.cloud.dynamo.item(keys.secret(name), event.deck)
        if secret is None:
            self.fail(f"{name}: a hand without a deck")
        deck, hand = parse_cards(secret["deck"]["S"]), table.hand
        cards = Cards()
        for seat in event.dealt:
            player = table.seats[seat]
            if player is not None and hand is not None:
                cards.own[player.player] = {text(one) for one in hole_cards(hand, deck, seat)}
        self.cards[name, event.number] = cards

    def _acted(self, name: str, table: Table, event: Acted) -> None:
        hand, seat = table.hand, table.seats[event.seat]
        if hand is None or seat is None:
            self.fail(f"{name}: seat {event.seat} acts outside of a hand")
        player = seat.player
        now = self.cloud.now
        turn = hand.turn
        if turn is not None and turn.seat == event.seat:
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
            wishes = self.wishes[name, player]
            to = event.to if event.do in (Do.BET, Do.RAISE) else 0
            number = 0 if turn is None or turn.seat != event.seat else turn.number
            if (hand.number, number, str(event.do), to) in wishes:
                return
            ways = {Do.FOLD: ("fold", "check_fold"), Do.CHECK: ("check_fold",), Do.CALL: ("call",)}
            if any((hand.number, way) in wishes for way in ways.get(event.do, ())):
                self.counts["acted in advance"] += 1
                return
            self.fail(f"{name}: nobody asked {player} to {event.do}")

    # What clients are sent

    def seen(self, connection: str, data: bytes) -> None:
        """Bytes on their way to a client: none of the cards is one that he may not see."""
        if CARD.search(data):
            message = json.loads(data)
            player = self.cloud.connections[connection]
            before = message.get("before", message["seq"])
            self.may_see(message["table"], player, data, before, message["seq"])

    def may_see(self, name: str, player: str, data: bytes, before: int, seq: int) -> None:
        """What the player is told of the table from `before` to `seq`."""
        cards = {found.decode() for found in CARD.findall(data)}
        allowed: set[str] = set()
        hands = self.hand_at[name]
        for number in range(hands[before], hands[seq] + 1):
            hand = self.cards[name, number]
            allowed |= hand.public | hand.own.get(player, set())
        if not cards <= allowed:
            self.fail(f"{player or 'a guest'} sees {cards - allowed} of {name} at {seq}")

    def _woken(self, execution: Execution) -> None:
        """Each wake-up costs money."""
        stored = self.tables.get(execution.table)
        deadline = None if stored is None else wake_at(stored.table)
        if deadline is not None:
            self.wakes[execution, deadline] += 1
            if self.wakes[execution, deadline] > MOST_WAKES + execution.excused:
                self.fail(f"{execution.table}: its clock is woken again and again")

    def fail(self, what: str) -> NoReturn:
        """Whoever catches it: the history ends with this step."""
        self.violation = self.violation or what
        raise Broken(what)

    # As time passes

    def look(self) -> None:
        """After each step; looks at what is overdue once a second."""
        if self.violation is not None:
            raise Broken(self.violation)
        now = self.cloud.now
        if now - self._looked < 1_000:
            return
        self._looked = now
        for name, stored in self.tables.items():
            at = wake_at(stored.table)
            if at is None or at > now:
                continue
            late = now - at
            table = stored.table
            hand = table.hands if table.running is not None else table.hands + 1
            runs = self.cloud.running_clocks[name, hand] > 0
            struck = self.cloud.struck_clocks.get((name, hand), 0) > now
            if late > LATEST_MS + SKEW_MS:
                self.fail(f"{name}: overdue for {late} ms")
            if not runs or struck:
                continue
            late = now - max(at, self.cloud.clocks_since[name, hand])
            if late > LATE_MS + SKEW_MS:
                self.fail(f"{name}: overdue for {late} ms while its clock runs")
