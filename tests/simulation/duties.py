"""Laws: what a function has done when it ends, whatever else goes on. What it could not do because
a call of it failed is left to who comes later, and judged there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom import alarm, keys
from cardroom.damage import UNREADABLE
from cardroom.listing import row_of
from cardroom.pace import Pace
from cardroom.shape import whole
from poker_engine.clock import wake_at
from poker_engine.events import Event, HandScheduled
from poker_engine.state import Table
from tests.simulation.cloud import Execution, Invocation
from tests.simulation.dynamo import Written
from tests.simulation.expressions import Item
from tests.simulation.record import Record
from tests.simulation.subscriptions import Subscriptions, differing

TELLS: Final = frozenset({"broadcast", "fanout"})
"""Functions that forget who is gone."""


@dataclass(frozen=True, slots=True)
class News:
    """Of a write of a table: what the stream's consumer does about it."""

    seq: int
    hand: int | None
    """That is planned by it."""
    listed: bool
    """The lobby may show something else after it."""
    at: int


@dataclass
class Duties:
    record: Record
    subscriptions: Subscriptions
    sweep_died: int = -1
    """When the last sweep began that did not end (ms)."""
    _news: dict[tuple[str, str], News] = field(default_factory=dict)
    """By table and version."""
    _paces: dict[str, dict[int, Pace]] = field(default_factory=dict)
    """By table and seq."""
    _swept: dict[Invocation, list[tuple[str, int]]] = field(default_factory=dict)
    """Tables on which something was due, and the hand for which a clock should run now."""
    _hands: dict[str, tuple[int | None, int]] = field(default_factory=dict)
    """By table: for which hand a clock should run, and since when (ms)."""

    def __post_init__(self) -> None:
        self.record.cloud.ended.append(self._ended)
        self.record.cloud.rested.append(self._rested)

    # What they write

    def written(
        self,
        name: str,
        version: int,
        table: Table,
        pace: Pace,
        events: Iterable[Event],
        *,
        listed: bool,
    ) -> None:
        """A table, by these events."""
        events, now, cloud = tuple(events), self.record.now, self.record.cloud
        self._paces.setdefault(name, {})[table.seq] = pace
        planned = any(isinstance(event, HandScheduled) for event in events)
        hand = table.hands + 1 if planned and table.next_hand_at is not None else None
        if hand is not None or listed:
            self._news[name, str(version)] = News(table.seq, hand, listed, now)
        current = alarm.current_hand(table)
        if hand is not None or self._hands.get(name, (None, 0))[0] != current:
            self._hands[name] = (current, now)
        author = cloud.author
        if author is not None and author.function == "sweep" and events and current is not None:
            self._swept.setdefault(author, []).append((name, current))

    def parted(self, written: Written) -> None:
        """The item of a connection."""
        author = self.record.cloud.author
        if written.new is None and author is not None:
            author.forgets.append(keys.connection_id(written.key[0]))

    def listed(self, written: Written) -> None:
        """A row of the lobby: the table as it was at that seq, and never an older one."""
        item, name = written.new, written.key[1]
        seq = None if item is None else _seq(item)
        if item is None or seq is None:
            return
        shown = item["row"]["S"]
        pace = self._paces.get(name, {}).get(seq, Pace())
        self.record.counts["rows compared"] += 1
        found = [
            differing(shown, row_of(name, table, pace))
            for table in self.record.pasts[name].tables.get(seq, ())
        ]
        if all(found):
            self.record.fail(f"{name} at {seq} is listed otherwise: {found}")

    # What they have done

    def _ended(self, invocation: Invocation, event: Any, outcome: Any) -> None:
        swept = self._swept.pop(invocation, [])
        if isinstance(outcome, BaseException):
            if invocation.function == "sweep":
                self.sweep_died = invocation.began
            return
        match invocation.function:
            case "broadcast":
                self._told(event["Records"], outcome["batchItemFailures"])
            case "sweep" if not invocation.struck:
                self._looked_after(invocation, swept)
            case "disconnect" if not invocation.struck:
                self._is_forgotten(event["requestContext"]["connectionId"])
        if not invocation.struck:
            for connection in invocation.forgets:
                # Whoever takes its item takes all that is noted there.
                self.subscriptions.forgotten(connection, None, invocation.began)
            for connection, name in invocation.gone if invocation.function in TELLS else ():
                self._is_forgotten(connection)
                self.subscriptions.forgotten(connection, name, invocation.began)

    def _is_forgotten(self, connection: str) -> None:
        if self.record.cloud.dynamo.item(keys.connection(connection), keys.CONNECTION) is not None:
            self.record.fail(f"{connection} is gone, and still known")

    def _told(self, records: list[Any], failures: list[Any]) -> None:
        """Of each record that does not come again."""
        failed = {one["itemIdentifier"] for one in failures}
        for one in records:
            told = one["dynamodb"]
            if told["SequenceNumber"] in failed:
                return
            pk, sk = told["Keys"]["pk"]["S"], told["Keys"]["sk"]["S"]
            name = keys.table_id(pk)
            if sk != keys.STATE or name not in self.record.tables or "NewImage" not in told:
                continue
            # An operator's hand, or a bug, may have damaged it.
            version = told["NewImage"].get("version")
            number = version.get("N") if isinstance(version, dict) else None
            news = self._news.get((name, str(number)))
            if news is not None:
                self._known(name, news)

    def _known(self, name: str, news: News) -> None:
        record = self.record
        if news.hand is not None:
            record.counts["clocks that were due"] += 1
            if record.cloud.clocks_asked.get((name, news.hand), -1) < news.at:
                record.fail(f"{name}: no clock was started for hand {news.hand}")
        if news.listed and not record.tables[name].table.closed:
            item = record.cloud.dynamo.item(keys.LISTED, name)
            if item is not None and "seq" in item and _seq(item) is None:
                return  # Nothing is written over it, until somebody has looked at it.
            if item is None or (_seq(item) or 0) < news.seq:
                record.fail(f"{name}: what happened at {news.seq} is not listed")

    def _looked_after(self, invocation: Invocation, swept: list[tuple[str, int]]) -> None:
        """The sweep has found something due: whatever should have seen to it is dead."""
        for name, hand in swept:
            self.record.counts["clocks that were due"] += 1
            self.record.counts["tables swept"] += 1
            if self.record.cloud.clocks_asked.get((name, hand), -1) < invocation.began:
                self.record.fail(f"{name}: the sweep starts no clock for hand {hand}")

    def _rested(self, execution: Execution, looked: int) -> None:
        """A clock ends when it looks, where others serve the table, or nobody has to."""
        cloud, (name, hand) = self.record.cloud, execution.hand_of_table
        stored = self.record.tables.get(name)
        current, since = self._hands.get(name, (None, 0))
        if stored is None or current != hand or since >= looked or wake_at(stored.table) is None:
            return
        runs = cloud.running_clocks[name, hand] > 0
        # Or one that takes its place is on its way.
        asked = cloud.clocks_asked.get((name, hand), -1) >= looked
        struck = cloud.struck_clocks.get((name, hand), 0) > self.record.now
        if not (runs or asked or struck):
            self.record.fail(f"{name}: the clock of hand {hand} ends too early")


def _seq(item: Item) -> int | None:
    """Of a row; None where it has none, or one that cannot be read."""
    try:
        return whole(item["seq"])
    except UNREADABLE:
        return None
