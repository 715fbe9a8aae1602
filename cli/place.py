"""A room as its operator's commands reach it: a stack on AWS, or the room of this machine."""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardroom.store import DynamoTables
from cli.served import Failed
from cli.tables import outputs_of, store

ALIAS: Final = "live"
"""Of every function: whatever calls one calls this."""


@dataclass(frozen=True)
class Place:
    """`outputs` and `resources` (physical ids) are the stack's, by their logical names; `client`
    makes one of boto3's clients.
    """

    tables: DynamoTables
    outputs: Mapping[str, str]
    resources: Callable[[], Mapping[str, str]]
    client: Callable[[str], Any]
    client_at: Callable[[str, str], Any]
    """Likewise, of a service at an address of its own."""
    parameters: Callable[[], Mapping[str, str]]
    """Those that the stack was deployed with."""

    def output(self, name: str) -> str:
        """Raises Failed where the stack is of another version."""
        if name not in self.outputs:
            raise Failed(f"the stack has no output {name}: deploy this version first")
        return self.outputs[name]

    def invoke(self, function: str, event: Mapping[str, Any]) -> Any:
        """What the function returned. Raises Failed where it raised."""
        answer = self.client("lambda").invoke(
            FunctionName=self.resources()[function],
            Qualifier=ALIAS,
            Payload=json.dumps(event).encode(),
        )
        payload = json.loads(answer["Payload"].read() or b"null")
        if "FunctionError" in answer:
            raise Failed(f"{function} failed; its log says why")
        return payload


def place(args: argparse.Namespace) -> Place:
    """The one that was named, see `cli.tables.where`. Raises Failed or RoomError."""
    tables = store(args)
    if args.stack is None:
        from local.running import find
        from local.stack import client as local_client

        room = find(args.address)
        return Place(
            tables,
            room.outputs,
            lambda: room.resources,
            room.client,
            lambda service, url: local_client(url, service),
            lambda: _parameters(room.client("cloudformation"), room.stack_name),
        )
    import boto3

    def resources() -> Mapping[str, str]:
        pages = boto3.client("cloudformation").get_paginator("list_stack_resources")
        found: Iterable[Any] = pages.paginate(StackName=args.stack)
        return {
            one["LogicalResourceId"]: one.get("PhysicalResourceId", "")
            for page in found
            for one in page["StackResourceSummaries"]
        }

    def client(service: str) -> Any:
        return boto3.client(service)  # type: ignore[call-overload]  # any service, by its name

    def client_at(service: str, url: str) -> Any:
        return boto3.client(service, endpoint_url=url)  # type: ignore[call-overload]

    return Place(
        tables,
        outputs_of(args.stack),
        resources,
        client,
        client_at,
        lambda: _parameters(client("cloudformation"), args.stack),
    )


def _parameters(stacks: Any, name: str) -> Mapping[str, str]:
    (stack,) = stacks.describe_stacks(StackName=name)["Stacks"]
    return {one["ParameterKey"]: one["ParameterValue"] for one in stack.get("Parameters", [])}
