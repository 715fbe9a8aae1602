"""A player's own ledger and results: his alone, whole, and in answers of bounded work."""

from typing import Any

import pytest

from cardroom import statements
from cardroom.bank import Booked, Order
from cardroom.errors import ArchiveUnreadError, Refused, RoomCode
from cardroom.messages import Error, Ok
from cardroom.models import EntryItem, HandItem
from cardroom.played import DynamoPlayed
from cardroom.ports import Stay
from cardroom.stored import HandRecord
from tests.room.world import START, TABLE, World, settings

HOUR = 3_600_000
LIMIT = 32_000
"""Bytes that an answer stays below."""


def ledger(world: World, player: str = "ana", **fields: Any) -> dict[str, Any]:
    reply = world.say(player, "ledger", **fields)
    assert isinstance(reply, Ok), reply
    assert reply.ledger is not None
    assert len(reply.text()) < LIMIT
    return reply.ledger


def results(world: World, player: str = "ana", **fields: Any) -> dict[str, Any]:
    reply = world.say(player, "results", **fields)
    assert isinstance(reply, Ok), reply
    assert reply.results is not None
    assert len(reply.text()) < LIMIT
    return reply.results


@pytest.fixture
def played(world: World) -> World:
    """Five hands, an hour from each to the next; the first ends at 22:13 UTC."""
    world.seat("ana", "ben")
    for _ in range(5):
        _begin(world)
        world.act("fold")
        world.clock.go(HOUR)
    return world


def _begin(world: World) -> None:
    """The next hand, which is due, or overdue as nobody was there."""
    at = world.stored().table.next_hand_at
    assert at is not None
    world.clock.go_to(max(at, world.clock.now()))
    world.dealer.apply("t")


def test_pages_hold_each_entry_once_and_come_to_the_balance(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "ENTRIES", 7)
    world.seat("ana", "ben")
    for number in range(30):
        booked = world.bank.deposit("ana", "PHP", number + 1, f"d {number}", Order("olga", "why"))
        assert isinstance(booked, Booked)
    page = ledger(world)
    (wallet,) = page["wallets"]
    found = page["entries"]
    while page["next"] is not None:
        # What is booked while he reads has a higher number.
        world.bank.deposit(
            "ana", "PHP", 5, f"a{page['next']}"[:60].replace("#", "."), Order("o", "w")
        )
        page = ledger(world, after=page["next"])
        assert len(page["entries"]) <= 7
        found += page["entries"]
    kept = sorted((one for one in found if one["number"] <= wallet["entries"]), key=_number)
    assert [_number(one) for one in kept] == [*range(1, wallet["entries"] + 1)]
    assert sum(one["amount"] for one in kept) == wallet["balance"]
    assert kept[-1]["balance"] == wallet["balance"]


def _number(entry: dict[str, Any]) -> int:
    number: int = entry["number"]
    return number


def test_no_entry_is_missing_where_the_store_answers_in_parts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.seat("ana")
    client: Any = world.tables._client
    query = client.query

    def in_parts(**call: Any) -> Any:
        return query(**call | {"Limit": min(2, call.get("Limit", 2))})

    monkeypatch.setattr(client, "query", in_parts)
    monkeypatch.setattr(statements, "ENTRIES", 5)
    for number in range(9):
        world.bank.deposit("ana", "PHP", 1, f"d {number}", Order("olga", "why"))
    pages = [ledger(world)]
    while (after := pages[-1]["next"]) is not None:
        pages.append(ledger(world, after=after))
    assert [len(page["entries"]) for page in pages] == [5, 5, 1]
    assert {_number(one) for page in pages for one in page["entries"]} == {*range(1, 12)}


def test_long_texts_make_short_pages(world: World) -> None:
    world.connect("ana", "ana")
    for number in range(60):
        world.bank.deposit("ana", "PHP", 1, f"{number:064}", Order("o", "\U0001f0a1" * 120))
    seen, after = 0, None
    while True:
        page = ledger(world, **({} if after is None else {"after": after}))
        assert page["entries"]
        seen += len(page["entries"])
        if (after := page["next"]) is None:
            break
    assert seen == 61


@pytest.mark.parametrize(
    "sign", ["w", "\U0001f600", "\x01", '"'], ids=["plain", "far", "low", "quote"]
)
def test_no_text_makes_an_answer_too_long(world: World, sign: str) -> None:
    """Nor one that somebody wrote past the commands."""
    world.seat("ana")
    for item in EntryItem.query("USER#ana", EntryItem.sk.startswith("LEDGER#")):
        item.update(
            actions=[
                EntryItem.why.set(9_000 * sign),
                EntryItem.reference.set(9_000 * sign),
            ]
        )
    found, after = 0, None
    while found == 0 or after is not None:
        page = ledger(world, **({} if after is None else {"after": after}))
        found, after = found + len(page["entries"]), page["next"]
    assert found == len(list(EntryItem.query("USER#ana", EntryItem.sk.startswith("LEDGER#"))))


@pytest.mark.parametrize("odd", [2**53 + 1, -(2**53) - 1, 10**37, 1.5])
def test_an_amount_that_is_none_is_damage(world: World, odd: float) -> None:
    world.seat("ana")
    item = next(EntryItem.query("USER#ana", EntryItem.sk.startswith("LEDGER#")))
    item.update(actions=[EntryItem.amount.set(odd)])
    refused = world.say("ana", "ledger")
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.OUT_OF_ORDER


def test_which_operator_booked_it_is_not_told(world: World) -> None:
    world.seat("ana", "ben")
    world.bank.deposit("ana", "PHP", 700, "bank 7", Order("olga", "transfer"))
    world.say("ana", "leave")
    told = {(one["kind"], one["who"], one["why"]) for one in ledger(world)["entries"]}
    assert told == {
        ("deposit", "room", "to play with"),
        ("deposit", "room", "transfer"),
        ("buy_in", "ana", "buy_in"),
        ("pay_out", "table", "left seat 0"),
    }


def test_days_and_times_are_of_the_zone(played: World) -> None:
    there = ledger(played, zone="Asia/Manila")
    assert {(one["day"], one["time"]) for one in there["entries"]} == {("2023-11-15", "06:13:20")}
    assert {one["day"] for one in ledger(played)["entries"]} == {"2023-11-14"}
    days = results(played)["days"]
    assert [(one["day"], one["hands"]) for one in days] == [("2023-11-14", 2), ("2023-11-15", 3)]
    assert [one["hands"] for one in results(played, zone="Asia/Manila")["days"]] == [5]


@pytest.mark.parametrize("route", ["ledger", "results"])
@pytest.mark.parametrize("zone", ["Mars", "Asia", "right", "UTC/UTC", "//", "posixrules/x"])
def test_a_zone_that_is_none_is_refused(world: World, route: str, zone: str) -> None:
    world.connect("ana", "ana")
    refused = world.say("ana", route, zone=zone)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.UNKNOWN_ZONE


@pytest.mark.parametrize("route", ["ledger", "results"])
def test_a_guest_has_none(world: World, route: str) -> None:
    refused = world.say("", route, on="guest")
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.NOT_ALLOWED


def test_nobody_reads_anothers(played: World) -> None:
    played.connect("eve", "eve")
    assert [one["kind"] for one in ledger(played, "eve")["entries"]] == ["deposit"]
    # The cursor is an id of his own, whatever he makes of it.
    for after in ("in#m1", "ref#PHP-100000000", "zzz", "#", " "):
        for entry in ledger(played, "eve", after=after)["entries"]:
            assert (entry["kind"], entry["number"]) == ("deposit", 1)
    assert results(played, "eve")["days"] == []


def test_results_are_found_page_by_page_from_a_moment_or_a_hand(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "READ", 1)
    monkeypatch.setattr(statements, "LOOKED_AT", 2)
    whole = {"hands": 0, "net": 0}
    page = results(played)
    lasts = [page["last"]]
    while True:
        for day in page["days"]:
            whole = {name: value + day[name] for name, value in whole.items()}
        if page["next"] is None:
            break
        page = results(played, hand=page["next"])
        lasts.append(page["last"])
    assert lasts == [2, 4, 5]
    stored = played.stored().table.seats[0]
    assert stored is not None
    assert whole == {"hands": 5, "net": stored.stack - 100_000}
    first = results(played)["ended"] - HOUR
    assert results(played, since=first, until=first)["days"] != []
    assert results(played, since=first + 1, until=first + 1)["days"] == []


def test_a_void_hand_counts_nowhere_and_a_damaged_one_is_named(played: World) -> None:
    before = results(played)["days"]
    _begin(played)
    played.dealer.void("t", "trial")
    told = results(played)
    assert (told["days"], told["last"]) == (before, 6)
    item = HandItem.get("HAND#t", "000000002")
    item.update(actions=[HandItem.events.set("[[")])
    item = HandItem.get("HAND#t", "000000003")
    item.update(actions=[HandItem.opening.set('"ana"')])
    told = results(played)
    assert told["unreadable"] == [2, 3]
    assert sum(one["hands"] for one in told["days"]) == 3


def test_records_that_are_missing_in_between_end_nothing(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "READ", 1)
    HandItem.get("HAND#t", "000000003").delete()
    assert sum(one["hands"] for one in results(played)["days"]) >= 2
    assert results(played, hand=3)["last"] == 5


def test_a_damaged_entry_is_no_sum_that_is_wrong(world: World) -> None:
    world.seat("ana")
    item = next(EntryItem.query("USER#ana", EntryItem.sk.startswith("LEDGER#")))
    item.update(actions=[EntryItem.kind.set("gift")])
    refused = world.say("ana", "ledger")
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.OUT_OF_ORDER


def test_of_a_table_that_never_was_there_is_nothing(world: World) -> None:
    world.connect("ana", "ana")
    told = results(world, table="nowhere", since=START)
    assert (told["stake"], told["days"], told["last"], told["next"]) == (None, [], 0, None)


class HalfRead:
    """Of old hands some cannot be read now; what is newer is told as far as it goes."""

    def __init__(self, played: DynamoPlayed, unread: int) -> None:
        self._played, self._unread = played, unread

    def records(self, table_id: str, up_to: int, most: int) -> list[tuple[int, HandRecord | None]]:
        found = self._played.records(table_id, up_to, most)
        told = [one for one in found if one[0] > self._unread]
        if len(told) < len(found) and not told:
            raise ArchiveUnreadError(table_id)
        return told

    def last_before(self, table_id: str, moment: int) -> int:
        return self._played.last_before(table_id, moment)

    def record(self, table_id: str, number: int) -> HandRecord | None:
        return self._played.record(table_id, number)

    def stays(self, player: str) -> dict[str, Stay]:
        return self._played.stays(player)


@pytest.mark.parametrize("unread", range(5))
def test_no_sum_lacks_hands_that_cannot_be_read_now(played: World, unread: int) -> None:
    half = HalfRead(DynamoPlayed(TABLE), unread)
    asked = statements.Statements(played.tables, half, played.signals)
    for hand in range(1, 6):
        span = statements.Span(hand=hand)
        if hand <= unread:
            with pytest.raises(ArchiveUnreadError):
                asked.results("ana", "UTC", "t", span)
        else:
            told = asked.results("ana", "UTC", "t", span)
            assert not isinstance(told, Refused)
            assert sum(one["hands"] for one in told["days"]) == 6 - hand


def test_a_hand_that_is_recorded_late_counts_from_no_moment_after_its_end(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where reading begins has been looked up, and then it is written."""
    last_before = DynamoPlayed.last_before

    def then_record(self: DynamoPlayed, table_id: str, moment: int) -> int:
        found = last_before(self, table_id, moment)
        _begin(played)
        assert isinstance(played.act("fold"), Ok)
        return found

    monkeypatch.setattr(DynamoPlayed, "last_before", then_record)
    told = results(played, since=played.clock.now() + HOUR)
    assert (told["days"], told["last"], told["ended"]) == ([], 0, None)
    assert results(played, hand=6)["last"] == 6


def test_how_a_delayed_table_stands_a_stranger_is_not_told(aws: None) -> None:
    """Nor later: he has no results there. Who plays, or played, has his at once."""
    world = World(settings(delay_s=30))
    world.seat("ana", "ben", "cyd")
    world.deal()
    world.play_out()
    world.connect("eve", "eve")
    for _ in range(2):
        found = results(world, "eve", table="t")
        assert (found["last"], found["ended"], found["days"]) == (0, None, [])
        world.clock.go(60_000)
    assert isinstance(world.say("ben", "leave"), Ok)
    for player in ("ana", "ben"):
        assert results(world, player, table="t")["last"] == 1


@pytest.mark.parametrize("left", ["nothing", "damaged"])
def test_nor_where_nobody_can_say_whether_it_is_delayed(aws: None, left: str) -> None:
    world = World(settings(delay_s=30))
    world.seat("ana", "ben")
    world.deal()
    world.act("fold")
    key = {"pk": {"S": "TABLE#t"}, "sk": {"S": "META"}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)
    if left == "damaged":
        world.tables._client.put_item(TableName=TABLE, Item=key)
    world.connect("eve", "eve")
    found = results(world, "eve", table="t")
    assert (found["last"], found["ended"], found["days"]) == (0, None, [])
    assert results(world, "ana", table="t")["last"] == 1
