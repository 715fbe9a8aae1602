"""Writes the measured parts of docs/costs.md anew: between their markers, and the plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench import calls, ceiling, growth, naive, prices
from bench.figures import Figure, markdown, number
from bench.hand_files import PROJECT
from bench.people import Played

PAGE: Final = PROJECT / "docs" / "costs.md"
LOAD: Final = PROJECT / "docs" / "load.md"
PICTURES: Final = PROJECT / "docs" / "pictures"
BEGIN, END = "<!-- {}: written by `make bench ARGS=--write` -->", "<!-- end -->"
BEGIN_LOAD: Final = "<!-- {0}: written by `make load WHAT={0} ARGS=--write` -->"


def write(figures: Sequence[Figure], played: Played, page: Path = PAGE) -> None:
    text = page.read_text()
    text = replaced(text, "figures", table_of_figures(figures))
    text = replaced(text, "bill", table_of_bill(played))
    text = replaced(text, "calls", table_of_calls(played))
    text = replaced(text, "ceiling", table_of_limits(played))
    page.write_text(text)
    for plot in growth.plots():
        (PICTURES / plot.file).write_text(plot.text)


def write_latency(measured: Mapping[int, Sequence[float]]) -> None:
    """The plot of what was measured on the local room, by tables, where there were several."""
    if len(measured) > 1:
        (PICTURES / "latency-by-tables.svg").write_text(growth.latency(measured))


def write_load(
    name: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    said: Sequence[str],
    page: Path = LOAD,
) -> None:
    """What a scenario of load came to, and what is to be said beside it."""
    lines = markdown(head, rows)
    for line in said:
        lines += ["", line[:1].upper() + line[1:] + "."]
    page.write_text(replaced(page.read_text(), name, lines, BEGIN_LOAD))


def replaced(text: str, name: str, lines: Sequence[str], begins: str = BEGIN) -> str:
    """With these lines between the markers of this name. Raises ValueError where there are none."""
    begin = begins.format(name)
    before, found, rest = text.partition(begin)
    _, ends, after = rest.partition(END)
    if not found or not ends:
        raise ValueError(f"the page has no place for {name}")
    body = "\n".join(lines)
    return f"{before}{begin}\n{body}\n{END}{after}"


def table_of_figures(figures: Sequence[Figure]) -> list[str]:
    return markdown(("figure", "measured", "budget", ""), (one.cells for one in figures))


def table_of_bill(played: Played) -> list[str]:
    """Ours and the naive design's, line by line."""
    ours, theirs = prices.bill(played), naive.bill(played)
    rows = [
        (who, one.service, one.what, number(one.units), f"{one.dollars:.3f}")
        for who, lines in (("Cardroom", ours), ("naive", theirs))
        for one in lines
    ]
    sums = [
        ("**Cardroom**", "", "", "", f"**{prices.total(ours):.3f}**"),
        ("**naive**", "", "", "", f"**{prices.total(theirs):.3f}**"),
    ]
    return markdown(("design", "service", "what", "a hand", "$ for 1,000"), [*rows, *sums])


def table_of_calls(played: Played) -> list[str]:
    rows = [*calls.rows(played), *calls.units(played)]
    return markdown(("", "", "a hand"), [(one, what, number(times)) for one, what, times in rows])


def table_of_limits(played: Played) -> list[str]:
    rows = [
        (
            one.name,
            number(one.quota),
            one.whose if one.seen else f"{one.whose}, unverified",
            number(one.used),
            number(round(one.tables)),
            number(round(one.tables * played.seats)),
            number(round(one.tables * played.spectators)),
        )
        for one in ceiling.limits(played)
    ]
    head = ("what", "there is", "by", "a table uses", "tables", "players", "spectators")
    return markdown(head, rows)
