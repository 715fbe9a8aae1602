"""Failing calls of DynamoDB, put into a world's client."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from cardroom.bank import Order
from cardroom.money import Wallet
from tests.room.world import World


def aws_error(code: str, status: int = 400, **more: Any) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": ""},
        "ResponseMetadata": {"HTTPStatusCode": status},
        **more,
    }
    return ClientError(response, "TransactWriteItems")


def cancelled(call: dict[str, Any], touching: str, code: str) -> ClientError:
    """The transaction's parts that touch this key (a piece of its text) are what cancelled it."""
    reasons = [
        {"Code": code if touching in str(part) else "None"} for part in call["TransactItems"]
    ]
    assert any(reason["Code"] == code for reason in reasons)
    return aws_error("TransactionCanceledException", CancellationReasons=reasons)


def cancel(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    touching: str,
    times: int,
    code: str = "TransactionConflict",
) -> None:
    """The next transactions with such a key fail."""
    client = world.tables._client
    real: Callable[..., Any] = client.transact_write_items

    def broken(**call: Any) -> Any:
        nonlocal times
        if times and touching in str(call):
            times -= 1
            raise cancelled(call, touching, code)
        return real(**call)

    monkeypatch.setattr(client, "transact_write_items", broken)


def suspend_between(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose wallet is read is suspended before anything is written."""
    read = world.tables.wallet

    def then_suspend(player: str, currency: str) -> Wallet:
        wallet = read(player, currency)
        if not wallet.suspended:
            world.bank.suspend(player, Order("test", "in between"))
        return wallet

    monkeypatch.setattr(world.tables, "wallet", then_suspend)


def transactions(world: World, monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, Any]]]:
    """Collects the parts of each transaction from here on."""
    client = world.tables._client
    real: Callable[..., Any] = client.transact_write_items
    made: list[list[dict[str, Any]]] = []

    def watched(**call: Any) -> Any:
        made.append(call["TransactItems"])
        return real(**call)

    monkeypatch.setattr(client, "transact_write_items", watched)
    return made
