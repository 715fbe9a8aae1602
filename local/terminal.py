"""Lines in, a screen out: a terminal that is redrawn above the line being typed, or plain text
where it is none.
"""

import asyncio
import codecs
import os
import shutil
import sys
import termios
import tty
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Final, Self, TextIO

from local.page import WIDTH, Page, columns, fitted

LONGEST: Final = 200
"""Characters of a typed line that are kept."""
NOTICE_ROWS: Final = 5
"""What is said takes no more of the screen than this."""

type _Modes = list[int | list[bytes | int]]


class LineEditor:
    """Typed characters to lines: backspace, Ctrl-U, Ctrl-D on an empty line; other control keys do
    nothing.
    """

    def __init__(self) -> None:
        self.typed = ""
        self.ended = False
        self._escape = ""

    def feed(self, text: str) -> list[str]:
        """The lines that these characters complete."""
        lines = []
        for one in text:
            if self._escape:
                self._escape += one
                if (len(self._escape) > 2 or one not in "[O") and not one.isdigit() and one != ";":
                    self._escape = ""
            elif one == "\x1b":
                self._escape = one
            elif one in "\r\n":
                lines.append(self.typed)
                self.typed = ""
            elif one in "\x7f\b":
                self.typed = self.typed[:-1]
            elif one == "\x15":
                self.typed = ""
            elif one == "\x04":
                self.ended = self.ended or not self.typed
            elif one.isprintable() and len(self.typed) < LONGEST:
                self.typed += one
        return lines


class Terminal:
    """`with Terminal() as terminal`: puts the terminal back as it was, whatever happens."""

    def __init__(self, source: TextIO | None = None, out: TextIO | None = None) -> None:
        self._in = source or sys.stdin
        self._out = out or sys.stdout
        tame = os.environ.get("TERM", "") not in ("", "dumb")
        self.live = tame and self._out.isatty()
        """The screen can be redrawn in place."""
        self.colour = self.live and "NO_COLOR" not in os.environ
        self._editor = LineEditor()
        self._modes: _Modes | None = None
        self._notice = ""

    def __enter__(self) -> Self:
        if self.live:
            if self._in.isatty():
                self._modes = termios.tcgetattr(self._in)
                tty.setcbreak(self._in)
            self._write("\x1b[?1049h\x1b[2J\x1b[H")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self.live:
            self._write("\x1b[?1049l")
        if self._modes is not None:
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._modes)

    @property
    def width(self) -> int:
        """Columns to draw in."""
        return min(WIDTH, shutil.get_terminal_size().columns) if self.live else WIDTH

    def draw(self, page: Page, prompt: str = "") -> None:
        """Show the screen; on a terminal in place of the last one, as much as it has room for."""
        if not self.live:
            self._write("\n".join([*page.table, *page.foot, ""]))
            return
        width, rows = self.width, shutil.get_terminal_size().lines
        notice = fitted(self._notice, width)[:NOTICE_ROWS] if self._notice else []
        # The last row is the one that is typed in.
        lines = [*page.lines(max(1, rows - 1 - len(notice)), width), *notice][: rows - 1]
        typed = f"{prompt}{self._editor.typed}"
        while columns(typed) >= width:
            typed = typed[1:]
        # A line is wiped before it is written: in the last column there is no after.
        body = "".join(f"\x1b[K{line}\n" for line in lines)
        self._write(f"\x1b[H{body}\x1b[K{typed}\x1b[J")

    def say(self, sentence: str) -> None:
        """One line to the reader; on a terminal it stays below the screen until the next one."""
        if self.live:
            self._notice = sentence
        else:
            self._write(f"{sentence}\n")

    async def lines(self) -> AsyncIterator[str]:
        """Typed lines until the input ends."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Queue[str | None] = asyncio.Queue()
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        number = self._in.fileno()

        def read() -> None:
            try:
                data = os.read(number, 4096)
            except OSError:
                data = b""
            for line in self._editor.feed(decoder.decode(data)):
                arrived.put_nowait(line)
            if not data or self._editor.ended:
                loop.remove_reader(number)
                arrived.put_nowait(None)

        try:
            loop.add_reader(number, read)
        except PermissionError:  # a plain file cannot be waited for
            for line in self._in.read().splitlines():
                yield line
            return
        try:
            while (line := await arrived.get()) is not None:
                yield line
        finally:
            loop.remove_reader(number)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
