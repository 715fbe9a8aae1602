"""`$connect`: remember the connection and echo the subprotocol, without which browsers refuse it.

Nothing is posted here: the connection exists only after the answer. Who is kept out for a while is
told so by the status.
"""

from typing import Any

from cardroom.arrivals import device_of
from cardroom.compose import at_cold_start
from cardroom.compose.entering import entrance
from cardroom.signals import invocation

ACCEPTED = {"statusCode": 200, "headers": {"Sec-WebSocket-Protocol": "cardroom.v1"}}
BANNED = {"statusCode": 429}
UNKNOWN = {"statusCode": 403}
LONGEST = 64
"""Name that anybody could have."""

composed = at_cold_start(entrance)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    entrance, signals = composed()
    context = event["requestContext"]
    with invocation(signals, "connect", context.get("requestId")):
        try:
            player, address = context["authorizer"]["player"], context["identity"]["sourceIp"]
            known = all(isinstance(one, str) and one.isascii() for one in (player, address))
            known = known and address != ""
        except (LookupError, TypeError):
            known = False
        if not known or len(player) > LONGEST:
            # Not of our authorizer: nobody is let in by it.
            signals.count("CallerUnknown")
            return UNKNOWN
        device = device_of(event.get("headers"))
        admitted = entrance.admit(context["connectionId"], player, address, device)
        return ACCEPTED if admitted else BANNED
