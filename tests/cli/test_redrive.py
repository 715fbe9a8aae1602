"""`cardroom redrive`: what is said of the queue of failures, and when it is emptied."""

import io
import json
from collections.abc import Iterable
from typing import Any

import pytest

from cardroom.errands import Serve, Tick, dump_errand
from cardroom.fanout import Parcel, dump_parcel
from cardroom.store import DynamoTables
from cli.main import main
from cli.place import Place
from cli.redrive import redriven
from cli.served import Failed
from tests.cli.conftest import STACK

QUEUE = "https://sqs.us-east-1.amazonaws.com/123456789012/failures"


def given_up(size: int, since: str) -> str:
    """As Lambda writes of a stretch of the stream."""
    return json.dumps(
        {
            "requestContext": {"condition": "RetryAttemptsExhausted"},
            "DDBStreamBatchInfo": {
                "shardId": "shardId-0001",
                "startSequenceNumber": "100",
                "endSequenceNumber": "200",
                "approximateArrivalOfFirstRecord": since,
                "batchSize": size,
            },
        }
    )


class FakeSqs:
    """Gives a few messages at once, one of them twice, and none now and then."""

    def __init__(self, bodies: Iterable[str]) -> None:
        self.bodies = {f"m{number}": body for number, body in enumerate(bodies)}
        self._hidden: set[str] = set()
        self._asked = 0
        self._given: dict[str, str] = {}
        self.refuses: set[str] = set()

    def receive_message(self, **asked: Any) -> dict[str, Any]:
        assert asked["QueueUrl"] == QUEUE
        self._asked += 1
        left = [name for name in self.bodies if name not in self._hidden]
        some = left[:3] if self._asked % 2 else []
        self._hidden.update(some[1:])
        self._given |= {one: f"r{self._asked}-{one}" for one in some}
        return {
            "Messages": [
                {"MessageId": one, "ReceiptHandle": self._given[one], "Body": self.bodies[one]}
                for one in some
            ]
        }

    def delete_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, str]]) -> Any:  # noqa: N803
        """By the receipt that was given last."""
        assert QueueUrl == QUEUE
        assert len(Entries) <= 10
        failed = []
        for entry in Entries:
            receipt = entry["ReceiptHandle"]
            name = receipt.partition("-")[2]
            if self._given[name] != receipt or name in self.refuses:
                failed.append({"Id": entry["Id"], "Code": "ReceiptHandleIsInvalid"})
            else:
                del self.bodies[name]
        return {"Failed": failed} if failed else {}


class FakeLambda:
    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.failed: list[str] = []
        self.raises = False
        self.damaged: list[str] | None = []
        """None of a release that does not say so."""

    def invoke(self, **asked: Any) -> dict[str, Any]:
        assert (asked["FunctionName"], asked["Qualifier"]) == ("room-broadcast", "live")
        tables = json.loads(asked["Payload"])["redrive"]
        self.asked.append(tables)
        done = [one for one in tables if one not in self.failed]
        told = {"redriven": done, "failed": [one for one in tables if one in self.failed]}
        if self.damaged is not None:
            told["redriven"] = [one for one in done if one not in self.damaged]
            told["damaged"] = [one for one in tables if one in self.damaged]
        answer: dict[str, Any] = {"Payload": io.BytesIO(json.dumps(told).encode())}
        return answer | ({"FunctionError": "Unhandled"} if self.raises else {})


class Listed(DynamoTables):
    def __init__(self, *names: str) -> None:
        self.names = list(names)

    def listed(self) -> list[str]:
        return self.names


class Here:
    def __init__(self, bodies: Iterable[str] = (), tables: Iterable[str] = ("a", "b")) -> None:
        self.sqs = FakeSqs(bodies)
        self.functions = FakeLambda()
        clients: dict[str, Any] = {"sqs": self.sqs, "lambda": self.functions}
        self.place = Place(
            Listed(*tables),
            {"FailuresQueueUrl": QUEUE},
            lambda: {"BroadcastFunction": "room-broadcast"},
            clients.__getitem__,
            lambda service, url: clients[service],
            dict,
        )


BODIES = (
    given_up(10, "2026-01-02T03:04:06.000Z"),
    given_up(4, "2026-01-02T03:04:05.000Z"),
    dump_parcel(Parcel("php-5-10", 1, 2, 3, (0,), '{"secret": 1}')),
    dump_parcel(Parcel("php-5-10", 1, 3, 3, None, "{}")),
    dump_errand(Tick(5)),
    dump_errand(Serve("nl-PHP-500-1000")),
    "{",
    "[]",
    '{"do": "harm"}',
    "\x1b[2J",
)


def test_what_was_given_up_is_said_in_words_and_taken_away() -> None:
    here = Here(BODIES)
    assert list(redriven(here.place)) == [
        "given up: 2 stretches of the stream, 14 records, the first of 2026-01-02T03:04:05.000Z",
        "given up: snapshots for the spectators of php-5-10 (2)",
        "given up: errands of the floor, for nl-PHP-500-1000 (1), the lobby (1)",
        "4 messages that are none of the room's",
        "2 tables are told anew",
        "10 messages are taken from the queue",
    ]
    assert here.functions.asked == [["a", "b"]]
    assert here.sqs.bodies == {}


def test_what_stays_in_the_queue_is_said() -> None:
    here = Here(BODIES)
    here.sqs.refuses = {"m1", "m9"}
    said = redriven(here.place)
    with pytest.raises(Failed, match="2 messages stay in the queue: run it again"):
        list(said)
    assert set(here.sqs.bodies) == {"m1", "m9"}


def test_only_looked_at_it_stays() -> None:
    here = Here(BODIES)
    assert len(list(redriven(here.place, look=True))) == 4
    assert len(here.sqs.bodies) == len(BODIES)
    assert here.functions.asked == []


def test_while_a_table_is_not_told_the_queue_stays() -> None:
    here = Here(BODIES)
    here.functions.failed = ["b"]
    with pytest.raises(Failed, match="not told, run it again: b"):
        list(redriven(here.place))
    here.functions.failed, here.functions.raises = [], True
    with pytest.raises(Failed, match="BroadcastFunction failed"):
        list(redriven(here.place))
    assert len(here.sqs.bodies) == len(BODIES)


def test_a_table_that_cannot_be_read_keeps_no_queue_full() -> None:
    """It is the same the next time: the alarm on the queue would ring for ever."""
    here = Here(BODIES)
    here.functions.damaged = ["a"]
    said = list(redriven(here.place))
    assert said[-3:] == [
        "1 tables are told anew",
        "a cannot be read, and is left as it is",
        "10 messages are taken from the queue",
    ]
    assert here.sqs.bodies == {}


def test_the_function_of_the_release_before_is_understood() -> None:
    here = Here(BODIES)
    here.functions.damaged = None
    assert list(redriven(here.place))[-1] == "10 messages are taken from the queue"


def test_one_table_alone_leaves_the_queue() -> None:
    here = Here(BODIES)
    assert list(redriven(here.place, ("c",))) == ["1 tables are told anew"]
    assert here.functions.asked == [["c"]]
    assert len(here.sqs.bodies) == len(BODIES)


def test_many_tables_are_asked_for_in_parts() -> None:
    here = Here(tables=[f"t{number}" for number in range(45)])
    assert list(redriven(here.place))[-1] == "45 tables are told anew"
    assert list(map(len, here.functions.asked)) == [20, 20, 5]


def test_an_empty_queue_is_said() -> None:
    assert next(redriven(Here().place)) == "the queue of failures is empty"


def test_a_stack_without_the_queue_is_one_line(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redrive", "--stack", STACK]) == 1
    assert capsys.readouterr().err == (
        "cardroom: the stack has no output FailuresQueueUrl: deploy this version first\n"
    )
