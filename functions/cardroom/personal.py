"""What is kept of a player beside his money and his hands, on DynamoDB: for the operator's command
line, to be given out to him and to be erased, and for the report of pairs.

Money stays: its books are of more than one. Hands stay: they name players by what they are called
at the tables, and are sealed.
"""

from collections.abc import Iterator
from typing import Final

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.arrivals import HASH_BYTES, NO_DEVICE
from cardroom.damage import UNREADABLE, Attributes
from cardroom.disputes import Dispute, read_dispute
from cardroom.money import Departure, Player, Standing
from cardroom.shape import dated, whole
from cardroom.spans import DAY_MS
from cardroom.wallets import read_departure
from poker_engine.frozen import dataclass

_OWN: Final = (keys.LIMITS, keys.SESSION)
"""Items of a player's partition that are neither his account nor money."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """On a day (since 1970, UTC); `address` and `device` are hashes, and `device` may be empty."""

    player: str
    day: int
    address: str
    device: str


@dataclass(frozen=True, slots=True)
class Erased:
    """How many of each are gone now; none the second time."""

    arrivals: int
    disputes: int
    others: int
    """Limits, the last visit, what he left tables with."""


class DynamoPersonal(DynamoAccounts):
    def arrivals(self, now: int) -> Iterator[Arrival | str]:
        """Everybody's, in no order; of one that is damaged its key."""
        found = self.scan("begins_with(pk, :came)", {":came": {"S": keys.CAME}})
        return (_arrival_or_key(item) for item in found if _lasts(item, now))

    def arrivals_of(self, name: str, now: int) -> list[Arrival]:
        """The first day first. Raises DamagedError."""
        items = self._partition(keys.came(name))
        found = [self._inspection.one(item, read_arrival) for item in items if _lasts(item, now)]
        return sorted(found, key=lambda one: (one.day, one.address, one.device))

    def disputes_of_player(self, name: str) -> list[Dispute]:
        """The first one first. Raises DamagedError."""
        items = self._partition(keys.disputes(name))
        found = [self._inspection.one(item, read_dispute) for item in items]
        return sorted(found, key=lambda one: (one.at, one.table, one.hand))

    def left_tables(self, name: str) -> list[Departure]:
        """What he left tables with lately, by structure. Raises DamagedError."""
        items = self._partition(keys.user(name), keys.LEFT)
        return [self._inspection.one(item, read_departure) for item in items]

    def erase(self, player: Player) -> Erased:
        """Whatever of this can be done without; `player` is as he is to stand from now on, and is
        closed.
        """
        arrivals = self._clear(keys.came(player.name))
        disputes = self._clear(keys.disputes(player.name))
        others = sum(self._clear(keys.user(player.name), sort) for sort in (*_OWN, keys.LEFT))
        self.set_standing(player, Standing.CLOSED)
        return Erased(arrivals, disputes, others)

    def _clear(self, partition: str, prefix: str = "") -> int:
        cleared = 0
        # As they lie there: what is damaged goes too.
        for item in self._partition(partition, prefix):
            self._client.delete_item(TableName=self.name, Key={"pk": item["pk"], "sk": item["sk"]})
            cleared += 1
        return cleared


def read_arrival(item: Attributes) -> Arrival:
    """Raises one of damage.UNREADABLE if the item is damaged."""
    day, address, device = item["sk"]["S"].split("#")
    return Arrival(
        player=item["pk"]["S"].removeprefix(keys.CAME),
        day=dated(int(day) * DAY_MS) // DAY_MS,
        address=_hash(address),
        device="" if device == NO_DEVICE else _hash(device),
    )


def _hash(text: str) -> str:
    if len(bytes.fromhex(text)) != HASH_BYTES:
        raise ValueError("no hash of a place")
    return text


def _lasts(item: Attributes, now: int) -> bool:
    """As ttl lags; one that is damaged does, to be named."""
    try:
        return now < 1000 * whole(item["ttl"])
    except UNREADABLE:
        return True


def _arrival_or_key(item: Attributes) -> Arrival | str:
    try:
        return read_arrival(item)
    except UNREADABLE:
        return f"{item['pk']['S']} / {item['sk']['S']}"
