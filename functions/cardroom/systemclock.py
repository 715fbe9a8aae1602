"""The port `Clock` on the machine's clock, and moments as other services write them."""

import time
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def pause(self, ms: int) -> None:
        time.sleep(ms / 1000)


def timestamp(at: int) -> str:
    """A whole second (ms) as a state machine reads it."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> int:
    """Milliseconds since 1970 of an ISO timestamp. Raises ValueError if it is none."""
    return int(datetime.fromisoformat(text).timestamp() * 1000)
