"""Releases of the functions' code, several in one process, each with modules of its own.

`OURS` is the code that is tested. `following()` is one that could come after it: a copy with
`next.patch` applied, which adds to every text and item that the functions exchange what a later
release may add (docs/decisions/8). `raising()` is one that knows the next schema and the next rules
of play, by `raised.patch`, and `raised()` the one after that, which writes and plays them
(docs/decisions/10). A patch is made anew, with `git diff`, once it does not fit. `previous()` is
the last release as it was recorded, see tests/releases.
"""

import importlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PATCH: Final = Path(__file__).parent / "next.patch"
RAISED: Final = Path(__file__).parent / "raised.patch"
RECORDED: Final = ROOT / "tests/releases"
CODE: Final = "code.tar.gz"
BESIDE: Final = (
    "cardroom.audit",
    "cardroom.inventory",
    "cardroom.proof",
    "cardroom.histories",
)
"""What no function imports."""
SOURCES: Final = ("functions", "layers/engine")
NOT_CODE: Final = shutil.ignore_patterns("__pycache__")
PACKAGES: Final = frozenset(
    path.name for source in SOURCES for path in (ROOT / source).iterdir() if path.is_dir()
)


@dataclass(eq=False)
class Release:
    """`modules` are those loaded so far, by name; `sources` is where its code lies, None for what
    is imported anyway.
    """

    name: str
    sources: tuple[Path, ...] | None
    modules: dict[str, ModuleType]

    def module(self, name: str) -> Any:
        """The module as this release has it."""
        if self.sources is None:
            return importlib.import_module(name)
        if name not in self.modules:
            with self._alone():
                importlib.import_module(name)
        return self.modules[name]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While it lasts, these packages are those of this release."""
        others = _taken_out()
        sys.modules.update(self.modules)
        path = list(sys.path)
        sys.path[:0] = [str(source) for source in self.sources or ()]
        try:
            yield
        finally:
            sys.path[:] = path
            self.modules = _taken_out()
            sys.modules.update(others)


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.partition(".")[0] in PACKAGES]
    return {name: sys.modules.pop(name) for name in names}


OURS: Final = Release("this", None, {})


@cache
def following() -> Release:
    """Raises CalledProcessError where the patch does not fit any more."""
    return _loaded("next", lambda folder: _patched(folder, PATCH))


@cache
def raising() -> Release:
    """Reads the next schema and plays by the next rules; writes and begins hands as this one."""
    return _loaded("raising", lambda folder: _patched(folder, RAISED))


@cache
def raised() -> Release:
    """Writes the next schema, and begins hands by the next rules."""

    def make(folder: Path) -> None:
        _patched(folder, RAISED)
        engine = folder / "layers/engine/poker_engine"
        for file, constant, newest in (
            ("schema.py", "WRITE_SCHEMA", "SCHEMA"),
            ("stakes.py", "PLAYED_RULES", "RULES_VERSION"),
        ):
            code, found = re.subn(
                rf"^{constant}: Final = \d+$",
                f"{constant} = {newest}",
                (engine / file).read_text(),
                flags=re.MULTILINE,
            )
            assert found == 1
            (engine / file).write_text(code)

    return _loaded("raised", make)


@cache
def previous() -> Release:
    def make(folder: Path) -> None:
        with tarfile.open(last_release() / CODE) as archive:
            archive.extractall(folder, filter="data")

    return _loaded("previous", make)


def last_release() -> Path:
    """Where it is recorded."""
    return max(
        (path.parent for path in RECORDED.glob(f"*/{CODE}")),
        key=lambda folder: [int(part) for part in folder.name.split(".")],
    )


def _patched(folder: Path, patch: Path) -> None:
    for source in SOURCES:
        shutil.copytree(ROOT / source, folder / source, ignore=NOT_CODE)
    applied = ["git", "apply", "--unidiff-zero", str(patch)]
    subprocess.run(applied, cwd=folder, check=True, capture_output=True)


def _loaded(name: str, make: Callable[[Path], None]) -> Release:
    """Its code is put into a folder by `make`, and imported."""
    folder = Path(tempfile.mkdtemp(prefix=f"cardroom-{name}-"))
    try:
        make(folder)
        release = Release(name, tuple(folder / source for source in SOURCES), {})
        for path in sorted((folder / "functions").glob("*/app.py")):
            release.module(f"{path.parent.name}.app")
        for name in BESIDE:
            release.module(name)
    finally:
        # All that it will ever import is loaded by now.
        shutil.rmtree(folder)
    return release
