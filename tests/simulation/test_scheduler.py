"""Tasks run in turn; one that is killed reaches nothing any more, and none goes on for ever."""

import threading
from collections.abc import Iterator

import pytest

from tests.simulation import scheduler as scheduling
from tests.simulation.scheduler import Endless, Killed, Scheduler


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    made = Scheduler(0)
    yield made
    made.close()


def asks(scheduler: Scheduler, reached: list[str], name: str) -> None:
    """A call of the world outside, which comes back at once or with what ends the task."""
    task = scheduler.current
    assert task is not None
    reached.append(name)
    scheduler.after(1, lambda: scheduler.resume(task, Killed() if name == "last" else None))
    task.wait()


def stubborn(scheduler: Scheduler, reached: list[str]) -> None:
    try:
        asks(scheduler, reached, "first")
        asks(scheduler, reached, "last")
    finally:
        try:
            asks(scheduler, reached, "after its end")
        finally:
            asks(scheduler, reached, "after that")


def test_a_killed_task_reaches_nothing_even_while_it_unwinds(scheduler: Scheduler) -> None:
    reached: list[str] = []
    ended: list[object] = []
    scheduler.start(lambda: stubborn(scheduler, reached), ended.append)
    scheduler.run(10)
    assert reached == ["first", "last"]
    assert [type(one) for one in ended] == [Killed]


def test_closing_ends_tasks_that_would_go_on_while_they_unwind() -> None:
    scheduler, reached = Scheduler(0), list[str]()
    scheduler.start(lambda: stubborn(scheduler, reached), lambda outcome: None)
    scheduler.close()
    assert reached == ["first"]
    assert not any(worker.thread.is_alive() for worker in scheduler._workers)


def test_a_task_that_does_not_come_back_is_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "STUCK_S", 0.05)
    scheduler, released = Scheduler(0), threading.Event()
    with pytest.raises(Endless, match="does not come back"):
        scheduler.start(released.wait, lambda outcome: None)
    scheduler.close()
    released.set()


def test_a_moment_that_does_not_end_is_endless(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "MOST_STEPS", 50)

    def again() -> None:
        scheduler.after(0, again)

    scheduler.after(1, again)
    with pytest.raises(Endless, match="stands still"):
        scheduler.run(10)
