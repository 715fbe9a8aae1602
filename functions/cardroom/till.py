"""The money of one write of a table: who pays for chips, who is paid, and what has to wait.

Chips cross between wallet and table in the write that brings or empties the seat, or not at all. A
seat is emptied even where its owner's wallet cannot be written: its chips are then `leaving`, still
the table's, until a later write pays them.
"""

from cardroom import keys
from cardroom.errors import Refused, RoomCode, WalletError
from cardroom.limits import Limits
from cardroom.money import Books, Departure, Entry, Kind, Leaving, Move, Wallet
from cardroom.ports import Wallets
from cardroom.stored import Stored
from poker_engine.buyin import Left, binding
from poker_engine.events import Event, SeatEmptied
from poker_engine.state import Exit

PAYING_TRIES = 3
"""A write tried more often pays nobody, so that no wallet can hold up a table."""
MOST_PAID = 10
"""In one write: with a hand's record and its rake that makes 33 items."""


class Till:
    """Opened for one try of a write; the wallets that it moves are read here."""

    def __init__(
        self, wallets: Wallets, stored: Stored, now: int, attempt: int, player: str = ""
    ) -> None:
        """Pays first what has been leaving: at the first try all, later this player's alone."""
        self._wallets = wallets
        self._stored = stored
        self._now = now
        self._pays = attempt <= PAYING_TRIES
        self._read: dict[str, Wallet] = {}
        self._moves: dict[str, Move] = {}
        self._limits: dict[str, Limits] = {}
        self._departures: list[Departure] = []
        self._returned: Departure | None = None
        self._payments = 0
        self.brought = 0
        """Chips that this write takes from wallets."""
        self.paid = 0
        """Chips that it pays into wallets."""
        self.leaving: tuple[Leaving, ...] = ()
        for one in stored.leaving:
            self._settle(one, may=attempt == 1 or one.player == player)

    @property
    def books(self) -> Books:
        bought = [move.wallet.player for move in self._moves.values() if move.debits]
        limits = tuple((player, self._limits_of(player).version) for player in bought)
        return Books(tuple(self._moves.values()), tuple(self._departures), self._returned, limits)

    def empty(self, events: tuple[Event, ...]) -> None:
        """Pay the seats that these events emptied."""
        version = self._stored.version + 1
        for event in events:
            if isinstance(event, SeatEmptied) and event.chips:
                one = Leaving(event.seat, event.player, event.chips, event.exit, event.at, version)
                self._depart(one)
                self._settle(one)

    def departures(self, player: str) -> tuple[Departure, ...]:
        """The player's leavings of this structure, those of this write included."""
        structure = self._stored.table.settings.stakes.structure
        stored = self._wallets.departures(player, structure)
        return (*stored, *(one for one in self._departures if one.player == player))

    def buy(self, player: str, command_id: str, kind: Kind, chips: int, seq: int) -> Refused | None:
        """Take the chips from the player's wallet. Raises WalletError where that cannot be read."""
        move, limits = self._move(player), self._limits_of(player)
        if (excluded := limits.excluded(self._now)) is not None:
            return excluded
        if move.wallet.suspended:
            return Refused(RoomCode.SUSPENDED, "you may not buy chips; what you have stays yours")
        if move.balance < chips:
            return Refused(
                RoomCode.INSUFFICIENT_FUNDS,
                f"your balance is {move.balance}, which does not pay for {chips}",
                {"balance": move.balance, "amount": chips},
            )
        currency = move.wallet.currency
        if (limited := limits.buying(currency, move.turnover, chips, self._now)) is not None:
            return limited
        entry = self._entry(keys.bought(command_id), player, kind, -chips, player, str(kind), seq)
        self._moves[player] = move.add(entry)
        self.brought += chips
        return None

    def objection(self, player: str) -> Refused | None:
        """What his limits have against his buying any chips at all. Raises WalletError."""
        move, limits = self._move(player), self._limits_of(player)
        return limits.buying(move.wallet.currency, move.turnover, 1, self._now)

    def affords(self, player: str, chips: int) -> int | None:
        """How many of these chips the player's wallet pays for and his limits let him buy, none if
        he is suspended or has excluded himself (RULES 10.1). None where nobody knows, or this write
        was tried too often to ask.
        """
        if not self._pays:
            return None
        try:
            move, limits = self._move(player), self._limits_of(player)
        except WalletError:
            return None
        if move.wallet.suspended or limits.excluded(self._now) is not None:
            return 0
        left = limits.loss_left(move.wallet.currency, move.turnover, self._now)
        return min(chips, move.balance) if left is None else min(chips, move.balance, left)

    def refill(self, player: str, seat: int, chips: int, seq: int) -> None:
        """Take what was found to be afforded."""
        entry_id = keys.refilled(self._stored.table_id, self._stored.version + 1, seat)
        why = f"automatic {Kind.TOP_UP} seat {seat}"
        entry = self._entry(entry_id, player, Kind.TOP_UP, -chips, "table", why, seq)
        self._moves[player] = self._move(player).add(entry)
        self.brought += chips

    def come_back(self, departures: tuple[Departure, ...]) -> None:
        """A buy-in uses up the leaving that bound it (RULES 1.4)."""
        bound: Left | None = binding(tuple(one.left for one in departures), self._now)
        if bound is None:
            return
        used = next(one for one in departures if one.left == bound)
        if used in self._departures:
            self._departures.remove(used)
        else:
            self._returned = used

    def _depart(self, one: Leaving) -> None:
        # Written with the seat's end, paid or not: the rule binds from then on (RULES 1.4, 2.8).
        if one.exit is Exit.CLOSED:
            return
        structure = self._stored.table.settings.stakes.structure
        left = Left(one.chips, one.at, one.exit is Exit.REMOVED)
        self._departures.append(
            Departure(one.player, structure, self._stored.table_id, one.version, left)
        )

    def _settle(self, one: Leaving, *, may: bool = True) -> None:
        if may and self._pays and self._payments < MOST_PAID and self._pay(one):
            self._payments += 1
            self.paid += one.chips
        else:
            self.leaving = (*self.leaving, one)

    def _pay(self, one: Leaving) -> bool:
        try:
            move = self._move(one.player)
        except WalletError:
            return False
        entry_id = keys.paid_out(self._stored.table_id, one.version, one.seat)
        why = f"{one.exit} seat {one.seat}"
        entry = self._entry(entry_id, one.player, Kind.PAY_OUT, one.chips, "table", why)
        self._moves[one.player] = move.add(entry)
        return True

    def _move(self, player: str) -> Move:
        """What this write does to the player's wallet so far: it is read and written once."""
        if player in self._moves:
            return self._moves[player]
        if player not in self._read:
            currency = self._stored.table.settings.stakes.currency
            self._read[player] = self._wallets.wallet(player, currency)
        return Move(self._read[player])

    def _limits_of(self, player: str) -> Limits:
        """As they were when this write first asked: it is refused if they have changed since."""
        if player not in self._limits:
            self._limits[player] = self._wallets.limits(player)
        return self._limits[player]

    def _entry(
        self, entry_id: str, player: str, kind: Kind, amount: int, who: str, why: str, seq: int = 0
    ) -> Entry:
        return Entry(
            id=entry_id,
            player=player,
            currency=self._stored.table.settings.stakes.currency,
            kind=kind,
            amount=amount,
            at=self._now,
            who=who,
            why=why,
            table=self._stored.table_id,
            version=self._stored.version + 1,
            seq=seq,
        )
