"""A release's own dealer at a table, on a DynamoDB that outlives it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cardroom import keys
from tests.releases.__main__ import Memory
from tests.room.world import START, TABLE, FakeClock, ListSignals, SeededRandomness
from tests.simulation.release import RECORDED, Release
from tests.simulation.wire import wired

type Item = dict[str, Any]

FOLDERS: Final = sorted(path.parent for path in RECORDED.glob("*/release.json"))
STAGES: Final = [
    (folder.name, stage)
    for folder in FOLDERS
    for stage in json.loads((folder / "items.json").read_text())
]


def recorded(version: str, stage: str) -> list[Item]:
    found: list[Item] = json.loads((RECORDED / version / "items.json").read_text())[stage]
    return found


def numbers(folder: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((folder / "release.json").read_text())
    return found


@contextmanager
def stored(items: list[Item]) -> Iterator[Memory]:
    """A DynamoDB that holds them."""
    memory = Memory()
    for item in items:
        memory.dynamo.put((item["pk"]["S"], item["sk"]["S"]), item)
    with wired(memory):
        yield memory


class Crew:
    """Of one release, at the table `t`."""

    def __init__(self, release: Release, clock: FakeClock | None = None, decks: int = 100) -> None:
        self.release = release
        self.clock = clock or FakeClock(START)
        store = release.module("cardroom.store")
        self.store = store
        self.tables = store.DynamoTables(TABLE)
        randomness = SeededRandomness(decks)
        # Of a name that no deck of what is stored has.
        randomness._tokens = decks
        dealer = release.module("cardroom.dealer")
        self.dealer = dealer.Dealer(self.tables, self.clock, randomness, ListSignals())
        self._wish = dealer.Wish

    @property
    def table(self) -> Any:
        return self.tables.load("t").table

    def deal(self) -> None:
        """The next hand begins."""
        self.clock.go_to(max(self.table.next_hand_at, self.clock.now()))
        self.dealer.apply("t")
        assert self.table.running is not None

    def act(self) -> None:
        """Whose turn it is calls, or checks."""
        module = self.release.module
        may = module("poker_engine.legal").options(self.table)
        hand, seat = self.table.hand, self.table.seats[may.seat]
        do = module("poker_engine.state").Do
        self.clock.go_to(max(self.clock.now(), hand.turn.deadline - 10_000))
        act = module("poker_engine.commands").Act(
            seat.player, hand.number, hand.turn.number, do.CHECK if may.check else do.CALL, 0
        )
        applied = self.dealer.apply(
            "t", self._wish(act, seat.player, f"c{hand.number}-{hand.turns}")
        )
        assert applied.refusal is None

    def play_out(self) -> None:
        while self.table.running is not None:
            self.act()

    def play_on(self) -> None:
        """The hand to its end; first somebody's time expires."""
        at = self.release.module("poker_engine.clock").wake_at(self.table)
        if self.table.running is not None:
            self.clock.go_to(max(self.clock.now(), at))
            self.dealer.apply("t")
        self.play_out()

    def records(self) -> list[Any]:
        return list(self.store.hands("t"))

    def replays(self, record: Any) -> bool:
        """Whether the record, read by this release, leads to a hand that is over."""
        codec = self.release.module("poker_engine.codec")
        events = codec.load_events(record.events)
        table = self.release.module("poker_engine.replay").replay(
            events, codec.load_table(record.opening)
        )
        return bool(table.hand.over and table.hand.number == record.number)

    def balanced(self) -> bool:
        """The audit, by this release."""
        module = self.release.module
        inventory = module("cardroom.inventory").DynamoInventory.beside(self.tables)
        return bool(module("cardroom.audit").audit(inventory, self.clock).balanced)


def state_of(items: list[Item]) -> Item:
    (found,) = (item for item in items if item["sk"]["S"] == keys.STATE)
    return found
