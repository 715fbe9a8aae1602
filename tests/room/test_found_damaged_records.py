"""Whatever a record of the stream holds, those beside it in the batch are pushed."""

import copy
import json
from typing import Any

import pytest

from broadcast import app
from cardroom.ports import Field
from tests.room.world import World


class _Signals:
    def __init__(self) -> None:
        self.counts: dict[str, float] = {}

    def begin(self, **fields: Field) -> None: ...

    def count(self, metric: str, value: float = 1, by: str = "") -> None:
        self.counts[metric] = self.counts.get(metric, 0) + value

    def fault(self, where: str, error: BaseException, **fields: Field) -> None: ...

    def flush(self) -> None: ...


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("outbox", {"S": "null"}),
        ("outbox", {"S": "5"}),
        ("outbox", {"S": "[" * 100_000}),
        ("outbox", {"S": "[1,2,3,[5]]"}),
        ("outbox", None),
        ("state", {"S": "{}"}),
        ("state", {"S": "[" * 100_000}),
        ("log", {}),
        ("pk", {"S": "elsewhere"}),
        ("pk", 5),
    ],
    ids=str,
)
def test_a_damaged_record_spoils_no_other_of_its_batch(
    world: World, monkeypatch: pytest.MonkeyPatch, attribute: str, value: Any
) -> None:
    world.seat("ana")
    whole = world.tables.images[-1]
    damaged = copy.deepcopy(whole)
    damaged[attribute] = value
    signals = _Signals()
    monkeypatch.setattr(app, "composed", lambda: (world.broadcast, world.attendance, signals))
    keys = {"pk": {"S": "TABLE#t"}, "sk": {"S": "STATE"}}
    records = [
        {"dynamodb": {"SequenceNumber": str(number), "Keys": keys, "NewImage": image}}
        for number, image in enumerate((damaged, whole))
    ]
    assert app.handler({"Records": records}, None) == {"batchItemFailures": []}
    assert signals.counts == {"RecordDamaged": 1}
    (pushed,) = [json.loads(data) for data in world.push.to("ana")]
    assert pushed["events"][0]["e"] == "seated"


def test_what_is_pushed_as_one_has_no_hole_and_nothing_twice(world: World) -> None:
    """A record between two others may be damaged, and one may come again."""
    world.seat("ana", "ben", "cat")
    first, second, third = world.updates()
    assert world.broadcast.deliver([first, second, second, third]) is None
    pushed = [json.loads(data) for data in world.push.to("ana")]
    seated = [[one["player"] for one in push["events"] if one["e"] == "seated"] for push in pushed]
    assert seated == [["ana", "ben"], ["ben", "cat"]]
    world.push.posts.clear()
    assert world.broadcast.deliver([first, third]) is None
    pushed = [json.loads(data) for data in world.push.to("ana")]
    ends = [(push["before"], push["seq"]) for push in pushed]
    assert ends == [
        (first.outbox.before, first.outbox.seq),
        (third.outbox.before, third.outbox.seq),
    ]
