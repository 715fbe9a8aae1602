"""The shuffle: Fisher-Yates on the operating system's randomness.

`secrets` only: `random` is seeded at import, and copies of a restored function would share it.
"""

import secrets
from collections.abc import Callable

from poker_engine.cards import DECK


def shuffled(below: Callable[[int], int] = secrets.randbelow) -> tuple[int, ...]:
    """All 52 cards, every order equally likely, given that `below(n)` is uniform in range(n).

    `secrets.randbelow` draws bits until they are below n, so no card is favoured by a remainder.
    """
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


class SystemRandomness:
    """The port `Randomness` on `secrets`."""

    def deck(self) -> tuple[int, ...]:
        return shuffled()

    def token(self) -> str:
        """16 characters, 96 bits."""
        return secrets.token_urlsafe(12)

    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)
