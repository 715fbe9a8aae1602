"""A room's stack, with DynamoDB in memory, for the commands of its operator."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Booked, Order
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from tests.room.conftest import aws as aws
from tests.room.conftest import memory as memory
from tests.room.conftest import moto as moto
from tests.room.world import TABLE

STACK = "casino"
CALLBACK_URL = "https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/room"


class Stacks:
    """CloudFormation on the room's stack, on another one, and on one that is not there."""

    def describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803
        known = {"TableName": TABLE, "CallbackUrl": CALLBACK_URL}
        room = [{"OutputKey": name, "OutputValue": value} for name, value in known.items()]
        outputs = {STACK: room, "other": []}
        if StackName not in outputs:
            refusal: Any = {"Error": {"Code": "ValidationError", "Message": "it does not exist"}}
            raise ClientError(refusal, "DescribeStacks")
        return {"Stacks": [{"StackName": StackName, "Outputs": outputs[StackName]}]}


@pytest.fixture
def tables(aws: None, monkeypatch: pytest.MonkeyPatch) -> DynamoTables:
    """The template's own table, found through the stack's outputs."""
    monkeypatch.setattr("boto3.client", {"cloudformation": Stacks()}.__getitem__)
    return DynamoTables(TABLE)


def fund(tables: DynamoTables, *players: str, amount: int = 1_000_000) -> None:
    """Make them players of the room, with this much of each currency."""
    bank = Bank(DynamoAccounts.beside(tables), SystemClock())
    for player in players:
        bank.create(player, Order("test", "to play with"))
        for currency in ("PHP", "USD"):
            booked = bank.deposit(player, currency, amount, currency, Order("test", "to play with"))
            assert isinstance(booked, Booked)
