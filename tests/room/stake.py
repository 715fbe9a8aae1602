"""A stake with its own tables, beside the world's `t`, and the floor that looks after it."""

import json
from collections.abc import Callable
from typing import Any

from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.tables import open_table
from poker_engine.errors import Code
from poker_engine.stakes import no_limit, table_settings
from tests.room.world import World

STAKES = no_limit("PHP", 250)
STRUCTURE = STAKES.structure
CHIPS = 40_000


class Stake:
    """Time stands still; errands come when they are due, each in a batch of its own."""

    def __init__(self, world: World, *tables: str, seats: int = 2, most: int = 1) -> None:
        self.world = world
        self.errands: list[tuple[int, str]] = []
        world.floor_queue.send = self._send  # type: ignore[method-assign]
        for table in tables:
            self.open(table, seats=seats, most=most)

    def open(self, table: str, *, seats: int = 2, most: int = 1) -> None:
        settings = table_settings(STAKES, seats)
        assert open_table(self.world.tables, table, settings, self.world.clock.now(), most=most)

    def _send(self, body: str, delay: int = 0) -> None:
        self.errands.append((self.world.clock.now() + delay * 1000, body))

    def connect(self, *players: str) -> None:
        for player in players:
            self.world.connect(player, player)

    def sit(self, player: str, table: str, seat: int, **more: Any) -> Ok | Error:
        return self.world.say(player, "sit", table=table, seat=seat, chips=CHIPS, **more)

    def seat(self, table: str, *players: str) -> None:
        """From its first free seat on."""
        self.connect(*players)
        for player in players:
            assert isinstance(self.sit(player, table, self.seats(table).index(None)), Ok)
        self.settle()

    def leave(self, player: str, table: str) -> None:
        assert isinstance(self.world.say(player, "leave", table=table), Ok)

    def wait(self, *players: str) -> None:
        """They join the line, a moment apart."""
        for player in players:
            self.world.connect(player, player)
            assert isinstance(self.world.say(player, "wait", structure=STRUCTURE), Ok)
            self.world.clock.go(1)
        self.settle()

    def settle(self) -> None:
        """The stream and the floor come to all that is due."""
        self.world.stream()
        while due := [one for one in self.errands if one[0] <= self.world.clock.now()]:
            for errand in due:
                self.errands.remove(errand)
                assert self.world.floor.deliver([("m", errand[1])]) == []
            self.world.stream()

    def later(self, ms: int) -> None:
        """Time passes, errand by errand."""
        end = self.world.clock.now() + ms
        while (following := min((at for at, _ in self.errands), default=end + 1)) <= end:
            self.world.clock.go_to(max(following, self.world.clock.now()))
            self.settle()
        self.world.clock.go_to(end)
        self.settle()

    def seats(self, table: str) -> list[str | None]:
        stored = self.world.tables.load(table)
        assert stored is not None
        return [None if seat is None else seat.player for seat in stored.table.seats]

    def line(self) -> list[str]:
        return [one.player for one in self.world.lines.line(STRUCTURE)]

    def offers(self) -> dict[str, str]:
        """Tables by player."""
        return {one.player: one.table for one in self.world.lines.line(STRUCTURE) if one.table}

    def told(self, connection: str) -> list[dict[str, Any]]:
        """The offers that were pushed there."""
        found = [json.loads(data) for data in self.world.push.to(connection)]
        return [one for one in found if one["type"] == "offer"]

    def last(self, connection: str) -> tuple[str | None, bool]:
        """Of the newest push: which table is on offer, and whether he still waits."""
        newest = self.told(connection)[-1]
        return newest["table"], newest["waiting"]


def code(answer: Ok | Error) -> RoomCode | Code | str:
    assert isinstance(answer, Error), answer
    return answer.code


def between[**Asked, Read](
    read: Callable[Asked, Read], happens: Callable[[], None]
) -> Callable[Asked, Read]:
    """The read, after whose first answer something happens before it is used."""
    done = False

    def stale(*args: Asked.args, **named: Asked.kwargs) -> Read:
        nonlocal done
        found = read(*args, **named)
        if not done:
            done = True
            happens()
        return found

    return stale
