"""Whose turn it is, and when betting is over (RULES 3.1, 3.5, 3.7)."""

from poker_engine.state import Hand, clockwise


def next_to_act(hand: Hand, after: int) -> int | None:
    """The next seat left of `after` that has a turn on this street; None when the round is over."""
    live, acted, price = hand.live, hand.acted, hand.price
    bets, behind = hand.bets, hand.behind
    for seat in clockwise(after, len(bets)):
        if (
            live >> seat & 1
            and behind[seat]
            and (bets[seat] < price or not acted >> seat & 1)
            and not _nothing_to_decide(hand, seat)
        ):
            return seat
    return None


def _nothing_to_decide(hand: Hand, seat: int) -> bool:
    """He has matched what every opponent has put in, and none has chips left (RULES 3.5)."""
    own = hand.totals[seat]
    for other in hand.dealt:
        if (
            other != seat
            and hand.live >> other & 1
            and (hand.behind[other] or hand.totals[other] > own)
        ):
            return False
    return True


def betting_over(hand: Hand) -> bool:
    """At most one player still in has chips: the board runs out without turns (RULES 3.7)."""
    return sum(1 for seat in hand.dealt if hand.live >> seat & 1 and hand.behind[seat]) <= 1
