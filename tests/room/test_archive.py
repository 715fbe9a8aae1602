"""Old records lie in the archive as they lay in the table, whoever is killed on the way."""

import copy
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from cardroom import archive as archives
from cardroom.archive import S3Archive
from cardroom.archiving import OLD_MS, Archiving, Moved, NotMovedError, Stayed, Step
from cardroom.archivist import Archivist
from cardroom.damage import Attributes
from cardroom.histories import DynamoHistories
from cardroom.messages import Ok
from cardroom.proof import Chain, Heads
from cardroom.recorded import DynamoRecords
from cardroom.tables import open_table
from tests.room.conftest import Memory
from tests.room.faults import aws_error
from tests.room.world import TABLE, FakeBucket, FakeClock, World, settings

BUCKET = "archive"
HANDS = 7
BLOCK = 3
"""Hands in an object here."""


@pytest.fixture
def old(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> World:
    """Seven hands, the fourth void, and then 90 days."""
    monkeypatch.setattr(archives, "BLOCK", BLOCK)
    world = World()
    world.seat("ana", "ben")
    for number in range(1, HANDS + 1):
        world.deal()
        if number == 4:
            world.dealer.void("t", "trial")
        else:
            world.act("fold")
    world.clock.go(OLD_MS)
    return world


def _archive(world: World) -> S3Archive:
    return S3Archive(lambda: world.bucket, BUCKET)


def _histories(world: World) -> DynamoHistories:
    return DynamoHistories.beside(world.tables).with_archive(_archive(world))


def _records(world: World) -> DynamoRecords:
    return DynamoRecords(TABLE, world.tables._client)


def _steps(world: World, records: Any = None, archive: Any = None) -> list[Step]:
    records = records or _records(world)
    archiving = Archiving(records, archive or _archive(world), world.clock.now())
    return [*archiving.look(records.tables()), *archiving.move()]


def _move(world: World, records: Any = None, archive: Any = None) -> list[int]:
    """How many records went, block by block. Raises why one did not."""
    moved = []
    for step in _steps(world, records, archive):
        if isinstance(step, Stayed):
            raise step.why
        moved.append(step.records)
    return moved


def _archivist(world: World, archive: Any = None) -> Archivist:
    return Archivist(_records(world), archive or _archive(world), world.clock, world.signals)


def _here(world: World) -> list[int]:
    items = DynamoHistories.beside(world.tables).items("t")
    return [int(item["sk"]["S"]) for item in items]


def _sound(world: World) -> None:
    """Every record is found once, and the chain holds from the first to the table's own end."""
    chain = Chain("t", Heads().of("t"))
    found = list(chain.check(_histories(world).items("t")))
    assert [flaws for _, flaws in found if flaws] == []
    assert [record.number for record, _ in found if record] == list(range(1, HANDS + 1))
    assert chain.stands(world.stored()) is None


def test_whole_blocks_go_and_all_is_found_as_before(old: World) -> None:
    before = list(_histories(old).items("t"))
    assert _move(old) == [3, 3]
    assert _here(old) == [7]
    assert list(_histories(old).items("t")) == before
    assert [list(_histories(old).items("t", number)) for number in (1, 4, 7, 8)] == [
        [before[0]],
        [before[3]],
        [before[6]],
        [],
    ]
    _sound(old)
    assert _move(old) == []


def test_the_bytes_are_those_of_the_table(old: World) -> None:
    items = _records(old).here("t", 1, 3)
    _move(old)
    body = old.bucket.objects["hands/t/0000000.jsonl"]
    assert [json.loads(line) for line in body.decode().splitlines()] == items


def test_what_is_not_old_stays(old: World) -> None:
    last = _records(old).here("t", 6, 6)[0]
    old.clock = FakeClock(int(last["ended"]["N"]) + OLD_MS - 1)
    assert _move(old) == [3]
    assert _here(old) == [4, 5, 6, 7]
    _sound(old)


def test_the_last_hand_stays_for_more_of_it_may_be_shown(
    old: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "BLOCK", HANDS)
    assert _move(old) == []
    assert _here(old) == list(range(1, HANDS + 1))


def test_of_a_closed_table_everything_goes(old: World) -> None:
    _close(old, "t")
    assert _move(old) == [3, 3, 1]
    assert _here(old) == []
    _sound(old)


def _damaged(name: str, value: Any) -> Callable[[World], None]:
    def damage(world: World) -> None:
        item = _records(world).here("t", 2, 2)[0] | {name: value}
        world.tables._client.put_item(TableName=TABLE, Item=item)

    return damage


def _gone(world: World) -> None:
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": "000000002"}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)


HARM = pytest.mark.parametrize(
    ("harm", "says"),
    [
        (_gone, "t hand 2: its record is not where it should be"),
        (_damaged("rake", {"N": "7"}), "t hand 2: its seal does not hold"),
        (_damaged("voided", {"N": "2"}), "t hand 2: its record is damaged"),
        (_damaged("ended", {"S": "x"}), "t hand 2: its record is damaged"),
    ],
    ids=["gone", "changed", "damaged", "no-time"],
)


@HARM
def test_nothing_is_moved_that_is_not_the_game(
    old: World, harm: Callable[[World], None], says: str
) -> None:
    """It stays as it is, and holds up no other block: those after it go."""
    harm(old)
    before = list(_histories(old).items("t"))
    stayed, moved = _steps(old)
    assert isinstance(stayed, Stayed)
    assert isinstance(stayed.why, NotMovedError)
    assert (str(stayed.why), stayed.why.item) == (says, "HAND#t / 000000002")
    assert moved == Moved("t", 1, 3)
    assert _here(old) == [*(number for number in (1, 2, 3) if harm != _gone or number != 2), 7]
    assert list(_archive(old).blocks("t")) == [1]
    # Readers find all of it in its order, whatever lies where.
    assert list(_histories(old).items("t")) == before


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("odd", ["-5", "1E100", str(2**53), "9" * 38, "1.5", "later"])
@pytest.mark.parametrize("number", [1, 2, 3, HANDS])
def test_an_end_that_cannot_be_holds_up_its_block_alone_wherever_it_stands(
    old: World, number: int, odd: str, closed: bool
) -> None:
    """Also one that is yet to come: nobody waits for it in silence. The last hand is looked at when
    the table is closed.
    """
    if closed:
        _close(old, "t")
    value = str(old.clock.now() + 2 * DAY) if odd == "later" else odd
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": f"{number:09}"}}
    item = old.tables._client.get_item(TableName=TABLE, Key=key)["Item"]
    old.tables._client.put_item(TableName=TABLE, Item={**item, "ended": {"N": value}})
    blocks = range(3 if closed else 2)
    archivist = _archivist(old)
    archivist.run(lambda: AMPLE)
    left = [block for block in blocks if block != (number - 1) // BLOCK]
    assert list(_archive(old).blocks("t")) == left
    refused = len(left) < len(blocks)
    assert old.signals.counts["BlocksRefused"] == refused
    assert old.signals.counts["ArchiveBehind"] == 0
    faults = [line for line in old.signals.lines if line.startswith("fault")]
    told = f"fault archive NotMovedError [('item', 'HAND#t / {number:09}')]"
    assert faults == [told] * refused


def test_another_record_in_the_archive_is_never_taken_for_the_one_in_the_table(
    old: World,
) -> None:
    items = _records(old).here("t", 1, 3)
    other = copy.deepcopy(items)
    del other[1]["before"]
    lines = "".join(f"{json.dumps(item)}\n" for item in other)
    old.bucket.objects["hands/t/0000000.jsonl"] = lines.encode()
    with pytest.raises(NotMovedError, match="t hand 2: "):
        _move(old)
    assert _here(old) == [1, 2, 3, 7]
    # An inspector sees both.
    chain = Chain("t")
    flaws = [flaw for _, found in chain.check(_histories(old).items("t")) for flaw in found]
    assert any("no hand has this number" in str(flaw) for flaw in flaws)


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]\n", b'{"sk": {}}\n', b"\xff", b'{"pk":{"S":"HAND#u"},"sk":{"S":"000000001"}}\n'],
)
def test_an_object_that_is_none_of_ours_holds_up_its_block_alone(old: World, body: bytes) -> None:
    old.bucket.objects["hands/t/0000000.jsonl"] = body
    stayed, moved = _steps(old)
    assert isinstance(stayed, Stayed)
    assert isinstance(stayed.why, NotMovedError)
    assert moved == Moved("t", 1, 3)
    assert _here(old) == [1, 2, 3, 7]


class Blind(FakeBucket):
    """As S3 answers one who may read and write, and not list."""

    def get_object(self, Key: str, **asked: Any) -> dict[str, Any]:  # noqa: N803
        if Key not in self.objects:
            raise ClientError({"Error": {"Code": "AccessDenied"}}, "GetObject")
        return super().get_object(Key, **asked)


def test_no_right_to_list_is_needed(old: World) -> None:
    """What is not there cannot be told from what may not be read, so it is written or refused."""
    old.bucket = Blind()
    archive = S3Archive(lambda: old.bucket, BUCKET, lists=False)
    _gone(old)
    stayed, moved = _steps(old, archive=archive)
    assert isinstance(stayed, Stayed)
    assert str(stayed.why) == "t hand 2: its record is not where it should be"
    assert moved == Moved("t", 1, 3)


def _play_at(world: World, table: str, hands: int) -> None:
    """A table of its own, with two who play there."""
    assert open_table(world.tables, table, settings(), world.clock.now())
    for seat, player in enumerate((f"{table}-a", f"{table}-b")):
        world.connect(player, player)
        assert isinstance(world.say(player, "sit", table=table, seat=seat, chips=100_000), Ok)
    for _ in range(hands):
        stored = world.tables.load(table)
        assert stored is not None
        assert stored.table.next_hand_at is not None
        world.clock.go_to(stored.table.next_hand_at)
        world.dealer.apply(table)
        world.dealer.void(table, "trial")


def _close(world: World, table: str) -> None:
    world.dealer.close(table)
    stored = world.tables.load(table)
    assert stored is not None
    assert stored.table.closed


def test_a_closed_table_is_known_until_nothing_is_left_of_it(old: World) -> None:
    records = _records(old)
    assert records.tables() == {"t": False}
    _close(old, "t")
    assert records.tables() == {"t": True}
    assert _move(old) == [3, 3, 1]
    assert records.tables() == {}
    _sound(old)


def test_a_closed_table_at_which_nobody_played_is_forgotten_at_once(old: World) -> None:
    assert open_table(old.tables, "empty", settings(), old.clock.now())
    _close(old, "empty")
    assert _records(old).tables() == {"t": False, "empty": True}
    _move(old)
    assert _records(old).tables() == {"t": False}


def test_a_closed_table_whose_hands_are_young_stays_known(old: World) -> None:
    _play_at(old, "young", 2)
    _close(old, "young")
    assert _move(old) == [3, 3]
    assert _records(old).tables() == {"t": False, "young": True}
    assert len(_records(old).here("young", 1, 9)) == 2


def _two_old_tables(world: World) -> None:
    """`t`, and `u` whose hands are a day younger."""
    world.clock.go(DAY)
    _play_at(world, "u", 4)
    world.clock.go(OLD_MS)


DAY = 86_400_000
AMPLE = 900_000


def test_a_run_says_what_it_moved_and_that_nothing_is_behind(old: World) -> None:
    assert _archivist(old).run(lambda: AMPLE) == 6
    assert old.signals.counts["BlocksRefused"] == 0
    assert old.signals.counts["ArchiveBehind"] == 0
    assert [line for line in old.signals.lines if line.startswith("archived")] == [
        f"archived [('block', {block}), ('records', 3), ('table', 't')]" for block in (0, 1)
    ]


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_who_has_no_more_time_leaves_the_youngest_and_the_next_goes_on(
    old: World, blocks: int
) -> None:
    _two_old_tables(old)
    archivist = _archivist(old)
    # Looking at two tables asks three times; then once for each block.
    clock = iter([AMPLE] * (3 + blocks) + [0] * 9)
    assert archivist.run(lambda: next(clock)) == 3 * blocks
    behind = old.signals.counts.pop("ArchiveBehind")
    assert behind > DAY / 1000 * (1 if blocks < 2 else 0)
    assert (behind < DAY / 1000) == (blocks == 2)
    assert archivist.run(lambda: AMPLE) == 9 - 3 * blocks
    assert old.signals.counts["ArchiveBehind"] == 0
    assert _here(old) == [7]
    _sound(old)


def test_with_too_many_tables_to_look_at_each_has_its_turn(old: World) -> None:
    _two_old_tables(old)
    archivist = _archivist(old)
    seen = set()
    for _ in range(4):
        # Time for one table, and for one block.
        clock = iter([AMPLE, AMPLE, 0, AMPLE, 0, 0])
        before = len(old.bucket.objects)
        archivist.run(clock.__next__)
        assert len(old.bucket.objects) <= before + 1
        seen |= {key.split("/")[1] for key in old.bucket.objects}
        old.clock.go(3_600_000)
    assert seen == {"t", "u"}


@HARM
def test_a_damaged_block_is_named_and_holds_up_no_table(
    old: World, harm: Callable[[World], None], says: str
) -> None:
    harm(old)
    _two_old_tables(old)
    assert _archivist(old).run(lambda: AMPLE) == 6
    assert list(_archive(old).blocks("u")) == [0]
    assert old.signals.counts["BlocksRefused"] == 1
    # What cannot be moved is not what is late.
    assert old.signals.counts["ArchiveBehind"] == 0
    faults = [line for line in old.signals.lines if line.startswith("fault")]
    assert faults == ["fault archive NotMovedError [('item', 'HAND#t / 000000002')]"]
    assert "hand 2" in says


class Broken(S3Archive):
    """S3 is in trouble with one table."""

    def write(self, table_id: str, block: int, items: Any) -> None:
        if table_id == "t":
            raise aws_error("SlowDown")
        super().write(table_id, block, items)


def test_a_service_in_trouble_holds_up_no_other_table_and_is_late(old: World) -> None:
    _two_old_tables(old)
    broken = Broken(lambda: old.bucket, BUCKET)
    assert _archivist(old, broken).run(lambda: AMPLE) == 3
    assert old.signals.counts["ArchiveFailed"] == 1
    assert old.signals.counts["ArchiveBehind"] > DAY / 1000
    assert old.signals.counts["BlocksRefused"] == 0
    assert _here(old) == list(range(1, HANDS + 1))
    assert "fault archive ClientError [('table', 't')]" in old.signals.lines


class KilledError(BaseException):
    """As a process that is killed: nothing is done about it."""


class Killer:
    """Ends the process at its so many-th effect, before it or after."""

    def __init__(self, at: int, after: bool) -> None:
        self._left, self._after = at, after
        self.done = 0

    def around(self, effect: Callable[[], None]) -> None:
        self.done += 1
        self._left -= 1
        if self._left == 0 and not self._after:
            raise KilledError
        effect()
        if self._left == 0:
            raise KilledError


class Mortal:
    """Records and archive in one, whose effects the killer watches."""

    def __init__(self, world: World, killer: Killer) -> None:
        self._records, self._archive, self._killer = _records(world), _archive(world), killer
        self.tables, self.here = self._records.tables, self._records.here
        self.least, self.most = self._records.least, self._records.most
        self.read = self._archive.read

    def drop(self, item: Attributes) -> None:
        self._killer.around(lambda: self._records.drop(item))

    def forget(self, table_id: str) -> None:
        self._killer.around(lambda: self._records.forget(table_id))

    def write(self, table_id: str, block: int, items: Any) -> None:
        self._killer.around(lambda: self._archive.write(table_id, block, items))


@pytest.fixture
def again(old: World) -> Callable[[], None]:
    """Puts all records back into the table, and empties the archive."""
    items = list(_histories(old).items("t"))

    def restore() -> None:
        old.bucket.objects.clear()
        for item in items:
            old.tables._client.put_item(TableName=TABLE, Item=item)

    return restore


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whoever_is_killed_has_lost_nothing_and_the_next_run_goes_on(
    old: World, again: Callable[[], None], after: bool
) -> None:
    effects = 2 * (1 + BLOCK)
    for at in range(1, effects + 1):
        mortal = Mortal(old, Killer(at, after))
        with pytest.raises(KilledError):
            _move(old, mortal, mortal)
        _sound(old)
        _move(old)
        assert _here(old) == [7]
        _sound(old)
        again()
    unharmed = Killer(-1, after)
    mortal = Mortal(old, unharmed)
    _move(old, mortal, mortal)
    assert unharmed.done == effects


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_of_a_closed_table_nothing_is_lost_either(
    old: World, again: Callable[[], None], after: bool
) -> None:
    """Its last block, and that it is forgotten."""
    _close(old, "t")
    _records(old).remember("t", 1)
    first = 2 * (1 + BLOCK)
    for at in range(first + 1, first + 4):
        mortal = Mortal(old, Killer(at, after))
        with pytest.raises(KilledError):
            _move(old, mortal, mortal)
        _sound(old)
        _move(old)
        assert (_here(old), dict(_records(old).tables())) == ([], {})
        _sound(old)
        again()
        _records(old).remember("t", 1)


def test_a_record_that_changes_while_it_is_moved_is_not_deleted(old: World) -> None:
    """It cannot, as the last hand stays; were it to, the new one would stand."""
    item = _records(old).here("t", 2, 2)[0]
    with pytest.raises(ClientError):
        _records(old).drop(item | {"events": {"S": "[]"}})
    assert 2 in _here(old)


def test_what_is_moved_while_it_is_read_is_read_once(old: World) -> None:
    found: list[int] = []
    for item in _histories(old).items("t"):
        if not found:
            # The table's own have been asked for; the archive had nothing then.
            _move(old)
        found.append(int(item["sk"]["S"]))
    assert found == list(range(1, HANDS + 1))


def test_the_archive_on_s3(moto: None) -> None:
    """As moto has it: written once, read back, listed in order."""
    client = boto3.client("s3")
    client.create_bucket(Bucket=BUCKET)
    archive = S3Archive(lambda: client, BUCKET)
    items: list[Attributes] = [{"pk": {"S": "HAND#t"}, "sk": {"S": "1"}, "n": {"N": "1"}}]
    assert archive.read("t", 12) is None
    assert list(archive.blocks("t")) == []
    archive.write("t", 12, items)
    archive.write("t", 2, items)
    archive.write("t-2", 0, items)
    archive.write("t", 12, [])
    assert archive.read("t", 12) == items
    assert list(archive.blocks("t")) == [2, 12]
