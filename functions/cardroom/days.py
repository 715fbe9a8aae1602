"""Days of a time zone, from a first to a last one: what reports and statements count by."""

from dataclasses import field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from cardroom.spans import SECOND_MS
from poker_engine.frozen import dataclass

_DAY: Final = timedelta(days=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone by its IANA name."""

    name: str = "UTC"

    @property
    def info(self) -> tzinfo:
        """Raises ValueError with one sentence where there is none of this name."""
        if self.name == "UTC":
            return UTC
        # Only here: who asks for no days need not wait for it.
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(self.name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{self.name[:60]!r} is no time zone, like Asia/Manila") from None


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


def moment(at: int, zone: tzinfo) -> datetime:
    """Milliseconds since 1970 as a time of this zone."""
    return (_EPOCH + timedelta(milliseconds=at)).astimezone(zone)


@lru_cache(maxsize=4096)
def midnight(day: date, zone: Zone) -> int:
    """The moment (ms) at which this day begins there. A day has 23 to 25 hours, or, once, none."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone.info)
    return int(begins.timestamp()) * SECOND_MS
