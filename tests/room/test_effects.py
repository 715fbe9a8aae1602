"""A function may die before or after anything that it does. Its caller asks again; the sweep comes.

Afterwards all money is where it would be had nothing happened, and so is what clients know.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from cardroom.audit import check, sums
from cardroom.clock import Ring
from cardroom.dealer import Applied
from cardroom.errors import Refused
from cardroom.inventory import DynamoInventory
from cardroom.messages import Error, Ok
from cardroom.money import Kind
from cardroom.store import hands
from poker_engine.cards import DECK
from tests.room.conftest import Memory
from tests.room.world import RICH, TABLE, World

PORTS = {
    "tables": ("write", "put_secret", "list_row", "put_limits", "put_session"),
    "views": ("connect", "disconnect", "watch", "unwatch", "unseat", "close_shard", "show"),
    "push": ("post",),
    "timers": ("start",),
    "queue": ("send",),
    "floor_queue": ("send",),
    "watchers": ("watch", "unwatch", "claim"),
}
"""All effects that the room has, as methods of its ports."""
PLAYERS = ("ana", "ben")


class Killed(BaseException):
    """The process is gone: nothing catches it."""


@dataclass
class Killer:
    """Counts effects and ends the process at one of them, before or after it takes place."""

    at: int = 0
    after: bool = False
    over: bool = False
    done: list[str] = field(default_factory=list)

    def haunt(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        for port, names in PORTS.items():
            for name in names:
                real = getattr(getattr(world, port), name, None)
                if real is not None:
                    effect = partial(self._effect, f"{port}.{name}", real)
                    monkeypatch.setattr(getattr(world, port), name, effect)

    def _effect(self, name: str, real: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if self.over:
            return real(*args, **named)
        self.done.append(name)
        dies = len(self.done) == self.at
        if dies and not self.after:
            raise Killed
        answer = real(*args, **named)
        if dies:
            raise Killed
        return answer


class Story:
    """A table's life, each step of which is asked for again when its process died."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._asked = 0
        self._errands = 0

    def again[Answer](self, step: Callable[[], Answer]) -> Answer:
        while True:
            try:
                return step()
            except Killed:
                # The next process keeps nothing of this one.
                self.world.dealer.decks._kept.clear()

    def say(self, player: str, route: str, **fields: Any) -> Ok:
        """Under one id, however often. Then the stream brings what was written."""
        self._asked += 1
        fields["id"] = f"c{self._asked}"
        name = "" if player == "guest" else player
        answer = self.again(lambda: self.world.say(name, route, on=player, **fields))
        assert not isinstance(answer, Error), answer
        self._stream()
        return answer

    def act(self, do: str, **fields: Any) -> None:
        hand = self.world.stored().table.running
        assert hand is not None
        assert hand.turn is not None
        seat = self.world.stored().table.seats[hand.turn.seat]
        assert seat is not None
        self.say(seat.player, "act", hand=hand.number, turn=hand.turn.number, do=do, **fields)

    def operate(self, step: Callable[[str], Applied | Refused]) -> None:
        self.again(partial(step, "t"))
        self._stream()

    def deal(self) -> None:
        at = self.world.stored().table.next_hand_at
        assert at is not None
        self.world.clock.go_to(at)
        hand = self.world.stored().table.hands + 1
        self.again(lambda: self.world.turn_clock.ring(Ring("t", hand, at)))
        self._stream()

    def play(self) -> None:
        world = self.world
        for player in PLAYERS:
            self.again(partial(world.connect, player, player))
        self.again(partial(world.connect, "guest"))
        self.say("guest", "watch")
        self.say("guest", "lobby")
        for seat, player in enumerate(PLAYERS):
            self.say(player, "sit", seat=seat, chips=40_000)
        self.floor()
        self.say("ana", "topup", chips=5_000)
        self.say("ana", "limits", currency="PHP", loss_day=200_000, reminder_minutes=30)
        self.say("ben", "autotopup", to=60_000)
        self.deal()
        self.act("raise", to=3_000)
        self.act("call")
        hand = world.stored().table.running
        assert hand is not None
        assert hand.turn is not None
        waits = world.stored().table.seats[1 - hand.turn.seat]
        assert waits is not None
        self.say(waits.player, "topup", chips=7_000)
        self.say(waits.player, "leave")
        self.act("bet", to=1_000)
        assert world.stored().table.running is None
        self.operate(world.dealer.freeze)
        self.operate(world.dealer.thaw)
        self.say(waits.player, "sit", seat=4, chips=100_000)
        self.say(waits.player, "sitout")

    def end(self) -> None:
        world = self.world
        world.clock.go(8_000)
        self.again(world.sweep.run)
        self._stream()

    def _stream(self) -> None:
        for update in self.world.updates():
            self.again(partial(self.world.broadcast.deliver, [update]))
        bodies, self.world.queue.bodies = self.world.queue.bodies, []
        for number, body in enumerate(bodies):
            self.again(partial(self.world.fanout.deliver, [(str(number), body)]))

    def floor(self) -> None:
        """Does what it has been asked so far."""
        errands, self.world.floor_queue.bodies = self.world.floor_queue.bodies, []
        for errand in errands:
            self._errands += 1
            self.again(partial(self.world.floor.deliver, [(f"floor-{self._errands}", errand)]))


def _outcome(world: World) -> dict[str, Any]:
    """Where all money is, and what each client is told when he asks."""
    stored = world.stored()
    count = DynamoInventory(TABLE, world.tables._client).everything()
    assert check(count) == []
    assert [one.difference for one in sums(count)] == [0]
    told = {player: world.say(player, "sync", id="end", seq=0) for player in PLAYERS}
    return {
        "balances": {player: world.balance(player) for player in PLAYERS},
        "ledgers": {
            player: [(one.kind, one.amount, one.balance) for one in world.accounts.entries(player)]
            for player in PLAYERS
        },
        "chips": (stored.chips_in, stored.chips_out, stored.chips, stored.leaving),
        "rake": [one.amount for one in count.rake.values()],
        "hands": [(record.number, record.rake, record.pots) for record in hands("t")],
        "told": told,
        "listed": world.tables.rows(),
        "lobby": len(world.watchers.watchers(world.clock.now())),
        "limits": (world.tables.limits("ana"), world.tables.session("ana")),
        "departures": [
            world.tables.departures(player, stored.table.settings.stakes.structure)
            for player in PLAYERS
        ],
    }


def _run(killer: Killer) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        world = World()
        world.fund(*PLAYERS)
        # A process that dies has drawn a deck in vain: the next one draws the same.
        patch.setattr(world.randomness, "deck", lambda: DECK)
        patch.setattr(world.randomness, "below", lambda limit: 0)
        killer.haunt(world, patch)
        story = Story(world)
        story.play()
        story.end()
        killer.over = True
        return _outcome(world)


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whatever_kills_a_function_all_ends_as_if_unharmed(memory: Memory, after: bool) -> None:
    unharmed = Killer()
    expected = _run(unharmed)
    wanted = {"tables.write", "tables.put_secret", "views.watch", "push.post", "timers.start"}
    wanted |= {"tables.list_row", "floor_queue.send", "watchers.watch", "watchers.claim"}
    wanted |= {"tables.put_limits", "tables.put_session"}
    assert wanted <= set(unharmed.done)
    assert (Kind.TOP_UP, -20_000, RICH - 60_000) in expected["ledgers"]["ben"]
    for at in range(1, len(unharmed.done) + 1):
        memory.empty()
        killer = Killer(at, after)
        assert _run(killer) == expected, f"killed at {unharmed.done[at - 1]}, the {at}."
        assert len(killer.done) > at
