"""What the room tells players for their own statements, read to its end."""

from typing import Any

from cardroom.messages import Ok
from tests.room.world import World

type Json = dict[str, Any]


def number_of(entry: Json) -> int:
    """Of its wallet."""
    number: int = entry["number"]
    return number


def ledger_of(world: World, player: str, zone: str) -> tuple[list[Json], list[Json]]:
    """All entries, and the wallets as the first answer told them."""
    entries: list[Json] = []
    wallets: list[Json] | None = None
    fields: Json = {"zone": zone}
    while True:
        page = _asked(world, player, "ledger", fields).ledger
        assert page is not None
        entries += page["entries"]
        wallets = page["wallets"] if wallets is None else wallets
        if page["next"] is None:
            return entries, wallets
        fields["after"] = page["next"]


def results_of(world: World, player: str, zone: str, table: str) -> dict[str, Json]:
    """From the first hand to the last, by day."""
    days: dict[str, Json] = {}
    fields: Json = {"zone": zone, "table": table}
    while True:
        page = _asked(world, player, "results", fields).results
        assert page is not None
        assert page["unreadable"] == []
        for one in page["days"]:
            sums = days.setdefault(one["day"], {"hands": 0, "net": 0, "rake": 0})
            for name in sums:
                sums[name] += one[name]
        if page["next"] is None:
            return days
        fields["hand"] = page["next"]


def _asked(world: World, player: str, route: str, fields: Json) -> Ok:
    reply = world.say(player, route, **fields)
    assert isinstance(reply, Ok), reply
    return reply
