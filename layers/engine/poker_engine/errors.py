"""Refusals as values: a stable code for programs, one sentence for people."""

from dataclasses import field
from enum import StrEnum

from poker_engine.frozen import dataclass


class Code(StrEnum):
    """Stable codes; a code never changes its meaning."""

    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    TABLE_CLOSING = "table_closing"
    TABLE_FROZEN = "table_frozen"
    NOT_FROZEN = "not_frozen"
    BUY_IN_TOO_SMALL = "buy_in_too_small"
    BUY_IN_TOO_LARGE = "buy_in_too_large"
    BUY_IN_FIXED = "buy_in_fixed"
    LEAVING = "leaving"
    NO_CHIPS = "no_chips"
    NO_HAND = "no_hand"
    STALE_TURN = "stale_turn"
    NOT_YOUR_TURN = "not_your_turn"
    YOUR_TURN = "your_turn"
    NOTHING_TO_PREPARE = "nothing_to_prepare"
    PRICE_CHANGED = "price_changed"
    CANNOT_CHECK = "cannot_check"
    NOTHING_TO_CALL = "nothing_to_call"
    CANNOT_BET = "cannot_bet"
    CANNOT_RAISE = "cannot_raise"
    AMOUNT_TOO_SMALL = "amount_too_small"
    AMOUNT_TOO_LARGE = "amount_too_large"
    NOT_DUE = "not_due"
    NOTHING_TO_SHOW = "nothing_to_show"
    NOT_ENOUGH_PLAYERS = "not_enough_players"
    DECK_NEEDED = "deck_needed"
    """Inside the room only: load the deck, decide again."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A command that changes nothing.

    `facts` holds the amounts and times that the sentence names.
    """

    code: Code
    sentence: str
    facts: dict[str, int] = field(default_factory=dict)
