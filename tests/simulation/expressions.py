"""DynamoDB's expressions, as far as the room writes them: conditions, key conditions, updates.

A text is compiled once; names and values come with each call. Attributes are those at the top of an
item. What is not understood raises: a fake that guesses proves nothing.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

type Value = dict[str, Any]
type Item = dict[str, Value]
type Names = Mapping[str, str]
type Values = Mapping[str, Value]
type Operand = Callable[[Item, Names, Values], Value | None]
type Condition = Callable[[Item, Names, Values], bool]
type Update = Callable[[Item, Names, Values], None]


class WrongTypeError(Exception):
    """Of an attribute that an update adds to."""


_TOKEN = re.compile(r"\s*([#:]?[A-Za-z0-9_.]+|<>|<=|>=|[=<>(),+-])")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda one, other: bool(one == other),
    "<>": lambda one, other: bool(one != other),
    "<": lambda one, other: bool(one < other),
    "<=": lambda one, other: bool(one <= other),
    ">": lambda one, other: bool(one > other),
    ">=": lambda one, other: bool(one >= other),
}
_WORDS = {"AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"}


def comparable(value: Value) -> tuple[str, Any]:
    """A value in an order of its own type: numbers by size, text by its bytes."""
    ((kind, content),) = value.items()
    if kind == "N":
        return kind, Decimal(content)
    if kind == "S":
        return kind, content.encode()
    if kind.endswith("S"):
        return kind, frozenset(content)
    return kind, content


class _Reader:
    """Tokens of one expression, read from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        place = 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None:
                raise ValueError(f"not an expression: {text!r}")
            self._tokens.append(found[1])
            place = found.end()
        self._at = 0

    @property
    def next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    @property
    def word(self) -> str:
        """The next token if it is a word of the language."""
        upper = self.next.upper()
        return upper if upper in _WORDS else ""

    def take(self, wanted: str = "") -> str:
        token = self.next
        if not token or (wanted and token.upper() != wanted):
            raise ValueError(f"expected {wanted or 'more'}, found {token!r}")
        self._at += 1
        return token

    def takes(self, wanted: str) -> bool:
        if self.next.upper() != wanted:
            return False
        self._at += 1
        return True


def _named(token: str, names: Names) -> str:
    return names[token] if token.startswith("#") else token


def _operand(reader: _Reader) -> Operand:
    token = reader.take()
    if token.startswith(":"):
        return lambda item, names, values: values[token]
    if token == "if_not_exists":
        reader.take("(")
        name = reader.take()
        reader.take(",")
        other = _operand(reader)
        reader.take(")")
        return lambda item, names, values: (
            item.get(_named(name, names)) or other(item, names, values)
        )
    if token.upper() in _WORDS or reader.next == "(":
        raise ValueError(f"not an operand: {token!r}")
    return lambda item, names, values: item.get(_named(token, names))


def _compared(left: Operand, sign: str, right: Operand) -> Condition:
    compare = _COMPARE[sign]

    def holds(item: Item, names: Names, values: Values) -> bool:
        one, other = left(item, names, values), right(item, names, values)
        if one is None or other is None:
            return sign == "<>"
        kind, content = comparable(one)
        other_kind, other_content = comparable(other)
        if kind != other_kind:
            return sign == "<>"
        return compare(content, other_content)

    return holds


def _between(left: Operand, low: Operand, high: Operand) -> Condition:
    above, below = _compared(left, ">=", low), _compared(left, "<=", high)
    return lambda item, names, values: above(item, names, values) and below(item, names, values)


def _function(name: str, reader: _Reader) -> Condition:
    reader.take("(")
    token = reader.take()
    if name in ("attribute_exists", "attribute_not_exists"):
        reader.take(")")
        wanted = name == "attribute_exists"
        return lambda item, names, values: (_named(token, names) in item) is wanted
    reader.take(",")
    other = _operand(reader)
    reader.take(")")

    def holds(item: Item, names: Names, values: Values) -> bool:
        whole, part = item.get(_named(token, names)), other(item, names, values)
        if whole is None or part is None or "S" not in part:
            return False
        if name == "begins_with":
            return bool("S" in whole and whole["S"].startswith(part["S"]))
        return bool(part["S"] in next(iter(whole.values())))

    return holds


_FUNCTIONS = ("attribute_exists", "attribute_not_exists", "begins_with", "contains")


def _primary(reader: _Reader) -> Condition:
    if reader.takes("("):
        inner = _or(reader)
        reader.take(")")
        return inner
    if reader.next in _FUNCTIONS:
        return _function(reader.take(), reader)
    left = _operand(reader)
    if reader.takes("BETWEEN"):
        low = _operand(reader)
        reader.take("AND")
        return _between(left, low, _operand(reader))
    if reader.takes("IN"):
        reader.take("(")
        among = [_compared(left, "=", _operand(reader))]
        while reader.takes(","):
            among.append(_compared(left, "=", _operand(reader)))
        reader.take(")")
        return lambda item, names, values: any(one(item, names, values) for one in among)
    return _compared(left, reader.take(), _operand(reader))


def _not(reader: _Reader) -> Condition:
    if reader.takes("NOT"):
        inner = _not(reader)
        return lambda item, names, values: not inner(item, names, values)
    return _primary(reader)


def _and(reader: _Reader) -> Condition:
    parts = [_not(reader)]
    while reader.takes("AND"):
        parts.append(_not(reader))
    return lambda item, names, values: all(part(item, names, values) for part in parts)


def _or(reader: _Reader) -> Condition:
    parts = [_and(reader)]
    while reader.takes("OR"):
        parts.append(_and(reader))
    return lambda item, names, values: any(part(item, names, values) for part in parts)


@cache
def condition(text: str) -> Condition:
    """Whether an item (empty where there is none) fulfils it. Raises ValueError on other text."""
    reader = _Reader(text)
    whole = _or(reader)
    if reader.next:
        raise ValueError(f"what is {reader.next!r}?")
    return whole


def _set(reader: _Reader) -> Update:
    name = reader.take()
    reader.take("=")
    first = _operand(reader)
    sign = reader.take() if reader.next in ("+", "-") else ""
    second = _operand(reader) if sign else None

    def change(item: Item, names: Names, values: Values) -> None:
        value = first(item, names, values)
        if value is None:
            raise ValueError("an attribute that is not there")
        if second is not None:
            other = second(item, names, values)
            if other is None:
                raise ValueError("an attribute that is not there")
            factor = 1 if sign == "+" else -1
            value = {"N": str(Decimal(value["N"]) + factor * Decimal(other["N"]))}
        item[_named(name, names)] = value

    return change


def _remove(reader: _Reader) -> Update:
    name = reader.take()

    def change(item: Item, names: Names, values: Values) -> None:
        item.pop(_named(name, names), None)

    return change


def _add(reader: _Reader) -> Update:
    name, more = reader.take(), _operand(reader)

    def change(item: Item, names: Names, values: Values) -> None:
        key, value = _named(name, names), more(item, names, values)
        if value is None:
            raise ValueError("an attribute that is not there")
        before = item.get(key)
        if before is not None and before.keys() != value.keys():
            raise WrongTypeError
        if "N" in value:
            total = Decimal(value["N"]) + (Decimal(before["N"]) if before else 0)
            item[key] = {"N": str(total)}
        else:
            kind = next(iter(value))
            item[key] = {kind: sorted({*value[kind], *(before[kind] if before else ())})}

    return change


def _delete(reader: _Reader) -> Update:
    name, less = reader.take(), _operand(reader)

    def change(item: Item, names: Names, values: Values) -> None:
        key, value = _named(name, names), less(item, names, values)
        before = item.pop(key, None)
        if before is None or value is None:
            return
        kind = next(iter(value))
        if rest := sorted({*before[kind]} - {*value[kind]}):
            item[key] = {kind: rest}

    return change


_CLAUSES = {"SET": _set, "REMOVE": _remove, "ADD": _add, "DELETE": _delete}


@cache
def update(text: str) -> Update:
    """Changes an item in place. Raises ValueError on other text."""
    reader = _Reader(text)
    changes: list[Update] = []
    while reader.next:
        clause = _CLAUSES[reader.take().upper()]
        changes.append(clause(reader))
        while reader.takes(","):
            changes.append(clause(reader))

    def change(item: Item, names: Names, values: Values) -> None:
        for one in changes:
            one(item, names, values)

    return change
