"""Laws of statements: who asks for his ledger is told his own entries as they lie in the store,
page by page and each once; and who asks what hands left him is told what they did, by his chips.

What a hand left a player is not taken from its events, as the room does, but from his purse: his
chips at the table, less what he bought there, and what was paid out to him.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final

from cardroom import keys
from cardroom.errors import RoomCode
from cardroom.stored import Stored
from poker_engine.events import Event, HandStarted, PotWon
from poker_engine.state import Table
from tests.simulation.expressions import Item
from tests.simulation.record import SKEW_MS, Call, Hand, Record

ROUTES: Final = frozenset({"ledger", "results"})
REFUSALS: Final = frozenset({RoomCode.NOT_ALLOWED, RoomCode.UNKNOWN_ZONE, RoomCode.BUSY})
"""Nothing else stands in the way: no item of a player is damaged here."""
ZONES: Final = {"UTC": UTC, "Asia/Manila": timezone(timedelta(hours=8))}
"""Those that clients name, without the room's own tables of zones; the room knows no other."""
TABLE: Final = "table"
ROOM: Final = "room"
STAYS: Final = (keys.BOUGHT, keys.PAID_OUT)
"""Beginnings of the ids of entries by which one has been at a table."""

type Json = dict[str, Any]
type Told = tuple[str, int]
"""By what an answer names an entry: its currency and its number."""


@dataclass(frozen=True, slots=True)
class Booked:
    """An entry of a ledger: its id, when (ms) it was written, and its item."""

    id: str
    written: int
    item: Item


@dataclass(frozen=True, slots=True)
class Over:
    """A hand that is over: when (ms) it was written and when it ended, by its record; and of those
    whom it counts for, what it left them and the rake that they bore.
    """

    written: int
    ended: int
    left: dict[str, tuple[int, int]]
    readable: bool
    """Its record says how it began, or counts for nobody."""


@dataclass
class Statements:
    record: Record
    entries: dict[str, dict[Told, Booked]] = field(default_factory=lambda: defaultdict(dict))
    """By player."""
    over: dict[str, dict[int, Over]] = field(default_factory=lambda: defaultdict(dict))
    """By table and number."""
    _paid: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By table and player: what he brought there, less what was paid out to him."""
    _came: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and player: when (ms) the first entry was written that says that he was there."""
    _won: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """By table and player: what all hands there that are over left him."""
    _dealt: dict[Hand, dict[int, str]] = field(default_factory=dict)
    """The players of a hand's seats."""
    _asked: dict[Call, Json] = field(default_factory=dict)
    """Of the calls that run."""

    # What is written

    def booked(self, player: str, item: Item) -> None:
        """An entry of his ledger, of which each wallet's are numbered without a gap."""
        mine, currency = self.entries[player], item["currency"]["S"]
        number, amount = int(item["number"]["N"]), int(item["amount"]["N"])
        entry_id = item["sk"]["S"].removeprefix(keys.LEDGER)
        if (currency, number) in mine or (number > 1 and (currency, number - 1) not in mine):
            self.record.fail(f"{player}'s entry {entry_id} has the number {number}")
        mine[currency, number] = Booked(entry_id, self.record.now, item)
        if "table" in item:
            place = (item["table"]["S"], player)
            self._paid[place] -= amount
            if entry_id.startswith(STAYS):
                self._came.setdefault(place, self.record.now)

    def dealt(self, name: str, table: Table, event: HandStarted) -> None:
        seats = {seat: table.seats[seat] for seat in event.dealt}
        self._dealt[name, event.number] = {
            seat: one.player for seat, one in seats.items() if one is not None
        }

    def recorded(self, stored: Stored, item: Item, events: Iterable[Event]) -> None:
        """A hand's record is written, with the table as it left it and all that this paid;
        `events` are the record's, none where it does not say how the hand began.
        """
        name, number = stored.table_id, int(item["sk"]["S"])
        players = self._dealt.pop((name, number), {})
        left = self._left(stored, _chips(stored))
        voided = bool(int(item["voided"]["N"]))
        for player, chips in left.items():
            if chips and (voided or player not in players.values()):
                self.record.fail(f"{name}: hand {number} left {player} {chips}")
        rake = Counter(dict.fromkeys(players.values(), 0))
        for event in events:
            if isinstance(event, PotWon):
                each, rest = divmod(event.rake, len(event.shares))
                for place, (seat, _) in enumerate(event.shares):
                    rake[players[seat]] += each + (0 if place else rest)
        self.over[name][number] = Over(
            self.record.now,
            int(item["ended"]["N"]),
            {} if voided else {player: (left.get(player, 0), rake[player]) for player in rake},
            voided or bool(item["opening"]["S"]),
        )

    def _left(self, stored: Stored, chips: Counter[str]) -> Counter[str]:
        """What has come to be between the end of the hand before and this one's."""
        name, before = stored.table_id, self._won[stored.table_id]
        players = {player for table, player in self._paid if table == name} | chips.keys()
        after = {player: chips[player] - self._paid[name, player] for player in sorted(players)}
        self._won[name] = after
        return Counter({player: won - before.get(player, 0) for player, won in after.items()})

    # What is asked

    def begun(self, call: Call, message: Json) -> None:
        if call.route in ROUTES:
            self._asked[call] = message

    def ended(self, call: Call, reply: Json | None) -> None:
        message = self._asked.pop(call, None)
        if message is None or reply is None:
            return
        self.record.counts[f"{call.route} answered"] += 1
        told, code = reply.get(call.route), reply.get("code")
        if (code == RoomCode.NOT_ALLOWED) != (not call.player):
            who = call.player or "a guest"
            self.record.fail(f"{who} asks for his {call.route}, and is told {code}")
        if code not in (None, *REFUSALS):
            self.record.fail(f"{call.player} asks for his {call.route}, and is told {code}")
        strange = message["zone"] not in ZONES
        if (told is not None and strange) or (code == RoomCode.UNKNOWN_ZONE and not strange):
            self.record.fail(f"{call.player} asks for days of {message['zone']}: {code}")
        if told is None:
            return
        if told["next"] is not None:
            self.record.counts[f"{call.route} goes on"] += 1
        if call.route == "ledger":
            self._ledger(call, message, told)
        else:
            self._results(call, message, told)

    def _ledger(self, call: Call, message: Json, told: Json) -> None:
        player, mine = call.player, self.entries[call.player]
        after, following = message.get("after", ""), told["next"]
        if not call.begun - SKEW_MS <= told["now"] <= self.record.now + SKEW_MS:
            self.record.fail(f"{player} is told his ledger as of {told['now']}")
        entries = self._wallets(call, told["wallets"])
        ids: list[str] = []
        for row in told["entries"]:
            found = mine.get((row["currency"], row["number"]))
            if found is None or row != _row(player, found.item, message["zone"]):
                self.record.fail(f"{player} is told an entry that is not his: {row}")
            before = mine.get((row["currency"], row["number"] - 1))
            had = 0 if before is None else int(before.item["balance"]["N"])
            if row["balance"] != had + row["amount"]:
                self.record.fail(f"{player} is told a balance that does not add up: {row}")
            ids.append(found.id)
        if ids != sorted(set(ids)) or any(one <= after for one in ids):
            self.record.fail(f"{player} is told his entries after {after!r} as {ids}")
        if following is not None and (following <= after or any(one > following for one in ids)):
            self.record.fail(f"{player} is told {ids}, and to go on after {following!r}")
        # From where he asks to where it goes on he is told all that were there when he asked, and
        # all that the wallets, which are read first, count.
        passed = [
            one.id
            for (currency, number), one in mine.items()
            if after < one.id
            and (following is None or one.id <= following)
            and one.id not in ids
            and (one.written < call.begun or number <= entries.get(currency, 0))
        ]
        if passed:
            self.record.fail(f"{player} is not told his entries {passed}")
        self.record.counts["entries compared"] += len(ids)

    def _wallets(self, call: Call, told: list[Json]) -> dict[str, int]:
        """How many entries each is said to have."""
        mine = self.entries[call.player]
        now = Counter(currency for currency, _ in mine)
        then = Counter(one for (one, _), entry in mine.items() if entry.written < call.begun)
        entries = {wallet["currency"]: wallet["entries"] for wallet in told}
        if not then.keys() <= entries.keys() or len(entries) != len(told):
            self.record.fail(f"{call.player} is told of wallets {told}, not of {sorted(then)}")
        for wallet in told:
            currency, number = wallet["currency"], wallet["entries"]
            last = mine.get((currency, number))
            balance = 0 if last is None else int(last.item["balance"]["N"])
            if not then[currency] <= number <= now[currency] or wallet["balance"] != balance:
                self.record.fail(f"{call.player} is told of a wallet that he had not: {wallet}")
        return entries

    def _results(self, call: Call, message: Json, told: Json) -> None:
        player, name, following = call.player, message["table"], told["next"]
        hands, stored = self.over[name], self.record.tables.get(name)
        stake = None if stored is None else stored.table.settings.stakes.structure
        if (told["table"], told["stake"]) != (name, stake):
            self.record.fail(f"{player} asks for {name}, and is told {told['table']}")
        came = self._came.get((name, player))
        blank = not (told["days"] or told["unreadable"] or told["last"] or following)
        if stored is not None and stored.table.settings.delay_s:
            if came is None and not blank:
                self.record.fail(f"{player} was never at {name}, and is told how it stands")
            if blank and (came is None or came >= call.begun):
                return
        until = message.get("until")
        first = message.get("hand") or 1 + max(
            (number for number, one in hands.items() if one.ended < message.get("since", 0)),
            default=0,
        )
        looked = range(first, told["last"] + 1)
        if any(number not in hands for number in looked):
            which = f"{told['last']} of {name}, which is not over"
            self.record.fail(f"{player} is told his results up to hand {which}")
        if told["ended"] != (hands[told["last"]].ended if told["last"] else None):
            self.record.fail(f"{player} is told that {told['last']} ended {told['ended']}")
        if until is not None and any(hands[number].ended > until for number in looked):
            self.record.fail(f"{player} is told hands up to {told['last']}, after {until}")
        if told["unreadable"] != [number for number in looked if not hands[number].readable]:
            self.record.fail(f"{player} is told that {told['unreadable']} are unreadable")
        wanted = _by_day((hands[number] for number in looked), player, message["zone"])
        if told["days"] != wanted:
            self.record.fail(f"{player}'s results at {name} are {wanted}, not {told['days']}")
        # From where he asks to where it goes on are all that were over when he asked.
        passed = [
            number
            for number, one in hands.items()
            if number >= first
            and number > told["last"]
            and (following is None or number < following)
            and (until is None or one.ended <= until)
            and one.written < call.begun
        ]
        if passed:
            self.record.fail(f"{player}'s results at {name} lack hands {passed}")
        if following is not None and following <= max(told["last"], first):
            self.record.fail(f"{player} is told to go on at hand {following} of {name}")
        self.record.counts["results compared"] += sum(one["hands"] for one in wanted)


def _chips(stored: Stored) -> Counter[str]:
    """By player: all that is his at the table, between two hands."""
    found: Counter[str] = Counter()
    for seat in stored.table.seats:
        if seat is not None:
            found[seat.player] += seat.chips
    for one in stored.leaving:
        found[one.player] += one.chips
    return found


def _row(player: str, item: Item, zone: str) -> Json:
    """The entry as he is to be told it; which operator booked it he is not."""
    at, who = int(item["at"]["N"]), item["who"]["S"]
    moment = datetime.fromtimestamp(at // 1000, ZONES[zone])
    return {
        "currency": item["currency"]["S"],
        "number": int(item["number"]["N"]),
        "at": at,
        "day": f"{moment:%Y-%m-%d}",
        "time": f"{moment:%H:%M:%S}",
        "kind": item["kind"]["S"],
        "amount": int(item["amount"]["N"]),
        "balance": int(item["balance"]["N"]),
        "table": item["table"]["S"] if "table" in item else None,
        "reference": item["reference"]["S"] if "reference" in item else None,
        "who": who if who in (player, TABLE) else ROOM,
        "why": item["why"]["S"],
    }


def _by_day(hands: Iterable[Over], player: str, zone: str) -> list[Json]:
    days: dict[str, Json] = {}
    for hand in hands:
        if player in hand.left and hand.readable:
            net, rake = hand.left[player]
            day = f"{datetime.fromtimestamp(hand.ended // 1000, ZONES[zone]):%Y-%m-%d}"
            one = days.setdefault(day, {"day": day, "hands": 0, "net": 0, "rake": 0})
            one["hands"] += 1
            one["net"] += net
            one["rake"] += rake
    return list(days.values())
