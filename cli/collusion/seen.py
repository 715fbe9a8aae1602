"""What a finished hand says of each two of its players: chips that went from one to the other, and
what one decided when it was the other whom he had against him.

Cards that nobody was shown are used here, as strengths; none of them leaves this module.
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from cli.finished import Finished
from poker_engine.cards import rank, suit
from poker_engine.evaluator import evaluate
from poker_engine.events import Acted, BoardDealt, Posted
from poker_engine.state import Cause, Do, Post, Street

STRENGTHS: Final = 4
"""From 0, nothing, to 3: two pair and better, or before the flop the best twelfth of hands."""
GIFT: Final = 8
"""Big blinds that somebody loses to one other, from which on it is looked at how."""
_PAIRS: Final = (1278, 3038, 4138)
"""The least scores of a pair, of one of tens, and of two pair: see evaluator.py."""
_CHEN: Final = (5, 7, 10)
"""The least points, by Chen's count, of the upper 40, 20 and 8 of 100 hands."""
_TOPS: Final = {12: 10.0, 11: 8.0, 10: 7.0, 9: 6.0}
"""Chen's points of ace, king, queen and jack; of a lower one half of what it is called."""
_GAPS: Final = (0, 0, 1, 2, 4)
_IN_BETS: Final = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.LIVE)


class Spot(IntEnum):
    """In which somebody decides."""

    FREE = 0
    """One other is left, and has not bet."""
    FACING = 1
    """One other is left, and has bet or raised."""
    AMONG = 2
    """One has bet or raised, and others are left besides."""


class Decision(NamedTuple):
    """`other` is the only one left, or who has bet."""

    actor: int
    other: int
    cell: int
    """Spot, street and strength: see `cell`."""
    raised: bool
    """Or bet."""
    folded: bool


class Flow(NamedTuple):
    """Chips, in big blinds, that one lost to another; `gift` where it was hardly by the cards."""

    loser: int
    winner: int
    blinds: float
    gift: bool


class Yield(NamedTuple):
    """One bet, the only other one raised, and he folded."""

    actor: int
    other: int


class Seen(NamedTuple):
    """Of one hand, by seats."""

    names: Mapping[int, str]
    decisions: list[Decision]
    flows: list[Flow]
    yields: list[Yield]


STREETS: Final = 3
"""Before the flop, on it, and later."""


def cell(spot: Spot, street: Street, strength: int) -> int:
    return (spot * STREETS + min(street, 2)) * STRENGTHS + strength


def places(*spots: Spot) -> frozenset[int]:
    """All cells of these."""
    each = STREETS * STRENGTHS
    return frozenset(place for spot in spots for place in range(spot * each, (spot + 1) * each))


def seen(hand: Finished) -> Seen | None:
    """None of a void hand, and of one without all cards."""
    if hand.void is not None or any(one.hole is None for one in hand.players):
        return None
    watched = _Watch(hand)
    decisions = list(watched.decisions())
    names = {one.seat: one.name for one in hand.players}
    return Seen(names, decisions, list(_flows(hand, watched)), watched.yields)


class _Watch:
    """Goes through a hand once, and remembers how each seat put its last chips in, and folded."""

    def __init__(self, hand: Finished) -> None:
        self._hand = hand
        self._hole = {one.seat: one.hole or () for one in hand.players}
        self._board: tuple[int, ...] = ()
        self._street = Street.PREFLOP
        self._known: dict[int, int] = {}
        self.paid: dict[int, int] = {}
        """Strengths with which seats last bet, raised or called."""
        self.folded: dict[int, int] = {}
        """And with which they folded."""
        self.yields: list[Yield] = []

    def decisions(self) -> Iterator[Decision]:
        live = set(self._hole)
        bets: dict[int, int] = {}
        price = self._hand.stakes.big_blind
        raiser: int | None = None
        betting: set[int] = set()
        for step in self._hand.steps:
            match step:
                case Posted(seat, post, amount):
                    if post in _IN_BETS:
                        bets[seat] = bets.get(seat, 0) + amount
                case BoardDealt(street, cards):
                    self._street, self._board = street, self._board + cards
                    self._known, bets, price, raiser = {}, {}, 0, None
                    betting.clear()
                case Acted(seat, do, to, _, cause):
                    facing = price > bets.get(seat, 0)
                    if cause is Cause.OWN:
                        found = self._decision(seat, do, live, raiser, facing=facing)
                        if found is not None:
                            yield found
                    if do is Do.FOLD:
                        if len(live) == 2 and seat in betting and cause is Cause.OWN:
                            (other,) = live - {seat}
                            self.yields.append(Yield(seat, other))
                        live.discard(seat)
                        self.folded[seat] = self._strength(seat)
                    elif do is not Do.CHECK:
                        self.paid[seat] = self._strength(seat)
                        bets[seat] = to
                        if do is not Do.CALL:
                            raiser, price = seat, max(price, to)
                            betting.add(seat)
                case _:
                    pass

    def _decision(
        self, seat: int, do: Do, live: set[int], raiser: int | None, *, facing: bool
    ) -> Decision | None:
        if len(live) == 2:
            if not facing and self._street is Street.PREFLOP:
                return None
            if facing and raiser is None:
                return None  # A blind is nobody's doing.
            (other,) = live - {seat}
            spot = Spot.FACING if facing else Spot.FREE
        elif facing and raiser is not None:
            spot, other = Spot.AMONG, raiser
        else:
            return None
        place = cell(spot, self._street, self._strength(seat))
        return Decision(seat, other, place, do in (Do.BET, Do.RAISE), do is Do.FOLD)

    def _strength(self, seat: int) -> int:
        known = self._known.get(seat)
        if known is None:
            hole = self._hole[seat]
            known = _after_the_flop(hole + self._board) if self._board else _before_it(*hole)
            self._known[seat] = known
        return known


def _before_it(first: int, second: int) -> int:
    """By Chen's count."""
    high, low = max(rank(first), rank(second)), min(rank(first), rank(second))
    points = _TOPS.get(high, (high + 2) / 2)
    if high == low:
        points = max(5.0, 2 * points)
    else:
        gap = high - low - 1
        points -= _GAPS[gap] if gap < len(_GAPS) else 5
        points += 2 * (suit(first) == suit(second)) + (gap < 2 and high < 10)
    return sum(points >= least for least in _CHEN)


def _after_the_flop(cards: tuple[int, ...]) -> int:
    score = evaluate(cards)
    return sum(score >= least for least in _PAIRS)


def _flows(hand: Finished, watched: _Watch) -> Iterator[Flow]:
    """Each loser's chips go to the winners in proportion to what they won, some of them to rake."""
    results = [(one.seat, one.final - one.stack) for one in hand.players]
    losers = [(seat, -result) for seat, result in results if result < 0]
    winners = [(seat, result) for seat, result in results if result > 0]
    lost = sum(chips for _, chips in losers)
    if not lost or not winners:
        return
    for loser, less in losers:
        for winner, more in winners:
            blinds = less * more / lost / hand.stakes.big_blind
            yield Flow(loser, winner, blinds, blinds >= GIFT and _given(loser, watched))


def _given(loser: int, watched: _Watch) -> bool:
    """Whether he put his last chips in with nothing, or folded one of the best hands after it."""
    return watched.paid.get(loser) == 0 or watched.folded.get(loser) == STRENGTHS - 1
