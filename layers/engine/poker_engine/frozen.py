"""`dataclass(frozen=True)` as in `dataclasses`, whose `__init__` is compiled when the first object
is made, and whose other methods need no compiling.

A hundred such classes are imported by a function that starts, and a dozen of them used: compiled on
import, all of them took a seventh of its CPU. Fields, `replace`, matching, equality, hash, text and
copies are as in `dataclasses`; there are no `__post_init__` and no keyword-only fields.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, slots: bool = False) -> Callable[[type], type]:
        if not frozen:
            raise TypeError("what may change is made by dataclasses.dataclass")
        return lambda cls: _frozen(cls, slots)


def _frozen(cls: type[Any], slots: bool) -> type[Any]:
    # It would else look at the signature for a text, which compiles `__init__`.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    names = [field.name for field in fields(made)]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def first(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _compiled_init(made, slots)
        self.__init__(*args, **named)

    def equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is made else NotImplemented

    if not slots:
        # Each object has its own value: it is read six times as fast where the class has none.
        for field in fields(made):
            if field.default is not MISSING:
                delattr(made, field.name)
    made.__init__ = first
    made.__eq__ = equal
    made.__hash__ = lambda self: hash(values(self))
    made.__repr__ = _text
    made.__setattr__ = made.__delattr__ = _refuse
    if slots:
        made.__getstate__, made.__setstate__ = _state, _restore
    return made  # type: ignore[no-any-return]  # the class that was given, of which less is known


def _compiled_init(made: type[Any], slots: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_MISSING": MISSING, "_set": object.__setattr__}
    wanted, lines, entries = ["self"], ["pass"], []
    for field in fields(made):
        name, value = field.name, field.name
        if field.default is not MISSING:
            known[f"_of_{name}"] = field.default
            wanted.append(f"{name}=_of_{name}")
        elif field.default_factory is not MISSING:
            known[f"_of_{name}"] = field.default_factory
            wanted.append(f"{name}=_MISSING")
            value = f"_of_{name}() if {name} is _MISSING else {name}"
        else:
            wanted.append(name)
        if slots:
            # Past `__setattr__`, and faster than by name.
            known[f"_set_{name}"] = getattr(made, name).__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            entries.append(f"{name!r}: {value}")
    if not slots:
        # All at once: several times as fast as one by one.
        lines.append(f"_set(self, '__dict__', {{{', '.join(entries)}}})")
    exec(f"def __init__({', '.join(wanted)}):\n  " + "\n  ".join(lines), known)
    compiled: Callable[..., None] = known["__init__"]
    compiled.__qualname__ = f"{made.__qualname__}.__init__"
    return compiled


def _text(self: Any) -> str:
    inside = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
    return f"{type(self).__qualname__}({inside})"


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
