"""Wallets, ledger entries and leavings, as values (RULES 1.4, 1.5).

Chips live in wallets, at tables and in rake entries, and nowhere else. Amounts are minor units of
the one currency of a wallet; an entry's amount is signed, as the wallet sees it.
"""

from dataclasses import field, replace
from enum import StrEnum
from functools import reduce

from cardroom.spans import DAY_MS
from poker_engine.buyin import RETURN_MS, Left
from poker_engine.frozen import dataclass
from poker_engine.state import Exit

"""Days begin at 00:00 UTC."""


class Kind(StrEnum):
    """Why money moved. Only the first two bring money into the room or take it out."""

    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    BUY_IN = "buy_in"
    TOP_UP = "top_up"
    PAY_OUT = "pay_out"


@dataclass(frozen=True, slots=True)
class Turnover:
    """What a wallet has seen on one day: its limits are held against this."""

    day: int = 0
    """Since 1970."""
    deposited: int = 0
    lost: int = 0
    """What went to tables less what came back from them; never below 0, so that chips of an earlier
    day, or won ones, that come back make no room for more than the limit.
    """

    @property
    def ends(self) -> int:
        """The moment (ms) from which it counts no more."""
        return (self.day + 1) * DAY_MS

    def on(self, now: int) -> "Turnover":
        """Of the day of this moment. A late try of what was asked for before midnight counts with
        the day that has begun.
        """
        return self if now // DAY_MS <= self.day else Turnover(now // DAY_MS)

    def after(self, entry: "Entry") -> "Turnover":
        """With this entry counted."""
        today = self.on(entry.at)
        match entry.kind:
            case Kind.DEPOSIT:
                return replace(today, deposited=today.deposited + entry.amount)
            case Kind.WITHDRAWAL:
                return today
            case Kind.BUY_IN | Kind.TOP_UP | Kind.PAY_OUT:
                return replace(today, lost=max(0, today.lost - entry.amount))


@dataclass(frozen=True, slots=True)
class Wallet:
    """A player's money of one currency. It changes with an entry of the ledger, never otherwise."""

    player: str
    currency: str
    balance: int = 0
    entries: int = 0
    """How many ledger entries made it."""
    suspended: bool = False
    """No buy-in is taken from it; what is paid to it arrives."""
    turnover: Turnover = Turnover()
    """Of the day of its last entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One movement of a wallet: appended, never changed.

    `id` tells one movement from another of the same player; a second put of it fails.
    """

    id: str
    player: str
    currency: str
    kind: Kind
    amount: int
    at: int
    who: str
    why: str
    number: int = 0
    """Of this wallet, from 1."""
    balance: int = 0
    """The wallet's, after it."""
    table: str = ""
    version: int = 0
    """The table's, whose write it belongs to."""
    seq: int = 0
    """The table's, after it: what its command was answered."""
    reference: str = ""
    """Of a deposit or withdrawal: what it is called outside."""


@dataclass(frozen=True, slots=True)
class Move:
    """A wallet as it was read, and the entries that change it, in order."""

    wallet: Wallet
    entries: tuple[Entry, ...] = ()

    @property
    def balance(self) -> int:
        """After the entries so far."""
        return self.entries[-1].balance if self.entries else self.wallet.balance

    @property
    def turnover(self) -> Turnover:
        """After the entries so far."""
        return reduce(Turnover.after, self.entries, self.wallet.turnover)

    @property
    def debits(self) -> bool:
        """Whether any of it is for a seat, which a suspended wallet does not pay."""
        return any(entry.kind in (Kind.BUY_IN, Kind.TOP_UP) for entry in self.entries)

    def add(self, entry: Entry) -> "Move":
        """With this entry as the next one, numbered, its balance filled in."""
        numbered = replace(
            entry,
            number=self.wallet.entries + len(self.entries) + 1,
            balance=self.balance + entry.amount,
        )
        return replace(self, entries=(*self.entries, numbered))


@dataclass(frozen=True, slots=True)
class Leaving:
    """Chips of an emptied seat that are not in their owner's wallet yet: still the table's."""

    seat: int
    player: str
    chips: int
    exit: Exit
    at: int
    version: int
    """The table's, whose write emptied the seat."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A record of one leaving of a table, for the returning-player rule (RULES 1.4)."""

    player: str
    structure: str
    table: str
    version: int
    """The table's, whose write emptied the seat."""
    left: Left

    @property
    def until(self) -> int:
        """The moment (ms) from which it binds no more."""
        return self.left.at + RETURN_MS


@dataclass(frozen=True, slots=True)
class Books:
    """What one write of a table moves beside it, in the same transaction."""

    moves: tuple[Move, ...] = ()
    departures: tuple[Departure, ...] = ()
    returned: Departure | None = None
    """Used up by a buy-in (RULES 1.4)."""
    limits: tuple[tuple[str, int], ...] = ()
    """Players who buy chips, each with the version of his limits that allows it."""


class Standing(StrEnum):
    """Of a player with the room."""

    OPEN = "open"
    SUSPENDED = "suspended"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the operator knows him; `who` set this standing, `why`, and at which moment."""

    name: str
    standing: Standing
    at: int
    who: str
    why: str
    created: int = 0
    wallets: tuple[Wallet, ...] = field(default=())
