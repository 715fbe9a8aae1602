"""Who came from one place as somebody else: an address or a device on one day, known by a hash.

A place that two share by themselves says much, a household of three less, and a café or a carrier's
address next to nothing: each pair there gets its share of what two alone would. Playing together
takes the same day, so nothing is lost by hashes that say nothing on another one.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, combinations
from sys import intern
from typing import Final

from cardroom.personal import Arrival
from cli.collusion.tallies import Names

CROWD: Final = 20
"""Beyond so many players of a place on a day it says nothing of any two of them."""
MOST: Final = 2.0
"""Of a score, what sharing places comes to at most: as much as a measure of 1 in 1,000."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Of two players: days on which both came from one address, and with one device."""

    addresses: int = 0
    devices: int = 0
    fewest: int = 0
    """Players of the least crowded place that they shared, themselves included."""
    nearness: float = 0.0
    """From 0 to 1: a day alone is half of it, and no number of days among many comes to as much."""

    @property
    def points(self) -> float:
        return MOST * self.nearness


NOTHING: Final = Shared()
type _Users = dict[bytes, str | set[str]]
"""By place; of most there is one, of whom no set is made."""


@dataclass(slots=True)
class _Days:
    """Of two players; `either` is of each day how many were at the least crowded place."""

    addresses: int = 0
    devices: int = 0
    either: list[int] = field(default_factory=list)

    def shared(self) -> Shared:
        # The days among the fewest say most; those among many take nothing from them.
        near = accumulate(_weight(count) for count in sorted(self.either))
        nearness = max(total / (days + 1) for days, total in enumerate(near, 1))
        return Shared(self.addresses, self.devices, min(self.either), nearness)


@dataclass(slots=True)
class Places:
    """By day: who came from each address, and with each device."""

    days: dict[int, tuple[_Users, _Users]] = field(default_factory=dict)

    def add(self, arrival: Arrival) -> None:
        addresses, devices = self.days.setdefault(arrival.day, ({}, {}))
        _enter(addresses, arrival.address, arrival.player)
        if arrival.device:
            _enter(devices, arrival.device, arrival.player)

    def shared(self) -> dict[Names, Shared]:
        """Of all who share any, whether they have played together or not."""
        found: dict[Names, _Days] = defaultdict(_Days)
        for addresses, devices in self.days.values():
            by_address, by_device = _crowds(addresses.values()), _crowds(devices.values())
            for names in by_address.keys() | by_device.keys():
                one = found[names]
                counts = [crowds[names] for crowds in (by_address, by_device) if names in crowds]
                one.addresses += names in by_address
                one.devices += names in by_device
                one.either.append(min(counts))
        return {names: days.shared() for names, days in found.items()}


def _enter(users: _Users, place: str, player: str) -> None:
    key = bytes.fromhex(place)
    there = users.setdefault(key, intern(player))
    if isinstance(there, set):
        there.add(player)
    elif there != player:
        users[key] = {there, player}


def _crowds(places: Iterable[str | set[str]]) -> dict[Names, int]:
    """Of each two who share a place how many were there, at the least crowded one."""
    found: dict[Names, int] = {}
    for users in places:
        if isinstance(users, str) or len(users) > CROWD:
            continue
        count = len(users)
        for names in combinations(sorted(users), 2):
            found[names] = min(count, found.get(names, CROWD))
    return found


def _weight(count: int) -> float:
    """One of so many pairs."""
    return 2 / (count * (count - 1))
