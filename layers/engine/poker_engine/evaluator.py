"""What a hand of five to seven cards is worth (RULES 5.1).

One integer per card holds a key of its rank and a one in the counter of its suit. Their sum says
which ranks the hand holds and whether five cards share a suit, and the score is then looked up in
tables that are read from a file at import; nothing is worked out there. How the tables are made
stands in ``bench/evaluator_tables.py``.
"""

import os.path
import struct
import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

WORST: Final = 1
"""The score of the worst hand: seven, five, four, three, deuce of mixed suits."""
BEST: Final = 7462
"""The score of a royal flush, and the number of different scores."""


class Category(IntEnum):
    """The kinds of hand, the better the greater. A royal flush is the best straight flush."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


# The least score of each category.
_FLOORS: Final = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)

_MAGIC: Final = b"7card\x00\x00\x01"
_HEADER: Final = struct.Struct("<8s5I")


def _load(path: str) -> tuple[array[int], array[int], array[int], array[int], array[int]]:
    """Reads the sections of the table file, which are little endian on every machine."""
    with open(path, "rb") as file:
        content = memoryview(file.read())
    magic, keys, high, low, scores, flushes = _HEADER.unpack_from(content)
    if magic != _MAGIC:
        raise RuntimeError(f"{os.path.basename(path)} does not hold the evaluator's tables")
    start = _HEADER.size

    def section(typecode: str, count: int) -> array[int]:
        nonlocal start
        numbers: array[int] = array(typecode)
        end = start + count * numbers.itemsize
        numbers.frombytes(content[start:end])
        if sys.byteorder == "big":
            numbers.byteswap()
        start = end
        return numbers

    return (
        section("I", keys),
        section("I", high),
        section("H", low),
        section("H", scores),
        section("H", flushes),
    )


# Not pathlib: its import alone takes longer than reading the tables.
_RANK_KEYS, _HIGH, _LOW, _SCORES, _FLUSHES = _load(
    os.path.join(os.path.dirname(__file__), "evaluator_tables.bin")
)

# A card's number, and so a hand's sum, from the lowest bit: 16 bits for the keys of deuce to
# eight, 14 for those of nine to ace, then a counter of 4 bits for each suit. The counters start
# at three, so that a fifth card sets the highest bit of its suit's counter.
_LOW_RANKS: Final = 7
_LOW_BITS: Final = 16
_LOW_MASK: Final = (1 << _LOW_BITS) - 1
_HIGH_MASK: Final = (1 << 14) - 1
_SUIT_BITS: Final = 30
_START: Final = 0x3333 << _SUIT_BITS
_FLUSH: Final = 0x8888 << _SUIT_BITS

_CARDS: Final = [
    (key << (0 if rank < _LOW_RANKS else _LOW_BITS)) + (1 << (_SUIT_BITS + 4 * suit))
    for rank, key in enumerate(_RANK_KEYS)
    for suit in range(4)
]
_number_of = _CARDS.__getitem__


def evaluate(cards: Sequence[int]) -> int:
    """The score of the best five of 5, 6 or 7 cards, from ``WORST`` (1) to ``BEST`` (7462).

    The greater score wins; equal scores tie, and suits never break ties. The cards must be
    different and each from 0 to 51: that is not checked. Raises ValueError for another number of
    cards.
    """
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand has 5, 6 or 7 cards, not {len(cards)}")
    total = sum(map(_number_of, cards), _START)
    if total & _FLUSH:
        # With five cards of a suit, the two others make neither a full house nor quads.
        return _FLUSHES[_flush_ranks(cards)]
    return _SCORES[_HIGH[total >> _LOW_BITS & _HIGH_MASK] + _LOW[total & _LOW_MASK]]


def _flush_ranks(cards: Sequence[int]) -> int:
    """The ranks held in the suit that has five cards or more, one bit each; 0 without a flush."""
    by_suit = [0, 0, 0, 0]
    for card in cards:
        by_suit[card & 3] |= 1 << (card >> 2)
    return next((ranks for ranks in by_suit if ranks.bit_count() >= 5), 0)


def category(score: int) -> Category:
    """The kind of hand that a score stands for. Raises ValueError if it is not a score."""
    if not WORST <= score <= BEST:
        raise ValueError(f"{score!r} is not a score: they go from {WORST} to {BEST}")
    return Category(bisect_right(_FLOORS, score) - 1)


_NAMES: Final = (
    "deuce", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
_PLURALS: Final = tuple("sixes" if name == "six" else name + "s" for name in _NAMES)
_FIVE_HIGH: Final = 3


def describe(cards: Sequence[int]) -> str:
    """The best hand of 5, 6 or 7 cards in words, kickers left out: ``two pair, aces and sixes``.

    Raises ValueError as ``evaluate`` does.
    """
    score = evaluate(cards)
    kind = category(score)
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        if score == BEST:
            return "royal flush"
        name = "straight" if kind is Category.STRAIGHT else "straight flush"
        return f"{name}, {_NAMES[_FIVE_HIGH + score - _FLOORS[kind]]} high"
    if kind is Category.FLUSH:
        return f"flush, {_NAMES[_flush_ranks(cards).bit_length() - 1]} high"

    counts = Counter(card >> 2 for card in cards)
    first, second, *_ = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    match kind:
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_PLURALS[first]}"
        case Category.FULL_HOUSE:
            # Two sets of three, or a set and two pairs: the best other pair fills the house.
            filled = max(rank for rank in counts if rank != first and counts[rank] >= 2)
            return f"full house, {_PLURALS[first]} over {_PLURALS[filled]}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_PLURALS[first]}"
        case Category.TWO_PAIR:
            return f"two pair, {_PLURALS[first]} and {_PLURALS[second]}"
        case Category.PAIR:
            return f"pair of {_PLURALS[first]}"
        case _:
            return f"high card, {_NAMES[first]}"
