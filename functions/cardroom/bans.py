"""The port `Bans` on DynamoDB.

A player is banned by his name, a guest by a hash of his address: the address itself is neither
stored nor logged. The hash is keyed by the table's name, so that one table's say nothing elsewhere;
of an IPv6 address it is taken over the network (/64), as the rest is the guest's own choice.
"""

from hashlib import blake2s
from typing import Any

from cardroom import keys
from cardroom.damage import Attributes, DamagedError, Inspection
from cardroom.models import BanItem, prime
from cardroom.ports import Signals
from cardroom.shape import whole


class DynamoBans:
    def __init__(self, table_name: str, signals: Signals | None = None) -> None:
        """Damaged items are reported where there are `signals`."""
        self.name = table_name
        self._inspection = Inspection(signals)
        self._client: Any = prime(table_name).connection.client

    def ban(self, player: str | None, address: str, until: int) -> None:
        partition = self._partition(player, address)
        BanItem(partition, keys.BAN, until=until, ttl=-(-until // 1000)).save()

    def banned(self, player: str | None, address: str, now: int) -> bool:
        answer = self._client.get_item(
            TableName=self.name,
            Key={"pk": {"S": self._partition(player, address)}, "sk": {"S": keys.BAN}},
            # Who was put out comes back at once.
            ConsistentRead=True,
        )
        if "Item" not in answer:
            return False
        try:
            # As ttl lags, it is checked on reading.
            return now < self._inspection.one(answer["Item"], _read_until)
        except DamagedError:
            # Reported. Nobody is kept out for ever.
            return False

    def _partition(self, player: str | None, address: str) -> str:
        # No player's name holds a "#".
        return keys.ban(player if player is not None else f"ip#{hashed(address, self.name)}")


def _read_until(item: Attributes) -> int:
    return whole(item["until"])


def hashed(address: str, key: str) -> str:
    """What stands for a guest's address."""
    secret = blake2s(key.encode()).digest()
    return blake2s(network(address).encode(), key=secret, digest_size=16).hexdigest()


def network(address: str) -> str:
    """What of an address is somebody's own to be known by: IPv4 whole, of IPv6 its /64."""
    if ":" not in address:
        return address
    # Only here, as it takes a while to import.
    from ipaddress import IPv6Address, IPv6Network

    # IPv4 as IPv6 writes it: all of those share one network.
    try:
        mapped = IPv6Address(address).ipv4_mapped
    except ValueError:
        return address
    if mapped is not None:
        return str(mapped)
    return str(IPv6Network((address, 64), strict=False).network_address)
