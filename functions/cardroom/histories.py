"""Records of hands, and who looked at them, on DynamoDB: for the operator's command line, never for
a function. One page of a table's records is in memory at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, Self

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.archive import block_of, hands_of
from cardroom.damage import UNREADABLE, Attributes
from cardroom.models import HandItem, LookItem, written
from cardroom.shape import moment
from cardroom.store import read_hand
from cardroom.stored import HandRecord


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that is damaged; its number as its key has it."""

    table_id: str
    number: str


@dataclass(frozen=True, slots=True)
class Look:
    """Somebody saw cards of hands that were not shown: when (ms), who, why, and which hands."""

    at: int
    who: str
    why: str
    what: str


class Archive(Protocol):
    def read(self, table_id: str, block: int) -> list[Attributes] | None: ...

    def blocks(self, table_id: str) -> Iterator[int]: ...


class DynamoHistories(DynamoAccounts):
    archive: Archive | None = None

    def with_archive(self, archive: Archive | None) -> Self:
        self.archive = archive
        return self

    def tables(self) -> list[str]:
        """Ids of all tables that ever were: of one that has lost either of its items as well."""
        found = self.scan(
            "begins_with(pk, :table) AND (sk = :meta OR sk = :state)",
            {
                ":table": {"S": keys.table("")},
                ":meta": {"S": keys.META},
                ":state": {"S": keys.STATE},
            },
        )
        return sorted({keys.table_id(item["pk"]["S"]) for item in found})

    def tables_of(self, player: str) -> list[str]:
        """Ids of the tables at which he ever bought chips."""
        return sorted({entry.table for entry in self.entries(player) if entry.table})

    def items(self, table_id: str, number: int | None = None) -> Iterator[Attributes]:
        """The records of a table's hands as they lie there, in order; or of this one.

        Of one that is in both places, as its move was interrupted, one; both where they differ.
        """
        if number is not None:
            here = list(self._partition(keys.hand(table_id), keys.number(number)))
            yield from here or self._archived(table_id, number)
            return
        if self.archive is None:
            yield from self._partition(keys.hand(table_id))
            return
        yield from self._both(self.archive, table_id)

    def _both(self, archive: Archive, table_id: str) -> Iterator[Attributes]:
        """Block by block: a younger one may be in the archive while an older one had to stay."""
        known = set(archive.blocks(table_id))
        told = -1
        for block, items in groupby(self._partition(keys.hand(table_id)), _block):
            here = list(items)
            if block is None:
                yield from here
                continue
            if block > told + 1 or len(here) < len(hands_of(block)):
                # Looked at again once the table's own have been asked for: what was moved
                # meanwhile was in the archive before it was deleted.
                known = set(archive.blocks(table_id))
            for between in sorted(one for one in known if told < one < block):
                yield from _moved(archive, table_id, between) or ()
            moved = _moved(archive, table_id, block) if block in known else None
            kept = {item["sk"]["S"]: item for item in moved or ()}
            yield from moved or ()
            yield from (item for item in here if kept.get(item["sk"]["S"]) != item)
            told = block
        for block in archive.blocks(table_id):
            if block > told:
                yield from _moved(archive, table_id, block) or ()

    def _archived(self, table_id: str, number: int) -> list[Attributes]:
        """The record, where the archive has it."""
        moved = self.archive and _moved(self.archive, table_id, block_of(number))
        return [item for item in moved or () if item["sk"]["S"] == keys.number(number)]

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        """The same, read."""
        for item in self.items(table_id, number):
            try:
                yield read_hand(HandItem.from_raw_data(item))
            except UNREADABLE:
                yield Unreadable(table_id, item["sk"]["S"])

    def put_look(self, look: Look) -> None:
        """Keeps it, before anything is shown."""
        sort = f"{look.at:015d}#{look.who}"
        item = LookItem(keys.LOOKS, sort, at=look.at, who=look.who, why=look.why, what=look.what)
        self._client.put_item(
            TableName=self.name,
            Item=written(item),
            ConditionExpression="attribute_not_exists(pk)",
        )

    def looks(self) -> Iterator[Look | str]:
        """All of them, the oldest first; of one that is damaged its key."""
        for item in self._partition(keys.LOOKS):
            try:
                texts = (str(item[name]["S"]) for name in ("who", "why", "what"))
                yield Look(moment(item["at"]), *texts)
            except UNREADABLE:
                yield f"{item['pk']['S']} / {item['sk']['S']}"


def _moved(archive: Archive, table_id: str, block: int) -> list[Attributes] | None:
    """The items of a block; None where the archive has none of it. Where what it has is none of
    ours, the keys alone of those that it should have: records that cannot be read.
    """
    try:
        return archive.read(table_id, block)
    except UNREADABLE:
        partition = {"S": keys.hand(table_id)}
        return [{"pk": partition, "sk": {"S": keys.number(one)}} for one in hands_of(block)]


def _block(item: Attributes) -> int | None:
    """Where the record belongs; nowhere where its key is no hand's."""
    try:
        return block_of(int(item["sk"]["S"]))
    except UNREADABLE:
        return None
