"""A table as it lies in the store, and a change on its way there."""

from dataclasses import field

from cardroom.money import Books, Leaving
from cardroom.pace import Pace
from cardroom.results import Results
from poker_engine.chips import chips_on_table
from poker_engine.events import Event
from poker_engine.frozen import dataclass
from poker_engine.stakes import Settings
from poker_engine.state import Table


@dataclass(frozen=True, slots=True)
class Stored:
    """`log` and the outbox are the codec's texts: the log of the hand since its start."""

    table_id: str
    version: int
    table: Table
    log: str
    results: Results
    chips_in: int
    chips_out: int
    leaving: tuple[Leaving, ...] = ()
    """Of emptied seats, not paid yet."""
    pace: Pace = field(default_factory=Pace)
    seal: str = ""
    """Of the last recorded hand; empty where there is none, or an older release wrote since."""

    @property
    def chips(self) -> int:
        """All that is at the table: stacks, top-ups, pots, and what is leaving."""
        return chips_on_table(self.table) + sum(one.chips for one in self.leaving)

    @property
    def ended(self) -> int:
        """The number of the last hand that is over."""
        return self.table.hands - (self.table.running is not None)


@dataclass(frozen=True, slots=True)
class Meta:
    """How a table was opened."""

    table: str
    settings: Settings
    at: int
    base: str = ""
    """The table after which it opened by itself; empty where an operator opened it."""
    most: int = 1
    """Tables of its stake up to which more open by themselves."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A finished hand: replaying `events` on `opening` gives the table as its end left it.

    Both are the codec's texts; `rules` is the version by which it was played from its start on.
    """

    table_id: str
    number: int
    opening: str
    events: str
    deck: tuple[int, ...]
    started: int
    ended: int
    currency: str
    schedule: str
    rake: int
    pots: str
    """JSON list of [amount, rake, contenders, shares], the main pot first (RULES 6.3)."""
    rules: int
    voided: bool
    before: str = ""
    """The seal of the table's hand before this one."""
    seal: str = ""
    """What `cardroom.seals` comes to for all of this."""


@dataclass(frozen=True, slots=True)
class Change:
    """One write: the table after it, what happened, and what is recorded with it."""

    before: int
    """Version that it replaces."""
    after: Stored
    from_seq: int
    at: int
    events: tuple[Event, ...]
    record: HandRecord | None = None
    amends: int | None = None
    """Number of the hand, already recorded, to whose record this adds (a voluntary show)."""
    books: Books = field(default_factory=Books)
