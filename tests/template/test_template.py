"""The template says what the code needs, and no more."""

import json
import re
from typing import Any

import pytest
import yaml

from cardroom import environment
from cardroom.messages import MESSAGES
from cardroom.models import PlayerItem, written
from cli.gate import ENDS_MS, GATED
from tests.template.parsed import ROOT, resources, template

FUNCTIONS = resources("AWS::Serverless::Function")
NAMES = sorted(FUNCTIONS)
ENVIRONMENTS: dict[str, Any] = {
    "AuthorizerFunction": environment.AuthorizerEnvironment,
    "SignupFunction": environment.TableEnvironment,
    "ConnectFunction": environment.ConnectEnvironment,
    "DisconnectFunction": environment.TableEnvironment,
    "CommandFunction": environment.CommandEnvironment,
    "BroadcastFunction": environment.BroadcastEnvironment,
    "ClockFunction": environment.ClockEnvironment,
    "SweepFunction": environment.SweepEnvironment,
    "FanoutFunction": environment.FanoutEnvironment,
    "FloorFunction": environment.FloorEnvironment,
    "ArchiveFunction": environment.ArchiveEnvironment,
}
DEAL = {
    ("dynamodb:GetItem", "TABLE#*"),
    ("dynamodb:GetItem", "SECRET#*"),
    ("dynamodb:PutItem", "TABLE#*"),
    ("dynamodb:PutItem", "SECRET#*"),
    ("dynamodb:PutItem", "HAND#*"),
    ("dynamodb:PutItem", "RAKE#*"),
    ("dynamodb:PutItem", "CLOSED"),
    ("dynamodb:DeleteItem", "LISTED"),
    ("dynamodb:GetItem", "USER#*"),
    ("dynamodb:PutItem", "USER#*"),
    ("dynamodb:UpdateItem", "USER#*"),
    ("dynamodb:ConditionCheckItem", "USER#*"),
}
GONE = {
    ("dynamodb:DeleteItem", "CONN#*"),
    ("dynamodb:DeleteItem", "WATCH#*"),
    ("dynamodb:DeleteItem", "SEATED#*"),
}
SPECTATE = {
    ("dynamodb:PutItem", "WATCH#*"),
    ("dynamodb:PutItem", "SEATED#*"),
    ("dynamodb:PutItem", "CROWDS"),
}
START = {("states:StartExecution", "")}
ASK_THE_FLOOR = {("sqs:SendMessage", "")}
POST = {("execute-api:ManageConnections", "")}
ALLOWED: dict[str, set[tuple[str, str]]] = {
    "AuthorizerFunction": set(),
    "SignupFunction": {
        ("dynamodb:PutItem", "NAME#*"),
        ("dynamodb:PutItem", "USER#*"),
        ("dynamodb:ConditionCheckItem", "USER#*"),
    },
    "ConnectFunction": {
        ("dynamodb:PutItem", "CONN#*"),
        ("dynamodb:PutItem", "CAME#*"),
        ("dynamodb:GetItem", "BAN#*"),
    },
    "DisconnectFunction": GONE,
    "CommandFunction": DEAL
    | {
        *SPECTATE,
        ("dynamodb:GetItem", "WATCH#*"),
        ("dynamodb:Query", "SEATED#*"),
        ("dynamodb:DeleteItem", "WATCH#*"),
        ("dynamodb:DeleteItem", "SEATED#*"),
        ("dynamodb:UpdateItem", "CONN#*"),
        ("dynamodb:UpdateItem", "HAND#*"),
        ("dynamodb:GetItem", "HAND#*"),
        ("dynamodb:Query", "HAND#*"),
        ("dynamodb:PutItem", "DISPUTE#*"),
        ("dynamodb:GetItem", "DISPUTE#*"),
        ("dynamodb:Query", "DISPUTE#*"),
        ("dynamodb:PutItem", "BAN#*"),
        ("dynamodb:Query", "WAIT#*"),
        ("dynamodb:BatchGetItem", "WAIT#*"),
        ("dynamodb:PutItem", "WAIT#*"),
        ("dynamodb:DeleteItem", "WAIT#*"),
        *POST,
        ("dynamodb:Query", "LISTED"),
        ("dynamodb:Query", "CROWDS"),
        ("dynamodb:Query", "WATCH#*"),
        *ASK_THE_FLOOR,
        ("dynamodb:DeleteItem", "USER#*"),
        ("dynamodb:Query", "USER#*"),
        ("s3:GetObject", ""),
    },
    "BroadcastFunction": {
        *SPECTATE,
        ("dynamodb:GetItem", "SECRET#*"),
        ("dynamodb:GetItem", "TABLE#*"),
        ("dynamodb:Query", "SEATED#*"),
        ("dynamodb:UpdateItem", "CONN#*"),
        ("dynamodb:UpdateItem", "LISTED"),
        ("sqs:SendMessage", ""),
    }
    | GONE
    | START
    | POST,
    "ClockFunction": DEAL | START,
    "SweepFunction": DEAL
    | START
    | ASK_THE_FLOOR
    | {
        ("dynamodb:Query", "wake#*"),
        ("dynamodb:BatchGetItem", "TABLE#*"),
        ("dynamodb:Query", "LISTED"),
    },
    "FanoutFunction": {
        *SPECTATE,
        ("dynamodb:Query", "WATCH#*"),
        ("dynamodb:Query", "SEATED#*"),
        ("dynamodb:DeleteItem", "CROWDS"),
        ("sqs:SendMessage", ""),
    }
    | GONE
    | POST,
    "FloorFunction": {
        ("dynamodb:Query", "LISTED"),
        ("dynamodb:Query", "CROWDS"),
        ("dynamodb:Query", "WATCH#*"),
        ("dynamodb:UpdateItem", "LOBBY"),
        ("dynamodb:GetItem", "TABLE#*"),
        ("dynamodb:PutItem", "TABLE#*"),
        ("dynamodb:PutItem", "LISTED"),
        ("dynamodb:PutItem", "CLOSED"),
        ("dynamodb:DeleteItem", "LISTED"),
        ("dynamodb:Query", "WAIT#*"),
        ("dynamodb:UpdateItem", "WAIT#*"),
        ("dynamodb:DeleteItem", "WAIT#*"),
        ("dynamodb:Query", "ONLINE#*"),
    }
    | GONE
    | POST
    | ASK_THE_FLOOR,
    "ArchiveFunction": {
        ("dynamodb:Query", "LISTED"),
        ("dynamodb:Query", "CLOSED"),
        ("dynamodb:DeleteItem", "CLOSED"),
        ("dynamodb:Query", "HAND#*"),
        ("dynamodb:DeleteItem", "HAND#*"),
        ("s3:GetObject", ""),
        ("s3:PutObject", ""),
    },
}
"""Action and leading key."""


def _statements(function: str) -> list[dict[str, Any]]:
    policies = FUNCTIONS[function]["Properties"].get("Policies", [])
    return [statement for policy in policies for statement in policy["Statement"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_function_may_do_exactly_what_it_does(name: str) -> None:
    found: set[tuple[str, str]] = set()
    for statement in _statements(name):
        assert statement["Effect"] == "Allow"
        condition = statement.get("Condition", {})
        keys = condition.get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [""])
        found |= {(action, key) for action in statement["Action"] for key in keys}
    assert found == ALLOWED[name]


@pytest.mark.parametrize("name", NAMES)
def test_no_right_is_wider_than_a_table_a_queue_or_a_machine(name: str) -> None:
    for statement in _statements(name):
        assert statement["Resource"] != "*"
        for action in statement["Action"]:
            assert "*" not in action
            assert not action.endswith((":Scan", ":PartiQLSelect", ":BatchWriteItem"))
            if action.startswith("dynamodb:"):
                assert "ForAllValues:StringLike" in statement["Condition"]


def test_only_those_who_deal_and_push_may_read_a_deck() -> None:
    readers = {
        name
        for name in NAMES
        for action, key in ALLOWED[name]
        if (action, key) == ("dynamodb:GetItem", "SECRET#*")
    }
    assert readers == {"CommandFunction", "ClockFunction", "SweepFunction", "BroadcastFunction"}


def test_only_those_who_decide_may_write_a_table() -> None:
    writers = {name for name in NAMES if ("dynamodb:PutItem", "TABLE#*") in ALLOWED[name]}
    assert writers == {"CommandFunction", "ClockFunction", "SweepFunction", "FloorFunction"}


def test_one_function_alone_unmakes_records() -> None:
    """It writes none, and nothing else; no other may delete a record, or write to the archive."""
    removers = {name for name in NAMES if ("dynamodb:DeleteItem", "HAND#*") in ALLOWED[name]}
    writers = {name for name in NAMES if ("s3:PutObject", "") in ALLOWED[name]}
    assert removers == writers == {"ArchiveFunction"}
    rights = {action for action, _ in ALLOWED["ArchiveFunction"]}
    assert rights == {"dynamodb:Query", "dynamodb:DeleteItem", "s3:GetObject", "s3:PutObject"}


def test_only_those_who_write_a_table_move_money() -> None:
    """A wallet changes in the write of a table: the stream's consumer moves none. Who makes players
    may put such an item and no other.
    """
    movers = {name for name in NAMES for _, key in ALLOWED[name] if key == "USER#*"}
    assert movers == {"CommandFunction", "ClockFunction", "SweepFunction", "SignupFunction"}
    (puts,) = [
        one["Condition"]
        for one in _statements("SignupFunction")
        if one["Action"] == ["dynamodb:PutItem"]
        and one["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] == ["USER#*"]
    ]
    item = PlayerItem("USER#ana", "PLAYER", standing="open", at=1, who="a", why="b", created=1)
    assert set(puts["ForAllValues:StringEquals"]["dynamodb:Attributes"]) == set(written(item))


def test_the_user_pool_and_its_function_know_of_each_other_without_a_circle() -> None:
    """The pool names the function, which names the table alone; the pool may call it, no other."""
    (pool,) = resources("AWS::Cognito::UserPool").values()
    function = {"Ref": "SignupFunction.Alias"}
    wanted = {"PreSignUp": function, "PostConfirmation": function}
    assert pool["Properties"]["LambdaConfig"] == wanted
    assert "UserPool" not in json.dumps(FUNCTIONS["SignupFunction"])
    (permission,) = resources("AWS::Lambda::Permission").values()
    assert permission["Properties"] == {
        "Action": "lambda:InvokeFunction",
        "FunctionName": {"Ref": "SignupFunction.Alias"},
        "Principal": "cognito-idp.amazonaws.com",
        "SourceAccount": {"Ref": "AWS::AccountId"},
        "SourceArn": {"Fn::GetAtt": "UserPool.Arn"},
    }


def test_anybody_may_sign_up_who_has_an_address() -> None:
    (pool,) = resources("AWS::Cognito::UserPool").values()
    assert pool["Properties"]["AdminCreateUserConfig"] == {"AllowAdminCreateUserOnly": False}
    assert pool["Properties"]["AutoVerifiedAttributes"] == ["email"]
    (client,) = resources("AWS::Cognito::UserPoolClient").values()
    flows = client["Properties"]["ExplicitAuthFlows"]
    assert [flow for flow in flows if isinstance(flow, str)] == [
        "ALLOW_USER_SRP_AUTH",
        "ALLOW_REFRESH_TOKEN_AUTH",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_environment_holds_what_the_function_reads(name: str) -> None:
    declared = FUNCTIONS[name]["Properties"]["Environment"]["Variables"]
    assert set(declared) == set(environment.names(ENVIRONMENTS[name]))


@pytest.mark.parametrize("name", NAMES)
def test_a_functions_environment_record_is_the_one_that_it_reads(name: str) -> None:
    """The module that composes it reads the record that this test knows."""
    folder = name.removesuffix("Function").lower()
    handler = (ROOT / "functions" / folder / "app.py").read_text()
    (module,) = re.findall(r"from cardroom\.compose\.(\w+) import", handler)
    composing = (ROOT / f"functions/cardroom/compose/{module}.py").read_text()
    assert set(re.findall(r"read\((\w+)\)", composing)) == {ENVIRONMENTS[name].__name__}


def test_every_function_has_a_log_with_an_end() -> None:
    """A group of its own that is there before the function, and without which it cannot be."""
    groups = resources("AWS::Logs::LogGroup")
    for name in NAMES:
        log = FUNCTIONS[name]["Properties"]["LoggingConfig"]["LogGroup"]["Ref"]
        assert log == f"{name.removesuffix('Function')}Logs"
        assert log in groups
    (machine,) = resources("AWS::Serverless::StateMachine").values()
    (destination,) = machine["Properties"]["Logging"]["Destinations"]
    arn = destination["CloudWatchLogsLogGroup"]["LogGroupArn"]
    assert arn == {"Fn::GetAtt": "TurnClockLogs.Arn"}
    assert len(groups) == len(NAMES) + 1
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == {"Ref": "LogRetentionDays"}
        assert "${AWS::StackName}" in group["Properties"]["LogGroupName"]["Fn::Sub"]
    assert template()["Parameters"]["LogRetentionDays"]["Default"] == 30


def _routes() -> dict[str, Any]:
    (api,) = resources("AWS::Serverless::WebSocketApi").values()
    routes: dict[str, Any] = api["Properties"]["Routes"]
    return routes


def test_every_message_has_a_route() -> None:
    assert set(_routes()) == {"$connect", "$disconnect", "$default", *MESSAGES}
    assert all(route.isalnum() for route in MESSAGES)


@pytest.mark.parametrize("route", [*MESSAGES, "$default"])
def test_every_route_has_a_response(route: str) -> None:
    """Without one, API Gateway answers nothing."""
    assert _routes()[route]["RouteResponseSelectionExpression"] == "$default"
    resource = f"Api{route.removeprefix('$').capitalize()}Route"
    (response,) = [
        one
        for one in resources("AWS::ApiGatewayV2::RouteResponse").values()
        if one["Properties"]["RouteId"] == {"Ref": resource}
    ]
    assert response["Properties"]["RouteResponseKey"] == "$default"
    assert response["Condition"] == "IsAws"


def test_nobody_connects_without_the_authorizer() -> None:
    (api,) = resources("AWS::Serverless::WebSocketApi").values()
    assert api["Properties"]["Auth"]["AuthType"] == "CUSTOM"
    assert api["Properties"]["Auth"]["IdentitySource"] == [
        "route.request.header.Sec-WebSocket-Protocol"
    ]


@pytest.mark.parametrize(
    ("endpoint", "admitted"),
    [
        ("", True),
        ("http://127.0.0.1:4566", True),
        ("http://localhost:4566", True),
        ("http://127.0.0.2:4566", False),
        ("http://127.0.0.1", False),
        ("https://127.0.0.1:4566", False),
        ("http://127.0.0.1:4566/", False),
        ("http://127.0.0.1:4566@example.com", False),
        ("http://127.0.0.1.example.com:80", False),
        ("http://localhost.example.com:80", False),
        ("http://127x0x0x1:4566", False),
        ("http://example.com:4566", False),
        ("http://169.254.169.254:80", False),
        ("x\nhttp://127.0.0.1:4566", False),
    ],
)
def test_the_local_endpoint_is_on_loopback(endpoint: str, admitted: bool) -> None:
    pattern = template()["Parameters"]["LocalEndpoint"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, endpoint)) is admitted


def test_on_aws_nothing_is_as_on_the_emulator() -> None:
    parsed = template()
    assert parsed["Parameters"]["LocalEndpoint"]["Default"] == ""
    assert parsed["Conditions"]["IsAws"] == {"Fn::Equals": [{"Ref": "LocalEndpoint"}, ""]}
    (client,) = resources("AWS::Cognito::UserPoolClient").values()
    assert {
        "Fn::If": ["IsAws", {"Ref": "AWS::NoValue"}, "ALLOW_ADMIN_USER_PASSWORD_AUTH"]
    } in client["Properties"]["ExplicitAuthFlows"]


@pytest.mark.parametrize("name", NAMES)
def test_a_handler_is_where_the_template_says(name: str) -> None:
    properties = FUNCTIONS[name]["Properties"]
    folder, module, function = properties["Handler"].split(".")
    source = ROOT / "functions" / folder / f"{module}.py"
    assert f"def {function}(" in source.read_text()
    assert folder == name.removesuffix("Function").lower()


@pytest.mark.parametrize("function", NAMES)
def test_concurrency_is_a_parameter(function: str) -> None:
    """Of every function; 0 reserves nothing, for Lambda would read it as "never"."""
    name = function.removesuffix("Function")
    reserved = FUNCTIONS[function]["Properties"]["ReservedConcurrentExecutions"]
    assert reserved == {
        "Fn::If": [
            f"Reserve{name}",
            {"Ref": f"{name}Concurrency"},
            {"Ref": "AWS::NoValue"},
        ]
    }
    assert template()["Conditions"][f"Reserve{name}"] == {
        "Fn::Not": [{"Fn::Equals": [{"Ref": f"{name}Concurrency"}, 0]}]
    }
    assert template()["Parameters"][f"{name}Concurrency"]["MinValue"] == 0


def test_the_stream_is_read_as_designed() -> None:
    stream = FUNCTIONS["BroadcastFunction"]["Properties"]["Events"]["Stream"]["Properties"]
    assert stream["ParallelizationFactor"] == 10
    assert stream["BatchSize"] == 10
    assert stream["MaximumRetryAttempts"] == 5
    assert stream["MaximumRecordAgeInSeconds"] == 60
    assert stream["BisectBatchOnFunctionError"] is True
    assert stream["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert stream["StartingPosition"] == "TRIM_HORIZON"
    assert "MaximumBatchingWindowInSeconds" not in stream
    written, present = (json.loads(one["Pattern"]) for one in stream["FilterCriteria"]["Filters"])
    assert written["eventName"] == ["INSERT", "MODIFY"]
    assert written["dynamodb"]["Keys"] == {"sk": {"S": ["STATE"]}}
    assert present["eventName"] == ["INSERT", "REMOVE"]
    assert present["dynamodb"]["Keys"] == {
        "pk": {"S": [{"prefix": "SEATED#"}]},
        "sk": {"S": [{"prefix": "VIEW#"}]},
    }
    assert stream["DestinationConfig"]["OnFailure"]["Type"] == "SQS"


def test_the_turn_clock_waits_for_what_it_is_told() -> None:
    text = (ROOT / "statemachines/turn_clock.asl.yaml").read_text()
    machine = yaml.safe_load(text)
    (declared,) = resources("AWS::Serverless::StateMachine").values()
    assert declared["Properties"]["Type"] == "EXPRESS"
    assert set(re.findall(r"\$\{(\w+)\}", text)) == set(
        declared["Properties"]["DefinitionSubstitutions"]
    )
    states = machine["States"]
    assert machine["StartAt"] == "Wait"
    assert states["Wait"] == {"Type": "Wait", "TimestampPath": "$.wait", "Next": "Look"}
    for state in states.values():
        assert state.get("Next", "Wait") in states
    named = declared["Properties"]["Name"]["Fn::Sub"]
    for name in ("BroadcastFunction", "ClockFunction", "SweepFunction"):
        arn = FUNCTIONS[name]["Properties"]["Environment"]["Variables"]["TURN_CLOCK_ARN"]
        assert arn["Fn::Sub"].endswith(f":stateMachine:{named}")
        (start,) = [s for s in _statements(name) if s["Action"] == ["states:StartExecution"]]
        assert start["Resource"] == arn


def test_outputs_name_what_the_local_room_needs() -> None:
    needed = {"ApiId", "StageName", "TableName", "UserPoolId", "UserPoolClientId", "TurnClockArn"}
    assert needed <= set(template()["Outputs"])


def test_a_sweep_that_could_not_come_is_not_made_up_for() -> None:
    """A schedule's calls are kept by Lambda, which tries them again by itself; the next comes
    soon.
    """
    called_so = {
        resource["Properties"]["FunctionName"]["Ref"]: resource
        for resource in resources("AWS::Lambda::EventInvokeConfig").values()
    }
    scheduled = {
        name
        for name, function in resources("AWS::Serverless::Function").items()
        for event in function["Properties"].get("Events", {}).values()
        if event["Type"] == "ScheduleV2"
    }
    assert set(called_so) == scheduled == {"SweepFunction", "ArchiveFunction"}
    for name, asked in called_so.items():
        # The emulator has no such thing, and tries nothing again.
        assert asked["Condition"] == "IsAws"
        assert asked["DependsOn"] == f"{name}Aliaslive"
        assert asked["Properties"]["Qualifier"] == "live"
        assert asked["Properties"]["MaximumRetryAttempts"] == 0
        assert asked["Properties"]["MaximumEventAgeInSeconds"] == 60


def test_no_function_runs_longer_than_a_room_that_is_shut_waits() -> None:
    """What moves records while a table is exchanged would move those of another."""
    default = template()["Globals"]["Function"]["Timeout"]
    longest = max(one["Properties"].get("Timeout", default) for one in FUNCTIONS.values())
    assert longest * 1000 < ENDS_MS
    assert set(GATED) == set(FUNCTIONS)


def test_no_service_logs_what_passes_through_it() -> None:
    """What functions write is looked through elsewhere; services log events and bodies where they
    are told to.
    """
    (machine,) = resources("AWS::Serverless::StateMachine").values()
    logging = machine["Properties"]["Logging"]
    assert (logging["Level"], logging["IncludeExecutionData"]) == ("ERROR", False)
    (api,) = resources("AWS::Serverless::WebSocketApi").values()
    assert "AccessLogSettings" not in api["Properties"]
    assert set(api["Properties"]["DefaultRouteSettings"]) == {
        "ThrottlingRateLimit",
        "ThrottlingBurstLimit",
    }
    told = [template()["Globals"]["Function"], *(one["Properties"] for one in FUNCTIONS.values())]
    names = {
        name: value
        for one in told
        for name, value in one.get("Environment", {}).get("Variables", {}).items()
        if name.startswith(("POWERTOOLS", "AWS_"))
    }
    # Powertools can log whole events, and botocore's bodies, by variables alone.
    assert names == {"POWERTOOLS_LOG_LEVEL": "INFO"}
    for one in told[1:]:
        assert set(one["LoggingConfig"]) == {"LogGroup"}
