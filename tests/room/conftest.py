"""An AWS that is empty for each test: DynamoDB in memory, or moto's where a test asks for that."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from moto import mock_aws
from moto.dynamodb.responses import DynamoHandler

from tests.room.handled import Ports, ports_of
from tests.room.world import World, create_dynamodb_table
from tests.simulation.cloud import indexes
from tests.simulation.dynamo import Dynamo
from tests.simulation.wire import wired


def sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """To an AWS that is none."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)


@pytest.fixture
def moto(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For what hangs on DynamoDB's own words: conditions that are lost, and transactions."""
    sign_in(monkeypatch)
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


class Memory:
    """The simulation's DynamoDB: five times as fast as moto's, to which it is held by
    `tests/simulation/test_dynamo.py`.
    """

    def __init__(self) -> None:
        self.empty()

    def empty(self) -> None:
        self._dynamo = Dynamo(indexes())

    def called(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        assert service == "dynamodb"
        return self._dynamo.call(operation, request)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    sign_in(monkeypatch)
    memory = Memory()
    with wired(memory):
        yield memory


@pytest.fixture
def aws(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("moto" if "moto" in request.fixturenames else "memory")


@pytest.fixture
def world(aws: None) -> World:
    return World()


@pytest.fixture
def ports(moto: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ports]:
    yield from ports_of(monkeypatch)
