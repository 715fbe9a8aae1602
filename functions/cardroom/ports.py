"""What the room needs of the world. The composition root binds these to AWS, tests to fakes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

# Functions that only know connections need no engine.
if TYPE_CHECKING:
    from cardroom.money import Departure, Entry, Wallet
    from cardroom.stored import Change, Stored


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970."""
        ...

    def pause(self, ms: int) -> None:
        """Wait before another try."""
        ...


class Randomness(Protocol):
    """All from the operating system's source: what a player could guess is money."""

    def deck(self) -> tuple[int, ...]:
        """All 52 cards, every order equally likely."""
        ...

    def token(self) -> str:
        """A name that nobody can guess and nothing else has."""
        ...

    def below(self, limit: int) -> int:
        """Uniform in range(limit)."""
        ...


@dataclass(frozen=True, slots=True)
class Secret:
    """A shuffled deck, and the table (as text of the engine's codec) when its hand began."""

    deck: tuple[int, ...]
    opening: str


class Wallets(Protocol):
    """Players' money, to be read; it is changed in the write of a table. All reads are consistent.

    Raises WalletError where a wallet or an entry cannot be read.
    """

    def wallet(self, player: str, currency: str) -> Wallet:
        """Empty where he has none."""
        ...

    def entry(self, player: str, entry_id: str) -> Entry | None: ...

    def departures(self, player: str, structure: str) -> tuple[Departure, ...]:
        """His leavings of tables of this structure, whatever their age."""
        ...


class Tables(Wallets, Protocol):
    """Tables, their decks and their records, and the wallets that a change of a table moves."""

    def load(self, table_id: str) -> Stored | None:
        """The table now (a consistent read), or None."""
        ...

    def write(self, change: Change) -> None:
        """The change, its hand record, its rake entry and its books: all or nothing.

        Raises Conflict if table or wallets have changed meanwhile, Ambiguous if nobody knows.
        """
        ...

    def create(self, stored: Stored, opened_at: int) -> bool:
        """A new table, its META and its place in the list; False if the id is taken."""
        ...

    def put_secret(self, table_id: str, deck_id: str, secret: Secret, expires: int) -> None:
        """Written once, before the STATE that names it; `expires` in seconds since 1970."""
        ...

    def secret(self, table_id: str, deck_id: str) -> Secret | None: ...

    def overdue(self, before: int) -> list[str]:
        """Ids of tables on which something was due before this moment (ms), payments included."""
        ...

    def listed(self) -> list[str]:
        """Ids of the open tables."""
        ...


@dataclass(frozen=True, slots=True)
class Viewer:
    """A connection that watches a table from a seat."""

    connection: str
    player: str


@dataclass(frozen=True, slots=True)
class Audience:
    seated: tuple[Viewer, ...]
    shards: tuple[int, ...]
    """Shards of spectators with somebody in them."""


class Views(Protocol):
    """Who is connected, and who watches what."""

    def connect(self, connection: str, player: str, now: int) -> None:
        """Raises if another player has a connection of this id."""
        ...

    def disconnect(self, connection: str) -> None:
        """Forget the connection and all that it watched. Harmless if it is not known."""
        ...

    def watch(
        self, table_id: str, connection: str, player: str, *, seated: bool, seq: int, now: int
    ) -> None:
        """Watch from a seat, or among the spectators; the other place is given up. `seq` is of the
        table that told whether the player has a seat.
        """
        ...

    def unseat(self, table_id: str, viewer: Viewer, seq: int, now: int) -> None:
        """Watch among the spectators, as the table at `seq` has no seat for this player; but not
        if he has taken one since.
        """
        ...

    def unwatch(self, table_id: str, connection: str) -> None: ...

    def audience(self, table_id: str, now: int) -> Audience: ...

    def spectators(self, table_id: str, shard: int, now: int) -> list[str]: ...

    def close_shard(self, table_id: str, shard: int, now: int) -> None:
        """Nobody watches from this shard any more, unless somebody has just come."""
        ...


class Delivery(Enum):
    DONE = auto()
    GONE = auto()
    FAILED = auto()


class Push(Protocol):
    def post(self, posts: Iterable[tuple[str, bytes]]) -> list[tuple[str, Delivery]]:
        """Send each connection its bytes, at the same time; never raises for one that fails."""
        ...


class Timers(Protocol):
    def start(self, name: str, table_id: str, hand: int, wait: int) -> None:
        """A clock execution for this hand that first wakes at `wait` (ms). A second start of a name
        is harmless.
        """
        ...


class Queue(Protocol):
    def send(self, body: str) -> None: ...


type Field = str | int | float | bool | None


class Signals(Protocol):
    """Logs and metrics. Never given a card, a token or a message's body."""

    def note(self, what: str, **fields: Field) -> None: ...

    def count(self, metric: str, value: float = 1) -> None: ...

    def milliseconds(self, metric: str, value: float) -> None: ...

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        """Something that should not happen: kind and place of the error, never its text."""
        ...
