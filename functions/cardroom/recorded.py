"""Records of hands as they lie in the table, for whoever moves old ones out of it: a function of
its own, or an operator. Nobody else may delete one.
"""

from collections.abc import Mapping
from typing import Any

from cardroom import keys
from cardroom.damage import Attributes


class DynamoRecords:
    def __init__(self, table_name: str, client: Any) -> None:
        self.name = table_name
        self._client = client

    def tables(self) -> Mapping[str, bool]:
        """In one transaction a table leaves the list of open ones and is noted as closed: who asks
        in this order misses none.
        """
        found = dict.fromkeys(self._sorts(keys.LISTED), False)
        return found | dict.fromkeys(self._sorts(keys.CLOSED), True)

    def remember(self, table_id: str, at: int) -> None:
        """A closed table of which there may be records; nothing is done where it is known."""
        item = {**_key(keys.CLOSED, table_id), "at": {"N": str(at)}}
        self._client.put_item(TableName=self.name, Item=item)

    def forget(self, table_id: str) -> None:
        self._client.delete_item(TableName=self.name, Key=_key(keys.CLOSED, table_id))

    def here(self, table_id: str, first: int, last: int) -> list[Attributes]:
        return self._all(self._numbered(table_id, first, last))

    def least(self, table_id: str, first: int, last: int) -> Attributes | None:
        return self._edge(table_id, first, last, forward=True)

    def most(self, table_id: str, first: int, last: int) -> Attributes | None:
        return self._edge(table_id, first, last, forward=False)

    def drop(self, item: Attributes) -> None:
        """Raises ClientError where it is another now."""
        condition = "attribute_not_exists(pk) OR events = :events"
        values = {":events": item["events"]}
        if "seal" in item:
            condition += " AND seal = :seal"
            values[":seal"] = item["seal"]
        self._client.delete_item(
            TableName=self.name,
            Key={"pk": item["pk"], "sk": item["sk"]},
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
        )

    def _edge(self, table_id: str, first: int, last: int, *, forward: bool) -> Attributes | None:
        query = self._numbered(table_id, first, last)
        items = self._client.query(**query, Limit=1, ScanIndexForward=forward)["Items"]
        return items[0] if items else None

    def _numbered(self, table_id: str, first: int, last: int) -> dict[str, Any]:
        return {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
            "ExpressionAttributeValues": {
                ":pk": {"S": keys.hand(table_id)},
                ":first": {"S": keys.number(first)},
                ":last": {"S": keys.number(last)},
            },
            "ConsistentRead": True,
        }

    def _sorts(self, partition: str) -> list[str]:
        query = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ConsistentRead": True,
        }
        return [item["sk"]["S"] for item in self._all(query)]

    def _all(self, query: dict[str, Any]) -> list[Attributes]:
        found: list[Attributes] = []
        while True:
            answer = self._client.query(**query)
            found += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return found
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _key(partition: str, table_id: str) -> Attributes:
    return {"pk": {"S": partition}, "sk": {"S": table_id}}
