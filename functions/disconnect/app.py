"""`$disconnect`: forget the connection. It may come late or never; nothing depends on it."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.connections import connections

composed = at_cold_start(connections)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    views, signals = composed()
    connection = event["requestContext"]["connectionId"]
    views.disconnect(connection)
    signals.note("disconnected", connection=connection)
    return {"statusCode": 200}
