"""Every minute: what no clock has looked after."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.sweep import sweep
from cardroom.signals import invocation

composed = at_cold_start(sweep)


def handler(_: dict[str, Any], __: object) -> dict[str, Any]:
    sweep, signals = composed()
    with invocation(signals, "sweep"):
        return {"overdue": sweep.run()}
