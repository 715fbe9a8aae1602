"""The port `Watchers` on DynamoDB: who watches the lobby, and how many watch each table.

Spectators of tables are counted where they lie; a registry tells where there may be any. What a
lost `$disconnect` leaves behind is forgotten as `connections` says.
"""

from collections import Counter
from typing import Any

from botocore.exceptions import ClientError
from pynamodb.exceptions import UpdateError

from cardroom import keys
from cardroom.connections import LIVES_SECONDS
from cardroom.models import ConnectionItem, LobbyItem, prime


class DynamoWatchers:
    def __init__(self, table_name: str) -> None:
        self.name = table_name
        self._client: Any = prime(table_name).connection.client

    def watch(self, connection: str, player: str, now: int) -> None:
        try:
            # The connection first: what it watches is found again when it ends.
            ConnectionItem(keys.connection(connection), keys.CONNECTION).update(
                actions=[ConnectionItem.tables.add({keys.LOBBY_WATCH})],
                condition=ConnectionItem.pk.exists(),
            )
        except UpdateError as error:
            if error.cause_response_code != "ConditionalCheckFailedException":
                raise
            return
        ttl = now // 1000 + LIVES_SECONDS
        LobbyItem(keys.LOBBY_WATCH, keys.view(connection), player=player, ttl=ttl).save()

    def unwatch(self, connection: str) -> None:
        LobbyItem(keys.LOBBY_WATCH, keys.view(connection)).delete()

    def watchers(self, now: int) -> list[str]:
        return [
            item["sk"]["S"].removeprefix(keys.VIEW)
            for item in self._partition(keys.LOBBY_WATCH)
            if int(item["ttl"]["N"]) * 1000 > now
        ]

    def claim(self, slot: int, errand: str) -> bool:
        try:
            self._client.update_item(
                TableName=self.name,
                Key={"pk": {"S": keys.LOBBY}, "sk": {"S": keys.TICK}},
                UpdateExpression="SET slot = :slot, errand = :errand",
                ConditionExpression="attribute_not_exists(pk) OR slot < :slot"
                " OR (slot = :slot AND errand = :errand)",
                ExpressionAttributeValues={":slot": {"N": str(slot)}, ":errand": {"S": errand}},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True

    def crowds(self, now: int) -> dict[str, int]:
        counted: Counter[str] = Counter()
        for item in self._partition(keys.CROWDS):
            if int(item["ttl"]["N"]) * 1000 > now:
                table_id, _, shard = item["sk"]["S"].partition("#")
                counted[table_id] += self._count(keys.crowd(table_id, int(shard)), now)
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
