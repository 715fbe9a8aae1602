"""What the room refuses, and what can go wrong on the way to the store."""

from dataclasses import field
from enum import StrEnum

from cardroom.damage import DamagedError
from cardroom.stored import Stored
from poker_engine.frozen import dataclass


class RoomCode(StrEnum):
    """Stable codes of the room, beside the engine's own."""

    BAD_MESSAGE = "bad_message"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    UNKNOWN_ROUTE = "unknown_route"
    UPGRADE_REQUIRED = "upgrade_required"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_HAND = "unknown_hand"
    UNKNOWN_ZONE = "unknown_zone"
    NOT_ALLOWED = "not_allowed"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    SUSPENDED = "suspended"
    LOSS_LIMIT = "loss_limit"
    EXCLUDED = "excluded"
    UNKNOWN_STAKE = "unknown_stake"
    ALL_FULL = "all_full"
    SEAT_RESERVED = "seat_reserved"
    """The free seats are kept for those who wait."""
    ID_USED = "id_used"
    """A money command's id names one movement for ever."""
    ALREADY_ACTED = "already_acted"
    """On this turn, by another device of his."""
    TOO_MANY_CHANGES = "too_many_changes"
    """At this seat, in the running hand."""
    NOT_DEALT_IN = "not_dealt_in"
    """In a hand that is on record; or there is none."""
    ALREADY_DISPUTED = "already_disputed"
    TOO_MANY_DISPUTES = "too_many_disputes"
    """Of one player on one day."""
    BUSY = "busy"
    SLOW_DOWN = "slow_down"
    """More messages than a client's budget; nothing is done about this one."""
    OUT_OF_ORDER = "out_of_order"
    """What is stored of this table or player is damaged: nothing is done with it until an operator
    has mended it.
    """
    INTERNAL = "internal"
    """A fault of ours; no input leads here."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal by the room itself, before or instead of the rules."""

    code: RoomCode
    sentence: str
    facts: dict[str, int] = field(default_factory=dict)


class Conflict(Exception):
    """The table was written meanwhile. `current` is what it is now, where the store told."""

    def __init__(self, current: Stored | None) -> None:
        super().__init__("the table was written meanwhile")
        self.current = current


class Ambiguous(Exception):
    """Whether the write took place can only be seen by reading."""


class WalletError(Exception):
    """A wallet or its ledger cannot be read, or is damaged."""


class DamagedWalletError(WalletError, DamagedError):
    """An item of a player's is damaged."""


class MissingDeckError(Exception):
    """The running hand names a deck that is not there."""


class ChipsError(Exception):
    """A change would make or lose chips. Nothing is written."""


class RulesError(Exception):
    """The engine refused what was due. Its code is the text."""
