"""The money of one write of a table: who pays for chips, who is paid, and what has to wait.

Chips cross between wallet and table in the write that brings or empties the seat, or not at all. A
seat is emptied even where its owner's wallet cannot be written: its chips are then `leaving`, still
the table's, until a later write pays them.
"""

from cardroom import keys
from cardroom.errors import Refused, RoomCode, WalletError
from cardroom.money import Books, Departure, Entry, Kind, Leaving, Move
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
        self._moves: dict[str, Move] = {}
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
        return Books(tuple(self._moves.values()), tuple(self._departures), self._returned)

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
        move = self._move(player)
        if move.wallet.suspended:
            return Refused(RoomCode.SUSPENDED, "you may not buy chips; what you have stays yours")
        if move.balance < chips:
            return Refused(
                RoomCode.INSUFFICIENT_FUNDS,
                f"your balance is {move.balance}, which does not pay for {chips}",
                {"balance": move.balance, "amount": chips},
            )
        entry = self._entry(keys.bought(command_id), player, kind, -chips, player, str(kind), seq)
        self._moves[player] = move.add(entry)
        self.brought += chips
        return None

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
        """What this write does to the player's wallet so far: one wallet is written once."""
        if player not in self._moves:
            currency = self._stored.table.settings.stakes.currency
            return Move(self._wallets.wallet(player, currency))
        return self._moves[player]

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
