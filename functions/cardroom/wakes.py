"""The sparse index of tables on which something will be due, for the sweep.

Each write of a table moves the moment, and an index is paid for by each move of its key: a table
that plays would move it with every turn. So the key is the moment rounded down, which stays for
minutes; the moment itself lies beside it in STATE, where the sweep reads it of each table that the
index names. Rounded down it is never after the moment: what is due is always among those named.
"""

from collections.abc import Iterator
from typing import Any, Final

from cardroom import keys
from cardroom.batches import read_items
from cardroom.damage import UNREADABLE, Attributes
from cardroom.shape import whole

GRAIN_MS: Final = 300_000
"""To which the key is rounded down."""


def wake_fields(table_id: str, at: int) -> Attributes:
    """What STATE holds for the index where something will be due at this moment (ms)."""
    return {
        "lane": {"S": keys.lane(table_id)},
        "wake_at": {"N": str(at // GRAIN_MS * GRAIN_MS)},
        "due": {"N": str(at)},
    }


def overdue(client: Any, table_name: str, before: int) -> list[str]:
    """Ids of tables on which something was due before this moment (ms), the longest due first."""
    found: list[tuple[int, str]] = []
    # Once each: the index follows by itself, and may name a table in two places for a moment.
    named = dict.fromkeys(_named(client, table_name, before))
    wanted = ({"pk": {"S": pk}, "sk": {"S": keys.STATE}} for pk in named)
    moments = "pk, wake_at, due"
    for item in read_items(client, table_name, wanted, ProjectionExpression=moments):
        at = _due(item)
        if at < before:
            found.append((at, keys.table_id(item["pk"]["S"])))
    return [table_id for _, table_id in sorted(found)]


def _due(item: Attributes) -> int:
    """When something is due. An older release writes the moment itself as the key; one that cannot
    be read is over: whoever looks at the table finds what is wrong with it.
    """
    try:
        return whole(item["due"] if "due" in item else item["wake_at"])
    except UNREADABLE:
        return 0


def _named(client: Any, table_name: str, before: int) -> Iterator[str]:
    """Partitions of the tables of which the index tells that something may be due."""
    for lane in keys.LANES:
        query: dict[str, Any] = {
            "TableName": table_name,
            "IndexName": keys.WAKE_INDEX,
            "KeyConditionExpression": "lane = :lane AND wake_at < :before",
            "ExpressionAttributeValues": {":lane": {"S": lane}, ":before": {"N": str(before)}},
        }
        while True:
            answer = client.query(**query)
            for item in answer["Items"]:
                yield item["pk"]["S"]
            if "LastEvaluatedKey" not in answer:
                break
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
