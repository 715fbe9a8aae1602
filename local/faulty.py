"""What signals do to an emulator that serves, for those who try a room's faults.

| signal | does |
|---|---|
| SIGTERM, SIGINT | it ends at once; where it is to keep its state, that is written down before |
| SIGUSR1 | the thread that reads the stream and the queues dies with a batch in its hands |
| SIGUSR2 | another thread takes its place, from where that one had come to |

What is kept is of one moment: the functions' processes are ended before, nobody reads the stream,
and no request is served while it is written. Executions of a state machine are not kept running:
see docs/load.md.

Imported by the emulator's Python alone, and only standard library beside ministack.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

DIED = "cardroom: the poller died"
"""A line of the emulator's log."""
ENDING = (signal.SIGINT, signal.SIGTERM)
DIES = signal.SIGUSR1
BEGINS = signal.SIGUSR2
JOIN_SECONDS = 2.0
TRIES = 20
CLOCK_SECONDS = 0.1
"""So far a file's time may be behind the clock."""

LAMBDA = "ministack.services.lambda_svc"


class Poller:
    """The thread of the emulator that brings records of the stream, and messages of the queues, to
    their functions.
    """

    def __init__(self) -> None:
        self._service: Any = importlib.import_module(LAMBDA)
        self._thread: threading.Thread | None = None
        self._dies = threading.Event()
        self._ends = threading.Event()

    def install(self) -> None:
        """Before it starts."""
        service = self._service
        loop: Callable[[], None] = service._poll_loop
        look: Callable[[], bool] = service._poll_sqs
        execute: Callable[..., Any] = service._execute_function

        def poll_loop() -> None:
            self._thread = threading.current_thread()
            loop()

        def poll_sqs() -> bool:
            # The first that it does in each of its rounds.
            if self._ends.is_set():
                raise SystemExit
            return look()

        @functools.wraps(execute)
        def execute_function(*args: Any, **kwargs: Any) -> Any:
            result = execute(*args, **kwargs)
            mine = threading.current_thread() is self._thread
            if mine and (self._dies.is_set() or self._ends.is_set()):
                # The function has run, and nobody has noted it: the batch comes again.
                print(DIED, flush=True)
                raise SystemExit
            return result

        service._poll_loop = poll_loop
        service._poll_sqs = poll_sqs
        service._execute_function = execute_function

    def die(self) -> None:
        """After the next batch."""
        self._dies.set()

    def begin(self) -> None:
        """Nothing where the last one lives on, for want of a batch."""
        self._dies.clear()
        if self._thread is not None and not self._thread.is_alive():
            self._service._poller_started = False
            self._service._ensure_poller()

    def end(self) -> None:
        """For good; what it has in its hands comes again."""
        self._ends.set()
        self._service._esm_wake.set()
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)


def obey(*, keep: bool) -> None:
    """From the moment that the emulator serves. `keep` has it write its state down at its end."""
    server: Any = importlib.import_module("hypercorn.asyncio")
    serve: Callable[..., Awaitable[None]] = server.serve
    poller = Poller()
    poller.install()

    async def serve_until_told(app: Any, config: Any) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(DIES, poller.die)
        loop.add_signal_handler(BEGINS, poller.begin)
        for number in ENDING:
            loop.add_signal_handler(number, _end, poller, keep)
        # Hypercorn itself would wait for every open connection first.
        await serve(app, config, shutdown_trigger=asyncio.Event().wait)

    server.serve = serve_until_told


def _end(poller: Poller, keep: bool) -> None:
    """On the thread that serves all requests: none is half done, and none comes meanwhile."""
    runtime: Any = importlib.import_module("ministack.core.lambda_runtime")
    runtime.reset()
    poller.end()
    lost = _lost() if keep else []
    if lost:
        print(f"cardroom: what is lost is the state of {', '.join(lost)}", flush=True)
    os._exit(1 if lost else 0)


def _lost() -> list[str]:
    """Writes down the state of each service; those of which that failed."""
    app: Any = importlib.import_module("ministack.app")
    persistence: Any = importlib.import_module("ministack.core.persistence")
    lost, began = [], time.time()
    for name, get_state in app._build_persistence_save_dict().items():
        state = _steady(get_state)
        if state is None:
            continue
        # It only logs what it could not do.
        persistence.save_state(name, state)
        file = Path(persistence.STATE_DIR) / f"{name}.json"
        if not file.exists() or file.stat().st_mtime < began - CLOCK_SECONDS:
            lost.append(name)
    return lost


def _steady(get_state: Callable[[], Any]) -> Any:
    """An execution of a state machine may change while it is copied, in a thread of its own."""
    for _ in range(TRIES):
        try:
            return get_state()
        except RuntimeError:
            time.sleep(0.01)
    return get_state()
