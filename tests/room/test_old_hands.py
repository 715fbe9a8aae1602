"""Hands that are in the archive: their players see them as before, whatever lies where."""

import json
from typing import Any

import pytest

from cardroom import archive as archives
from cardroom import past, statements
from cardroom.archiving import OLD_MS
from cardroom.archivist import Archivist
from cardroom.errors import RoomCode
from cardroom.messages import Error, Ok
from cardroom.models import HandItem
from cardroom.recorded import DynamoRecords
from tests.room.conftest import Memory
from tests.room.world import START, TABLE, World

PLAYERS = ("ana", "ben")
HANDS = 11
SHOWDOWN = 2
"""The others end without one."""


def _wait(world: World) -> None:
    """Until all is old. The list of open tables tells where somebody sits."""
    world.clock.go(OLD_MS)
    world.stream()


@pytest.fixture
def old(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> World:
    """Eleven hands, three to a block; then 90 days."""
    monkeypatch.setattr(archives, "BLOCK", 3)
    world = World()
    world.connect("eve", "eve")
    world.connect("guest")
    world.seat(*PLAYERS)
    for number in range(1, HANDS + 1):
        world.deal()
        if number == SHOWDOWN:
            world.play_out()
        else:
            world.act("fold")
    _wait(world)
    return world


def _archive(world: World) -> int:
    client = world.tables._client
    archivist = Archivist(DynamoRecords(TABLE, client), world.archive, world.clock, world.signals)
    return archivist.run(lambda: 900_000)


def _blocks_asked_for(old: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of the archive, from now on."""
    asked: list[int] = []
    read = old.archive.read

    def counted(table_id: str, block: int) -> Any:
        asked.append(block)
        return read(table_id, block)

    monkeypatch.setattr(old.archive, "read", counted)
    return asked


def _hands(world: World, **fields: Any) -> dict[str, Any]:
    reply = world.say("ana", "hands", **fields)
    assert isinstance(reply, Ok), reply
    assert reply.hands is not None
    return reply.hands


def _all_pages(world: World, **fields: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    page = _hands(world, **fields)
    while True:
        rows += page["hands"]
        if page["next"] is None:
            return rows
        page = _hands(world, table="t", up_to=page["next"])


def _seen(world: World) -> list[Any]:
    """What everybody is told of every hand."""
    replies = [
        world.say(player, "hand", on=player or "guest", hand=number, id="same")
        for player in (*PLAYERS, "eve", "")
        for number in range(1, HANDS + 2)
    ]
    return [reply.text() for reply in replies]


def _results(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What hands left each, from each moment on, with as many records for an answer as may be."""
    asked: list[dict[str, Any]] = [{"hand": number} for number in range(1, HANDS + 2)]
    asked += [{"since": START + late} for late in range(0, 40_000, 8_000)]
    told = []
    for size in (2, 20):
        monkeypatch.setattr(statements, "READ", size)
        monkeypatch.setattr(statements, "LOOKED_AT", 3 * size)
        for player in ("ana", "eve"):
            told += [world.say(player, "results", id="same", **fields).text() for fields in asked]
    return told


def _close(world: World) -> None:
    """A twelfth hand has been due, and begins and ends with those who leave."""
    for player in PLAYERS:
        assert isinstance(world.say(player, "leave"), Ok)
    world.dealer.close("t")
    world.stream()
    assert world.stored().table.closed


@pytest.fixture(params=[1, 2, 4, 20], ids="page-of-{}".format)
def pages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Records at a time, hands in an answer, and records for it."""
    size = int(request.param)
    monkeypatch.setattr(past, "READ", size)
    monkeypatch.setattr(past, "SHOWN", 2 * size)
    monkeypatch.setattr(past, "LOOKED_AT", 3 * size)
    return size


def test_everybody_is_told_the_same_as_before(old: World) -> None:
    before = _seen(old)
    assert _archive(old) == 9
    assert _seen(old) == before


def test_what_hands_left_is_the_same_as_before(old: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _results(old, monkeypatch)
    assert _archive(old) == 9
    assert _results(old, monkeypatch) == before
    assert len(set(before)) > HANDS


def test_of_an_archived_hand_a_player_sees_his_own_cards_and_what_was_shown(old: World) -> None:
    _archive(old)
    assert DynamoRecords(TABLE, old.tables._client).here("t", 1, 1) == []
    (item, *_) = [item for item in old.archive.read("t", 0) or () if int(item["sk"]["S"]) == 1]
    deck = item["deck"]["S"]
    for player in (*PLAYERS, "eve", ""):
        reply = old.say(player, "hand", on=player or "guest", hand=1)
        assert isinstance(reply, Ok)
        assert reply.hand is not None
        hole = reply.hand.get("hole", [])
        assert len(hole) == (2 if player in PLAYERS else 0)
        told = reply.text()
        hidden = {deck[at : at + 2] for at in range(0, len(deck), 2)} - set(hole)
        assert not [card for card in hidden if f'"{card}"' in told]


def test_the_list_is_the_same_as_before_page_by_page(old: World, pages: int) -> None:
    before = _all_pages(old)
    assert [row["number"] for row in before] == list(range(HANDS, 0, -1))
    _archive(old)
    assert _all_pages(old) == before


def test_of_a_closed_table_as_well(old: World, pages: int) -> None:
    _close(old)
    _wait(old)
    before = _all_pages(old)
    assert len(before) == HANDS + 1
    assert _archive(old) == HANDS + 1
    assert _all_pages(old) == before


def test_a_block_that_had_to_stay_is_told_in_its_place(old: World, pages: int) -> None:
    """Hand 5 is lost; its block is in the table, those around it in the archive."""
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": "000000005"}}
    old.tables._client.delete_item(TableName=TABLE, Key=key)
    assert _archive(old) == 6
    assert sorted(old.bucket.objects) == [f"hands/t/000000{block}.jsonl" for block in (0, 2)]
    assert [row["number"] for row in _all_pages(old)] == [
        number for number in range(HANDS, 0, -1) if number != 5
    ]
    refused = old.say("ana", "hand", hand=5)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.ARCHIVE_UNAVAILABLE


def test_who_left_long_ago_begins_where_he_left(
    old: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana leaves; ben and cyd play on; by now all of her hands are archived."""
    old.connect("cyd", "cyd")
    assert isinstance(old.say("cyd", "sit", seat=2, chips=100_000), Ok)
    assert isinstance(old.say("ana", "leave"), Ok)
    while (played := old.stored().table.hands) < 21:
        if old.stored().table.running is None:
            old.deal()
        old.act("fold")
    hers = [row["number"] for row in _all_pages(old)]
    assert HANDS <= len(hers) < played
    _wait(old)
    old.stream()
    assert _archive(old) == 18
    asked = _blocks_asked_for(old, monkeypatch)
    page = _hands(old)
    assert [row["number"] for row in page["hands"]] == hers
    assert len(asked) <= 8
    assert old.signals.counts.get("ArchiveUnread", 0) == 0


@pytest.mark.parametrize("number", [HANDS + 1, 999_999_999])
def test_the_archive_is_not_asked_for_what_there_never_was(old: World, number: int) -> None:
    _archive(old)
    old.bucket.broken = True
    refused = old.say("ana", "hand", hand=number)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.UNKNOWN_HAND
    elsewhere = old.say("ana", "hand", table="no-table", hand=1)
    assert isinstance(elsewhere, Error)
    assert elsewhere.code == RoomCode.UNKNOWN_HAND


def _unavailable(old: World) -> None:
    """Recent hands are told; of old ones, that they cannot be read now."""
    newest = old.say("ana", "hand", hand=HANDS)
    assert isinstance(newest, Ok)
    for refused in (
        old.say("ana", "hand", hand=1),
        old.say("ana", "hands", table="t", up_to=9),
        old.say("ana", "dispute", hand=1, text="the river was another"),
        old.say("ana", "results", table="t", zone="UTC", since=0),
    ):
        assert isinstance(refused, Error)
        assert refused.code == RoomCode.ARCHIVE_UNAVAILABLE
        assert refused.message == (
            "Hands this old are in an archive that cannot be read just now; ask again later."
        )
    page = _hands(old)
    assert [row["number"] for row in page["hands"]] == [11, 10]
    assert page["next"] == 9
    assert old.signals.counts["ArchiveUnread"] > 0
    assert "InternalError" not in old.signals.counts
    assert "Busy" not in old.signals.counts


def test_s3_in_trouble_is_told_as_what_it_is(old: World) -> None:
    _archive(old)
    old.bucket.broken = True
    _unavailable(old)


def test_hands_of_another_table_are_told_nowhere(old: World) -> None:
    """Whoever may see them there need not be one who may see them here."""
    _archive(old)
    for name, body in old.bucket.objects.items():
        old.bucket.objects[name] = body.replace(b"HAND#t", b"HAND#u")
    _unavailable(old)


@pytest.mark.parametrize("body", [b"{", b"[]\n", b'{"sk": {}}\n', b"\xff"])
def test_so_is_an_object_that_is_none_of_ours(old: World, body: bytes) -> None:
    _archive(old)
    for name in old.bucket.objects:
        old.bucket.objects[name] = body
    _unavailable(old)


def test_a_missing_right_or_object_is_no_lost_hand(old: World) -> None:
    """To one who may not list, S3 says the same of both."""
    _archive(old)
    old.bucket.objects.clear()
    for number in (1, 9):
        refused = old.say("ana", "hand", hand=number)
        assert isinstance(refused, Error)
        assert refused.code == RoomCode.ARCHIVE_UNAVAILABLE
    assert old.signals.counts["ArchiveUnread"] == 2
    assert "InternalError" not in old.signals.counts


def test_a_damaged_record_in_the_archive_is_out_of_order_and_left_out(old: World) -> None:
    _archive(old)
    name = "hands/t/0000000.jsonl"
    old.bucket.objects[name] = old.bucket.objects[name].replace(b'"opening"', b'"closing"', 1)
    refused = old.say("ana", "hand", hand=1)
    assert isinstance(refused, Error)
    assert refused.code == RoomCode.OUT_OF_ORDER
    assert isinstance(old.say("ana", "hand", hand=2), Ok)
    assert [row["number"] for row in _all_pages(old)] == list(range(HANDS, 1, -1))


def test_hands_of_one_block_are_read_with_one_look(
    old: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _archive(old)
    asked = _blocks_asked_for(old, monkeypatch)
    for number in (1, 2, 3, 2):
        assert isinstance(old.say("ana", "hand", hand=number), Ok)
    assert asked == [0]


@pytest.mark.parametrize("lost", [0, 1, 2])
@pytest.mark.parametrize("fields", [{"hand": 1}, {"since": 0}, {"since": START + 8_000}], ids=str)
def test_no_sum_lacks_a_block_that_is_nowhere(
    old: World, monkeypatch: pytest.MonkeyPatch, lost: int, fields: dict[str, Any]
) -> None:
    """One missing object is as much as a missing right: it is no lost hand, wherever reading and
    the search for a moment meet it.
    """
    monkeypatch.setattr(statements, "READ", 2)
    before = old.say("ana", "results", id="same", **fields).text()
    _archive(old)
    kept = old.bucket.objects.pop(f"hands/t/{lost:07}.jsonl")
    told = old.say("ana", "results", id="same", **fields)
    refused = isinstance(told, Error) and told.code == RoomCode.ARCHIVE_UNAVAILABLE
    # A sum that has all that it should needs nothing of a block before it.
    assert refused or (told.text() == before and lost == 0 and fields == {"since": START + 8_000})
    old.bucket.objects[f"hands/t/{lost:07}.jsonl"] = kept
    assert old.say("ana", "results", id="same", **fields).text() == before


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "unreadable"])
@pytest.mark.parametrize("moved", [False, True], ids=["here", "moved"])
def test_one_record_spoils_no_other_hand(old: World, is_lost: bool, moved: bool) -> None:
    """Wherever the search for a moment meets it: neither a sum nor the list of one who left."""
    # One more has been due, and ends with her leaving.
    client, numbers = old.tables._client, range(1, HANDS + 2)
    assert isinstance(old.say("ana", "leave"), Ok)
    keys = {n: {"pk": {"S": "HAND#t"}, "sk": {"S": f"{n:09}"}} for n in numbers}
    items = {n: client.get_item(TableName=TABLE, Key=keys[n])["Item"] for n in numbers}
    _wait(old)
    for spoilt in numbers:
        if is_lost:
            client.delete_item(TableName=TABLE, Key=keys[spoilt])
        else:
            client.put_item(TableName=TABLE, Item=items[spoilt] | {"ended": {"S": "?"}})
        if moved:
            _archive(old)
        for first in (1, 2, 5, 8, 12):
            told = old.say("ana", "results", since=int(items[first]["ended"]["N"]))
            assert isinstance(told, Ok), (spoilt, first)
            assert told.results is not None
            left = [n for n in numbers if n >= first and n != spoilt]
            assert sum(day["hands"] for day in told.results["days"]) == len(left), (spoilt, first)
        listed = [row["number"] for row in _hands(old)["hands"]]
        assert listed == [n for n in reversed(numbers) if n != spoilt]
        old.bucket.objects.clear()
        for item in items.values():
            client.put_item(TableName=TABLE, Item=item)


def test_no_list_passes_over_a_block_that_is_nowhere(old: World, pages: int) -> None:
    _archive(old)
    del old.bucket.objects["hands/t/0000001.jsonl"]
    rows, last = [], None
    while True:
        told = old.say("ana", "hands", table="t", **({} if last is None else {"up_to": last}))
        if isinstance(told, Error):
            break
        assert told.hands is not None
        rows += [row["number"] for row in told.hands["hands"]]
        last = told.hands["next"]
        assert last is not None
    assert told.code == RoomCode.ARCHIVE_UNAVAILABLE
    assert rows == list(range(HANDS, 6, -1))


ODD: list[dict[str, Any] | None] = [
    {"N": "-5"},
    {"N": "1.5"},
    {"N": "1E100"},
    {"N": str(2**53)},
    {"N": "9" * 30},
    {"S": "x"},
    {"NULL": True},
    None,
]


def _ask_all(world: World) -> set[str]:
    """The codes of all that may be asked of hands; every answer is one of the protocol."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("hand", {"hand": 2}),
        ("hands", {}),
        ("hands", {"up_to": 3, "table": "t"}),
        ("results", {}),
        ("results", {"since": START + 8_000}),
        ("results", {"hand": 2}),
        ("dispute", {"hand": 2, "text": "the river was another"}),
    ]
    replies = [world.say(player, *one[:1], **one[1]) for player in ("ana", "eve") for one in asked]
    return {reply.code if isinstance(reply, Error) else "ok" for reply in replies}


SAID = {
    "ok",
    *(RoomCode.OUT_OF_ORDER, RoomCode.NOT_DEALT_IN, RoomCode.ALREADY_DISPUTED),
    RoomCode.ARCHIVE_UNAVAILABLE,
}


@pytest.mark.parametrize("number", [1, HANDS])
@pytest.mark.parametrize("field", ["ended", "rake", "log_schema"])
def test_a_number_that_is_none_is_damage_wherever_it_lies(
    old: World, number: int, field: str
) -> None:
    client = old.tables._client
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": f"{number:09}"}}
    item = client.get_item(TableName=TABLE, Key=key)["Item"]
    for odd in ODD:
        spoilt = {name: value for name, value in item.items() if name != field}
        client.put_item(TableName=TABLE, Item=spoilt if odd is None else {**spoilt, field: odd})
        assert _ask_all(old) <= SAID
        client.put_item(TableName=TABLE, Item=item)
    _archive(old)
    name = f"hands/t/{(number - 1) // 3:07}.jsonl"
    if name in old.bucket.objects:
        lines = [json.loads(line) for line in old.bucket.objects[name].splitlines()]
        for odd in ODD:
            for line in lines:
                if line["sk"] == key["sk"]:
                    line[field] = odd or {}
            old.bucket.objects[name] = "\n".join(map(json.dumps, lines)).encode()
            assert _ask_all(old) <= SAID


@pytest.mark.parametrize("sort", ["000000002x", "0000000021", "5", "abc", "000000004.5", "0_1"])
def test_a_key_that_is_no_hands_is_damage(old: World, sort: str) -> None:
    item = {"pk": {"S": "HAND#t"}, "sk": {"S": sort}, "ended": {"N": "5"}}
    old.tables._client.put_item(TableName=TABLE, Item=item)
    assert _ask_all(old) <= SAID
    _archive(old)
    assert _ask_all(old) <= SAID


@pytest.mark.parametrize("odd", [-2000, 2.5, 2**60, "2000", True, [2000]], ids=str)
def test_chips_that_are_none_are_never_told(old: World, odd: Any) -> None:
    for number in range(1, HANDS + 1):
        item = HandItem.get("HAND#t", f"{number:09}")
        events = json.loads(item.events)
        at = next(at for at, one in enumerate(events) if one[0] == "small_blind")
        events[at][2] = odd
        item.update(actions=[HandItem.events.set(json.dumps(events))])
    assert _ask_all(old) <= SAID
    told = old.say("ana", "results")
    assert isinstance(told, Ok)
    assert told.results is not None
    assert (told.results["days"], told.results["unreadable"]) == ([], [*range(1, HANDS + 1)])
