"""Records of hands, and who looked at them, on DynamoDB: for the operator's command line, never for
a function. One page of a table's records is in memory at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.damage import UNREADABLE, Attributes
from cardroom.models import HandItem, LookItem, written
from cardroom.shape import whole
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


class DynamoHistories(DynamoAccounts):
    def tables(self) -> list[str]:
        """Ids of all tables that ever were."""
        found = self.scan("sk = :meta", {":meta": {"S": keys.META}})
        return sorted(keys.table_id(item["pk"]["S"]) for item in found)

    def tables_of(self, player: str) -> list[str]:
        """Ids of the tables at which he ever bought chips."""
        return sorted({entry.table for entry in self.entries(player) if entry.table})

    def items(self, table_id: str, number: int | None = None) -> Iterator[Attributes]:
        """The records of a table's hands as they lie there, in order; or of this one."""
        prefix = "" if number is None else keys.number(number)
        return self._partition(keys.hand(table_id), prefix)

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

    def looks(self) -> Iterator[Look]:
        """All of them, the oldest first."""
        for item in self._partition(keys.LOOKS):
            yield Look(whole(item["at"]), item["who"]["S"], item["why"]["S"], item["what"]["S"])
