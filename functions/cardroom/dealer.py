"""Changing a table: read, apply what is due, decide, and write it all in one conditional write,
the money that it moves included.

A loser of a race reloads and decides again. Whoever finds that a deadline has passed applies it.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

from cardroom import keys
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
from cardroom.money import Kind
from cardroom.outbox import joined
from cardroom.pace import Pace
from cardroom.ports import Clock, Randomness, Secret, Signals, Tables
from cardroom.records import record_of
from cardroom.restraint import bound, restrained
from cardroom.seals import note_head, sealed, shown_since
from cardroom.soundness import events_of
from cardroom.stored import Change, HandRecord, Stored
from cardroom.till import Till
from poker_engine.clock import Due, due
from poker_engine.codec import dump_events, dump_table
from poker_engine.commands import (
    AutoTopUp,
    Close,
    Command,
    Expire,
    Freeze,
    Sit,
    Start,
    Thaw,
    TopUp,
    Void,
)
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
    Shown,
    ToppedUp,
)
from poker_engine.frozen import dataclass
from poker_engine.replay import replay
from poker_engine.state import Table
from poker_engine.upkeep import refills

TRIES = 5
JITTER_MS = 20
"""The first wait is below this, each further one below twice as much."""
DRAWS = 2520
"""A button's draw is uniform in range(DRAWS): 2520 is divisible by 2 to 10 players."""


type Objection = Callable[[Table], Rejected | Refused | None]


@dataclass(frozen=True, slots=True)
class Wish:
    """A command: a player's, with the id under which its answer is remembered, or the room's own.

    The room's own, without a player, waits for nothing that is due and is not remembered.
    """

    command: Command
    player: str = ""
    id: str = ""
    hand: int | None = None
    """Only while this hand runs, where it names one."""
    objection: Objection | None = None
    """What else is against it: asked, at each try, of the table on which it was decided."""


@dataclass(frozen=True, slots=True)
class Applied:
    """`stored` is the table afterwards. `refusal` is the wish's alone: what was due is written all
    the same.
    """

    stored: Stored
    seq: int
    events: tuple[Event, ...] = ()
    refusal: Rejected | Refused | None = None
    written: bool = False
    late: int | None = None
    """By how much (ms) a hand's moment was over when this applied what was due."""


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
        self._signals.context(write=None)
        for attempt in count(1):
            stored = current or self.tables.load(table_id)
            if stored is None:
                return Refused(RoomCode.UNKNOWN_TABLE, "there is no such table")
            repeated = self._repeated(stored, wish) if wish is not None and wish.player else None
            if repeated is not None:
                return repeated
            if attempt > TRIES:
                self._signals.count("Busy")
                self._signals.count("Retries", TRIES - 1)
                return Refused(RoomCode.BUSY, "the table is busy; try again")
            change, refusal = self._decided(stored, wish, now, attempt)
            if change is None:
                return Applied(stored, stored.table.seq, refusal=refusal)
            try:
                self.tables.write(change)
            except (Conflict, Ambiguous) as lost:
                current = lost.current if isinstance(lost, Conflict) else None
                self._signals.count("Conflict" if isinstance(lost, Conflict) else "Ambiguous")
                self.clock.pause(1 + self._randomness.below(JITTER_MS << (attempt - 1)))
                continue
            applies = wish is None or bool(wish.player)
            late = lateness(stored.table, now) if applies else None
            self._tell(change, attempt, late)
            seq = change.after.table.seq
            return Applied(change.after, seq, change.events, refusal, written=True, late=late)
        raise AssertionError("unreachable")

    def _tell(self, change: Change, attempt: int, late: int | None) -> None:
        """Of a write that took place."""
        signals, after, record = self._signals, change.after, change.record
        signals.context(write=keys.write(after.table_id, after.version))
        if attempt > 1:
            signals.count("Retries", attempt - 1)
        if late is not None:
            signals.milliseconds("ClockLateness", late)
        if after.leaving:
            signals.count("Unpaid", len(after.leaving))
        if record is not None and not record.voided:
            signals.count("Hands", by=record.currency)
            signals.count("Rake", record.rake, by=record.currency)
        note_head(signals, change)

    def void(self, table_id: str, reason: str, hand: int | None = None) -> Applied | Refused:
        """End a hand that cannot go on: every chip goes back where it came from (RULES 9).

        With `hand`, this one and no other.
        """
        return self.apply(table_id, Wish(Void(reason), hand=hand))

    def close(self, table_id: str) -> Applied | Refused:
        """Pay everybody out, after the hand if one runs, and take no more players (RULES 2.8)."""
        return self.apply(table_id, Wish(Close()))

    def freeze(self, table_id: str) -> Applied | Refused:
        """No next hand, and nobody sits down, until it is thawed (RULES 10.2)."""
        return self.apply(table_id, Wish(Freeze()))

    def thaw(self, table_id: str) -> Applied | Refused:
        return self.apply(table_id, Wish(Thaw()))

    def _repeated(self, stored: Stored, wish: Wish) -> Applied | Refused | None:
        """The answer that this command got before; the ledger keeps those that moved money."""
        seq = stored.results.find(wish.player, wish.id)
        command = wish.command
        if not isinstance(command, Sit | TopUp):
            return None if seq is None else Applied(stored, seq)
        entry = self.tables.entry(wish.player, keys.bought(wish.id))
        if entry is None and seq is None:
            return None
        asked_for = (stored.table_id, _kind(command), -command.chips)
        if entry is None or (entry.table, entry.kind, entry.amount) != asked_for:
            return Refused(RoomCode.ID_USED, "this id was for something else: take a new one")
        return Applied(stored, entry.seq)

    def _decided(
        self, stored: Stored, wish: Wish | None, now: int, attempt: int
    ) -> tuple[Change | None, Rejected | Refused | None]:
        table = stored.table
        events: tuple[Event, ...] = ()
        refusal: Rejected | Refused | None = None
        till = Till(self.tables, stored, now, attempt, "" if wish is None else wish.player)
        if wish is None or wish.player:
            table, events = self._settled(stored, now, till)
            till.empty(events)
        if wish is not None:
            step = self._wished(stored, table, wish, now, till)
            if isinstance(step, Advance):
                table, events = step.table, (*events, *step.events)
            else:
                refusal = step
        if not events and not till.paid:
            # A wish that changes nothing may be asked again: there is no answer to keep.
            return None, refusal
        answered = wish if refusal is None else None
        return self._change(stored, table, events, answered, now, till), refusal

    def _wished(
        self, stored: Stored, table: Table, wish: Wish, now: int, till: Till
    ) -> Advance | Rejected | Refused:
        command, running = wish.command, table.running
        if wish.hand is not None and (running is None or running.number != wish.hand):
            return Rejected(Code.NO_HAND, f"hand {wish.hand} is not running")
        # A hand that this very write begins has no log yet.
        begun = running is not None and running.number == stored.table.hands
        if wish.player and begun and bound(command):
            objected = restrained(table, wish.player, command, events_of(stored.log))
            if objected is not None:
                return objected
        departures = till.departures(wish.player) if isinstance(command, Sit) else ()
        if isinstance(command, Sit):
            command = replace(command, left=tuple(one.left for one in departures))
        step = self._step(stored.table_id, table, command, now)
        if isinstance(step, Rejected):
            return step
        if wish.objection is not None and (objection := wish.objection(table)) is not None:
            return objection
        if isinstance(command, Sit | TopUp):
            seq = step.table.seq
            refusal = till.buy(wish.player, wish.id, _kind(command), command.chips, seq)
            if refusal is not None:
                return refusal
            till.come_back(departures)
        elif isinstance(command, AutoTopUp) and command.to:
            refusal = till.objection(wish.player)
            if refusal is not None:
                return refusal
        till.empty(step.events)
        return step

    def _settled(self, stored: Stored, now: int, till: Till) -> tuple[Table, tuple[Event, ...]]:
        """All that is due. One write ends one hand at most: each has a record of its own."""
        table = stored.table
        events: tuple[Event, ...] = ()
        while not _ended(events) and (what := due(table, now)) is not None:
            if what is Due.START:
                table, bought = self._refilled(table, now, till)
                events += bought
                step = self._start(stored.table_id, table, now)
            else:
                step = self._step(stored.table_id, table, Expire(), now)
            if isinstance(step, Rejected):
                raise RulesError(step.code)
            table, events = step.table, (*events, *step.events)
        return table, events

    def _refilled(self, table: Table, now: int, till: Till) -> tuple[Table, tuple[Event, ...]]:
        """Chips that seats buy by themselves before a hand, as many as are afforded (RULES 10.1). A
        seat whose owner cannot pay for enough does so no more; one of which nobody knows is left.
        """
        events: tuple[Event, ...] = ()
        for seat, player, wanted in refills(table):
            chips = till.affords(player, wanted)
            if chips is None:
                continue
            step = advance(table, TopUp(player, chips), now)
            if isinstance(step, Advance):
                till.refill(player, seat, chips, step.table.seq)
            else:
                step = advance(table, AutoTopUp(player, 0), now)
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
        till: Till,
    ) -> Change:
        brought, raked = chips_moved(events)
        chips_in = stored.chips_in + brought
        chips_out = stored.chips_out + till.paid + raked
        results = stored.results
        if answered is not None and answered.player:
            results = results.with_answer(answered.player, answered.id, table.seq, now)
        results = results.kept((seat.player for seat in table.seats if seat is not None), now)
        log, added = _log(stored, events)
        after = Stored(
            stored.table_id,
            stored.version + 1,
            table,
            log,
            results,
            chips_in,
            chips_out,
            till.leaving,
            _pace(stored, table, events, log),
            stored.seal,
        )
        lost = abs(after.chips - (chips_in - chips_out)) or abs(brought - till.brought)
        if lost:
            self._signals.count("ChipDifference", lost)
            raise ChipsError
        change = Change(stored.version, after, stored.table.seq, now, events, books=till.books)
        if table.hand is None:
            return change
        if _ended(events):
            record = sealed(self._record(after), stored.seal)
            return replace(change, after=replace(after, seal=record.seal), record=record)
        if table.hand.over and added:
            seal = shown_since(stored.seal, log)
            return replace(change, after=replace(after, seal=seal), amends=table.hand.number)
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


def lateness(table: Table, now: int) -> int | None:
    """How long ago (ms) the running turn, or the pause before a hand, was over; None where it is
    not, or there is none.
    """
    hand = table.running
    if hand is None:
        at = table.next_hand_at
    else:
        at = None if hand.turn is None else hand.turn.expires
    return None if at is None or at > now else now - at


def _ended(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, HandEnded | HandVoided) for event in events)


def _pace(stored: Stored, table: Table, events: tuple[Event, ...], log: str) -> Pace:
    """A void hand is no measure of anything."""
    if not any(isinstance(event, HandEnded) for event in events):
        return stored.pace
    return stored.pace.after(events_of(log), table.settings.clock_ms)


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
    """Chips that these events brought to the table, and the rake that they took from it."""
    brought = raked = 0
    for event in events:
        match event:
            case Seated(chips=chips) | ToppedUp(chips=chips):
                brought += chips
            case PotWon(rake=rake):
                raked += rake
            case _:
                pass
    return brought, raked


def _kind(command: Sit | TopUp) -> Kind:
    return Kind.BUY_IN if isinstance(command, Sit) else Kind.TOP_UP
