"""Old records lie in the archive as they lay in the table, whoever is killed on the way."""

import copy
import io
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from cardroom import archive as archives
from cardroom.archive import S3Archive
from cardroom.archiving import OLD_MS, NotMovedError, Played, move
from cardroom.damage import Attributes
from cardroom.histories import DynamoHistories
from cardroom.proof import Chain, Heads, ended
from tests.room.conftest import Memory
from tests.room.world import TABLE, World

BUCKET = "archive"
HANDS = 7
BLOCK = 3
"""Hands in an object here."""


class Bucket:
    """S3, as far as the archive needs it."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def put_object(self, Key: str, Body: bytes, **asked: Any) -> None:  # noqa: N803
        if asked.get("IfNoneMatch") == "*" and Key in self.objects:
            raise ClientError({"Error": {"Code": "PreconditionFailed"}}, "PutObject")
        self.objects[Key] = Body

    def get_object(self, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        if Key not in self.objects:
            raise ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject")
        return {"Body": io.BytesIO(self.objects[Key])}

    def list_objects_v2(self, Prefix: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        keys = sorted(key for key in self.objects if key.startswith(Prefix))
        return {"Contents": [{"Key": key} for key in keys]}


class Aged(World):
    bucket: Bucket


@pytest.fixture
def old(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Aged:
    """Seven hands, the fourth void, and then 90 days."""
    monkeypatch.setattr(archives, "BLOCK", BLOCK)
    world = Aged()
    world.bucket = Bucket()
    world.seat("ana", "ben")
    for number in range(1, HANDS + 1):
        world.deal()
        if number == 4:
            world.dealer.void("t", "trial")
        else:
            world.act("fold")
    world.clock.go(OLD_MS)
    return world


def _archive(world: Aged) -> S3Archive:
    return S3Archive(world.bucket, BUCKET)


def _histories(world: Aged) -> DynamoHistories:
    return DynamoHistories.beside(world.tables).with_archive(_archive(world))


def _played(world: Aged) -> Played:
    stored = world.stored()
    return Played("t", ended(stored), stored.table.closed)


def _move(world: Aged, records: Any = None, archive: Any = None) -> list[int]:
    records = records or _histories(world)
    return list(move(records, archive or _archive(world), _played(world), world.clock.now()))


def _here(world: Aged) -> list[int]:
    items = DynamoHistories.beside(world.tables).items("t")
    return [int(item["sk"]["S"]) for item in items]


def _sound(world: Aged) -> None:
    """Every record is found once, and the chain holds from the first to the table's own end."""
    chain = Chain("t", Heads().of("t"))
    found = list(chain.check(_histories(world).items("t")))
    assert [flaws for _, flaws in found if flaws] == []
    assert [record.number for record, _ in found if record] == list(range(1, HANDS + 1))
    assert chain.stands(world.stored()) is None


def test_whole_blocks_go_and_all_is_found_as_before(old: Aged) -> None:
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


def test_the_bytes_are_those_of_the_table(old: Aged) -> None:
    items = DynamoHistories.beside(old.tables).here("t", 1, 3)
    _move(old)
    body = old.bucket.objects["hands/t/0000000.jsonl"]
    assert [json.loads(line) for line in body.decode().splitlines()] == items


def test_what_is_not_old_stays(old: Aged) -> None:
    last = DynamoHistories.beside(old.tables).here("t", 6, 6)[0]
    now = int(last["ended"]["N"]) + OLD_MS - 1
    assert list(move(_histories(old), _archive(old), _played(old), now)) == [3]
    assert _here(old) == [4, 5, 6, 7]
    _sound(old)


def test_the_last_hand_stays_for_more_of_it_may_be_shown(
    old: Aged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "BLOCK", HANDS)
    assert _move(old) == []
    assert _here(old) == list(range(1, HANDS + 1))


def test_of_a_closed_table_everything_goes(old: Aged) -> None:
    old.dealer.close("t")
    assert old.stored().table.closed
    assert _move(old) == [3, 3, 1]
    assert _here(old) == []
    _sound(old)


def _damaged(name: str, value: Any) -> Callable[[Aged], None]:
    def damage(world: Aged) -> None:
        item = DynamoHistories.beside(world.tables).here("t", 5, 5)[0] | {name: value}
        world.tables._client.put_item(TableName=TABLE, Item=item)

    return damage


def _gone(world: Aged) -> None:
    key = {"pk": {"S": "HAND#t"}, "sk": {"S": "000000005"}}
    world.tables._client.delete_item(TableName=TABLE, Key=key)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (_gone, "t hand 5: its record is not where it should be"),
        (_damaged("rake", {"N": "7"}), "t hand 5: its seal does not hold"),
        (_damaged("voided", {"N": "2"}), "t hand 5: its record is damaged"),
    ],
    ids=["gone", "changed", "damaged"],
)
def test_nothing_is_moved_that_is_not_the_game(
    old: Aged, harm: Callable[[Aged], None], says: str
) -> None:
    harm(old)
    before = _here(old)
    with pytest.raises(NotMovedError, match=says):
        _move(old)
    assert _here(old) == [number for number in before if number > BLOCK]
    assert list(_archive(old).blocks("t")) == [0]


def test_another_record_in_the_archive_is_never_taken_for_the_one_in_the_table(
    old: Aged,
) -> None:
    items = DynamoHistories.beside(old.tables).here("t", 1, 3)
    other = copy.deepcopy(items)
    del other[1]["before"]
    lines = "".join(f"{json.dumps(item)}\n" for item in other)
    old.bucket.objects["hands/t/0000000.jsonl"] = lines.encode()
    with pytest.raises(NotMovedError, match="t hand 2: "):
        _move(old)
    assert _here(old) == list(range(1, HANDS + 1))
    # An inspector sees both.
    chain = Chain("t")
    flaws = [flaw for _, found in chain.check(_histories(old).items("t")) for flaw in found]
    assert any("no hand has this number" in str(flaw) for flaw in flaws)


class KilledError(Exception):
    pass


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

    def __init__(self, world: Aged, killer: Killer) -> None:
        self._histories, self._archive, self._killer = _histories(world), _archive(world), killer
        self.here, self.oldest = self._histories.here, self._histories.oldest
        self.read = self._archive.read

    def drop(self, item: Attributes) -> None:
        self._killer.around(lambda: self._histories.drop(item))

    def write(self, table_id: str, block: int, items: Any) -> None:
        self._killer.around(lambda: self._archive.write(table_id, block, items))


@pytest.fixture
def again(old: Aged) -> Callable[[], None]:
    """Puts all records back into the table, and empties the archive."""
    items = list(_histories(old).items("t"))

    def restore() -> None:
        old.bucket.objects.clear()
        for item in items:
            old.tables._client.put_item(TableName=TABLE, Item=item)

    return restore


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_whoever_is_killed_has_lost_nothing_and_the_next_run_goes_on(
    old: Aged, again: Callable[[], None], after: bool
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


def test_a_record_that_changes_while_it_is_moved_is_not_deleted(old: Aged) -> None:
    """It cannot, as the last hand stays; were it to, the new one would stand."""
    item = DynamoHistories.beside(old.tables).here("t", 2, 2)[0]
    with pytest.raises(ClientError):
        _histories(old).drop(item | {"events": {"S": "[]"}})
    assert 2 in _here(old)


def test_what_is_moved_while_it_is_read_is_read_once(old: Aged) -> None:
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
    archive = S3Archive(client, BUCKET)
    items: list[Attributes] = [{"pk": {"S": "HAND#t"}, "sk": {"S": "1"}, "n": {"N": "1"}}]
    assert archive.read("t", 12) is None
    assert list(archive.blocks("t")) == []
    archive.write("t", 12, items)
    archive.write("t", 2, items)
    archive.write("t-2", 0, items)
    archive.write("t", 12, [])
    assert archive.read("t", 12) == items
    assert list(archive.blocks("t")) == [2, 12]
