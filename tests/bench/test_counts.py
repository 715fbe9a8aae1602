"""What is counted of hands that are played: the same each time, and what the design says."""

import sys
import time
from collections import Counter
from dataclasses import replace

import pytest

from bench import handlers
from bench.metered import LOG, Invocation, Metered, metered
from bench.people import Played, play
from cardroom.moments import AT_MOST


def _told(played: Played) -> dict[str, object]:
    counts = vars(played.counts)
    kept = {
        name: value for name, value in counts.items() if name not in ("invocations", "log_bytes")
    }
    runs = [(one.kind, one.calls, one.half_reads, one.writes) for one in played.counts.invocations]
    return {**kept, "runs": runs}


def test_the_same_seed_is_counted_the_same_and_signatures_change_nothing_but_the_cpu() -> None:
    signed, unsigned = (
        play(1, seats=3, spectators=2, warm=1, signed=signed) for signed in (True, False)
    )
    assert _told(signed) == _told(unsigned)


def test_who_is_still_at_work_when_the_room_ends_prints_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cloud = Metered(1)

    def work() -> None:
        try:
            cloud.pause(10_000)
        finally:
            sys.stdout.write("metrics\n")

    before = LOG.bytes
    with metered(cloud, signed=False):
        cloud.scheduler.start(work, lambda outcome: None)
        cloud.scheduler.run(cloud.now + 1_000)
    assert capsys.readouterr().out == ""
    assert LOG.bytes - before == len("metrics\n")


def test_an_action_is_one_read_and_one_write(played: Played) -> None:
    acts = played.counts.of("act")
    assert len(acts) > 10
    for one in acts:
        assert one.state_reads == 1
        assert one.calls["PutItem"] + one.calls["TransactWriteItems"] in (1, 2)
        assert one.calls["GetItem"] <= 2


def test_each_player_is_pushed_each_write_and_each_spectator_six_pictures(played: Played) -> None:
    counts = played.counts
    assert counts.hands == 2
    assert counts.pushes % played.seats == 0
    pushed = counts.pushes // played.seats
    assert counts.records - 2 <= pushed <= counts.records + 2
    assert counts.snapshots <= AT_MOST * counts.hands * played.spectators
    assert counts.clients == 16


def test_one_execution_of_the_clock_serves_a_hand(played: Played) -> None:
    counts = played.counts
    assert counts.executions == counts.hands
    # Each lives for a hand and the pause before it, and no two at the same time for long.
    assert 0.9 < counts.execution_ms / counts.ms < 1.3


def test_everybody_comes_once_and_goes_once(played: Played) -> None:
    assert len(played.coming.of("connect")) == 16
    assert len(played.coming.of("watch")) == 16
    assert len(played.going.of("disconnect")) == 16


def test_what_the_fake_takes_is_no_handlers_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    cloud, invocation = Metered(1), Invocation("command", "act")
    spent = Counter[str]()

    def burn(who: str) -> None:
        began = time.thread_time()
        while time.thread_time() - began < 0.03:
            spent[who] += 1

    def call(operation: str, request: object) -> dict[str, object]:
        burn("fake")
        return {}

    monkeypatch.setattr(cloud.dynamo, "call", call)

    def work() -> None:
        burn("handler")
        key = {"pk": {"S": "TABLE#t"}, "sk": {"S": "STATE"}}
        cloud.called("dynamodb", "GetItem", {"Key": key, "ConsistentRead": True})

    cloud.timed.announced = invocation
    cloud.scheduler.start(work, lambda outcome: None)
    cloud.scheduler.run(cloud.now + 1_000)
    cloud.scheduler.close()
    assert set(spent) == {"handler", "fake"}
    assert 30 <= invocation.cpu_ns / 10**6 < 50
    assert invocation.calls == {"GetItem": 1}
    assert invocation.state_reads == 1


def test_of_several_rounds_the_least_counts(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = iter((5, 3, 4))

    def again(hands: int) -> Played:
        ns = next(rounds)
        runs = [replace(one, cpu_ns=ns) for one in played.counts.invocations]
        return replace(played, counts=replace(played.counts, invocations=runs))

    monkeypatch.setattr(handlers, "play", again)
    counts = handlers.measure(2, 3).counts
    assert {one.cpu_ns for one in counts.invocations} == {3}
    assert len(counts.invocations) == len(played.counts.invocations)


def test_rounds_that_are_not_the_same_are_no_measure(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = replace(played, counts=replace(played.counts, invocations=[]))
    rounds = iter((played, shorter))
    monkeypatch.setattr(handlers, "play", lambda hands: next(rounds))
    with pytest.raises(RuntimeError, match="other hands"):
        handlers.measure(2, 2)
