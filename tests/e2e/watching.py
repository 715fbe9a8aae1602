"""Eyes for the end-to-end tests: everything that a connection received, and the moments of
events.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from local.client import Client
from local.seats import Bots
from local.table_view import Json


@dataclass
class Received:
    """All texts that one connection got, in order."""

    player: str
    texts: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> None:
        self.texts.append(text)

    def events(self) -> list[tuple[Json, int]]:
        """Every event pushed, once, with the server's time of its push."""
        seen = -1
        found: list[tuple[Json, int]] = []
        for text in self.texts:
            message: dict[str, Any] = json.loads(text)
            if message.get("type") == "events" and message["seq"] > seen:
                seen = message["seq"]
                found += [(event, message["now"]) for event in message["events"]]
        return found


async def sit(client: Client, table: str, seat: int, chips: int) -> None:
    """Watch the table and take the seat."""
    await client.watch(table)
    await client.request("sit", table=table, seat=seat, chips=chips, post=True)


async def my_turn(client: Client, table: str, after: tuple[int, int], seconds: float) -> Json:
    """The client's next turn after this (hand, turn), as soon as it is there."""
    view = client.views[table]

    def mine() -> bool:
        turn = view.turn
        return (
            turn is not None
            and turn["seat"] == view.mine
            and (turn["hand"], turn["number"]) > after
        )

    await client.until(mine, seconds)
    assert view.turn is not None
    return view.turn


async def act(client: Client, table: str, turn: Json, do: str, **fields: Any) -> Json:
    return await client.request(
        "act", table=table, hand=turn["hand"], turn=turn["number"], do=do, **fields
    )


async def gather_bots(bots: Bots, names: list[str]) -> list[Client]:
    return list(await asyncio.gather(*(bots.connect(name) for name in names)))
