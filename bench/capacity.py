"""What DynamoDB charges for a call, in request units, by the sizes of the items that it touched.

A write is a unit for each begun KB of the item, before or after it, whichever is larger, a read one
for each begun 4 KB, half of that where it need not be consistent; in a transaction twice as much. A
write that its condition refuses is charged like one that was done. An index that holds keys only
takes a unit where an item comes to it or goes from it, so two where its key changes: also of a
transaction once, as indexes follow by themselves.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from cardroom import keys
from tests.simulation.dynamo import Dynamo, Index, Refused, Written
from tests.simulation.expressions import Item

WRITE_BYTES: Final = 1024
READ_BYTES: Final = 4096
PER_ITEM: Final = 100
"""Of an item that is stored: what DynamoDB keeps beside it."""


@dataclass(frozen=True, slots=True)
class Charge:
    """Request units; `what` says for which kind of item."""

    what: str
    reads: float = 0.0
    writes: float = 0.0


def size(item: Item | None) -> int:
    """Bytes of an item, names included: texts as UTF-8, numbers two digits a byte and one more,
    without the zeros at their end.
    """
    if item is None:
        return 0
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(value: dict[str, Any]) -> int:
    ((kind, held),) = value.items()
    match kind:
        case "S":
            return len(held.encode())
        case "N":
            return -(-len(held.lstrip("-").strip("0")) // 2) + 1
        case "SS":
            return sum(len(one.encode()) for one in held)
        case "NULL" | "BOOL":
            return 1
        case _:
            raise ValueError(f"no size is known of {kind}")


def written(before: Item | None, after: Item | None) -> int:
    """Write units of one item in the table itself."""
    return max(1, ceil(max(size(before), size(after)) / WRITE_BYTES))


def indexed(index: Index, before: Item | None, after: Item | None) -> int:
    """Write units of one item in an index of keys."""
    was, now = _place(index, before), _place(index, after)
    return 0 if was == now else (was is not None) + (now is not None)


def _place(index: Index, item: Item | None) -> tuple[Any, Any] | None:
    if item is None or index.hash not in item or index.range not in item:
        return None
    return item[index.hash], item[index.range]


def read(bytes_read: int, *, consistent: bool) -> float:
    """Read units of one call."""
    units = max(1, ceil(bytes_read / READ_BYTES))
    return float(units) if consistent else units / 2


def kind_of(pk: str, sk: str) -> str:
    """How items of this kind are called in a report."""
    return sk if sk in (keys.STATE, keys.META) else pk.partition("#")[0]


class Charged(Dynamo):
    """DynamoDB in memory that says what each call is charged."""

    def __init__(
        self,
        indexes: dict[str, Index],
        tell: Callable[[Written], None],
        charge: Callable[[str, list[Charge]], None],
    ) -> None:
        """`charge(operation, charges)` is told of each call."""
        super().__init__(indexes, tell)
        self._charge = charge

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation in ("Query", "Scan"):
            answer = super().call(operation, request)
            self._charge(operation, [self._listed(request, answer)])
            return answer
        if operation == "BatchGetItem":
            answer = super().call(operation, request)
            left = [key for key, _ in _batched(answer["UnprocessedKeys"])]
            charges = [
                Charge(kind_of(*key), reads=read(size(self.item(*key)), consistent=consistent))
                for key, consistent in _batched(request["RequestItems"])
                if key not in left
            ]
            self._charge(operation, charges)
            return answer
        parts: list[dict[str, Any]] = [request]
        if operation == "TransactWriteItems":
            parts = [next(iter(part.values())) for part in request["TransactItems"]]
        named: list[tuple[str, str]] = [_key(part) for part in parts]
        before = [self.item(*key) for key in named]
        try:
            return super().call(operation, request)
        except Refused as refused:
            if refused.code == "ValidationException":
                # Nothing was looked at.
                named, before = [], []
            raise
        finally:
            times = 2 if operation == "TransactWriteItems" else 1
            charges = []
            for key, was in zip(named, before, strict=True):
                kind = kind_of(*key)
                if operation == "GetItem":
                    consistent = bool(request.get("ConsistentRead"))
                    charges.append(Charge(kind, reads=read(size(was), consistent=consistent)))
                    continue
                now = self.item(*key)
                charges.append(Charge(kind, writes=times * written(was, now)))
                for name, index in self.indexes.items():
                    if units := indexed(index, was, now):
                        charges.append(Charge(f"index {name}", writes=units))
            self._charge(operation, charges)

    def _listed(self, request: dict[str, Any], answer: dict[str, Any]) -> Charge:
        name = request.get("IndexName")
        found = answer.get("Items", [])
        # What a filter leaves out is read all the same: here it is little, and only counted.
        most = max(answer.get("ScannedCount", 0), len(found))
        average = sum(map(size, found)) / len(found) if found else PER_ITEM
        values = request.get("ExpressionAttributeValues", {}).values()
        partition = next((one["S"] for one in values if "S" in one), "")
        kind = f"index {name}" if name else kind_of(partition, "")
        consistent = bool(request.get("ConsistentRead"))
        return Charge(kind, reads=read(round(most * average), consistent=consistent))


def _batched(tables: dict[str, Any]) -> Iterator[tuple[tuple[str, str], bool]]:
    """Keys of a batch, and whether they are read consistently."""
    for asked in tables.values():
        for key in asked["Keys"]:
            yield _key({"Key": key}), bool(asked.get("ConsistentRead"))


def _key(part: dict[str, Any]) -> tuple[str, str]:
    named = part.get("Key") or part["Item"]
    return named["pk"]["S"], named["sk"]["S"]
