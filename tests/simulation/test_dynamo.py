"""The fake of DynamoDB answers as moto does, for calls of the kinds that the room makes."""

from collections.abc import Iterator
from random import Random
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from tests.simulation.dynamo import Dynamo, Index, Refused

NAME = "compared"
PKS = ("TABLE#a", "TABLE#b", "USER#ana")
SKS = ("STATE", "WALLET#PHP", "LEDGER#1", "LEDGER#2")
CONDITIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("attribute_not_exists(pk)", ()),
    ("attribute_exists(pk)", ()),
    ("version = :n", (":n",)),
    ("seq <= :n", (":n",)),
    ("attribute_not_exists(pk) OR player = :s", (":s",)),
    ("version = :n AND seq >= :m AND attribute_not_exists(player)", (":n", ":m")),
    ("(NOT seq < :n) AND (version <> :m OR attribute_exists(player))", (":n", ":m")),
)
UPDATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ADD seq :n, version :m", (":n", ":m")),
    ("SET player = :s, version = :n", (":s", ":n")),
    ("REMOVE player", ()),
    ("ADD tables :ss", (":ss",)),
    ("DELETE tables :ss", (":ss",)),
    ("SET seq = if_not_exists(seq, :n) REMOVE player", (":n",)),
    ("SET seq = :n + :m", (":n", ":m")),
)
PARTS = ("Item", "Items", "Attributes", "Count", "Responses", "UnprocessedKeys")
"""Of an answer, what is compared."""


@pytest.fixture
def moto() -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("dynamodb", region_name="us-east-1")
        client.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
                {"AttributeName": "player", "AttributeType": "S"},
                {"AttributeName": "seq", "AttributeType": "N"},
            ],
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": "online",
                    "KeySchema": [
                        {"AttributeName": "player", "KeyType": "HASH"},
                        {"AttributeName": "seq", "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            ],
        )
        yield client


class Asker:
    """Draws calls from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def value(self, name: str) -> dict[str, Any]:
        if name == ":s":
            return {"S": self.dice.choice(("ana", "ben"))}
        if name == ":ss":
            return {"SS": self.dice.sample(("x", "y", "z"), 2)}
        return {"N": str(self.dice.randint(0, 3))}

    def key(self) -> dict[str, Any]:
        return {"pk": {"S": self.dice.choice(PKS)}, "sk": {"S": self.dice.choice(SKS)}}

    def expressed(self, part: dict[str, Any], *, update: bool = False) -> dict[str, Any]:
        names: set[str] = set()
        if update:
            text, used = self.dice.choice(UPDATES)
            part["UpdateExpression"] = text
            names |= set(used)
        if self.dice.random() < 0.6:
            text, used = self.dice.choice(CONDITIONS)
            part["ConditionExpression"] = text
            part["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
            names |= set(used)
        if names:
            values = {name: self.value(name) for name in sorted(names)}
            part["ExpressionAttributeValues"] = values
        return part

    def item(self) -> dict[str, Any]:
        item = {**self.key(), "version": self.value(":n"), "seq": self.value(":n")}
        if self.dice.random() < 0.5:
            item["player"] = self.value(":s")
        return item

    def part(self) -> tuple[str, dict[str, Any]]:
        kind = self.dice.choice(("Put", "Update", "Delete"))
        if kind == "Put":
            return kind, self.expressed({"TableName": NAME, "Item": self.item()})
        return kind, self.expressed({"TableName": NAME, "Key": self.key()}, update=kind == "Update")

    def call(self) -> tuple[str, dict[str, Any]]:
        kind = self.dice.random()
        if kind < 0.15:
            return "GetItem", {"TableName": NAME, "Key": self.key(), "ConsistentRead": True}
        if kind < 0.2:
            keys = [self.key() for _ in range(self.dice.randint(1, 3))]
            return "BatchGetItem", {"RequestItems": {NAME: {"Keys": keys, "ConsistentRead": True}}}
        if kind < 0.3:
            return "Query", {
                "TableName": NAME,
                "KeyConditionExpression": "pk = :pk AND begins_with(sk, :sk)",
                "ExpressionAttributeValues": {
                    ":pk": {"S": self.dice.choice(PKS)},
                    ":sk": {"S": self.dice.choice(("L", "LEDGER#", "W"))},
                },
            }
        if kind < 0.35:
            return "Query", {
                "TableName": NAME,
                "IndexName": "online",
                "KeyConditionExpression": "player = :s AND seq < :n",
                "ExpressionAttributeValues": {":s": self.value(":s"), ":n": self.value(":n")},
            }
        if kind < 0.6:
            parts = [self.part() for _ in range(self.dice.randint(1, 3))]
            return "TransactWriteItems", {"TransactItems": [{name: part} for name, part in parts]}
        name, part = self.part()
        if name == "Delete":
            part["ReturnValues"] = "ALL_OLD"
        return f"{name}Item", part


def _asked(client: Any, operation: str, request: dict[str, Any]) -> Any:
    name = "".join(f"_{one.lower()}" if one.isupper() else one for one in operation)[1:]
    try:
        answer = getattr(client, name)(**request)
    except ClientError as error:
        response: Any = error.response
        return _refusal(response["Error"]["Code"], response)
    return _plain({part: answer.get(part) for part in PARTS})


def _refusal(code: str, response: dict[str, Any]) -> Any:
    reasons = [one["Code"] for one in response.get("CancellationReasons", [])]
    return code, _plain(response.get("Item")), reasons


def _plain(value: Any) -> Any:
    """What may come in any order, in one."""
    if isinstance(value, dict):
        return {
            name: sorted(one) if name == "SS" else _plain(one)
            for name, one in value.items()
            if one is not None
        }
    # An index has no order among equals.
    return sorted((_plain(one) for one in value), key=str) if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(4))
def test_the_fake_answers_as_moto(moto: Any, seed: int) -> None:
    asker = Asker(seed)
    fake = Dynamo({"online": Index("player", "seq")})
    for _ in range(120):
        operation, request = asker.call()
        expected = _asked(moto, operation, request)
        try:
            answer = fake.call(operation, request)
            found = _plain({part: answer.get(part) for part in PARTS})
        except Refused as refused:
            found = _refusal(refused.code, refused.more)
        assert found == expected, (operation, request)
