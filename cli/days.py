"""Days as they are written on the command line."""

from datetime import UTC, date, datetime

from cardroom.days import Days, Zone
from cli.printable import printable


def days(first: str | None, last: str | None, zone: str) -> Days:
    """From a first day to a last one in a zone. Raises ValueError with one sentence."""
    found = Days(_day(first), _day(last), Zone(zone))
    _ = found.zone.info
    if found.first is not None and found.last is not None and found.last < found.first:
        raise ValueError(f"{found.last} is before {found.first}")
    return found


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
        if not 1970 <= found.year < 9000:
            raise ValueError
    except ValueError:
        raise ValueError(f"{printable(text)!r} is no day, like 2026-11-30") from None
    return found
