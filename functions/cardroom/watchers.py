"""The port `Watchers` on DynamoDB: who watches the lobby, and how many watch each table.

Spectators of tables are counted where they lie; a registry tells where there may be any. What a
lost `$disconnect` leaves behind is forgotten as `connections` says.
"""

from collections import Counter
from typing import Any

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.connections import LIVES_SECONDS, note, read_watcher
from cardroom.damage import Attributes, DamagedError, Inspection
from cardroom.lobby import AHEAD
from cardroom.models import LobbyItem, prime
from cardroom.ports import Signals
from cardroom.shape import whole


class DynamoWatchers:
    def __init__(self, table_name: str, signals: Signals | None = None) -> None:
        """Damaged items are reported where there are `signals`."""
        self.name = table_name
        self._inspection = Inspection(signals)
        self._client: Any = prime(table_name).connection.client

    def watch(self, connection: str, player: str, now: int) -> None:
        # The connection first: what it watches is found again when it ends.
        if not note(self._inspection, connection, {keys.LOBBY_WATCH}):
            return
        ttl = now // 1000 + LIVES_SECONDS
        LobbyItem(keys.LOBBY_WATCH, keys.view(connection), player=player, ttl=ttl).save()

    def unwatch(self, connection: str) -> None:
        LobbyItem(keys.LOBBY_WATCH, keys.view(connection)).delete()

    def watchers(self, now: int) -> list[str]:
        items = self._partition(keys.LOBBY_WATCH)
        return [name for until, name in self._inspection.those(items, read_watcher) if until > now]

    def claim(self, slot: int, errand: str) -> bool:
        held = self._claim(
            slot,
            errand,
            "attribute_not_exists(pk) OR slot < :slot OR (slot = :slot AND errand = :errand)",
        )
        if held is None:
            return True
        try:
            self._inspection.one(held, lambda item: _check_slot(item, slot))
        except DamagedError:
            # Reported. After it nobody could claim a slot, and the lobby would stand still.
            if "slot" not in held:
                return self._claim(slot, errand, "attribute_not_exists(slot)") is None
            return self._claim(slot, errand, "slot = :was", {":was": held["slot"]}) is None
        return False

    def _claim(
        self, slot: int, errand: str, condition: str, values: Attributes | None = None
    ) -> Attributes | None:
        """What is there instead, where the condition does not hold."""
        try:
            self._client.update_item(
                TableName=self.name,
                Key={"pk": {"S": keys.LOBBY}, "sk": {"S": keys.TICK}},
                UpdateExpression="SET slot = :slot, errand = :errand",
                ConditionExpression=condition,
                ExpressionAttributeValues={
                    ":slot": {"N": str(slot)},
                    ":errand": {"S": errand},
                    **(values or {}),
                },
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            response: dict[str, Any] = dict(error.response)
            item: Attributes = response["Item"]
            return item
        return None

    def crowds(self, now: int) -> dict[str, int]:
        counted: Counter[str] = Counter()
        items = self._partition(keys.CROWDS)
        for until, table_id, shard in self._inspection.those(items, _read_crowd):
            if until > now:
                counted[table_id] += self._count(keys.crowd(table_id, shard), now)
        return dict(counted)

    def _count(self, partition: str, now: int) -> int:
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :view)",
            # A reserved word, which moto lets pass.
            "FilterExpression": "#ttl > :now",
            "ExpressionAttributeNames": {"#ttl": "ttl"},
            "ExpressionAttributeValues": {
                ":pk": {"S": partition},
                ":view": {"S": keys.VIEW},
                ":now": {"N": str(now // 1000)},
            },
            "Select": "COUNT",
        }
        counted = 0
        while True:
            answer = self._client.query(**query)
            counted += int(answer["Count"])
            if "LastEvaluatedKey" not in answer:
                return counted
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def _partition(self, partition: str) -> list[dict[str, Any]]:
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ConsistentRead": True,
        }
        items: list[dict[str, Any]] = []
        while True:
            answer = self._client.query(**query)
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _read_crowd(item: Attributes) -> tuple[int, str, int]:
    """Until when (ms) a table may have spectators in a shard: the table and the shard."""
    table_id, shard = item["sk"]["S"].split("#")
    return whole(item["ttl"]) * 1000, table_id, int(shard)


def _check_slot(item: Attributes, slot: int) -> None:
    """Raises LookupError or ValueError where it is no slot that was claimed."""
    if whole(item["slot"]) > slot + AHEAD:
        raise ValueError("a slot that is not due yet")
