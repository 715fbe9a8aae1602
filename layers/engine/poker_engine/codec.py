"""Tables and events as compact JSON text.

A record is the list of its fields in declared order, trailing defaults left out. So a later version may
append fields with defaults: it reads what an older one wrote, and the older one passes over what it does
not know. Any other change of shape raises SCHEMA.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, Final

from poker_engine import events as happened
from poker_engine.events import Event
from poker_engine.stakes import Ante, Game, Settings, Stakes
from poker_engine.state import (
    Absent,
    Cause,
    Do,
    Exit,
    Hand,
    Plan,
    Post,
    Pot,
    Seat,
    Standing,
    Status,
    Street,
    Table,
    Turn,
)

SCHEMA: Final = 1

type Json = Any
type Read = Callable[[Json], Any]


class Damaged(ValueError):
    """The text is not what this codec writes."""


def _deep_tuple(value: Json) -> Any:
    return tuple(_deep_tuple(item) for item in value) if isinstance(value, list) else value


class _Shape:
    """How one kind of record is written and read. `reads` names the fields that are not plain values."""

    def __init__(self, kind: type, **reads: Read) -> None:
        self.kind = kind
        self.fields = tuple(
            (
                field.name,
                field.default,
                reads.get(field.name) or (_deep_tuple if "tuple" in str(field.type) else None),
            )
            for field in fields(kind)
        )

    def dump(self, record: object) -> list[Json]:
        values = [getattr(record, name) for name, _, _ in self.fields]
        count = len(values)
        while count and self.fields[count - 1][1] is not MISSING:
            if values[count - 1] != self.fields[count - 1][1]:
                break
            count -= 1
        return [_plain(value) for value in values[:count]]

    def load(self, values: Json) -> Any:
        return self.kind(
            *[
                read(value) if read is not None and value is not None else value
                for (_, _, read), value in zip(self.fields, values, strict=False)
            ]
        )


def _plain(value: Any) -> Json:
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _SHAPES[type(value)].dump(value)


def _many(shape: _Shape) -> Read:
    return lambda values: tuple(
        shape.load(value) if value is not None else None for value in values
    )


def _enum(kind: type[Enum]) -> Read:
    return kind


_STAKES = _Shape(Stakes, game=_enum(Game), ante_by=_enum(Ante))
_SETTINGS = _Shape(Settings, stakes=_STAKES.load)
_STANDING = _Shape(Standing, status=_enum(Status))
_SEAT = _Shape(Seat, standing=_STANDING.load, exit=_enum(Exit), plan=_enum(Plan))
_TURN = _Shape(Turn)
_POT = _Shape(Pot)
_HAND = _Shape(
    Hand,
    before=_many(_STANDING),
    street=_enum(Street),
    turn=_TURN.load,
    pots=_many(_POT),
)
_ABSENT = _Shape(Absent)
_TABLE = _Shape(
    Table, settings=_SETTINGS.load, seats=_many(_SEAT), hand=_HAND.load, absent=_many(_ABSENT)
)
_SHAPES: Final[dict[type, _Shape]] = {
    shape.kind: shape
    for shape in (
        _STAKES,
        _SETTINGS,
        _STANDING,
        _SEAT,
        _TURN,
        _POT,
        _HAND,
        _ABSENT,
        _TABLE,
    )
}

_EVENTS: Final[dict[str, _Shape]] = {
    "open": _Shape(happened.Opened, settings=_SETTINGS.load),
    "sit": _Shape(happened.Seated),
    "buy": _Shape(happened.ToppedUp),
    "add": _Shape(happened.TopUpPlayed),
    "out": _Shape(happened.SatOut),
    "in": _Shape(happened.SatIn),
    "plan": _Shape(happened.Planned, plan=_enum(Plan)),
    "go": _Shape(happened.Going, exit=_enum(Exit)),
    "empty": _Shape(happened.SeatEmptied, exit=_enum(Exit)),
    "next": _Shape(happened.HandScheduled),
    "pause": _Shape(happened.Paused),
    "start": _Shape(happened.HandStarted),
    "post": _Shape(happened.Posted, post=_enum(Post)),
    "turn": _Shape(happened.TurnBegan),
    "act": _Shape(happened.Acted, do=_enum(Do), cause=_enum(Cause)),
    "board": _Shape(happened.BoardDealt, street=_enum(Street)),
    "back": _Shape(happened.Returned),
    "show": _Shape(happened.Shown),
    "muck": _Shape(happened.Mucked),
    "pot": _Shape(happened.PotWon),
    "end": _Shape(happened.HandEnded),
    "void": _Shape(happened.HandVoided),
    "close": _Shape(happened.Closing),
    "closed": _Shape(happened.Closed),
}
_TAGS: Final = {shape.kind: tag for tag, shape in _EVENTS.items()}


def dump_table(table: Table) -> str:
    return _text(_TABLE.dump(table))


def load_table(text: str) -> Table:
    """Raises Damaged where the text is not a table."""
    try:
        table = _TABLE.load(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Damaged("this is not the state of a table") from fault
    if not isinstance(table, Table) or not isinstance(table.settings, Settings):
        raise Damaged("this is not the state of a table")
    return table


def dump_events(events: Iterable[Event]) -> str:
    return _text(
        [[_TAGS[type(event)], *_EVENTS[_TAGS[type(event)]].dump(event)] for event in events]
    )


def load_events(text: str) -> tuple[Event, ...]:
    """Raises Damaged where the text is not a list of events."""
    try:
        return tuple(_EVENTS[tag].load(values) for tag, *values in json.loads(text))
    except (ValueError, TypeError, KeyError) as fault:
        raise Damaged("this is not a list of events") from fault


def _text(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
