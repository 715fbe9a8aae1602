"""Releases of the functions' code, several in one process, each with modules of its own.

`OURS` is the code that is tested. `following()` is one that could come after it: a copy with
`next.patch` applied, which adds to every text and item that the functions exchange what a later
release may add (docs/decisions/8). The patch is made anew, with `git diff`, once it does not fit.
"""

import importlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PATCH: Final = Path(__file__).parent / "next.patch"
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
    folder = Path(tempfile.mkdtemp(prefix="cardroom-next-"))
    try:
        for source in SOURCES:
            shutil.copytree(ROOT / source, folder / source, ignore=NOT_CODE)
        applied = ["git", "apply", "--unidiff-zero", str(PATCH)]
        subprocess.run(applied, cwd=folder, check=True, capture_output=True)
        release = Release("next", tuple(folder / source for source in SOURCES), {})
        for path in sorted((ROOT / "functions").glob("*/app.py")):
            release.module(f"{path.parent.name}.app")
    finally:
        # All that it will ever import is loaded by now.
        shutil.rmtree(folder)
    return release
