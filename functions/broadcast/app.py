"""The table's stream: what was written is pushed. What cannot be read is passed over."""

from typing import Any

from cardroom.broadcast import Update
from cardroom.compose import at_cold_start
from cardroom.compose.broadcast import broadcast
from cardroom.streamed import read_update

composed = at_cold_start(broadcast)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    broadcast, signals = composed()
    updates: list[Update] = []
    for record in event["Records"]:
        try:
            updates.append(read_update(record["dynamodb"]))
        except Exception as damaged:  # Whatever is wrong with it, the others go on.
            signals.count("RecordDamaged")
            signals.fault("broadcast", damaged)
    again = broadcast.deliver(updates)
    signals.flush()
    return {"batchItemFailures": [] if again is None else [{"itemIdentifier": again}]}
