"""The turn clock wakes us: what is due now? Answers with the next moment, or that it is done."""

from typing import Any

from cardroom.clock import read_ring
from cardroom.compose import at_cold_start
from cardroom.compose.clock import turn_clock
from cardroom.damage import UNREADABLE
from cardroom.signals import invocation
from cardroom.systemclock import timestamp

composed = at_cold_start(turn_clock)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    clock, signals = composed()
    with invocation(signals, "clock", failed="ClockFailed"):
        try:
            ring = read_ring(event)
        except UNREADABLE as damaged:
            # It would be the same again.
            signals.count("RingDamaged")
            signals.fault("clock", damaged)
            return {"done": True}
        wait = clock.ring(ring)
    answer = {"table": ring.table_id, "hand": ring.hand, "done": wait is None}
    return answer if wait is None else {**answer, "wait": timestamp(wait)}
