"""Commands run as a person runs them, on a terminal of their own; and the processes they start."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Command(contextlib.AbstractContextManager["Command"]):
    """`cardroom ...` on a pseudo-terminal of 80 columns."""

    def __init__(self, *words: str, state: Path, live: bool = True) -> None:
        self._master, slave = pty.openpty()
        environment = {
            **os.environ,
            "TERM": "xterm" if live else "dumb",
            "COLUMNS": "80",
            "LINES": "40",
            "CARDROOM_STATE": str(state),
            "PYTHONPATH": os.pathsep.join(
                str(ROOT / part) for part in ("layers/engine", "functions", ".")
            ),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", *words],
            cwd=ROOT,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.output = ""

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        os.close(self._master)

    @property
    def text(self) -> str:
        """All output so far, without what steers the terminal."""
        return _ESCAPES.sub("", self.output)

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def until(self, holds: "str | Callable[[str], bool]", seconds: float = 60) -> str:
        """Read until the output since the last call holds this; returns that output."""
        wanted = holds if callable(holds) else lambda text: holds in text
        start = len(self.output)
        deadline = time.monotonic() + seconds
        while not wanted(_ESCAPES.sub("", self.output[start:])):
            if time.monotonic() > deadline or not self._read(0.2):
                raise AssertionError(
                    f"{holds!r} did not come; the last was {self.output[-3000:]!r}"
                )
        return _ESCAPES.sub("", self.output[start:])

    def ends(self, seconds: float) -> int:
        """The exit code, which has to come within so many seconds."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(0.1)
        code = self.process.poll()
        assert code is not None, f"it still runs after {seconds} s: {self.output[-2000:]!r}"
        while self._read(0.05):
            pass
        return code

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def _read(self, seconds: float) -> bool:
        """False where there is no more to come."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return self.process.poll() is None
        with contextlib.suppress(OSError):
            data = os.read(self._master, 65536)
            self.output += data.decode(errors="replace")
            return bool(data)
        return False


def descendants(pid: int) -> set[int]:
    """All processes below this one that run now."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents.setdefault(int(fields[1]), []).append(int(folder.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in parents.get(todo.pop(), ()):
            if child not in found:
                found.add(child)
                todo.append(child)
    return found


def running(pids: set[int]) -> set[int]:
    """Those of these processes that still run."""
    alive = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            state = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z":
                alive.add(pid)
    return alive
