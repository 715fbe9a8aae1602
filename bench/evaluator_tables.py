"""Makes the file of tables that ``poker_engine.evaluator`` reads.

Run it as ``python bench/evaluator_tables.py [FILE]``. Without FILE it writes the one that the
engine ships. Every run gives the same bytes.

How the tables work. The ranks are halved: the deuce to the eight are the low ranks, the nine to
the ace the high ones. Each rank of a half has a key, chosen so that no two different collections
of up to seven cards of that half (at most four of a rank) have the same sum of keys. So the two
sums of a hand say exactly which ranks it holds, and each sum is small enough to index a table.

All low collections are numbered: fewer cards first. A high collection of h cards is completed to
a hand of 5 to 7 cards by low collections of 5-h to 7-h cards, which have consecutive numbers. So
each high collection owns one block of the score table, and a hand's score stands at
``high[sum of high keys] + low[sum of low keys]``. Flushes have a table by set of ranks.

Scores are the 7,462 different five-card hands in order, 1 the worst and 7,462 the royal flush. A
hand of six or seven cards scores as the best that is left after one card is taken away.
"""

import struct
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path

SHIPPED = Path(__file__).parents[1] / "layers/engine/poker_engine/evaluator_tables.bin"
MAGIC = b"7card\x00\x00\x01"

RANKS = 13
LOW_RANKS = 7
MOST_OF_A_RANK = 4
LEAST_CARDS, MOST_CARDS = 5, 7
WHEEL = (12, 3, 2, 1, 0)

Ranks = tuple[int, ...]
"""Ranks of some cards in ascending order, a rank as often as it is held."""


def collections(ranks: Iterable[int], size: int) -> Iterator[Ranks]:
    """Every collection of ``size`` cards of these ranks, suits aside."""
    for held in combinations_with_replacement(ranks, size):
        if all(held[i] != held[i + MOST_OF_A_RANK] for i in range(size - MOST_OF_A_RANK)):
            yield held


def rank_keys(count: int) -> list[int]:
    """The least ascending keys whose sums tell all collections of up to seven cards apart."""
    keys: list[int] = []
    # sums[n] has bit s set if n cards of the ranks so far have the sum s.
    sums = [1] + [0] * MOST_CARDS
    key = 0
    while len(keys) < count:
        key += 1
        extended = _with_rank(sums, key)
        if extended is not None:
            keys.append(key)
            sums = extended
    return keys


def _with_rank(sums: list[int], key: int) -> list[int] | None:
    """The sums with one more rank of this key; None if two collections come to the same sum."""
    seen = 0
    extended = [0] * len(sums)
    for held, bits in enumerate(sums):
        for more in range(min(MOST_OF_A_RANK, MOST_CARDS - held) + 1):
            shifted = bits << (more * key)
            if seen & shifted:
                return None
            seen |= shifted
            extended[held + more] |= shifted
    return extended


def strength(held: Ranks, *, suited: bool) -> tuple[int, Ranks]:
    """What five cards are worth: the category, then the ranks in the order that they decide."""
    counts = Counter(held)
    deciding = tuple(sorted(held, key=lambda rank: (counts[rank], rank), reverse=True))
    pattern = sorted(counts.values(), reverse=True)
    straight = len(counts) == 5 and (deciding[0] - deciding[4] == 4 or deciding == WHEEL)
    if deciding == WHEEL:
        deciding = (3, 2, 1, 0, -1)
    if straight:
        return (8 if suited else 4), deciding
    if suited:
        return 5, deciding
    of_a_kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return of_a_kind.get(tuple(pattern), 0), deciding


def five_card_scores() -> tuple[dict[Ranks, int], dict[Ranks, int]]:
    """The scores of all five-card hands: not suited, and suited, by their ranks."""
    plain = {held: strength(held, suited=False) for held in collections(range(RANKS), 5)}
    suited = {held: strength(held, suited=True) for held in combinations(range(RANKS), 5)}
    ordered = sorted({*plain.values(), *suited.values()})
    score = {worth: place for place, worth in enumerate(ordered, start=1)}
    return (
        {held: score[worth] for held, worth in plain.items()},
        {held: score[worth] for held, worth in suited.items()},
    )


def add_larger(scores: dict[Ranks, int], hands: Iterable[Ranks]) -> None:
    """Scores hands that are one card larger than those scored before."""
    for held in hands:
        scores[held] = max(scores[held[:i] + held[i + 1 :]] for i in range(len(held)))


def build() -> bytes:
    """The whole file: every number in it is little endian."""
    plain, suited = five_card_scores()
    for size in range(LEAST_CARDS + 1, MOST_CARDS + 1):
        add_larger(plain, collections(range(RANKS), size))
        add_larger(suited, combinations(range(RANKS), size))

    low_keys = rank_keys(LOW_RANKS)
    high_keys = low_keys[: RANKS - LOW_RANKS]
    low_hands = [list(collections(range(LOW_RANKS), n)) for n in range(MOST_CARDS + 1)]
    high_hands = [list(collections(range(LOW_RANKS, RANKS), n)) for n in range(MOST_CARDS + 1)]

    low = array("H", [0]) * (MOST_OF_A_RANK * low_keys[-1] + 3 * low_keys[-2] + 1)
    number = 0
    first_of_size: list[int] = []
    for hands in low_hands:
        first_of_size.append(number)
        for held in hands:
            low[sum(low_keys[rank] for rank in held)] = number
            number += 1

    high = array("I", [0]) * (MOST_OF_A_RANK * high_keys[-1] + 3 * high_keys[-2] + 1)
    scores = array("H")
    # The most high cards first: then no block starts before the number of its first low hand.
    for size in range(MOST_CARDS, -1, -1):
        least = max(LEAST_CARDS - size, 0)
        completions = [held for n in range(least, MOST_CARDS - size + 1) for held in low_hands[n]]
        for held in high_hands[size]:
            where = sum(high_keys[rank - LOW_RANKS] for rank in held)
            high[where] = len(scores) - first_of_size[least]
            scores.extend(plain[completion + held] for completion in completions)

    flushes = array("H", [0]) * (1 << RANKS)
    for held, score in suited.items():
        flushes[sum(1 << rank for rank in held)] = score

    keys = array("I", low_keys + high_keys)
    sections = (keys, high, low, scores, flushes)
    if sys.byteorder == "big":
        for section in sections:
            section.byteswap()
    header = MAGIC + struct.pack("<5I", *map(len, sections))
    return header + b"".join(section.tobytes() for section in sections)


def main() -> None:
    """Writes the file."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    made = build()
    target.write_bytes(made)
    print(f"{target.name}: {len(made):,} bytes")


if __name__ == "__main__":
    main()
