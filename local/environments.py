"""Makes the Python environments of the project, or mends them; quick where nothing changed.

    python local/environments.py [project] [emulator] [sam] [audit]

Without a name it is all that the room needs: not `audit`, whose tools look for trouble.

Run by any Python of the version in .python-version, which becomes the base of the environments
(`local/find_python.sh` finds one). Only the standard library is there yet, so nothing else is
imported. Several environments are made side by side.

An environment is ready when its stamp names the requirements that it was made from and the folder
that it lives in, its interpreter runs, and its programs are there. Otherwise: where the interpreter
runs, what is required is installed on top; where it does not, or the folder was moved, the
environment is made anew. The stamp is taken away first and written last, so that an interrupted
run is repaired by the next one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
STAMP = "cardroom-ready"


class SetupError(Exception):
    """One line that says what failed and what to do."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment: its folder, what it is made from, the programs that it must have."""

    name: str
    folder: str
    requirements: str
    programs: tuple[str, ...]
    installs_project: bool = False
    by_name_only: bool = False


ENVIRONMENTS = (
    Environment(
        "project",
        ".venv",
        "requirements/dev.txt",
        ("cardroom", "pytest", "ruff", "mypy"),
        installs_project=True,
    ),
    Environment("emulator", ".venv-emulator", "requirements/emulator.txt", ("ministack",)),
    Environment("sam", ".venv-sam", "requirements/sam.txt", ("sam", "cfn-lint")),
    Environment(
        "audit",
        ".venv-audit",
        "requirements/audit.txt",
        ("pip-audit", "detect-secrets-hook"),
        by_name_only=True,
    ),
)


def wanted_stamp(root: Path, environment: Environment) -> str:
    """What the stamp of a ready environment says: its home, and a hash of what it is made from."""
    digest = hashlib.sha256()
    sources = [environment.requirements, ".python-version"]
    if environment.installs_project:
        sources.append("pyproject.toml")
    for source in sources:
        digest.update((root / source).read_bytes())
    return f"{root / environment.folder}\n{digest.hexdigest()}\n"


def interpreter_runs(folder: Path, version: str) -> bool:
    """Whether the environment's Python starts and is of the version "major.minor"."""
    python = folder / "bin" / "python"
    if not python.exists():
        return False
    code = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [str(python), "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def is_ready(root: Path, environment: Environment) -> bool:
    """Whether nothing has to be done. Starts no interpreter, so that every `make` may ask."""
    folder = root / environment.folder
    try:
        stamp = (folder / STAMP).read_text()
    except OSError:
        return False
    return stamp == wanted_stamp(root, environment) and has_programs(folder, environment)


def has_programs(folder: Path, environment: Environment) -> bool:
    """Whether its interpreter and every program that it must have are there."""
    names = ("python", *environment.programs)
    return all((folder / "bin" / name).exists() for name in names)


def make(root: Path, environment: Environment) -> None:
    """Makes or mends one environment. Raises SetupError; pip's own words are in its log."""
    folder = root / environment.folder
    stamp = folder / STAMP
    log = root / ".build" / f"setup-{environment.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    version = (root / ".python-version").read_text().strip()
    wanted = wanted_stamp(root, environment)
    moved = stamp.exists() and stamp.read_text().splitlines()[:1] != wanted.splitlines()[:1]

    with log.open("w") as output:

        def run(*command: str) -> None:
            if not succeeds(command, root, output):
                raise SetupError(
                    f"cardroom: setting up {environment.folder} failed: {last_error(log)}"
                    f" (all of it: {log.relative_to(root)})"
                )

        def anew() -> None:
            shutil.rmtree(folder, ignore_errors=True)
            run(sys.executable, "-m", "venv", str(folder))

        def install() -> None:
            # Python compiles what is imported, which is a fraction of what is installed.
            python = str(folder / "bin" / "python")
            pip = (python, "-m", "pip", "install", "--no-input", "--no-compile")
            run(*pip, "--requirement", environment.requirements)
            if environment.installs_project:
                run(*pip, "--no-deps", "--no-build-isolation", "--editable", ".")

        if moved or not interpreter_runs(folder, version):
            anew()
        stamp.unlink(missing_ok=True)
        install()
        if not has_programs(folder, environment):
            # pip believes its own records, whatever is missing beside them.
            anew()
            install()
    stamp.write_text(wanted)


def succeeds(command: Sequence[str], root: Path, log: TextIO, **environment: str) -> bool:
    """Runs it in the folder to its end; what it says goes to the log."""
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode == 0


def last_error(log: Path) -> str:
    """The last line of a log that says ERROR, or its last line."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no output"])[-1]


def main(
    names: list[str], root: Path = ROOT, environments: tuple[Environment, ...] = ENVIRONMENTS
) -> int:
    """Makes the named environments. The exit status: 0, 1 where one failed, 2 for a wrong name."""
    unknown = set(names) - {environment.name for environment in environments}
    if unknown:
        print(f"cardroom: no environment named {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    chosen = [e for e in environments if e.name in names or not (names or e.by_name_only)]
    if all(is_ready(root, environment) for environment in chosen):
        return 0
    (root / ".build").mkdir(exist_ok=True)
    with (root / ".build" / "setup.lock").open("w") as lock:
        # Another make may be at it in another terminal.
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _make_all(root, [e for e in chosen if not is_ready(root, e)])


def _make_all(root: Path, missing: list[Environment]) -> int:
    folders = ", ".join(environment.folder for environment in missing)
    if missing:
        print(f"Setting up {folders} (once; about a minute) ...", flush=True)
    failures: list[str] = []

    def work(environment: Environment) -> None:
        started = time.monotonic()
        try:
            make(root, environment)
        except (SetupError, OSError) as error:
            failures.append(str(error))
        else:
            print(f"  {environment.folder} ready, {time.monotonic() - started:.0f} s", flush=True)

    threads = [threading.Thread(target=work, args=(e,), daemon=True) for e in missing]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
