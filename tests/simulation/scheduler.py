"""Simulated time: one heap of moments, and tasks that run in turn.

A task is ordinary, blocking code on a thread of its own, of which only one runs at any time: it
runs until it waits for the world outside, and goes on when the schedule says so. So two functions
that touch the same item interleave at each of their calls, in an order that the seed alone decides.
"""

import heapq
import threading
from collections.abc import Callable
from typing import Any, Final

STUCK_S: Final = 60
"""Of real time, after which a task that does not come back is taken for endless."""
MOST_STEPS: Final = 20_000
"""At one and the same moment."""


class Killed(BaseException):
    """The process is gone: nothing in it catches this."""


class Endless(Exception):
    """Something goes on for ever: a task, or what happens at one moment."""


class Scheduler:
    def __init__(self, now: int) -> None:
        self.now = now
        self.steps = 0
        self._current: Task | None = None
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = 0
        self._back = _Signal()
        self._idle: list[_Worker] = []
        self._workers: list[_Worker] = []

    @property
    def current(self) -> "Task | None":
        """Which task runs. Raises Killed in one that is dead: what still runs in it, as `finally`
        does, reaches nothing any more.
        """
        if self._current is not None and self._current.dead:
            raise Killed
        return self._current

    def at(self, moment: int, do: Callable[[], None]) -> None:
        self._numbers += 1
        heapq.heappush(self._heap, (max(moment, self.now), self._numbers, do))

    def after(self, ms: int, do: Callable[[], None]) -> None:
        self.at(self.now + ms, do)

    def run(self, until: int, after_each: Callable[[], None] = lambda: None) -> None:
        """All that happens up to this moment (ms), in order. Raises Endless."""
        same = 0
        while self._heap and self._heap[0][0] <= until:
            moment, _, do = heapq.heappop(self._heap)
            same = same + 1 if moment == self.now else 0
            if same > MOST_STEPS:
                raise Endless("the clock stands still")
            self.now = moment
            self.steps += 1
            do()
            after_each()
        self.now = max(self.now, until)

    def start(self, work: Callable[[], Any], done: Callable[[Any], None]) -> "Task":
        """Run a task up to its first wait. `done` gets its answer, or what ended it."""
        task = Task(self, work, done)
        worker = self._idle.pop() if self._idle else self._new_worker()
        worker.take(task)
        self._hand_over(task)
        return task

    def resume(self, task: "Task", answer: Any) -> None:
        """Let a waiting task go on with this answer; an exception is raised in it."""
        task.answer = answer
        self._hand_over(task)

    def close(self) -> None:
        """End all threads, those of tasks that still wait included; an endless one is left."""
        for worker in self._workers:
            task = worker.task
            if task is not None and task.endless:
                continue
            if task is not None:
                task.finished = lambda outcome: None
                self.resume(task, Killed())
            worker.take(None)
            worker.thread.join()
        self._heap.clear()

    def _hand_over(self, task: "Task") -> None:
        before, self._current = self._current, task
        task.go.give()
        if not self._back.take(STUCK_S):
            task.endless = True
            raise Endless("a function does not come back")
        self._current = before
        if task.ended:
            task.finished(task.answer)

    def _new_worker(self) -> "_Worker":
        worker = _Worker(self)
        self._workers.append(worker)
        return worker


class _Signal:
    """Given once for each time that it is taken: a bare lock, for there are many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()
        self.give = self._lock.release

    def take(self, seconds: float = -1) -> bool:
        """Whether it was given in time."""
        return self._lock.acquire(timeout=seconds)


class Task:
    def __init__(
        self, scheduler: Scheduler, work: Callable[[], Any], done: Callable[[Any], None]
    ) -> None:
        self._scheduler = scheduler
        self.about: Any = None
        """What its starter wants to know of it while it runs."""
        self.work = work
        self.finished = done
        self.answer: Any = None
        self.go = _Signal()
        self.ended = False
        self.endless = False
        self.dead = False

    def killed(self) -> Killed:
        """To be raised in it: from here on it is dead."""
        self.dead = True
        return Killed()

    def wait(self) -> Any:
        """Called in the task's thread: until it is resumed."""
        self._scheduler._back.give()
        self.go.take()
        if isinstance(self.answer, Killed):
            raise self.killed()
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class _Worker:
    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._work = _Signal()
        self.task: Task | None = None
        self.thread = threading.Thread(target=self._loop, daemon=True)
        self.thread.start()

    def take(self, task: Task | None) -> None:
        self.task = task
        self._work.give()

    def _loop(self) -> None:
        while True:
            self._work.take()
            task = self.task
            if task is None:
                return
            task.go.take()
            try:
                task.answer = task.work()
            except BaseException as ended:
                task.answer = ended
            task.ended = True
            self.task = None
            self._scheduler._idle.append(self)
            self._scheduler._back.give()
