"""Taking a seat: by name, the best of a stake, or by waiting for one.

What is kept for those who wait (see `waiting`) is looked up for each try of the write that seats a
player, after the table was read: a seat that was freed later makes that write be decided again. So
nobody is overtaken but by one who asked for his seat before he joined the line.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from cardroom import keys
from cardroom.damage import DamagedError
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.errands import Serve, ask
from cardroom.errors import DamagedWalletError, Refused, RoomCode
from cardroom.limits import may_play
from cardroom.listing import Row
from cardroom.money import Kind, Standing
from cardroom.ports import Lines, Queue, Tables
from cardroom.waiting import (
    Line,
    Waiter,
    best_first,
    free_seats,
    kept_from,
    place_of,
    waiting,
)
from poker_engine.commands import Sit
from poker_engine.errors import Code, Rejected
from poker_engine.frozen import dataclass
from poker_engine.stakes import MAX_SEATS
from poker_engine.state import Table


@dataclass(frozen=True, slots=True)
class InLine:
    """A player's place in a line: `number` of `length`, from 1, and the offer made to him."""

    waiter: Waiter
    number: int
    length: int
    now: int
    """Before it was looked up (ms): an offer that is made since is told with a later moment."""

    def view(self) -> dict[str, Any]:
        """As it is told to him."""
        return {
            "structure": self.waiter.structure,
            "place": self.number,
            "length": self.length,
            "table": self.waiter.table or None,
            "until": self.waiter.until or None,
        }


NEXT = frozenset(
    {
        Code.ALREADY_SEATED,
        Code.SEAT_TAKEN,
        Code.TABLE_CLOSING,
        Code.TABLE_FROZEN,
        RoomCode.SEAT_RESERVED,
        RoomCode.UNKNOWN_TABLE,
    }
)
"""Why there is no seat at a table: another may have one."""


class Seating:
    def __init__(self, tables: Tables, dealer: Dealer, lines: Lines, floor: Queue) -> None:
        self._tables = tables
        self._dealer = dealer
        self._lines = lines
        self._floor = floor

    def sit(self, table_id: str, wish: Wish) -> Applied | Refused:
        """With a wish to sit down, which is refused where all free seats are kept for others."""
        applied = self._dealer.apply(table_id, replace(wish, objection=self._kept(table_id, wish)))
        if isinstance(applied, Applied) and applied.refusal is None:
            self._off_the_line(applied, wish.player)
        return applied

    def quick_seat(
        self, structure: str, player: str, chips: int, command_id: str, *, post: bool
    ) -> Applied | Refused:
        """A seat at the best table of the stake that has one for him: the table is told by what was
        applied. Under one id he is seated once, at whichever table.
        """
        found = self._bought(structure, player, chips, command_id)
        if found is not None:
            return found
        rows = self._stake(structure)
        if not rows:
            return UNKNOWN_STAKE
        busy: Refused | None = None
        for row in self._in_order(rows, structure, player):
            command = Sit(player, row.players.index(None), chips, post)
            try:
                applied = self._sit_anywhere(row.table, command, player, command_id)
            except DamagedWalletError:
                raise
            except DamagedError:
                # Of this table; it is reported.
                continue
            refusal = applied if isinstance(applied, Refused) else applied.refusal
            if refusal is None:
                return applied
            if refusal.code is RoomCode.ID_USED:
                # Another try under this id was seated at another table at this moment.
                return self._bought(structure, player, chips, command_id) or applied
            if refusal.code is RoomCode.BUSY:
                busy = busy or Refused(RoomCode.BUSY, refusal.sentence)
            elif refusal.code not in NEXT:
                return applied
        return busy or ALL_FULL

    def wait(self, structure: str, player: str) -> InLine | Refused | Rejected:
        """A place in the stake's line; who has one keeps it."""
        rows = self._stake(structure)
        if not rows:
            return UNKNOWN_STAKE
        if any(self._sits_at(row, player) for row in rows):
            return SEATED
        wallet, least = self._tables.wallet(player, rows[0].currency), rows[0].minimum
        standing = self._tables.standing(player)
        if wallet.suspended or standing not in (None, Standing.OPEN):
            return SUSPENDED
        now = self._dealer.clock.now()
        limited = may_play(self._tables, player, rows[0].currency, least, now)
        if limited is not None:
            return limited
        if standing is None or wallet.balance < least:
            return Refused(
                RoomCode.INSUFFICIENT_FUNDS,
                f"your balance is {wallet.balance}, which does not pay for {least}",
                {"balance": wallet.balance, "amount": least},
            )
        self._lines.join(structure, player, now)
        ask(self._floor, Serve(structure))
        # Else he left it, or sat down, on another device at this moment.
        return self._place(structure, player) or NOT_WAITING

    def places(self, player: str, structures: Iterable[str]) -> list[InLine]:
        """Where he waits, of these stakes."""
        found = (self._place(one, player) for one in sorted(self._lines.of(player, structures)))
        return [place for place in found if place is not None]

    def _place(self, structure: str, player: str) -> InLine | None:
        now = self._dealer.clock.now()
        line = waiting(self._lines.line(structure), now)
        for number, waiter in enumerate(line, 1):
            if waiter.player == player:
                return InLine(waiter, number, len(line), now)
        return None

    def stop_waiting(self, structure: str, player: str) -> None:
        """What was offered to him goes on to the next."""
        self._lines.leave(structure, player)
        ask(self._floor, Serve(structure))

    def _kept(self, table_id: str, wish: Wish) -> Callable[[Table], Refused | None]:
        def objection(table: Table) -> Refused | None:
            structure = table.settings.stakes.structure
            now = self._dealer.clock.now()
            kept = kept_from(wish.player, table_id, self._line(structure))
            if table.seats.count(None) > kept.seats:
                return None
            if kept.before:
                # A seat is free, and the first in the line has not been offered it.
                ask(self._floor, Serve(structure))
            until = kept.until(now)
            sentence = "the free seats are kept for those who wait: ask to wait for one"
            return Refused(RoomCode.SEAT_RESERVED, sentence, {"until": until})

        return objection

    def _sit_anywhere(
        self, table_id: str, command: Sit, player: str, command_id: str
    ) -> Applied | Refused:
        """In another free seat of the table where the chosen one has been taken."""
        applied = self.sit(table_id, Wish(command, player, command_id))
        for _ in range(MAX_SEATS):
            if isinstance(applied, Refused) or applied.refusal is None:
                break
            seats = applied.stored.table.seats
            if applied.refusal.code is not Code.SEAT_TAKEN or None not in seats:
                break
            wish = Wish(replace(command, seat=seats.index(None)), player, command_id)
            applied = self.sit(table_id, wish)
        return applied

    def _in_order(self, rows: list[Row], structure: str, player: str) -> list[Row]:
        """The tables with a seat for him, that of an offer first, then the best."""
        mine = place_of(self._line(structure), player)
        offered = "" if mine is None else mine.table
        free = [row for row in rows if free_seats(row) and player not in row.players]
        return sorted(best_first(free), key=lambda row: row.table != offered)

    def _bought(
        self, structure: str, player: str, chips: int, command_id: str
    ) -> Applied | Refused | None:
        """What was answered to this id before."""
        entry = self._tables.entry(player, keys.bought(command_id))
        if entry is None:
            return None
        stored = self._tables.load(entry.table)
        if (
            stored is not None
            and stored.table.settings.stakes.structure == structure
            and (entry.kind, entry.amount) == (Kind.BUY_IN, -chips)
        ):
            applied = Applied(stored, entry.seq)
            self._off_the_line(applied, player)
            return applied
        return Refused(RoomCode.ID_USED, "this id was for something else: take a new one")

    def _off_the_line(self, applied: Applied, player: str) -> None:
        """Who sits at a stake waits for it no more. A late repetition finds him up again."""
        table = applied.stored.table
        if table.seat_of(player) is not None:
            self._lines.leave(table.settings.stakes.structure, player)

    def _line(self, structure: str) -> Line:
        return waiting(self._lines.line(structure), self._dealer.clock.now())

    def _stake(self, structure: str) -> list[Row]:
        return [row for row in self._tables.rows() if row.structure == structure]

    def _sits_at(self, row: Row, player: str) -> bool:
        """The row may be of a moment ago."""
        if player not in row.players:
            return False
        stored = self._tables.load(row.table)
        return stored is not None and stored.table.seat_of(player) is not None


UNKNOWN_STAKE = Refused(RoomCode.UNKNOWN_STAKE, "no table of these stakes is open")
ALL_FULL = Refused(RoomCode.ALL_FULL, "no seat is free at these stakes: ask to wait for one")
NOT_WAITING = Refused(RoomCode.BUSY, "your place in the line has just changed; try again")
SEATED = Rejected(Code.ALREADY_SEATED, "you have a seat at these stakes")
SUSPENDED = Refused(RoomCode.SUSPENDED, "you may not buy chips; what you have stays yours")
