"""The port `Arrivals` on DynamoDB: from which address and device a player came on a day.

For telling whether two players share one (`cardroom report pairs`), and for nothing else. What is
kept are hashes, keyed by a secret that is not in the table and by the day: on one day the same
place is the same hash for everybody, and of two days nobody who reads the table can tell whether a
place is the same. Of a day, address and device there is one item, however often he connects.
"""

import re
from collections.abc import Mapping
from hashlib import blake2s
from typing import Final

from cardroom import keys
from cardroom.bans import network
from cardroom.models import ArrivalItem, prime
from cardroom.offered import protocols
from cardroom.spans import DAY_MS

DEVICE: Final = "device."
"""Begins the offered protocol that holds the id of a device."""
_ID: Final = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
KEPT_DAYS: Final = 90
HASH_BYTES: Final = 12
NO_DEVICE: Final = "-"
"""In the key of an arrival whose client says nothing of its device."""


class DynamoArrivals:
    def __init__(self, table_name: str, key: str) -> None:
        """`key` is the room's secret, which the hashes depend on."""
        prime(table_name)
        self._key = blake2s(key.encode()).digest()

    def note(self, player: str, address: str, device: str, now: int) -> None:
        """`device` is empty where nothing is known of it. One write, and nothing is read."""
        day = now // DAY_MS
        place = self._hashed(day, "address", network(address))
        with_what = self._hashed(day, "device", device) if device else NO_DEVICE
        ends = (day + 1 + KEPT_DAYS) * DAY_MS // 1000
        ArrivalItem(keys.came(player), keys.arrival(day, place, with_what), ttl=ends).save()

    def _hashed(self, day: int, kind: str, what: str) -> str:
        text = f"{day}#{kind}#{what}".encode()
        return blake2s(text, key=self._key, digest_size=HASH_BYTES).hexdigest()


def device_of(headers: object) -> str:
    """The id that the client offers for its device; empty where it offers none, or what is none, or
    more than one.
    """
    if not isinstance(headers, Mapping):
        return ""
    texts = {name: value for name, value in headers.items() if isinstance(value, str)}
    offered = [one.removeprefix(DEVICE) for one in protocols(texts) if one.startswith(DEVICE)]
    return offered[0] if len(offered) == 1 and _ID.fullmatch(offered[0]) else ""
