"""A player's own statement, in answers of bounded work: his ledger, and what hands left him by day.

The two halves are told apart because they lie apart: entries with the player, in no order of time,
and results in the records of the tables' hands. A client lays them together; all that days and
hands need is counted here, and by the same rules as in the operator's statement.

Entries are appended and numbered without a gap. So those up to the number that a wallet has when
reading begins are all there, and come to its balance, whatever is booked meanwhile.
"""

import json
from typing import Any, Final

from cardroom.damage import UNREADABLE, DamagedError
from cardroom.days import Days, Zone, moment
from cardroom.errors import Refused, RoomCode
from cardroom.messages import MAX_HAND
from cardroom.money import Entry
from cardroom.outcomes import outcome
from cardroom.ports import Played, Signals, Tables
from cardroom.stored import HandRecord
from poker_engine.frozen import dataclass
from poker_engine.stakes import Settings

ENTRIES: Final = 100
"""Entries in one answer at most."""
BYTES: Final = 24_000
"""And of these so many, as JSON: an answer stays far below what one frame holds (32 KB)."""
LONGEST: Final = 200
"""Signs of a text in one: more than anybody may write into an entry."""
READ: Final = 30
"""Records at a time."""
LOOKED_AT: Final = 90
"""Records for one answer, as for `hands`."""
HOUSE: Final = "room"
"""Who booked an entry where that was neither the player nor a table: which operator is not told."""
TABLE: Final = "table"

UNKNOWN_ZONE: Final = Refused(RoomCode.UNKNOWN_ZONE, "the room knows no such time zone")


@dataclass(frozen=True, slots=True)
class Span:
    """Hands that ended from `since` to `until` (ms, both included; without it there is no end), or
    from number `hand` on, where reading goes on.
    """

    since: int = 0
    until: int | None = None
    hand: int | None = None


class Statements:
    def __init__(self, tables: Tables, played: Played, signals: Signals) -> None:
        self._tables = tables
        self._played = played
        self._signals = signals

    def ledger(
        self, player: str, zone: str, after: str | None, now: int
    ) -> dict[str, Any] | Refused:
        """His entries after this one, in no order of time; `next` is where it goes on, None where
        it does not. Wallets are read first. Raises WalletError.
        """
        days = _days(zone)
        if days is None:
            return UNKNOWN_ZONE
        wallets = self._tables.wallets(player)
        found = self._tables.entries_after(player, after, ENTRIES)
        rows: list[dict[str, Any]] = []
        size = 0
        for entry in found:
            row = _row(entry, days)
            size += len(json.dumps(row))
            if rows and size > BYTES:
                break
            rows.append(row)
        goes_on = len(rows) < len(found) or len(found) == ENTRIES
        return {
            "now": now,
            "zone": zone,
            "wallets": [
                {"currency": one.currency, "balance": one.balance, "entries": one.entries}
                for one in wallets
            ],
            "entries": rows,
            "next": found[len(rows) - 1].id if goes_on else None,
        }

    def results(
        self, player: str, zone: str, table_id: str, span: Span
    ) -> dict[str, Any] | Refused:
        """What his hands at a table left him, by the day on which they ended, the oldest first.
        `last` is the last hand that was looked at, and `ended` when it did; `next` is the hand from
        which it goes on. Raises ArchiveUnreadError: a sum without the hands that it should have is
        none.
        """
        days = _days(zone)
        if days is None:
            return UNKNOWN_ZONE
        sums: dict[str, dict[str, Any]] = {}
        settings = self._settings(table_id)
        told: dict[str, Any] = {
            "table": table_id,
            "stake": None if settings is None else settings.stakes.structure,
            "days": [],
            "unreadable": [],
            "last": 0,
            "ended": None,
            "next": None,
        }
        delayed = settings is None or settings.delay_s
        if delayed and table_id not in self._played.stays(player):
            # How many hands it has had he may not know before its spectators, if they are to wait.
            return told
        first = span.hand or self._played.last_before(table_id, span.since) + 1
        for number in range(first, first + LOOKED_AT, READ):
            page = self._page(table_id, number)
            if page is None:
                break
            for hand, record in page:
                if record is not None and span.until is not None and record.ended > span.until:
                    told["days"] = list(sums.values())
                    return told
                if record is not None and not span.hand and record.ended < span.since:
                    continue  # Written only now, after the first one was looked for.
                told["last"] = hand
                if record is None or not self._count(record, player, days, sums):
                    told["unreadable"].append(hand)
                if record is not None:
                    told["ended"] = record.ended
        else:
            told["next"] = first + LOOKED_AT
        told["days"] = list(sums.values())
        return told

    def _settings(self, table_id: str) -> Settings | None:
        """None where nobody knows them any more."""
        try:
            meta = self._tables.meta(table_id)
        except DamagedError:
            return None  # Reported.
        return None if meta is None else meta.settings

    def _page(self, table_id: str, number: int) -> list[tuple[int, HandRecord | None]] | None:
        """The records of the next hands from this one on, in order; None where there are none."""
        last = up_to = number + READ - 1
        found: list[tuple[int, HandRecord | None]] = []
        while up_to >= number:
            part = self._played.records(table_id, up_to, READ)
            found += (one for one in part if one[0] >= number)
            if not part or part[-1][0] <= number:
                break
            # Not all that was asked for: what lies before is asked for by itself, or refused.
            up_to = part[-1][0] - 1
        if found:
            return found[::-1]
        newest = self._played.records(table_id, MAX_HAND, 1)
        return [] if newest and newest[0][0] > last else None

    def _count(
        self, record: HandRecord, player: str, days: Days, sums: dict[str, dict[str, Any]]
    ) -> bool:
        """Adds what it left him to that day; False where nothing can be told of it."""
        try:
            found = outcome(record, player)
        except UNREADABLE as fault:
            self._signals.count("ItemDamaged")
            self._signals.fault("results", fault, table=record.table_id, hand=record.number)
            return False
        if found is not None:
            day = str(days.day(record.ended))
            one = sums.setdefault(day, {"day": day, "hands": 0, "net": 0, "rake": 0})
            one["hands"] += 1
            one["net"] += found.net
            one["rake"] += found.rake
        return True


def _days(zone: str) -> Days | None:
    """None where there is no such zone."""
    days = Days(zone=Zone(zone))
    try:
        _ = days.zone.info
    except ValueError:
        return None
    return days


def _row(entry: Entry, days: Days) -> dict[str, Any]:
    row = {
        "currency": entry.currency,
        "number": entry.number,
        "at": entry.at,
        "day": str(days.day(entry.at)),
        "time": f"{moment(entry.at, days.zone.info):%H:%M:%S}",
        "kind": str(entry.kind),
        "amount": entry.amount,
        "balance": entry.balance,
        "table": entry.table or None,
        "reference": entry.reference or None,
        "who": entry.who if entry.who in (entry.player, TABLE) else HOUSE,
        "why": entry.why,
    }
    return {
        name: value[:LONGEST] if isinstance(value, str) else value for name, value in row.items()
    }
