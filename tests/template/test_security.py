"""What no linter here looks at: that what is kept is encrypted and cannot be had in other ways."""

import re

import pytest

from tests.template.parsed import ROOT, resources, template


@pytest.mark.parametrize("name", resources("AWS::SQS::Queue"))
def test_a_queue_is_encrypted(name: str) -> None:
    assert resources("AWS::SQS::Queue")[name]["Properties"]["SqsManagedSseEnabled"] is True


@pytest.mark.parametrize("name", resources("AWS::DynamoDB::Table"))
def test_a_table_is_encrypted_and_can_be_brought_back(name: str) -> None:
    table = resources("AWS::DynamoDB::Table")[name]["Properties"]
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True


def test_nothing_is_reached_but_through_the_api_and_the_page() -> None:
    """No function has an address of its own, and no other kind of door is built in."""
    for function in resources("AWS::Serverless::Function").values():
        assert "FunctionUrlConfig" not in function["Properties"]
    doors = {
        resource["Type"]
        for resource in template()["Resources"].values()
        if re.search(r"Api$|::Distribution$|::Url$|LoadBalancer|EC2::", resource["Type"])
    }
    assert doors == {"AWS::Serverless::WebSocketApi", "AWS::CloudFront::Distribution"}


@pytest.mark.parametrize("name", template()["Parameters"])
def test_no_parameter_is_a_secret(name: str) -> None:
    """What a stack is given anybody may read who may describe it."""
    assert not re.search(r"password|secret|token|key", name, re.IGNORECASE)


def test_what_a_further_linter_found_is_told() -> None:
    """Each kind once, with why it stays."""
    page = (ROOT / "docs/security.md").read_text()
    rows = re.findall(r"^\| `(CKV_AWS_\d+)` \|", page, re.MULTILINE)
    assert len(rows) == len(set(rows)) == 14
