"""Where a command's output goes: to a file, or to the terminal."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from cli.printable import printable


@contextmanager
def into(path: Path | None) -> Iterator[TextIO]:
    """The file; without one the standard output. Raises OSError.

    It is written beside what is there, and takes its place when it is whole: who is interrupted, or
    reads what he writes, has lost nothing.
    """
    if path is None:
        yield sys.stdout
        return
    place = path.resolve()
    if place.exists() and not (place.is_file() and os.access(place.parent, os.W_OK)):
        # A device or a pipe, or where nothing else may be.
        with place.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    beside = place.with_name(f".cardroom-{secrets.token_hex(8)}")
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            if place.exists():
                # As who may read it was, so it stays.
                beside.chmod(place.stat().st_mode)
            yield file
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def not_written(what: Path | str, error: OSError) -> int:
    """Says so; the exit code."""
    reason = (error.strerror or str(error)).lower()
    print(f"cardroom: cannot write {printable(str(what), 200)}: {reason}", file=sys.stderr)
    return 1
