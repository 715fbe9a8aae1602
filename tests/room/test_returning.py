"""Who comes back within 90 minutes brings what he left with, at any table of the same structure."""

import pytest

from cardroom.messages import Error, Ok
from cardroom.money import Books, Departure
from cardroom.tables import open_table
from cardroom.wallets import booked
from poker_engine.buyin import Left
from poker_engine.cards import DECK, parse_cards
from poker_engine.stakes import Settings, fixed_limit, no_limit, table_settings
from tests.room.faults import cancel
from tests.room.world import RICH, START, World, settings

pytestmark = pytest.mark.rule("1.4")

MINUTE = 60_000
NINETY = 90 * MINUTE
MAXIMUM = 100_000
ACES_WIN = "As7cAh2dKdQd9h8s3c"
"""For two: the first to be dealt to wins."""


def _open(world: World, name: str, chosen: Settings | None = None) -> None:
    assert open_table(world.tables, name, chosen or settings(), world.clock.now())


def _sits(world: World, chips: int, table: str = "t") -> None:
    answer = world.say("ana", "sit", table=table, seat=0, chips=chips)
    assert isinstance(answer, Ok), answer


def _leaves(world: World, table: str = "t") -> int:
    """The moment of it."""
    assert isinstance(world.say("ana", "leave", table=table), Ok)
    return world.clock.now()


def _refused(world: World, chips: int, table: str = "t") -> tuple[str, dict[str, int] | None]:
    answer = world.say("ana", "sit", table=table, seat=0, chips=chips)
    assert isinstance(answer, Error)
    return answer.code, answer.facts


def _left(world: World, chips: int, minutes: int, *, removed: bool = False) -> None:
    """As if he had left some table of this structure with these chips, minutes after the start."""
    structure = world.stored().table.settings.stakes.structure
    left = Left(chips, START + minutes * MINUTE, removed)
    departure = Departure("ana", structure, "gone", minutes + 1, left)
    (put,) = booked(world.tables.name, Books(departures=(departure,)))
    world.tables._client.put_item(**put["Put"])


def _kept(world: World, currency: str = "PHP") -> list[int]:
    structure = world.stored().table.settings.stakes.structure
    assert currency in structure
    return [one.left.chips for one in world.tables.departures("ana", structure)]


@pytest.mark.parametrize(
    ("ms", "binds"), [(NINETY - 1000, True), (NINETY - 1, True), (NINETY, False)]
)
def test_it_binds_until_89_59_and_not_at_90_00(world: World, ms: int, binds: bool) -> None:
    world.fund("ana")
    _sits(world, 50_000)
    at = _leaves(world)
    world.clock.go(ms)
    if binds:
        facts = {"amount": MAXIMUM, "until": at + NINETY}
        assert _refused(world, 50_000) == ("buy_in_fixed", facts)
        _sits(world, MAXIMUM)
    else:
        _sits(world, 50_000)


def test_who_left_with_less_than_the_maximum_brings_the_maximum(world: World) -> None:
    world.fund("ana")
    _sits(world, 50_000)
    at = _leaves(world)
    world.clock.go(MINUTE)
    for chips in (10_000, 50_000, MAXIMUM - 1):
        facts = {"amount": MAXIMUM, "until": at + NINETY}
        assert _refused(world, chips) == ("buy_in_fixed", facts)
    _sits(world, MAXIMUM)


def test_who_left_with_more_than_the_maximum_brings_all_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of a hand that was really won."""
    monkeypatch.setattr(world.randomness, "below", lambda limit: 0)
    known = parse_cards(ACES_WIN)
    world.randomness.decks.append((*known, *(card for card in DECK if card not in known)))
    _open(world, "u")
    world.seat("ana", "ben")
    world.deal()
    hand = world.stored().table.running
    assert hand is not None
    first = world.stored().table.seats[hand.dealt[0]]
    assert first is not None
    winner = first.player
    assert isinstance(world.act("raise", to=MAXIMUM), Ok)
    assert isinstance(world.act("call"), Ok)
    assert isinstance(world.say(winner, "leave"), Ok)
    at, won = world.clock.now(), world.balance(winner) - RICH + MAXIMUM
    assert won == 2 * MAXIMUM - 5_000
    world.clock.go(MINUTE)
    answer = world.say(winner, "sit", table="u", seat=0, chips=MAXIMUM)
    assert isinstance(answer, Error)
    assert answer.code == "buy_in_fixed"
    assert answer.facts == {"amount": won, "until": at + NINETY}
    assert isinstance(world.say(winner, "sit", table="u", seat=0, chips=won), Ok)


def test_it_holds_at_all_tables_of_the_structure_and_at_no_other(world: World) -> None:
    world.fund("ana")
    world.fund("ana", currency="USD")
    _open(world, "same", table_settings(no_limit("PHP", 500), 9))
    _open(world, "stake", table_settings(no_limit("PHP", 1000)))
    _open(world, "money", table_settings(no_limit("USD", 500)))
    _open(world, "limit", table_settings(fixed_limit("PHP", 1000)))
    _sits(world, 50_000)
    _leaves(world)
    assert _refused(world, 50_000, "same")[0] == "buy_in_fixed"
    _sits(world, 50_000, "stake")
    _sits(world, 50_000, "money")
    _sits(world, 50_000, "limit")
    _sits(world, MAXIMUM, "same")


def test_a_buy_in_uses_the_leaving_up(world: World) -> None:
    world.fund("ana")
    _open(world, "u")
    _sits(world, 50_000)
    _leaves(world)
    assert _kept(world) == [50_000]
    _sits(world, MAXIMUM)
    assert _kept(world) == []
    _sits(world, 20_000, "u")


def test_leaving_twice_makes_two_records(world: World) -> None:
    world.fund("ana")
    _open(world, "u")
    _sits(world, 50_000)
    _sits(world, 60_000, "u")
    _leaves(world)
    world.clock.go(MINUTE)
    _leaves(world, "u")
    assert sorted(_kept(world)) == [50_000, 60_000]
    _sits(world, MAXIMUM)
    assert _kept(world) == [50_000]
    assert _refused(world, 50_000, "u")[0] == "buy_in_fixed"
    _sits(world, MAXIMUM, "u")
    assert _kept(world) == []


@pytest.mark.rule("case 11")
def test_the_largest_within_90_minutes_binds_then_the_next(world: World) -> None:
    """12:00 is the start; here a hundred times the amounts of the case."""
    world.fund("ana")
    _open(world, "u")
    _left(world, 250_000, 0)
    _left(world, 40_000, 30)
    world.clock.go(80 * MINUTE)
    assert _refused(world, MAXIMUM) == (
        "buy_in_fixed",
        {"amount": 250_000, "until": START + NINETY},
    )
    _sits(world, 250_000)
    world.clock.go(15 * MINUTE)
    assert _refused(world, 50_000, "u") == (
        "buy_in_fixed",
        {"amount": MAXIMUM, "until": START + 30 * MINUTE + NINETY},
    )
    _sits(world, MAXIMUM, "u")
    assert _kept(world) == []


def test_when_the_largest_is_too_old_the_next_binds(world: World) -> None:
    """And the old one stays where it is, whatever has become of its ttl."""
    world.fund("ana")
    _left(world, 250_000, 0)
    _left(world, 150_000, 30)
    world.clock.go(NINETY)
    assert _refused(world, MAXIMUM) == (
        "buy_in_fixed",
        {"amount": 150_000, "until": START + 30 * MINUTE + NINETY},
    )
    _sits(world, 150_000)
    assert _kept(world) == [250_000]


def test_after_a_removal_by_the_clock_it_is_at_least_what_he_left_with(aws: None) -> None:
    world = World(settings(clock_ms=2000))
    world.seat("ana", "ben", chips=50_000)
    for _ in range(4):
        if world.stored().table.next_hand_at is None:
            break
        world.deal()
        while (hand := world.stored().table.running) is not None:
            assert hand.turn is not None
            world.clock.go_to(hand.turn.expires)
            world.dealer.apply("t")
    gone = next(name for name in ("ana", "ben") if world.stored().table.seat_of(name) is None)
    structure = world.stored().table.settings.stakes.structure
    ((departure),) = world.tables.departures(gone, structure)
    chips, until = departure.left.chips, departure.until
    assert departure.left.removed
    seat = world.stored().table.seats.index(None)
    answer = world.say(gone, "sit", seat=seat, chips=chips - 1)
    assert isinstance(answer, Error)
    assert answer.code == "buy_in_too_small"
    assert answer.facts == {"minimum": chips, "until": until}
    assert isinstance(world.say(gone, "sit", seat=seat, chips=chips + 5), Ok)
    assert world.tables.departures(gone, structure) == ()


def test_in_fixed_limit_it_is_at_least_what_he_left_with(aws: None) -> None:
    world = World(table_settings(fixed_limit("PHP", 1000)))
    world.fund("ana")
    _sits(world, 70_000)
    at = _leaves(world)
    facts = {"minimum": 70_000, "until": at + NINETY}
    assert _refused(world, 69_999) == ("buy_in_too_small", facts)
    _sits(world, 500_000)


def test_sitting_out_too_long_is_a_leaving(world: World) -> None:
    world.fund("ana")
    _sits(world, 50_000)
    world.say("ana", "sitout")
    world.clock.go(world.stored().table.settings.sit_out_ms)
    world.dealer.apply("t")
    assert _refused(world, 50_000)[0] == "buy_in_fixed"


def test_his_own_seat_emptied_in_the_write_that_seats_him_again_binds(world: World) -> None:
    """What is due comes first: he has just lost his seat when he asks for one."""
    world.fund("ana")
    _sits(world, 50_000)
    world.say("ana", "sitout")
    world.clock.go(world.stored().table.settings.sit_out_ms)
    version = world.stored().version
    assert isinstance(world.say("ana", "sit", seat=4, chips=MAXIMUM), Ok)
    assert world.stored().version == version + 1
    assert _kept(world) == []
    assert world.balance("ana") == RICH - MAXIMUM
    assert [entry.amount for entry in world.accounts.entries("ana")] == [
        RICH,
        -50_000,
        50_000,
        -MAXIMUM,
    ]


def test_a_refused_buy_in_uses_nothing_up(world: World) -> None:
    world.fund("ana", amount=60_000)
    _sits(world, 50_000)
    _leaves(world)
    assert _refused(world, MAXIMUM)[0] == "insufficient_funds"
    assert _kept(world) == [50_000]


def test_it_binds_though_he_was_not_paid_yet(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _open(world, "u")
    world.fund("ana")
    _sits(world, 50_000)
    with monkeypatch.context() as patch:
        cancel(world, patch, "WALLET#", 3)
        _leaves(world)
    assert world.stored().leaving != ()
    assert _refused(world, 50_000, "u")[0] == "buy_in_fixed"


def test_two_buy_ins_at_once_do_not_both_use_one_leaving_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One comes in between, after the other has read what he left with and before his wallet."""
    _open(world, "u")
    world.fund("ana")
    _left(world, 250_000, 0)
    read = world.tables.departures

    def then_sit(player: str, structure: str) -> tuple[Departure, ...]:
        found = read(player, structure)
        monkeypatch.setattr(world.tables, "departures", read)
        _sits(world, 250_000, "u")
        return found

    monkeypatch.setattr(world.tables, "departures", then_sit)
    assert _refused(world, 250_000) == ("buy_in_too_large", {"maximum": MAXIMUM})
    assert world.balance("ana") == RICH - 250_000
    assert world.signals.counts["Conflict"] == 1
