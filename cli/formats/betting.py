"""The betting of a hand as readers of hand histories see it, who know no rule but this: who has
chips and is still in acts in turn until all have matched the most that anybody put in.

Ours asks no seat that has nothing to decide (RULES 3.5), where such a reader waits for its check;
and the price is the big blind also where that was posted short (RULES 2.4).
"""

from collections import deque
from collections.abc import Iterable

from cli.finished import Finished
from poker_engine.events import Posted
from poker_engine.state import Post


class Betting:
    """Players are known by their place in the dealing order. `bets` are of this street."""

    def __init__(self, hand: Finished) -> None:
        self.place = {one.seat: place for place, one in enumerate(hand.players)}
        self.stacks = [one.stack for one in hand.players]
        self.bets = [0] * len(self.stacks)
        self.live = [True] * len(self.stacks)
        self.waiting: deque[int] = deque()

    @property
    def price(self) -> int:
        return max(self.bets)

    @property
    def open(self) -> bool:
        """Somebody is to act."""
        return bool(self.waiting) and sum(self.live) > 1

    @property
    def closed_for_good(self) -> bool:
        """Nobody can bet any more: the hands are turned up before the board goes on."""
        return sum(self.live) > 1 and sum(map(self._can_act, range(len(self.live)))) <= 1

    def post(self, step: Posted) -> None:
        place = self.place[step.seat]
        self.stacks[place] -= step.amount
        if step.post not in (Post.ANTE, Post.DEAD):
            self.bets[place] += step.amount

    def begin(self, first: int) -> None:
        """A street: `first` is asked first."""
        order = [(first + turn) % len(self.live) for turn in range(len(self.live))]
        reach = sorted(
            bet + stack
            for bet, stack, live in zip(self.bets, self.stacks, self.live, strict=True)
            if live
        )
        second = reach[-2] if len(reach) > 1 else 0
        self.waiting = deque(
            place for place in order if self._can_act(place) and self.bets[place] < second
        )
        if len(self.waiting) == 1 and self.bets[self.waiting[0]] >= self.price:
            self.waiting.clear()

    def next_street(self) -> None:
        self.bets = [0] * len(self.bets)
        self.begin(0)

    def fold(self, place: int) -> None:
        self.live[place] = False
        self._done(place)

    def stay(self, place: int, paid: int = 0) -> None:
        """A check, or a call for `paid`."""
        self._pay(place, paid)
        self._done(place)

    def push(self, place: int, paid: int) -> None:
        """A bet or a raise: all others are asked again."""
        self._pay(place, paid)
        others = range(place + 1, place + len(self.live))
        self.waiting = deque(
            other % len(self.live) for other in others if self._can_act(other % len(self.live))
        )

    def matched_by_all(self, place: int) -> bool:
        """No opponent can put in more than the price: a raise is as good as a call."""
        return all(
            self.bets[other] + self.stacks[other] <= self.price for other in self._others(place)
        )

    def _others(self, place: int) -> Iterable[int]:
        return (other for other, live in enumerate(self.live) if live and other != place)

    def _can_act(self, place: int) -> bool:
        return self.live[place] and self.stacks[place] > 0

    def _pay(self, place: int, paid: int) -> None:
        self.stacks[place] -= paid
        self.bets[place] += paid

    def _done(self, place: int) -> None:
        if place in self.waiting:
            self.waiting.remove(place)
