"""What a seat may do, and for how much (RULES 3)."""

from typing import NamedTuple

from poker_engine.evolve import bet_size
from poker_engine.stakes import Game, Settings
from poker_engine.state import Do, Hand, Table


class Options(NamedTuple):
    """What a seat may do. Folding is always allowed (RULES 3.8); totals are of this street.

    `to_call` is what a call costs (0: he may check), `call_to` the total that it makes;
    `min_to` and `max_to` are None where neither bet nor raise is allowed;
    `verb` says which of the two it would be, `step` is the slider's (RULES 8.3).
    """

    seat: int
    price: int
    to_call: int
    call_to: int
    verb: Do
    min_to: int | None
    max_to: int | None
    step: int

    @property
    def check(self) -> bool:
        return self.to_call == 0


def options(table: Table) -> Options | None:
    """What the seat whose turn it is may do; None when it is nobody's turn."""
    hand = table.running
    if hand is None or hand.turn is None:
        return None
    return options_of(table.settings, hand, hand.turn.seat)


def to_call(hand: Hand, seat: int) -> int:
    """What a call costs the seat; 0 where it may check."""
    bet = hand.bets[seat]
    return min(hand.price - bet, hand.behind[seat]) if hand.price > bet else 0


def options_of(settings: Settings, hand: Hand, seat: int) -> Options:
    """What a seat could do if it were its turn now."""
    bet, price = hand.bets[seat], hand.price
    owed = to_call(hand, seat)
    step, low = _next_raise(settings, hand)
    most = bet + hand.behind[seat]
    min_to = max_to = None
    if most > price and not hand.capped and _may_raise(settings, hand, seat):
        min_to = min(low, most)
        max_to = most if settings.stakes.game is Game.NO_LIMIT else min_to
    verb = Do.RAISE if price else Do.BET
    return Options(seat, price, owed, bet + owed, verb, min_to, max_to, step)


def _next_raise(settings: Settings, hand: Hand) -> tuple[int, int]:
    """Size of the next full bet or raise, and the total that it makes (RULES 3.2, 3.4)."""
    if settings.stakes.game is Game.NO_LIMIT:
        return hand.full, hand.price + hand.full
    size = bet_size(settings.stakes, hand.street)
    return size, hand.full + size


def _may_raise(settings: Settings, hand: Hand, seat: int) -> bool:
    """Betting is open to him (RULES 3.3, 3.4), and an opponent can put in more (RULES 3.5)."""
    if hand.acted >> seat & 1:
        facing = hand.price - hand.bets[seat]
        if settings.stakes.game is Game.NO_LIMIT:
            if facing < hand.full:
                return False
        elif 2 * facing < bet_size(settings.stakes, hand.street):
            return False
    price, live = hand.price, hand.live
    for other in hand.dealt:
        if other != seat and live >> other & 1 and hand.bets[other] + hand.behind[other] > price:
            return True
    return False
