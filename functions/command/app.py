"""Every route: a message in, its reply out as the route's response."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.command import door
from cardroom.room import Caller
from cardroom.signals import invocation

composed = at_cold_start(door)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    door, signals = composed()
    context = event["requestContext"]
    with invocation(signals, "command", context.get("requestId")):
        # Who it is comes from the connection's own context, never from the message.
        caller = Caller(context["connectionId"], context["authorizer"]["player"] or None)
        reply = door.answer(event.get("body") or "", caller, context["identity"]["sourceIp"])
        return {"statusCode": 200, "body": reply.text()}
