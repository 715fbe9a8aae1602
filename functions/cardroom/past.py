"""Hands that are over, as a player or a spectator may see them again.

Who was dealt in sees his own cards and what was shown; everybody else what was public, and of a
delayed table not before spectators saw it.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from cardroom.damage import UNREADABLE, DamagedError
from cardroom.errors import ArchiveUnreadError, Refused, RoomCode
from cardroom.messages import MAX_HAND
from cardroom.outcomes import net
from cardroom.ports import Played, Signals, Stay
from cardroom.soundness import hand_of
from cardroom.spans import MINUTE_MS, SECOND_MS
from cardroom.stored import HandRecord
from poker_engine.cards import text
from poker_engine.events import BoardDealt, Event, HandEnded, HandStarted, HandVoided
from poker_engine.state import Table
from poker_engine.views import course

SHOWN: Final = 20
"""Hands in one answer at most."""
READ: Final = 30
"""Records at a time."""
LOOKED_AT: Final = 90
"""Records for one answer; where to go on is said."""
LATE_MS: Final = MINUTE_MS
"""An entry may bear a moment so long before it was written: no function runs for longer."""

NOT_THERE: Final = Refused(
    RoomCode.UNKNOWN_HAND, "there is no such hand, or you may not see it yet"
)


class Past:
    def __init__(self, played: Played, signals: Signals) -> None:
        self._played = played
        self._signals = signals

    def hand(
        self, table_id: str, number: int, player: str | None, now: int
    ) -> dict[str, Any] | Refused:
        """Raises DamagedError and ArchiveUnreadError."""
        record = self._played.record(table_id, number)
        if record is None or not record.opening:
            return NOT_THERE
        try:
            return told(record, player, now, lambda: self._played.record(table_id, number + 1))
        except UNREADABLE as fault:
            self._signals.count("ItemDamaged")
            raise DamagedError(f"hand {table_id} {number}") from fault

    def was_dealt_in(self, table_id: str, number: int, player: str) -> bool:
        """Raises DamagedError and ArchiveUnreadError."""
        record = self._played.record(table_id, number)
        if record is None or not record.opening:
            return False
        try:
            opening, events = hand_of(record)
            return _seat(opening, events, player) is not None
        except UNREADABLE as fault:
            self._signals.count("ItemDamaged")
            raise DamagedError(f"hand {table_id} {number}") from fault

    def hands(self, player: str, table_id: str | None, up_to: int | None) -> dict[str, Any]:
        """His hands at a table, from this one back, the newest first; where no table is named, at
        the one where he played last. `next` is where it goes on, None where it does not. Raises
        ArchiveUnreadError.
        """
        stays = self._played.stays(player)
        tables = sorted(stays, key=lambda one: (stays[one].over, -stays[one].at, one))
        table = table_id or next(iter(tables), None)
        rows: list[dict[str, Any]] = []
        last = 0
        if table is not None and table in stays:
            last = up_to or self._last(table, stays[table])
            last = self._gather(player, table, last, rows)
        return {"tables": tables, "table": table, "hands": rows, "next": last or None}

    def _last(self, table_id: str, stay: Stay) -> int:
        """The hand from which on backwards his may be: his last one may have been written by
        another function, while the one that emptied his seat had begun already.
        """
        return self._played.last_before(table_id, stay.at + LATE_MS) if stay.over else MAX_HAND

    def _gather(self, player: str, table_id: str, last: int, rows: list[dict[str, Any]]) -> int:
        """Adds his hands up to `last` to `rows`; tells where it goes on, 0 where it does not."""
        looked = 0
        while last and looked < LOOKED_AT:
            try:
                page = self._played.records(table_id, last, READ)
            except ArchiveUnreadError:
                if not rows:
                    raise
                return last  # What he has is told; if he goes on he is told why he cannot.
            if not page:
                return 0
            looked += len(page)
            for number, record in page:
                row = None if record is None else self._row(record, player)
                last = number - 1
                if row is not None:
                    rows.append(row)
                if len(rows) == SHOWN:
                    return last
        return last

    def _row(self, record: HandRecord, player: str) -> dict[str, Any] | None:
        """None where he was not dealt in, or nothing can be told of the hand."""
        # Names have no sign that JSON would write otherwise; most hands are told apart by this.
        if f'"{player}"' not in record.opening:
            return None
        try:
            return _row(record, player)
        except UNREADABLE as fault:
            self._signals.count("ItemDamaged")
            self._signals.fault("past", fault, table=record.table_id, hand=record.number)
            return None


def told(
    record: HandRecord, player: str | None, now: int, following: Callable[[], HandRecord | None]
) -> dict[str, Any] | Refused:
    """The hand as this player may see it, a guest where there is none; `following` asks for the
    record of the next one. Raises one of UNREADABLE.
    """
    opening, events = hand_of(record)
    seat = _seat(opening, events, player)
    delay = SECOND_MS * opening.settings.delay_s
    if seat is None and delay:
        if now < record.ended + delay:
            return NOT_THERE
        events = _not_too_soon(events, now - delay, following)
    return {
        "table": record.table_id,
        "number": record.number,
        "started": record.started,
        "ended": record.ended,
        "seat": seat,
        **course(opening, events, record.deck, seat),
    }


def _not_too_soon(
    events: tuple[Event, ...], seen: int, following: Callable[[], HandRecord | None]
) -> tuple[Event, ...]:
    """What spectators have seen who have seen all until `seen` (ms): when somebody showed cards
    after the hand nobody wrote down, but it was before the next one.
    """
    end = next(at for at, one in enumerate(events, 1) if isinstance(one, HandEnded | HandVoided))
    if end == len(events):
        return events
    after = following()
    return events[:end] if after is None or seen < after.started else events


def _row(record: HandRecord, player: str) -> dict[str, Any] | None:
    opening, events = hand_of(record)
    seat = _seat(opening, events, player)
    if seat is None:
        return None
    seen = course(opening, events, record.deck, seat)
    settings = seen["state"]["settings"]
    stakes = ("game", "currency", "small_blind", "big_blind", "small_bet", "big_bet")
    return {
        "number": record.number,
        "ended": record.ended,
        **{name: settings[name] for name in stakes},
        "hole": seen.get("hole", []),
        "board": [
            text(card) for event in events if isinstance(event, BoardDealt) for card in event.cards
        ],
        "net": 0 if record.voided else net(events, seat),
        "voided": record.voided,
    }


def _seat(opening: Table, events: Iterable[Event], player: str | None) -> int | None:
    """Where he was dealt in."""
    if player is None:
        return None
    for event in events:
        if isinstance(event, HandStarted):
            seats = ((seat, opening.seats[seat]) for seat in event.dealt)
            return next((seat for seat, one in seats if one and one.player == player), None)
    return None
