"""The turn clock and the sweep."""

import pytest

from cardroom import keys
from cardroom.clock import LIFETIME_MS, Ring
from cardroom.damage import Attributes
from cardroom.store import hands
from cardroom.stored import Stored
from cardroom.tables import open_table
from poker_engine.clock import wake_at
from poker_engine.legal import options
from poker_engine.state import Exit
from tests.room.world import TABLE, World, settings


def _ring(world: World, hand: int, started: int | None = None) -> int | None:
    return world.turn_clock.ring(Ring("t", hand, started or world.clock.now()))


def _state(world: World) -> Attributes:
    key = {"pk": {"S": keys.table("t")}, "sk": {"S": keys.STATE}}
    item: Attributes = world.tables._client.get_item(TableName=TABLE, Key=key)["Item"]
    return item


def _put(world: World, item: Attributes) -> None:
    world.tables._client.put_item(TableName=TABLE, Item=item)


def _expires(world: World) -> int:
    hand = world.stored().table.running
    assert hand is not None
    assert hand.turn is not None
    return hand.turn.expires


def test_one_execution_serves_the_pause_and_the_hand(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.stream()
    ((_, hand, wait),) = world.timers.started.values()
    woken = 0
    next_wait: int | None = wait
    while next_wait is not None:
        assert next_wait > world.clock.now()
        world.clock.go_to(next_wait)
        next_wait = _ring(world, hand, started=wait)
        woken += 1
    table = world.stored().table
    assert table.hands == 1
    assert table.running is None
    assert woken <= 4


@pytest.mark.rule("4.1")
def test_an_expired_turn_is_folded_and_not_before(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    before = world.stored()
    world.clock.go_to(_expires(world) - 1)
    assert _ring(world, 1) == _expires(world) or world.stored() == before
    assert world.stored() == before
    world.clock.go(1)
    assert _ring(world, 1) == _expires(world)
    hand = world.stored().table.running
    assert hand is not None
    assert hand.live.bit_count() == 2


def test_woken_for_another_hand_it_ends(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    assert _ring(world, 0) is None
    assert _ring(world, 2) is None
    assert _ring(world, 1) == _expires(world)


def test_a_clock_of_the_last_hand_ends_no_turn_of_this_one(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.act("fold")
    world.act("fold")
    world.deal()
    before = world.stored()
    world.clock.go(500)
    assert _ring(world, 1) is None
    assert world.stored() == before


def test_no_wake_up_is_sooner_than_a_second(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.clock.go_to(_expires(world) - 300)
    wait = _ring(world, 1)
    assert wait is not None
    assert wait >= world.clock.now() + 1000
    assert wait % 1000 == 0


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(
    ("slow", "reading"),
    [(0, 1), (1, 1), (1, 2), (40, 1), (40, 40), (40, 600), (500, 1), (500, 500), (500, 600)],
)
def test_woken_in_time_it_applies_the_expiry_however_slow_its_clock_and_its_reading(
    world: World, monkeypatch: pytest.MonkeyPatch, slow: int, reading: int
) -> None:
    """Slow by so much (ms), and so long it takes to read: the moment comes before, while or after
    it does.
    """
    world.seat("ana", "ben", "cyd")
    world.deal()
    load = world.tables.load

    def reads(table_id: str) -> Stored | None:
        stored = load(table_id)
        world.clock.go(reading)
        return stored

    monkeypatch.setattr(world.tables, "load", reads)
    monkeypatch.setattr(world.clock, "pause", world.clock.go)
    before = _expires(world)
    world.clock.go_to(before - slow)
    after = _ring(world, 1)
    assert _expires(world) > before
    assert after == _expires(world)


def test_before_five_minutes_are_over_a_successor_takes_over(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    started = world.clock.now() - LIFETIME_MS
    assert _ring(world, 1, started=started) is None
    ((name, (_, hand, wait)),) = world.timers.started.items()
    assert name.startswith("t-1-")
    assert hand == 1
    assert wait == _expires(world)


def test_a_table_that_is_not_there_ends_it(world: World) -> None:
    assert world.turn_clock.ring(Ring("gone", 1, world.clock.now())) is None


@pytest.mark.rule("4.2")
def test_who_stays_silent_is_removed_with_his_stack(aws: None) -> None:
    world = World(settings(clock_ms=2000))
    world.seat("ana", "ben")
    for hand in (1, 2, 3):
        if world.stored().table.next_hand_at is None:
            break
        world.deal()
        while world.stored().table.running is not None:
            world.clock.go_to(_expires(world))
            _ring(world, hand)
    stored = world.stored()
    seated = [seat.player for seat in stored.table.seats if seat is not None]
    assert len(seated) < 2
    assert stored.chips_in - stored.chips_out == sum(
        seat.chips for seat in stored.table.seats if seat is not None
    )
    assert Exit.REMOVED.value in "".join(str(image) for image in world.tables.images)


def test_the_sweep_does_what_a_dead_clock_did_not_and_starts_another(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    assert world.sweep.run() == 0
    world.clock.go_to(_expires(world) + 3001)
    assert world.sweep.run() == 1
    (started,) = world.timers.started.values()
    assert started == ("t", 1, _expires(world))
    assert world.sweep.run() == 0


def test_the_sweep_begins_a_hand_whose_clock_never_started(world: World) -> None:
    world.seat("ana", "ben")
    world.clock.go(10_000)
    assert world.sweep.run() == 1
    assert world.stored().table.running is not None
    assert [hand for _, hand, _ in world.timers.started.values()] == [1]


@pytest.mark.rule("2.6")
def test_the_sweep_empties_a_seat_that_sat_out_too_long(world: World) -> None:
    world.seat("ana")
    world.say("ana", "sitout")
    world.clock.go(world.stored().table.settings.sit_out_ms + 3001)
    assert world.sweep.run() == 1
    assert world.stored().table.seats[0] is None
    assert world.timers.started == {}


@pytest.mark.rule("9")
def test_a_hand_that_lost_its_deck_is_void_and_all_is_refunded(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.act("call")
    world.tables._client.delete_item(
        TableName="cardroom", Key={"pk": {"S": "SECRET#t"}, "sk": {"S": "deck-1"}}
    )
    world.dealer.decks._kept.clear()
    # The option is checked by the clock, and then the flop cannot be dealt.
    world.clock.go_to(_expires(world) + 3001)
    assert world.sweep.run() == 1
    table = world.stored().table
    assert table.hand is not None
    assert table.hand.voided
    assert [seat.stack for seat in table.seats if seat is not None] == [100_000, 100_000]
    assert world.signals.counts["HandVoided"] == 1
    (record,) = hands("t")
    assert record.voided
    assert record.rake == 0


def test_a_damaged_table_spoils_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", "ben")
    world.clock.go(10_000)
    monkeypatch.setattr(world.tables, "overdue", lambda _: ["broken", "t"])
    load = world.tables.load

    def damaged(table_id: str) -> object:
        if table_id == "broken":
            raise ValueError("this is not the state of a table")
        return load(table_id)

    monkeypatch.setattr(world.tables, "load", damaged)
    world.sweep.run()
    assert world.stored().table.running is not None
    assert world.signals.counts["StuckTable"] == 1


def test_a_table_that_plays_stays_where_it_is_in_the_index(world: World) -> None:
    """Each move is paid for like a write of its own."""
    world.seat("ana", "ben")
    world.deal()
    places, moments = set(), set()
    while (may := options(world.stored().table)) is not None:
        item = _state(world)
        places.add((item["lane"]["S"], item["wake_at"]["N"]))
        moments.add(int(item["due"]["N"]))
        world.clock.go(1_000)
        world.act("check" if may.check else "call")
    assert len(moments) > 6
    assert len(places) == 1
    assert all(int(at) <= min(moments) for _, at in places)


@pytest.mark.parametrize(
    "younger", [True, False], ids=["as this release writes it", "as an older one does"]
)
def test_a_table_is_overdue_from_its_very_moment_on(world: World, younger: bool) -> None:
    world.seat("ana", "ben")
    world.deal()
    item = _state(world)
    if not younger:
        _put(world, {**item, "wake_at": item.pop("due")})
    at = wake_at(world.stored().table)
    assert at is not None
    assert world.tables.overdue(at) == []
    assert world.tables.overdue(at + 1) == ["t"]


def test_a_moment_that_cannot_be_read_is_over(world: World) -> None:
    """So that somebody looks."""
    world.seat("ana", "ben")
    _put(world, {**_state(world), "due": {"S": "soon"}})
    assert world.tables.overdue(world.clock.now()) == ["t"]


@pytest.mark.parametrize("count", [1, 7])
def test_all_overdue_tables_are_found_whatever_their_lane(world: World, count: int) -> None:
    for number in range(count):
        open_table(world.tables, f"t{number}", settings(), world.clock.now())
        for seat, player in enumerate(("ana", "ben")):
            world.connect(player, player)
            world.say(player, "sit", table=f"t{number}", seat=seat, chips=50_000)
    world.clock.go(10_000)
    assert sorted(world.tables.overdue(world.clock.now())) == [f"t{n}" for n in range(count)]
