"""Every minute: what no clock has looked after."""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.sweep import sweep

composed = at_cold_start(sweep)


def handler(_: dict[str, Any], __: object) -> dict[str, Any]:
    sweep, signals = composed()
    overdue = sweep.run()
    signals.flush()
    return {"overdue": overdue}
