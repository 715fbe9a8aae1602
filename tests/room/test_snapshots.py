"""What spectators are shown: six snapshots a hand at most, and always how it ended.

Whole evenings of the engine, in which everything happens at any time, through the stream's consumer
with nothing around it.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from cardroom.broadcast import Broadcast, Update
from cardroom.fanout import load_parcel
from cardroom.moments import AT_MOST, is_moment
from cardroom.outbox import Outbox, joined
from cardroom.pace import Pace
from cardroom.ports import Audience, Viewer
from poker_engine.cards import DECK
from poker_engine.codec import dump_events, load_events
from poker_engine.commands import (
    Act,
    Close,
    Command,
    Expire,
    Freeze,
    Leave,
    Show,
    Sit,
    SitIn,
    SitOut,
    Start,
    Thaw,
    TopUp,
    Void,
    When,
)
from poker_engine.decide import Advance, advance
from poker_engine.events import (
    PRIVATE,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    SatIn,
    SatOut,
    Shown,
    ToppedUp,
    TopUpPlayed,
)
from poker_engine.evolve import open_table
from poker_engine.legal import options
from poker_engine.state import Do, Table
from tests.room.world import FakeClock, FakeQueue, FakeTimers, ListSignals, settings

PLAYERS = ("ana", "ben", "cyd", "dan", "eve")
SEEDS = range(4)
HANDS = 100
"""Of each seed."""
QUIET = (SatIn, SatOut, ToppedUp, TopUpPlayed, *PRIVATE)
RULES = replace(settings(seats=6), muck_losers=True)


class Evening:
    """A table's life by seeded choices: every write of it, as the stream brings it."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._now = FakeClock().now()
        self._table = open_table(RULES)
        self._log = "[]"
        self._deck: tuple[int, ...] = DECK
        self.updates: list[Update] = []

    def play(self, hands: int) -> list[Update]:
        for seat, player in enumerate(PLAYERS):
            self._do(Sit(player, seat, 50_000))
        while self._table.hands < hands:
            self._step()
        self._do(Close())
        while self._table.running is not None:
            self._act()
        assert self._table.closed
        return self.updates

    def does(self, *commands: Command) -> None:
        for command in commands:
            self._do(command)

    def _step(self) -> None:
        table, chance = self._table, self._random.random()
        self._now += 100
        if table.running is not None:
            if chance < 0.85:
                self._act()
            elif chance < 0.87:
                self._now = max(self._now, table.running.turn.expires if table.running.turn else 0)
                self._do(Expire())
            elif chance < 0.875:
                self._do(Void("test"))
            else:
                self._meddle()
        elif table.next_hand_at is not None and chance < 0.2:
            self._now = max(self._now, table.next_hand_at)
            self._deck = tuple(self._random.sample(DECK, 52))
            self._do(Start(f"deck-{table.hands}", self._random.randrange(2520)))
        elif chance < 0.6:
            cards = self._random.choice(((0,), (1,), (0, 1)))
            self._do(Show(self._random.choice(PLAYERS), cards))
        else:
            self._meddle()

    def _act(self) -> None:
        may, hand = options(self._table), self._table.running
        assert may is not None
        assert hand is not None
        assert hand.turn is not None
        player = self._table.seats[may.seat]
        assert player is not None
        do, to = Do.CHECK if may.check else Do.CALL, 0
        chance = self._random.random()
        if chance < 0.1 and may.min_to is not None and may.max_to is not None:
            do, to = may.verb, self._random.choice((may.min_to, may.min_to, may.max_to))
        elif chance < 0.2:
            do = Do.FOLD
        self._do(Act(player.player, hand.number, hand.turn.number, do, to))

    def _meddle(self) -> None:
        player = self._random.choice(PLAYERS)
        sit = Sit(player, self._random.randrange(6), 50_000, post=True)
        when = self._random.choice(tuple(When))
        back = Thaw() if self._table.frozen else SitIn(player, post=True)
        wishes = (sit, sit, sit, back, back, SitOut(player, when), Leave(player, when))
        self._do(self._random.choice((*wishes, TopUp(player, 1_000), Freeze())))

    def _do(self, command: Command) -> None:
        before = self._table
        step = advance(before, command, self._now, self._deck)
        if not isinstance(step, Advance) or not step.events:
            return
        self._table = step.table
        self._log = _log(before, self._log, step.events)
        number = len(self.updates)
        outbox = Outbox("t", before.seq, step.table.seq, self._now, step.events)
        self.updates.append(Update(f"{number}", number, outbox, step.table, self._log, Pace()))


def _log(before: Table, log: str, events: tuple[Event, ...]) -> str:
    """Of the hand since its start; when it is over, what is shown or mucked."""
    starts = [place for place, event in enumerate(events) if isinstance(event, HandStarted)]
    if starts:
        return dump_events(events[starts[0] :])
    if before.running is None:
        events = tuple(event for event in events if isinstance(event, Shown | Mucked))
    return joined(log, dump_events(events))


@cache
def _evening(seed: int) -> list[Update]:
    return Evening(seed).play(HANDS)


class Nothing:
    """Ports of which nothing is asked here."""

    def audience(self, table_id: str, now: int) -> Audience:
        return Audience((), (0,))

    def list_row(self, *_: Any) -> None:
        pass

    def post(self, posts: Iterable[tuple[str, bytes]]) -> list[Any]:
        assert list(posts) == []
        return []

    def unseat(self, table_id: str, viewer: Viewer, seq: int, now: int) -> None:
        raise AssertionError


def _snapshots(batches: Iterable[list[Update]]) -> list[dict[str, Any]]:
    """What is queued for spectators when the stream brings these batches."""
    nothing: Any = Nothing()
    queue = FakeQueue()
    broadcast = Broadcast(
        nothing,
        nothing,
        nothing,
        nothing,
        queue,
        FakeQueue(),
        FakeTimers(),
        FakeClock(),
        ListSignals(),
    )
    for batch in batches:
        assert broadcast.deliver(batch) is None
    return [json.loads(load_parcel(body).data) for body in queue.bodies]


def _batches(updates: list[Update], random: Random) -> Iterator[list[Update]]:
    """Several at once, some of which come again later, in their order."""
    place = 0
    while place < len(updates):
        size = random.randint(1, 10)
        yield updates[place : place + size]
        place += size
        if random.random() < 0.3:
            place = max(0, place - random.randint(1, 8))


def _by_hand(snapshots: list[dict[str, Any]], ends: dict[int, int]) -> Counter[int]:
    """How many different ones each hand has, until a pause after it in which no hand is set."""
    counts: Counter[int] = Counter()
    idle: set[int] = set()
    for seq, snapshot in sorted({one["seq"]: one for one in snapshots}.items()):
        state = snapshot["state"]
        hand = state["hand"]
        if hand is None or hand["number"] in idle:
            continue
        paused = hand["over"] and state["next_hand_at"] is None
        counts[hand["number"]] += not paused or seq == ends[hand["number"]]
        if paused:
            idle.add(hand["number"])
    return counts


def _ends(updates: list[Update]) -> dict[int, int]:
    """By hand, the seq with which it ended."""
    return {
        event.number: update.outbox.seq
        for update in updates
        for event in update.outbox.events
        if isinstance(event, HandEnded | HandVoided)
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_no_hand_has_more_than_six(seed: int) -> None:
    updates = _evening(seed)
    counts = _by_hand(_snapshots([update] for update in updates), _ends(updates))
    assert len(counts) >= HANDS
    assert max(counts.values()) == AT_MOST == 6


@pytest.mark.parametrize("seed", SEEDS)
def test_how_a_hand_ended_and_each_street_are_always_among_them(seed: int) -> None:
    updates = _evening(seed)
    shown = {one["seq"] for one in _snapshots([update] for update in updates)}
    assert len(_ends(updates)) >= HANDS
    assert set(_ends(updates).values()) <= shown
    for update in updates:
        if any(isinstance(one, HandStarted | BoardDealt) for one in update.outbox.events):
            assert update.outbox.seq in shown


@pytest.mark.parametrize("seed", SEEDS)
def test_however_the_stream_brings_them(seed: int) -> None:
    """At once, twice, after a while: no more of them, and of each hand how it ended."""
    updates = _evening(seed)
    snapshots = _snapshots(_batches(updates, Random(seed)))
    assert max(_by_hand(snapshots, _ends(updates)).values()) <= AT_MOST
    for number, seq in _ends(updates).items():
        assert any(
            one["seq"] >= seq
            and one["state"]["hand"]["number"] == number
            and one["state"]["hand"]["over"]
            for one in snapshots
            if one["state"]["hand"] is not None
        )
    assert max(one["seq"] for one in snapshots) == updates[-1].outbox.seq


@pytest.mark.parametrize("seed", SEEDS)
def test_the_newest_is_the_last_state_whatever_their_order(seed: int) -> None:
    updates = list(_evening(seed))
    straight = _snapshots([update] for update in updates)
    Random(seed).shuffle(updates)
    mixed = _snapshots([update] for update in updates)
    assert sorted(one["seq"] for one in mixed) == [one["seq"] for one in straight]
    newest = max(mixed, key=lambda one: one["seq"])
    assert newest == straight[-1]
    assert newest["state"]["hand"]["over"]
    assert newest["state"]["seats"] == [None] * 6


@pytest.mark.parametrize("seed", SEEDS)
def test_while_no_hand_is_set_whatever_changes_is_shown(seed: int) -> None:
    """But not what concerns one player alone, nor who sits out, comes back or buys chips."""
    updates = _evening(seed)
    shown = [one["seq"] for one in _snapshots([update] for update in updates)]
    assert len(set(shown)) == len(shown)
    idle = [
        update
        for update in updates
        if update.table.running is None and update.table.next_hand_at is None
    ]
    public = {one.outbox.seq for one in idle if one.outbox.before != one.outbox.seq}
    quiet = {
        one.outbox.seq
        for one in idle
        if one.outbox.before != one.outbox.seq
        and all(isinstance(event, QUIET) for event in one.outbox.events)
    }
    assert len(public - quiet) > 20
    assert len(quiet) > 2
    assert len(idle) > len(public)
    assert (public & set(shown)) == public - quiet


def test_at_rest_one_player_alone_floods_nobody() -> None:
    """Of a seat that is taken or emptied, a table that is frozen, thawed or closed all are told."""
    evening = Evening(0)
    evening.does(Sit("ana", 0, 50_000))
    for _ in range(20):
        evening.does(SitOut("ana"), TopUp("ana", 100), SitIn("ana", post=True))
    assert len(evening.updates) == 61
    assert len(_snapshots([update] for update in evening.updates)) == 1
    seated = len(evening.updates)
    evening.does(SitOut("ana"), Sit("ben", 1, 50_000), Leave("ben"))
    evening.does(Freeze(), SitIn("ana"), Thaw(), Sit("cyd", 1, 50_000), Close())
    late = evening.updates[seated:]
    shown = {one["seq"] for one in _snapshots([update] for update in late)}
    told = [one.outbox.seq in shown for one in late]
    assert told == [False, True, True, True, False, True, True, True]


def test_what_they_were_not_shown_at_rest_the_next_snapshot_holds() -> None:
    evening = Evening(0)
    evening.does(Sit("ana", 0, 50_000), SitOut("ana"), TopUp("ana", 100), Sit("ben", 1, 50_000))
    first, last = _snapshots([update] for update in evening.updates)
    assert first["state"]["seats"][0]["status"] != "out"
    seat = last["state"]["seats"][0]
    assert (seat["status"], seat["stack"]) == ("out", 50_100)


def test_an_action_alone_is_no_moment() -> None:
    acted = [
        update
        for update in _evening(0)
        if update.table.running is not None
        and [type(one).__name__ for one in update.outbox.events] == ["Acted", "TurnBegan"]
    ]
    assert len(acted) > 100
    for update in acted:
        assert not is_moment(update.table, update.outbox.events, update.log)


def test_after_all_streets_the_first_hand_shown_of_free_will_is_the_last_moment() -> None:
    """A second one waits for the next hand; where there were fewer streets there is room for it."""
    moments: dict[tuple[int, int], set[bool]] = {}
    for update in (one for seed in SEEDS for one in _evening(seed)):
        hand, events = update.table.hand, update.outbox.events
        if hand is None or not hand.over or update.table.next_hand_at is None:
            continue
        if [type(event) for event in events] == [Shown]:
            place = sum(isinstance(one, Shown) for one in _after_end(update))
            moment = is_moment(update.table, events, update.log)
            moments.setdefault((len(hand.board), place), set()).add(moment)
    assert moments[5, 1] == {True}
    assert moments[5, 2] == {False}
    assert moments[0, 1] == moments[4, 2] == {True}


def _after_end(update: Update) -> list[Event]:
    log = load_events(update.log)
    end = next(n for n, one in enumerate(log) if isinstance(one, HandEnded | HandVoided))
    return list(log[end:])
