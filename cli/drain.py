"""`cardroom tables drain` and `reopen`: a room, a stake or some tables come to rest, all paid; and
tables like those are opened in their place.

Each step is one that may be done again, so whoever is interrupted starts anew and goes on.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Final

from cardroom.damage import DamagedError
from cardroom.dealer import Applied, Dealer
from cardroom.drained import Drained, DynamoDrained
from cardroom.errors import MissingDeckError, RulesError
from cardroom.store import DynamoTables
from cardroom.stored import Stored
from cardroom.supply import next_id
from cardroom.tables import open_table
from cli.printable import printable
from cli.served import Failed
from cli.tables import described

LOOK_MS: Final = 1_000
"""Between two looks at what is not paid yet."""
FOR_EVER: Final = 10**15
"""Later (ms) than anything is due."""

type Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Which:
    """Tables by id, tables of stakes, or, where neither is named, all."""

    tables: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()

    def takes(self, stored: Stored) -> bool:
        structure = stored.table.settings.stakes.structure
        every = not self.tables and not self.stakes
        return every or stored.table_id in self.tables or structure in self.stakes


class Drain:
    """Freezes, so that no hand begins and no other table opens beside a full one; then closes, so
    that each hand ends and its table pays; then looks until nothing is left.
    """

    def __init__(self, tables: DynamoTables, dealer: Dealer, which: Which, say: Say) -> None:
        self._tables = tables
        self._dealer = dealer
        self._which = which
        self._say = say
        self._notes = DynamoDrained.beside(tables)
        self._damaged: set[str] = set()
        self._closed: set[str] = set()

    def run(self, patience_ms: int) -> bool:
        """Whether all is paid in this time. Raises Failed where a table that was named is not
        there.
        """
        for table_id in self._which.tables:
            if self._load(table_id) is None and table_id not in self._damaged:
                raise Failed(f"{printable(table_id)}: there is no such table")
        clock = self._dealer.clock
        ends = clock.now() + patience_ms
        said = ""
        while True:
            left = self._look()
            line = self._line(left)
            if line != said:
                self._say(line)
                said = line
            if not left or clock.now() >= ends:
                break
            clock.pause(LOOK_MS)
        for table_id in sorted(self._damaged):
            self._say(f"{printable(table_id)} cannot be read, and is left as it is")
        return not left and not self._damaged

    def _look(self) -> list[Stored]:
        """Tables at which something is left to be done, after it was tried."""
        found = list(self._chosen())
        for stored in found:
            if not stored.table.closed:
                self._dealer.freeze(stored.table_id)
        for stored in found:
            if not stored.table.closed:
                self._notes.put(Drained(stored.table_id, self._dealer.clock.now()))
                self._dealer.close(stored.table_id)
        left = []
        for stored in found:
            after = self._settled(stored.table_id)
            if after is None or (after.table.closed and not after.leaving):
                self._closed.add(stored.table_id)
            else:
                left.append(after)
        return left

    def _chosen(self) -> Iterator[Stored]:
        """Those that are open, and those that have closed and owe somebody his chips."""
        due = self._tables.overdue(FOR_EVER)
        for table_id in dict.fromkeys([*self._tables.listed(), *due, *self._which.tables]):
            stored = self._load(table_id)
            if stored is None or not self._which.takes(stored):
                continue
            if not stored.table.closed or stored.leaving:
                yield stored

    def _load(self, table_id: str) -> Stored | None:
        try:
            return self._tables.load(table_id)
        except DamagedError:
            self._damaged.add(table_id)
            return None

    def _settled(self, table_id: str) -> Stored | None:
        """What is due is applied here too, should no clock be running."""
        try:
            applied = self._dealer.apply(table_id)
        except (MissingDeckError, RulesError):
            applied = self._dealer.void(table_id, "fault")
        return applied.stored if isinstance(applied, Applied) else self._load(table_id)

    def _line(self, left: list[Stored]) -> str:
        done = f"{len(self._closed)} of {len(self._closed) + len(left)} tables are closed and paid"
        return "; ".join([done, *map(_waits_for, left)])


def _waits_for(stored: Stored) -> str:
    running = stored.table.running
    if running is not None:
        seats = sum(seat is not None for seat in stored.table.seats)
        return f"{stored.table_id}: hand {running.number} is played, {seats} in their seats"
    if stored.leaving:
        owed = ", ".join(one.player for one in stored.leaving)
        return f"{stored.table_id}: the wallet of {owed} could not be written yet"
    return f"{stored.table_id}: somebody else changes it"


def reopened(tables: DynamoTables, which: Which, now: int) -> Iterator[str]:
    """Opens a table in place of each drained one that an operator had opened; one line for each.

    Those that had opened by themselves do so again when they are wanted.
    """
    notes = DynamoDrained.beside(tables)
    for note in notes.all():
        try:
            stored, meta = tables.load(note.table), tables.meta(note.table)
        except DamagedError:
            yield f"{printable(note.table)} cannot be read, and is left as it is"
            continue
        if stored is None or meta is None or not which.takes(stored):
            continue
        if not stored.table.closed:
            yield f"{note.table} is not closed yet: drain it to the end first"
            continue
        if not meta.base:
            name, refused = note.successor, set[str]()
            while True:
                name = name or next_id(_root(tables, note.table), _taken(tables, refused))
                # First the name, so that whoever begins anew does not open a second one.
                notes.put(Drained(note.table, note.at, name))
                done = open_table(tables, name, meta.settings, now, most=meta.most)
                if done or _is_opened(tables, name):
                    break
                refused.add(name)
                name = ""
            yield f"{name} is open in place of {note.table}: {described(meta.settings)}"
        notes.forget(note.table)


def _root(tables: DynamoTables, table_id: str) -> str:
    """Of php-5-10-2, which was opened in place of php-5-10, that one."""
    root, _, number = table_id.rpartition("-")
    if root and number.isdigit() and tables.meta(root) is not None:
        return root
    return table_id


def _is_opened(tables: DynamoTables, table_id: str) -> bool:
    """Whether an operator's table has this name: not one that opened by itself at this moment, nor
    something that was left of a lost one.
    """
    try:
        if tables.load(table_id) is None:
            return False
        meta = tables.meta(table_id)
        return meta is not None and not meta.base
    except DamagedError:
        return True  # Nobody knows: no second one is opened.


def _taken(tables: DynamoTables, refused: Container[str]) -> Callable[[str], bool]:
    """`refused` are names under which none could be opened."""

    def taken(table_id: str) -> bool:
        try:
            return table_id in refused or tables.load(table_id) is not None
        except DamagedError:
            return True

    return taken
