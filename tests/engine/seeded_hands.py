"""Hands by seed: stacks, posts and cards of a hand, and players who choose among legal options.

Half of the stacks are short: all-ins, side pots, incomplete raises, short posts are common.
"""

from dataclasses import dataclass
from random import Random

from cli.cases import Case, CasePost
from poker_engine.cards import parse_cards
from poker_engine.legal import Options
from poker_engine.stakes import MAX_SEATS, Game
from poker_engine.state import Do, Post

NO_LIMIT_BLINDS = ((1, 2), (5, 10), (10, 25), (50, 100))
FIXED_LIMITS = (10, 20, 300)
ROYAL = parse_cards("AsKsQsJsTs")


def seeded_case(rng: Random, game: Game) -> Case:
    """A hand before its first action; `final_stacks` are the stacks it begins with."""
    seats = rng.randint(2, MAX_SEATS)
    fixed = game is Game.FIXED_LIMIT
    if fixed:
        big = rng.choice(FIXED_LIMITS)
        small = big // 2
    else:
        small, big = rng.choice(NO_LIMIT_BLINDS)
    button = None if seats < MAX_SEATS and rng.random() < 0.05 else seats - 1
    small_seat, big_seat = _blind_seats(rng, seats, button)
    ante, for_all = (
        rng.choice(((big, True), (max(1, big // 5), False))) if rng.random() < 0.15 else (0, False)
    )
    stacks = [_stack(rng, big) for _ in range(seats)]
    if rng.random() < 0.93:
        # A short big blind is rare: the referee is no judge of one.
        stacks[big_seat] += big + ante
    posts: list[CasePost] = []
    left = list(stacks)

    def post(seat: int, kind: Post, amount: int) -> None:
        paid = min(amount, left[seat])
        if paid:
            left[seat] -= paid
            posts.append(CasePost(seat, kind, paid))

    if ante:
        for seat in (big_seat,) if for_all else range(seats):
            post(seat, Post.ANTE, ante)
    if small_seat is not None:
        post(small_seat, Post.SMALL_BLIND, small)
    post(big_seat, Post.BIG_BLIND, big)
    for seat in range(big_seat + 1, seats - 1):
        if rng.random() < 0.04 and left[seat] > small + big:
            if rng.random() < 0.5 and (for_all or not ante):
                post(seat, Post.DEAD, small)
            post(seat, Post.LIVE, big)
    cards = rng.sample(range(52), 2 * seats + 5)
    hole, board = cards[: 2 * seats], tuple(cards[2 * seats :])
    if rng.random() < 0.04:
        board = ROYAL
        others = [card for card in range(52) if card not in ROYAL]
        hole = rng.sample(others, 2 * seats)
    return Case(
        id="seeded",
        game=game,
        button=button,
        small_blind_seat=small_seat,
        big_blind_seat=big_seat,
        ante=ante,
        small_blind=small,
        big_blind=big,
        small_bet=big if fixed else 0,
        big_bet=2 * big if fixed else 0,
        stacks=tuple(stacks),
        posts=tuple(posts),
        hole=tuple((hole[2 * seat], hole[2 * seat + 1]) for seat in range(seats)),
        board=board,
        actions=(),
        final_stacks=tuple(stacks),
    )


def _blind_seats(rng: Random, seats: int, button: int | None) -> tuple[int | None, int]:
    if seats == 2 and button is not None:
        return 1, 0
    if seats > 2 and rng.random() < 0.04:
        return None, 0
    return 0, 1


def _stack(rng: Random, big: int) -> int:
    deep = rng.random()
    if deep < 0.5:
        return rng.randint(1, 5 * big)
    if deep < 0.8:
        return rng.randint(5 * big, 30 * big)
    return rng.randint(30 * big, 200 * big)


@dataclass(frozen=True)
class Style:
    """How a hand's players like to play: weights of fold, check or call, bet or raise."""

    fold: float
    call: float
    push: float

    @classmethod
    def of(cls, rng: Random) -> "Style":
        return cls(rng.choice((0.1, 0.5, 1.5)), rng.choice((1, 2, 4)), rng.choice((0.3, 1, 2)))

    def choose(self, rng: Random, turn: Options) -> Do:
        """What to do with the raise left open: its amount is the caller's."""
        stay = Do.CHECK if turn.check else Do.CALL
        # Folding is allowed where a check is free (RULES 3.8), and rare.
        fold = 0.02 if turn.check else self.fold
        push = 0 if turn.min_to is None else self.push
        return rng.choices((Do.FOLD, stay, turn.verb), (fold, self.call, push))[0]


def raise_to(rng: Random, low: int, high: int) -> int:
    """The least, the most, or something between."""
    kind = rng.random()
    if kind < 0.35:
        return low
    if kind < 0.5:
        return high
    return rng.randint(low, min(high, 4 * low))
