"""DynamoDB in memory: one table, its indexes and its stream, as the room's calls meet them.

Requests and answers are those of the wire, as decoded JSON. Nothing here knows of faults: those
happen on the way (`wire`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.expressions import Item, WrongTypeError, comparable, condition, update

PAGE = 40
"""Items of one answer to a query or scan: DynamoDB cuts by size, a fake should cut at all."""
MOST_KEYS = 100
"""Of one batch."""
BATCH = 60
"""Items of one answer to a batch."""
MOST_PARTS = 100
"""Of one transaction."""
MOST_BYTES = 400_000
"""Of one item."""

type Key = tuple[str, str]


class Refused(Exception):
    """An error of the service: code, and what its answer holds besides."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.more = more


@dataclass(frozen=True, slots=True)
class Written:
    """One item's change, as the stream tells it; `new` is None where it was removed."""

    number: int
    key: Key
    new: Item | None
    inserted: bool


@dataclass(frozen=True, slots=True)
class Index:
    hash: str
    range: str


@dataclass
class Dynamo:
    """`tell` hears of every change, in order."""

    indexes: dict[str, Index]
    tell: Callable[[Written], None] = lambda written: None
    partitions: dict[str, dict[str, Item]] = field(default_factory=dict)
    changes: int = 0

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """The answer of an operation. Raises Refused."""
        return _OPERATIONS[operation](self, request)

    def item(self, pk: str, sk: str) -> Item | None:
        return self.partitions.get(pk, {}).get(sk)

    def partition(self, pk: str) -> list[Item]:
        """In the order of sort keys."""
        found = self.partitions.get(pk, {})
        return [found[sk] for sk in sorted(found, key=str.encode)]

    def put(self, key: Key, item: Item | None) -> None:
        """Store an item, or remove it."""
        pk, sk = key
        partition = self.partitions.setdefault(pk, {})
        before = partition.get(sk)
        if item is None:
            if before is None:
                return
            del partition[sk]
        else:
            size = sum(len(name) + len(value.get("S", "")) for name, value in item.items())
            if size > MOST_BYTES:
                raise Refused("ValidationException")
            partition[sk] = item
        if item != before:
            self.changes += 1
            self.tell(Written(self.changes, key, item, before is None))

    def expire(self, now: int) -> None:
        """Remove what its ttl (seconds) has let go, as DynamoDB does in its own time."""
        for pk, partition in list(self.partitions.items()):
            for sk, item in list(partition.items()):
                if "ttl" in item and int(item["ttl"]["N"]) * 1000 <= now:
                    self.put((pk, sk), None)

    # Operations

    def _get(self, request: dict[str, Any]) -> dict[str, Any]:
        found = self.item(*_key(request["Key"]))
        return {} if found is None else {"Item": found}

    def _batch_get(self, request: dict[str, Any]) -> dict[str, Any]:
        """Of a long list the end is left over for another time, as DynamoDB may do."""
        responses: dict[str, list[Item]] = {}
        rest: dict[str, dict[str, Any]] = {}
        for table, asked in request["RequestItems"].items():
            keys = [_key(one) for one in asked["Keys"]]
            if not 0 < len(keys) <= MOST_KEYS or len(set(keys)) != len(keys):
                raise Refused("ValidationException")
            found = (self.item(*key) for key in keys[:BATCH])
            responses[table] = [item for item in found if item is not None]
            if len(keys) > BATCH:
                rest[table] = {**asked, "Keys": asked["Keys"][BATCH:]}
        return {"Responses": responses, "UnprocessedKeys": rest}

    def _put(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, request["Item"])
        return self._returned(request, self._apply("Put", request))

    def _update(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, request["Key"])
        return self._returned(request, self._apply("Update", request))

    def _delete(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, request["Key"])
        return self._returned(request, self._apply("Delete", request))

    def _check(self, request: dict[str, Any], named: Item) -> None:
        before = self.item(*_key(named))
        if not _holds(request, before):
            wanted = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
            more = {"Item": before} if wanted and before is not None else {}
            raise Refused("ConditionalCheckFailedException", **more)

    def _returned(self, request: dict[str, Any], before: Item | None) -> dict[str, Any]:
        match request.get("ReturnValues", "NONE"):
            case "NONE":
                return {}
            case "ALL_OLD":
                return {} if before is None else {"Attributes": before}
            case "ALL_NEW":
                key = _key(request["Key"])
                return {"Attributes": self.item(*key)}
            case other:
                raise ValueError(f"ReturnValues {other}")

    def _apply(self, kind: str, part: dict[str, Any]) -> Item | None:
        """Do what was found allowed; the item as it was before."""
        key = _key(part["Item"] if kind == "Put" else part["Key"])
        before = self.item(*key)
        if kind == "Put":
            self.put(key, part["Item"])
        elif kind == "Delete":
            self.put(key, None)
        elif kind == "Update":
            item = dict(part["Key"] if before is None else before)
            names, values = _placeholders(part)
            if text := part.get("UpdateExpression"):
                try:
                    update(text)(item, names, values)
                except WrongTypeError:
                    raise Refused("ValidationException") from None
            self.put(key, item)
        return before

    def _transact(self, request: dict[str, Any]) -> dict[str, Any]:
        parts = [next(iter(part.items())) for part in request["TransactItems"]]
        keys = [_key(part["Item"] if kind == "Put" else part["Key"]) for kind, part in parts]
        if len(parts) > MOST_PARTS or len(set(keys)) != len(keys):
            raise Refused("ValidationException")
        reasons: list[dict[str, Any]] = []
        for (_, part), key in zip(parts, keys, strict=True):
            before = self.item(*key)
            if _holds(part, before):
                reasons.append({"Code": "None"})
                continue
            reason: dict[str, Any] = {"Code": "ConditionalCheckFailed", "Message": ""}
            wanted = part.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
            if wanted and before is not None:
                reason["Item"] = before
            reasons.append(reason)
        if any(reason["Code"] != "None" for reason in reasons):
            raise Refused("TransactionCanceledException", CancellationReasons=reasons)
        for kind, part in parts:
            self._apply(kind, part)
        return {}

    def _batch(self, request: dict[str, Any]) -> dict[str, Any]:
        """Writes without conditions, all of them done."""
        for requests in request["RequestItems"].values():
            for one in requests:
                (operation,) = one.values()
                key = _key(operation.get("Key") or operation["Item"])
                self.put(key, operation.get("Item"))
        return {"UnprocessedItems": {}}

    def _query(self, request: dict[str, Any]) -> dict[str, Any]:
        holds = condition(request["KeyConditionExpression"])
        names, values = _placeholders(request)
        name = request.get("IndexName")
        if name is None:
            found = [one for one in self._candidates(request) if holds(one, names, values)]
        else:
            if request.get("ConsistentRead"):
                raise Refused("ValidationException")
            found = self._indexed(self.indexes[name], holds, names, values)
        if not request.get("ScanIndexForward", True):
            found.reverse()
        return self._page(request, found, keys_only=name is not None)

    def _candidates(self, request: dict[str, Any]) -> list[Item]:
        """The partition that the key condition names: it must."""
        names, values = _placeholders(request)
        for pk in (value["S"] for value in values.values() if "S" in value):
            probe = condition(f"{request['KeyConditionExpression'].split(' AND ')[0].strip('( )')}")
            if probe({"pk": {"S": pk}}, names, values):
                return self.partition(pk)
        raise Refused("ValidationException")

    def _indexed(
        self, index: Index, holds: Callable[..., bool], names: Any, values: Any
    ) -> list[Item]:
        found = [
            item
            for partition in self.partitions.values()
            for item in partition.values()
            if index.hash in item and index.range in item and holds(item, names, values)
        ]
        found.sort(key=lambda item: (comparable(item[index.range]), item["pk"]["S"]))
        kept = ("pk", "sk", index.hash, index.range)
        return [{name: item[name] for name in kept} for item in found]

    def _scan(self, request: dict[str, Any]) -> dict[str, Any]:
        every = [item for pk in sorted(self.partitions) for item in self.partition(pk)]
        return self._page(request, every)

    def _page(
        self, request: dict[str, Any], found: list[Item], *, keys_only: bool = False
    ) -> dict[str, Any]:
        start = request.get("ExclusiveStartKey")
        if start is not None:
            after = _key(start)
            places = [place for place, item in enumerate(found) if _key(item) == after]
            found = found[places[0] + 1 :] if places else []
        limit = min(PAGE, request.get("Limit", PAGE))
        page, rest = found[:limit], found[limit:]
        scanned = len(page)
        answer: dict[str, Any] = {}
        if rest:
            last = page[-1]
            kept = tuple(last) if keys_only else ("pk", "sk")
            answer["LastEvaluatedKey"] = {name: last[name] for name in kept}
        if text := request.get("FilterExpression"):
            names, values = _placeholders(request)
            page = [item for item in page if condition(text)(item, names, values)]
        answer["ScannedCount"] = scanned
        answer["Count"] = len(page)
        if request.get("Select") != "COUNT":
            answer["Items"] = page
        return answer


def _key(item: Item) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def _placeholders(request: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    names = request.get("ExpressionAttributeNames") or {}
    return names, request.get("ExpressionAttributeValues") or {}


def _holds(request: dict[str, Any], before: Item | None) -> bool:
    text = request.get("ConditionExpression")
    if not text:
        return True
    return condition(text)(before or {}, *_placeholders(request))


_OPERATIONS: dict[str, Callable[[Dynamo, dict[str, Any]], dict[str, Any]]] = {
    "GetItem": Dynamo._get,
    "BatchGetItem": Dynamo._batch_get,
    "PutItem": Dynamo._put,
    "UpdateItem": Dynamo._update,
    "DeleteItem": Dynamo._delete,
    "TransactWriteItems": Dynamo._transact,
    "BatchWriteItem": Dynamo._batch,
    "Query": Dynamo._query,
    "Scan": Dynamo._scan,
}
