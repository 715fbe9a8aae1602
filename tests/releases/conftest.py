"""Credentials that open nothing: DynamoDB is in memory."""

import pytest


@pytest.fixture(autouse=True)
def signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.setenv(name, "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
