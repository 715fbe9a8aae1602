"""A law: nobody who waits for a seat is overtaken, neither in the line nor at the table."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Final

from cardroom import keys
from cardroom.listing import State, row_of
from cardroom.stored import Stored
from poker_engine.events import Seated
from poker_engine.state import Table
from tests.simulation.cloud import Invocation
from tests.simulation.dynamo import Written
from tests.simulation.record import SKEW_MS, Record

MARGIN_MS: Final = 10_000
"""An errand of the floor is done in less, from reading a line to the last offer."""
SERVED_MS: Final = 5_000
"""In calm a change is looked after in less."""


@dataclass(frozen=True, slots=True)
class Place:
    """One in a line; `changed` (ms) is when it came to be as it is, but for his being told."""

    player: str
    since: int
    table: str
    until: int
    changed: int
    by: Invocation | None = None
    """Who changed it so."""

    @property
    def order(self) -> tuple[int, str]:
        return self.since, self.player


@dataclass
class Waits:
    record: Record
    lines: dict[str, dict[str, Place]] = field(default_factory=lambda: defaultdict(dict))
    offered: dict[tuple[str, str], set[tuple[str, int]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    """By structure and player: all that was ever offered to him, tables and ends."""
    _left: dict[tuple[str, str], int] = field(default_factory=dict)
    """By structure and player: when he was in the line last."""

    def written(self, written: Written) -> None:
        structure, player = keys.structure(written.key[0]), written.key[1]
        line, now, item = self.lines[structure], self.record.now, written.new
        before = line.pop(player, None)
        if item is None:
            self._left[structure, player] = now
            if before is not None:
                self._gives_up(structure, before)
            return
        after = Place(
            player,
            int(item["since"]["N"]),
            item["offered"]["S"] if "offered" in item else "",
            int(item["lapses"]["N"]) if "lapses" in item else 0,
            now,
            self.record.cloud.author,
        )
        if before is not None and replace(before, changed=now, by=after.by) == after:
            after = before
        line[player] = after
        if before is not None and before.since != after.since and not self._over(before):
            self.record.fail(f"{player} loses his place in the line of {structure}")
        if after is not before and after.table:
            self.offered[structure, player].add((after.table, after.until))
            self._in_turn(structure, after)
            self._is_there(structure, after)

    def _is_there(self, structure: str, offered: Place) -> None:
        """Each offer of a table has a seat of its own, as far as he could see who made it: since he
        began, and beside his own.
        """
        record, name, by = self.record, offered.table, offered.by
        if by is None:
            return
        others = [
            one
            for one in self.lines[structure].values()
            if one.table == name
            and one.player != offered.player
            and (one.changed < by.began or one.by is by)
            and not self._over(one)
        ]
        stored = record.tables[name]
        tables = record.pasts[name].stored_since(by.began)
        if max(_free(replace(stored, table=table)) for table in tables) <= len(others):
            names = ", ".join(one.player for one in others)
            what = f"{offered.player} is offered a seat of {name} that is not there for him"
            record.fail(f"{what}, but for {names}" if names else what)

    def _over(self, place: Place) -> bool:
        return bool(place.table) and place.until <= self.record.now + SKEW_MS

    def _gives_up(self, structure: str, place: Place) -> None:
        """He asks for it, has a seat of this stake, or has let an offer pass; or the line ends."""
        record, player = self.record, place.player
        sits = any(
            stored.table.settings.stakes.structure == structure
            and (stored.table.seat_of(player) is not None or player in record.pasts[name].gone)
            for name, stored in record.tables.items()
        )
        # With the last table of a stake its line ends.
        ends = all(
            stored.table.closed
            for stored in record.tables.values()
            if stored.table.settings.stakes.structure == structure
        )
        about = (structure, *record.tables)
        asks = not record.calls_told or record.asks(player, ("sit", "quickseat", "unwait"), about)
        if not sits and not asks and not ends and not self._over(place):
            record.fail(f"{player} is put out of the line of {structure}")

    def _in_turn(self, structure: str, offered: Place) -> None:
        self.record.counts["offers"] += 1
        for one in self.lines[structure].values():
            waited = self.record.now - one.changed
            if not one.table and one.order < offered.order and waited > MARGIN_MS:
                self.record.fail(
                    f"{offered.player} is offered a seat of {structure} before {one.player}"
                )

    def seated(self, name: str, table: Table, event: Seated) -> None:
        """He sits down at the table as it was before."""
        record, player = self.record, event.player
        structure = table.settings.stakes.structure
        if table.seats[event.seat] is not None:
            record.fail(f"{name}: seat {event.seat} is given to {player}, and is taken")
        if not record.calls_told:
            return
        calls = record.asks(player, ("sit", "quickseat"), (name, structure))
        if not calls:
            record.fail(f"{name}: nobody asked for a seat for {player}")
        begun = min(call.begun for call in calls)
        mine = self.lines[structure].get(player)
        changed = self._left.get((structure, player), 0) if mine is None else mine.changed
        if changed >= begun:
            return
        if mine is not None and mine.table == name:
            record.counts["offers taken"] += 1
            return
        kept = [
            one for one in self.lines[structure].values() if self._keeps(one, name, mine, begun)
        ]
        if table.seats.count(None) <= len(kept):
            names = ", ".join(one.player for one in kept)
            record.fail(f"{name}: {player} takes a seat that is kept for {names}")

    def _keeps(self, one: Place, name: str, mine: Place | None, begun: int) -> bool:
        """Whether there was a seat of this table for him all the time since then."""
        if one is mine or one.changed >= begun:
            return False
        if one.table:
            return one.table == name and one.until > self.record.now + SKEW_MS
        return mine is None or one.order < mine.order

    def ended(self) -> None:
        """After some calm: nobody waits where a seat is free for him."""
        record = self.record
        late = record.now - SERVED_MS
        for structure, line in self.lines.items():
            without = [one for one in line.values() if not one.table and one.changed < late]
            for name, stored in record.tables.items():
                rests = record.pasts[name].seats_at < late and stored.table.settings
                if not without or not rests or rests.stakes.structure != structure:
                    continue
                offers = [one for one in line.values() if one.table == name]
                if _free(stored) > len(offers) and all(one.changed < late for one in offers):
                    record.fail(f"{without[0].player} waits though {name} has a free seat")
                for one in offers:
                    if one.until < late - SKEW_MS:
                        record.fail(f"{one.player} still has an offer that was over")


def _free(stored: Stored) -> int:
    row = row_of(stored.table_id, stored.table, stored.pace)
    return row.seats - row.taken if row.state is State.OPEN else 0
