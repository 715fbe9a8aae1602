"""Changing a table: read, apply what is due, decide, and write it all in one conditional write.

A loser of a race reloads and decides again. Whoever finds that a deadline has passed applies it.
"""

from dataclasses import dataclass, replace
from itertools import count

from cardroom.decks import Decks
from cardroom.errors import (
    Ambiguous,
    ChipsError,
    Conflict,
    MissingDeckError,
    Refused,
    RoomCode,
    RulesError,
)
from cardroom.outbox import joined
from cardroom.ports import Clock, Randomness, Secret, Signals, Tables
from cardroom.records import record_of
from cardroom.stored import Change, HandRecord, Stored
from poker_engine.chips import chips_on_table
from poker_engine.clock import Due, due
from poker_engine.codec import dump_events, dump_table
from poker_engine.commands import Close, Command, Expire, Start, Void
from poker_engine.decide import Advance, advance
from poker_engine.errors import Code, Rejected
from poker_engine.events import (
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    PotWon,
    Seated,
    SeatEmptied,
    Shown,
    ToppedUp,
)
from poker_engine.replay import replay
from poker_engine.state import Table

TRIES = 5
JITTER_MS = 20
"""The first wait is below this, each further one below twice as much."""
DRAWS = 2520
"""A button's draw is uniform in range(DRAWS): 2520 is divisible by 2 to 10 players."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A command: a player's, with the id under which its answer is remembered, or the room's own.

    The room's own, without a player, waits for nothing that is due and is not remembered.
    """

    command: Command
    player: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """`stored` is the table afterwards. `refusal` is the wish's alone: what was due is written all
    the same.
    """

    stored: Stored
    seq: int
    events: tuple[Event, ...] = ()
    refusal: Rejected | None = None


class Dealer:
    def __init__(
        self, tables: Tables, clock: Clock, randomness: Randomness, signals: Signals
    ) -> None:
        self.tables = tables
        self.clock = clock
        self.decks = Decks(tables)
        self._randomness = randomness
        self._signals = signals

    def apply(self, table_id: str, wish: Wish | None = None) -> Applied | Refused:
        """Apply what is due, then the wish; without a wish only what is due.

        Raises MissingDeckError, ChipsError or RulesError where the hand cannot go on; nothing is
        written then.
        """
        # Once: what came in time counts, though a race made it wait (RULES 4.5).
        now = self.clock.now()
        current: Stored | None = None
        for attempt in count(1):
            stored = current or self.tables.load(table_id)
            if stored is None:
                return Refused(RoomCode.UNKNOWN_TABLE, "there is no such table")
            if wish is not None and wish.player:
                seq = stored.results.find(wish.player, wish.id)
                if seq is not None:
                    return Applied(stored, seq)
            if attempt > TRIES:
                self._signals.count("Busy")
                return Refused(RoomCode.BUSY, "the table is busy; try again")
            change, refusal = self._decided(stored, wish, now)
            if change is None:
                return Applied(stored, stored.table.seq, refusal=refusal)
            try:
                self.tables.write(change)
            except (Conflict, Ambiguous) as lost:
                current = lost.current if isinstance(lost, Conflict) else None
                self._signals.count("Conflict" if isinstance(lost, Conflict) else "Ambiguous")
                self.clock.pause(1 + self._randomness.below(JITTER_MS << (attempt - 1)))
                continue
            return Applied(change.after, change.after.table.seq, change.events, refusal)
        raise AssertionError("unreachable")

    def void(self, table_id: str, reason: str) -> Applied | Refused:
        """End a hand that cannot go on: every chip goes back where it came from (RULES 9)."""
        return self.apply(table_id, Wish(Void(reason)))

    def close(self, table_id: str) -> Applied | Refused:
        """Pay everybody out, after the hand if one runs, and take no more players (RULES 2.8)."""
        return self.apply(table_id, Wish(Close()))

    def _decided(
        self, stored: Stored, wish: Wish | None, now: int
    ) -> tuple[Change | None, Rejected | None]:
        table = stored.table
        events: tuple[Event, ...] = ()
        refusal = None
        if wish is None or wish.player:
            table, events = self._settled(stored, now)
        if wish is not None:
            step = self._step(stored.table_id, table, wish.command, now)
            if isinstance(step, Rejected):
                refusal = step
            else:
                table, events = step.table, (*events, *step.events)
        if not events:
            # A wish that changes nothing may be asked again: there is no answer to keep.
            return None, refusal
        answered = wish if refusal is None else None
        return self._change(stored, table, events, answered, now), refusal

    def _settled(self, stored: Stored, now: int) -> tuple[Table, tuple[Event, ...]]:
        """All that is due. One write ends one hand at most: each has a record of its own."""
        table = stored.table
        events: tuple[Event, ...] = ()
        while not _ended(events) and (what := due(table, now)) is not None:
            if what is Due.START:
                step = self._start(stored.table_id, table, now)
            else:
                step = self._step(stored.table_id, table, Expire(), now)
            if isinstance(step, Rejected):
                raise RulesError(step.code)
            table, events = step.table, (*events, *step.events)
        return table, events

    def _start(self, table_id: str, table: Table, now: int) -> Advance | Rejected:
        """A new hand, its deck stored first. Seats may go or sit out before it begins, or instead:
        its record opens after them.
        """
        deck_id, deck = self._randomness.token(), self._randomness.deck()
        step = advance(table, Start(deck_id, self._randomness.below(DRAWS)), now, deck)
        if isinstance(step, Advance):
            place = _start_of_hand(step.events)
            if place is not None:
                opening = dump_table(replay(step.events[:place], table))
                self.decks.put(table_id, deck_id, Secret(deck, opening), now)
        return step

    def _step(self, table_id: str, table: Table, command: Command, now: int) -> Advance | Rejected:
        step = advance(table, command, now)
        if isinstance(step, Rejected) and step.code is Code.DECK_NEEDED:
            if table.hand is None:
                raise MissingDeckError
            try:
                secret = self.decks.get(table_id, table.hand.deck)
            except MissingDeckError:
                if not table.hand.over:
                    raise
                return Rejected(Code.NOTHING_TO_SHOW, "the cards of this hand are no longer kept")
            step = advance(table, command, now, secret.deck)
        return step

    def _change(
        self,
        stored: Stored,
        table: Table,
        events: tuple[Event, ...],
        answered: Wish | None,
        now: int,
    ) -> Change:
        brought, taken = chips_moved(events)
        chips_in, chips_out = stored.chips_in + brought, stored.chips_out + taken
        if chips_on_table(table) != chips_in - chips_out:
            raise ChipsError
        results = stored.results
        if answered is not None and answered.player:
            results = results.with_answer(answered.player, answered.id, table.seq, now)
        results = results.kept((seat.player for seat in table.seats if seat is not None), now)
        log, added = _log(stored, events)
        after = Stored(
            stored.table_id, stored.version + 1, table, log, results, chips_in, chips_out
        )
        change = Change(stored.version, after, stored.table.seq, now, events)
        if table.hand is None:
            return change
        if _ended(events):
            return replace(change, record=self._record(after))
        if table.hand.over and added:
            return replace(change, amends=table.hand.number)
        return change

    def _record(self, after: Stored) -> HandRecord:
        hand = after.table.hand
        if hand is None:
            raise MissingDeckError
        try:
            secret = self.decks.get(after.table_id, hand.deck)
        except MissingDeckError:
            if not hand.voided:
                raise
            secret = None
        return record_of(after, hand, secret)


def _ended(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, HandEnded | HandVoided) for event in events)


def _start_of_hand(events: tuple[Event, ...]) -> int | None:
    """Where a hand begins among these events: at most one does in one write."""
    starts = (place for place, event in enumerate(events) if isinstance(event, HandStarted))
    return next(starts, None)


def _log(stored: Stored, events: tuple[Event, ...]) -> tuple[str, bool]:
    """The hand's log with these events, and whether they add to it.

    A hand that is over takes what is shown or mucked, nothing else of what follows it.
    """
    place = _start_of_hand(events)
    if place is not None:
        return dump_events(events[place:]), True
    if stored.table.running is None:
        events = tuple(event for event in events if isinstance(event, Shown | Mucked))
    return joined(stored.log, dump_events(events)), bool(events)


def chips_moved(events: tuple[Event, ...]) -> tuple[int, int]:
    """Chips that these events brought to the table, and that they took from it, rake included."""
    brought = taken = 0
    for event in events:
        match event:
            case Seated(chips=chips) | ToppedUp(chips=chips):
                brought += chips
            case SeatEmptied(chips=chips):
                taken += chips
            case PotWon(rake=rake):
                taken += rake
            case _:
                pass
    return brought, taken
