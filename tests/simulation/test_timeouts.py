"""Who hears no answer does not know whether it was done: both happen."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from cardroom.aws import ApiPush, SqsQueue, StepTimers
from cardroom.ports import Delivery
from tests.simulation.cloud import ENVIRONMENT, Cloud, simulated
from tests.simulation.faults import RATES, Faults

DONE = ("done", "not done")


def room(fault: str) -> Cloud:
    """In which this always happens, and nothing else."""
    return Cloud(1, Faults(1, {**dict.fromkeys(RATES, 0.0), fault: 1.0}))


def outcome(cloud: Cloud, call: Callable[[], Any]) -> Any:
    """Of a function's call."""
    outcomes: list[Any] = []
    with simulated(cloud):
        cloud.scheduler.start(call, outcomes.append)
        cloud.scheduler.run(cloud.began + 10_000)
    (one,) = outcomes
    return one


@pytest.mark.parametrize("how", DONE)
def test_a_push_that_times_out_has_reached_its_client_or_not(how: str) -> None:
    cloud = room("post timeout, sent" if how == "done" else "post timeout, not sent")
    cloud.connections["one"] = "ana"
    heard: list[bytes] = []
    cloud.heard = lambda connection, data: heard.append(data)
    posted = outcome(cloud, lambda: ApiPush(ENVIRONMENT["CALLBACK_URL"]).post([("one", b"{}")]))
    assert posted == [("one", Delivery.FAILED)]
    assert bool(heard) == (how == "done")


@pytest.mark.parametrize("how", DONE)
def test_a_clock_whose_start_times_out_runs_or_does_not(how: str) -> None:
    cloud = room("start timeout, started" if how == "done" else "start timeout, not started")
    timers = StepTimers(ENVIRONMENT["TURN_CLOCK_ARN"])
    started = outcome(cloud, lambda: timers.start("t-1-1", "t", 1, cloud.began + 60_000))
    assert isinstance(started, ReadTimeoutError)
    assert bool(cloud.running_clocks["t", 1]) == (how == "done")


@pytest.mark.parametrize("how", DONE)
def test_a_message_that_times_out_is_queued_or_not(how: str) -> None:
    cloud = room("queue timeout, sent" if how == "done" else "queue timeout, not sent")
    sent = outcome(cloud, lambda: SqsQueue(ENVIRONMENT["FLOOR_QUEUE_URL"]).send("damaged"))
    assert isinstance(sent, ReadTimeoutError)
    assert bool(cloud.invocations["floor"]) == (how == "done")
