"""`$disconnect`: forget the connection. It may come late or never; nothing depends on it."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.connections import connections
from cardroom.signals import invocation

composed = at_cold_start(connections)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    views, signals = composed()
    context = event["requestContext"]
    with invocation(signals, "disconnect", context.get("requestId")):
        views.disconnect(context["connectionId"])
        signals.note("disconnected", connection=context["connectionId"])
        return {"statusCode": 200}
