"""The real functions on DynamoDB in memory, watched minute by minute."""

from collections.abc import Iterator

import pytest

from tests.alarms.watched import STACK, Watched
from tests.cli.conftest import CALLBACK_URL
from tests.room.conftest import Memory, sign_in
from tests.room.handled import ports_of
from tests.room.world import TABLE
from tests.simulation.wire import wired


class _Stacks:
    """CloudFormation, on this one stack."""

    def describe_stacks(self, StackName: str) -> dict[str, object]:  # noqa: N803
        assert StackName == STACK
        known = {"TableName": TABLE, "CallbackUrl": CALLBACK_URL, "HandsBucket": "hands"}
        outputs = [{"OutputKey": name, "OutputValue": value} for name, value in known.items()]
        return {"Stacks": [{"StackName": StackName, "Outputs": outputs}]}


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    sign_in(monkeypatch)
    with wired(Memory()):
        for ports in ports_of(monkeypatch):
            known = {"cloudformation": _Stacks(), "s3": ports.bucket}
            monkeypatch.setattr("boto3.client", known.__getitem__)
            yield Watched(ports, monkeypatch)
