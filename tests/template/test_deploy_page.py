"""docs/deploy.md: every parameter with its default, and commands that exist."""

import argparse
import re
import shlex

import pytest

from cli import tables, web
from tests.template.parsed import ROOT, template

PAGE = (ROOT / "docs/deploy.md").read_text()


def test_every_parameter_is_there_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    declared = template()["Parameters"]
    assert set(rows) == set(declared)
    for name, default in rows.items():
        wanted = str(declared[name]["Default"]) or "empty"
        assert default.strip("`") == wanted


def test_outputs_that_it_names_are_there() -> None:
    named = set(re.findall(r"OutputKey=='(\w+)'", PAGE)) | {"WebSocketUrl", "UserPoolClientId"}
    named |= {"WebDistributionDomain"}
    assert named <= set(template()["Outputs"])


@pytest.mark.parametrize(
    "line", re.findall(r"^    \.venv/bin/cardroom web (.*)$", PAGE, re.MULTILINE)
)
def test_commands_for_the_page_are_understood(line: str) -> None:
    parser = argparse.ArgumentParser()
    web.add_arguments(parser)
    assert parser.parse_args(shlex.split(line)).stack == "cardroom"


@pytest.mark.parametrize(
    "line", re.findall(r"^    \.venv/bin/cardroom tables (.*)$", PAGE, re.MULTILINE)
)
def test_commands_for_tables_are_understood(line: str) -> None:
    parser = argparse.ArgumentParser()
    tables.add_arguments(parser)
    args = parser.parse_args(shlex.split(line))
    assert args.stack == "cardroom"
    if args.action == "open":
        assert tables.settings_of(args).seats in range(2, 11)


def test_kept_resources_are_told() -> None:
    """Those that a deleted stack leaves behind."""
    kept = {
        resource["Type"]
        for resource in template()["Resources"].values()
        if resource.get("UpdateReplacePolicy") == "Retain"
    }
    assert kept == {"AWS::DynamoDB::Table", "AWS::Cognito::UserPool"}
    assert "The DynamoDB table (hands, rake, states) and the user pool stay" in PAGE
