"""docs/deploy.md: every parameter with its default, and commands that exist."""

import argparse
import re
import shlex

import pytest

from cli import tables, web
from cli.stages import pairs, stages
from tests.template.parsed import ROOT, resources, template

PAGE = (ROOT / "docs/deploy.md").read_text()


def test_every_parameter_is_there_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    declared = template()["Parameters"]
    assert set(rows) == set(declared)
    for name, default in rows.items():
        wanted = str(declared[name]["Default"]) or "empty"
        assert default.strip("`") == wanted


def test_what_it_says_of_stages_is_so() -> None:
    rows = dict(re.findall(r"^\| ([a-z][^|]*) \| ([^|]*\|[^|]*\|[^|]*) \|$", PAGE, re.MULTILINE))

    def told(row: str) -> list[str]:
        return [cell.strip() for cell in rows[row].split("|")]

    named = stages()
    assert f"| | {' | '.join(named)} |" in PAGE
    reserved = [
        sum(int(value) for name, value in one.items() if name.endswith("Concurrency"))
        for one in named.values()
    ]
    assert told("functions reserved") == [str(number or "none") for number in reserved]
    dev, staging, prod = reserved
    assert f"`prod` reserves {prod}, `staging` {staging} and `dev` none" in PAGE
    assert not dev
    for row, parameter in (
        ("the table can be restored to any second of", "RecoveryDays"),
        ("logs are kept", "LogRetentionDays"),
    ):
        assert [cell.split()[0] for cell in told(row)] == [one[parameter] for one in named.values()]
    minutes = [re.findall(r"\d+", one["Canary"]) for one in named.values()]
    assert [re.findall(r"\d+", cell) for cell in told("a release takes over")] == minutes
    assert told("table and user pool refuse deletion") == [
        {"true": "yes", "false": "no"}[one["DeletionProtection"]] for one in named.values()
    ]


def test_what_stops_a_release_is_there() -> None:
    """Whatever a deployment of CodeDeploy is told to look at."""
    told = [template()["Globals"]["Function"]]
    told += [one["Properties"] for one in resources("AWS::Serverless::Function").values()]
    names = {
        alarm["Fn::If"][1]["Ref"]
        for one in told
        for alarm in one.get("DeploymentPreference", {}).get("Alarms", [])
    }
    assert len(names) == 13
    rows = re.findall(r"^\| for [^|]*, `([.\w]+)` \|", PAGE, re.MULTILINE)
    assert set(rows) == {
        "...CanaryErrors",
        "SignupCanaryErrors",
        *(name for name in names if not name.endswith("CanaryErrors")),
    }
    # One that looks at both versions keeps a cure away, for which there is another way.
    assert "`FaultsAlarm`" in PAGE
    assert 'PARAMETERS="Canary=none"' in PAGE


@pytest.mark.parametrize("line", re.findall(r"^    make deploy (.*)$", PAGE, re.MULTILINE))
def test_deployments_are_understood(line: str) -> None:
    """Each names a stage; what it says otherwise are parameters of the template."""
    given = pairs(shlex.split(line))
    assert given["STAGE"] in stages()
    assert set(given) <= {"STAGE", "STACK", "PARAMETERS", "ARGS"}
    assert set(pairs(shlex.split(given.get("PARAMETERS", "")))) <= set(template()["Parameters"])


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
    "line", re.findall(r"^    \.venv/bin/cardroom tables (.*--stack.*)$", PAGE, re.MULTILINE)
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
    assert kept == {"AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::S3::Bucket"}
    assert "(hands, rake, states), the bucket of old hands and the user pool stay" in PAGE
