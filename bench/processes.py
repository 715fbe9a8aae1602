"""The processes of a running room, from /proc: those of its functions, what they take, and of whom.

Linux alone has it; elsewhere all of it is empty.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
TICKS: Final = os.sysconf("SC_CLK_TCK")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")
USER_TIME: Final = 11
CHILDREN_TIME: Final = 13
MEMORY: Final = 21
"""Places in the line of /proc/<id>/stat, counted from its state on; the system's time is next to
the user's.
"""
FUNCTION: Final = "AWS_LAMBDA_FUNCTION_NAME="


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    parent: int
    state: str
    cpu: float
    """Seconds since it began."""
    memory: int
    """Bytes that are resident, shared ones included."""
    reaped: float = 0.0
    """CPU seconds of those that it started and that have ended."""


def process(pid: int, proc: Path = PROC) -> Process | None:
    """None where there is none of this id."""
    try:
        # The command's name, in brackets, may hold anything.
        fields = (proc / str(pid) / "stat").read_text().rpartition(")")[2].split()
        own, of_ended = (
            (int(fields[at]) + int(fields[at + 1])) / TICKS for at in (USER_TIME, CHILDREN_TIME)
        )
        memory = int(fields[MEMORY]) * PAGE
        return Process(pid, int(fields[1]), fields[0], own, memory, of_ended)
    except (OSError, ValueError, IndexError):
        return None


def children(parent: int, proc: Path = PROC) -> Iterator[Process]:
    """Those that this one started and that still run."""
    for folder in proc.iterdir() if proc.is_dir() else ():
        if folder.name.isdigit():
            found = process(int(folder.name), proc)
            if found is not None and found.parent == parent and found.state != "Z":
                yield found


def function_of(pid: int, proc: Path = PROC) -> str:
    """Of which function this is an environment, as `command`; empty where of none."""
    with suppress(OSError):
        for one in (proc / str(pid) / "environ").read_bytes().split(b"\0"):
            text = one.decode(errors="replace")
            if text.startswith(FUNCTION):
                # As cardroom-CommandFunction-1E3FAE3275999: stack, logical id, and what is its own.
                logical = text.removeprefix(FUNCTION).split("-")[-2:][0]
                return logical.removesuffix("Function").lower()
    return ""


def environments(emulator: int, proc: Path = PROC) -> dict[int, str]:
    """The functions' processes of an emulator: the function by process id."""
    found = {one.pid: function_of(one.pid, proc) for one in children(emulator, proc)}
    return {pid: name for pid, name in found.items() if name}


@dataclass(frozen=True, slots=True)
class Moment:
    """What had been taken at a moment: CPU seconds, bytes."""

    at: float
    emulator: float
    functions: float
    clients: float
    emulator_memory: int
    functions_memory: int
    environments: int

    @classmethod
    def now(cls, emulator: int, proc: Path = PROC) -> "Moment":
        """Of the room of this emulator, and of this process, which is all of its clients."""
        server, clients = process(emulator, proc), process(os.getpid(), proc)
        living = list(children(emulator, proc))
        return cls(
            time.monotonic(),
            0.0 if server is None else server.cpu,
            sum(one.cpu for one in living) + (0.0 if server is None else server.reaped),
            0.0 if clients is None else clients.cpu,
            0 if server is None else server.memory,
            sum(one.memory for one in living),
            len(living),
        )


@dataclass(frozen=True, slots=True)
class Taken:
    """Cores that were busy between two moments, on average."""

    emulator: float
    functions: float
    clients: float

    @classmethod
    def between(cls, first: Moment, last: Moment) -> "Taken":
        span = max(0.001, last.at - first.at)
        return cls(
            (last.emulator - first.emulator) / span,
            (last.functions - first.functions) / span,
            (last.clients - first.clients) / span,
        )
