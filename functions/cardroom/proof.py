"""Whether a table's records are the game: none is missing, none is other than it was sealed, each
follows the one before, and what it says of its hand is what its events come to.

Seals that somebody kept elsewhere (`Heads`: the functions' log has them all) tell also of a chain
that was made anew as a whole.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom import keys
from cardroom.damage import UNREADABLE, Attributes
from cardroom.models import HandItem
from cardroom.seals import seal_of
from cardroom.store import read_hand
from cardroom.stored import HandRecord, Stored
from poker_engine.codec import load_events, load_table
from poker_engine.events import HandEnded, HandStarted, HandVoided
from poker_engine.replay import replay

RECORDED: Final = "recorded"
"""The message of the log lines that tell seals."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a hand's record. `hand` as its key has it."""

    table_id: str
    hand: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.table_id} hand {self.hand}: {self.sentence}"


@dataclass
class Heads:
    """Seals that were kept outside the table, by table and hand: a hand has more than one where
    something was shown after it.
    """

    kept: dict[str, dict[int, set[str]]] = field(default_factory=dict)

    @property
    def tables(self) -> Iterable[str]:
        """Whatever they were called."""
        return self.kept

    def add(self, line: str) -> bool:
        """Of a line of JSON with `table`, `hand`, `seal`, and maybe `before`; False for another."""
        try:
            told = json.loads(line)
            if told.get("message", RECORDED) != RECORDED:
                return False
            table, hand, seal = told["table"], told["hand"], told["seal"]
        except UNREADABLE:
            return False
        if not isinstance(table, str) or type(hand) is not int or not isinstance(seal, str):
            return False
        if hand < 1:
            return False
        kept = self.kept.setdefault(table, defaultdict(set))
        kept[hand].add(seal)
        before = told.get("before")
        if before and hand > 1:
            kept[hand - 1].add(str(before))
        return True

    def of(self, table_id: str) -> dict[int, set[str]]:
        return dict(self.kept.get(table_id, {}))


@dataclass
class Chain:
    """A table's chain, from its first record on. After `check` it says how far it came."""

    table_id: str
    heads: dict[int, set[str]] = field(default_factory=dict)
    records: int = 0
    unsealed: int = 0
    """Records at the beginning, of before there were seals."""
    number: int = 0
    seal: str = ""

    def check(self, items: Iterable[Attributes]) -> Iterator[tuple[HandRecord | None, list[Flaw]]]:
        """Each record, where it can be read, with what is wrong with it; `items` are in order."""
        for item in items:
            self.records += 1
            yield self._next(item)
        for number in sorted(self.heads):
            if number > self.number:
                yield None, [self._flaw(str(number), "it was recorded, and is gone")]

    def stands(self, stored: Stored) -> Flaw | None:
        """What is wrong with the end of the chain, as the table itself has it."""
        last = stored.ended
        if last > self.number:
            return self._flaw(str(last), "it was recorded, and is gone")
        if last == self.number and stored.seal and stored.seal != self.seal:
            return self._flaw(str(last), "it is not the one that the table says was recorded last")
        return None

    def _next(self, item: Attributes) -> tuple[HandRecord | None, list[Flaw]]:
        key = str(item["sk"].get("S", ""))
        try:
            number = int(key)
            if keys.number(number) != key or number <= self.number:
                raise ValueError
        except ValueError:
            return None, [self._flaw(key, "no hand has this number")]
        flaws = self._missing(self.number + 1, number - 1)
        before, self.number, self.seal = self.seal, number, ""
        name = str(number)
        try:
            record = read_hand(HandItem.from_raw_data(item))
            seal = seal_of(self.table_id, number, item) if record.seal else ""
        except UNREADABLE:
            return None, [*flaws, self._flaw(name, "its record is not as a room writes one")]
        self.seal = record.seal
        unknown = set(item) - _KNOWN
        if unknown:
            flaws.append(self._flaw(name, "its record has more in it than a room writes"))
        if not record.seal:
            self.unsealed += 1
            if self.unsealed < self.records:
                flaws.append(self._flaw(name, "its record has no seal"))
        elif record.seal != seal:
            flaws.append(self._flaw(name, "its record is not the one that was sealed"))
        elif record.before != before:
            flaws.append(self._flaw(name, "its record does not follow the one before it"))
        if number in self.heads and record.seal not in self.heads[number]:
            flaws.append(self._flaw(name, "its seal is not the one that was kept elsewhere"))
        if not flaws:
            flaws = [self._flaw(name, sentence) for sentence in contradictions(record)]
        return record, flaws

    def _missing(self, first: int, last: int) -> list[Flaw]:
        if first > last:
            return []
        if first == last:
            return [self._flaw(str(first), "there is no record")]
        return [self._flaw(f"{first} to {last}", "there are no records")]

    def _flaw(self, hand: str, sentence: str) -> Flaw:
        return Flaw(self.table_id, hand, sentence)


_KNOWN = set(HandItem.get_attributes())


def contradictions(record: HandRecord) -> list[str]:
    """Where what a record says of its hand is not what its events come to."""
    if record.voided and not record.opening:
        return []
    try:
        return list(_contradictions(record))
    except UNREADABLE:
        return ["its events cannot be replayed"]


def _contradictions(record: HandRecord) -> Iterator[str]:
    events = load_events(record.events)
    opening = load_table(record.opening)
    hand = replay(events, opening).hand
    pots: Any = json.loads(record.pots)
    start = next((one for one in events if isinstance(one, HandStarted)), None)
    end = next((one for one in events if isinstance(one, HandEnded | HandVoided)), None)
    if hand is None or start is None or end is None or hand.number != record.number:
        yield "its events are not those of a whole hand of this number"
        return
    if (start.at, end.at, hand.voided) != (record.started, record.ended, record.voided):
        yield "it says other times, or another end, than its events"
    stakes = opening.settings.stakes
    if (stakes.currency, stakes.rake) != (record.currency, record.schedule):
        yield "it says other stakes than its table has"
    told = [
        [one.amount, one.rake, list(one.contenders), [*map(list, one.shares)]] for one in hand.pots
    ]
    if pots != told or record.rake != sum(one.rake for one in hand.pots):
        yield "it says other pots than its events"
    dealt = record.deck[2 * len(start.dealt) :][: len(hand.board)]
    if dealt != hand.board:
        yield "its board is not of its deck"
    for seat, cards in hand.shown:
        place = start.dealt.index(seat)
        if not set(cards) <= {record.deck[place], record.deck[len(start.dealt) + place]}:
            yield f"what seat {seat} showed is not of its deck"
