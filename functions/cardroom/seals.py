"""The chain of a table's records. Each is sealed with a digest of all that it holds and of the seal
of the hand before, in the write that ends the hand: STATE carries the last seal along. What is
shown after a hand seals its record anew, on top of the seal it had.

The digest is taken of the texts as they are stored, so no byte of them can be another.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from cardroom.damage import Attributes
from cardroom.ports import Signals
from cardroom.stored import Change, HandRecord
from poker_engine.cards import join_cards
from poker_engine.codec import dump_events
from poker_engine.events import Event, Mucked, Shown

VERSION: Final = "cardroom 1"
"""Of what a seal is made of; a later one would stand here and in its records."""
RECORDED: Final = "recorded"
TEXTS: Final = ("opening", "deck", "currency", "schedule", "pots", "before")
NUMBERS: Final = ("started", "ended", "rake", "rules", "schema", "voided")
_ENDS: Final = ("end", "void")
_SHOWS: Final = ("show", "muck")


def sealed(record: HandRecord, before: str) -> HandRecord:
    """The record of a hand that has just ended, sealed; `before` is the seal of the last one."""
    chained = replace(record, before=before)
    fields = {name: str(int(getattr(chained, name))) for name in NUMBERS}
    fields |= {name: str(getattr(chained, name)) for name in TEXTS if name != "deck"}
    fields["deck"] = join_cards(record.deck)
    return replace(chained, seal=_first(record.table_id, record.number, fields, record.events))


def shown_since(seal: str, events: Iterable[Event]) -> str:
    """The seal of the last hand after something more of it was shown. Empty where it had none: an
    older release recorded it, or wrote since.
    """
    shows = (event for event in events if isinstance(event, Shown | Mucked))
    return _folded(seal, (dump_events([event])[1:-1] for event in shows)) if seal else ""


def seal_of(table_id: str, number: int, item: Attributes) -> str:
    """What a stored record's seal has to be. Raises one of damage.UNREADABLE where the record is
    not as a room writes one.
    """
    fields = {name: str(item[name]["N"]) for name in NUMBERS}
    fields |= {name: item[name]["S"] for name in TEXTS}
    first, shows = _parts(item["events"]["S"])
    return _folded(_first(table_id, number, fields, first), shows)


def note_head(signals: Signals, change: Change) -> None:
    """A line in the log of whoever wrote it: the seal outlives what may be done to the table."""
    record = change.record
    if record is not None:
        signals.note(
            RECORDED,
            table=record.table_id,
            hand=record.number,
            before=record.before,
            seal=record.seal,
        )
    elif change.amends is not None:
        signals.note(
            RECORDED, table=change.after.table_id, hand=change.amends, seal=change.after.seal
        )


def _first(table_id: str, number: int, fields: dict[str, str], events: str) -> str:
    """As the write that ended the hand sealed it."""
    names = (*TEXTS, *NUMBERS)
    return _digest((VERSION, table_id, str(number), events, *(fields[name] for name in names)))


def _folded(seal: str, shows: Iterable[str]) -> str:
    for show in shows:
        seal = _digest((VERSION, seal, show))
    return seal


def _digest(texts: Sequence[str]) -> str:
    """43 characters. JSON tells where one text ends and the next begins."""
    whole = json.dumps(texts, separators=(",", ":")).encode()
    return urlsafe_b64encode(sha256(whole).digest()).decode().rstrip("=")


def _parts(events: str) -> tuple[str, list[str]]:
    """The events as the end of the hand left them, and each that was added: only a show or a muck
    is. Raises ValueError where the text is not, to the letter, as the codec writes it.
    """
    parsed: list[Any] = json.loads(events)
    if _text(parsed) != events:
        raise ValueError("not as it was written")
    kinds = [event[0] for event in parsed]
    end = min(kinds.index(kind) for kind in _ENDS if kind in kinds)
    added = next(
        (at for at in range(end, len(kinds)) if kinds[at] in _SHOWS),
        len(kinds),
    )
    return _text(parsed[:added]), [_text(event) for event in parsed[added:]]


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
