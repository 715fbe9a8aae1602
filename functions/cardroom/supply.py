"""How many tables a stake has: one more opens when all are full, and what opened by itself closes
when more than one stands empty.
"""

from collections.abc import Callable, Iterable

from cardroom.damage import DamagedError
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.listing import Row, State
from cardroom.ports import Signals, Tables
from cardroom.stored import Meta
from cardroom.tables import open_table
from cardroom.waiting import Line, free_seats
from poker_engine.commands import Close
from poker_engine.errors import Code, Rejected
from poker_engine.state import Table

LONGEST_ID = 32


class Supply:
    def __init__(self, tables: Tables, dealer: Dealer, signals: Signals) -> None:
        self._tables = tables
        self._dealer = dealer
        self._signals = signals
        self._by_hand: set[str] = set()
        """Of the tables that were looked at: an id is used once for ever, so none changes sides."""
        self._refused: set[str] = set()
        """Ids under which no table could be opened: something else of that name lies there."""

    def adjust(self, rows: list[Row], look: Callable[[], list[Row]], line: Line) -> bool:
        """Open or close a table of the stake, if it is time to; whether to look at it anew.

        `rows` are the listed tables of the stake, which `look` reads again; `line` are those who
        wait for a seat there.
        """
        if all_full(rows):
            return self._open(rows, look)
        return self._close(self.spare(rows), line)

    def spare(self, rows: Iterable[Row]) -> list[Meta]:
        """The empty tables that opened by themselves, if more than one of any kind is empty."""
        found = empty(rows)
        if len(found) < 2:
            return []
        metas = self._metas(row for row in found if row.table not in self._by_hand)
        self._by_hand |= {meta.table for meta in metas if not meta.base}
        return [meta for meta in metas if meta.base]

    def _open(self, rows: list[Row], look: Callable[[], list[Row]]) -> bool:
        first = _first(self._metas(rows))
        if first is None or len(rows) >= first.most:
            return False
        base = first.base or first.table
        name = next_id(base, self._taken)
        # After the name was found: who opens a table at the same time is seen here, or takes the
        # name away.
        if all_full(look()):
            now = self._dealer.clock.now()
            if open_table(self._tables, name, first.settings, now, base=base, most=first.most):
                self._signals.note("opened", table=name)
            else:
                self._refused.add(name)
        return True

    def _close(self, spare: list[Meta], line: Line) -> bool:
        """The one that was opened last. Who looks at the same tables closes the same."""
        offered = {one.table for one in line}
        metas = [meta for meta in spare if meta.table not in offered]
        metas.sort(key=lambda meta: (meta.at, len(meta.table), meta.table))
        for meta in reversed(metas):
            stored = self._tables.load(meta.table)
            if stored is None or stored.leaving:
                # What is owed to those who left is paid first: one whose wallet is damaged may wait
                # for long, and keeps no other table open.
                continue
            closed = self._dealer.apply(meta.table, Wish(Close(), objection=_occupied))
            done = isinstance(closed, Applied) and closed.refusal is None
            if done:
                self._signals.note("closed", table=meta.table)
            return done
        return False

    def _metas(self, rows: Iterable[Row]) -> list[Meta]:
        metas: list[Meta] = []
        for row in rows:
            try:
                meta = self._tables.meta(row.table)
            except DamagedError:
                continue  # Reported. The other tables of the stake tell as much.
            if meta is not None:
                metas.append(meta)
        return metas

    def _taken(self, table_id: str) -> bool:
        try:
            return table_id in self._refused or self._tables.load(table_id) is not None
        except DamagedError:
            return True


def all_full(rows: Iterable[Row]) -> bool:
    """Of the tables that are open, of which there is one at least."""
    free = [free_seats(row) for row in rows if row.state is State.OPEN]
    return bool(free) and not any(free)


def empty(rows: Iterable[Row]) -> list[Row]:
    """Open tables at which nobody sits."""
    return [row for row in rows if row.state is State.OPEN and not row.taken]


def next_id(base: str, taken: Callable[[str], bool]) -> str:
    """`base-2` and so on. A table's id is used once for ever, and these one after the other."""

    def name(number: int) -> str:
        tail = f"-{number}"
        return base[: LONGEST_ID - len(tail)] + tail

    last, free = 1, 2
    while taken(name(free)):
        last, free = free, 2 * free
    while free - last > 1:
        middle = (last + free) // 2
        if taken(name(middle)):
            last = middle
        else:
            free = middle
    return name(free)


def _first(metas: list[Meta]) -> Meta | None:
    """The one after which new tables are made: an operator's before one that opened by itself."""
    return min(metas, key=lambda meta: (bool(meta.base), meta.at, meta.table), default=None)


def _occupied(table: Table) -> Rejected | None:
    if any(table.seats):
        return Rejected(Code.NOT_DUE, "somebody sits at this table")
    return None
