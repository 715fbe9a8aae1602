"""Each alarm on our own figures: its fault is planted in the real functions, the alarm goes off by
what they print, the page is followed, and the alarm is back.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

from cardroom.archiving import OLD_MS
from cardroom.compose.clock import turn_clock
from cardroom.compose.command import door
from cardroom.compose.sweep import sweep
from cardroom.errors import Conflict
from cardroom.ports import Delivery
from cardroom.room import Room
from cardroom.spans import DAY_MS
from cardroom.store import DynamoTables
from cardroom.sweep import Sweep
from tests.alarms.watched import OURS, Done, Watched
from tests.room.faults import aws_error
from tests.room.handled import NAME, handle, sample

TABLE = f"TABLE#{NAME}"
PLANTED: Final[set[str]] = set()
"""Alarms whose fault a test here plants."""


def planted[Test](alarm: str) -> Callable[[Test], Test]:
    """Marks the test that plants this alarm's fault."""
    PLANTED.add(alarm)
    return lambda test: test


def _codes(done: list[Done]) -> list[tuple[str, int]]:
    """Of each command its subcommand and action, and how it ended."""
    return [(" ".join(one.words[: 1 if one.words[0] == "audit" else 2]), one.code) for one in done]


def _faults(room: Watched) -> list[dict[str, Any]]:
    return [line for line in room.log if line["message"] == "fault"]


def test_a_healthy_room_is_quiet(room: Watched) -> None:
    room.minute(room.play_a_hand)
    assert room.on() == set()
    room.minutes(4)
    assert room.on() == set()
    assert {line["level"] for line in room.log} == {"INFO"}


def test_what_happens_every_day_wakes_nobody(
    room: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusals, a player who lets his time pass, connections that are gone, one lost race, a guest
    who floods.
    """
    real = DynamoTables.write
    races = iter([Conflict(None), Conflict(None)])

    def raced(tables: DynamoTables, change: Any) -> None:
        lost = next(races, None)
        if lost is not None:
            raise lost
        real(tables, change)

    def live() -> None:
        room.ports.seat("ana", "ben")
        room.ports.connect("")
        for _ in range(60):
            room.ports.say("", "ping")
        assert room.ports.say("ana", "sit", table=NAME, seat=5, chips=1)["type"] == "error"
        room.ports.push.outcomes["ben"] = Delivery.GONE
        monkeypatch.setattr(DynamoTables, "write", raced)
        room.ports.deal()
        room.ports.stream()
        # Nobody acts: the clock is there a second after the enforced end of the turn.
        hand = room.ports.stored.table.hand
        assert hand is not None
        assert hand.turn is not None
        room.ports.now = hand.turn.deadline + 2_000
        room.ports.ring()
        room.ports.stream()
        room.ports.say("ben", "leave", table=NAME, id="b-leave")

    room.minute(live)
    room.minutes(6)
    assert room.on() == set()
    counted = {series.metric for series in room.figures.values}
    assert counted >= {"Conflict", "ConnectionGone", "Rejected", "ClockLateness", "SlowedDown"}


@planted("chip-difference")
def test_chips_that_somebody_wrote_by_hand(room: Watched) -> None:
    room.minute(room.play_a_hand)
    good = room.item(TABLE, "STATE")
    room.put({**good, "chips_in": {"N": str(int(good["chips_in"]["N"]) + 700)}})
    room.minute()
    assert "chip-difference" in room.on()
    # The page: which table.
    (line,) = room.seen("chip-difference")
    assert (line["table"], abs(line["missing"])) == (NAME, 700)
    done = room.follow("chip-difference", php_5_10_1=NAME)
    assert _codes(done)[:2] == [("tables freeze", 1), ("audit", 1)]
    assert "cannot be read" in done[0].said
    assert NAME in done[1].said
    # It is mended, from the backup.
    room.put(good)
    done = room.follow("chip-difference", php_5_10_1=NAME)
    assert [code for _, code in _codes(done)] == [0, 0, 0, 0]
    room.quiet_until("chip-difference", 4)
    room.quiet_until("damaged", 16)
    assert room.on() == set()


@planted("chip-difference")
def test_a_write_that_would_make_chips(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, and wakes somebody at once: no sweep has to come."""
    room.minute(lambda: room.ports.seat("ana", "ben"))
    with monkeypatch.context() as broken:
        broken.setattr("cardroom.dealer.chips_moved", lambda _: (5, 0))
        room.minute(lambda: room.ports.say("ana", "leave", table=NAME, id="x"), sweep=False)
    assert "chip-difference" in room.on()
    assert [line["kind"] for line in room.seen("chip-difference")] == ["ChipsError"]
    assert _codes(room.follow("chip-difference", php_5_10_1=NAME))[1] == ("audit", 0)


@planted("stuck-hands")
def test_clocks_that_do_not_start(room: Watched) -> None:
    def deal() -> None:
        room.ports.seat("ana", "ben")
        room.ports.deal()

    room.minute(deal)
    assert room.on() == set()
    # The sweep moves it on, once a minute; nobody acts.
    room.minute()
    assert "stuck-hands" not in room.on()
    room.minute()
    assert "stuck-hands" in room.on()
    assert {line["table"] for line in room.seen("stuck-hands") if "late" in line} == {NAME}
    running = room.ports.stored.table.running
    assert running is not None
    done = room.follow("stuck-hands", php_5_10_1=NAME, n117=str(running.number))
    assert _codes(done) == [
        ("tables show", 0),
        ("tables freeze", 0),
        ("hands void", 0),
        ("audit", 0),
        ("tables thaw", 0),
    ]
    room.ports.say("ben", "leave", table=NAME, id="b-leave")
    room.quiet_until("stuck-hands", 4)
    assert room.on() == set()


@planted("stuck-hands")
def test_a_table_that_cannot_be_moved(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def deal() -> None:
        room.ports.seat("ana", "ben")
        room.ports.deal()

    def broken(*_: object) -> None:
        raise KeyError("of the code's own")

    room.minute(deal)
    with monkeypatch.context() as code:
        code.setattr(Sweep, "_mend", broken)
        room.minutes(3)
        assert "stuck-hands" in room.on()
        said = [line for line in room.seen("stuck-hands") if line["level"] == "ERROR"]
        assert {(one["where"], one["kind"], one["table"]) for one in said} == {
            ("sweep", "KeyError", NAME)
        }
        # The page's way out needs no sweep.
        done = room.follow("stuck-hands", php_5_10_1=NAME, n117="1")
        assert [code for _, code in _codes(done)] == [0, 0, 0, 0, 0]
        assert "is void" in done[2].said
        assert room.ports.stored.table.running is None
    room.ports.say("ben", "leave", table=NAME, id="b-leave")
    room.quiet_until("stuck-hands", 4)


@planted("sweep-silent")
def test_a_sweep_that_is_not_called(room: Watched) -> None:
    room.minutes(2)
    assert room.on() == set()
    for _ in range(5):
        room.minute(sweep=False)
    assert room.on() == {"sweep-silent"}
    # By hand, as the page has it.
    room.minute(lambda: handle("sweep", {}), sweep=False)
    assert room.on() == set()


@planted("sweep-silent")
def test_a_sweep_that_fails_before_it_has_counted(
    room: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise aws_error("AccessDeniedException")

    def swept() -> None:
        with pytest.raises(Exception, match="ClientError"):
            handle("sweep", sample("sweep"))

    room.minutes(2)
    with monkeypatch.context() as rights:
        rights.setattr(DynamoTables, "overdue", refused)
        for _ in range(5):
            room.minute(swept, sweep=False)
    assert "sweep-silent" in room.on()
    assert {"ClientError"} <= {line.get("kind") for line in room.seen("sweep-silent")}
    room.minute()
    assert "sweep-silent" not in room.on()


@planted("faults")
@pytest.mark.parametrize(
    ("broken", "where"),
    [
        ("tests.room.world.FakeTimers.start", "broadcast"),
        ("cardroom.attendance.Attendance._tell", "attendance"),
        ("cardroom.census.Census.take", "sweep"),
    ],
)
def test_a_fault_is_read_by_day(
    room: Watched, monkeypatch: pytest.MonkeyPatch, broken: str, where: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyError("of the code's own")

    def play() -> None:
        room.ports.seat("ana", "ben")
        handle("broadcast", sample("broadcast"))

    with monkeypatch.context() as code:
        code.setattr(broken, fails)
        room.minute(play)
    room.minutes(5)
    assert "faults" in room.on()
    assert "many-faults" not in room.on()
    # The page: a line with its function, kind and place.
    (line, *_) = _faults(room)
    assert (line["kind"], bool(line["places"])) == ("KeyError", True)
    assert line["where"] == where
    room.ports.say("ben", "leave", table=NAME, id="b-leave")
    room.quiet_until("faults", 16)


@planted("many-faults")
def test_players_are_told_internal(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise TypeError("of the code's own")

    def ask() -> None:
        for _ in range(4):
            assert room.ports.say("ana", "sync", table=NAME, seq=0)["code"] == "internal"

    room.minute()
    with monkeypatch.context() as code:
        code.setattr(Room, "_answer", fails)
        room.minutes(5, ask)
    while room.ports.now // 60_000 % 5:
        room.minute()
    assert room.on() == {"faults", "many-faults"}
    assert {line["where"] for line in room.seen("faults")} == {"command"}
    # The page: until the code is mended, no more of it at the table that has it.
    assert _codes(room.follow("faults", php_5_10_1=NAME)) == [("tables freeze", 0)]
    room.quiet_until("many-faults", 16)
    room.quiet_until("faults", 1)


@planted("damaged")
def test_a_table_whose_state_is_damaged(room: Watched) -> None:
    """It is out of order, its alarm waits; other tables play on."""
    room.minute(room.play_a_hand)
    good = room.item(TABLE, "STATE")
    room.put({**good, "state": {"S": "[]"}})
    replies: list[dict[str, Any]] = []
    room.minute(lambda: replies.append(room.ports.say("ana", "sync", table=NAME, seq=0)))
    room.minutes(5)
    assert replies[0]["code"] == "out_of_order"
    assert "damaged" in room.on()
    # The page: which item.
    assert {line["item"] for line in room.seen("damaged")} == {f"{TABLE} / STATE"}
    listed, audited = room.follow("damaged")
    assert "cannot be read" in listed.said
    assert audited.code == 1
    assert NAME in audited.said
    # It is brought back, as the page has it.
    room.put(good)
    assert [one.code for one in room.follow("damaged")] == [0, 0]
    room.quiet_until("damaged", 16)


@planted("damaged")
@pytest.mark.parametrize(
    ("function", "event"),
    [
        ("fanout", {"Records": [{"messageId": "m", "body": "[1]"}]}),
        ("floor", {"Records": [{"messageId": "m", "body": "[1]"}]}),
        ("clock", {"table": "t", "hand": "x"}),
        ("broadcast", {"Records": [{"dynamodb": {"NewImage": {}}}]}),
    ],
)
def test_a_damaged_message(room: Watched, function: str, event: dict[str, Any]) -> None:
    room.minute(lambda: handle(function, event))
    room.minutes(5)
    assert room.on() == {"damaged"}
    assert len(_faults(room)) == 1
    room.quiet_until("damaged", 16)


@planted("hands-voided")
def test_a_deck_that_is_lost(room: Watched) -> None:
    def deal() -> None:
        room.ports.seat("ana", "ben")
        room.ports.deal()

    room.minute(deal)
    hand = room.ports.stored.table.hand
    assert hand is not None
    room.delete(f"SECRET#{NAME}", hand.deck)
    _forget_decks()
    room.minutes(2)
    room.ports.say("ben", "leave", table=NAME, id="b-leave")
    room.minutes(4)
    assert "hands-voided" in room.on()
    assert {line["kind"] for line in room.seen("hands-voided")} == {"MissingDeckError"}
    shown, audited = room.follow("hands-voided", php_5_10_1=NAME)
    assert (shown.code, audited.code) == (0, 0)
    room.quiet_until("hands-voided", 16)


def _forget_decks() -> None:
    """As new functions, which have kept none."""
    for one in (turn_clock, door, sweep):
        one.cache_clear()


@planted("unpaid")
def test_a_wallet_that_cannot_be_written(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = room.client.transact_write_items

    def conflicts(**call: Any) -> Any:
        if "WALLET#" in str(call):
            touched = ["WALLET#" in str(part) for part in call["TransactItems"]]
            reasons = [{"Code": "TransactionConflict" if one else "None"} for one in touched]
            raise aws_error("TransactionCanceledException", CancellationReasons=reasons)
        return real(**call)

    # Alone, so that no hand begins.
    room.minute(lambda: room.ports.seat("ben"))
    monkeypatch.setattr(room.client, "transact_write_items", conflicts)
    room.minute(lambda: room.ports.say("ben", "leave", table=NAME, id="b-leave"))
    room.minutes(15)
    while room.ports.now // 60_000 % 5:
        room.minute()
    assert "unpaid" in room.on()
    done = room.follow("unpaid", php_5_10_1=NAME, ana="ben")
    assert {one.code for one in done} == {0}
    (shown,) = [one for one in done if one.words[:2] == ["tables", "show"]]
    assert "ben" in shown.said
    # Whatever wrote it has stopped: the sweep pays.
    monkeypatch.setattr(room.client, "transact_write_items", real)
    room.quiet_until("unpaid", 31)
    assert not room.ports.stored.leaving


@planted("clock-late")
def test_wake_ups_that_come_late(room: Watched) -> None:
    def late() -> None:
        at = room.ports.stored.table.next_hand_at
        assert at is not None
        room.ports.now = at + 4_000
        room.ports.ring()
        room.ports.play_out()

    def late_for_the_last_time() -> None:
        late()
        room.ports.say("ben", "leave", table=NAME, id="b-leave")

    room.minute(lambda: room.ports.seat("ana", "ben"), sweep=False)
    room.minute(late, sweep=False)
    room.minute(late, sweep=False)
    assert "clock-late" not in room.on()
    room.minute(late_for_the_last_time, sweep=False)
    assert "clock-late" in room.on()
    assert _codes(room.follow("clock-late", php_5_10_1=NAME)) == [("tables show", 0)]
    room.quiet_until("clock-late", 6)


@planted("command-slow")
def test_reads_that_take_long(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    real = DynamoTables.load

    def slow(tables: DynamoTables, table_id: str) -> Any:
        room.ports.now += 1_200
        return real(tables, table_id)

    def ask() -> None:
        assert room.ports.say("ana", "sync", table=NAME, seq=0)["type"] == "ok"

    room.minutes(2, ask)
    assert room.on() == set()
    with monkeypatch.context() as dynamo:
        dynamo.setattr(DynamoTables, "load", slow)
        room.minutes(3, ask)
    assert room.on() == {"command-slow"}
    slowest = [(line["route"], line["table"]) for line in room.seen("command-slow")]
    assert slowest == [("sync", NAME)] * 3
    done = room.follow("command-slow")
    assert _codes(done) == [("players suspend", 0), ("players suspend", 0)]
    room.minutes(3, ask)
    assert room.on() == set()


@planted("pushes-slow")
def test_a_stream_that_is_behind(room: Watched) -> None:
    def act() -> None:
        room.ports.say("ana", "sitout", table=NAME, when="now", id=f"o-{room.ports.now}")
        room.ports.now += 2_500
        room.ports.stream()
        room.ports.say("ana", "sitin", table=NAME, post=False, id=f"i-{room.ports.now}")
        room.ports.stream()

    room.minute(lambda: room.ports.seat("ana"))
    room.minute(room.ports.stream)
    room.minutes(3, act)
    assert room.on() == {"pushes-slow"}
    assert {line["table"] for line in room.seen("pushes-slow")} == {NAME}
    assert _codes(room.follow("pushes-slow", php_5_10_1=NAME)) == [("tables freeze", 0)]
    room.quiet_until("pushes-slow", 7)


@planted("pushes-failed")
def test_posts_that_are_refused(room: Watched) -> None:
    room.minute(lambda: room.ports.seat("ana"))
    room.minute(room.ports.stream)

    def act() -> None:
        for number in range(24):
            fields: dict[str, Any] = {"id": f"{room.ports.now}-{number}", "table": NAME}
            if number % 2:
                room.ports.say("ana", "sitin", post=False, **fields)
            else:
                room.ports.say("ana", "sitout", when="now", **fields)
            room.ports.stream()

    room.ports.push.outcomes["ana"] = Delivery.FAILED
    room.minutes(3, act)
    assert room.on() == {"pushes-failed"}
    done = room.follow("pushes-failed", php_5_10_1=NAME)
    assert _codes(done) == [("tables freeze", 0), ("tables thaw", 0)]
    room.ports.push.outcomes.clear()
    room.minutes(3, act)
    assert room.on() == set()


@planted("room-busy")
def test_a_table_for_which_everybody_races(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    room.minute(lambda: room.ports.seat("ana"))

    def lost(*_: object) -> None:
        raise Conflict(None)

    def ask() -> None:
        for number in range(5):
            reply = room.ports.say("ana", "leave", table=NAME, id=f"{room.ports.now}-{number}")
            assert reply["code"] == "busy"

    with monkeypatch.context() as dynamo:
        dynamo.setattr(DynamoTables, "write", lost)
        room.minutes(3, ask)
    assert room.on() == {"room-busy"}
    assert [line["code"] for line in room.seen("room-busy")] == ["busy"] * 15
    assert _codes(room.follow("room-busy")) == [("audit", 0)]
    room.quiet_until("room-busy", 7)


@planted("room-busy")
def test_dynamodb_that_refuses(room: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise aws_error("ThrottlingException")

    def ask() -> None:
        for _ in range(5):
            assert room.ports.say("ana", "sync", table=NAME, seq=0)["code"] == "busy"

    room.minute()
    with monkeypatch.context() as dynamo:
        dynamo.setattr(DynamoTables, "load", refused)
        room.minutes(3, ask)
    assert room.on() == {"room-busy"}
    kinds = [line["kind"] for line in room.seen("room-busy") if line["message"] == "fault"]
    assert kinds == ["ClientError"] * 15
    room.quiet_until("room-busy", 7)


def _an_old_hand(room: Watched) -> None:
    """Of a table that has closed since; then whole days without a sweep, which other tests are
    about.
    """
    room.minute(room.play_a_hand)
    assert room.ports.say("ana", "leave", table=NAME, id="a-leave")["type"] == "ok"
    turn_clock()[0]._dealer.close(NAME)
    room.ports.now += OLD_MS // DAY_MS * DAY_MS


@planted("archive-refused")
def test_an_old_record_that_is_changed(room: Watched) -> None:
    _an_old_hand(room)
    good = room.item(f"HAND#{NAME}", "000000001")
    room.put({**good, "rake": {"N": "7"}})
    room.half_hours(4)
    assert "archive-refused" in room.on()
    assert not {"archive-failed", "archive-behind"} & room.on()
    # The page: which record, and what is wrong with it.
    assert {line["item"] for line in room.seen("archive-refused")} == {f"HAND#{NAME} / 000000001"}
    first, audited, again = room.follow("archive-refused")
    assert (first.code, audited.code, again.code) == (1, 1, 1)
    assert f"{NAME} hand 1: its seal does not hold" in first.said
    assert "its record is not the one that was sealed" in audited.said
    # It is brought back.
    room.put(good)
    assert [one.code for one in room.follow("archive-refused")] == [0, 0, 0]
    room.half_hours(10)
    assert "archive-refused" not in room.on()


@planted("archive-failed")
def test_a_bucket_that_does_not_answer(room: Watched) -> None:
    _an_old_hand(room)
    room.ports.bucket.broken = True
    room.half_hours(4)
    assert "archive-failed" in room.on()
    lines = room.seen("archive-failed")
    assert {(line["where"], line["kind"]) for line in lines} == {("archive", "ClientError")}
    assert _codes(room.follow("archive-failed")) == [("hands archive", 1)]
    room.ports.bucket.broken = False
    assert _codes(room.follow("archive-failed")) == [("hands archive", 0)]
    room.half_hours(10)
    assert "archive-failed" not in room.on()
    # Nor may a player ask in vain.
    room.ports.bucket.broken = True
    room.minute(lambda: room.ports.say("ana", "hand", table=NAME, hand=1), sweep=False)
    room.half_hours(3)
    assert "archive-failed" in room.on()
    assert {line["where"] for line in room.seen("archive-failed")} == {"archive", "past"}


@planted("archive-behind")
def test_records_that_do_not_go(room: Watched) -> None:
    """Trouble is told at once; that it lasts, when it has for two days, and a day more."""
    _an_old_hand(room)
    room.ports.bucket.broken = True
    room.half_hours(48 * 2)
    assert "archive-behind" not in room.on()
    room.half_hours(48 + 12)
    assert "archive-behind" in room.on()
    room.ports.bucket.broken = False
    assert _codes(room.follow("archive-behind")) == [("hands archive", 0)]
    room.half_hours(24)
    assert "archive-behind" not in room.on()


@planted("archive-behind")
def test_a_function_that_is_not_called(room: Watched) -> None:
    room.half_hours(4)
    assert "archive-behind" not in room.on()
    room.ports.now += 3 * DAY_MS
    assert "archive-behind" in room.on()
    room.half_hours(24)
    assert "archive-behind" not in room.on()


def test_each_alarm_on_our_own_figures_has_had_its_fault() -> None:
    assert set(OURS) == PLANTED
