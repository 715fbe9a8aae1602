"""A table's row in the list of open tables, for the lobby.

It follows from one write of STATE alone: what comes twice or late is told by its seq.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from enum import StrEnum

from cardroom.pace import Pace
from cardroom.shape import holds
from poker_engine.events import (
    Closing,
    Event,
    Frozen,
    HandEnded,
    HandStarted,
    HandVoided,
    SatIn,
    SatOut,
    Seated,
    SeatEmptied,
    Thawed,
)
from poker_engine.frozen import dataclass
from poker_engine.state import Status, Table


class State(StrEnum):
    OPEN = "open"
    CLOSING = "closing"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Row:
    """What the lobby shows of a table. Amounts are minor units; None where nothing is known yet,
    and where it would tell of a hand sooner than spectators may see it.
    """

    table: str
    structure: str
    game: str
    currency: str
    small_blind: int
    big_blind: int
    small_bet: int
    big_bet: int
    seats: int
    taken: int
    active: int
    """Seats that play (RULES 1.1)."""
    waiting: int
    """Seats that wait to be dealt in: for the big blind, or to post."""
    players: tuple[str | None, ...]
    """By seat."""
    average_pot: int | None
    flop_permille: int | None
    hands_hour: int | None
    acting_ms: int | None
    state: State
    minimum: int
    maximum: int | None
    delay_s: int
    time_bank_ms: int

    def dump(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def load(cls, text: str) -> "Row":
        """Raises ValueError, TypeError or LookupError if the text is not what `dump` writes."""
        found = json.loads(text)
        values = {name: found[name] for name in _NAMES}
        players, state = tuple(found["players"]), State(found["state"])
        row = cls(**{**values, "players": players, "state": state})
        if not holds(row, cls) or len(players) != row.seats:
            raise ValueError("not the row of a table")
        return row


_NAMES = tuple(field.name for field in fields(Row))


def row_of(table_id: str, table: Table, pace: Pace) -> Row:
    settings, stakes = table.settings, table.settings.stakes
    taken = [seat for seat in table.seats if seat is not None]
    statuses = [seat.standing.status for seat in taken]
    return Row(
        table=table_id,
        structure=stakes.structure,
        game=str(stakes.game),
        currency=stakes.currency,
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        seats=settings.seats,
        taken=len(taken),
        active=statuses.count(Status.ACTIVE),
        waiting=statuses.count(Status.WAITING) + statuses.count(Status.POSTING),
        players=tuple(None if seat is None else seat.player for seat in table.seats),
        average_pot=None if settings.delay_s else pace.pot,
        flop_permille=None if settings.delay_s else pace.flop,
        hands_hour=pace.hands_hour,
        acting_ms=pace.acting_ms,
        state=_state(table),
        minimum=settings.minimum,
        maximum=settings.maximum,
        delay_s=settings.delay_s,
        time_bank_ms=settings.time_bank_ms,
    )


def _state(table: Table) -> State:
    if table.closing or table.closed:
        return State.CLOSING
    return State.FROZEN if table.frozen else State.OPEN


_CHANGES = (
    Seated,
    SeatEmptied,
    SatOut,
    SatIn,
    HandEnded,
    HandVoided,
    Closing,
    Frozen,
    Thawed,
)


def changes_row(events: Iterable[Event], table: Table) -> bool:
    """Whether the row of the table that these events left may be another than before them."""
    return any(
        isinstance(event, _CHANGES) or (isinstance(event, HandStarted) and _came_in(table))
        for event in events
    )


def _came_in(table: Table) -> bool:
    """Whether somebody who was waiting was dealt into the hand."""
    hand = table.hand
    before = () if hand is None else (hand.before[seat] for seat in hand.dealt)
    return any(one is not None and one.status is not Status.ACTIVE for one in before)
