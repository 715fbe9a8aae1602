"""Tables that an operator has drained, kept until he opens others in their place.

For the command line; no function reads them.
"""

from dataclasses import dataclass
from typing import Any, Self

from cardroom import keys
from cardroom.store import DynamoTables


@dataclass(frozen=True, slots=True)
class Drained:
    table: str
    at: int
    successor: str = ""
    """Id of the table in its place, from before that is opened."""


class DynamoDrained:
    def __init__(self, table_name: str, client: Any) -> None:
        self._name = table_name
        self._client = client

    @classmethod
    def beside(cls, tables: DynamoTables) -> Self:
        return cls(tables.name, tables._client)

    def put(self, drained: Drained) -> None:
        """In place of what is known of this table."""
        item = {
            **_key(drained.table),
            "at": {"N": str(drained.at)},
            "successor": {"S": drained.successor},
        }
        self._client.put_item(TableName=self._name, Item=item)

    def all(self) -> list[Drained]:
        """By table."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._name,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": keys.DRAINED}},
            ConsistentRead=True,
        )
        return [
            Drained(item["sk"]["S"], int(item["at"]["N"]), item["successor"]["S"])
            for page in pages
            for item in page["Items"]
        ]

    def forget(self, table_id: str) -> None:
        self._client.delete_item(TableName=self._name, Key=_key(table_id))


def _key(table_id: str) -> dict[str, Any]:
    return {"pk": {"S": keys.DRAINED}, "sk": {"S": table_id}}
