"""Moves records of hands that are 90 days old from the table into the archive, block by block.

A block goes when all its hands are old, and the last hand of the table is in none of them, for
something may still be shown of that; of a closed table everything goes. It is written, read again
and compared before the first record is deleted, and each is deleted only as it was read. Who is
killed in between has lost nothing: whatever is in both places is the same, and the next run goes
on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from cardroom import keys
from cardroom.archive import block_of, hands_of
from cardroom.damage import UNREADABLE, Attributes
from cardroom.models import HandItem
from cardroom.seals import seal_of
from cardroom.store import read_hand
from cardroom.stored import HandRecord

DAY_MS: Final = 86_400_000
OLD_MS: Final = 90 * DAY_MS


class Records(Protocol):
    """A table's records as they lie in the table."""

    def here(self, table_id: str, first: int, last: int) -> list[Attributes]:
        """Those with these numbers, in order (consistent)."""
        ...

    def oldest(self, table_id: str) -> int | None:
        """The least number that there is."""
        ...

    def drop(self, item: Attributes) -> None:
        """Deletes it, if it is still what it was; harmless if it is gone."""
        ...


class Archive(Protocol):
    def read(self, table_id: str, block: int) -> list[Attributes] | None: ...

    def write(self, table_id: str, block: int, items: Sequence[Attributes]) -> None: ...


class NotMovedError(Exception):
    """Why a block stays where it is, in one sentence: an inspector has to look at it."""


@dataclass(frozen=True, slots=True)
class Played:
    """How far a table has come. `hands` is the number of its last recorded one."""

    table_id: str
    hands: int
    closed: bool


def move(records: Records, archive: Archive, played: Played, now: int) -> Iterator[int]:
    """Moves what is old, block by block, the oldest first; yields of each how many records went.

    Raises NotMovedError at the first that is not as it should be: nothing of it is deleted, and
    nothing after it is moved.
    """
    while (oldest := records.oldest(played.table_id)) is not None:
        block = block_of(oldest)
        numbers = _numbers(played, block)
        if not numbers:
            return
        items = records.here(played.table_id, numbers[0], numbers[-1])
        if not items or not _all_old(items, now):
            return
        yield _moved(records, archive, played.table_id, block, numbers, items)


def _numbers(played: Played, block: int) -> Sequence[int]:
    """Of the hands that the block has; none where it is not over."""
    hands = hands_of(block)
    if hands[-1] < played.hands:
        return hands
    return range(hands[0], min(hands[-1], played.hands) + 1) if played.closed else ()


def _all_old(items: Sequence[Attributes], now: int) -> bool:
    """Hands end in the order of their numbers. What cannot be read is looked at later on."""
    try:
        return int(items[-1]["ended"]["N"]) <= now - OLD_MS
    except UNREADABLE:
        return True


def _moved(
    records: Records,
    archive: Archive,
    table_id: str,
    block: int,
    numbers: Sequence[int],
    items: Sequence[Attributes],
) -> int:
    there = archive.read(table_id, block)
    if there is None:
        _check(table_id, numbers, items)
        archive.write(table_id, block, items)
        there = archive.read(table_id, block)
    if there is None:
        raise NotMovedError(f"{table_id} block {block}: it was written, and is not there")
    _check(table_id, numbers, there)
    kept = {item["sk"]["S"]: item for item in there}
    for item in items:
        if kept[item["sk"]["S"]] != item:
            raise NotMovedError(
                f"{table_id} hand {int(item['sk']['S'])}: the archive has another record of it"
            )
    for item in items:
        records.drop(item)
    return len(items)


def _check(table_id: str, numbers: Sequence[int], items: Sequence[Attributes]) -> None:
    """That these are all of them, each as it was sealed and following the one before."""
    before: HandRecord | None = None
    found = [item["sk"].get("S") for item in items]
    wanted = [keys.number(number) for number in numbers]
    if found != wanted:
        hand = next((int(one) for one in wanted if one not in found), numbers[0])
        raise NotMovedError(f"{table_id} hand {hand}: its record is not where it should be")
    for number, item in zip(numbers, items, strict=True):
        try:
            record = read_hand(HandItem.from_raw_data(item))
            seal = seal_of(table_id, number, item) if record.seal else ""
        except UNREADABLE as fault:
            raise NotMovedError(f"{table_id} hand {number}: its record is damaged") from fault
        follows = before is None or record.before in ("", before.seal)
        if record.seal != seal or not follows:
            raise NotMovedError(f"{table_id} hand {number}: its seal does not hold")
        before = record
