"""How a release takes over: aliases, canaries and what stops them; and what is kept by stage."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.stages import stages
from tests.template.parsed import ROOT, resources, template
from tests.template.transformed import of_type, transformed

FUNCTIONS = sorted(resources("AWS::Serverless::Function"))
CANARY = "Canary10Percent5Minutes"
REFUSES_PEOPLE = "SignupFunction"
"""Its refusals are errors, by the rules of user pools."""


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, Any]]:
    """The resources without a canary, and with one."""
    without, with_one = transformed({}, {"Canary": CANARY})
    return {"none": without, CANARY: with_one}


@pytest.fixture(scope="module")
def canary(made: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return made[CANARY]


# ---- aliases ------------------------------------------------------------------------------------


def _mentions(value: Any) -> list[str]:
    """What a resource names of others: logical ids, as written and inside of text."""
    if isinstance(value, dict):
        found = [one for key, inner in value.items() for one in _mentions(inner)]
        if isinstance(value.get("Ref"), str):
            found.append(value["Ref"])
        got = value.get("Fn::GetAtt")
        if got:
            found.append(got[0] if isinstance(got, list) else got.partition(".")[0])
        return found
    if isinstance(value, list):
        return [one for inner in value for one in _mentions(inner)]
    return re.findall(r"\$\{(\w+)", value) if isinstance(value, str) else []


OF_THE_FUNCTION_ITSELF = {
    "AWS::Lambda::Version",
    "AWS::Lambda::Alias",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::Dashboard",
}


@pytest.mark.parametrize("kind", ["none", CANARY])
def test_whatever_calls_a_function_calls_its_alias(
    kind: str, made: dict[str, dict[str, Any]]
) -> None:
    """Else it would go past the canary: to code that nobody has tried yet."""
    callers: dict[str, set[str]] = {}
    for name, resource in made[kind].items():
        if resource["Type"] in OF_THE_FUNCTION_ITSELF or name in FUNCTIONS:
            continue
        for mentioned in _mentions(resource["Properties"]):
            assert mentioned not in FUNCTIONS, f"{name} calls {mentioned} itself"
            if mentioned.endswith("Aliaslive"):
                callers.setdefault(mentioned.removesuffix("Aliaslive"), set()).add(resource["Type"])
    assert sorted(callers) == FUNCTIONS
    assert "AWS::ApiGatewayV2::Integration" in callers["CommandFunction"]
    assert "AWS::ApiGatewayV2::Authorizer" in callers["AuthorizerFunction"]
    assert "AWS::StepFunctions::StateMachine" in callers["ClockFunction"]
    assert "AWS::Lambda::EventSourceMapping" in callers["BroadcastFunction"]
    assert "AWS::Scheduler::Schedule" in callers["SweepFunction"]
    assert "AWS::Cognito::UserPool" in callers["SignupFunction"]


def test_the_local_room_has_the_same_aliases_and_no_codedeploy(
    made: dict[str, dict[str, Any]],
) -> None:
    """The emulator transforms with the defaults of the parameters, and knows no CodeDeploy."""
    aliases = of_type(made["none"], "AWS::Lambda::Alias")
    assert sorted(one["Properties"]["FunctionName"]["Ref"] for one in aliases.values()) == FUNCTIONS
    assert not [one for one in made["none"].values() if "CodeDeploy" in one["Type"]]
    assert not [one for one in aliases.values() if "UpdatePolicy" in one]
    assert template()["Parameters"]["Canary"]["Default"] == "none"


def test_every_kind_of_canary_is_known_to_the_transform() -> None:
    kinds = template()["Parameters"]["Canary"]["AllowedValues"]
    enabled = template()["Mappings"]["Canaries"]
    assert list(enabled) == kinds
    assert {kind for kind in kinds if enabled[kind]["Enabled"] == "false"} == {"none"}


# ---- canaries -----------------------------------------------------------------------------------


def _alarms(group: dict[str, Any]) -> list[str]:
    """Of a deployment group, by their logical ids; some are there only with a canary."""
    names = [one["Name"] for one in group["AlarmConfiguration"]["Alarms"]]
    return [(name["Fn::If"][1] if "Fn::If" in name else name)["Ref"] for name in names]


def test_every_function_takes_over_under_alarms(canary: dict[str, Any]) -> None:
    for name in FUNCTIONS:
        alias = canary[f"{name}Aliaslive"]
        policy = alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
        group = canary[policy["DeploymentGroupName"]["Ref"]]["Properties"]
        assert group["DeploymentConfigName"] == {
            "Fn::Sub": ["CodeDeployDefault.Lambda${ConfigName}", {"ConfigName": CANARY}]
        }
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
        assert group["AlarmConfiguration"]["Enabled"] is True
        names = _alarms(group)
        assert f"{name.removesuffix('Function')}CanaryErrors" in names
        assert all(canary[one]["Type"] == "AWS::CloudWatch::Alarm" for one in names)


def _metrics(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics that an alarm is about."""
    inner = [one["MetricStat"]["Metric"] for one in alarm.get("Metrics", []) if "MetricStat" in one]
    return inner or [alarm]


def test_an_alarm_of_a_canary_looks_at_the_new_version_alone(canary: dict[str, Any]) -> None:
    """With an eye on the old one as well, a fault of that would keep its own cure from coming."""
    alarms = {name: one for name, one in canary.items() if "Canary" in name}
    assert set(alarms) == {
        "CommandCanarySlow",
        *(f"{name.removesuffix('Function')}CanaryErrors" for name in FUNCTIONS),
    }
    for name, alarm in alarms.items():
        function = f"{re.split('Canary', name)[0]}Function"
        alias = canary[f"{function}Aliaslive"]["Properties"]
        assert alarm["Condition"] == "HasCanary"
        assert alarm["Properties"]["TreatMissingData"] == "notBreaching"
        for metric in _metrics(alarm["Properties"]):
            assert metric["Namespace"] == "AWS/Lambda"
            dimensions = {one["Name"]: one["Value"] for one in metric["Dimensions"]}
            assert dimensions == {
                "FunctionName": {"Ref": function},
                "Resource": {"Fn::Sub": f"${{{function}}}:{alias['Name']}"},
                "ExecutedVersion": alias["FunctionVersion"],
            }


def test_one_error_of_a_new_version_is_enough(canary: dict[str, Any]) -> None:
    for name in set(FUNCTIONS) - {REFUSES_PEOPLE}:
        alarm = canary[f"{name.removesuffix('Function')}CanaryErrors"]["Properties"]
        assert (alarm["MetricName"], alarm["Statistic"]) == ("Errors", "Sum")
        assert (alarm["Threshold"], alarm["EvaluationPeriods"], alarm["Period"]) == (1, 1, 60)
        assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"


def test_refused_names_stop_no_release(canary: dict[str, Any]) -> None:
    """Only that nobody comes through, of five or more."""
    alarm = canary["SignupCanaryErrors"]["Properties"]
    (share,) = [one for one in alarm["Metrics"] if one.get("ReturnData", True)]
    assert share["Expression"] == "IF(calls >= 5, errors / calls, 0)"
    asked = {
        one["Id"]: one["MetricStat"]["Metric"]["MetricName"]
        for one in alarm["Metrics"]
        if "MetricStat" in one
    }
    assert asked == {"errors": "Errors", "calls": "Invocations"}
    assert alarm["Threshold"] == 1
    assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"


def test_a_slow_command_stops_its_release(canary: dict[str, Any]) -> None:
    alarm = canary["CommandCanarySlow"]["Properties"]
    assert (alarm["MetricName"], alarm["ExtendedStatistic"]) == ("Duration", "p99")
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (1000, "GreaterThanThreshold")
    group = canary["CommandFunctionDeploymentGroup"]["Properties"]
    assert "CommandCanarySlow" in _alarms(group)


@pytest.mark.slow
def test_the_template_with_a_canary_is_as_clean_as_without(
    canary: dict[str, Any], tmp_path: Path
) -> None:
    """`sam validate --lint` sees the defaults, where there is none."""
    # Without the mapping, which SAM alone reads.
    whole = {key: template()[key] for key in ("Parameters", "Rules", "Conditions", "Outputs")}
    whole["Parameters"] = {
        name: {**one, "Default": CANARY} if name == "Canary" else one
        for name, one in whole["Parameters"].items()
    }
    file = tmp_path / "canary.json"
    file.write_text(json.dumps({**whole, "Resources": canary}))
    # Written by SAM, not here: it names what a reference depends on already.
    done = subprocess.run(
        [str(ROOT / ".venv-sam/bin/cfn-lint"), "--ignore-checks", "W3005", "--", str(file)],
        env={"AWS_DEFAULT_REGION": "us-east-1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


# ---- what is kept -------------------------------------------------------------------------------


def test_table_and_players_refuse_deletion_where_the_stage_says_so() -> None:
    (table,) = resources("AWS::DynamoDB::Table").values()
    (pool,) = resources("AWS::Cognito::UserPool").values()
    assert table["Properties"]["DeletionProtectionEnabled"] == {
        "Fn::If": ["IsProtected", True, False]
    }
    assert pool["Properties"]["DeletionProtection"] == {
        "Fn::If": ["IsProtected", "ACTIVE", "INACTIVE"]
    }
    assert template()["Conditions"]["IsProtected"] == {
        "Fn::Equals": [{"Ref": "DeletionProtection"}, "true"]
    }
    assert template()["Parameters"]["DeletionProtection"]["Default"] == "true"


def test_table_and_players_outlive_their_stack() -> None:
    """In every stage, for a policy takes no parameter; one that never came to be leaves nothing."""
    for kind in ("AWS::DynamoDB::Table", "AWS::Cognito::UserPool"):
        (resource,) = resources(kind).values()
        assert resource["DeletionPolicy"] == "RetainExceptOnCreate"
        assert resource["UpdateReplacePolicy"] == "Retain"


def test_the_table_can_be_restored_to_any_second() -> None:
    (table,) = resources("AWS::DynamoDB::Table").values()
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {
        "PointInTimeRecoveryEnabled": True,
        "RecoveryPeriodInDays": {"Ref": "RecoveryDays"},
    }
    days = template()["Parameters"]["RecoveryDays"]
    assert (days["MinValue"], days["MaxValue"], days["Default"]) == (1, 35, 35)


def test_versions_that_are_no_longer_called_stay(canary: dict[str, Any]) -> None:
    """To go back to one is then a matter of seconds."""
    for version in of_type(canary, "AWS::Lambda::Version").values():
        assert version["DeletionPolicy"] == "Retain"


# ---- stages beside each other -------------------------------------------------------------------

NAMES = ("Name", "LayerName", "LogGroupName", "StateMachineName", "ScheduleName", "QueueName")


def test_stacks_of_one_account_have_no_name_in_common(canary: dict[str, Any]) -> None:
    """What is named is named after its stack. (An API's name is its own, and need not differ.)"""
    for name, resource in canary.items():
        if resource["Type"].startswith(("AWS::ApiGatewayV2::", "AWS::Lambda::Alias")):
            continue
        inside = [resource["Properties"]]
        inside += [one for one in resource["Properties"].values() if isinstance(one, dict)]
        for properties in inside:
            for key in NAMES:
                if key in properties:
                    given = properties[key]
                    assert "${AWS::StackName}" in json.dumps(given), f"{name}: {given}"


def test_protected_stages_take_over_by_a_canary() -> None:
    for name, parameters in stages().items():
        assert (parameters["DeletionProtection"] == "true") == (name != "dev")
        assert (parameters["Canary"] == "none") == (name == "dev")
