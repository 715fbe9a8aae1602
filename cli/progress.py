"""A progress bar on a terminal, and nothing anywhere else."""

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self, TextIO

WIDTH = 40


class Progress:
    """Draws on `stream` where that is a terminal, and goes away when it is left."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._drawn = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wipe()

    def over[Item](self, items: Sequence[Item]) -> Iterator[Item]:
        """The items, drawing how many are done."""
        for done, item in enumerate(items):
            self._draw(done, len(items))
            yield item

    def at(self, done: int, total: int) -> None:
        """So many of so many are done; nothing is drawn where nobody knows how many there are."""
        if total:
            self._draw(done, total)

    def print(self, stream: TextIO, line: str) -> None:
        """Writes a line above the bar."""
        self._wipe()
        print(line, file=stream, flush=self._terminal)

    def _draw(self, done: int, total: int) -> None:
        full = WIDTH * done // total
        bar = f"\r[{'#' * full}{'.' * (WIDTH - full)}] {done}/{total}"
        if self._terminal and bar != self._drawn:
            self._drawn = bar
            self._stream.write(bar)
            self._stream.flush()

    def _wipe(self) -> None:
        if self._drawn:
            self._stream.write("\r" + " " * (len(self._drawn) - 1) + "\r")
            self._stream.flush()
            self._drawn = ""
