"""Where a command's output goes: to a file, or to the terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from cli.printable import printable


@contextmanager
def into(path: Path | None) -> Iterator[TextIO]:
    """The file, written anew; without one the standard output. Raises OSError."""
    if path is None:
        yield sys.stdout
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def not_written(what: Path | str, error: OSError) -> int:
    """Says so; the exit code."""
    reason = (error.strerror or str(error)).lower()
    print(f"cardroom: cannot write {printable(str(what), 200)}: {reason}", file=sys.stderr)
    return 1
