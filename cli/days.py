"""Days of a time zone, from a first to a last one, as reports are asked for."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from cli.exporting import Zone
from cli.formats.amounts import moment
from cli.printable import printable

SECOND: Final = 1000
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Days:
    """Both ends are included; without one it is open there."""

    first: date | None = None
    last: date | None = None
    zone: Zone = field(default_factory=Zone)

    @property
    def begins(self) -> int | None:
        """The first millisecond of the first day."""
        return None if self.first is None else midnight(self.first, self.zone)

    @property
    def ends(self) -> int | None:
        """The first millisecond after the last day."""
        return None if self.last is None else midnight(self.last + _DAY, self.zone)

    def day(self, at: int) -> date:
        """Of this moment (ms): where the clock is set back over midnight, that of the first one."""
        found = moment(at, self.zone.info).date()
        if at >= midnight(found + _DAY, self.zone):
            return found + _DAY
        return found if at >= midnight(found, self.zone) else found - _DAY

    def __str__(self) -> str:
        first = "the beginning" if self.first is None else str(self.first)
        last = "now" if self.last is None else str(self.last)
        return f"{first} to {last}, days and times of {self.zone.name}"


@lru_cache(maxsize=4096)
def midnight(day: date, zone: Zone) -> int:
    """The moment (ms) at which this day begins there. A day has 23 to 25 hours, or, once, none."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone.info)
    return int(begins.timestamp()) * SECOND


def days(first: str | None, last: str | None, zone: str) -> Days:
    """As they are written on the command line. Raises ValueError with one sentence."""
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
