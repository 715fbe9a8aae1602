"""The floor's queue: the lobby's ticks, and stakes to look after."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.floor import floor
from cardroom.signals import invocation

composed = at_cold_start(floor)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    floor, signals = composed()
    with invocation(signals, "floor"):
        errands = [(record["messageId"], record["body"]) for record in event["Records"]]
        again = floor.deliver(errands)
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in again]}
