"""Programs of the web workspace, for tests that run them beside the room."""

import fcntl
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
WEB: Final = ROOT / "web"


def compiled(name: str) -> Path:
    """A program of web/sdk/test as JavaScript, compiled from what is there now."""
    with (ROOT / "Makefile").open() as lock:
        # Two tests at once would read what the other writes.
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "--silent", "web-tests"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return WEB / "sdk/dist/test" / f"{name}.js"


def run(name: str, orders: str, *, seconds: float) -> str:
    """What the program says on its standard output; it must end well within so many seconds."""
    done = subprocess.run(
        ["node", str(compiled(name))],
        input=orders,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
