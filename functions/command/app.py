"""Every route: a message in, its reply out as the route's response."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.command import room
from cardroom.room import Caller

composed = at_cold_start(room)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    room, signals = composed()
    context = event["requestContext"]
    # Who it is comes from the connection's own context, never from the message.
    caller = Caller(context["connectionId"], context["authorizer"]["player"] or None)
    reply = room.answer(event.get("body") or "", caller).text()
    signals.flush()
    return {"statusCode": 200, "body": reply}
