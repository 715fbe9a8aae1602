"""Where botocore's requests end: below its serializers, parsers and retries, all of which are real.

Only headers, signatures and the search for an endpoint are left out: they decide nothing here, and
take more time than all else. While no simulation runs, requests go where they always go.
"""

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol
from unittest import mock

from botocore import handlers
from botocore.awsrequest import AWSResponse, HeadersDict
from botocore.client import BaseClient
from botocore.endpoint import Endpoint

from tests.simulation.dynamo import Refused

TARGETS = {
    "dynamodb": "com.amazonaws.dynamodb.v20120810#",
    "sqs": "com.amazonaws.sqs#",
    "stepfunctions": "",
    "sfn": "",
    "apigatewaymanagementapi": "",
}


class World(Protocol):
    def called(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        """Raises Refused, or what the network raises."""
        ...


class _Body(io.BytesIO):
    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


class _Bare:
    """A request that is not signed and has no headers of its own."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.url, self.method = asked["url"], asked["method"]
        self.headers, self.body = asked["headers"], asked["body"]

    def reset_stream(self) -> None: ...


def _bare(endpoint: Any, asked: dict[str, Any], operation: Any = None) -> _Bare:
    return _Bare(asked)


def _endpoint(client: Any, *_: Any, **__: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
    return client.meta.endpoint_url, {}, {}


class Wire:
    world: World | None = None

    def __call__(self, event_name: str, request: Any, **_: Any) -> AWSResponse | None:
        if self.world is None:
            return None
        service, operation = event_name.split(".")[1:]
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode()
        asked: Any
        if service == "apigatewaymanagementapi":
            asked = {"ConnectionId": request.url.rsplit("/", 1)[1], "Data": body}
        else:
            asked = json.loads(body)
        status, kind = 200, ""
        answer: dict[str, Any]
        try:
            answer = self.world.called(service, operation, asked)
        except Refused as refused:
            status = refused.more.pop("status", 400)
            kind = f"{TARGETS[service]}{refused.code}"
            answer = {"__type": kind, "message": refused.code, **refused.more}
        headers: Any = HeadersDict({"x-amzn-RequestId": "simulated"})
        if status != 200 and service == "apigatewaymanagementapi":
            headers["x-amzn-ErrorType"] = kind
        data = json.dumps(answer, separators=(",", ":")).encode()
        return AWSResponse(request.url, status, headers, _Body(data))


WIRE = Wire()


@contextmanager
def wired(world: World) -> Iterator[None]:
    """While it lasts, all that botocore is asked for ends in this world."""
    with ExitStack() as changed:
        changed.enter_context(mock.patch.object(WIRE, "world", world))
        changed.enter_context(mock.patch.object(Endpoint, "create_request", _bare))
        resolve = "_resolve_endpoint_ruleset"
        changed.enter_context(mock.patch.object(BaseClient, resolve, _endpoint))
        yield


# Before the first session is made: each takes the handlers that there are.
handlers.BUILTIN_HANDLERS.append(("before-send", WIRE))
