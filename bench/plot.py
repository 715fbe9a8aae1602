"""A plot of a few lines as SVG: small text that changes little when its figures do.

There is no plotting library among the project's tools, and one would be a good deal more than
these few axes need.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 44, 48
COLOURS: Final = ("#1b6ca8", "#c8553d", "#3d7f4a", "#7a4fa3")
TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]


def svg(title: str, across: str, up: str, series: Sequence[Series]) -> str:
    """Lines from zero upwards; what is across is named below, what is up in the corner."""
    right = max(x for one in series for x, _ in one.points)
    step = tick(max(y for one in series for _, y in one.points))
    top = step * ceil(max(y for one in series for _, y in one.points) / step - 1e-9)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + wide * x / right, TOP + high * (1 - y / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12" '
        f'role="img" aria-label="{escape(title)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(LEFT, 18, title, size=14, weight="bold"),
        _text(LEFT, TOP - 10, up, colour="#555555"),
        _text(LEFT + wide / 2, HEIGHT - 10, across, anchor="middle", colour="#555555"),
    ]
    for number in range(round(top / step) + 1):
        _, y = at(0, number * step)
        parts.append(
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + wide}" y2="{y:.1f}" stroke="#e2e2e2"/>'
        )
        parts.append(_text(LEFT - 8, y + 4, label(number * step, step), anchor="end"))
    last = -1.0e9
    for x in sorted({x for one in series for x, _ in one.points}):
        place, y = at(x, 0)
        if place - last < 22:
            continue
        last = place
        parts.append(
            f'<line x1="{place:.1f}" y1="{y:.1f}" x2="{place:.1f}" y2="{y + 5:.1f}" stroke="#888"/>'
        )
        parts.append(_text(place, y + 18, label(x, 1), anchor="middle"))
    names = _apart([at(*one.points[-1])[1] for one in series])
    for one, colour, name_y in zip(series, COLOURS, names, strict=False):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in one.points))
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        for point in one.points:
            x, y = at(*point)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        parts.append(_text(LEFT + wide + 10, name_y + 4, one.name, colour=colour))
    return "\n".join([*parts, "</svg>", ""])


def tick(most: float) -> float:
    """The step of a scale: 1, 2 or 5 of some power of ten, so that about five reach the most."""
    rough = max(most, 1e-9) / TICKS
    power: float = 10.0 ** floor(log10(rough))
    return power * next(one for one in (1, 2, 5, 10) if one * power >= rough * 0.999)


def label(value: float, step: float) -> str:
    places = max(0, -floor(log10(step) + 1e-9))
    return f"{value:,.{places}f}"


def _apart(places: list[float]) -> list[float]:
    """Heights of names, none over another."""
    order = sorted(range(len(places)), key=lambda one: places[one])
    found = list(places)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + 15)
    return found


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 12,
    weight: str = "normal",
    colour: str = "#222222",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{colour}">{escape(text)}</text>'
    )
