"""`$connect`: remember the connection and echo the subprotocol, without which browsers refuse it.

Nothing is posted here: the connection exists only after the answer.
"""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.connections import connections
from cardroom.systemclock import SystemClock

ACCEPTED = {"statusCode": 200, "headers": {"Sec-WebSocket-Protocol": "cardroom.v1"}}

composed = at_cold_start(connections)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    views, signals = composed()
    context = event["requestContext"]
    views.connect(context["connectionId"], context["authorizer"]["player"], SystemClock().now())
    signals.note("connected", connection=context["connectionId"])
    return ACCEPTED
