"""Moves records of hands that are 90 days old from the table into the archive, block by block.

A block goes when all its hands are old, and the last hand of the table is in none of them, for
something may still be shown of that; of a closed table everything goes. Of all tables' blocks the
one goes first that has been old for longest, so that whoever is stopped has done what was most due.

A block is written, read again and compared before the first record is deleted, and each is deleted
only as it was read. Who is killed in between has lost nothing: whatever is in both places is the
same, and the next run goes on. A block that is not as it should be stays, and holds up no other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, Protocol

from cardroom import keys
from cardroom.archive import block_of, hands_of
from cardroom.damage import UNREADABLE, Attributes
from cardroom.models import HandItem
from cardroom.seals import seal_of
from cardroom.shape import whole
from cardroom.spans import DAY_MS
from cardroom.store import read_hand
from cardroom.stored import HandRecord

OLD_MS: Final = 90 * DAY_MS


class Records(Protocol):
    """Records of hands as they lie in the table, and of which tables there are any."""

    def tables(self) -> Mapping[str, bool]:
        """By id, whether it is closed. Of a closed one that is not told there are none."""
        ...

    def forget(self, table_id: str) -> None:
        """A closed table, of which there are none any more."""
        ...

    def here(self, table_id: str, first: int, last: int) -> list[Attributes]:
        """Those with these numbers, in order (consistent)."""
        ...

    def least(self, table_id: str, first: int, last: int) -> Attributes | None:
        """Of those with these numbers the first (consistent)."""
        ...

    def most(self, table_id: str, first: int, last: int) -> Attributes | None:
        """Of those with these numbers the last (consistent)."""
        ...

    def drop(self, item: Attributes) -> None:
        """Deletes it, if it is still what it was; harmless if it is gone."""
        ...


class Archive(Protocol):
    def read(self, table_id: str, block: int) -> list[Attributes] | None: ...

    def write(self, table_id: str, block: int, items: Sequence[Attributes]) -> None: ...


class NotMovedError(Exception):
    """Why a block stays where it is, in one sentence: an inspector has to look at it."""

    def __init__(self, table_id: str, hand: int, why: str) -> None:
        super().__init__(f"{table_id} hand {hand}: {why}")
        self.item = f"{keys.hand(table_id)} / {keys.number(hand)}"


@dataclass(frozen=True, slots=True)
class Moved:
    table_id: str
    block: int
    records: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """A block, or all that is left of a table, and why: `NotMovedError`, or trouble of a service
    that has nothing to do with what is in it.
    """

    table_id: str
    why: Exception


type Step = Moved | Stayed


@dataclass(frozen=True, slots=True, order=True)
class _Due:
    since: int
    """When its last hand was old (ms)."""
    table_id: str
    block: int
    last: int
    """Number of its last hand."""
    played: int
    """Number of the table's last hand."""
    closed: bool


class Archiving:
    """One run over all tables. What it yields is done; whoever goes no further has lost nothing."""

    def __init__(self, records: Records, archive: Archive, now: int) -> None:
        self._records = records
        self._archive = archive
        self._now = now
        self._due: list[_Due] = []
        """A heap."""
        self._failed: list[_Due] = []

    @property
    def behind(self) -> int:
        """For how long (ms) something has been old that could be moved and is not; 0 where there is
        nothing.
        """
        left = [*self._due, *self._failed]
        return self._now - min(due.since for due in left) if left else 0

    @property
    def left(self) -> int:
        """At so many tables something is due that has not been tried."""
        return len(self._due)

    def look(self, tables: Mapping[str, bool]) -> Iterator[Stayed]:
        """What is due at these tables, by id whether they are closed; yields what it stumbles on,
        and nothing of a table where all is well.
        """
        for table_id, closed in tables.items():
            try:
                stumbled = self._look(table_id, closed)
            except Exception as fault:
                stumbled = Stayed(table_id, fault)
            if stumbled is not None:
                yield stumbled

    def move(self) -> Iterator[Step]:
        """Moves what is due, block by block."""
        while self._due:
            due = heappop(self._due)
            try:
                step: Step = self._move(due)
            except NotMovedError as why:
                step = Stayed(due.table_id, why)
            except Exception as fault:
                self._failed.append(due)
                yield Stayed(due.table_id, fault)
                continue
            stumbled = self._go_on(due)
            yield step
            if stumbled is not None:
                yield stumbled

    def _go_on(self, done: _Due) -> Stayed | None:
        """To what is due next of the table: before anything is told, for nobody may ask again."""
        try:
            self._find(done.table_id, done.last + 1, done.played, closed=done.closed)
        except Exception as fault:
            return Stayed(done.table_id, fault)
        return None

    def _look(self, table_id: str, closed: bool) -> Stayed | None:
        oldest = self._records.least(table_id, 1, keys.LAST_NUMBER)
        if oldest is None:
            if closed:
                self._records.forget(table_id)
            return None
        if not _old(oldest, self._now):
            return None
        newest = self._records.most(table_id, 1, keys.LAST_NUMBER)
        played = _number(table_id, newest or oldest)
        self._find(table_id, _number(table_id, oldest), played, closed=closed)
        return None

    def _find(self, table_id: str, start: int, played: int, *, closed: bool) -> None:
        """What is due of a table first, from this hand on."""
        first = self._records.least(table_id, start, keys.LAST_NUMBER)
        if first is None:
            if closed and self._records.least(table_id, 1, keys.LAST_NUMBER) is None:
                self._records.forget(table_id)
            return
        block = block_of(_number(table_id, first))
        last = hands_of(block)[-1]
        if last >= played:
            if not closed:
                return
            last = played
        end = self._records.most(table_id, hands_of(block)[0], last) or first
        since = _ended(end, self._now, self._now) + OLD_MS if _old(end, self._now) else None
        if since is not None:
            heappush(self._due, _Due(min(since, self._now), table_id, block, last, played, closed))

    def _move(self, due: _Due) -> Moved:
        table_id, block = due.table_id, due.block
        numbers = range(hands_of(block)[0], due.last + 1)
        items = self._records.here(table_id, numbers[0], numbers[-1])
        if len(items) == len(numbers):
            # Nothing of it is deleted yet, so it may not be there either.
            _check(table_id, numbers, items)
            self._archive.write(table_id, block, items)
        there = self._there(due, numbers)
        _check(table_id, numbers, there)
        kept = {item["sk"]["S"]: item for item in there}
        for item in items:
            if kept.get(item["sk"]["S"]) != item:
                number = _number(table_id, item)
                raise NotMovedError(table_id, number, "the archive has another record of it")
        for item in items:
            self._records.drop(item)
        return Moved(table_id, block, len(items))

    def _there(self, due: _Due, numbers: Sequence[int]) -> Sequence[Attributes]:
        """The block as the archive has it; where it has none, what is in the table."""
        try:
            there = self._archive.read(due.table_id, due.block)
        except UNREADABLE as fault:
            why = "what the archive has of its block is no record of ours"
            raise NotMovedError(due.table_id, numbers[0], why) from fault
        if there is not None:
            return there
        items = self._records.here(due.table_id, numbers[0], numbers[-1])
        _check(due.table_id, numbers, items)
        raise NotMovedError(due.table_id, numbers[0], "its block was written, and is not there")


def _old(item: Attributes, now: int) -> bool:
    """Hands end in the order of their numbers. What cannot be read is looked at when it is due."""
    return _ended(item, now, now - OLD_MS) <= now - OLD_MS


def _ended(item: Attributes, now: int, otherwise: int) -> int:
    """What is yet to come, by more than clocks differ, is no end of a hand: nobody waits for it."""
    try:
        at = whole(item["ended"])
    except UNREADABLE:
        return otherwise
    return at if at <= now + DAY_MS else otherwise


def _number(table_id: str, item: Attributes) -> int:
    try:
        return keys.hand_number(item["sk"]["S"])
    except UNREADABLE as fault:
        raise NotMovedError(table_id, 0, "a record has a key that is no hand's") from fault


def _check(table_id: str, numbers: Sequence[int], items: Sequence[Attributes]) -> None:
    """That these are all of them, each as it was sealed and following the one before."""
    before: HandRecord | None = None
    try:
        found = [item["sk"]["S"] for item in items]
    except UNREADABLE as fault:
        why = "what the archive has of its block is no record of ours"
        raise NotMovedError(table_id, numbers[0], why) from fault
    wanted = [keys.number(number) for number in numbers]
    if found != wanted:
        hand = next((int(one) for one in wanted if one not in found), numbers[0])
        raise NotMovedError(table_id, hand, "its record is not where it should be")
    for number, item in zip(numbers, items, strict=True):
        try:
            record = read_hand(HandItem.from_raw_data(item))
            seal = seal_of(table_id, number, item) if record.seal else ""
        except UNREADABLE as fault:
            raise NotMovedError(table_id, number, "its record is damaged") from fault
        follows = before is None or record.before in ("", before.seal)
        if record.seal != seal or not follows:
            raise NotMovedError(table_id, number, "its seal does not hold")
        before = record
