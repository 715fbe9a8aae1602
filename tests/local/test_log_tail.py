"""Each line of the log is read once, however it is paged, and however late it comes."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.log_tail import FUNCTIONS, MOST, Line, LogTail, group_of
from tests.template.parsed import resources

GROUP = group_of("cardroom", "command")


class FakeLogs:
    """CloudWatch Logs: pages by token, as AWS, or cut off, as the emulator."""

    def __init__(self, page: int = MOST, *, tokens: bool = False) -> None:
        self.events: dict[str, list[dict[str, Any]]] = {
            group_of("cardroom", name): [] for name in FUNCTIONS
        }
        self.asked: list[dict[str, Any]] = []
        self._page = page
        self._tokens = tokens

    def put(self, at: int, message: str, stream: str = "one", group: str = GROUP) -> None:
        events = self.events[group]
        events.append({"timestamp": at, "message": message, "logStreamName": stream})
        events.sort(key=lambda event: int(event["timestamp"]))

    def filter_log_events(self, **asked: Any) -> dict[str, Any]:
        self.asked.append(asked)
        if asked["logGroupName"] not in self.events:
            error = {"Error": {"Code": "ResourceNotFoundException", "Message": ""}}
            raise ClientError(error, "FilterLogEvents")  # type: ignore[arg-type]
        found = [
            event
            for event in self.events[asked["logGroupName"]]
            if event["timestamp"] >= asked["startTime"]
        ]
        start = int(asked.get("nextToken", 0))
        answer: dict[str, Any] = {"events": found[start : start + self._page]}
        if self._tokens and start + self._page < len(found):
            answer["nextToken"] = str(start + self._page)
        return answer


def _texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


def test_every_function_logs_to_a_group_of_its_own() -> None:
    declared = resources("AWS::Logs::LogGroup").values()
    names = {group["Properties"]["LogGroupName"]["Fn::Sub"] for group in declared}
    # Others are not the functions'.
    ours = {group_of("${AWS::StackName}", name) for name in FUNCTIONS}
    functions = {name for name in names if "/aws/lambda/" in name}
    assert functions == ours
    assert len(resources("AWS::Serverless::Function")) == len(FUNCTIONS)


def test_a_line_is_given_once() -> None:
    logs = FakeLogs()
    tail = LogTail(logs, "cardroom", 1_000, overlap_ms=500)
    logs.put(900, "before")
    logs.put(1_000, "a")
    assert tail.read() == [Line("command", 1_000, "a")]
    assert tail.read() == []
    logs.put(1_000, "b")
    logs.put(1_800, "c", group=group_of("cardroom", "sweep"))
    assert tail.read() == [Line("command", 1_000, "b"), Line("sweep", 1_800, "c")]
    logs.put(3_000, "d")
    assert _texts(tail.read()) == ["d"]
    # Late, but not too late.
    logs.put(2_600, "e", stream="two")
    assert _texts(tail.read()) == ["e"]
    assert tail.read() == []


def test_two_lines_that_are_alike_are_two() -> None:
    logs = FakeLogs()
    tail = LogTail(logs, "cardroom", 0)
    for _ in range(2):
        logs.put(5_000, "a")
    assert len(tail.read()) == 2
    logs.put(5_000, "a")
    assert len(tail.read()) == 1


@pytest.mark.parametrize("tokens", [True, False], ids=["AWS", "the emulator"])
def test_many_lines_come_in_pages(monkeypatch: pytest.MonkeyPatch, *, tokens: bool) -> None:
    monkeypatch.setattr("local.log_tail.MOST", 10)
    logs = FakeLogs(page=10, tokens=tokens)
    wanted = []
    for number in range(95):
        logs.put(1_000 + number // 4, str(number))
        wanted.append(str(number))
    tail = LogTail(logs, "cardroom", 0)
    assert sorted(_texts(tail.read()), key=int) == wanted
    assert tail.read() == []


def test_little_is_asked_for_again() -> None:
    logs = FakeLogs()
    tail = LogTail(logs, "cardroom", 0, overlap_ms=2_000, pattern="?fault")
    logs.put(60_000, "a")
    tail.read()
    tail.read()
    last = [asked for asked in logs.asked if asked["logGroupName"] == GROUP][-1]
    assert last == {"logGroupName": GROUP, "startTime": 58_000, "filterPattern": "?fault"}


def test_a_function_that_has_logged_nothing_has_no_group_yet() -> None:
    logs = FakeLogs()
    del logs.events[group_of("cardroom", "signup")]
    logs.put(1, "a")
    assert _texts(LogTail(logs, "cardroom", 0).read()) == ["a"]


def test_what_else_aws_refuses_is_told() -> None:
    def refuses(**_: Any) -> Any:
        error = {"Error": {"Code": "ThrottlingException", "Message": ""}}
        raise ClientError(error, "FilterLogEvents")  # type: ignore[arg-type]

    logs = FakeLogs()
    logs.filter_log_events = refuses  # type: ignore[method-assign]
    with pytest.raises(ClientError):
        LogTail(logs, "cardroom", 0).read()


def test_of_a_look_that_fails_half_way_nothing_is_lost() -> None:
    logs = FakeLogs()
    logs.put(1_000, "a", group=group_of("cardroom", FUNCTIONS[0]))
    logs.put(1_000, "b", group=group_of("cardroom", FUNCTIONS[-1]))
    tail = LogTail(logs, "cardroom", 0)
    last = logs.events.pop(group_of("cardroom", FUNCTIONS[-1]))
    answers = logs.filter_log_events

    def refuses_the_last(**asked: Any) -> Any:
        if asked["logGroupName"] not in logs.events:
            error = {"Error": {"Code": "ThrottlingException", "Message": ""}}
            raise ClientError(error, "FilterLogEvents")  # type: ignore[arg-type]
        return answers(**asked)

    logs.filter_log_events = refuses_the_last  # type: ignore[method-assign]
    with pytest.raises(ClientError):
        tail.read()
    logs.events[group_of("cardroom", FUNCTIONS[-1])] = last
    assert _texts(tail.read()) == ["a", "b"]
