"""One write wins; the others decide again. What nobody knows is found out by reading."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from cardroom import store
from cardroom.dealer import TRIES, Applied, Dealer, Wish
from cardroom.errors import ChipsError, Refused, RoomCode
from cardroom.messages import Error, Ok
from cardroom.store import DynamoTables, hands
from cardroom.stored import Stored
from cardroom.tables import open_table
from poker_engine.commands import Act, Command, Sit, SitOut, When
from poker_engine.errors import Code
from poker_engine.state import Do
from tests.room.meeting import Meeting
from tests.room.world import TABLE, World, settings

pytestmark = pytest.mark.usefixtures("moto")

RACES = 20


def _call(world: World) -> Wish:
    hand = world.stored().table.hand
    assert hand is not None
    assert hand.turn is not None
    seat = world.stored().table.seats[hand.turn.seat]
    assert seat is not None
    return Wish(Act(seat.player, hand.number, hand.turn.number, Do.CALL), seat.player, "x")


class Place:
    """A warm function of its own, at the world's table."""

    def __init__(self, world: World) -> None:
        self.tables = DynamoTables(TABLE)
        self.dealer = Dealer(self.tables, world.clock, world.randomness, world.signals)


def test_of_two_commands_on_one_version_one_wins_and_the_other_is_decided_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time and again two players want one seat, and both read before either writes."""
    world.fund("ana", "ben")
    for number in range(RACES):
        before = world.stored()
        outcomes: dict[str, Applied | Refused] = {}

        def sit(player: str, into: dict[str, Applied | Refused], command_id: str) -> None:
            wish = Wish(Sit(player, 0, 100_000), player, command_id)
            into[player] = world.new_dealer().apply("t", wish)

        threads = [
            threading.Thread(target=sit, args=(player, outcomes, f"sit{number}"))
            for player in ("ana", "ben")
        ]
        with monkeypatch.context() as patch:
            patch.setattr(world.tables, "load", Meeting(world.tables.load))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        applied = [one for one in outcomes.values() if isinstance(one, Applied)]
        (winner,) = [one for one in applied if one.refusal is None]
        (loser,) = [one for one in applied if one.refusal is not None]
        assert loser.refusal is not None
        assert loser.refusal.code is Code.SEAT_TAKEN
        assert winner.stored.version == before.version + 1
        assert world.stored() == winner.stored == loser.stored
        seat = winner.stored.table.seats[0]
        assert seat is not None
        assert isinstance(world.say(seat.player, "leave"), Ok)
    assert world.signals.counts["Conflict"] == RACES


def _failing(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    times: int,
    *,
    written: bool,
) -> None:
    """The next writes of STATE fail so, before or after they took place."""
    client = world.tables._client
    for name in ("put_item", "transact_write_items"):
        real = getattr(client, name)

        def broken(_real: Callable[..., Any] = real, **call: Any) -> Any:
            nonlocal times
            if "STATE" not in str(call) or times == 0:
                return _real(**call)
            times -= 1
            if written:
                _real(**call)
            raise fault

        monkeypatch.setattr(client, name, broken)


def _error(code: str, status: int = 400, **more: Any) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": ""},
        "ResponseMetadata": {"HTTPStatusCode": status},
        **more,
    }
    return ClientError(response, "PutItem")


def _cancelled(*codes: str) -> ClientError:
    return _error("TransactionCanceledException", CancellationReasons=[{"Code": c} for c in codes])


CONFLICTS = [
    _error("TransactionConflictException"),
    _error("ConditionalCheckFailedException"),
    _error("ThrottlingException"),
    _error("ProvisionedThroughputExceededException"),
    _cancelled("TransactionConflict", "None"),
    _cancelled("ConditionalCheckFailed", "None"),
    _cancelled("None", "ThrottlingError"),
]
OPEN = [
    ReadTimeoutError(endpoint_url="x"),
    _error("TransactionInProgressException"),
    _error("InternalServerError", 500),
    _error("ServiceUnavailable", 503),
]


@pytest.mark.parametrize("fault", CONFLICTS, ids=str)
def test_a_conflict_is_decided_again(
    world: World, monkeypatch: pytest.MonkeyPatch, fault: ClientError
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    before = world.stored()
    _failing(world, monkeypatch, fault, 2, written=False)
    assert isinstance(world.act("call"), Ok)
    assert world.stored().version == before.version + 1
    assert len(world.clock.paused) == 2


@pytest.mark.parametrize("written", [True, False], ids=["written", "lost"])
@pytest.mark.parametrize("fault", OPEN, ids=str)
def test_an_open_question_is_answered_by_reading(
    world: World, monkeypatch: pytest.MonkeyPatch, fault: Exception, written: bool
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    before = world.stored()
    _failing(world, monkeypatch, fault, 1, written=written)
    answer = world.act("call")
    assert isinstance(answer, Ok)
    assert world.stored().version == before.version + 1
    assert answer.seq == world.stored().table.seq


@pytest.mark.parametrize("written", [True, False], ids=["written", "lost"])
def test_a_hands_end_with_an_open_question_is_recorded_once(
    world: World, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    world.seat("ana", "ben")
    world.deal()
    _failing(world, monkeypatch, ReadTimeoutError(endpoint_url="x"), 1, written=written)
    assert isinstance(world.act("fold"), Ok)
    assert len(hands("t")) == 1


def test_after_five_conflicts_the_table_is_busy(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben")
    world.deal()
    before = world.stored()
    _failing(world, monkeypatch, CONFLICTS[0], TRIES, written=False)
    answer = world.act("call")
    assert isinstance(answer, Error)
    assert answer.code == RoomCode.BUSY
    assert world.stored() == before
    assert len(world.clock.paused) == TRIES
    assert world.clock.paused != sorted(world.clock.paused) or max(world.clock.paused) <= 400


def test_a_fifth_write_that_took_place_is_no_busy_table(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    _failing(world, monkeypatch, CONFLICTS[0], TRIES - 1, written=False)
    _failing(world, monkeypatch, OPEN[0], 1, written=True)
    answer = world.act("call")
    assert isinstance(answer, Ok)


def test_what_is_neither_is_a_fault_of_ours(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.seat("ana", "ben")
    world.deal()
    before = world.stored()
    _failing(world, monkeypatch, _error("AccessDeniedException"), 1, written=False)
    answer = world.act("call")
    assert isinstance(answer, Error)
    assert answer.code == RoomCode.INTERNAL
    assert world.signals.counts["InternalError"] == 1
    assert world.stored() == before


@pytest.mark.parametrize("call", ["get_item", "query", "_make_api_call"])
@pytest.mark.parametrize(
    "trouble",
    [
        _error("ThrottlingException"),
        _error("InternalServerError", 500),
        ReadTimeoutError(endpoint_url="https://dynamodb.invalid"),
    ],
    ids=["throttled", "broken", "timed out"],
)
def test_trouble_that_passes_is_busy_and_no_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, call: str, trouble: Exception
) -> None:
    """Whichever read or write it befalls: asked again under the same id it is done."""
    world.connect("ana", "ana")
    failing = True

    def broken(*_: object, **__: object) -> None:
        raise trouble

    for route in ("watch", "sync", "lobby", "account"):
        fields: dict[str, Any] = {"seq": 0} if route == "sync" else {}
        with monkeypatch.context() as patch:
            patch.setattr(world.tables._client, call, broken)
            answer = world.say("ana", route, id=f"again-{route}", **fields)
        failing = failing and not isinstance(answer, Error)
        if isinstance(answer, Error):
            assert answer.code == RoomCode.BUSY
        assert isinstance(world.say("ana", route, id=f"again-{route}", **fields), Ok)
    assert not failing, "none of them makes this call"
    assert "InternalError" not in world.signals.counts


def test_a_lost_race_costs_no_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The item that made the condition fail comes with the failure."""
    world.seat("ana", "ben", "cyd")
    world.deal()
    wish, stale = _call(world), world.stored()
    assert isinstance(world.act("call"), Ok)
    reads = [stale]
    monkeypatch.setattr(world.tables, "load", lambda _: reads.pop())
    applied = world.dealer.apply("t", wish)
    assert isinstance(applied, Applied)
    assert applied.refusal is not None
    assert applied.refusal.code is Code.STALE_TURN


def test_a_repeated_command_is_answered_alike_and_done_once(world: World) -> None:
    world.seat("ana", "ben", "cyd")
    world.deal()
    first = world.act("call", id="once")
    assert isinstance(first, Ok)
    after = world.stored()
    hand = after.table.hand
    assert hand is not None
    players = ("ana", "ben", "cyd")
    again = [world.say(player, "act", id="once", hand=1, turn=1, do="call") for player in players]
    assert first in again
    assert world.stored() == after


def test_the_last_four_answers_of_a_player_are_kept_for_ten_minutes_after_he_left(
    world: World,
) -> None:
    world.connect("ana", "ana")
    assert isinstance(world.say("ana", "sit", id="sat", seat=0, chips=50_000), Ok)
    first = world.say("ana", "topup", id="top", chips=1000)
    for number in range(3):
        assert isinstance(world.say("ana", "topup", id=f"n{number}", chips=1000), Ok)
    assert world.say("ana", "topup", id="top", chips=1000) == first
    left = world.say("ana", "leave", id="left")
    world.clock.go(599_000)
    world.seat("ben")
    assert world.say("ana", "leave", id="left") == left
    world.clock.go(2_000)
    world.connect("cyd", "cyd")
    world.say("cyd", "sit", seat=2, chips=50_000)
    answer = world.say("ana", "leave", id="left")
    assert isinstance(answer, Error)
    assert answer.code == Code.NOT_SEATED


def test_a_change_that_would_make_chips_is_not_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana", "ben")
    world.deal()
    before = world.stored()
    monkeypatch.setattr("cardroom.dealer.chips_moved", lambda _: (1, 0))
    with pytest.raises(ChipsError):
        world.dealer.apply("t", _call(world))
    assert world.stored() == before


def test_a_table_is_read_again_as_soon_as_another_has_written_it(world: World) -> None:
    """Not before: what a function has written itself it knows."""
    world.seat("ana", "ben")

    def written(place: Place, command: Command) -> Stored:
        applied = place.dealer.apply("t", Wish(command))
        assert isinstance(applied, Applied)
        assert applied.written
        return applied.stored

    ours, theirs = Place(world), Place(world)
    known = written(ours, SitOut("ana", When.NOW))
    assert ours.tables.load("t") is known
    newer = written(theirs, SitOut("ben", When.NOW))
    assert theirs.tables.load("t") is newer
    assert ours.tables.load("t") == newer
    assert ours.tables.load("t") is not newer


def test_a_function_keeps_the_tables_that_it_wrote_last(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "KNOWN_TABLES", 1)
    ours = Place(world)
    assert open_table(ours.tables, "u", settings(), world.clock.now())
    found = []
    for table_id in ("t", "u"):
        applied = ours.dealer.freeze(table_id)
        assert isinstance(applied, Applied)
        found.append(applied.stored)
    assert ours.tables.load("u") is found[1]
    assert ours.tables.load("t") == found[0]
    assert ours.tables.load("t") is not found[0]
