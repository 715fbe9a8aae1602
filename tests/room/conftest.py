"""moto's AWS, empty for each test."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto import mock_aws
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.responses import DynamoHandler

from tests.room.world import World, create_dynamodb_table


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    _make_atomic(monkeypatch)
    with mock_aws():
        create_dynamodb_table()
        yield


def _make_atomic(monkeypatch: pytest.MonkeyPatch) -> None:
    """As DynamoDB's calls are: moto lets another thread in between a condition and its write.

    Reads too: a transaction that fails in moto is taken back, and shows until then.
    """
    lock, real = threading.RLock(), DynamoHandler.call_action

    def atomic(self: DynamoHandler) -> Any:
        with lock:
            return real(self)

    monkeypatch.setattr(DynamoHandler, "call_action", atomic)


@pytest.fixture
def new_aws(aws: None) -> Callable[[], None]:
    """Empties it once more."""

    def empty() -> None:
        dynamodb_backends.reset()
        create_dynamodb_table()

    return empty


@pytest.fixture
def world(aws: None) -> World:
    return World()
