"""How much a client may say before it is told to slow down: token buckets in the function's memory.

Nothing is read or written for it. Each instance of the function has buckets of its own: they bound
what a client can cost the room, and are no exact quota.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rate:
    """So many messages a second for ever, and `burst` at once after a rest."""

    per_second: int = 10
    burst: int = 30


GUESTS: Final = Rate(per_second=50, burst=150)
"""Of all guests of one address: a household, or a school."""
FLOOD: Final = 100
"""Messages refused within FLOOD_MS: who sends so many does not read the answers."""
FLOOD_MS: Final = 10_000
KEPT: Final = 4096
"""Buckets in memory. One that nobody has used for some seconds is full, and so as good as new."""
MESSAGE: Final = 1000
"""Levels are in thousandths of a message: a millisecond adds `per_second` of them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`wait` is 0 for a message that may come in, else the milliseconds until one may; `flood`,
    that it is time to put the client out.
    """

    wait: int = 0
    flood: bool = False


@dataclass(slots=True)
class _Bucket:
    rate: Rate
    level: int
    at: int
    refused: int = 0
    since: int = 0

    def fill(self, now: int) -> None:
        # A clock that was set back adds nothing.
        added = max(0, now - self.at) * self.rate.per_second
        self.level, self.at = min(self.rate.burst * MESSAGE, self.level + added), now

    def wait(self) -> int:
        return -(-max(0, MESSAGE - self.level) // self.rate.per_second)

    def refuse(self, now: int) -> bool:
        """Whether that makes a flood; counted anew then, and from the first after FLOOD_MS."""
        if not 0 <= now - self.since < FLOOD_MS:
            self.refused, self.since = 0, now
        self.refused = (self.refused + 1) % FLOOD
        return not self.refused


class Budgets:
    """One for each connection, and one for each player over all of his; for all guests of an
    address together a wider one.
    """

    def __init__(
        self,
        connection: Rate = Rate(),
        player: Rate = Rate(),
        address: Rate = GUESTS,
        kept: int = KEPT,
    ) -> None:
        self._connection = connection
        self._player = player
        self._address = address
        self._kept = kept
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def __len__(self) -> int:
        """Buckets in memory."""
        return len(self._buckets)

    def spend(self, connection: str, player: str | None, address: str, now: int) -> Verdict:
        """For one message, at `now` in milliseconds. The address counts for guests alone, who are
        known by nothing else.
        """
        alone = self._bucket(("connection", connection), self._connection, now)
        if player is None:
            shared = self._bucket(("address", address), self._address, now)
        else:
            shared = self._bucket(("player", player), self._player, now)
        charged = (alone, shared)
        wait = max(bucket.wait() for bucket in charged)
        if wait:
            # A guest floods by himself: others of his address are not put out for it.
            flooder = alone if player is None else shared
            return Verdict(wait, flooder.refuse(now))
        for bucket in charged:
            bucket.level -= MESSAGE
        return Verdict()

    def _bucket(self, name: tuple[str, str], rate: Rate, now: int) -> _Bucket:
        bucket = self._buckets.pop(name, None) or _Bucket(rate, rate.burst * MESSAGE, now)
        bucket.fill(now)
        # In the order of their last use.
        self._buckets[name] = bucket
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return bucket
