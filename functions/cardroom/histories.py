"""Records of hands, and who looked at them, on DynamoDB: for the operator's command line, never for
a function. One page of a table's records is in memory at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.archive import block_of
from cardroom.damage import UNREADABLE, Attributes
from cardroom.messages import MAX_HAND
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
        block = next(self.archive.blocks(table_id), 0)
        kept: dict[str, Attributes] = {}
        rest = self._partition(keys.hand(table_id))
        following: Attributes | None = None
        for asked in (False, True):
            if asked:
                following = next(rest, None)
            # Looked at again once the table's own have been asked for: what was moved meanwhile
            # was in the archive before it was deleted.
            while (moved := self.archive.read(table_id, block)) is not None:
                yield from moved
                kept = {item["sk"]["S"]: item for item in moved}
                block += 1
        while following is not None:
            if kept.get(following["sk"]["S"]) != following:
                yield following
            following = next(rest, None)

    def _archived(self, table_id: str, number: int) -> list[Attributes]:
        """The record, where the archive has it."""
        moved = self.archive and self.archive.read(table_id, block_of(number))
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

    def oldest(self, table_id: str) -> int | None:
        """Number of the oldest record that is in the table itself."""
        first = self._client.query(**self._numbered(table_id, 1, MAX_HAND), Limit=1)["Items"]
        return int(first[0]["sk"]["S"]) if first else None

    def here(self, table_id: str, first: int, last: int) -> list[Attributes]:
        """The records in the table itself with these numbers, in order (consistent)."""
        query, found = self._numbered(table_id, first, last), list[Attributes]()
        while True:
            answer = self._client.query(**query)
            found += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return found
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def _numbered(self, table_id: str, first: int, last: int) -> dict[str, Any]:
        return {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
            "ExpressionAttributeValues": {
                ":pk": {"S": keys.hand(table_id)},
                ":first": {"S": keys.number(first)},
                ":last": {"S": keys.number(last)},
            },
            "ConsistentRead": True,
        }

    def drop(self, item: Attributes) -> None:
        """Deletes a record, if it is still what it was; harmless if it is gone. Raises ClientError
        where it is another now.
        """
        condition = "attribute_not_exists(pk) OR events = :events"
        values = {":events": item["events"]}
        if "seal" in item:
            condition += " AND seal = :seal"
            values[":seal"] = item["seal"]
        self._client.delete_item(
            TableName=self.name,
            Key={"pk": item["pk"], "sk": item["sk"]},
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
        )

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
