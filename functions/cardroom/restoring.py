"""A room brought back to an earlier moment: its items copied into its own table, and its tables put
so that nothing that remembers a later moment takes what comes now for old.

For the operator's command line, while no function may write. See docs/restore.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import batched
from typing import Any, Final

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.damage import Attributes
from cardroom.dealer import Dealer
from cardroom.ports import Clock
from cardroom.store import DynamoTables
from cardroom.stored import Change, Stored
from cardroom.trouble import passes

AHEAD: Final = 10_000_000
"""By which seq and version of a restored table pass all that clients, warm functions and requests
under way may remember of it: more than 35 days of three events a second.
"""
OF_THE_MOMENT: Final = ("CONN#", "SEATED#", "WATCH#", "WAIT#", "BAN#", keys.CROWDS, keys.LOBBY)
"""Partitions that hold what ended with the connections: who watches what, lines, and bans."""
BATCH: Final = 25
"""As many items as DynamoDB takes in one call."""
TRIES: Final = 8


class NotCopiedError(Exception):
    """The table takes no more: some of a batch was refused each time."""


class Items:
    """All items of one DynamoDB table, as they are."""

    def __init__(self, name: str, client: Any, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock

    def all(self, *names: str) -> Iterator[Attributes]:
        """In no order (consistent reads); only these attributes where some are named."""
        chosen: dict[str, Any] = {}
        if names:
            chosen = {"ProjectionExpression": ", ".join(names)}
        pages = self._client.get_paginator("scan").paginate(
            TableName=self.name, ConsistentRead=True, **chosen
        )
        for page in pages:
            yield from page["Items"]

    def empty(self) -> int:
        """Take all of them away, page by page; how many there were. Raises NotCopiedError."""
        count = 0
        while found := self._first_page():
            count += self._written(
                {"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}} for item in found
            )
        return count

    def _first_page(self) -> list[Attributes]:
        """The first that has any: an empty one may have others behind it."""
        pages = self._client.get_paginator("scan").paginate(
            TableName=self.name, ConsistentRead=True, ProjectionExpression="pk, sk"
        )
        found: Iterator[list[Attributes]] = (page["Items"] for page in pages if page["Items"])
        return next(found, [])

    def put(self, items: Iterable[Attributes]) -> int:
        """Over what is there; how many they were. Raises NotCopiedError."""
        return self._written({"PutRequest": {"Item": item}} for item in items)

    def _written(self, requests: Iterable[dict[str, Any]]) -> int:
        count = 0
        for batch in batched(requests, BATCH, strict=False):
            left: list[dict[str, Any]] = list(batch)
            for attempt in range(TRIES):
                left = self._refused(left)
                if not left:
                    break
                self._clock.pause(50 << attempt)
            if left:
                raise NotCopiedError
            count += len(batch)
        return count

    def _refused(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that were not taken: some, or all where a partition has too much to do."""
        try:
            answer = self._client.batch_write_item(RequestItems={self.name: requests})
        except ClientError as error:
            if not passes(error):
                raise
            return requests
        left: list[dict[str, Any]] = answer.get("UnprocessedItems", {}).get(self.name, [])
        return left


def kept(item: Attributes) -> bool:
    """Whether it is part of what is brought back."""
    partition, sort = item["pk"]["S"], item["sk"]["S"]
    return not partition.startswith(OF_THE_MOMENT) and sort != keys.SESSION


def connections(items: Iterable[Attributes]) -> list[str]:
    """Of those that are open, as far as the table knows."""
    prefix = keys.connection("")
    found = (item["pk"]["S"] for item in items if item["pk"]["S"].startswith(prefix))
    return sorted({keys.connection_id(partition) for partition in found})


def settle(tables: DynamoTables, dealer: Dealer, table_id: str) -> Stored:
    """A restored table at rest: its hand is void (RULES 9), nothing begins or ends until it is
    thawed (RULES 10.2), and it is far ahead of what anybody remembers.

    Raises one of what `Dealer.apply` raises, or ValueError where somebody else writes the table.
    """
    dealer.void(table_id, "restored")
    dealer.freeze(table_id)
    stored = tables.load(table_id)
    if stored is None:
        raise ValueError(table_id)
    seq = stored.table.seq + AHEAD
    after = replace(stored, version=stored.version + AHEAD, table=replace(stored.table, seq=seq))
    now = dealer.clock.now()
    tables.write(Change(stored.version, after, from_seq=stored.table.seq, at=now, events=()))
    return after
