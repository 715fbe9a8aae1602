"""What the room took of its tables, on DynamoDB: for the operator's command line, never for a
function. One page of a table's entries is in memory at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cardroom import keys
from cardroom.damage import UNREADABLE
from cardroom.histories import DynamoHistories
from cardroom.shape import moment, whole


@dataclass(frozen=True, slots=True)
class Taken:
    """The rake of one hand, and the moment (ms) at which it was booked."""

    table_id: str
    hand: int
    amount: int
    currency: str
    at: int


@dataclass(frozen=True, slots=True)
class UnreadableTaken:
    """An entry of rake that is damaged, by its key."""

    table_id: str
    number: str


class DynamoTakings(DynamoHistories):
    def taken(self, table_id: str) -> Iterator[Taken | UnreadableTaken]:
        """Each hand's rake, in order; a hand without has no entry."""
        for item in self._partition(keys.rake(table_id)):
            number = item["sk"]["S"]
            try:
                yield Taken(
                    table_id,
                    int(number),
                    whole(item["amount"]),
                    item["currency"]["S"],
                    moment(item["at"]),
                )
            except UNREADABLE:
                yield UnreadableTaken(table_id, number)

    def stake(self, table_id: str) -> str:
        """The table's stake, as nl-PHP-500-1000; empty where nobody knows it any more."""
        item = self._read(keys.table(table_id), keys.META)
        try:
            return "" if item is None else str(item["structure"]["S"])
        except UNREADABLE:
            return ""
