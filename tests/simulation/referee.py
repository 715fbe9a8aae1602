"""Laws of play that the table's own state cannot tell, as it would be wrong with them: each event
is held against what was there before it.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from poker_engine.buyin import RETURN_MS
from poker_engine.cards import parse_cards
from poker_engine.events import (
    Acted,
    BankClosed,
    BankOpened,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    Seated,
    SeatEmptied,
    Shown,
    TurnBegan,
)
from poker_engine.showdown import board_cards, hole_cards
from poker_engine.state import Cause, Do, Exit, Hand, Street, Table
from tests.simulation.record import SKEW_MS, Record

SECOND: Final = 1_000


@dataclass(frozen=True, slots=True)
class Leaving:
    """Of a table: with how much, and when (ms) it was written."""

    chips: int
    at: int
    removed: bool
    written: int


@dataclass
class Referee:
    record: Record
    asked: Callable[[str, str], bool]
    """Whether this table's player has ever asked to show his cards."""
    voidable: set[tuple[str, int]] = field(default_factory=set)
    """Hands, by table and number, that may be void: something was done to them."""
    _voluntary: set[tuple[str, int]] = field(default_factory=set)
    """Hands, by table and number, in which somebody put chips in by himself before the flop."""
    _last: dict[str, tuple[int, Street, int]] = field(default_factory=dict)
    """By table: hand and street of the last action, and whose it was."""
    _decks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By table: of its last hand."""
    _stacks: dict[str, dict[int, int]] = field(default_factory=dict)
    """By table: what each seat had when its last hand was dealt."""
    _left: dict[tuple[str, str], list[Leaving]] = field(default_factory=lambda: defaultdict(list))
    """By player and structure: leavings that no buy-in has used up."""

    def dealt(self, name: str, table: Table, event: HandStarted, deck: str) -> None:
        self._decks[name] = parse_cards(deck)
        self._stacks[name] = {
            seat: one.stack for seat in event.dealt if (one := table.seats[seat]) is not None
        }

    def happens(self, name: str, table: Table, event: Event, at: int) -> None:
        """To this table; decided at `at`, by the clock of who did."""
        if isinstance(event, Acted):
            self._in_order(name, table, event.seat)
        match event:
            case TurnBegan(deadline=deadline, expires=expires):
                self._lasts(
                    name, table, deadline - at - table.settings.clock_ms, expires - deadline
                )
            case BankOpened(deadline=deadline, expires=expires):
                turn, seat = self._hand(name, table).turn, table.seats[event.seat]
                if turn is None or seat is None:
                    self.record.fail(f"{name}: a time bank without a turn")
                more = deadline - turn.deadline - seat.standing.bank
                self._lasts(name, table, more, expires - deadline)
            case BankClosed(left=left):
                turn = self._hand(name, table).turn
                if turn is None or left != max(0, turn.deadline - at):
                    self.record.fail(f"{name}: {left} ms are left of a time bank, at {at}")
            case BoardDealt(street=street, cards=cards):
                self._of_the_deck(
                    name, board_cards(self._hand(name, table), self._deck(name), street), cards
                )
            case Acted(cause=Cause.OWN, do=Do.CALL | Do.BET | Do.RAISE):
                if self._hand(name, table).street is Street.PREFLOP:
                    self._voluntary.add((name, table.hands))
            case HandEnded():
                self._raked(name, table)
            case Shown() | Mucked():
                self._turned_up(name, table, event)
            case Seated():
                self._sits(name, table, event, at)
            case SeatEmptied(exit=Exit.SAT_OUT) if table.frozen:
                # No time out is counted there (RULES 10.2).
                self.record.fail(f"{name}: {event.player} loses his seat though it is frozen")
            case SeatEmptied(exit=exit_, chips=chips) if chips and exit_ is not Exit.CLOSED:
                one = Leaving(chips, event.at, exit_ is Exit.REMOVED, self.record.now)
                self._left[event.player, table.settings.stakes.structure].append(one)
            case _:
                pass

    def happened(self, name: str, table: Table, event: Event) -> None:
        """And this is the table after it."""
        if isinstance(event, HandVoided):
            if (name, event.number) not in self.voidable:
                self.record.fail(
                    f"{name}: hand {event.number} is void, and nothing was wrong with it"
                )
            for seat, stack in self._stacks[name].items():
                one = table.seats[seat]
                if one is not None and one.stack != stack:
                    self.record.fail(f"{name}: seat {seat} had {stack}, and gets {one.stack} back")

    # Turns

    def _lasts(self, name: str, table: Table, more: int, grace: int) -> None:
        """`more` than the time of a turn, and then this grace: up to a whole second (RULES 4.5)."""
        least = table.settings.grace_ms
        if more or not least < grace <= least + SECOND:
            self.record.fail(f"{name}: a turn is {more} ms off, and has a grace of {grace}")

    def _in_order(self, name: str, table: Table, seat: int) -> None:
        """Clockwise from the last to act, or from the big blind or the button (RULES 3.1): nobody
        is passed over who is in the hand and has chips.
        """
        hand, seats = self._hand(name, table), len(table.seats)
        *when, last = self._last.get(name, (0, Street.PREFLOP, 0))
        if when != [hand.number, hand.street]:
            blind = hand.big_blind if hand.street is Street.PREFLOP else None
            last = hand.button if blind is None else blind
        self._last[name] = (hand.number, hand.street, seat)
        for step in range(1, seats + 1):
            passed = (last + step) % seats
            if passed == seat:
                return
            if hand.behind[passed] and hand.live >> passed & 1:
                self.record.fail(f"{name}: seat {seat} acts before seat {passed}")

    # Rake

    def _raked(self, name: str, table: Table) -> None:
        """By the table of RULES 6, on all pots together, where somebody put chips in by himself."""
        pots, stakes = self._hand(name, table).pots, table.settings.stakes
        total, wanted = sum(pot.amount for pot in pots), 0
        if (name, table.hands) in self._voluntary:
            step, most = (1, 5 * stakes.big_blind) if stakes.currency == "PHP" else (25, 300)
            wanted = min(most, total * 5 // (100 * step) * step)
        if (taken := sum(pot.rake for pot in pots)) != wanted:
            self.record.fail(f"{name}: a rake of {taken} on {total}, not {wanted}")

    # Cards

    def _turned_up(self, name: str, table: Table, event: Shown | Mucked) -> None:
        """At a showdown, or since its player asks for it (RULES 5.4)."""
        hand, seat = self._hand(name, table), table.seats[event.seat]
        if isinstance(event, Shown):
            self._of_the_deck(name, hole_cards(hand, self._deck(name), event.seat), event.cards)
        if hand.over:
            if seat is None or not self.asked(name, seat.player):
                self.record.fail(f"{name}: nobody asked seat {event.seat} to show")
        elif hand.turn is not None or not hand.live >> event.seat & 1 or hand.live.bit_count() < 2:
            self.record.fail(f"{name}: seat {event.seat} shows, and there is no showdown")

    def _of_the_deck(self, name: str, real: tuple[int, ...], cards: tuple[int, ...]) -> None:
        if not cards or not set(cards) <= set(real):
            self.record.fail(f"{name}: {cards} are turned up in place of {real}")

    def _hand(self, name: str, table: Table) -> Hand:
        if table.hand is None:
            self.record.fail(f"{name}: there is no hand")
        return table.hand

    def _deck(self, name: str) -> tuple[int, ...]:
        return self._decks[name]

    # Seats

    def _sits(self, name: str, table: Table, event: Seated, at: int) -> None:
        """At a table that takes players, with what he may bring (RULES 1.2 to 1.4)."""
        if table.frozen or table.closing or table.closed:
            self.record.fail(f"{name}: {event.player} sits down though it takes nobody")
        minimum, maximum = table.settings.minimum, table.settings.maximum
        left = self._left[event.player, table.settings.stakes.structure]
        recent = [one for one in left if at - one.at < RETURN_MS]
        # What is written at this moment at another table may not have been seen.
        for seen in (recent, [one for one in recent if one.written < at - SKEW_MS]):
            bound = max(seen, key=lambda one: (one.chips, one.at), default=None)
            least, most = minimum, maximum
            if bound is not None:
                most = None if maximum is None else max(maximum, bound.chips)
                least = max(minimum, bound.chips) if most is None or bound.removed else most
            if least <= event.chips and (most is None or event.chips <= most):
                if bound is not None:
                    left.remove(bound)
                    self.record.counts["returns"] += 1
                return
        self.record.fail(f"{name}: {event.player} sits down with {event.chips} after {recent}")
