"""What can go wrong, how often, and how often it did."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Final

RATES: Final[Mapping[str, float]] = {
    # DynamoDB, a call
    "throttled": 0.004,
    "timeout, not written": 0.002,
    "timeout, written": 0.003,
    "stale read": 0.1,
    "transaction conflict": 0.01,
    "transaction in progress": 0.02,
    # A function
    "killed before an effect": 0.0015,
    "killed after an effect": 0.0015,
    "slow call": 0.004,
    "skewed clock": 0.4,
    # Releases: a history, then each 15 s while two are out and hands run
    "release deployed": 0.3,
    "release rolled back": 0.1,
    # The table's stream, a batch
    "batch repeated": 0.06,
    "batch delayed by 30 s": 0.004,
    "batch reordered": 0.9,
    "batch half failed": 0.2,
    "poison record": 0.01,
    "poison record among nine tables": 0.9,
    "records given up": 0.003,
    # The turn clock, an execution or a wake-up
    "start failed": 0.04,
    "start timeout, not started": 0.02,
    "start timeout, started": 0.02,
    "execution started twice": 0.03,
    "execution never started": 0.025,
    "execution died": 0.015,
    "clock early": 0.05,
    "clock late": 0.03,
    "clock twice": 0.05,
    # Pushes, a post
    "post failed": 0.01,
    "post timeout, not sent": 0.002,
    "post timeout, sent": 0.002,
    "post doubled": 0.02,
    "post late": 0.04,
    "post dropped": 0.01,
    "post gone": 0.002,
    "post slow": 0.005,
    # Queues, a message
    "queue failed": 0.01,
    "queue timeout, not sent": 0.004,
    "queue timeout, sent": 0.004,
    "queue doubled": 0.03,
    "queue late": 0.02,
    # Messages of clients
    "message doubled": 0.03,
    "message delayed": 0.03,
    "message lost": 0.01,
    "message forged": 0.02,
    "message stale": 0.02,
    "reply lost": 0.02,
    # Clients, a chance to do it
    "client vanished": 0.03,
    "everybody vanished": 0.01,
    "client back on another socket": 0.05,
    "client on two devices": 0.04,
    "disconnect late": 0.3,
    "disconnect never": 0.1,
    # The operator, each 5 s, or where he does it
    "table frozen": 0.015,
    "table closed": 0.005,
    "hand voided": 0.006,
    "deck lost": 0.006,
    "player suspended": 0.015,
    "deposit doubled": 0.3,
}
"""By name: how likely at each occasion."""


class Faults:
    """Rolls the dice of one history. None happens once it is calm."""

    def __init__(self, seed: int, rates: Mapping[str, float] = RATES) -> None:
        self._dice = random.Random(f"faults/{seed}")
        self._rates = rates
        self.calm = False
        self.fired: Counter[str] = Counter()

    def strikes(self, name: str) -> bool:
        """Whether it happens now. The dice roll also where it is calm: a history stays the same."""
        rolled = self._dice.random() < self._rates[name]
        if rolled and not self.calm:
            self.fired[name] += 1
            return True
        return False

    def between(self, least: int, most: int) -> int:
        return self._dice.randint(least, most)
