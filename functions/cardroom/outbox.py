"""What happened in one write of STATE, as the stream's consumer finds it there."""

import json

from poker_engine.codec import dump_events, load_events
from poker_engine.events import Event
from poker_engine.frozen import dataclass
from poker_engine.schema import lowered_events, raised_events


@dataclass(frozen=True, slots=True)
class Outbox:
    """The events that took the table from seq `before` to `seq`, written at `at` (ms)."""

    table_id: str
    before: int
    seq: int
    at: int
    events: tuple[Event, ...]


def dump_outbox(outbox: Outbox) -> str:
    """JSON list, as it is stored: before, seq, at, events; the table's id is the item's."""
    events = lowered_events(dump_events(outbox.events))
    return f"[{outbox.before},{outbox.seq},{outbox.at},{events}]"


def load_outbox(table_id: str, text: str, schema: int) -> Outbox:
    """Raises ValueError if the text is not what `dump_outbox` writes in that schema."""
    before, seq, at, events, *_ = json.loads(text)
    return Outbox(table_id, before, seq, at, load_events(raised_events(json.dumps(events), schema)))


def joined(log: str, more: str) -> str:
    """Two JSON lists of events as one, without reading them."""
    if log == "[]":
        return more
    if more == "[]":
        return log
    return f"{log[:-1]},{more[1:]}"
