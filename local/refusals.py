"""What the room refuses, in words for a player: its codes and numbers with the table's currency.

The room's own sentences name amounts in minor units, which nobody at a table counts in.
"""

import time
from collections.abc import Callable
from typing import Final

from cli.printable import printable
from local.client import RequestError
from local.money import shown
from local.table_view import Json

AMOUNTS: Final = frozenset(
    {"minimum", "maximum", "amount", "balance", "min_to", "max_to", "to_call", "price", "to",
     "limit", "left"}
)  # fmt: skip
"""Facts that are money, whatever the code."""
MOMENTS: Final = frozenset({"until"})
"""Facts that are moments, whatever the code."""
DAY_SECONDS: Final = 86_400
COUNTS: Final = frozenset({"too_large", "too_deep"})
"""Codes whose `maximum` is none: it counts bytes, or brackets."""


def sentence(error: RequestError, currency: str, route: str = "", do: str = "") -> str:
    """One sentence on why the room refused a request of this route; `do` is what was to be done.

    A code that nothing is known of is told in the room's own words.
    """
    said = _SENTENCES.get(error.code)
    if said is not None:
        try:
            return said(_Facts(error.facts, currency, route, do))
        except (KeyError, TypeError, ValueError, OverflowError):
            pass  # an older or a newer room: its own sentence has to do
    return printable(str(error), 160)


def moment(at: int) -> str:
    """Of milliseconds, on this machine's clock; the day too, where it is far."""
    seconds = at // 1000
    far = seconds - time.time() > DAY_SECONDS
    return time.strftime("%Y-%m-%d %H:%M" if far else "%H:%M", time.localtime(seconds))


def utc(at: int) -> str:
    """Of milliseconds, with the day: what a player limits himself by ends and begins in UTC."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at // 1000))


class _Facts:
    """The numbers of a refusal as they are written."""

    def __init__(self, facts: Json, currency: str, route: str, do: str) -> None:
        self._facts = facts
        self._currency = currency
        self.topping_up = route == "topup"
        self.do = do if do in ("bet", "raise") else "amount"
        self.to = "to " if do == "raise" else ""

    def has(self, name: str) -> bool:
        return name in self._facts

    def amount(self, name: str) -> str:
        return shown(int(self._facts[name]), self._currency)

    def nothing(self, name: str) -> bool:
        return not int(self._facts[name])

    def moment(self, name: str) -> str:
        return moment(int(self._facts[name]))

    def utc(self, name: str) -> str:
        return utc(int(self._facts[name]))


def _too_small(facts: _Facts) -> str:
    least = facts.amount("minimum")
    if facts.topping_up:
        return f"Top up by {least} or more."
    if facts.has("until"):
        until = facts.moment("until")
        return f"You left such a table: until {until} the buy-in is at least {least}."
    return f"The buy-in is at least {least}."


def _too_large(facts: _Facts) -> str:
    most = facts.amount("maximum")
    if facts.topping_up:
        if facts.nothing("maximum"):
            return "You have the most that this table allows: nothing can be added."
        return f"You may top up by {most} at most."
    if facts.has("minimum"):
        return f"The buy-in is {facts.amount('minimum')} to {most}."
    return f"The buy-in is at most {most}."


def _loss_limit(facts: _Facts) -> str:
    limit, left, until = facts.amount("limit"), facts.amount("left"), facts.utc("until")
    return f"Your limit for a day's losses is {limit}: until {until} you may buy chips for {left}."


_SENTENCES: Final[dict[str, Callable[[_Facts], str]]] = {
    "buy_in_too_small": _too_small,
    "buy_in_too_large": _too_large,
    "buy_in_fixed": lambda facts: (
        f"You left such a table: until {facts.moment('until')} the buy-in is exactly "
        f"{facts.amount('amount')}."
    ),
    "no_chips": lambda facts: (
        f"You have no chips: top up by {facts.amount('minimum')} or more, then sit in."
    ),
    "insufficient_funds": lambda facts: (
        f"You own {facts.amount('balance')}, which does not pay for {facts.amount('amount')}."
    ),
    "already_acted": lambda facts: (
        f"You have acted on this turn already: your bet is {facts.amount('to')}."
    ),
    "price_changed": lambda facts: f"The price is {facts.amount('price')} now: choose again.",
    "seat_reserved": lambda facts: (
        f"The free seats are kept for those who wait, until {facts.moment('until')} at least: "
        "type wait and the stake."
    ),
    "loss_limit": _loss_limit,
    "excluded": lambda facts: f"You have excluded yourself until {facts.utc('until')}.",
    "too_many_disputes": lambda facts: (
        f"You have disputed hands enough for a day: wait until {facts.utc('until')}."
    ),
    "cannot_check": lambda facts: f"You cannot check: call {facts.amount('to_call')} or fold.",
    "amount_too_small": lambda facts: (
        f"The least {facts.do} is {facts.to}{facts.amount('min_to')}."
    ),
    "amount_too_large": lambda facts: (
        f"The largest {facts.do} is {facts.to}{facts.amount('max_to')}."
    ),
}
TOLD: Final = frozenset(_SENTENCES)
"""Codes with a sentence of their own."""
