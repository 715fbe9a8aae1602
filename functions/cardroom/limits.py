"""The limits that a player sets himself: deposits and losses of a day, a reminder, an exclusion.

A limit is lowered at once; raised or lifted 24 hours after he has asked for it. An exclusion holds
at once, can only be prolonged, and ends by itself. Both keep him from bringing money and chips, and
never from leaving, being paid or withdrawing.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Final, Protocol

from cardroom.errors import Refused, RoomCode
from cardroom.money import Turnover, Wallet
from cardroom.ports import Clock
from cardroom.shape import dated, holds
from cardroom.spans import DAY_MS
from poker_engine.frozen import dataclass

WAIT_MS: Final = DAY_MS
"""From asking for a higher limit to having it."""
LONGEST_MS: Final = 1_827 * DAY_MS
"""The longest exclusion that is asked for at once: five years."""
TRIES: Final = 5
PAUSE_MS: Final = 25
DEPOSIT: Final = "deposit_day"
LOSS: Final = "loss_day"
REMINDER: Final = "reminder_minutes"
EXCLUSION: Final = "exclude_until"


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit, None for none; and what it will be from the moment `at` (ms) on, if that is set."""

    value: int | None = None
    next: int | None = None
    at: int | None = None

    def on(self, now: int) -> "Limit":
        """As it is at this moment."""
        due = self.at is not None and now >= self.at
        return Limit(self.next) if due else self

    def wished(self, value: int | None, now: int) -> "Limit":
        """The last wish counts: a lower one at once, any other in a day, also if a change was under
        way. The same wish again changes nothing.
        """
        held = self.on(now)
        if value == held.value or (
            value is not None and (held.value is None or value < held.value)
        ):
            return Limit(value)
        if held.at is not None and held.next == value:
            return held
        return Limit(held.value, value, now + WAIT_MS)


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a player; those in money by currency, in minor units."""

    player: str
    deposits: Mapping[str, Limit] = field(default_factory=dict)
    losses: Mapping[str, Limit] = field(default_factory=dict)
    reminder: Limit = Limit()
    """In minutes."""
    excluded_until: int = 0
    version: int = 0
    """How often they were changed."""

    def excluded(self, now: int) -> Refused | None:
        """Whether he has excluded himself, so that he brings nothing and waits for no seat."""
        if now >= self.excluded_until:
            return None
        until = self.excluded_until
        return Refused(
            RoomCode.EXCLUDED, f"you have excluded yourself until {until}", {"until": until}
        )

    def loss_left(self, currency: str, turnover: Turnover, now: int) -> int | None:
        """How many chips he may still buy on this day; None: any number."""
        return _left(self.losses.get(currency), turnover.on(now).lost, now)

    def deposit_left(self, currency: str, turnover: Turnover, now: int) -> int | None:
        """How much he may still deposit on this day; None: any amount."""
        return _left(self.deposits.get(currency), turnover.on(now).deposited, now)

    def buying(self, currency: str, turnover: Turnover, chips: int, now: int) -> Refused | None:
        """Why these chips may not be bought, if they may not."""
        if (excluded := self.excluded(now)) is not None:
            return excluded
        left = self.loss_left(currency, turnover, now)
        if left is None or chips <= left:
            return None
        until = turnover.on(now).ends
        limit = self.losses[currency].on(now).value or 0
        return Refused(
            RoomCode.LOSS_LIMIT,
            f"your limit of a day's losses is {limit}: until {until} you may buy {left}",
            {"limit": limit, "left": left, "until": until},
        )

    def dump(self) -> str:
        """As JSON text: lists of [value, next, at] by what they limit."""
        parts = {
            "deposits": {currency: _row(limit) for currency, limit in self.deposits.items()},
            "losses": {currency: _row(limit) for currency, limit in self.losses.items()},
            "reminder": _row(self.reminder),
            "excluded_until": self.excluded_until,
        }
        return json.dumps(parts, separators=(",", ":"))

    @staticmethod
    def load(player: str, version: int, text: str) -> "Limits":
        """Raises LookupError, ValueError or TypeError if the text is not what `dump` writes."""
        parts = json.loads(text)
        limits = Limits(
            player,
            {currency: Limit(*row[:3]) for currency, row in parts["deposits"].items()},
            {currency: Limit(*row[:3]) for currency, row in parts["losses"].items()},
            Limit(*parts["reminder"][:3]),
            parts["excluded_until"],
            version,
        )
        each = (limits.reminder, *limits.deposits.values(), *limits.losses.values())
        if not holds(each, tuple[Limit, ...]) or not holds(limits.excluded_until, int):
            raise ValueError("not the limits of a player")
        for at in (limits.excluded_until, *(one.at for one in each if one.at is not None)):
            dated(at)
        return limits


def _row(limit: Limit) -> list[int | None]:
    return [limit.value, limit.next, limit.at]


def _left(limit: Limit | None, used: int, now: int) -> int | None:
    value = None if limit is None else limit.on(now).value
    return None if value is None else max(0, value - used)


class Limited(Protocol):
    """Where limits and wallets are read."""

    def limits(self, player: str) -> Limits: ...

    def wallet(self, player: str, currency: str) -> Wallet: ...


class Kept(Limited, Protocol):
    """And where limits are kept."""

    def put_limits(self, limits: Limits) -> bool:
        """False if they are not what they were one version before."""
        ...


def may_play(store: Limited, player: str, currency: str, chips: int, now: int) -> Refused | None:
    """Why he may not ask for a seat that takes so many chips, if his limits do not let him. Raises
    WalletError.
    """
    limits = store.limits(player)
    excluded = limits.excluded(now)
    if excluded is not None or currency not in limits.losses:
        return excluded
    return limits.buying(currency, store.wallet(player, currency).turnover, chips, now)


def wished(
    limits: Limits, currency: str | None, asked: Mapping[str, int | None], now: int
) -> Limits | Refused:
    """The limits with what is asked for, by field of the message: all of it or nothing."""
    deposits, losses = dict(limits.deposits), dict(limits.losses)
    reminder, excluded = limits.reminder, limits.excluded_until
    for name, value in asked.items():
        if name == EXCLUSION:
            refusal = _exclusion(limits, value, now)
            if refusal is not None:
                return refusal
            excluded = value or 0
        elif name == REMINDER:
            reminder = reminder.wished(value, now)
        elif currency is not None:
            held = deposits if name == DEPOSIT else losses
            held[currency] = held.get(currency, Limit()).wished(value, now)
    return replace(
        limits, deposits=deposits, losses=losses, reminder=reminder, excluded_until=excluded
    )


def _exclusion(limits: Limits, value: int | None, now: int) -> Refused | None:
    held = limits.excluded_until
    if now < held and (value is None or value < held):
        sentence = f"you have excluded yourself until {held}: that can only be prolonged"
        return Refused(RoomCode.EXCLUDED, sentence, {"until": held})
    if value is not None and value <= now:
        return Refused(RoomCode.BAD_MESSAGE, f"`{EXCLUSION}` is a moment to come")
    if value is not None and value > now + LONGEST_MS:
        return Refused(RoomCode.BAD_MESSAGE, f"`{EXCLUSION}` is five years ahead at most")
    return None


def change(
    store: Kept, player: str, currency: str | None, asked: Mapping[str, int | None], clock: Clock
) -> Limits | Refused:
    """Set what the player asks for; asked again, nothing more is changed."""
    for attempt in range(1, TRIES + 1):
        held = store.limits(player)
        wanted = wished(held, currency, asked, clock.now())
        if isinstance(wanted, Refused) or wanted == held:
            return wanted
        wanted = replace(wanted, version=held.version + 1)
        if store.put_limits(wanted):
            return wanted
        clock.pause(PAUSE_MS * attempt)
    return Refused(RoomCode.BUSY, "your limits are being changed; try again")


def limits_view(limits: Limits, wallets: Iterable[Wallet], now: int) -> dict[str, Any]:
    """What a player is shown: each limit in force, what it will be and when, and how much of a day
    is used.
    """
    by_currency = {wallet.currency: wallet for wallet in wallets}
    named = sorted(by_currency.keys() | limits.deposits.keys() | limits.losses.keys())
    excluded = now < limits.excluded_until
    return {
        "day_ends": Turnover().on(now).ends,
        REMINDER: _view(limits.reminder, now),
        EXCLUSION: limits.excluded_until if excluded else None,
        "currencies": [
            _money_view(limits, by_currency.get(name) or Wallet(limits.player, name), now)
            for name in named
        ],
    }


def _money_view(limits: Limits, wallet: Wallet, now: int) -> dict[str, Any]:
    currency, today = wallet.currency, wallet.turnover.on(now)
    return {
        "currency": currency,
        DEPOSIT: _view(limits.deposits.get(currency, Limit()), now),
        "deposited": today.deposited,
        LOSS: _view(limits.losses.get(currency, Limit()), now),
        "lost": today.lost,
    }


def _view(limit: Limit, now: int) -> dict[str, Any]:
    held = limit.on(now)
    following = None if held.at is None else {"value": held.next, "at": held.at}
    return {"value": held.value, "next": following}
