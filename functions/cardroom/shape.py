"""Whether what was read has the shape that its kind's annotations promise.

JSON brings text where a number was written as soon as somebody mends an item by hand. What has the
wrong shape is found here, on reading, before anything is decided by it.

Numbers are amounts, moments, counts or places: whole, not below 0, and not above 2**53, where
readers of JSON cease to be exact.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, get_args, get_origin

MOST: Final = 2**53

LATEST: Final = 221_845_392_000_000
"""The year 9000 in milliseconds: calendars do not go much further."""

type Check = Callable[[Any], bool]


def holds(value: object, kind: Any) -> bool:
    """Whether the value is of this kind: a type, an enum, a dataclass, a tuple, or one of these or
    None.
    """
    return _check(kind)(value)


def whole(attribute: dict[str, Any]) -> int:
    """The number that an item's attribute is. Raises LookupError or ValueError if it is none."""
    return counted(int(attribute["N"]))


def moment(attribute: dict[str, Any]) -> int:
    """The same, of milliseconds since 1970 that a calendar has a day for."""
    return dated(int(attribute["N"]))


def counted(number: object) -> int:
    """The number itself. Raises ValueError if it is none that something is counted by."""
    if type(number) is not int or not 0 <= number <= MOST:
        raise ValueError("a number that nothing is counted by")
    return number


def dated(at: object) -> int:
    """The same, of milliseconds since 1970 that a calendar has a day for."""
    at = counted(at)
    if at >= LATEST:
        raise ValueError("a moment after all calendars")
    return at


@cache
def _check(kind: Any) -> Check:
    if kind is int:
        return lambda value: type(value) is int and 0 <= value <= MOST
    if kind is str:
        return lambda value: type(value) is str and value != ""
    if isinstance(kind, UnionType):
        (one,) = (_check(one) for one in get_args(kind) if one is not type(None))
        return lambda value: value is None or one(value)
    if get_origin(kind) is tuple:
        return _tuple(*get_args(kind))
    if is_dataclass(kind):
        return _record(kind)
    if kind is bool or issubclass(kind, Enum):
        return lambda value: isinstance(value, kind)
    raise TypeError(f"no shape is known of {kind}")


def _tuple(first: Any, *rest: Any) -> Check:
    if rest == (...,):
        check = _check(first)
        return lambda value: type(value) is tuple and all(map(check, value))
    checks = (_check(first), *map(_check, rest))
    return lambda value: (
        type(value) is tuple
        and len(value) == len(checks)
        and all(check(one) for check, one in zip(checks, value, strict=True))
    )


def _record(kind: Any) -> Check:
    kinds: dict[str, Any] = {field.name: field.type for field in fields(kind)}
    checks = tuple((name, _check(one)) for name, one in kinds.items())

    def check(value: Any) -> bool:
        if type(value) is not kind:
            return False
        # A loop: this is done for every field of every table that is read.
        for name, check in checks:  # noqa: SIM110
            if not check(getattr(value, name)):
                return False
        return True

    return check
