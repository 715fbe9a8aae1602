"""A player disputes a hand that he had cards in; nobody else, and not without end."""

from dataclasses import replace
from typing import Any

import pytest

from cardroom import keys
from cardroom.complaints import DynamoComplaints
from cardroom.disputes import MOST, Dispute, DynamoDisputes
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.spans import DAY_MS
from tests.room.conftest import Memory
from tests.room.world import TABLE, World


@pytest.fixture
def room(memory: Memory) -> World:
    """Ana and Ben have played hands 1 to 7; Cyd sat there without cards in the first one."""
    world = World()
    world.seat("ana", "ben", chips=100_000)
    world.deal()
    world.connect("cyd", "cyd")
    assert isinstance(world.say("cyd", "sit", seat=2, chips=50_000), Ok)
    world.act("fold")
    assert isinstance(world.say("cyd", "leave"), Ok)
    for _ in range(6):
        world.deal()
        world.act("fold")
    return world


def disputes(world: World, player: str, hand: int, text: str = "my flush", **more: Any) -> str:
    answer = world.say(player, "dispute", hand=hand, text=text, **more)
    return answer.code if isinstance(answer, Error) else "ok"


def kept(player: str) -> list[tuple[str, int, str]]:
    return [(one.table, one.hand, one.text) for one in DynamoDisputes(TABLE).of(player)]


def test_what_he_writes_is_kept_with_the_hand_it_is_about(room: World) -> None:
    assert disputes(room, "ana", 1, "the flush did not win, ₱500") == "ok"
    (one,) = DynamoDisputes(TABLE).of("ana")
    assert (one.table, one.hand, one.text) == ("t", 1, "the flush did not win, ₱500")
    assert (one.at, one.closed, one.who) == (room.clock.now(), 0, "")
    assert kept("ben") == []


@pytest.mark.parametrize(
    ("player", "hand", "more"),
    [
        ("cyd", 1, {}),
        ("eve", 1, {}),
        ("ana", 99, {}),
        ("ana", 1, {"table": "nowhere"}),
    ],
    ids=["sat out", "never there", "no such hand", "no such table"],
)
def test_who_had_no_cards_is_not_told_whether_there_was_such_a_hand(
    room: World, player: str, hand: int, more: dict[str, Any]
) -> None:
    room.connect("eve", "eve")
    assert disputes(room, player, hand, **more) == RoomCode.NOT_DEALT_IN
    assert kept(player) == []


def test_a_running_hand_is_not_disputed(room: World) -> None:
    room.deal()
    running = room.stored().table.hands
    assert disputes(room, "ana", running) == RoomCode.NOT_DEALT_IN


def test_a_guest_has_nothing_to_dispute(room: World) -> None:
    answer = room.say("", "dispute", on="guest", hand=1, text="why")
    assert isinstance(answer, Error)
    assert answer.code == RoomCode.NOT_ALLOWED


def test_each_hand_is_disputed_once_and_a_message_sent_again_is_the_same(room: World) -> None:
    assert disputes(room, "ana", 1, id="d1") == "ok"
    assert disputes(room, "ana", 1, id="d1") == "ok"
    assert disputes(room, "ana", 1, "another word", id="d2") == RoomCode.ALREADY_DISPUTED
    assert disputes(room, "ben", 1, id="d1") == "ok"
    assert kept("ana") == [("t", 1, "my flush")]


@pytest.mark.parametrize(
    ("first", "answer"),
    [("d1", "ok"), ("d2", RoomCode.ALREADY_DISPUTED)],
    ids=["itself", "another"],
)
def test_a_message_that_was_overtaken_is_answered_by_what_is_kept(
    room: World, monkeypatch: pytest.MonkeyPatch, first: str, answer: str
) -> None:
    """Between its look and its write: by its own copy, as after a timeout, or by another one."""
    put = DynamoDisputes.put

    def overtaken(self: DynamoDisputes, dispute: Dispute) -> bool:
        assert put(self, replace(dispute, command=first))
        return put(self, dispute)

    monkeypatch.setattr(DynamoDisputes, "put", overtaken)
    assert disputes(room, "ana", 1, id="d1") == answer
    assert kept("ana") == [("t", 1, "my flush")]


def test_so_many_within_a_day_and_then_more(room: World) -> None:
    for hand in range(1, MOST + 1):
        assert disputes(room, "ana", hand) == "ok"
        room.clock.go(1_000)
    first = min(one.at for one in DynamoDisputes(TABLE).of("ana"))
    answer = room.say("ana", "dispute", hand=MOST + 1, text="again")
    assert isinstance(answer, Error)
    assert answer.code == RoomCode.TOO_MANY_DISPUTES
    assert answer.facts == {"most": MOST, "until": first + DAY_MS}
    assert disputes(room, "ben", MOST + 1) == "ok"
    room.clock.go_to(first + DAY_MS)
    assert disputes(room, "ana", MOST + 1) == "ok"
    assert disputes(room, "ana", MOST + 2) == RoomCode.TOO_MANY_DISPUTES


def test_a_void_hand_may_be_disputed(room: World) -> None:
    room.deal()
    room.dealer.void("t", "a test")
    assert disputes(room, "ben", room.stored().table.hands) == "ok"


@pytest.mark.parametrize(
    "text", ["", "x" * 301, "two\nlines", "a\tb", "\x1b[2J", "\x85", 5, None], ids=repr
)
def test_it_is_one_line_of_text(room: World, text: Any) -> None:
    assert disputes(room, "ana", 1, text) == RoomCode.BAD_MESSAGE
    assert disputes(room, "ana", 1, "x" * 300) == "ok"


def test_a_damaged_record_is_out_of_order_and_nothing_is_kept(room: World) -> None:
    room.tables._client.update_item(
        TableName=TABLE,
        Key={"pk": {"S": keys.hand("t")}, "sk": {"S": keys.number(1)}},
        UpdateExpression="SET #e = :broken",
        ExpressionAttributeNames={"#e": "events"},
        ExpressionAttributeValues={":broken": {"S": "[["}},
    )
    assert disputes(room, "ana", 1) == RoomCode.OUT_OF_ORDER
    assert kept("ana") == []
    assert disputes(room, "ana", 2) == "ok"


def test_the_chain_of_records_holds_no_word_of_it(room: World) -> None:
    before = room.tables._client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": keys.hand("t")}},
    )["Items"]
    assert disputes(room, "ana", 1, "a word") == "ok"
    after = room.tables._client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": keys.hand("t")}},
    )["Items"]
    assert before == after
    assert "a word" not in " ".join(room.signals.lines)


def told(world: World, player: str, hand: int = 1) -> Any:
    """What the hand itself tells him of his dispute."""
    answer = world.say(player, "hand", on=player or "guest", hand=hand)
    assert isinstance(answer, Ok)
    assert answer.hand is not None
    return answer.hand.get("dispute")


def test_the_hand_tells_who_disputes_it_and_nobody_else_and_then_supports_word(room: World) -> None:
    assert told(room, "ana") is None
    assert disputes(room, "ana", 1, "the flush did not win, ₱500") == "ok"
    at = room.clock.now()
    waiting = {"text": "the flush did not win, ₱500", "at": at, "closed": None, "word": None}
    assert told(room, "ana") == waiting
    assert [told(room, "ana", 2), *(told(room, one) for one in ("ben", "cyd", ""))] == [None] * 4
    support = DynamoComplaints(TABLE, room.tables._client)
    (one,) = support.disputes_of("t", 1, ("ana",))
    assert support.settle(one, "olga", "the board was a flush: split", at + 5)
    answered = {**waiting, "closed": at + 5, "word": "the board was a flush: split"}
    assert told(room, "ana") == answered
    assert "olga" not in str(told(room, "ana"))
