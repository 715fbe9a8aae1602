"""The spectators' queue: each snapshot to its shard."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.fanout import fanout

composed = at_cold_start(fanout)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    fanout, signals = composed()
    parcels = [(record["messageId"], record["body"]) for record in event["Records"]]
    again = fanout.deliver(parcels)
    signals.flush()
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in again]}
