"""A small stack of its own for tests of the emulator: one function behind everything.

The function does what its event asks for: print, raise, wait for company.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import yaml

from local.artifacts import Artifacts

HANDLER = '''
import json
import os
import pathlib
import sys
import time

MEETING = pathlib.Path(os.environ["MEETING"])


class Overdrawn(Exception):
    pass


def company(wanted, seconds):
    """How many invocations were seen side by side, until as many as wanted are there."""
    mine = MEETING / f"{os.getpid()}-{time.monotonic_ns()}"
    mine.touch()
    most, end = 0, time.monotonic() + seconds
    while most < wanted and time.monotonic() < end:
        most = max(most, len(list(MEETING.iterdir())))
        time.sleep(0.005)
    # The others have to see this one before it goes.
    time.sleep(0.05)
    mine.unlink()
    return most


def work(order):
    for line in order.get("print", []):
        print(line)
    sys.stdout.write(order.get("write", ""))
    time.sleep(order.get("sleep", 0))
    if "raise" in order:
        raise {"Overdrawn": Overdrawn, "KeyError": KeyError}[order["raise"]](order["text"])
    if "ask" in order:
        import boto3

        service, operation = order["ask"]
        return sorted(getattr(boto3.client(service), operation)())
    if "meet" in order:
        return company(order["meet"], order["seconds"])
    return "done"


def handler(event, context):
    if "triggerSource" in event:
        print(event["triggerSource"], event["userName"], sorted(event["request"]["userAttributes"]))
        if event["userName"].startswith("overdrawn"):
            raise Overdrawn("by 5")
        return event
    request = event.get("requestContext", {})
    if request.get("eventType") == "CONNECT":
        status = int((event.get("queryStringParameters") or {}).get("status", 200))
        return {"statusCode": status, "headers": {"Sec-WebSocket-Protocol": "cardroom.v1"}}
    if request.get("eventType") == "MESSAGE":
        return {"statusCode": 200, "body": json.dumps({"got": work(json.loads(event["body"]))})}
    if request.get("eventType") == "DISCONNECT":
        return {"statusCode": 200}
    return {"got": work(event)}
'''

DEFINITION = """
StartAt: Work
States:
  Work:
    Type: Task
    Resource: arn:aws:states:::lambda:invoke
    Parameters:
      FunctionName: ${FunctionArn}
      Payload.$: $
    Catch:
      - ErrorEquals: [Overdrawn]
        Next: Caught
    End: true
  Caught:
    Type: Pass
    Result: caught by its class
    End: true
"""


def template(meeting: Path) -> dict[str, Any]:
    """The stack; `meeting` is an empty folder in which invocations see each other."""
    arn = {"Fn::GetAtt": ["WorkFunction", "Arn"]}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Transform": "AWS::Serverless-2016-10-31",
        "Resources": {
            "WorkFunction": {
                "Type": "AWS::Serverless::Function",
                "Properties": {
                    "Runtime": "python3.13",
                    "Handler": "work.handler",
                    "CodeUri": "WorkFunction.zip",
                    "Timeout": 10,
                    "Policies": [
                        {
                            "Statement": [
                                {"Effect": "Allow", "Action": "sqs:ListQueues", "Resource": "*"}
                            ]
                        }
                    ],
                    "Environment": {"Variables": {"MEETING": str(meeting)}},
                },
            },
            "Api": {
                "Type": "AWS::Serverless::WebSocketApi",
                "Properties": {
                    "RouteSelectionExpression": "$request.body.route",
                    "StageName": "test",
                    "Routes": {
                        "$connect": {"FunctionArn": arn},
                        "$disconnect": {"FunctionArn": arn},
                        "$default": {"FunctionArn": arn},
                    },
                },
            },
            "Machine": {
                "Type": "AWS::Serverless::StateMachine",
                "Properties": {
                    "Type": "EXPRESS",
                    "DefinitionUri": "Machine.asl.yaml",
                    "DefinitionSubstitutions": {"FunctionArn": arn},
                    "Policies": [{"LambdaInvokePolicy": {"FunctionName": {"Ref": "WorkFunction"}}}],
                },
            },
        },
        "Outputs": {"ApiId": {"Value": {"Ref": "Api"}}, "StageName": {"Value": "test"}},
    }


def artifacts(folder: Path) -> Artifacts:
    """The stack, packed into the folder as a build would."""
    meeting = folder / "meeting"
    packed = folder / "packed"
    meeting.mkdir(parents=True)
    packed.mkdir()
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("work.py", HANDLER)
    (packed / "WorkFunction.zip").write_bytes(code.getvalue())
    (packed / "Machine.asl.yaml").write_text(DEFINITION)
    (packed / "template.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(template(meeting)))))
    return Artifacts(packed)
