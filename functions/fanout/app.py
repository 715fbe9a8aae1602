"""The spectators' queue: each snapshot to its shard."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.fanout import fanout
from cardroom.signals import invocation

composed = at_cold_start(fanout)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    fanout, signals = composed()
    with invocation(signals, "fanout"):
        parcels = [(record["messageId"], record["body"]) for record in event["Records"]]
        again = fanout.deliver(parcels)
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in again]}
