"""Many items of the one table in few reads."""

from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any, Final

from cardroom.damage import Attributes

KEYS_AT_ONCE: Final = 100
"""As many as DynamoDB takes in one read."""
ASKED_MOST: Final = 5


def read_items(
    client: Any, table_name: str, wanted: Iterable[Attributes], **more: Any
) -> Iterator[Attributes]:
    """Those that are there, read consistently, in no order. What DynamoDB leaves out of an answer
    it is asked for again. `wanted` are keys, no two the same, `more` what else is asked.
    """
    for some in batched(wanted, KEYS_AT_ONCE, strict=False):
        asked: Any = {table_name: {"Keys": some, "ConsistentRead": True, **more}}
        for _ in range(ASKED_MOST):
            answer = client.batch_get_item(RequestItems=asked)
            yield from answer["Responses"][table_name]
            asked = answer["UnprocessedKeys"]
            if not asked:
                break
        else:
            raise ConnectionError("DynamoDB leaves keys out again and again")
