"""Two commands on one version, on the emulator: exactly one write wins, the other is decided
anew.
"""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardroom.dealer import Applied, Dealer, Wish
from cardroom.ports import Field
from cardroom.shuffle import SystemRandomness
from cardroom.stored import Change, Stored
from cardroom.systemclock import SystemClock
from local.stack import Deployed
from local.tables import LocalTables, chips_missing, open_tables
from local.welcome import welcome
from poker_engine.commands import Leave, Sit
from poker_engine.errors import Code
from poker_engine.stakes import PHP_STAKES, table_settings

pytestmark = pytest.mark.e2e

ROUNDS = 200


class Counted:
    """Signals that are only counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def note(self, what: str, **fields: Field) -> None:
        self.counts[what] += 1

    def context(self, **fields: Field) -> None: ...

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        self.counts[metric] += 1

    def milliseconds(self, metric: str, value: float) -> None:
        self.counts[metric] += 1

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        raise error


class AtTheSameTime(LocalTables):
    """The first read of each round waits at a barrier: both have the same version then."""

    def __init__(self, room: Deployed, barrier: threading.Barrier) -> None:
        super().__init__(room)
        self._barrier = barrier
        self.wait = False
        self.won_at_once = 0

    def load(self, table_id: str) -> Stored | None:
        stored = super().load(table_id)
        if self.wait:
            self.wait = False
            self._barrier.wait(30)
        return stored

    def write(self, change: Change) -> None:
        super().write(change)
        self.won_at_once += 1


def test_of_two_commands_on_one_version_exactly_one_wins(apart: Deployed) -> None:
    """200 times: both want the same seat. One gets it; the other is told that it is taken."""
    barrier = threading.Barrier(2)
    settings = table_settings(PHP_STAKES[0], 2)
    open_tables(LocalTables(apart), [("race", settings)])
    for name in ("ava", "ben"):
        welcome(apart, name)
    # Who comes back brings the maximum (RULES 1.4).
    chips = settings.maximum
    assert chips is not None
    stores = [AtTheSameTime(apart, barrier) for _ in range(2)]
    signals = [Counted(), Counted()]
    dealers = [
        Dealer(store, SystemClock(), SystemRandomness(), counted)
        for store, counted in zip(stores, signals, strict=True)
    ]
    wins: Counter[str] = Counter()

    def sit(number: int, name: str, turn: int) -> Applied:
        stores[number].wait = True
        wish = Wish(Sit(name, 0, chips), name, f"sit-{turn}")
        applied = dealers[number].apply("race", wish)
        assert isinstance(applied, Applied)
        return applied

    with ThreadPoolExecutor(2) as threads:
        for turn in range(ROUNDS):
            asked = [threads.submit(sit, n, name, turn) for n, name in enumerate(("ava", "ben"))]
            answers = [one.result(60) for one in asked]
            refusals = [one.refusal for one in answers]
            winner = refusals.index(None)
            loser = refusals[1 - winner]
            assert loser is not None
            assert loser.code is Code.SEAT_TAKEN
            name = ("ava", "ben")[winner]
            wins[name] += 1
            left = dealers[winner].apply("race", Wish(Leave(name), name, f"leave-{turn}"))
            assert isinstance(left, Applied)
            assert left.refusal is None
            # One write for the seat, one for leaving it: nothing else got through.
            assert left.stored.version == 1 + 2 * (turn + 1)
    stored = LocalTables(apart).load("race")
    assert stored is not None
    assert chips_missing(stored) == 0
    assert stored.chips_in == stored.chips_out == ROUNDS * chips
    assert sum(wins.values()) == ROUNDS
    assert sum(counted.counts["Conflict"] for counted in signals) == ROUNDS
