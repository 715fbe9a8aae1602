"""Each half hour: old records of hands go to the archive."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.archive import archivist
from cardroom.signals import invocation

composed = at_cold_start(archivist)


def handler(_: dict[str, Any], context: Any) -> dict[str, Any]:
    archivist, signals = composed()
    with invocation(signals, "archive"):
        return {"moved": archivist.run(context.get_remaining_time_in_millis)}
