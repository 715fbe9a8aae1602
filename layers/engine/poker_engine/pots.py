"""The uncalled part, the pots, and who gets which share (RULES 3.6, 5.2, 5.3)."""

from collections.abc import Callable, Sequence

from poker_engine.frozen import dataclass
from poker_engine.state import Hand, clockwise


@dataclass(frozen=True, slots=True)
class Layer:
    """A pot before it is settled: its chips, and the seats that play for it."""

    amount: int
    contenders: tuple[int, ...]


def uncalled(totals: Sequence[int]) -> tuple[int, int] | None:
    """(seat, amount): the highest total less the second highest, folded seats too (RULES 3.6)."""
    second, first = sorted(totals)[-2:]
    if first == second:
        return None
    return totals.index(first), first - second


def layers(hand: Hand) -> tuple[Layer, ...]:
    """The pots from the main one on, a running hand's too.

    A new one starts only at the all-in level of a seat still in (RULES 5.2); who has chips left may
    yet play for all of them.
    """
    still_in = [seat for seat in hand.dealt if hand.live >> seat & 1]
    totals, behind = hand.totals, hand.behind
    below, chips, left = 0, hand.dead, sum(totals)
    # While betting goes on, bets that are not matched yet split nothing: only all-in levels do.
    all_in = {totals[seat] for seat in still_in if not behind[seat]}
    if not all_in:
        return (Layer(chips + left, tuple(still_in)),)
    levels = sorted(all_in | {max(totals[seat] for seat in still_in)})
    pots: list[Layer] = []
    for level in levels:
        # The last one takes all that is left, above its level too.
        layer = left
        if level != levels[-1]:
            layer = sum(min(total, level) - min(total, below) for total in totals)
        contenders = tuple(seat for seat in still_in if totals[seat] >= level or behind[seat])
        pots.append(Layer(chips + layer, contenders))
        below, chips, left = level, 0, left - layer
    return tuple(pots)


def shares(
    chips: int, contenders: Sequence[int], value: Callable[[int], int], button: int, seats: int
) -> tuple[tuple[int, int], ...]:
    """(seat, chips) of the best hands, in order from the left of the button (RULES 5.3).

    The whole remainder goes to the first of them.
    """
    if len(contenders) == 1:
        return ((contenders[0], chips),)
    best = max(value(seat) for seat in contenders)
    winners = [
        seat for seat in clockwise(button, seats) if seat in contenders and value(seat) == best
    ]
    share, remainder = divmod(chips, len(winners))
    return tuple((seat, share + (remainder if i == 0 else 0)) for i, seat in enumerate(winners))
