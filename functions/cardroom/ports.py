"""What the room needs of the world. The composition root binds these to AWS, tests to fakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

# Functions that only know connections need no engine.
if TYPE_CHECKING:
    from cardroom.limits import Limits
    from cardroom.listing import Row
    from cardroom.money import Departure, Entry, Standing, Wallet
    from cardroom.session import Session
    from cardroom.stored import Change, HandRecord, Meta, Stored
    from cardroom.waiting import Line, Waiter


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

    def wallets(self, player: str) -> tuple[Wallet, ...]:
        """All that he has."""
        ...

    def standing(self, player: str) -> Standing | None:
        """None where he is no player of the room yet."""
        ...

    def limits(self, player: str) -> Limits:
        """None at all where he has set none."""
        ...

    def put_limits(self, limits: Limits) -> bool:
        """False if they are not what they were one version before."""
        ...

    def session(self, player: str) -> Session | None:
        """The last one that is known of."""
        ...

    def put_session(self, player: str, session: Session) -> None: ...

    def entry(self, player: str, entry_id: str) -> Entry | None: ...

    def entries_after(self, player: str, after: str | None, most: int) -> list[Entry]:
        """So many of his entries, or all that there are, in the order of their ids, from the first
        or from the one after this.
        """
        ...

    def departures(self, player: str, structure: str) -> tuple[Departure, ...]:
        """His leavings of tables of this structure, whatever their age."""
        ...


class Listing(Protocol):
    """The list of open tables."""

    def listed(self) -> list[str]:
        """Ids of the open tables."""
        ...

    def rows(self) -> tuple[Row, ...]:
        """The open tables as the lobby shows them, by id (a consistent read)."""
        ...

    def list_row(self, row: Row, seq: int) -> None:
        """Show this of the table at `seq`; not where a newer row is shown, or the table is not open
        any more.
        """
        ...


class Tables(Wallets, Listing, Protocol):
    """Tables, their decks and their records, and the wallets that a change of a table moves."""

    def load(self, table_id: str) -> Stored | None:
        """The table now (a consistent read), or None."""
        ...

    def chips_missing(self, table_id: str) -> int | None:
        """Chips in less chips out, less what is there, as `load` refuses it: below 0 there are too
        many. None where there is no such table. Raises DamagedError.
        """
        ...

    def write(self, change: Change) -> None:
        """The change, its hand record, its rake entry and its books: all or nothing.

        Raises Conflict if table or wallets have changed meanwhile, Ambiguous if nobody knows.
        """
        ...

    def create(self, stored: Stored, opened_at: int, *, base: str = "", most: int = 1) -> bool:
        """A new table, its META (see Meta) and its place in the list; False if the id is taken."""
        ...

    def meta(self, table_id: str) -> Meta | None:
        """How the table was opened."""
        ...

    def put_secret(self, table_id: str, deck_id: str, secret: Secret, expires: int) -> None:
        """Written once, before the STATE that names it; `expires` in seconds since 1970."""
        ...

    def secret(self, table_id: str, deck_id: str) -> Secret | None: ...

    def overdue(self, before: int) -> list[str]:
        """Ids of tables on which something was due before this moment (ms), payments included."""
        ...


@dataclass(frozen=True, slots=True)
class Stay:
    """At a table: when (ms) he was last charged for chips there, or paid out. It is not `over`
    while he sits, and where he left without a chip, of which no entry tells.
    """

    at: int
    over: bool


class Played(Protocol):
    """Hands that are over, old ones too. What is damaged is reported.

    All raise ArchiveUnreadError where an old one is asked for that cannot be read now.
    """

    def record(self, table_id: str, number: int) -> HandRecord | None:
        """Raises DamagedError."""
        ...

    def records(self, table_id: str, up_to: int, most: int) -> list[tuple[int, HandRecord | None]]:
        """So many at most up to this number, the newest first; None where one is damaged."""
        ...

    def last_before(self, table_id: str, moment: int) -> int:
        """Number of the last hand that ended before this moment (ms), or 0."""
        ...

    def stays(self, player: str) -> dict[str, Stay]:
        """The last one at each table where he ever sat."""
        ...


@dataclass(frozen=True, slots=True)
class Viewer:
    """A connection that watches a table from a seat."""

    connection: str
    player: str
    seq: int = 0
    """Of the table that told that he has a seat."""


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

    def connections_of(self, player: str) -> list[str]:
        """His connections, on all devices: as of a moment ago, and some may have ended unnoticed.
        A guest has none.
        """
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

    def show(self, table_id: str, seq: int, data: str) -> bool:
        """Keep what the spectators of a delayed table are sent; False where that is older than what
        they have been sent.
        """
        ...

    def shown(self, table_id: str) -> str | None:
        """What the spectators of a delayed table were sent last (a consistent read)."""
        ...


class Watchers(Protocol):
    """Who watches the lobby, and how many watch each table."""

    def watch(self, connection: str, player: str, now: int) -> None: ...

    def unwatch(self, connection: str) -> None: ...

    def watchers(self, now: int) -> list[str]:
        """Connections that watch the lobby (a consistent read)."""
        ...

    def claim(self, slot: int, errand: str) -> bool:
        """Whether this slot is the errand's: the first of this or any later slot has it, however
        often it comes.
        """
        ...

    def crowds(self, now: int) -> dict[str, int]:
        """Spectators of each table that has any."""
        ...


class Lines(Protocol):
    """Who waits for a seat at which stake. A player is in a line once."""

    def line(self, structure: str) -> Line:
        """All of them, the first one first, those whose offer has lapsed too (consistent)."""
        ...

    def of(self, player: str, structures: Iterable[str]) -> frozenset[str]:
        """Those of these stakes in whose lines he is, his offer lapsed or not (consistent)."""
        ...

    def lengths(self, structures: Iterable[str]) -> Mapping[str, int]:
        """How many wait at each of these stakes, as of a moment ago."""
        ...

    def join(self, structure: str, player: str, now: int) -> None:
        """At the end of the line; who is in it keeps his place."""
        ...

    def leave(self, structure: str, player: str) -> None:
        """Harmless if he is not in it."""
        ...

    def offer(self, waiter: Waiter, table_id: str, until: int) -> bool:
        """Offer him a seat at this table, of which he is not told yet. As with all that follow:
        False, and nothing is done, where his place or offer is not the one that `waiter` was read
        with.
        """
        ...

    def take_back(self, waiter: Waiter) -> bool:
        """The offer; he is not told yet."""
        ...

    def told(self, waiter: Waiter) -> bool: ...

    def drop(self, waiter: Waiter) -> bool:
        """He is in the line no more."""
        ...


class Delivery(Enum):
    DONE = auto()
    GONE = auto()
    FAILED = auto()


class Push(Protocol):
    def post(self, posts: Iterable[tuple[str, bytes]]) -> list[tuple[str, Delivery]]:
        """Send each connection its bytes, at the same time; never raises for one that fails."""
        ...


class Closer(Protocol):
    def close(self, connection: str) -> Delivery:
        """End a client's connection; GONE where it had ended already. Never raises."""
        ...


class Bans(Protocol):
    """Who is kept out for a while: a player, or guests (None) by the address they come from."""

    def ban(self, player: str | None, address: str, until: int) -> None:
        """Until this moment (ms)."""
        ...

    def banned(self, player: str | None, address: str, now: int) -> bool: ...


class Arrivals(Protocol):
    """From where players come."""

    def note(self, player: str, address: str, device: str, now: int) -> None:
        """`device` is what his client calls it, or empty."""
        ...


class Timers(Protocol):
    def start(self, name: str, table_id: str, hand: int, wait: int) -> None:
        """A clock execution for this hand that first wakes at `wait` (ms). A second start of a name
        is harmless.
        """
        ...


class Queue(Protocol):
    def send(self, body: str, delay: int = 0) -> None:
        """To be received at least once, not before `delay` seconds (900 at most) have passed."""
        ...


type Field = str | int | float | bool | None


class Signals(Protocol):
    """Logs and metrics. Never given a card, a token or a message's body."""

    def note(self, what: str, **fields: Field) -> None: ...

    def context(self, **fields: Field) -> None:
        """Fields of each line from here to the end of the invocation; None takes one away."""
        ...

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        """One of cardroom.metrics.METRICS; `by` where it is told apart by something."""
        ...

    def milliseconds(self, metric: str, value: float) -> None: ...

    def fault(self, where: str, error: BaseException, **fields: Field) -> None:
        """Something that should not happen: kind and place of the error, never its text."""
        ...
