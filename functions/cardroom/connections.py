"""The port `Views` on DynamoDB: connections, and who watches which table.

Seated connections lie in a partition of their own, spectators in shards apart: beside the seats a
marker tells that a shard has somebody in it, in `CROWDS` another tells the lobby. What a lost
`$disconnect` leaves behind is forgotten when a push finds it gone, and by its ttl; as ttl lags, it
is checked on reading.
"""

import json
from typing import Any

from botocore.exceptions import ClientError
from pynamodb.exceptions import PutError, UpdateError

from cardroom import keys
from cardroom.damage import UNREADABLE, Attributes, Inspection
from cardroom.models import ConnectionItem, CrowdItem, ShardItem, ShownItem, ViewItem, prime
from cardroom.ports import Audience, Signals, Viewer
from cardroom.shape import whole

LIVES_SECONDS = 7500
"""API Gateway ends a connection after 2 hours."""
SHARDS = 8
"""Of a table's spectators: one is one query, and never more than one function's work."""


class DynamoViews:
    def __init__(
        self,
        table_name: str,
        shards: int = SHARDS,
        client: Any = None,
        signals: Signals | None = None,
    ) -> None:
        """`client` is for who only asks and forgets; what is put goes by the primed one. Damaged
        items are reported where there are `signals`.
        """
        self.name = table_name
        self._shards = shards
        self._inspection = Inspection(signals)
        self._client: Any = prime(table_name).connection.client if client is None else client

    def connect(self, connection: str, player: str, now: int) -> None:
        # Never over another player's: his cards may still be pushed to this id.
        ConnectionItem(
            keys.connection(connection),
            keys.CONNECTION,
            player=player,
            online=keys.online(player) if player else None,
            ttl=_ttl(now),
        ).save(ConnectionItem.pk.does_not_exist() | (ConnectionItem.player == player))

    def disconnect(self, connection: str) -> None:
        answer = self._client.delete_item(
            TableName=self.name,
            Key={"pk": {"S": keys.connection(connection)}, "sk": {"S": keys.CONNECTION}},
            ReturnValues="ALL_OLD",
        )
        for partition in answer.get("Attributes", {}).get("tables", {}).get("SS", []):
            self._remove(partition, connection)

    def connections_of(self, player: str) -> list[str]:
        # An index cannot be read consistently, and holds keys only: no ttl to look at.
        query = {
            "TableName": self.name,
            "IndexName": keys.ONLINE_INDEX,
            # A reserved word, which moto lets pass.
            "KeyConditionExpression": "#online = :online",
            "ExpressionAttributeNames": {"#online": "online"},
            "ExpressionAttributeValues": {":online": {"S": keys.online(player)}},
        }
        return [keys.connection_id(item["pk"]["S"]) for item in self._pages(query)]

    def watch(
        self, table_id: str, connection: str, player: str, *, seated: bool, seq: int, now: int
    ) -> None:
        seats, crowd = self._places(table_id, connection)
        if seated:
            self._enter(seats, crowd, connection, player, seq, now)
            self._remove(crowd, connection)
        else:
            self._join_crowd(table_id, connection, player, seq, now)
            self._remove(seats, connection)

    def unseat(self, table_id: str, viewer: Viewer, seq: int, now: int) -> None:
        seats, crowd = self._places(table_id, viewer.connection)
        self._join_crowd(table_id, viewer.connection, viewer.player, seq, now)
        try:
            self._client.delete_item(
                TableName=self.name,
                Key=_view_key(seats, viewer.connection),
                ConditionExpression="seq <= :seq",
                ExpressionAttributeValues={":seq": {"N": str(seq)}},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            self._remove(crowd, viewer.connection)

    def _places(self, table_id: str, connection: str) -> tuple[str, str]:
        """The partitions in which this connection watches from a seat, and as a spectator."""
        shard = keys.shard_of(connection, self._shards)
        return keys.seats(table_id), keys.crowd(table_id, shard)

    def _join_crowd(self, table_id: str, connection: str, player: str, seq: int, now: int) -> None:
        seats, crowd = self._places(table_id, connection)
        if self._enter(crowd, seats, connection, player, seq, now):
            self._open_shard(table_id, keys.shard_of(connection, self._shards), now)

    def _open_shard(self, table_id: str, shard: int, now: int) -> None:
        ShardItem(keys.seats(table_id), keys.shard(shard), ttl=_ttl(now)).save()
        CrowdItem(keys.CROWDS, keys.counted(table_id, shard), ttl=_ttl(now)).save()

    def _enter(self, to: str, other: str, connection: str, player: str, seq: int, now: int) -> bool:
        """Whether the connection was still there to watch from `to`."""
        # The connection first: what it watches is found again when it ends.
        if not note(self._inspection, connection, {to, other}):
            return False
        ViewItem(to, keys.view(connection), player=player, seq=seq, ttl=_ttl(now)).save()
        return True

    def unwatch(self, table_id: str, connection: str) -> None:
        for partition in self._places(table_id, connection):
            self._remove(partition, connection)

    def audience(self, table_id: str, now: int) -> Audience:
        seated: list[Viewer] = []
        shards: list[int] = []
        # One query tells who has a seat and which shards have somebody in them.
        items = self._query(keys.seats(table_id), keys.SHARD, f"{keys.VIEW}~")
        for until, one in self._inspection.those(items, _read_place):
            if until <= now:
                continue
            if isinstance(one, Viewer):
                seated.append(one)
            else:
                shards.append(one)
        return Audience(tuple(seated), tuple(shards))

    def spectators(self, table_id: str, shard: int, now: int) -> list[str]:
        items = self._query(keys.crowd(table_id, shard), keys.VIEW, f"{keys.VIEW}~")
        return [name for until, name in self._inspection.those(items, read_watcher) if until > now]

    def close_shard(self, table_id: str, shard: int, now: int) -> None:
        ShardItem(keys.seats(table_id), keys.shard(shard)).delete()
        CrowdItem(keys.CROWDS, keys.counted(table_id, shard)).delete()
        if self.spectators(table_id, shard, now):
            self._open_shard(table_id, shard, now)

    def show(self, table_id: str, seq: int, data: str) -> bool:
        try:
            # The same once more is no harm: whoever sends it again has not finished.
            ShownItem(keys.shown(table_id), keys.SHOWN, seq=seq, data=data).save(
                ShownItem.pk.does_not_exist() | (ShownItem.seq <= seq)
            )
        except PutError as error:
            if error.cause_response_code != "ConditionalCheckFailedException":
                raise
            return False
        return True

    def shown(self, table_id: str) -> str | None:
        answer = self._client.get_item(
            TableName=self.name,
            Key={"pk": {"S": keys.shown(table_id)}, "sk": {"S": keys.SHOWN}},
            ConsistentRead=True,
        )
        item = answer.get("Item")
        return None if item is None else self._inspection.one(item, _read_shown)

    def _remove(self, partition: str, connection: str) -> None:
        self._client.delete_item(TableName=self.name, Key=_view_key(partition, connection))

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
        return self._pages(query)

    def _pages(self, query: dict[str, Any]) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        while True:
            answer = self._client.query(**query)
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def note(inspection: Inspection, connection: str, partitions: set[str]) -> bool:
    """That the connection has views in these partitions; False where it has ended."""
    partition, sort = keys.connection(connection), keys.CONNECTION
    try:
        ConnectionItem(partition, sort).update(
            actions=[ConnectionItem.tables.add(partitions)], condition=ConnectionItem.pk.exists()
        )
    except UpdateError as error:
        if error.cause_response_code == "ValidationException":
            # Nothing can be added to what is there.
            raise inspection.damaged(partition, sort, error) from error
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        return False
    except UNREADABLE as error:
        # PynamoDB reads what is there then.
        raise inspection.damaged(partition, sort, error) from error
    return True


def read_watcher(item: Attributes) -> tuple[int, str]:
    """Until when (ms) its connection is known to watch, and which one that is."""
    return whole(item["ttl"]) * 1000, item["sk"]["S"].removeprefix(keys.VIEW)


def _read_place(item: Attributes) -> tuple[int, Viewer | int]:
    """Who watches from a seat, or which shard has spectators, and until when (ms)."""
    until, name = read_watcher(item)
    if name.startswith(keys.SHARD):
        return until, int(name.removeprefix(keys.SHARD))
    return until, Viewer(name, item["player"]["S"], whole(item["seq"]))


def _read_shown(item: Attributes) -> str:
    text: str = item["data"]["S"]
    sent = json.loads(text)
    # What no newer one can replace would stand for ever.
    if sent["seq"] != whole(item["seq"]) or not {"now", "away", "state"} <= sent.keys():
        raise ValueError("not a snapshot")
    return text


def _view_key(partition: str, connection: str) -> dict[str, dict[str, str]]:
    return {"pk": {"S": partition}, "sk": {"S": keys.view(connection)}}


def _ttl(now: int) -> int:
    return now // 1000 + LIVES_SECONDS
