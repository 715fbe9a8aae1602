"""The port `Views` on DynamoDB: connections, and who watches which table.
 Seated connections lie in a partition of their own, spectators in shards apart. What a lost
`$disconnect` leaves behind is forgotten when a push finds it gone, and by its ttl; as ttl lags, it
is checked on reading.
"""

from typing import Any

from pynamodb.exceptions import UpdateError

from cardroom import keys
from cardroom.models import ConnectionItem, ShardItem, ViewItem, prime
from cardroom.ports import Audience, Viewer

LIVES_SECONDS = 7500
"""API Gateway ends a connection after 2 hours."""
SHARDS = 1
"""Of a table's spectators: one shard is one function's work, and one query."""


class DynamoViews:
    def __init__(self, table_name: str, shards: int = SHARDS) -> None:
        self.name = table_name
        self._shards = shards
        self._client: Any = prime(table_name).connection.client

    def connect(self, connection: str, player: str, now: int) -> None:
        ConnectionItem(
            keys.connection(connection), keys.CONNECTION, player=player, ttl=_ttl(now)
        ).save()

    def disconnect(self, connection: str) -> None:
        answer = self._client.delete_item(
            TableName=self.name,
            Key={"pk": {"S": keys.connection(connection)}, "sk": {"S": keys.CONNECTION}},
            ReturnValues="ALL_OLD",
        )
        for partition in answer.get("Attributes", {}).get("tables", {}).get("SS", []):
            self._remove(partition, connection)

    def watch(self, table_id: str, connection: str, player: str, *, seated: bool, now: int) -> None:
        shard = keys.shard_of(connection, self._shards)
        seats, crowd = keys.seats(table_id), keys.crowd(table_id, shard)
        to, other = (seats, crowd) if seated else (crowd, seats)
        try:
            # The connection first: what it watches is found again when it ends.
            ConnectionItem(keys.connection(connection), keys.CONNECTION).update(
                actions=[ConnectionItem.tables.add({to, other})],
                condition=ConnectionItem.pk.exists(),
            )
        except UpdateError as error:
            if error.cause_response_code != "ConditionalCheckFailedException":
                raise
            return  # It ended meanwhile.
        ViewItem(to, keys.view(connection), player=player, ttl=_ttl(now)).save()
        if not seated:
            ShardItem(seats, keys.shard(shard), ttl=_ttl(now)).save()
        self._remove(other, connection)

    def unwatch(self, table_id: str, connection: str) -> None:
        shard = keys.shard_of(connection, self._shards)
        self._remove(keys.seats(table_id), connection)
        self._remove(keys.crowd(table_id, shard), connection)

    def audience(self, table_id: str, now: int) -> Audience:
        seated: list[Viewer] = []
        shards: list[int] = []
        # One query tells who has a seat and which shards have somebody in them.
        for item in self._query(keys.seats(table_id), keys.SHARD, f"{keys.VIEW}~"):
            if int(item["ttl"]["N"]) * 1000 <= now:
                continue
            kind, _, name = item["sk"]["S"].partition("#")
            if kind == "VIEW":
                seated.append(Viewer(name, item["player"]["S"]))
            else:
                shards.append(int(name))
        return Audience(tuple(seated), tuple(shards))

    def spectators(self, table_id: str, shard: int, now: int) -> list[str]:
        return [
            item["sk"]["S"].removeprefix(keys.VIEW)
            for item in self._query(keys.crowd(table_id, shard), keys.VIEW, f"{keys.VIEW}~")
            if int(item["ttl"]["N"]) * 1000 > now
        ]

    def close_shard(self, table_id: str, shard: int, now: int) -> None:
        ShardItem(keys.seats(table_id), keys.shard(shard)).delete()
        if self.spectators(table_id, shard, now):
            ShardItem(keys.seats(table_id), keys.shard(shard), ttl=_ttl(now)).save()

    def _remove(self, partition: str, connection: str) -> None:
        self._client.delete_item(
            TableName=self.name,
            Key={"pk": {"S": partition}, "sk": {"S": keys.view(connection)}},
        )

    def _query(self, partition: str, first: str, last: str) -> list[dict[str, Any]]:
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
            "ExpressionAttributeValues": {
                ":pk": {"S": partition},
                ":first": {"S": first},
                ":last": {"S": last},
            },
            "ConsistentRead": True,
        }
        items: list[dict[str, Any]] = []
        while True:
            answer = self._client.query(**query)
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _ttl(now: int) -> int:
    return now // 1000 + LIVES_SECONDS
