"""The shuffle is fair, as far as 10,000 decks tell."""

from collections.abc import Callable
from random import Random

from cardroom.shuffle import SystemRandomness, shuffled
from poker_engine.cards import DECK

DECKS = 10_000
LIMIT = 2601 + 5.2 * 72.1
"""Of chi-square with 51 x 51 degrees of freedom: the mean plus 5.2 deviations, one in ten million.
"""


def _chi_square(deal: Callable[[], tuple[int, ...]]) -> float:
    """Of card against place."""
    counts = [[0] * 52 for _ in range(52)]
    for _ in range(DECKS):
        for place, card in enumerate(deal()):
            counts[place][card] += 1
    expected = DECKS / 52
    return sum((count - expected) ** 2 / expected for row in counts for count in row)


def test_every_card_is_in_every_place_as_often() -> None:
    assert _chi_square(SystemRandomness().deck) < LIMIT


def test_the_test_would_see_a_remainder() -> None:
    """The same shuffle on a byte's remainder, which favours low numbers, fails it."""
    random = Random(7)
    assert _chi_square(lambda: shuffled(lambda n: random.randrange(256) % n)) > LIMIT


def test_the_test_would_see_the_naive_shuffle() -> None:
    """Swapping each card with any other, instead of one not yet placed, fails it."""
    random = Random(7)

    def naive() -> tuple[int, ...]:
        deck = list(DECK)
        for place in range(52):
            other = random.randrange(52)
            deck[place], deck[other] = deck[other], deck[place]
        return tuple(deck)

    assert _chi_square(naive) > LIMIT


def test_all_pairs_of_first_cards_come_alike() -> None:
    """2,652 pairs, 7.5 times each on average."""
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(2 * DECKS):
        first = shuffled()[:2]
        counts[first] = counts.get(first, 0) + 1
    assert len(counts) > 2600
    assert max(counts.values()) < 40


def test_a_deck_is_all_cards_once() -> None:
    assert sorted(shuffled()) == list(DECK)
    assert shuffled() != shuffled()


def test_names_are_not_repeated() -> None:
    randomness = SystemRandomness()
    assert len({randomness.token() for _ in range(1000)}) == 1000
    assert {randomness.below(3) for _ in range(200)} == {0, 1, 2}
