"""The chain of a table's records. Each is sealed with a digest of all that it holds and of the seal
of the hand before, in the write that ends the hand: STATE carries the last seal along. What is
shown after a hand seals its record anew.

The digests are taken of the texts as they are stored, so no byte of them can be another; with their
schemas, so that what a later schema reads in them does not matter. A seal has two parts: a digest
of all but the events, which never change, and one of that and of the events, which are written anew
with each show, by what may be a later release than the one that ended the hand.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from string import ascii_letters, digits
from typing import Final

from cardroom.damage import Attributes
from cardroom.ports import Signals
from cardroom.stored import Change, HandRecord
from poker_engine.cards import join_cards
from poker_engine.schema import WRITE_SCHEMA, lowered_events, lowered_table

VERSION: Final = "cardroom 1"
"""Of what a seal is made of; a later one would stand here and in its records."""
TEXTS: Final = ("opening", "deck", "currency", "schedule", "pots", "before")
NUMBERS: Final = ("started", "ended", "rake", "rules", "schema", "voided")
BETWEEN: Final = "."
"""The two parts."""
PART: Final = 43
"""Characters of each."""
_SIGNS: Final = frozenset(ascii_letters + digits + "-_" + BETWEEN)


def sealed(record: HandRecord, before: str) -> HandRecord:
    """The record of a hand that has just ended, sealed; `before` is the seal of the last one."""
    fields = {
        "opening": record.opening and lowered_table(record.opening),
        "deck": join_cards(record.deck),
        "currency": record.currency,
        "schedule": record.schedule,
        "pots": record.pots,
        "before": before,
        "started": str(record.started),
        "ended": str(record.ended),
        "rake": str(record.rake),
        "rules": str(record.rules),
        "schema": str(WRITE_SCHEMA),
        "voided": str(int(record.voided)),
    }
    base = _base(record.table_id, record.number, fields)
    return replace(record, before=before, seal=_whole(base, "", lowered_events(record.events)))


def shown_since(seal: str, log: str) -> str:
    """The seal of the last hand after something more of it was shown, which made its events this
    `log`. Empty where it had none: an older release recorded it, or wrote since.
    """
    base = seal.partition(BETWEEN)[0]
    return _whole(base, str(WRITE_SCHEMA), lowered_events(log)) if seal else ""


def seal_of(table_id: str, number: int, item: Attributes) -> str:
    """What a stored record's seal has to be. Raises one of damage.UNREADABLE where the record is
    not as a room writes one.
    """
    fields = {name: str(item[name]["N"]) for name in NUMBERS}
    fields |= {name: item[name]["S"] for name in TEXTS}
    log_schema = str(item["log_schema"]["N"]) if "log_schema" in item else ""
    return _whole(_base(table_id, number, fields), log_schema, item["events"]["S"])


def check_seal(seal: str) -> None:
    """Raises ValueError where this cannot be one: what is logged must not be just any text."""
    if len(seal) != 2 * PART + len(BETWEEN) or not _SIGNS.issuperset(seal):
        raise ValueError("not a seal")


def note_head(signals: Signals, change: Change) -> None:
    """A line in the log of whoever wrote it: the seal outlives what may be done to the table."""
    record, table = change.record, change.after.table_id
    if record is not None:
        signals.note(
            "recorded", table=table, hand=record.number, before=record.before, seal=record.seal
        )
    elif change.amends is not None:
        signals.note("recorded", table=table, hand=change.amends, seal=change.after.seal)


def _base(table_id: str, number: int, fields: Mapping[str, str]) -> str:
    """Of what stays as the end of the hand left it."""
    names = (*TEXTS, *NUMBERS)
    return _digest((VERSION, table_id, str(number), *(fields[name] for name in names)))


def _whole(base: str, log_schema: str, events: str) -> str:
    """`log_schema` as it is stored beside the events; empty where it is not."""
    return base + BETWEEN + _digest((VERSION, base, log_schema, events))


def _digest(texts: Sequence[str]) -> str:
    """JSON tells where one text ends and the next begins."""
    whole = json.dumps(texts, separators=(",", ":")).encode()
    return urlsafe_b64encode(sha256(whole).digest()).decode().rstrip("=")
