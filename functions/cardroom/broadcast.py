"""After each write: push to the seats, queue for the spectators, start the next hand's clock.

Delivery: at least once and in order per table, or not at all; a client drops what it has and asks
for what it misses. All of it follows from the record alone, so a record that comes twice does no
harm. No money and no record of a hand hangs on it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from cardroom import alarm, keys
from cardroom.attendance import away
from cardroom.decks import Decks
from cardroom.errands import Serve, ask
from cardroom.errors import MissingDeckError
from cardroom.fanout import Parcel, dump_parcel
from cardroom.gone import forget_gone
from cardroom.listing import changes_row, row_of
from cardroom.moments import is_moment
from cardroom.outbox import Outbox
from cardroom.pace import Pace
from cardroom.ports import Audience, Clock, Listing, Push, Queue, Signals, Timers, Viewer, Views
from cardroom.soundness import events_of
from cardroom.spans import SECOND_MS
from cardroom.stored import Stored
from cardroom.trouble import may_pass
from poker_engine import views
from poker_engine.clock import wake_at
from poker_engine.events import (
    Closed,
    Closing,
    Event,
    Frozen,
    HandScheduled,
    HandStarted,
    Seated,
    SeatEmptied,
    Thawed,
)
from poker_engine.state import Table


@dataclass(frozen=True, slots=True)
class Update:
    """One write as the stream tells it; `sequence` is the stream's own number of it, `version` the
    table's.
    """

    sequence: str
    version: int
    outbox: Outbox
    table: Table
    log: str
    pace: Pace
    anew: bool = False
    """No write, but how the table stands: told to everybody, whatever has reached him."""


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
        listing: Listing,
        decks: Decks,
        push: Push,
        queue: Queue,
        floor: Queue,
        timers: Timers,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._audiences = audiences
        self._listing = listing
        self._decks = decks
        self._push = push
        self._queue = queue
        self._floor = floor
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
                if may_pass(error):
                    again.append(updates.index(run.updates[0]))
        return updates[min(again)].sequence if again else None

    def tell_anew(self, stored: Stored) -> None:
        """Everybody of how the table stands: who has missed something finds a gap, and asks.

        Nothing is written, and no seq is used; who has missed nothing is told nothing new.
        """
        table, table_id = stored.table, stored.table_id
        outbox = Outbox(table_id, table.seq, table.seq, self._clock.now(), ())
        update = Update("", stored.version, outbox, table, stored.log, stored.pace, anew=True)
        self._deliver(table_id, _Run([update]))

    def _deliver(self, table_id: str, run: _Run) -> None:
        try:
            self._start_clock(table_id, run)
        finally:
            # Where no clock can be started the write comes again, but nobody waits for that.
            try:
                self._tell(table_id, run)
            finally:
                self._list(table_id, run)

    def _list(self, table_id: str, run: _Run) -> None:
        """The table's row in the lobby, as its last write left it."""
        update = run.last
        if update.anew or changes_row(run.events, update.table):
            row = row_of(table_id, update.table, update.pace)
            self._listing.list_row(row, update.outbox.seq)
        if any(_concerns_stake(one.outbox.events) for one in run.updates):
            # After the row: who comes to look finds it.
            ask(self._floor, Serve(update.table.settings.stakes.structure))

    def _tell(self, table_id: str, run: _Run) -> None:
        now = self._clock.now()
        audience = self._audiences.audience(table_id, now)
        pushes = self._push_to_seats(table_id, run, audience.seated, now)
        pushed = self._clock.now()
        self._signals.count("PushesSent", pushes)
        if not run.last.anew:
            for update in run.updates:
                # The moment is another machine's, whose clock may be ahead.
                self._signals.milliseconds("ActionToBroadcast", max(0, pushed - update.outbox.at))
        self._signals.note(
            "broadcast",
            table=table_id,
            before=run.before,
            seq=run.last.outbox.seq,
            writes=" ".join(keys.write(table_id, update.version) for update in run.updates),
            pushes=pushes,
            shards=len(audience.shards),
            ms=pushed - run.updates[0].outbox.at,
        )
        self._queue_for_spectators(table_id, run, audience, now)
        self._unseat(table_id, run.last, audience.seated, now)

    def _start_clock(self, table_id: str, run: _Run) -> None:
        for update in run.updates:
            if update.anew:
                self._start_clock_anew(table_id, update)
            # A seat's time to sit out may be over before the hand is due, or long since.
            at = wake_at(update.table)
            planned = any(isinstance(event, HandScheduled) for event in update.outbox.events)
            if planned and update.table.next_hand_at is not None and at is not None:
                hand, tag = update.table.hands + 1, str(update.outbox.seq)
                alarm.start(self._timers, table_id, hand, tag, at, self._clock.now())

    def _start_clock_anew(self, table_id: str, update: Update) -> None:
        """One that runs already and this one change nothing for each other."""
        hand, at = alarm.current_hand(update.table), wake_at(update.table)
        if hand is not None and at is not None:
            now = self._clock.now()
            tag = f"{update.outbox.seq}d{now // SECOND_MS}"
            alarm.start(self._timers, table_id, hand, tag, at, now)

    def _push_to_seats(
        self, table_id: str, run: _Run, viewers: tuple[Viewer, ...], now: int
    ) -> int:
        """To how many connections."""
        encoded: dict[str, bytes | None] = {}
        posts: list[tuple[str, bytes]] = []
        absent = _absent(run.last.table, run, viewers)
        for viewer in viewers:
            player = viewer.player
            if player not in encoded:
                seat = run.last.table.seat_of(player)
                encoded[player] = (
                    _for_leaver(table_id, run, player, absent, now)
                    if seat is None
                    else self._for_seat(table_id, run, seat, absent, now)
                )
            data = encoded[player]
            if data is not None:
                posts.append((viewer.connection, data))
        forget_gone(table_id, self._push.post(posts), self._audiences, self._signals)
        return len(posts)

    def _for_seat(
        self, table_id: str, run: _Run, seat: int, absent: list[int], now: int
    ) -> bytes | None:
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
        if not view["events"] and view["seq"] == view["before"] and not run.last.anew:
            return None
        return _events_push(table_id, view, absent)

    def _queue_for_spectators(self, table_id: str, run: _Run, audience: Audience, now: int) -> None:
        """The bytes that every spectator gets, made once. Of a delayed table also where nobody
        watches yet: who comes is shown what was sent last.
        """
        delay = run.last.table.settings.delay_s
        if not audience.shards and not delay:
            return
        for update in _pictures(run):
            table, seq = update.table, update.outbox.seq
            view = views.snapshot(table, None, None, now, events_of(update.log))
            view["away"] = _absent(table, run, audience.seated)
            data = encode({"type": "snapshot", "table": table_id, **view}).decode()
            shards = None if delay else audience.shards
            at, version = now + delay * 1000, update.version
            parcel = Parcel(table_id, table.hands, seq, at, shards, data, version)
            self._queue.send(dump_parcel(parcel), delay=delay)

    def _unseat(self, table_id: str, update: Update, viewers: tuple[Viewer, ...], now: int) -> None:
        """Who has no seat any more goes on watching as a spectator; unless he sat down since."""
        for viewer in viewers:
            gone = update.table.seat_of(viewer.player) is None
            if gone and viewer.seq <= update.outbox.seq:
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


def _pictures(run: _Run) -> list[Update]:
    """Of these writes, those after which spectators are shown the table: of each hand the last that
    is a moment, so that how one ended is seen before the next.
    """
    found: list[Update] = []
    for update in run.updates:
        events = update.outbox.events
        # What concerns one player alone changes nothing that they see.
        public = update.outbox.before != update.outbox.seq
        if update.anew or (public and is_moment(update.table, events, update.log)):
            if found and not _began(events):
                found.pop()
            found.append(update)
    return found


def _absent(table: Table, run: _Run, viewers: tuple[Viewer, ...]) -> list[int]:
    """Who is away. One who has just sat down is about to subscribe."""
    came = {event.seat for event in run.events if isinstance(event, Seated)}
    return [seat for seat in away(table, viewers) if seat not in came]


def _for_leaver(table_id: str, run: _Run, player: str, absent: list[int], now: int) -> bytes | None:
    """What emptied his seat; of a delayed table nothing that came after it. None where that is not
    among these writes: he has been told, or has a seat again since.
    """
    events = run.events
    emptied = [
        place
        for place, event in enumerate(events, 1)
        if isinstance(event, SeatEmptied) and event.player == player
    ]
    table = run.last.table
    if not emptied and not (run.last.anew and not table.settings.delay_s):
        return None
    if not table.settings.delay_s:
        view = views.push(table, events, None, None, run.before, now)
        return _events_push(table_id, view, absent)
    view = views.push(table, events[: emptied[-1]], None, None, run.before, now)
    seq = run.before + len(view["events"])
    return _events_push(table_id, {**view, "seq": seq, "turn": None, "pots": []}, [])


def _events_push(table_id: str, view: dict[str, Any], absent: list[int]) -> bytes:
    return encode({"type": "events", "table": table_id, **view, "away": absent})


def _concerns_stake(events: tuple[Event, ...]) -> bool:
    """Whether seats of the stake have become free or taken, or may be so for others: by events, or
    without any, as where a table is opened, or chips are paid that were leaving.
    """
    seats = (Seated, SeatEmptied, Closing, Closed, Frozen, Thawed)
    return not events or any(isinstance(event, seats) for event in events)


def _began(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, HandStarted) for event in events)


def encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
