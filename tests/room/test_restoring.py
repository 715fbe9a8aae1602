"""The drill: a room that was in the middle of a hand comes back, and everything else comes late."""

import json
from typing import Any

import pytest

from cardroom.alarm import wake
from cardroom.audit import audit
from cardroom.clock import Ring
from cardroom.errors import Conflict
from cardroom.inventory import DynamoInventory
from cardroom.messages import Ok
from cardroom.restoring import AHEAD, Items, connections, kept, settle
from cardroom.store import hands
from cardroom.stored import Change
from poker_engine.codec import load_events, load_table
from poker_engine.replay import replay
from tests.room.conftest import Memory
from tests.room.test_seals import flaws, heads_of
from tests.room.world import RICH, TABLE, World

SWEEP_MS = 60_000
PLAYERS = ("ana", "ben", "cyd")


class Drill:
    """A room with a hand in the middle, of which `taken` is all that was stored then; it plays on
    for a while afterwards.
    """

    def __init__(self, world: World, memory: Memory) -> None:
        self.world = world
        self.memory = memory
        world.seat(*PLAYERS)
        world.connect("guest")
        world.say("", "watch", on="guest")
        world.deal()
        world.play_out()
        world.deal()
        world.act("raise", to=3_000)
        world.act("call")
        self.balances = {player: world.balance(player) for player in PLAYERS}
        self.stacks = self._stacks()
        self.before = world.stored()
        self.taken = list(self._items().all())
        # What is lost: a hand, one who leaves with his money, a deposit, a new player, a hand.
        world.play_out()
        assert isinstance(world.say("cyd", "leave", id="leaves"), Ok)
        world.fund("ben", amount=5_000)
        world.connect("dan", "dan")
        assert isinstance(world.say("dan", "sit", id="sits", seat=2, chips=50_000), Ok)
        world.deal()
        world.act("call")
        self.late = list(world.updates())
        self.lost = world.stored()

    def _items(self) -> Items:
        return Items(TABLE, self.world.tables._client, self.world.clock)

    def _stacks(self) -> list[int]:
        seats = self.world.stored().table.seats
        return [seat.stack for seat in seats if seat is not None]

    def bring_back(self, after_ms: int = 600_000) -> None:
        """As DynamoDB does it, and no more."""
        self.world.clock.go(after_ms)
        self.memory.empty()
        assert self._items().put(self.taken) == len(self.taken)

    def restore(self) -> None:
        """As the operator's command does it."""
        self.world.clock.go(600_000)
        self._items().empty()
        self._items().put(item for item in self.taken if kept(item))
        settle(self.world.tables, self.world.dealer, "t")

    def balanced(self) -> bool:
        inventory = DynamoInventory.beside(self.world.tables)
        return audit(inventory, self.world.clock).balanced


@pytest.fixture
def drill(memory: Memory) -> Drill:
    return Drill(World(), memory)


def _run_clocks(world: World) -> None:
    """Whatever executions were started live on."""
    for table_id, hand, _ in list(world.timers.started.values()):
        world.turn_clock.ring(Ring(table_id, hand, world.clock.now()))


def test_without_any_help_the_hand_ends_in_the_time_that_is_promised(drill: Drill) -> None:
    """Executions are gone, nobody is connected: the sweep picks it up."""
    world = drill.world
    drill.bring_back()
    world.timers.started.clear()
    assert world.stored() == drill.before
    # A minute later at most.
    world.clock.go(SWEEP_MS)
    assert world.sweep.run() == 1
    assert world.stored().version > drill.before.version
    # From here on the clock that it has started goes on.
    assert len(world.timers.started) == 1
    while world.stored().table.running is not None:
        turn = world.stored().table.hand.turn  # type: ignore[union-attr]
        assert turn is not None
        # Nobody waits longer than a turn for the next one.
        assert wake(turn.expires, world.clock.now()) - world.clock.now() <= 18_000
        world.clock.go_to(turn.expires)
        _run_clocks(world)
    record = hands("t")[-1]
    assert not record.voided
    assert replay(load_events(record.events), load_table(record.opening)).hand.over  # type: ignore[union-attr]
    assert drill.balanced()


def test_a_hand_whose_deck_is_lost_is_void(drill: Drill) -> None:
    world = drill.world
    drill.taken = [one for one in drill.taken if not one["pk"]["S"].startswith("SECRET#")]
    drill.bring_back()
    # No function is as old as the hand.
    sweep = world.new_sweep(world.new_dealer())
    while world.stored().table.running is not None:
        world.clock.go(SWEEP_MS)
        assert sweep.run() == 1
    assert hands("t")[-1].voided
    assert drill.balanced()


def test_the_operators_command_voids_it_and_lets_nobody_time_out(drill: Drill) -> None:
    world = drill.world
    drill.restore()
    stored = world.stored()
    assert (stored.table.running, stored.table.frozen) == (None, True)
    assert drill._stacks() == drill.stacks
    assert hands("t")[-1].voided
    for player, balance in drill.balances.items():
        assert world.balance(player) == balance
    assert drill.balanced()
    # However long it takes to look at everything.
    world.clock.go(3_600_000)
    assert world.sweep.run() == 0
    assert world.stored() == stored


def test_players_come_back_and_play_on(drill: Drill) -> None:
    world = drill.world
    drill.restore()
    assert list(world.views.connections_of("ana")) == []
    for player in PLAYERS:
        world.views.connect(f"{player}-again", player, world.clock.now())
        answer = world.say(player, "watch", on=f"{player}-again")
        assert isinstance(answer, Ok)
        assert answer.snapshot is not None
        # Whoever still has the table as it was takes this for newer.
        assert answer.snapshot["seq"] > drill.lost.table.seq
    world.dealer.thaw("t")
    world.stream()
    world.deal()
    for _ in PLAYERS:
        table = world.stored().table
        assert table.hand is not None
        assert table.hand.turn is not None
        seat = table.seats[table.hand.turn.seat]
        assert seat is not None
        turn = {"hand": table.hand.number, "turn": table.hand.turn.number}
        do = "check" if table.hand.bets[table.hand.turn.seat] >= table.hand.price else "call"
        said = world.say(seat.player, "act", on=f"{seat.player}-again", do=do, **turn)
        assert isinstance(said, Ok)
    world.stream()
    assert drill.balanced()
    numbers = [record.number for record in hands("t")]
    assert numbers == [1, 2]


def test_old_news_of_the_lost_time_changes_nothing(drill: Drill) -> None:
    world = drill.world
    drill.restore()
    world.views.connect("ana-again", "ana", world.clock.now())
    answer = world.say("ana", "watch", on="ana-again")
    assert isinstance(answer, Ok)
    assert answer.seq is not None
    after = world.stored()
    # A wake-up of a lost hand, the stream's lost writes, a function that was under way.
    world.turn_clock.ring(Ring("t", drill.lost.table.hands, world.clock.now()))
    world.push.posts.clear()
    for update in drill.late:
        world.broadcast.deliver([update])
    for data in world.push.to("ana-again"):
        message = json.loads(data)
        assert message["seq"] < answer.seq, "a client drops it"
    for version in (drill.before.version, drill.lost.version):
        change = Change(version, drill.lost, drill.lost.table.seq, world.clock.now(), ())
        with pytest.raises(Conflict):
            world.tables.write(change)
    assert world.stored() == after
    assert drill.balanced()


def test_a_warm_fan_out_takes_what_comes_now_for_new(drill: Drill) -> None:
    """It remembers the last seq that each shard of spectators was sent."""
    world = drill.world
    world.stream()
    world.fan_out()
    drill.restore()
    world.connect("visitor")
    world.say("", "watch", on="visitor")
    world.updates()
    world.push.posts.clear()
    world.dealer.thaw("t")
    world.stream()
    world.fan_out()
    assert world.push.to("visitor")


def test_a_message_of_the_lost_time_that_is_sent_again_moves_money_once(drill: Drill) -> None:
    world = drill.world
    drill.restore()
    for player in (*PLAYERS, "dan"):
        world.connect(player, player)
    # cyd left after that moment, and was paid: he sits there again, and leaves once.
    for _ in range(2):
        assert isinstance(world.say("cyd", "leave", id="leaves"), Ok)
    assert world.balance("cyd") == drill.balances["cyd"] + drill.stacks[2]
    # ana's first message was answered before that moment.
    assert isinstance(world.say("ana", "sit", id="m1", seat=0, chips=100_000), Ok)
    assert world.balance("ana") == drill.balances["ana"]
    world.dealer.thaw("t")
    for _ in range(2):
        assert isinstance(world.say("dan", "sit", id="sits", seat=2, chips=50_000), Ok)
    assert world.balance("dan") == RICH - 50_000
    # The lost deposit is booked again by its reference, and then known.
    world.fund("ben", amount=5_000)
    assert world.balance("ben") == drill.balances["ben"] + 5_000
    assert drill.balanced()


def test_half_a_transaction_is_found_by_the_audit(drill: Drill) -> None:
    """What AWS restores may lack a part of what was written in the last moment."""
    torn: list[dict[str, Any]] = []
    for item in drill.taken:
        if item["sk"]["S"].startswith("WALLET#") and item["pk"]["S"] == "USER#ana":
            item = {**item, "balance": {"N": str(RICH)}, "entries": {"N": "1"}}
        torn.append(item)
    drill.taken = torn
    drill.restore()
    assert not drill.balanced()


def test_the_chain_of_seals_goes_on_from_that_moment(drill: Drill) -> None:
    """What the functions' log has kept of the lost time is named until hands have those numbers."""
    world = drill.world
    world.play_out()
    lost = len(world.signals.lines)
    drill.restore()
    assert flaws(world) == []
    # The command that ended the hand logged nothing.
    del world.signals.lines[lost:]
    kept = "t hand 2: its seal is not the one that was kept elsewhere"
    assert flaws(world, heads=heads_of(world)) == [kept, "t hand 3: it was recorded, and is gone"]
    world.dealer.thaw("t")
    for player in PLAYERS:
        world.connect(f"{player}-again", player)
    world.deal()
    world.dealer.void("t", "a test")
    assert flaws(world) == []
    assert flaws(world, heads=heads_of(world)) == []


def test_only_what_ended_with_the_connections_is_left_out(drill: Drill) -> None:
    left = {item["pk"]["S"].partition("#")[0] for item in drill.taken if not kept(item)}
    assert left >= {"CONN", "SEATED", "WATCH", "CROWDS"}
    assert {item["pk"]["S"].partition("#")[0] for item in drill.taken if kept(item)} == {
        "HAND", "LISTED", "RAKE", "SECRET", "TABLE", "USER",
    }  # fmt: skip
    assert connections(drill.taken) == ["ana", "ben", "cyd", "guest"]


def test_a_closing_table_pays_out(drill: Drill, memory: Memory) -> None:
    world = drill.world
    drill.bring_back()
    world.dealer.close("t")
    drill.taken = list(drill._items().all())
    drill.restore()
    assert world.stored().table.closed
    assert world.tables.listed() == []
    assert drill.balanced()


def test_what_is_ahead_is_ahead_of_all_that_can_have_been(drill: Drill) -> None:
    """A table's events of 35 days, as long as AWS keeps the past: a hand of 50 events each 20 s."""
    assert AHEAD > 35 * 86_400 // 20 * 50
    drill.restore()
    assert drill.world.stored().table.seq > drill.before.table.seq + AHEAD
