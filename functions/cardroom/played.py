"""Hands that are over, for whoever asks to see one again: in the table, or in the archive."""

from collections.abc import Iterator
from typing import Any, Final, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from cardroom import keys
from cardroom.archive import block_of, hands_of
from cardroom.damage import UNREADABLE, Attributes, DamagedError, Inspection
from cardroom.errors import ArchiveUnreadError
from cardroom.models import HandItem, prime
from cardroom.ports import Signals, Stay
from cardroom.shape import moment, whole
from cardroom.store import read_hand, read_state
from cardroom.stored import HandRecord

STAY_PAGES: Final = 4
"""Of a megabyte, some 4,000 stays each."""
ENDED: Final = "pk, sk, ended"
"""What is read of a record for when its hand ended."""


class Archive(Protocol):
    def read(self, table_id: str, block: int) -> list[Attributes] | None: ...


class HandNotThereError(Exception):
    """A record that is neither in the table nor, as far as can be told, in the archive."""


class DynamoPlayed:
    """Reads alone. Without an `archive` only what is in the table."""

    def __init__(
        self, table_name: str, signals: Signals | None = None, archive: Archive | None = None
    ) -> None:
        self.name = table_name
        self._client: Any = prime(table_name).connection.client
        self._inspection = Inspection(signals)
        self._signals = signals
        self._archive = archive
        self._block: tuple[str, int, dict[int, Attributes]] = "", 0, {}
        """The last that was read, which never changes: who looks at one hand looks at the next."""

    def record(self, table_id: str, number: int) -> HandRecord | None:
        found = self._here(table_id, number)
        if found is None and self._archive is not None and number <= self._ended(table_id):
            # Asked again: a moment ago it may not have been over.
            found = self._here(table_id, number) or self._archived(table_id, number)
            if found is None:
                raise self._unread(table_id, number, HandNotThereError())
        return None if found is None else self._inspection.one(found, _read)

    def records(self, table_id: str, up_to: int, most: int) -> list[tuple[int, HandRecord | None]]:
        items = self._client.query(**self._hands(table_id, up_to), Limit=most)["Items"]
        here = {self._inspection.one(item, _number): item for item in items}
        if self._archive is not None and not _follow(here, up_to, most):
            here = self._filled(table_id, up_to, most, here)
        return [(number, self._readable(item)) for number, item in here.items()]

    def last_before(self, table_id: str, moment: int) -> int:
        """Hands end in the order of their numbers, so a few looks find it. One that is lost, or
        does not say when it ended, is passed over: those beside it tell as much.
        """
        newest, oldest = (self._edge(table_id, forward=forward) for forward in (False, True))
        found, high = 0, self._last(table_id) if newest is None else newest[0]
        if oldest is not None:
            first, at = oldest
            if self._archive is None:
                found = first - 1
            if at is not None and at < moment:
                found = first
            elif at is not None:
                high = first - 1
        low = found
        while low < high:
            middle = (low + high + 1) // 2
            number, at = self._told(table_id, low, middle)
            if at is None or at < moment:
                low, found = middle, number or found
            else:
                high = number - 1
        return found

    def stays(self, player: str) -> dict[str, Stay]:
        """By the entries that charged him for chips there, and those that paid him out. Which came
        last their versions tell, as clocks differ, and what he left with may be paid to him late.
        """
        found: dict[str, tuple[int, Stay]] = {}
        for prefix in (keys.BOUGHT, keys.PAID_OUT):
            for version, at, table in self._entries(player, prefix):
                # Who left and came back in one write has come back.
                before = found.get(table)
                if before is None or version > before[0]:
                    found[table] = version, Stay(at, over=prefix == keys.PAID_OUT)
        return {table: stay for table, (_, stay) in found.items()}

    def _entries(self, player: str, prefix: str) -> Iterator[tuple[int, int, str]]:
        """With which version of which table he came or went, and when (ms) that was booked. What is
        damaged is reported, and left out.
        """
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :prefix)",
            "ExpressionAttributeValues": {
                ":pk": {"S": keys.user(player)},
                ":prefix": {"S": keys.ledger(prefix)},
            },
            "ProjectionExpression": "pk, sk, #table, #at, #version",
            "ExpressionAttributeNames": {"#table": "table", "#at": "at", "#version": "version"},
            # Without the last one his newest hands would be missing.
            "ConsistentRead": True,
        }
        for _ in range(STAY_PAGES):
            answer = self._client.query(**query)
            yield from self._inspection.those(answer["Items"], _moved_at)
            if "LastEvaluatedKey" not in answer:
                break
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def _hands(self, table_id: str, up_to: int | None) -> dict[str, Any]:
        """A query for a table's records, the newest first."""
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": keys.hand(table_id)}},
            "ScanIndexForward": False,
            # What is not there is looked for in the archive.
            "ConsistentRead": True,
        }
        if up_to is not None:
            query["KeyConditionExpression"] += " AND sk <= :sk"
            query["ExpressionAttributeValues"][":sk"] = {"S": keys.number(up_to)}
        return query

    def _edge(self, table_id: str, *, forward: bool) -> tuple[int, int | None] | None:
        """Of the records in the table the first or last: its number, and when it ended (ms), None
        where it does not say.
        """
        query = self._hands(table_id, None) | {"ScanIndexForward": forward}
        items = self._client.query(**query, Limit=1, ProjectionExpression=ENDED)["Items"]
        return (self._inspection.one(items[0], _number), self._when(items[0])) if items else None

    def _told(self, table_id: str, above: int, up_to: int) -> tuple[int, int | None]:
        """Of these hands the last that says when it ended (ms), and when; 0 and None where none
        does.
        """
        for number in range(up_to, above, -1):
            item = self._here(table_id, number)
            if item is None and self._archive is not None:
                item = self._archived(table_id, number)
            if item is not None and (at := self._when(item)) is not None:
                return number, at
        return 0, None

    def _when(self, item: Attributes) -> int | None:
        try:
            return self._inspection.one(item, _end)
        except DamagedError:
            return None  # Reported.

    def _here(self, table_id: str, number: int) -> Attributes | None:
        return self._item(keys.hand(table_id), keys.number(number))

    def _item(self, partition: str, sort: str) -> Attributes | None:
        key = {"pk": {"S": partition}, "sk": {"S": sort}}
        answer = self._client.get_item(TableName=self.name, Key=key, ConsistentRead=True)
        found: Attributes | None = answer.get("Item")
        return found

    def _last(self, table_id: str) -> int:
        """Number of the table's last hand, where none is in the table itself."""
        return 0 if self._archive is None else self._ended(table_id)

    def _ended(self, table_id: str) -> int:
        """How many hands of the table are over; 0 where there is no such table."""
        item = self._item(keys.table(table_id), keys.STATE)
        if item is None:
            return 0
        return self._inspection.one(item, read_state).ended

    def _filled(
        self, table_id: str, up_to: int, most: int, here: dict[int, Attributes]
    ) -> dict[int, Attributes]:
        """What is in the table, with what is in the archive before, between and after it. A hand
        that is nowhere is passed over.
        """
        number = up_to if up_to in here else min(up_to, self._ended(table_id))
        # Below the last of a whole page there may be more in the table.
        stop = min(here) if len(here) == most else 1
        found: dict[int, Attributes] = {}
        absent: set[int] = set()
        # The newest may have ended since the table was asked.
        fresh = True
        while number >= stop and len(found) < most:
            item = here.get(number)
            if item is None and fresh:
                item = self._here(table_id, number)
            fresh = fresh and item is not None and number not in here
            if item is None and block_of(number) not in absent:
                try:
                    block = self._archived_block(table_id, number)
                    if block is None:
                        absent.add(block_of(number))
                        self._unread(table_id, number, HandNotThereError())
                    item = (block or {}).get(number)
                except ArchiveUnreadError:
                    if found:
                        break  # What there is is told; whoever goes on is told why he cannot.
                    raise
            if item is not None:
                found[number] = item
            number -= 1
        return found

    def _archived(self, table_id: str, number: int) -> Attributes | None:
        block = self._archived_block(table_id, number)
        return None if block is None else block.get(number)

    def _archived_block(self, table_id: str, number: int) -> dict[int, Attributes] | None:
        """The block that this hand is in, as the archive has it; None where it has none, as the
        block is still in the table. Raises ArchiveUnreadError: also where it is in neither, for to
        one who may not list S3 says the same of what is not there and of what he may not read.
        """
        assert self._archive is not None
        block = block_of(number)
        if self._block[:2] == (table_id, block):
            return self._block[2]
        try:
            items = self._archive.read(table_id, block)
            numbered = {_number(item): item for item in items or ()}
        except (BotoCoreError, ClientError, *UNREADABLE) as fault:
            raise self._unread(table_id, number, fault) from fault
        if items is None:
            if self._any_here(table_id, block):
                return None
            raise self._unread(table_id, number, HandNotThereError())
        self._block = table_id, block, numbered
        return numbered

    def _any_here(self, table_id: str, block: int) -> bool:
        """Whether the table has a hand of this block (consistent)."""
        numbers = hands_of(block)
        found = self._client.query(
            TableName=self.name,
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues={
                ":pk": {"S": keys.hand(table_id)},
                ":first": {"S": keys.number(numbers[0])},
                ":last": {"S": keys.number(numbers[-1])},
            },
            ProjectionExpression="sk",
            ConsistentRead=True,
            Limit=1,
        )
        return bool(found["Items"])

    def _unread(self, table_id: str, number: int, fault: Exception) -> ArchiveUnreadError:
        """Reported, and to be raised."""
        if self._signals is not None:
            self._signals.count("ArchiveUnread")
            self._signals.fault("past", fault, table=table_id, hand=number)
        return ArchiveUnreadError(f"{table_id} {number}")

    def _readable(self, item: Attributes) -> HandRecord | None:
        try:
            return self._inspection.one(item, _read)
        except DamagedError:
            return None  # Reported.


def _moved_at(item: Attributes) -> tuple[int, int, str]:
    left = keys.left_with(item["sk"]["S"])
    version = whole(item["version"]) if left is None else left
    return version, moment(item["at"]), item["table"]["S"]


def _number(item: Attributes) -> int:
    return keys.hand_number(item["sk"]["S"])


def _end(item: Attributes) -> int:
    """When the hand ended (ms)."""
    return moment(item["ended"])


def _read(item: Attributes) -> HandRecord:
    return read_hand(HandItem.from_raw_data(item))


def _follow(here: dict[int, Attributes], up_to: int, most: int) -> bool:
    """Whether these are all that were asked for, so that none is in the archive: the newest first,
    down from `up_to`, or from the table's last one, which is never moved while it is open.
    """
    if not here:
        return False
    first, last = next(iter(here)), min(here)
    whole_page = len(here) == most or last == 1
    return (
        (first == up_to or up_to == keys.LAST_NUMBER)
        and whole_page
        and (first - last + 1 == len(here))
    )
