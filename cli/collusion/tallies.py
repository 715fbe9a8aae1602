"""What is counted of each two players over many hands. Memory grows with the pairs that have met,
not with hands.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from cli.collusion.seen import Seen

type Names = tuple[str, str]
"""Of two players, in order."""
type Cells = dict[int, list[int]]
"""Decisions, bets and raises among them, and folds, by cell."""

EXAMPLES: Final = 3


@dataclass(slots=True)
class Side:
    """Of one player towards another."""

    cells: Cells = field(default_factory=dict)
    gifts: int = 0
    yields: int = 0
    examples: list[str] = field(default_factory=list)
    """Hands of the first gifts."""

    def remember(self, hand: str) -> None:
        if len(self.examples) < EXAMPLES and hand not in self.examples:
            self.examples.append(hand)


@dataclass(slots=True)
class Pair:
    """Of two players, the first by name being `sides[0]`; in big blinds."""

    hands: int = 0
    net: float = 0.0
    """What the first one won of the second, less what he lost to him."""
    gross: float = 0.0
    squares: float = 0.0
    sides: tuple[Side, Side] | None = None

    @property
    def decisions(self) -> int:
        """Of either, with the other against him."""
        sides = self.sides or ()
        return sum(counts[0] for side in sides for counts in side.cells.values())

    def side(self, place: int) -> Side:
        """Made when there is something to count."""
        if self.sides is None:
            self.sides = (Side(), Side())
        return self.sides[place]


@dataclass(slots=True)
class Tallies:
    pairs: dict[Names, Pair] = field(default_factory=lambda: defaultdict(Pair))
    hands: int = 0

    def add(self, name: str, hand: Seen) -> None:
        """`name` is the hand's, as php-5-10-1/17."""
        pairs = self.pairs
        # Sorting is what a damaged hand fails in: nothing of it is counted then.
        for pair in combinations(sorted(hand.names.values()), 2):
            pairs[pair].hands += 1
        self.hands += 1
        for loser, winner, blinds, gift in hand.flows:
            one, other = hand.names[loser], hand.names[winner]
            first = one < other
            tally = pairs[(one, other) if first else (other, one)]
            tally.net += -blinds if first else blinds
            tally.gross += blinds
            tally.squares += blinds * blinds
            if gift:
                side = tally.side(0 if first else 1)
                side.gifts += 1
                side.remember(name)
        for actor, against in hand.yields:
            one, other = hand.names[actor], hand.names[against]
            first = one < other
            side = pairs[(one, other) if first else (other, one)].side(0 if first else 1)
            side.yields += 1
            side.remember(name)
        for actor, against, place, raised, folded in hand.decisions:
            one, other = hand.names[actor], hand.names[against]
            first = one < other
            tally = pairs[(one, other) if first else (other, one)]
            cells = tally.side(0 if first else 1).cells
            counts = cells.get(place)
            if counts is None:
                counts = cells[place] = [0, 0, 0]
            counts[0] += 1
            counts[1] += raised
            counts[2] += folded

    def sides(self) -> Iterator[tuple[str, str, Pair, Side]]:
        """Each pair twice: who, towards whom."""
        for (one, other), pair in self.pairs.items():
            if pair.sides is not None:
                yield one, other, pair, pair.sides[0]
                yield other, one, pair, pair.sides[1]
