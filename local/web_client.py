"""The web client, built when its sources are newer than what was built of them."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from local.artifacts import ROOT
from local.errors import RoomError

DIST: Final = Path("web/client/dist")
BUILD_SECONDS: Final = 600


def built(root: Path = ROOT) -> Path:
    """The folder of the built client. Raises RoomError, with one line, where it cannot be built."""
    for program, why in (("make", "make"), ("npm", "Node 20 or newer with npm")):
        if shutil.which(program) is None:
            raise RoomError(f"the web client needs {why}, which is not installed")
    # Variables of a calling make would change how this one runs.
    foreign = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in foreign}
    log = root / ".build" / "web.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with (root / ".build" / "web.lock").open("w") as lock:
        # Another may be at it in another terminal.
        fcntl.flock(lock, fcntl.LOCK_EX)
        with log.open("w") as output:
            try:
                done = subprocess.run(
                    ["make", "--silent", "web-client"],
                    cwd=root,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=BUILD_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise RoomError(
                    f"building the web client took more than {BUILD_SECONDS} s"
                ) from error
    if done.returncode != 0:
        raise RoomError(
            f"the web client was not built: {_why(log)} (all of it: {log.relative_to(root)})"
        )
    return root / DIST


def _why(log: Path) -> str:
    """The first line that says what is wrong, and does not only announce it."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    wrong = [
        line
        for line in lines
        if "error" in line.lower() and not line.endswith(":") and not line.startswith("make")
    ]
    return (wrong or lines or ["no output"])[0]
