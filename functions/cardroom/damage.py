"""Items of the store that are not what the room writes.

Each is found where it is read: reported by its key, left as it lies, and of several items the
others are read all the same. So it can spoil nothing but its own table or player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from cardroom import keys

# Functions that only know connections need no more.
if TYPE_CHECKING:
    from cardroom.ports import Signals

type Attributes = dict[str, dict[str, Any]]

UNREADABLE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading raises upon whatever may be in an item. PynamoDB's own are among them."""


class DamagedError(Exception):
    """An item is not what the room writes. Its text is the item's key, never what it holds: for an
    operator, not for the log (see `logged`).
    """


class Inspection:
    """Reads items, and reports those that cannot be read; without signals it only raises."""

    def __init__(
        self, signals: Signals | None = None, raised: type[DamagedError] = DamagedError
    ) -> None:
        self._signals = signals
        self._raised = raised

    def one[Read](self, item: Attributes, read: Callable[[Attributes], Read]) -> Read:
        """Raises DamagedError."""
        try:
            return read(item)
        except UNREADABLE as fault:
            raise self.damaged(item["pk"]["S"], item["sk"]["S"], fault) from fault

    def those[Read](
        self, items: Iterable[Attributes], read: Callable[[Attributes], Read]
    ) -> Iterator[Read]:
        """Of several items what can be read."""
        for item in items:
            try:
                found = self.one(item, read)
            except DamagedError:
                continue
            yield found

    def damaged(self, partition: str, sort: str, fault: BaseException) -> DamagedError:
        """Reported, and to be raised."""
        name = f"{partition} / {sort}"
        if self._signals is not None:
            self._signals.count("ItemDamaged")
            self._signals.fault("store", fault, item=f"{partition} / {logged(sort)}")
        return self._raised(name)


def logged(sort: str) -> str:
    """A sort key for the log. That of a buy-in holds its command's id, which is the client's own
    text and may be anything: it is named as the command's line names it.
    """
    prefix = keys.ledger(keys.bought(""))
    if not sort.startswith(prefix):
        return sort
    return f"{prefix}~{named(sort.removeprefix(prefix))}"


def named(text: str) -> str:
    """What stands in the log for a text that may be anything."""
    # Only here, for functions that know connections alone.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:12]
