"""20,000 seeded hands with pokerkit as the referee: same options on every turn, same stacks.

Where the referee is known to leave the rules, a named predicate says so and is counted. A hand in
which any comparison was left out counts as left out, though all its others are made.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from bench.referee import Deviation, Referee, cannot_judge, with_remainders_added_up
from cli.cases import Case, deck_of
from cli.replay import NOW, deal_of, player, table_of
from poker_engine.commands import Act, Command
from poker_engine.decide import Advance, advance
from poker_engine.events import BoardDealt, Event
from poker_engine.legal import Options, options
from poker_engine.stakes import Game
from poker_engine.state import Do, Hand, Post, Street, Table
from tests.engine.seeded_hands import Style, raise_to, seeded_case

HANDS = 2_500
PARTS = [
    *((Game.NO_LIMIT, part) for part in range(5)),
    *((Game.FIXED_LIMIT, part) for part in range(3)),
]
MOST_LEFT_OUT = 0.05

REACHED = {
    "all-in": 200,
    "side pots": 800,
    "split pot": 120,
    "odd chip": 50,
    "incomplete bet or raise": 80,
    "short small blind": 35,
    "short big blind": 6,
    "all-in ante": 4,
    "run-out": 180,
    "fold where a check is free": 30,
    "late post": 120,
    "dead button": 50,
    "no small blind": 40,
    "heads-up": 130,
    "ten players": 130,
}
"""In how many hands of each part these must come up, at least."""


def incomplete_opening_counts_as_full(referee: Referee, hand: Hand, turn: Options) -> bool:
    """No-limit: it lets who has acted raise over all-ins that come to no full bet (RULES 3.3)."""
    largest = referee.state.completion_betting_or_raising_amount
    acted = bool(hand.acted >> turn.seat & 1)
    faces_less = turn.price - hand.bets[turn.seat] < hand.full
    return turn.min_to is None and acted and faces_less and largest < hand.full


def half_bets_are_unknown(hand: Hand, incomplete: set[Street]) -> bool:
    """Fixed-limit: it has no rule for all-ins of less than a full bet (RULES 3.4)."""
    return hand.street in incomplete


def _hand(table: Table) -> Hand:
    assert table.hand is not None
    return table.hand


def _stacks(table: Table) -> tuple[int, ...]:
    return tuple(seat.stack for seat in table.seats if seat is not None)


@dataclass
class Match:
    """One hand, played by the engine and the referee side by side."""

    case: Case
    random: Random
    reached: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)
    incomplete: set[Street] = field(default_factory=set)
    """Streets with an all-in bet or raise of less than the minimum."""

    def play(self) -> None:
        self.deck = deck_of(self.case)
        self.table = table_of(self.case)
        self.style = Style.of(self.random)
        self._note_layout()
        judge = cannot_judge(self.case)
        if judge is not None:
            self.left_out.add(judge)
        referee = None if judge else Referee(self.case)
        self._advance(deal_of(self.case))
        while (turn := options(self.table)) is not None:
            do, to = self._choose(turn, self._compare(referee, turn))
            self._note_action(turn, do, to)
            hand = _hand(self.table)
            self._advance(Act(player(turn.seat), hand.number, hand.turns, do, to))
            if referee is not None:
                referee.act(do, to)
        self._note_end()
        if referee is not None:
            self._compare_end(referee)

    def _advance(self, command: Command) -> None:
        step = advance(self.table, command, NOW, self.deck)
        assert isinstance(step, Advance), step
        self.table = step.table
        self._note_run_out(step.events)

    def _choose(self, turn: Options, both_agree: bool) -> tuple[Do, int]:
        do = self.style.choose(self.random, turn)
        if do not in (Do.BET, Do.RAISE):
            return do, 0
        assert turn.min_to is not None
        assert turn.max_to is not None
        if not both_agree or self._declines(turn):
            return (Do.CHECK if turn.check else Do.CALL), 0
        return do, raise_to(self.random, turn.min_to, turn.max_to)

    def _declines(self, turn: Options) -> bool:
        """Incomplete all-ins are made rarer: the referee is no judge of all that follows them."""
        assert turn.max_to is not None
        wary = 0.85 if self.case.game is Game.FIXED_LIMIT else 0.4
        return self._is_incomplete(turn, turn.max_to) and self.random.random() < wary

    def _is_incomplete(self, turn: Options, to: int) -> bool:
        hand = _hand(self.table)
        before = hand.full if self.case.game is Game.FIXED_LIMIT else turn.price
        return to - before < turn.step

    def _compare(self, referee: Referee | None, turn: Options) -> bool:
        """Whether the referee offers the same. Fails where no predicate explains a difference."""
        if referee is None:
            return True
        self._catch_up(referee, turn.seat)
        assert referee.seat == turn.seat
        assert referee.to_call == turn.to_call
        ours = None if turn.min_to is None else (turn.min_to, turn.max_to)
        if referee.raise_to == ours:
            return True
        hand = _hand(self.table)
        if self.case.game is Game.FIXED_LIMIT:
            assert half_bets_are_unknown(hand, self.incomplete), (ours, referee.raise_to)
            self.left_out.add("half bets are unknown")
        else:
            assert incomplete_opening_counts_as_full(referee, hand, turn), (ours, referee.raise_to)
            self.left_out.add("incomplete opening counts as full")
        return False

    def _catch_up(self, referee: Referee, seat: int | None) -> None:
        """It gives turns to a seat that nobody can bet against; ours has none (RULES 3.5)."""
        while referee.seat != seat and referee.check_where_nobody_can_bet():
            self.reached.add("turn with nothing to decide")

    def _compare_end(self, referee: Referee) -> None:
        self._catch_up(referee, None)
        stacks = _stacks(self.table)
        if referee.final_stacks != stacks:
            pots = _hand(self.table).pots
            assert referee.final_stacks == with_remainders_added_up(stacks, pots)
            self.left_out.add(Deviation.REMAINDERS_ADDED_UP)

    def _note_layout(self) -> None:
        case = self.case
        nominal = {
            Post.ANTE: case.ante,
            Post.SMALL_BLIND: case.small_blind,
            Post.BIG_BLIND: case.big_blind,
        }
        names = {
            Post.ANTE: "all-in ante",
            Post.SMALL_BLIND: "short small blind",
            Post.BIG_BLIND: "short big blind",
        }
        for one in case.posts:
            if one.post in (Post.LIVE, Post.DEAD):
                self.reached.add("late post")
            elif one.amount < nominal[one.post]:
                self.reached.add(names[one.post])
        facts = {
            "dead button": case.button is None,
            "no small blind": case.small_blind_seat is None,
            "heads-up": case.seats == 2,
            "ten players": case.seats == 10,
        }
        self.reached |= {name for name, holds in facts.items() if holds}

    def _note_action(self, turn: Options, do: Do, to: int) -> None:
        hand = _hand(self.table)
        if do is Do.FOLD and turn.check:
            self.reached.add("fold where a check is free")
        if do in (Do.BET, Do.RAISE):
            if self._is_incomplete(turn, to):
                self.reached.add("incomplete bet or raise")
                self.incomplete.add(hand.street)
            if to == hand.bets[turn.seat] + hand.behind[turn.seat]:
                self.reached.add("all-in")

    def _note_run_out(self, events: tuple[Event, ...]) -> None:
        if sum(isinstance(event, BoardDealt) for event in events) > 1:
            self.reached.add("run-out")

    def _note_end(self) -> None:
        pots = _hand(self.table).pots
        if len(pots) > 1:
            self.reached.add("side pots")
        if any(len(pot.shares) > 1 for pot in pots):
            self.reached.add("split pot")
        if any(pot.amount % len(pot.shares) for pot in pots):
            self.reached.add("odd chip")


@pytest.mark.slow
@pytest.mark.rule("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.9", "5.1", "5.2", "5.3")
@pytest.mark.parametrize(("game", "part"), PARTS)
def test_the_referee_comes_to_the_same(game: Game, part: int) -> None:
    reached: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    hands_left_out = 0
    for index in range(HANDS):
        random = Random(f"{game} {part} {index}")
        match = Match(seeded_case(random, game), random)
        try:
            match.play()
        except (AssertionError, ValueError) as error:
            error.add_note(f"hand {index}: {match.case}, now {match.table.hand}")
            raise
        reached.update(match.reached)
        left_out.update(match.left_out)
        hands_left_out += bool(match.left_out)
    assert hands_left_out < MOST_LEFT_OUT * HANDS, left_out
    assert {what: reached[what] for what, least in REACHED.items() if reached[what] < least} == {}
