"""Finds the browsers that the tests drive; installs them where that is one command.

    python -m local.browser          # both; quick where they are there

Chromium and Firefox as they are on the PATH. Where one is missing and this is root on Debian or the
like, its own package is installed, once. Elsewhere one line says what is wanted.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from local.environments import ROOT, succeeds

LOG = Path(".build/browsers.log")


class NoBrowser(Exception):
    """One line that says which, and what to do."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A browser: the names that its program may have, and Debian's package of it."""

    name: str
    programs: tuple[str, ...]
    package: str

    @property
    def variable(self) -> str:
        """Names another program than those on the PATH."""
        return f"CARDROOM_{self.name.upper()}"


CHROMIUM = Kind(
    "Chromium",
    (
        *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"),
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "chromium",
)
FIREFOX = Kind(
    "Firefox",
    ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"),
    "firefox-esr",
)


def found(kind: Kind, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Its program, if there is one."""
    named = environment.get(kind.variable)
    programs = (named,) if named else kind.programs
    paths = (shutil.which(program, path=environment.get("PATH")) for program in programs)
    return next((Path(path) for path in paths if path is not None), None)


def program(kind: Kind) -> Path:
    """Raises NoBrowser where it is not there."""
    path = found(kind)
    if path is None:
        raise NoBrowser(
            f"cardroom: the browser tests need {kind.name}: install it (on Debian as root:"
            f" apt-get install {kind.package}), or name its program in {kind.variable}"
        )
    return path


def install(kinds: list[Kind], root: Path | None = None) -> None:
    """By Debian's packages, as root. Raises NoBrowser where that cannot be, or fails."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        for kind in kinds:
            program(kind)
    packages = [kind.package for kind in kinds]
    print(f"Installing {', '.join(packages)} (once; about a minute) ...", flush=True)
    log_file = (root or ROOT) / LOG
    log_file.parent.mkdir(parents=True, exist_ok=True)
    with log_file.open("w") as log:
        for words in (
            ["update"],
            ["install", "--yes", "--no-install-recommends", *packages],
        ):
            command = ["apt-get", "--quiet", *words]
            if not succeeds(command, ROOT, log, DEBIAN_FRONTEND="noninteractive"):
                raise NoBrowser(
                    f"cardroom: apt-get {words[0]} failed; what it said is in {LOG}; the browser"
                    f" tests need {' and '.join(kind.name for kind in kinds)}"
                )


def main() -> int:
    """The exit status: 0, or 1 with one line where a browser is missing."""
    try:
        missing = [kind for kind in (CHROMIUM, FIREFOX) if found(kind) is None]
        if missing:
            install(missing)
        for kind in (CHROMIUM, FIREFOX):
            program(kind)
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
