"""Old records of hands in a bucket: a hundred of a table's to an object, as they lay in the table.

An object is written once and never changed. Its lines are the items, attribute for attribute, so
that seals hold for them as before; the hands in it follow from its name, so that one is found
without a look at others.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.damage import Attributes

BLOCK: Final = 100
"""Hands in an object, some 400 KB."""
_THERE: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})
_NONE: Final = frozenset({"NoSuchKey", "404"})
_HIDDEN: Final = frozenset({"AccessDenied", "403"})


def block_of(number: int) -> int:
    """Hands are counted from 1, blocks from 0."""
    return (number - 1) // BLOCK


def hands_of(block: int) -> range:
    """Their numbers."""
    return range(block * BLOCK + 1, (block + 1) * BLOCK + 1)


class S3Archive:
    """Through a client of S3's of whoever may read here, or write; made when it is first asked."""

    def __init__(self, make: Callable[[], Any], bucket: str, *, lists: bool = True) -> None:
        """`lists`: whether he may list what there is. To one who may not, S3 says of what is not
        there no more than that he may not read it.
        """
        self._make = make
        self._bucket = bucket
        self._none = _NONE if lists else _NONE | _HIDDEN

    @cached_property
    def _client(self) -> Any:
        return self._make()

    def read(self, table_id: str, block: int) -> list[Attributes] | None:
        """The items, in order; None where there is no such object. Raises ValueError where it is
        none of ours.
        """
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=_key(table_id, block))
        except ClientError as error:
            if error.response["Error"]["Code"] in self._none:
                return None
            raise
        try:
            items = [json.loads(line) for line in found["Body"].read().decode().splitlines()]
        except RecursionError as error:
            raise ValueError("no items, but something deep") from error
        if not items or not all(_is_item(item, keys.hand(table_id)) for item in items):
            raise ValueError("not items of hands alone")
        return items

    def write(self, table_id: str, block: int, items: Sequence[Attributes]) -> None:
        """Nothing is done where the object is there, whatever is in it."""
        body = "".join(f"{_line(item)}\n" for item in items).encode()
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=_key(table_id, block),
                Body=body,
                ContentType="application/jsonl",
                IfNoneMatch="*",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] not in _THERE:
                raise

    def blocks(self, table_id: str) -> Iterator[int]:
        """Those that there are, in order; what else lies there is none of ours."""
        asked: dict[str, Any] = {"Bucket": self._bucket, "Prefix": _prefix(table_id)}
        while True:
            answer = self._client.list_objects_v2(**asked)
            for found in answer.get("Contents", []):
                name = _NAME.fullmatch(found["Key"].removeprefix(_prefix(table_id)))
                if name is not None:
                    yield int(name[1])
            if not answer.get("IsTruncated"):
                return
            asked["ContinuationToken"] = answer["NextContinuationToken"]


_NAME: Final = re.compile(r"([0-9]{7})\.jsonl", re.ASCII)


def _prefix(table_id: str) -> str:
    return f"hands/{table_id}/"


def _key(table_id: str, block: int) -> str:
    """Of fixed width, so that blocks are listed in their order."""
    return f"{_prefix(table_id)}{block:07d}.jsonl"


def _is_item(item: object, partition: str) -> bool:
    """Whether it is one of this table's as far as finding it goes; what is in it is for those who
    read records.
    """
    if not isinstance(item, dict) or item.get("pk") != {"S": partition}:
        return False
    sort = item.get("sk")
    return isinstance(sort, dict) and isinstance(sort.get("S"), str)


def _line(item: Attributes) -> str:
    return json.dumps(item, sort_keys=True, separators=(",", ":"))
