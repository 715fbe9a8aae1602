"""Credentials that open nothing: DynamoDB is in memory."""

import pytest

from tests.room.conftest import sign_in


@pytest.fixture(autouse=True)
def signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(monkeypatch)
