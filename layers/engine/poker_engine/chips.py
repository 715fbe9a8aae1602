"""Where a table's chips are."""

from poker_engine.state import Hand, Table


def chips_on_table(table: Table) -> int:
    """Stacks, top-ups, bets and pots together.

    While a hand runs its bets are still counted in the stacks.
    """
    return sum(seat.chips for seat in table.seats if seat is not None)


def pot_total(hand: Hand) -> int:
    """All that is in the middle, this street's bets and dead money included, before rake."""
    return sum(hand.totals) + hand.dead
