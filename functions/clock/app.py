"""The turn clock wakes us: what is due now? Answers with the next moment, or that it is done."""

from typing import Any

from cardroom.clock import read_ring
from cardroom.compose import at_cold_start
from cardroom.compose.clock import turn_clock
from cardroom.damage import UNREADABLE
from cardroom.systemclock import timestamp

composed = at_cold_start(turn_clock)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    clock, signals = composed()
    try:
        ring = read_ring(event)
    except UNREADABLE as damaged:
        # It would be the same again.
        signals.count("RingDamaged")
        signals.fault("clock", damaged)
        signals.flush()
        return {"done": True}
    try:
        wait = clock.ring(ring)
    except Exception as fault:
        signals.count("ClockFailed")
        signals.fault("clock", fault, table=ring.table_id, hand=ring.hand)
        raise
    finally:
        signals.flush()
    answer = {"table": ring.table_id, "hand": ring.hand, "done": wait is None}
    return answer if wait is None else {**answer, "wait": timestamp(wait)}
