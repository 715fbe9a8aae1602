"""The port `Lines` on DynamoDB: one item for each who waits, named by the player.

So nobody waits twice for one stake. Each change but joining and leaving is conditional on the item
being what was read: of two who read the same, one acts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.batches import read_items
from cardroom.damage import Attributes, Inspection
from cardroom.models import WaitItem, prime, written
from cardroom.ports import Signals
from cardroom.shape import whole
from cardroom.waiting import Line, Waiter

KEPT_SECONDS = 86_400
"""A line that nobody serves any more is forgotten after a day, or when ttl comes to it."""


class DynamoLines:
    def __init__(self, table_name: str, signals: Signals | None = None) -> None:
        """Damaged items are reported where there are `signals`."""
        self.name = table_name
        self._inspection = Inspection(signals)
        self._client: Any = prime(table_name).connection.client

    def line(self, structure: str) -> Line:
        pages = self._pages(structure, ConsistentRead=True)
        items = (item for page in pages for item in page["Items"])
        # Nobody's place depends on one that is damaged.
        return tuple(sorted(self._inspection.those(items, _read), key=lambda one: one.place))

    def of(self, player: str, structures: Iterable[str]) -> frozenset[str]:
        wanted = [_key(structure, player) for structure in structures]
        items = read_items(self._client, self.name, wanted)
        return frozenset(one.structure for one in self._inspection.those(items, _read))

    def lengths(self, structures: Iterable[str]) -> Mapping[str, int]:
        return {
            structure: sum(page["Count"] for page in self._pages(structure, Select="COUNT"))
            for structure in structures
        }

    def join(self, structure: str, player: str, now: int) -> None:
        item = WaitItem(keys.line(structure), player, since=now, ttl=now // 1000 + KEPT_SECONDS)
        self._done(
            self._client.put_item,
            Item=written(item),
            ConditionExpression="attribute_not_exists(pk)"
            " OR (lapses <= :now AND attribute_not_exists(untold))",
            ExpressionAttributeValues={":now": _number(now)},
        )

    def leave(self, structure: str, player: str) -> None:
        self._client.delete_item(TableName=self.name, Key=_key(structure, player))

    def offer(self, waiter: Waiter, table_id: str, until: int) -> bool:
        return self._change(
            waiter,
            "SET offered = :table, lapses = :lapses, untold = :yes",
            {":table": {"S": table_id}, ":lapses": _number(until), ":yes": _number(1)},
        )

    def take_back(self, waiter: Waiter) -> bool:
        return self._change(
            waiter, "REMOVE offered, lapses SET untold = :yes", {":yes": _number(1)}
        )

    def told(self, waiter: Waiter) -> bool:
        return self._change(waiter, "REMOVE untold", {})

    def drop(self, waiter: Waiter) -> bool:
        condition, values = _as_read(waiter)
        return self._done(
            self._client.delete_item,
            Key=_key(waiter.structure, waiter.player),
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
        )

    def _change(self, waiter: Waiter, update: str, more: Attributes) -> bool:
        condition, values = _as_read(waiter)
        return self._done(
            self._client.update_item,
            Key=_key(waiter.structure, waiter.player),
            UpdateExpression=update,
            ConditionExpression=condition,
            ExpressionAttributeValues={**values, **more},
        )

    def _done(self, call: Any, **request: Any) -> bool:
        """Whether the condition held."""
        try:
            call(TableName=self.name, **request)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True

    def _pages(self, structure: str, **more: Any) -> Iterable[dict[str, Any]]:
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": keys.line(structure)}},
            **more,
        }
        while True:
            page = self._client.query(**query)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _as_read(waiter: Waiter) -> tuple[str, Attributes]:
    """The condition that he is in the line as he was: with the same place and the same offer."""
    values = {":since": _number(waiter.since)}
    if not waiter.table:
        return "since = :since AND attribute_not_exists(lapses)", values
    return "since = :since AND lapses = :until", {**values, ":until": _number(waiter.until)}


def _key(structure: str, player: str) -> Attributes:
    return {"pk": {"S": keys.line(structure)}, "sk": {"S": player}}


def _number(value: int) -> dict[str, Any]:
    return {"N": str(value)}


def _read(item: Attributes) -> Waiter:
    if ("offered" in item) != ("lapses" in item):
        raise ValueError("half an offer")
    return Waiter(
        structure=keys.structure(item["pk"]["S"]),
        player=item["sk"]["S"],
        since=whole(item["since"]),
        table=item["offered"]["S"] if "offered" in item else "",
        until=whole(item["lapses"]) if "lapses" in item else 0,
        told="untold" not in item,
    )
