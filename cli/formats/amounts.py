"""Amounts and times as texts."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def decimal(amount: int, unit: int) -> str:
    """Of smallest amounts, `unit` in one: 12.50, or 1250 where they are whole chips."""
    if unit == 1:
        return str(amount)
    whole, rest = divmod(abs(amount), unit)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:02d}"


def plain(amount: int, unit: int) -> str:
    """Without decimals where there are none: 12.50, 12."""
    text = decimal(amount, unit)
    return text.removesuffix(".00")


def moment(at: int, zone: tzinfo) -> datetime:
    """Milliseconds since 1970 as a time of this zone."""
    return (_EPOCH + timedelta(milliseconds=at)).astimezone(zone)
