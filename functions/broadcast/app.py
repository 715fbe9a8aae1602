"""The table's stream: what was written is pushed, and who comes or goes. What cannot be read is
passed over. An operator may ask for tables to be told anew.
"""

from typing import Any

from cardroom.attendance import Change
from cardroom.broadcast import Update
from cardroom.compose import at_cold_start
from cardroom.compose.broadcast import broadcast, redrive
from cardroom.signals import invocation
from cardroom.streamed import read_record

composed = at_cold_start(broadcast)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    broadcast, attendance, signals = composed()
    if "redrive" in event:
        with invocation(signals, "redrive"):
            return dict(redrive().run(event["redrive"]))
    updates: list[Update] = []
    changes: list[Change] = []
    with invocation(signals, "broadcast"):
        for record in event["Records"]:
            try:
                read = read_record(record["dynamodb"])
            except Exception as damaged:  # Whatever is wrong with it, the others go on.
                signals.count("RecordDamaged")
                signals.fault("broadcast", damaged)
            else:
                updates.append(read) if isinstance(read, Update) else changes.append(read)
        again = (broadcast.deliver(updates), attendance.tell(changes))
    # Of several, Lambda takes the first: from there on all come again.
    return {"batchItemFailures": [{"itemIdentifier": one} for one in again if one is not None]}
