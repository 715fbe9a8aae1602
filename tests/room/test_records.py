"""A hand's record, and at any time its log, gives back the table that STATE holds (RULES 6.3)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from cardroom.dealer import Applied, Dealer, Wish
from cardroom.limits import Limits
from cardroom.listing import Row
from cardroom.messages import Ok
from cardroom.money import Departure, Entry, Standing, Wallet
from cardroom.ports import Secret
from cardroom.session import Session as Connected
from cardroom.store import hands, read_state, state_item
from cardroom.stored import Change, HandRecord, Meta, Stored
from cardroom.tables import open_table
from poker_engine.codec import load_events, load_table
from poker_engine.commands import Close, Deal, Expire, Freeze, Start, Thaw, Void
from poker_engine.events import (
    Acted,
    Event,
    Going,
    HandStarted,
    SatIn,
    SatOut,
    Seated,
    SeatEmptied,
    ToppedUp,
)
from poker_engine.replay import replay
from poker_engine.state import Table
from tests.engine.strategies import Session, played, seeded, sessions
from tests.room.world import FakeClock, ListSignals, World, settings


def replayed(record: HandRecord) -> Table:
    return replay(load_events(record.events), load_table(record.opening))


def _events_of_last_write(world: World) -> list[type[Event]]:
    return [type(event) for event in world.updates()[-1].outbox.events]


def _next_big_blind(world: World) -> str:
    """Of three who all play: the one to the left of the last big blind."""
    table = world.stored().table
    assert table.big_blind is not None
    seat = table.seats[(table.big_blind + 1) % 3]
    assert seat is not None
    return seat.player


@pytest.mark.rule("6.3")
@pytest.mark.rule("2.6")
@pytest.mark.parametrize(("route", "what"), [("leave", SeatEmptied), ("sitout", SatOut)])
def test_a_plan_for_the_big_blind_comes_before_the_record(
    world: World, route: str, what: type[Event]
) -> None:
    """The write that starts the hand first empties the seat, or sits it out."""
    for number, player in enumerate(("ana", "ben", "cyd")):
        world.connect(player, player)
        assert isinstance(world.say(player, "sit", seat=number, chips=50_000 + 1000 * number), Ok)
    world.deal()
    world.play_out()
    goer = _next_big_blind(world)
    assert isinstance(world.say(goer, route, when="big_blind"), Ok)
    world.deal()
    happened = _events_of_last_write(world)
    assert happened.index(what) < happened.index(HandStarted)
    log = load_events(world.stored().log)
    assert isinstance(log[0], HandStarted)
    world.play_out()
    record = hands("t")[-1]
    assert record.number == 2
    assert replayed(record) == world.stored().table


@pytest.mark.rule("6.3")
def test_what_was_due_before_the_start_is_no_part_of_the_record(aws: None) -> None:
    """One late write empties a seat that sat out for too long, and starts the hand."""
    world = World(replace(settings(), sit_out_ms=1_000))
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.play_out()
    assert isinstance(world.say("cyd", "sitout"), Ok)
    world.deal()
    happened = _events_of_last_write(world)
    assert happened.index(SeatEmptied) < happened.index(HandStarted)
    world.play_out()
    assert replayed(hands("t")[-1]) == world.stored().table


@pytest.mark.rule("6.3")
def test_the_record_knows_who_came_and_went_in_mid_hand(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=60_000)
    world.deal()
    world.connect("dan", "dan")
    answers = [
        world.say("dan", "sit", seat=4, chips=50_000),
        world.say("ana", "topup", chips=10_000),
        world.say("ben", "leave"),
        world.say("cyd", "sitout"),
    ]
    assert [answer for answer in answers if not isinstance(answer, Ok)] == []
    world.play_out()
    table = world.stored().table
    assert table.seat_of("ben") is None
    assert table.seat_of("dan") == 4
    assert replayed(hands("t")[-1]) == table


def test_a_table_that_pauses_stores_no_deck(world: World) -> None:
    world.seat("ana", "ben")
    world.deal()
    world.play_out()
    stored = _secrets(world)
    assert len(stored) == 1
    assert isinstance(world.say("ana", "sitout"), Ok)
    world.deal()
    assert world.stored().table.next_hand_at is None
    assert _secrets(world) == stored


def _secrets(world: World) -> list[str]:
    answer = world.tables._client.query(
        TableName=world.tables.name,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "SECRET#t"}},
    )
    return [item["sk"]["S"] for item in answer["Items"]]


# --- whole sessions ------------------------------------------------------------------------------


@dataclass
class KeptTables:
    """The port `Tables` in memory; what is kept goes through the form in which it is stored."""

    item: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, Secret] = field(default_factory=dict)
    records: list[tuple[HandRecord, Table]] = field(default_factory=list)
    """Each with the table that the same write left."""
    saw: Counter[str] = field(default_factory=Counter)

    def load(self, table_id: str) -> Stored | None:
        return read_state(self.item) if self.item else None

    def chips_missing(self, table_id: str) -> int | None:
        stored = self.load(table_id)
        return None if stored is None else stored.chips_in - stored.chips_out - stored.chips

    def write(self, change: Change) -> None:
        assert change.before == int(self.item["version"]["N"])
        self.item = state_item(change)
        after = read_state(self.item)
        assert after == change.after
        hand = after.table.hand
        self._count(change)
        if change.record is not None:
            self.records.append((change.record, after.table))
        elif after.table.running is not None:
            assert hand is not None
            opening = load_table(self.secrets[hand.deck].opening)
            assert replay(load_events(after.log), opening) == after.table
        if change.amends is not None:
            self._amend(change.amends, after)

    def _count(self, change: Change) -> None:
        kinds = [type(event) for event in change.events]
        if HandStarted in kinds:
            start = kinds.index(HandStarted)
            self.saw["before a start"] += bool(
                {SeatEmptied, SatOut, Seated, SatIn} & set(kinds[:start])
            )
            self.saw["bought before a start"] += ToppedUp in kinds[:start]
            self.saw["start and more"] += {Acted, Seated, Going} & set(kinds[start:]) != set()
        elif change.after.table.running is not None:
            self.saw["in mid-hand"] += bool({Seated, SeatEmptied, ToppedUp} & set(kinds))

    def _amend(self, number: int, after: Stored) -> None:
        """A voluntary show: seats may have changed since the hand, its cards only as shown."""
        self.saw["show"] += 1
        record, _ = self.records[-1]
        assert record.number == number
        again = replay(load_events(after.log), load_table(record.opening))
        assert again.hand is not None
        assert after.table.hand is not None
        assert again.hand.shown == after.table.hand.shown

    def wallet(self, player: str, currency: str) -> Wallet:
        """All have more than enough."""
        return Wallet(player, currency, balance=10**15, entries=1)

    def entry(self, player: str, entry_id: str) -> Entry | None:
        return None

    def entries_after(self, player: str, after: str | None, most: int) -> list[Entry]:
        return []

    def departures(self, player: str, structure: str) -> tuple[Departure, ...]:
        """A session's buy-ins know of no leaving."""
        return ()

    def wallets(self, player: str) -> tuple[Wallet, ...]:
        return ()

    def standing(self, player: str) -> Standing | None:
        return Standing.OPEN

    def limits(self, player: str) -> Limits:
        return Limits(player)

    def put_limits(self, limits: Limits) -> bool:
        return False

    def session(self, player: str) -> Connected | None:
        return None

    def put_session(self, player: str, session: Connected) -> None: ...

    def meta(self, table_id: str) -> Meta | None:
        return None

    def rows(self) -> tuple[Row, ...]:
        return ()

    def list_row(self, row: Row, seq: int) -> None: ...

    def create(self, stored: Stored, opened_at: int, *, base: str = "", most: int = 1) -> bool:
        self.item = state_item(Change(0, stored, 0, opened_at, ()))
        return True

    def put_secret(self, table_id: str, deck_id: str, secret: Secret, expires: int) -> None:
        assert deck_id not in self.secrets
        self.secrets[deck_id] = secret

    def secret(self, table_id: str, deck_id: str) -> Secret | None:
        return self.secrets.get(deck_id)

    def overdue(self, before: int) -> list[str]:
        return []

    def listed(self) -> list[str]:
        return []


class SessionsRandomness:
    """Decks, names and draws of a session, in its order."""

    def __init__(self, session: Session) -> None:
        starts = [step for step in session.steps if isinstance(step.command, Start)]
        self._starts: Iterator[tuple[Start, tuple[int, ...]]] = (
            (step.command, step.deck)
            for step in starts
            if isinstance(step.command, Start) and step.deck is not None
        )
        self._next: tuple[Start, tuple[int, ...]] | None = None

    def token(self) -> str:
        self._next = next(self._starts)
        return self._next[0].deck

    def deck(self) -> tuple[int, ...]:
        assert self._next is not None
        return self._next[1]

    def below(self, limit: int) -> int:
        assert self._next is not None
        return self._next[0].draw


def _through_the_room(session: Session) -> KeptTables:
    """The same commands at the same moments; what is due is left for the room to notice."""
    kept, clock = KeptTables(), FakeClock(session.steps[0].now)
    dealer = Dealer(kept, clock, SessionsRandomness(session), ListSignals())
    open_table(kept, "t", session.settings, clock.now())
    for number, step in enumerate(session.steps):
        clock.go_to(step.now)
        if step.auto:
            # The room does that by itself, in the write of the start that follows.
            continue
        match step.command:
            case Start() | Expire():
                following = session.steps[number + 1 :]
                # With a command at the same moment it comes into one write.
                if not following or following[0].now > step.now:
                    dealer.apply("t")
            case Void(reason=reason):
                dealer.apply("t")
                dealer.void("t", reason)
            case Close():
                dealer.apply("t")
                dealer.close("t")
            case Freeze():
                dealer.apply("t")
                dealer.freeze("t")
            case Thaw():
                dealer.apply("t")
                dealer.thaw("t")
            case Deal():
                raise AssertionError("a session deals no recorded hand")
            case command:
                wish = Wish(command, command.player, f"w{number}")
                assert isinstance(dealer.apply("t", wish), Applied)
    return kept


law = hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def _check(session: Session) -> KeptTables:
    kept = _through_the_room(session)
    for record, table in kept.records:
        assert replayed(record) == table
    assert read_state(kept.item).table == session.table
    assert [record.number for record, _ in kept.records] == list(range(1, session.table.hands + 1))
    return kept


@pytest.mark.rule("6.3")
@law
@given(sessions())
def test_every_record_of_a_session_replays_to_the_table_that_its_write_left(
    session: Session,
) -> None:
    _check(session)


@pytest.mark.rule("6.3")
def test_so_do_those_of_sessions_with_all_that_could_spoil_a_record() -> None:
    saw: Counter[str] = Counter()
    for seed in range(250):
        kept = _check(played(seeded(seed)))
        saw += kept.saw
        saw["record"] += len(kept.records)
    assert saw["record"] >= 500
    assert saw["start and more"] >= 100
    assert saw["in mid-hand"] >= 20
    assert saw["show"] >= 3
    assert saw["before a start"] >= 5
    assert saw["bought before a start"] >= 20
