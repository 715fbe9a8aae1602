"""Hands that are over, on DynamoDB, for whoever asks to see one again."""

from typing import Any, Final

from cardroom import keys
from cardroom.damage import Attributes, DamagedError, Inspection
from cardroom.models import HandItem, prime
from cardroom.ports import Signals
from cardroom.shape import whole
from cardroom.store import read_hand
from cardroom.stored import HandRecord

STAY_PAGES: Final = 4
"""Of a megabyte, some 4,000 stays each."""


class DynamoPlayed:
    """Reads alone, and but for `record` as of a moment ago."""

    def __init__(self, table_name: str, signals: Signals | None = None) -> None:
        self.name = table_name
        self._client: Any = prime(table_name).connection.client
        self._inspection = Inspection(signals)

    def record(self, table_id: str, number: int) -> HandRecord | None:
        key = {"pk": {"S": keys.hand(table_id)}, "sk": {"S": keys.number(number)}}
        answer = self._client.get_item(TableName=self.name, Key=key, ConsistentRead=True)
        found: Attributes | None = answer.get("Item")
        return None if found is None else self._inspection.one(found, _read)

    def records(self, table_id: str, up_to: int, most: int) -> list[tuple[int, HandRecord | None]]:
        query = self._hands(table_id, up_to)
        items = self._client.query(**query, Limit=most)["Items"]
        return [(int(item["sk"]["S"]), self._readable(item)) for item in items]

    def last_before(self, table_id: str, moment: int) -> int:
        """Hands end in the order of their numbers, so a few looks find it."""
        newest = self._client.query(
            **self._hands(table_id, None), Limit=1, ProjectionExpression="sk, ended"
        )["Items"]
        if not newest:
            return 0
        low, high = 0, int(newest[0]["sk"]["S"])
        while low < high:
            middle = (low + high + 1) // 2
            ended = self._ended(table_id, middle)
            # What is not there any more is older than all that is.
            if ended is None or ended < moment:
                low = middle
            else:
                high = middle - 1
        return low

    def left(self, player: str) -> dict[str, int]:
        """By the entries that paid him out: there is one for each seat that he gave up."""
        found: dict[str, int] = {}
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :prefix)",
            "ExpressionAttributeValues": {
                ":pk": {"S": keys.user(player)},
                ":prefix": {"S": keys.ledger(keys.PAID_OUT)},
            },
            "ProjectionExpression": "#table, #at",
            "ExpressionAttributeNames": {"#table": "table", "#at": "at"},
        }
        for _ in range(STAY_PAGES):
            answer = self._client.query(**query)
            for item in answer["Items"]:
                table, at = item["table"]["S"], whole(item["at"])
                found[table] = max(at, found.get(table, 0))
            if "LastEvaluatedKey" not in answer:
                break
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        return found

    def _hands(self, table_id: str, up_to: int | None) -> dict[str, Any]:
        """A query for a table's records, the newest first."""
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": keys.hand(table_id)}},
            "ScanIndexForward": False,
        }
        if up_to is not None:
            query["KeyConditionExpression"] += " AND sk <= :sk"
            query["ExpressionAttributeValues"][":sk"] = {"S": keys.number(up_to)}
        return query

    def _ended(self, table_id: str, number: int) -> int | None:
        key = {"pk": {"S": keys.hand(table_id)}, "sk": {"S": keys.number(number)}}
        answer = self._client.get_item(TableName=self.name, Key=key, ProjectionExpression="ended")
        return whole(answer["Item"]["ended"]) if "Item" in answer else None

    def _readable(self, item: Attributes) -> HandRecord | None:
        try:
            return self._inspection.one(item, _read)
        except DamagedError:
            return None  # Reported.


def _read(item: Attributes) -> HandRecord:
    return read_hand(HandItem.from_raw_data(item))
