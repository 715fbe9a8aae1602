"""Bots at one table against the engine alone: no network, a clock that is only counted, seeded
cards.

The same seed gives the same events. It shows that the bots play varied hands, and feeds tests that
need many.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from local.bots import Choices, Policy, Style, style_of
from poker_engine.cards import DECK
from poker_engine.chips import pot_total
from poker_engine.clock import Due, due, wake_at
from poker_engine.commands import (
    Act,
    AutoTopUp,
    Command,
    Expire,
    PreAct,
    Sit,
    SitIn,
    Start,
    TopUp,
)
from poker_engine.decide import advance
from poker_engine.errors import Rejected
from poker_engine.events import Acted, Event, HandEnded, PotWon
from poker_engine.evolve import open_table
from poker_engine.legal import options
from poker_engine.stakes import Settings
from poker_engine.state import Cause, Do, PreDo, Seat, Status, Table

BEGIN: Final = 1_700_000_000_000
"""When the counted clock starts, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was carried out, and the table after it."""

    at: int
    command: Command
    events: tuple[Event, ...]
    table: Table
    deck: tuple[int, ...] | None


class RuleBroken(AssertionError):
    """The engine refused a bot's choice: one of the two is wrong."""


@dataclass
class Tally:
    """What happened, counted."""

    hands: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, events: tuple[Event, ...], table: Table) -> None:
        """Count raises, all-ins, side pots, splits, timeouts and the rest of an action's names."""
        for event in events:
            match event:
                case Acted(seat=seat, do=do, cause=cause, paid=paid):
                    self.kinds[str(do)] += cause is Cause.OWN
                    self.kinds["timeout"] += cause is Cause.EXPIRED
                    hand = table.hand
                    if paid and hand is not None and _whole_stack(events, table, seat, paid):
                        self.kinds["all-in"] += 1
                case PotWon(pot=pot, shares=shares):
                    self.kinds["side pot"] += pot > 0
                    self.kinds["split"] += len(shares) > 1
                case HandEnded():
                    self.hands += 1
                case _:
                    pass


def _whole_stack(events: tuple[Event, ...], table: Table, seat: int, paid: int) -> bool:
    hand = table.hand
    if hand is None:
        return False
    won = sum(
        chips
        for event in events
        if isinstance(event, PotWon)
        for who, chips in event.shares
        if who == seat
    )
    return hand.behind[seat] - won == 0


class Rehearsal:
    """A table with a bot in every seat. Who loses all or is removed buys in again.

    `prepares` is how often somebody says beforehand what he will do, or has chips bought for him.
    """

    def __init__(
        self, settings: Settings, seed: int | str, *, sleepy: float = 0.02, prepares: float = 0.0
    ) -> None:
        self.table = open_table(settings)
        self.now = BEGIN
        self.tally = Tally()
        self._dice = random.Random(f"rehearsal/{seed}")
        styles: list[Style] = [style_of(number, sleepy) for number in range(settings.seats)]
        self._policies = [Policy(style, f"{seed}/{n}") for n, style in enumerate(styles)]
        self._prepares = prepares
        self._deck: tuple[int, ...] | None = None
        self._decks = 0

    def steps(self, hands: int) -> Iterator[Step]:
        """Play until so many hands have ended, and yield every command that changed the table."""
        while self.tally.hands < hands:
            if self.table.running is None:
                yield from self._fill_seats()
            if self._prepares and self._dice.random() < self._prepares:
                yield from self._prepare()
            yield from self._one()

    def play(self, hands: int) -> Tally:
        """Play so many hands and count."""
        for _ in self.steps(hands):
            pass
        return self.tally

    def _fill_seats(self) -> Iterator[Step]:
        settings = self.table.settings
        for number, seat in enumerate(self.table.seats):
            chips = self._dice.randint(settings.minimum, settings.maximum or 4 * settings.minimum)
            player = f"bot-{number}"
            if seat is None:
                yield self._do(Sit(player, number, chips, post=self._dice.random() < 0.5))
            elif seat.chips == 0:
                yield self._do(TopUp(player, chips))
            if seat is not None and seat.standing.status is Status.OUT:
                yield self._do(SitIn(player, post=self._dice.random() < 0.5))

    def _prepare(self) -> Iterator[Step]:
        """Somebody who may not act now says what he will do."""
        hand, dice = self.table.running, self._dice
        if hand is None or hand.turn is None:
            number, seat = self._somebody()
            if seat is not None and seat.exit is None:
                settings = self.table.settings
                to = dice.choice((0, settings.minimum, settings.maximum or 2 * settings.minimum))
                yield self._do(AutoTopUp(seat.player, to))
            return
        number, seat = self._somebody()
        may_still = hand.live >> number & 1 and hand.behind[number] and number != hand.turn.seat
        if seat is not None and seat.exit is None and may_still:
            to_call = hand.bets[number] < hand.price
            do = dice.choice((PreDo.CHECK_FOLD, PreDo.CALL if to_call else PreDo.FOLD, None))
            yield self._do(PreAct(seat.player, hand.number, hand.price, do))

    def _somebody(self) -> tuple[int, Seat | None]:
        number = self._dice.randrange(len(self.table.seats))
        return number, self.table.seats[number]

    def _one(self) -> Iterator[Step]:
        what = due(self.table, self.now)
        if what is Due.START:
            self._decks += 1
            deck = list(DECK)
            self._dice.shuffle(deck)
            self._deck = tuple(deck)
            yield self._do(Start(f"deck-{self._decks}", self._dice.randrange(2520)))
            return
        if what is Due.EXPIRE:
            yield self._do(Expire())
            return
        act = self._act()
        if act is not None:
            self.now += self._dice.randrange(200, 2000)
            yield self._do(act)
            return
        at = wake_at(self.table)
        if at is None:
            raise RuleBroken("nothing is due and nobody may act")
        self.now = max(self.now, at)

    def _act(self) -> Act | None:
        may, hand = options(self.table), self.table.running
        if may is None or hand is None or hand.turn is None or self._deck is None:
            return None
        seat = self.table.seats[may.seat]
        if seat is None:
            return None
        choices = Choices(
            hand=hand.number,
            number=hand.turn.number,
            to_call=may.to_call,
            call_to=may.call_to,
            check=may.check,
            min_to=may.min_to,
            max_to=may.max_to,
            verb=str(may.verb),
            step=may.step,
        )
        place = hand.dealt.index(may.seat)
        hole = (self._deck[place], self._deck[place + len(hand.dealt)])
        choice = self._policies[may.seat].choose(choices, hole, hand.board, pot_total(hand))
        if choice is None:
            return None
        return Act(seat.player, hand.number, hand.turn.number, Do(choice.do), choice.to or 0)

    def _do(self, command: Command) -> Step:
        outcome = advance(self.table, command, self.now, self._deck)
        if isinstance(outcome, Rejected):
            raise RuleBroken(f"{command}: {outcome.code} {outcome.sentence}")
        self.table = outcome.table
        self.tally.add(outcome.events, outcome.table)
        return Step(self.now, command, outcome.events, outcome.table, self._deck)
