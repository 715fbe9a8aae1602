"""Reports as tables: a page of text, a page for browsers and printers, and CSV for spreadsheets.

Rows are written as they come, and forgotten.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import Final, TextIO

from cli.formats.amounts import decimal
from cli.printable import printable

type Cell = str | int | None
"""A text, a number, or an amount of minor units, by its column."""
type Row = Sequence[Cell]

MINOR: Final = 100
"""Smallest units in one of a currency."""
LONGEST: Final = 200
"""Of a text on a page."""
FORMULA: Final = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet would take for the beginning of a formula; the last four are wide signs."""


class Holds(StrEnum):
    TEXT = "text"
    COUNT = "count"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class Column:
    """`width` is of a page of text, in characters; a longer cell moves what is right of it."""

    name: str
    width: int = 0
    holds: Holds = Holds.TEXT

    def text(self, cell: Cell) -> str:
        if cell is None:
            return ""
        if self.holds is Holds.MONEY and isinstance(cell, int):
            return decimal(cell, MINOR)
        return str(cell)


@dataclass(frozen=True, slots=True)
class Part:
    """One table. Its rows are asked for once; `empty` is said where there are none."""

    name: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    empty: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    about: tuple[str, ...]
    columns: tuple[Column, ...]
    """All that its parts have."""
    parts: Iterable[Part] = field(default=())


class Style(StrEnum):
    PAGE = "page"
    HTML = "html"
    CSV = "csv"


def write(report: Report, style: Style, out: TextIO) -> None:
    """The whole report. Raises OSError."""
    writers: Mapping[Style, Callable[[Report, TextIO], None]] = {
        Style.PAGE: _page,
        Style.HTML: _html,
        Style.CSV: _csv,
    }
    writers[style](report, out)


def _page(report: Report, out: TextIO) -> None:
    for line in (report.title, *report.about):
        print(printable(line, LONGEST), file=out)
    for part in report.parts:
        print(f"\n{printable(part.name, LONGEST)}", file=out)
        some = False
        for row in part.rows:
            if not some:
                print(_line([column.name for column in part.columns], part.columns), file=out)
            some = True
            texts = [column.text(cell) for column, cell in zip(part.columns, row, strict=True)]
            print(_line([printable(text, LONGEST) for text in texts], part.columns), file=out)
        for line in _below(part, some=some):
            print(f"  {printable(line, LONGEST)}", file=out)


def _below(part: Part, *, some: bool) -> Sequence[str]:
    return part.notes if some or not part.empty else (part.empty, *part.notes)


def _line(texts: Sequence[str], columns: Sequence[Column]) -> str:
    cells = (
        text.ljust(column.width) if column.holds is Holds.TEXT else text.rjust(column.width)
        for text, column in zip(texts, columns, strict=True)
    )
    return f"  {'  '.join(cells)}".rstrip()


_STYLE: Final = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#111;background:#fff}"
    "table{border-collapse:collapse;margin:1em 0}caption{text-align:left;font-weight:600}"
    "th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left}"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "thead{display:table-header-group}tr{break-inside:avoid}"
)


def _html(report: Report, out: TextIO) -> None:
    title = escape(report.title)
    out.write(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    )
    out.writelines(f"<p>{escape(line)}</p>\n" for line in report.about)
    for part in report.parts:
        out.write(f"<table><caption>{escape(part.name)}</caption><thead><tr>")
        out.writelines(
            f'<th scope="col"{_class(column)}>{escape(column.name)}</th>' for column in part.columns
        )
        out.write("</tr></thead><tbody>\n")
        some = False
        for row in part.rows:
            some = True
            cells = (
                f"<td{_class(column)}>{escape(printable(column.text(cell), LONGEST))}</td>"
                for column, cell in zip(part.columns, row, strict=True)
            )
            out.write(f"<tr>{''.join(cells)}</tr>\n")
        out.write("</tbody></table>\n")
        out.writelines(f"<p>{escape(line)}</p>\n" for line in _below(part, some=some))
    out.write("</body></html>\n")


def _class(column: Column) -> str:
    return "" if column.holds is Holds.TEXT else ' class="n"'


_PART: Final = Column("part")


def _csv(report: Report, out: TextIO) -> None:
    """One table of all parts: the first column says which part a row is of."""
    names = [column.name for column in report.columns]
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_PART.name, *names])
    for part in report.parts:
        for row in part.rows:
            cells = {
                column.name: _cell(column, cell)
                for column, cell in zip(part.columns, row, strict=True)
            }
            writer.writerow([_cell(_PART, part.name), *(cells.get(name, "") for name in names)])


def _cell(column: Column, cell: Cell) -> str:
    text = column.text(cell)
    if column.holds is Holds.TEXT and text.startswith(FORMULA):
        return f"'{text}"
    return text
