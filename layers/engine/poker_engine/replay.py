"""The record gives the table back: audit trail, hand record and test oracle at once."""

from collections.abc import Iterable

from poker_engine.events import Event, Opened
from poker_engine.evolve import evolve, open_table
from poker_engine.state import Table


def replay(events: Iterable[Event], table: Table | None = None) -> Table:
    """Evolve in order. Without a table the first event must be `Opened`, else ValueError."""
    for event in events:
        if table is None:
            if not isinstance(event, Opened):
                raise ValueError(f"a record begins with Opened, not {type(event).__name__}")
            table = open_table(event.settings)
        else:
            table = evolve(table, event)
    if table is None:
        raise ValueError("a record without events has no table")
    return table
