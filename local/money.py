"""Amounts as people write them: minor units to text and back, without floats."""

import re
from typing import Final

from cli.printable import printable

SIGNS: Final = {"PHP": "P", "USD": "$"}
LARGEST: Final = 99_999_999_999_999
"""The largest amount that is read, in minor units. What a message may carry is less."""
_AMOUNT: Final = re.compile(r"[0-9]+(\.[0-9]{1,2})?", re.ASCII)


def shown(amount: int, currency: str = "") -> str:
    """Minor units as text: 1250 is P12.50, 1200 is P12."""
    whole, rest = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else ""
    return f"{sign}{SIGNS.get(currency, '')}{whole}" + (f".{rest:02}" if rest else "")


def parsed(text: str) -> int:
    """The minor units of a written amount, exactly: "12.5" is 1250. Raises ValueError with one
    sentence.
    """
    if _AMOUNT.fullmatch(text) is None:
        raise ValueError(
            f"{printable(text)!r} is not an amount: write 12 or 12.50, two decimals at most."
        )
    whole, _, rest = text.partition(".")
    whole = whole.lstrip("0") or "0"
    # Of many digits nothing is made: that would take long.
    if len(whole) > len(str(LARGEST)) - 2:
        raise ValueError(f"{printable(text)!r} is too large.")
    return int(whole) * 100 + int(rest.ljust(2, "0"))
