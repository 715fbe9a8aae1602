"""Tables of a room on this machine: opened, and read as they are stored."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

from cardroom import keys
from cardroom.models import HandItem
from cardroom.store import DynamoTables, read_hand
from cardroom.stored import HandRecord, Stored
from cardroom.tables import open_table
from local.errors import RoomError
from local.money import shown
from local.stack import Deployed
from poker_engine.stakes import Game, Settings, Stakes


class LocalTables(DynamoTables):
    """The room's own store, on the client of one local room instead of the process's
    environment.
    """

    def __init__(self, room: Deployed) -> None:
        self.name = room.outputs["TableName"]
        self._client: Any = room.client("dynamodb")
        self._written = {}

    def listed(self) -> list[str]:
        """Ids of the open tables."""
        return [item["sk"]["S"] for item in self._items(keys.LISTED)]

    def hands(self, table_id: str) -> list[HandRecord]:
        """The records of a table's finished hands, in order; those that can be read."""
        return list(self._inspection.those(self._items(keys.hand(table_id)), _read_hand))

    def damaged_hands(self, table_id: str) -> list[str]:
        """Numbers of those that cannot be read."""
        numbers = [item["sk"]["S"] for item in self._items(keys.hand(table_id))]
        read = {keys.number(record.number) for record in self.hands(table_id)}
        return [number.lstrip("0") for number in numbers if number not in read]

    def raked(self, table_id: str) -> int:
        """All rake booked at a table."""
        return sum(int(item["amount"]["N"]) for item in self._items(keys.rake(table_id)))

    def _items(self, partition: str) -> Iterator[dict[str, Any]]:
        pages = self._client.get_paginator("query").paginate(
            TableName=self.name,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": partition}},
            ConsistentRead=True,
        )
        for page in pages:
            yield from page["Items"]


def _read_hand(item: dict[str, Any]) -> HandRecord:
    return read_hand(HandItem.from_raw_data(item))


def table_id(stakes: Stakes, number: int = 1) -> str:
    """As "php-5-10-1": currency, blinds (in limit the bets), and a number."""
    limit = stakes.game is Game.FIXED_LIMIT
    low = stakes.small_bet if limit else stakes.small_blind
    high = stakes.big_bet if limit else stakes.big_blind
    parts = [stakes.currency.lower(), shown(low), shown(high), *(["limit"] if limit else [])]
    return "-".join([*parts, str(number)]).replace(".", "p")


def open_tables(tables: LocalTables, wanted: Iterable[tuple[str, Settings]]) -> list[str]:
    """Open tables with these ids and settings. Raises RoomError where an id is taken."""
    opened = []
    for name, settings in wanted:
        if not open_table(tables, name, settings, time.time_ns() // 1_000_000):
            raise RoomError(f"there is a table {name} already")
        opened.append(name)
    return opened


def chips_missing(stored: Stored) -> int:
    """Chips that came to the table less those that left it (rake included) and those on it; should
    be 0.
    """
    return stored.chips_in - stored.chips_out - stored.chips
