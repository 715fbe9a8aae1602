"""Tables and events as compact JSON text.

A record is the list of its fields in declared order, trailing defaults left out. So a later
version may append fields with defaults: it reads what an older one wrote, and the older one
passes over what it does not know. Any other change of shape is a new schema, see `schema`.

What is paid for by its size is kept short: true and false are 1 and 0, of the standings before
a hand only those are written that the hand changed, and of events what `terse` makes of them.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from enum import Enum
from operator import attrgetter
from typing import Any, Final

from poker_engine import events as happened
from poker_engine.events import Event
from poker_engine.schema import Damaged as Damaged
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
    PreDo,
    Seat,
    Standing,
    Status,
    Street,
    Table,
    Turn,
)
from poker_engine.terse import plain, terse

type Json = Any
type Read = Callable[[Json], Any]
type Write = Callable[[Any], Json]


def _deep_tuple(value: Json) -> Any:
    return tuple(_deep_tuple(item) for item in value) if isinstance(value, list) else value


class _Shape:
    """How one kind of record is written and read.

    `reads` names the fields that are not plain values, `usual` the values at which fields without
    a default are left out like defaults, `span` two times of which the second is written as the
    milliseconds after the first.
    """

    def __init__(
        self,
        kind: type,
        *,
        usual: dict[str, Any] | None = None,
        span: tuple[str, str] | None = None,
        **reads: Read,
    ) -> None:
        self.kind = kind
        self.names = tuple(field.name for field in fields(kind))
        self.values: Callable[[Any], tuple[Any, ...]] = _getter(self.names)
        self.reads = tuple(reads.get(field.name) or _read(field.type) for field in fields(kind))
        writes = ((place, _write(field.type)) for place, field in enumerate(fields(kind)))
        self.writes = tuple((place, write) for place, write in writes if write is not None)
        self.defaults = tuple(
            (usual or {}).get(field.name, field.default) for field in fields(kind)
        )
        self.span = tuple(self.place(name) for name in span or ())

    def dump(self, record: object) -> list[Json]:
        values = list(self.values(record))
        if self.span:
            first, second = self.span
            values[second] -= values[first]
        end = len(values)
        while end and values[end - 1] == self.defaults[end - 1]:
            end -= 1
        del values[end:]
        for place, write in self.writes:
            if place >= end:
                break
            if values[place] is not None:
                values[place] = write(values[place])
        return values

    def load(self, values: Json) -> Any:
        read = [
            value if read is None or value is None else read(value)
            for read, value in zip(self.reads, values, strict=False)
        ]
        if self.span:
            first, second = self.span
            read[second] += read[first]
        rest = self.defaults[len(read) :]
        if MISSING in rest:
            raise ValueError(f"a record of {self.kind.__name__} is too short")
        return self.kind(*read, *rest)

    def place(self, name: str) -> int:
        """Where a record of this kind holds the field."""
        return self.names.index(name)


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """All these fields of a record."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def _read(kind: object) -> Read | None:
    if kind is bool:
        return bool
    return _deep_tuple if "tuple" in str(kind) else None


def _write(kind: object) -> Write | None:
    """None where JSON's own encoder does it: whole numbers, text, enums and tuples of these."""
    if kind is bool:
        return int
    text = str(kind)
    return _plain if ("tuple" in text and "bool" in text) or "poker_engine" in text else None


def _plain(value: Any) -> Json:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _SHAPES[type(value)].dump(value)


def _many(shape: _Shape) -> Read:
    return lambda values: tuple(
        shape.load(value) if value is not None else None for value in values
    )


def _enum(kind: type[Enum]) -> Read:
    """What no member has is no key."""
    return {member.value: member for member in kind}.__getitem__


_STAKES = _Shape(Stakes, game=_enum(Game), ante_by=_enum(Ante))
_SETTINGS = _Shape(Settings, stakes=_STAKES.load)
_STANDING = _Shape(Standing, status=_enum(Status))
_SEAT = _Shape(Seat, standing=_STANDING.load, exit=_enum(Exit), plan=_enum(Plan))
_TURN = _Shape(Turn, span=("deadline", "expires"))
_POT = _Shape(Pot)
_HAND = _Shape(
    Hand,
    before=_many(_STANDING),
    positions_before=lambda values: (*values[:3], bool(values[3])),
    street=_enum(Street),
    turn=_TURN.load,
    pots=_many(_POT),
    pre=lambda values: tuple((seat, PreDo(do), price) for seat, do, price in values),
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
    "in": _Shape(happened.SatIn, status=_enum(Status)),
    "plan": _Shape(happened.Planned, plan=_enum(Plan)),
    "go": _Shape(happened.Going, exit=_enum(Exit)),
    "empty": _Shape(happened.SeatEmptied, exit=_enum(Exit)),
    "next": _Shape(happened.HandScheduled),
    "pause": _Shape(happened.Paused),
    "start": _Shape(happened.HandStarted),
    "post": _Shape(happened.Posted, post=_enum(Post)),
    "turn": _Shape(happened.TurnBegan, span=("deadline", "expires")),
    "act": _Shape(
        happened.Acted,
        usual={"to": 0, "paid": 0, "cause": Cause.OWN},
        do=_enum(Do),
        cause=_enum(Cause),
    ),
    "board": _Shape(happened.BoardDealt, street=_enum(Street)),
    "back": _Shape(happened.Returned),
    "show": _Shape(happened.Shown),
    "muck": _Shape(happened.Mucked),
    "pot": _Shape(happened.PotWon),
    "end": _Shape(happened.HandEnded),
    "void": _Shape(happened.HandVoided),
    "close": _Shape(happened.Closing),
    "closed": _Shape(happened.Closed),
    "refill": _Shape(happened.RefillSet),
    "freeze": _Shape(happened.Frozen),
    "thaw": _Shape(happened.Thawed),
    "pre": _Shape(happened.Prepared, do=_enum(PreDo)),
    "bank": _Shape(happened.BankOpened, span=("deadline", "expires")),
    "banked": _Shape(happened.BankClosed),
}
_TAGS: Final = {shape.kind: tag for tag, shape in _EVENTS.items()}


_SEATS_AT: Final = _TABLE.place("seats")
_STANDING_AT: Final = _SEAT.place("standing")
_HAND_AT: Final = _TABLE.place("hand")
_BEFORE_AT: Final = _HAND.place("before")
_UNCHANGED: Final = 0
"""In place of a standing before the hand that is the seat's standing now."""


def dump_table(table: Table) -> str:
    values = _TABLE.dump(table)
    if table.hand is not None:
        before = values[_HAND_AT][_BEFORE_AT]
        for number, seat in enumerate(table.seats):
            if seat is not None and seat.standing == table.hand.before[number]:
                before[number] = _UNCHANGED
    return _text(values)


def load_table(text: str) -> Table:
    """Raises Damaged where the text is not a table."""
    try:
        values = json.loads(text)
        if len(values) > _HAND_AT and values[_HAND_AT] is not None:
            before = values[_HAND_AT][_BEFORE_AT]
            for number, standing in enumerate(before):
                if standing == _UNCHANGED:
                    before[number] = values[_SEATS_AT][number][_STANDING_AT]
        table = _TABLE.load(values)
    except (ValueError, TypeError, LookupError, AttributeError) as fault:
        raise Damaged("this is not the state of a table") from fault
    if not isinstance(table, Table) or not isinstance(table.settings, Settings):
        raise Damaged("this is not the state of a table")
    return table


def dump_events(events: Iterable[Event]) -> str:
    return _text(
        [terse([_TAGS[type(event)], *_EVENTS[_TAGS[type(event)]].dump(event)]) for event in events]
    )


def load_events(text: str) -> tuple[Event, ...]:
    """Raises Damaged where the text is not a list of events."""
    try:
        return tuple(_EVENTS[tag].load(values) for tag, *values in map(plain, json.loads(text)))
    except (ValueError, TypeError, LookupError) as fault:
        raise Damaged("this is not a list of events") from fault


_text: Final = json.JSONEncoder(separators=(",", ":")).encode
