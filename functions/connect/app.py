"""`$connect`: remember the connection and echo the subprotocol, without which browsers refuse it.

Nothing is posted here: the connection exists only after the answer. Who is kept out for a while is
told so by the status.
"""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.connections import entrance

ACCEPTED = {"statusCode": 200, "headers": {"Sec-WebSocket-Protocol": "cardroom.v1"}}
BANNED = {"statusCode": 429}

composed = at_cold_start(entrance)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    entrance, signals = composed()
    context = event["requestContext"]
    player, address = context["authorizer"]["player"], context["identity"]["sourceIp"]
    admitted = entrance.admit(context["connectionId"], player, address)
    signals.flush()
    return ACCEPTED if admitted else BANNED
