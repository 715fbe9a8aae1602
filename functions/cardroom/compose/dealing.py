"""What command, clock and sweep share: a dealer on the system's clock and randomness."""

from cardroom.dealer import Dealer
from cardroom.ports import Signals
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock


def dealer(table_name: str, signals: Signals) -> Dealer:
    return Dealer(DynamoTables(table_name, signals), SystemClock(), SystemRandomness(), signals)
