"""A screen of so many rows and columns: what matters most is never what is cut."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

WIDTH: Final = 80
"""Wider than this nothing is drawn, however wide the terminal."""
NARROWEST: Final = 20
LEAST_LOG: Final = 3
MOST_LOG: Final = 20
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")


def columns(text: str) -> int:
    """How many columns the text takes on a terminal, its colours apart."""
    bare = _ESCAPE.sub("", text)
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in bare)


def fitted(line: str, width: int = WIDTH, indent: str = "  ") -> list[str]:
    """The line in pieces of at most `width` columns, broken at blanks; a longer word is broken."""
    width = max(NARROWEST, width)
    if columns(line) <= width:
        return [line]
    pieces, piece = [], ""
    for word in line.split(" "):
        longer = f"{piece} {word}" if piece else word
        if piece.strip() and columns(longer) > width:
            pieces.append(piece.rstrip())
            longer = indent + word
        while columns(longer) > width and not _ESCAPE.search(longer):
            head = longer[:width]
            while columns(head) > width:
                head = head[:-1]
            pieces.append(head)
            longer = indent + longer[len(head) :]
        piece = longer
    return [*pieces, piece]


def all_fitted(lines: list[str], width: int = WIDTH) -> list[str]:
    return [piece for line in lines for piece in fitted(line, width)]


@dataclass(frozen=True)
class Page:
    """A screen in parts. `table` ends with what its player needs most, unless that is at its `top`;
    `log` ends with the newest; `foot` stays whatever happens; "" is a line that may go.
    """

    table: list[str]
    log: list[str] = field(default_factory=list)
    foot: list[str] = field(default_factory=list)
    top: bool = False

    def lines(self, rows: int, width: int = WIDTH) -> list[str]:
        """At most `rows` lines of at most `width` columns.

        Where there is too little room the empty lines go first, then the older lines of the log,
        then the rest of it, then the table from its less needed end.
        """
        table, log, foot = (all_fitted(part, width) for part in (self.table, self.log, self.foot))
        log = log[-MOST_LOG:]
        gap = [""] if log else []
        if len(table) + len(foot) + 2 * len(gap) + min(len(log), LEAST_LOG) > rows:
            table, foot = ([line for line in part if line] for part in (table, foot))
            gap = []
        last = [""] if gap and foot and foot[0] else []
        room = rows - len(table) - len(foot) - len(gap) - len(last)
        log = log[-room:] if room > 0 else []
        if not log:
            gap = []
        table = self._cut(table, rows - len(foot))
        return [*table, *gap, *log, *last, *foot][:rows]

    def _cut(self, table: list[str], rows: int) -> list[str]:
        if rows < 1 or len(table) <= rows:
            return table[: max(0, rows)]
        if self.top:
            return [*table[: rows - 1], f"... {len(table) - rows + 1} more lines"]
        return table[-rows:]
