"""After each write: push to the seats, queue for the spectators, start the next hand's clock.

Delivery: at least once and in order per table, or not at all; a client drops what it has and asks
for what it misses. All of it follows from the record alone, so a record that comes twice does no
harm. No money and no record of a hand hangs on it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

from cardroom import alarm
from cardroom.decks import Decks
from cardroom.errors import MissingDeckError
from cardroom.fanout import Parcel, dump_parcel
from cardroom.gone import forget_gone
from cardroom.outbox import Outbox
from cardroom.ports import Clock, Push, Queue, Signals, Timers, Viewer, Views
from poker_engine import views
from poker_engine.codec import load_events
from poker_engine.events import Event, HandScheduled, HandStarted, SeatEmptied
from poker_engine.state import Table

MAY_PASS = (BotoCoreError, ClientError, PynamoDBException, OSError)
"""Trouble with other services, for which a record is worth another try; content never is."""


@dataclass(frozen=True, slots=True)
class Update:
    """One write as the stream tells it; `sequence` is the stream's own number of it."""

    sequence: str
    outbox: Outbox
    table: Table
    log: str


@dataclass(slots=True)
class _Run:
    """Writes of one table, one after another: pushed as one."""

    updates: list[Update] = field(default_factory=list)

    @property
    def last(self) -> Update:
        return self.updates[-1]

    @property
    def before(self) -> int:
        return self.updates[0].outbox.before

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for update in self.updates for event in update.outbox.events)


class Broadcast:
    def __init__(
        self,
        audiences: Views,
        decks: Decks,
        push: Push,
        queue: Queue,
        timers: Timers,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._audiences = audiences
        self._decks = decks
        self._push = push
        self._queue = queue
        self._timers = timers
        self._clock = clock
        self._signals = signals

    def deliver(self, updates: list[Update]) -> str | None:
        """A batch; returns the stream's number of the first write to come again, or None."""
        again: list[int] = []
        for run in _runs(updates):
            table_id = run.last.outbox.table_id
            try:
                self._deliver(table_id, run)
            except Exception as error:
                self._signals.count("BroadcastFailed")
                self._signals.fault("broadcast", error, table=table_id, seq=run.last.outbox.seq)
                if isinstance(error, MAY_PASS):
                    again.append(updates.index(run.updates[0]))
        return updates[min(again)].sequence if again else None

    def _deliver(self, table_id: str, run: _Run) -> None:
        try:
            self._start_clock(table_id, run)
        finally:
            # Where no clock can be started the write comes again, but nobody waits for that.
            self._tell(table_id, run)

    def _tell(self, table_id: str, run: _Run) -> None:
        now = self._clock.now()
        audience = self._audiences.audience(table_id, now)
        self._push_to_seats(table_id, run, audience.seated, now)
        self._queue_for_spectators(table_id, run, audience.shards, now)
        if any(isinstance(event, SeatEmptied) for event in run.events):
            self._unseat(table_id, run.last, audience.seated, now)
        self._signals.milliseconds("ActionToBroadcast", self._clock.now() - run.last.outbox.at)
        self._signals.note(
            "broadcast",
            table=table_id,
            seq=run.last.outbox.seq,
            seats=len(audience.seated),
            shards=len(audience.shards),
        )

    def _start_clock(self, table_id: str, run: _Run) -> None:
        for update in run.updates:
            at = update.table.next_hand_at
            planned = any(isinstance(event, HandScheduled) for event in update.outbox.events)
            if planned and at is not None:
                hand, tag = update.table.hands + 1, str(update.outbox.seq)
                alarm.start(self._timers, table_id, hand, tag, at, self._clock.now())

    def _push_to_seats(
        self, table_id: str, run: _Run, viewers: tuple[Viewer, ...], now: int
    ) -> None:
        encoded: dict[int | None, bytes | None] = {}
        posts: list[tuple[str, bytes]] = []
        for viewer in viewers:
            seat = run.last.table.seat_of(viewer.player)
            if seat not in encoded:
                encoded[seat] = self._for_seat(table_id, run, seat, now)
            data = encoded[seat]
            if data is not None:
                posts.append((viewer.connection, data))
        forget_gone(table_id, self._push.post(posts), self._audiences, self._signals)

    def _for_seat(self, table_id: str, run: _Run, seat: int | None, now: int) -> bytes | None:
        """None where nothing of it is for this seat, or its cards are lost."""
        table, events = run.last.table, run.events
        deck = None
        if table.hand is not None and views.needs_deck(table, seat) and _began(events):
            try:
                deck = self._decks.get(table_id, table.hand.deck).deck
            except MissingDeckError as error:
                self._signals.count("DeckMissing")
                self._signals.fault("broadcast", error, table=table_id)
                return None
        view = views.push(table, events, seat, deck, run.before, now)
        if not view["events"] and view["seq"] == view["before"]:
            return None
        return encode({"type": "events", "table": table_id, **view})

    def _queue_for_spectators(
        self, table_id: str, run: _Run, shards: tuple[int, ...], now: int
    ) -> None:
        """The bytes that every spectator gets, made once."""
        update = run.last
        if not shards or run.before == update.outbox.seq:
            # What concerns one player alone changes nothing that they see.
            return
        view = views.snapshot(update.table, None, None, now, load_events(update.log))
        data = encode({"type": "snapshot", "table": table_id, **view}).decode()
        for shard in shards:
            self._queue.send(dump_parcel(Parcel(table_id, shard, update.outbox.seq, now, data)))

    def _unseat(self, table_id: str, update: Update, viewers: tuple[Viewer, ...], now: int) -> None:
        """Who has no seat any more goes on watching as a spectator."""
        for viewer in viewers:
            if update.table.seat_of(viewer.player) is None:
                self._audiences.unseat(table_id, viewer, update.outbox.seq, now)


def _runs(updates: list[Update]) -> list[_Run]:
    """Writes of a table that follow each other; after one that is missing, or comes again, a new
    run: what is pushed as one holds all that happened between its two ends, once.
    """
    runs: list[_Run] = []
    latest: dict[str, _Run] = {}
    for update in updates:
        run = latest.get(update.outbox.table_id)
        if run is None or run.last.outbox.seq != update.outbox.before:
            run = latest[update.outbox.table_id] = _Run()
            runs.append(run)
        run.updates.append(update)
    return runs


def _began(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, HandStarted) for event in events)


def encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
