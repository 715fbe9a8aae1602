"""Some hands at one table, as the room told them: for tests of clients in other languages.

Each step is what happened, when, what each viewer was pushed of it, and what he would be shown
after it if he asked. All follows from the seed. Written anew by

    .venv/bin/python -m tests.room.recording
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from moto import mock_aws

from cardroom.attendance import Change
from cardroom.messages import Ok
from tests.room.world import World, create_dynamodb_table, settings

FILE: Final = Path(__file__).parents[2] / "web/sdk/test/recorded-hands.json"
VIEWERS: Final = ("ana", "guest")
PLAYERS: Final = {"ana": 60_000, "ben": 25_000, "cora": 90_000, "dan": 12_000}
SEED: Final = 12
HANDS: Final = 2

type Json = dict[str, Any]


class Recording:
    """Plays by itself, and keeps the steps."""

    def __init__(self, world: World, seed: int = SEED) -> None:
        self._world = world
        self._dice = Random(seed)
        self.steps: list[Json] = []

    def play(self) -> list[Json]:
        world = self._world
        world.connect("guest")
        world.say("", "watch", on="guest")
        for seat, (player, chips) in enumerate(PLAYERS.items()):
            world.connect(player, player)
            self._say(player, "sit", seat=seat, chips=chips, post=True)
            if player == VIEWERS[0]:
                # Before he sits he has no table to be told of.
                self.steps.clear()
                self._step("ana has sat down")
        self._say("ana", "autotopup", to=50_000)
        for _ in range(HANDS):
            self._hand()
        self._say("ana", "leave", when="now")
        return self.steps

    def _hand(self) -> None:
        world = self._world
        at = world.stored().table.next_hand_at
        if at is None:
            return
        world.clock.go_to(at)
        world.dealer.apply("t")
        self._step("a hand begins")
        for choice in self._choices():
            if choice == 3:
                self._presence("cora", away=True)
            elif choice == 6:
                self._presence("cora", away=False)
            elif choice == 5:
                self._say("dan", "topup", chips=10_000)
            elif choice in (2, 8):
                self._prepare("ana")
            elif choice in (1, 9):
                self._say("ana", "sitout", when="big_blind" if choice == 1 else "never")
            self._turn()
        shown = world.stored().table.hand
        if shown is not None and self._dice.random() < 0.8:
            for player in PLAYERS:
                self._say(player, "show", cards=[self._dice.randint(0, 1)])

    def _choices(self) -> Iterator[int]:
        number = 0
        while self._world.stored().table.running is not None:
            yield number
            number += 1

    def _turn(self) -> None:
        world, dice = self._world, self._dice
        table = world.stored().table
        if table.running is None or table.running.turn is None:
            return
        turn = table.running.turn
        world.clock.go(dice.randint(1_000, 9_000))
        if dice.random() < 0.15:
            # Two expiries in a row, the second of the bank, are one step: what comes late.
            for _ in range(dice.randint(1, 2)):
                running = world.stored().table.running
                if running is None or running.turn is None:
                    break
                world.clock.go_to(max(world.clock.now(), running.turn.expires))
                world.dealer.apply("t")
            self._step("time is over")
            return
        view = world.say("guest", "sync", on="guest", seq=0)
        assert isinstance(view, Ok)
        assert view.snapshot is not None
        may = view.snapshot["state"]["turn"]
        if may is None:
            return
        wishes: list[Json] = [{"do": "check"}] * 4 if may["check"] else [{"do": "call"}] * 6
        wishes += [] if may["check"] else [{"do": "fold"}]
        if may["min_to"] is not None:
            wishes += [{"do": may["verb"], "to": may["min_to"]}] * 2
            wishes += [{"do": may["verb"], "to": may["max_to"]}]
        seat = table.seats[turn.seat]
        assert seat is not None
        wish = dice.choice(wishes)
        self._say(seat.player, "act", hand=table.running.number, turn=turn.number, **wish)

    def _prepare(self, player: str) -> None:
        running = self._world.stored().table.running
        if running is not None:
            do = self._dice.choice(("check_fold", "call", "none"))
            self._say(player, "preact", hand=running.number, price=running.price, do=do)

    def _presence(self, player: str, *, away: bool) -> None:
        world = self._world
        if away:
            world.views.disconnect(player)
        else:
            world.connect(player, player)
            world.say(player, "watch")
        assert world.attendance.tell([Change("1", "t")]) is None
        self._step(f"{player} is {'away' if away else 'back'}")

    def _say(self, player: str, route: str, **fields: Any) -> None:
        """What is refused is no step."""
        if isinstance(self._world.say(player, route, **fields), Ok):
            self._step(f"{player} {route} {fields.get('do', '')}".strip())

    def _step(self, what: str) -> None:
        world = self._world
        updates = world.updates()
        if self._dice.random() < 0.3:
            assert world.broadcast.deliver(updates) is None
        else:
            for update in updates:
                assert world.broadcast.deliver([update]) is None
        world.fan_out()
        pushes = {name: [json.loads(data) for data in world.push.to(name)] for name in VIEWERS}
        world.push.posts.clear()
        self.steps.append(
            {
                "what": what,
                "now": world.clock.now(),
                "pushes": pushes,
                "snapshots": {name: self._shown(name) for name in VIEWERS},
            }
        )

    def _shown(self, viewer: str) -> Json:
        player = "" if viewer == "guest" else viewer
        reply = self._world.say(player, "sync", on=viewer, seq=0)
        assert isinstance(reply, Ok)
        assert reply.snapshot is not None
        shown: Json = json.loads(json.dumps(reply.snapshot))
        return shown


def recorded(world: World) -> str:
    """The text of the file."""
    steps = Recording(world).play()
    lines = ",\n".join(json.dumps(step, separators=(",", ":")) for step in steps)
    return f'{{"table":"t","viewers":{json.dumps(VIEWERS)},"steps":[\n{lines}\n]}}\n'


def new_world() -> World:
    return World(settings(time_bank_ms=5_000, pause_ms=3_000))


def main() -> None:
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with mock_aws():
        create_dynamodb_table()
        FILE.write_text(recorded(new_world()))


if __name__ == "__main__":
    main()
