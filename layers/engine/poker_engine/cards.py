"""Cards as small integers.

A card is an int from 0 to 51: ``rank * 4 + suit``, with rank 0 for the deuce up to 12 for the ace
and suits in the order clubs, diamonds, hearts, spades. Its text is rank and suit, as in ``As``.
"""

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

DECK: Final[tuple[int, ...]] = tuple(range(52))
"""All 52 cards in ascending order."""

_TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS: Final = {text: card for card, text in enumerate(_TEXTS)}


def card(text: str) -> int:
    """The card (0 to 51) written as ``text``: one of ``RANKS``, then one of ``SUITS``.

    Raises ValueError if that is not a card.
    """
    found = _CARDS.get(text)
    if found is None:
        raise ValueError(
            f"{text!r} is not a card: it takes a rank of {RANKS} and a suit of {SUITS}, as in 'As'"
        )
    return found


def text(card: int) -> str:
    """The two characters of a card (0 to 51), as in ``As``. Raises ValueError outside that."""
    if not 0 <= card < 52:
        raise ValueError(f"{card!r} is not a card: cards are numbered from 0 to 51")
    return _TEXTS[card]


def parse_cards(text: str) -> tuple[int, ...]:
    """Different cards written one after another, with or without blanks: ``AsKd``, ``As Kd``.

    An empty text gives no cards. Raises ValueError if a part is not a card or a card comes twice.
    """
    packed = "".join(text.split())
    found: list[int] = []
    for start in range(0, len(packed), 2):
        one = card(packed[start : start + 2])
        if one in found:
            raise ValueError(f"the card {_TEXTS[one]} comes twice in {text!r}")
        found.append(one)
    return tuple(found)


def join_cards(cards: Iterable[int]) -> str:
    """The texts of cards (0 to 51) in one string, as ``parse_cards`` reads it: ``AsKd``."""
    return "".join(map(text, cards))


def rank(card: int) -> int:
    """The rank of a card, 0 for the deuce to 12 for the ace."""
    return card >> 2


def suit(card: int) -> int:
    """The suit of a card, an index into ``SUITS``."""
    return card & 3
