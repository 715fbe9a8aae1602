"""AWS's own metrics that this project looks at, with the dimensions under which AWS keeps each, as
its services' own pages list them.
"""

from collections.abc import Mapping
from typing import Final

FUNCTION: Final = frozenset({"FunctionName"})
STAGE: Final = frozenset({"ApiId", "Stage"})
QUEUE: Final = frozenset({"QueueName"})
TABLE: Final = frozenset({"TableName"})
INDEX: Final = frozenset({"TableName", "GlobalSecondaryIndexName"})
MACHINE: Final = frozenset({"StateMachineArn"})
GROUP: Final = frozenset({"LogGroupName"})

AWS_METRICS: Final[Mapping[tuple[str, str], frozenset[frozenset[str]]]] = {
    **{
        ("AWS/Lambda", name): frozenset({FUNCTION})
        for name in (
            "ConcurrentExecutions",
            "Duration",
            "Errors",
            "Invocations",
            "IteratorAge",
            "Throttles",
        )
    },
    **{
        # Of a WebSocket API; those of REST APIs have other names.
        ("AWS/ApiGateway", name): frozenset({STAGE})
        for name in (
            "ClientError",
            "ConnectCount",
            "ExecutionError",
            "IntegrationError",
            "IntegrationLatency",
            "MessageCount",
        )
    },
    **{
        ("AWS/SQS", name): frozenset({QUEUE})
        for name in ("ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible")
    },
    **{
        ("AWS/DynamoDB", name): frozenset({TABLE, INDEX})
        for name in (
            "ConsumedReadCapacityUnits",
            "ConsumedWriteCapacityUnits",
            "ReadThrottleEvents",
            "WriteThrottleEvents",
        )
    },
    **{
        ("AWS/States", name): frozenset({MACHINE})
        for name in (
            "ExecutionThrottled",
            "ExecutionsFailed",
            "ExecutionsStarted",
            "ExecutionsTimedOut",
            "ExpressExecutionBilledDuration",
        )
    },
    ("AWS/Logs", "IncomingBytes"): frozenset({GROUP}),
}
"""By namespace and name: the sets of dimensions."""

REFERS: Final[Mapping[str, frozenset[str]]] = {
    "FunctionName": frozenset({"AWS::Serverless::Function"}),
    "ApiId": frozenset({"AWS::Serverless::WebSocketApi"}),
    "QueueName": frozenset({"AWS::SQS::Queue"}),
    "TableName": frozenset({"AWS::DynamoDB::Table"}),
    "StateMachineArn": frozenset({"AWS::Serverless::StateMachine"}),
    "LogGroupName": frozenset({"AWS::Logs::LogGroup"}),
}
"""By dimension: the kind of resource whose name it bears. A `Ref` gives the name of all but a
queue, which it gives the address of: its name is its attribute `QueueName`.
"""
