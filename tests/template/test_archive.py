"""The bucket of old hands: private, kept, written once, by one function, and read by another."""

import json
from typing import Any

from cli.archived import BUCKET
from tests.template.parsed import resources, template

DENIED = {"s3:DeleteObject", "s3:DeleteObjectVersion"}


def _bucket() -> dict[str, Any]:
    found: dict[str, Any] = resources("AWS::S3::Bucket")["HandsBucket"]
    return found


def _statements() -> list[Any]:
    policy = resources("AWS::S3::BucketPolicy")["HandsBucketPolicy"]["Properties"]
    statements: list[Any] = policy["PolicyDocument"]["Statement"]
    return statements


def test_it_stays_when_the_stack_goes() -> None:
    bucket = _bucket()
    assert bucket["DeletionPolicy"] == "RetainExceptOnCreate"
    assert bucket["UpdateReplacePolicy"] == "Retain"
    assert template()["Outputs"][BUCKET] == {"Value": {"Ref": "HandsBucket"}}


def test_it_is_private_encrypted_and_keeps_what_is_deleted_for_a_while() -> None:
    properties = _bucket()["Properties"]
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert "ServerSideEncryptionConfiguration" in properties["BucketEncryption"]
    rules = properties["LifecycleConfiguration"]["Rules"]
    assert not any("ExpirationInDays" in rule for rule in rules)
    assert [rule["NoncurrentVersionExpiration"]["NoncurrentDays"] for rule in rules[1:]] == [365]


def test_nobody_writes_over_an_object_or_deletes_one_where_the_stage_is_protected() -> None:
    wire, once, kept = _statements()
    assert wire["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert (once["Action"], once["Condition"]) == (
        ["s3:PutObject"],
        {"Null": {"s3:if-none-match": "true"}},
    )
    condition, denied, otherwise = kept["Fn::If"]
    assert condition == "IsProtected"
    assert otherwise == {"Ref": "AWS::NoValue"}
    assert set(denied["Action"]) == DENIED
    for statement in (wire, once, denied):
        assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")


def _rights() -> dict[str, list[Any]]:
    """By function: its statements on the bucket."""
    found: dict[str, list[Any]] = {}
    for name, function in resources("AWS::Serverless::Function").items():
        for policy in function["Properties"].get("Policies", []):
            for statement in policy["Statement"]:
                if "HandsBucket" in json.dumps(statement):
                    found.setdefault(name, []).append(statement)
    return found


def test_one_function_writes_objects_and_one_reads_them() -> None:
    """Once is by the bucket's own policy. Neither lists, deletes, or reaches anything else."""
    hands = {"Fn::Sub": "${HandsBucket.Arn}/hands/*"}
    reads = {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": hands}
    writes = {**reads, "Action": ["s3:PutObject"]}
    assert _rights() == {"CommandFunction": [reads], "ArchiveFunction": [reads, writes]}
