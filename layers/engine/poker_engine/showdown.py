"""Hole cards, and the order in which hands are turned up (RULES 5.1, 5.4)."""

from collections.abc import Sequence

from poker_engine.evaluator import evaluate
from poker_engine.pots import Layer
from poker_engine.state import BOARD_CARDS, Hand, Street, clockwise


def hole_cards(hand: Hand, deck: Sequence[int], seat: int) -> tuple[int, int]:
    """The two cards of a seat that was dealt in: one each from the left of the button, twice."""
    place = hand.dealt.index(seat)
    return deck[place], deck[len(hand.dealt) + place]


def board_cards(hand: Hand, deck: Sequence[int], street: Street) -> tuple[int, ...]:
    """The cards that this street adds to the board."""
    first = 2 * len(hand.dealt)
    return tuple(deck[first + BOARD_CARDS[street - 1] : first + BOARD_CARDS[street]])


def value(hand: Hand, deck: Sequence[int], seat: int) -> int:
    """Best five of seven; more is better."""
    return evaluate((*hole_cards(hand, deck, seat), *hand.board))


def showing_order(hand: Hand, pots: Sequence[Layer]) -> tuple[int, ...]:
    """Hands in side pots before those only in the main pot (RULES 5.4).

    Else clockwise from the river's last aggressor; without one, from the button.
    """
    start = clockwise(hand.button, len(hand.bets))
    if hand.street is Street.RIVER and hand.aggressor is not None:
        at = start.index(hand.aggressor)
        start = start[at:] + start[:at]
    order: list[int] = []
    for pot in reversed(pots):
        order += [seat for seat in start if seat in pot.contenders and seat not in order]
    return tuple(order)
