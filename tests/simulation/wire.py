"""Where botocore's requests end: below its parsers, retries and signatures, all of which are real.

While no simulation runs, requests go where they always go.
"""

import io
import json
from collections.abc import Iterator
from typing import Any, Protocol

from botocore import handlers
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

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
        headers = HTTPHeaders()
        headers["Content-Type"] = "application/x-amz-json-1.0"
        headers["x-amzn-RequestId"] = "simulated"
        if status != 200 and service == "apigatewaymanagementapi":
            headers["x-amzn-ErrorType"] = kind
        data = json.dumps(answer, separators=(",", ":")).encode()
        return AWSResponse(request.url, status, headers, _Body(data))


WIRE = Wire()
# Before the first session is made: each takes the handlers that there are.
handlers.BUILTIN_HANDLERS.append(("before-send", WIRE))
