"""`cardroom web` on moto's S3 and CloudFront."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from cli import web
from cli.main import main
from cli.web import emptied, upload
from local.errors import RoomError
from local.web_pages import pages

BUCKET = "room-webbucket"
FILES = {"index.html": "<!doctype html>", "assets/main-1a2b3c.js": "1", "icon.svg": "<svg/>"}


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(web, "built", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    with mock_aws():
        boto3.client("s3").create_bucket(
            Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
        )
        yield


@pytest.fixture
def outputs(aws: None) -> dict[str, str]:
    behaviour: Any = {
        "TargetOriginId": "bucket",
        "ViewerProtocolPolicy": "redirect-to-https",
        "CachePolicyId": "658327ea-f89d-4fab-a63d-7e88639e58f6",
    }
    origin: Any = {
        "Id": "bucket",
        "DomainName": f"{BUCKET}.s3.eu-west-1.amazonaws.com",
        "S3OriginConfig": {"OriginAccessIdentity": ""},
    }
    made = boto3.client("cloudfront").create_distribution(
        DistributionConfig={
            "CallerReference": "test",
            "Comment": "",
            "Enabled": True,
            "Origins": {"Quantity": 1, "Items": [origin]},
            "DefaultCacheBehavior": behaviour,
        }
    )["Distribution"]
    return {
        "TableName": "table",
        "WebBucket": BUCKET,
        "WebDistribution": made["Id"],
        "WebUrl": f"https://{made['DomainName']}/",
        "WebSocketUrl": "wss://a1.execute-api.eu-west-1.amazonaws.com/room",
        "UserPoolId": "eu-west-1_pool",
        "UserPoolClientId": "client",
    }


def held() -> dict[str, Any]:
    storage = boto3.client("s3")
    found = storage.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return {entry["Key"]: storage.get_object(Bucket=BUCKET, Key=entry["Key"]) for entry in found}


def invalidated(distribution: str) -> list[str]:
    client = boto3.client("cloudfront")
    listed = client.list_invalidations(DistributionId=distribution)["InvalidationList"]
    paths: list[str] = []
    for item in listed["Items"]:
        one = client.get_invalidation(DistributionId=distribution, Id=item["Id"])["Invalidation"]
        paths += one["InvalidationBatch"]["Paths"]["Items"]
    return sorted(paths)


@pytest.mark.usefixtures("dist")
def test_the_bucket_holds_what_was_built_and_where_the_room_is(outputs: dict[str, str]) -> None:
    upload(outputs)
    found = held()
    assert set(found) == {*FILES, "config.json"}
    for name, text in FILES.items():
        assert found[name]["Body"].read().decode() == text
    assert found["assets/main-1a2b3c.js"]["CacheControl"] == "public, max-age=31536000, immutable"
    assert found["index.html"]["CacheControl"] == "no-cache"
    assert found["index.html"]["ContentType"] == "text/html; charset=utf-8"
    assert json.loads(found["config.json"]["Body"].read()) == {
        "ws": "wss://a1.execute-api.eu-west-1.amazonaws.com/room",
        "cognito": {
            "endpoint": None,
            "region": "eu-west-1",
            "clientId": "client",
            "userPoolId": "eu-west-1_pool",
        },
        "local": False,
    }


@pytest.mark.usefixtures("dist")
def test_what_may_change_under_its_name_is_asked_for_anew(outputs: dict[str, str]) -> None:
    upload(outputs)
    wanted = ["/", "/config.json", "/icon.svg", "/index.html"]
    assert invalidated(outputs["WebDistribution"]) == wanted


def test_open_pages_find_their_files_for_a_week(
    outputs: dict[str, str], dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(outputs)
    (dist / "assets/main-1a2b3c.js").rename(dist / "assets/main-4d5e6f.js")
    upload(outputs)
    assert {"assets/main-1a2b3c.js", "assets/main-4d5e6f.js"} <= set(held())

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(UTC) + timedelta(days=8)

    monkeypatch.setattr(web, "datetime", Later)
    upload(outputs)
    assert set(held()) == {"index.html", "config.json", "icon.svg", "assets/main-4d5e6f.js"}


def test_the_start_is_put_last(
    outputs: dict[str, str], dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is given the new one finds the rest there; a broken upload leaves the old one."""
    found = pages(dist, {})

    def broken(*_: object) -> list[Any]:
        return [*found[:-1], None]

    monkeypatch.setattr(web, "pages", broken)
    with pytest.raises(AttributeError):
        upload(outputs)
    assert set(held()) == {*FILES, "config.json"} - {"index.html"}


@pytest.mark.usefixtures("dist")
def test_all_is_taken_away(outputs: dict[str, str]) -> None:
    upload(outputs)
    assert emptied(BUCKET) == 4
    assert held() == {}
    assert emptied(BUCKET) == 0


@pytest.mark.usefixtures("dist")
def test_the_command(
    outputs: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(web, "outputs_of", lambda _: outputs)
    assert main(["web", "upload", "--stack", "cardroom"]) == 0
    assert capsys.readouterr().out == f"cardroom is at {outputs['WebUrl']}\n"
    assert main(["web", "empty", "--stack", "cardroom"]) == 0
    assert capsys.readouterr().out == "4 files are taken away\n"


def test_a_stack_without_a_page_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(web, "outputs_of", lambda _: {"TableName": "table"})
    for action in ("upload", "empty"):
        assert main(["web", action, "--stack", "cardroom"]) == 0
        assert "has no page for browsers" in capsys.readouterr().out


def test_what_fails_is_one_line(
    outputs: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(web, "outputs_of", lambda _: {**outputs, "WebBucket": "nowhere"})

    def fails() -> Path:
        raise RoomError("the web client was not built: no reason")

    monkeypatch.setattr(web, "built", fails)
    for action in ("upload", "empty"):
        assert main(["web", action, "--stack", "cardroom"]) == 1
        said = capsys.readouterr().err
        assert said.startswith("cardroom: ")
        assert said.count("\n") == 1


class Stack:
    """CloudFormation on a stack with changes that were worked out, page by page."""

    def __init__(self, *changes: tuple[str, str]) -> None:
        self._changes = changes

    def get_paginator(self, operation: str) -> "Stack":
        assert operation == "list_change_sets"
        return self

    def paginate(self, *, StackName: str) -> Iterator[dict[str, Any]]:  # noqa: N803
        assert StackName == "room"
        for status, execution in self._changes:
            yield {"Summaries": [{"Status": status, "ExecutionStatus": execution}]}

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803
        return {"Stacks": [{"Outputs": []}]}


DONE = ("CREATE_COMPLETE", "EXECUTE_COMPLETE")
EMPTY = ("FAILED", "UNAVAILABLE")
ASKED = ("CREATE_COMPLETE", "AVAILABLE")


def test_the_region_may_have_the_command_line_s_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for what is asked of the stack first."""
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    # Set first, so that it is as it was afterwards.
    monkeypatch.setenv("AWS_DEFAULT_REGION", "")
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    asked: list[str | None] = []

    def client(service: str) -> Stack:
        asked.append(os.environ.get("AWS_DEFAULT_REGION"))
        return Stack(ASKED)

    monkeypatch.setattr("boto3.client", client)
    assert main(["web", "upload", "--stack", "room", "--unless-declined"]) == 0
    assert asked == ["eu-west-1"]


@pytest.mark.parametrize(
    ("changes", "declined"),
    [((), False), ((DONE,), False), ((EMPTY,), False), ((ASKED,), True), ((DONE, ASKED), True)],
)
def test_where_a_deployment_was_declined_the_page_stays(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    changes: tuple[tuple[str, str], ...],
    declined: bool,
) -> None:
    """SAM ends with 0 then, too. Where it is not so it goes on: here to a stack that is no room."""
    monkeypatch.setattr("boto3.client", {"cloudformation": Stack(*changes)}.__getitem__)
    asked = ["web", "upload", "--stack", "room"]
    assert main([*asked, "--unless-declined"]) == (0 if declined else 1)
    said = capsys.readouterr()
    assert (said.out == "room was not changed, and its page stays as it is\n") is declined
    assert ("is no cardroom" in said.err) is not declined
    # By itself it is asked for on purpose.
    assert main(asked) == 1
