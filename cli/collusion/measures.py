"""How far two players' play with each other is from their play with all others.

Each measure compares what was counted of a pair with what both do elsewhere: how the one acts
against others, and how others act against the other, with this pair left out. So a player's style,
and how often two play together, are no evidence by themselves. It comes to a surprise: how rare
this would be by chance, as a power of ten. A pair's score is the sum of what is above 1, and up to
as much again where they share an address or a device.

The spread of each measure is that of all pairs, where that is wider than chance would have it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import erfc, exp, lgamma, log, log10, sqrt
from typing import Final

from cli.collusion.seen import Spot, places
from cli.collusion.shared import NOTHING, Shared
from cli.collusion.tallies import Names, Pair, Side, Tallies

APART: Final[Mapping[Names, Shared]] = {}
"""Nobody shares anything."""
USUAL: Final = 1.0
"""A surprise that counts for nothing: one pair in ten has it."""
TOLD: Final = 2.0
"""From which on a measure is told as a reason."""
MOST: Final = 50.0
PRIOR: Final = 4.0
"""Decisions of everybody's average that a player's style begins with."""
SPREAD_PAIRS: Final = 200
"""From so many pairs with enough decisions on, their spread is taken."""
WITHIN: Final = 0.683
"""Of all, that chance leaves within one standard deviation."""
POT: Final = 100.0
"""Squared big blinds, of one pot that tells nothing by itself."""
TWOFOLD: Final = 2.2
"""How many times the expected number of gifts is taken to be nothing."""
PRIOR_HANDS: Final = 200.0
"""Hands with another in which a player is taken to have won nothing."""
DOUBT: Final = 0.3
"""Such hands more than expected, of which nothing is said."""
DOUBTED: Final = 0.5
"""Of the chips that one was expected to win of another: not everybody is beaten by the same."""
GIVEN: Final = 2.0
"""Gifts of the average that a player begins with."""


class What(StrEnum):
    CHIPS = "chips passed"
    GIFTS = "chips given away"
    YIELDS = "bets given up"
    SOFT = "soft play"
    FOLDS = "folding to each other"
    SQUEEZE = "raising together"


@dataclass(frozen=True, slots=True)
class Measure:
    """`found` beside what was expected; big blinds of chips passed, else counts."""

    what: What
    found: float
    expected: float
    surprise: float
    of: int
    """Decisions, or hands."""
    giver: str = ""
    """Who lost chips to the other, where it is about that."""


@dataclass(frozen=True, slots=True)
class Ranked:
    names: Names
    pair: Pair
    measures: tuple[Measure, ...]
    shared: Shared = NOTHING

    @property
    def play(self) -> float:
        """The score by how they play alone."""
        return sum(max(0.0, one.surprise - USUAL) for one in self.measures)

    @property
    def score(self) -> float:
        """Sharing a place is no offence: it counts as far as their play is odd too."""
        return self.play + min(self.play, self.shared.points)

    @property
    def reasons(self) -> Iterator[Measure]:
        """The strongest first."""
        found = sorted(self.measures, key=lambda one: -one.surprise)
        return (one for one in found if one.surprise >= TOLD)


@dataclass(slots=True)
class _Sum:
    """Decisions, those that count, and how many of them everybody's average would be."""

    all: float = 0.0
    found: float = 0.0
    expected: float = 0.0

    def add(self, other: "_Sum") -> None:
        self.all += other.all
        self.found += other.found
        self.expected += other.expected

    def without(self, other: "_Sum") -> "_Sum":
        return _Sum(self.all - other.all, self.found - other.found, self.expected - other.expected)

    @property
    def leaning(self) -> float:
        """How much more or less than the average, as the logarithm of odds."""
        more = (self.found + PRIOR) / (self.expected + PRIOR)
        less = (self.all - self.found + PRIOR) / (self.all - self.expected + PRIOR)
        return log(more) - log(less)


@dataclass(frozen=True, slots=True)
class _Habit:
    """A kind of decision: in which cells, which of its counts, and whether more or less of it than
    elsewhere is the sign.
    """

    what: What
    counts: int
    more: bool
    slack: float
    """How far two may lean from their habits, as the logarithm of odds, with nothing said of it:
    people are not quite the same with everybody.
    """
    places: frozenset[int]

    def cells(self, side: Side) -> Iterator[tuple[int, int, int]]:
        """Cell, decisions, and those that count."""
        for place, counts in side.cells.items():
            if place in self.places:
                yield place, counts[0], counts[self.counts]


_ALONE: Final = places(Spot.FREE, Spot.FACING)
_HABITS: Final = (
    _Habit(What.SOFT, 1, more=False, slack=0.4, places=_ALONE),
    _Habit(What.FOLDS, 2, more=True, slack=0.4, places=places(Spot.FACING)),
    # Two who raise much raise each other more than much.
    _Habit(What.SQUEEZE, 1, more=True, slack=0.6, places=places(Spot.AMONG)),
)


def ranked(tallies: Tallies, shared: Mapping[Names, Shared] = APART) -> list[Ranked]:
    """All pairs that have met, the most striking first."""
    found: dict[Names, list[Measure]] = defaultdict(list)
    for names, one in (
        *_chips(tallies),
        *_given(tallies, What.GIFTS, lambda side: side.gifts),
        *_given(tallies, What.YIELDS, lambda side: side.yields),
    ):
        found[names].append(one)
    for habit in _HABITS:
        for names, one in _habit(tallies, habit):
            found[names].append(one)
    pairs = (
        Ranked(names, pair, tuple(found[names]), shared.get(names, NOTHING))
        for names, pair in tallies.pairs.items()
    )
    return sorted(pairs, key=lambda one: (-one.score, one.names))


def _habit(tallies: Tallies, habit: _Habit) -> Iterator[tuple[Names, Measure]]:
    rates = _rates(tallies, habit)
    of: dict[str, _Sum] = defaultdict(_Sum)
    against: dict[str, _Sum] = defaultdict(_Sum)
    own: dict[tuple[str, str], _Sum] = {}
    for who, whom, _, side in tallies.sides():
        mine = own[who, whom] = _Sum()
        for place, decisions, some in habit.cells(side):
            mine.add(_Sum(decisions, some, decisions * rates[place]))
        of[who].add(mine)
        against[whom].add(mine)
    shift = habit.slack if habit.more else -habit.slack
    results: list[tuple[Names, float, float, float, float, float]] = []
    for names, pair in tallies.pairs.items():
        if pair.sides is None:
            continue
        count = expected = bound = spread = decided = 0.0
        for (who, whom), side in zip((names, names[::-1]), pair.sides, strict=True):
            mine = own[who, whom]
            if not mine.all:
                continue
            leaning = of[who].without(mine).leaning + against[whom].without(mine).leaning
            for place, decisions, _ in habit.cells(side):
                expected += decisions * _leant(rates[place], leaning)
                rate = _leant(rates[place], leaning + shift)
                bound += decisions * rate
                spread += decisions * rate * (1 - rate)
            count += mine.found
            decided += mine.all
        if decided:
            results.append((names, count, expected, bound, spread, decided))
    wide = _width((one[1] - one[2], one[4]) for one in results)
    for names, count, expected, bound, spread, decided in results:
        off = (count - bound if habit.more else bound - count) / sqrt(spread + 1.0)
        yield names, Measure(habit.what, count, expected, _normal(off / wide), int(decided))


def _rates(tallies: Tallies, habit: _Habit) -> dict[int, float]:
    """Everybody's, by cell."""
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for _, _, _, side in tallies.sides():
        for place, decisions, count in habit.cells(side):
            sums[place][0] += decisions
            sums[place][1] += count
    return {place: (count + 0.5) / (decisions + 1) for place, (decisions, count) in sums.items()}


def _leant(rate: float, leaning: float) -> float:
    odds = rate / (1 - rate) * exp(leaning)
    return odds / (1 + odds)


@dataclass(slots=True)
class _Won:
    """Of one player by all others: hands with another, and big blinds won in them."""

    hands: float = 0.0
    net: float = 0.0
    squares: float = 0.0

    def rate(self, pair: Pair, net: float) -> tuple[float, float]:
        """In a hand with another than this one, and the variance of that."""
        hands = self.hands - pair.hands + PRIOR_HANDS
        return (self.net - net) / hands, (self.squares - pair.squares) / hands**2


def _chips(tallies: Tallies) -> Iterator[tuple[Names, Measure]]:
    """Chips won of one another, beside what each wins of others in a hand."""
    won: dict[str, _Won] = defaultdict(_Won)
    for names, pair in tallies.pairs.items():
        for name, net in zip(names, (pair.net, -pair.net), strict=True):
            won[name].hands += pair.hands
            won[name].net += net
            won[name].squares += pair.squares
    results: list[tuple[Names, Pair, float, float]] = []
    for names, pair in tallies.pairs.items():
        first, doubt = won[names[0]].rate(pair, pair.net)
        second, other = won[names[1]].rate(pair, -pair.net)
        expected = pair.hands * (first - second)
        spread = pair.squares + pair.hands**2 * (doubt + other) + (expected * DOUBTED) ** 2
        results.append((names, pair, expected, spread / POT))
    wide = _width(
        ((pair.net - expected) / sqrt(POT), spread) for _, pair, expected, spread in results
    )
    for names, pair, expected, spread in results:
        off = abs(pair.net - expected) / sqrt(POT * (spread + 1.0))
        sign = 1 if pair.net > 0 else -1
        giver = names[1] if pair.net > 0 else names[0]
        surprise = max(0.0, _normal(off / wide) - log10(2))
        yield (
            names,
            Measure(What.CHIPS, abs(pair.net), sign * expected, surprise, pair.hands, giver),
        )


def _given(
    tallies: Tallies, what: What, count_of: Callable[[Side], int]
) -> Iterator[tuple[Names, Measure]]:
    """Hands in which one gave something to the other, of the two directions the more striking, by
    how often the two had each other against them: two who play many hands meet more often in them.
    """
    met: dict[str, int] = defaultdict(int)
    often = {names: pair.decisions for names, pair in tallies.pairs.items()}
    for names, decisions in often.items():
        for name in names:
            met[name] += decisions
    given: dict[str, int] = defaultdict(int)
    taken: dict[str, int] = defaultdict(int)
    for who, whom, _, side in tallies.sides():
        given[who] += count_of(side)
        taken[whom] += count_of(side)
    everybody = (sum(given.values()) + 1) / (sum(met.values()) + 1)
    best: dict[Names, Measure] = {}
    for who, whom, pair, side in tallies.sides():
        count = count_of(side)
        if not count:
            continue
        names = (who, whom) if who < whom else (whom, who)
        rates = [
            (all_of[name] - count + GIVEN) / (met[name] - often[names] + GIVEN / everybody)
            for all_of, name in ((given, who), (taken, whom))
        ]
        expected = often[names] * rates[0] * rates[1] / everybody
        surprise = max(0.0, _poisson(count, TWOFOLD * expected + DOUBT) - log10(2))
        if names not in best or best[names].surprise < surprise:
            best[names] = Measure(what, count, expected, surprise, pair.hands, who)
    yield from best.items()


def _width(offs: Iterable[tuple[float, float]]) -> float:
    """How much wider than chance these are, of (how far off, variance), where there are enough."""
    found = sorted(abs(off) / sqrt(spread + 1.0) for off, spread in offs if spread >= 3.0)
    if len(found) < SPREAD_PAIRS:
        return 1.0
    return max(1.0, found[int(WITHIN * len(found))])


def _normal(off: float) -> float:
    """Of so many standard deviations or more."""
    chance = erfc(off / sqrt(2)) / 2
    return MOST if chance < 10**-MOST else -log10(chance)


def _poisson(count: float, expected: float) -> float:
    """Of so many or more."""
    if count <= expected:
        return 0.0
    logarithm = count * log(expected) - expected - lgamma(count + 1)
    logarithm -= log(1 - expected / (count + 1))
    return min(MOST, max(0.0, -logarithm / log(10)))
