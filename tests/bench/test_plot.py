"""Plots are well-formed, within their frame, and none of their names covers another."""

from xml.etree import ElementTree

import pytest

from bench.growth import SEATS, SPECTATORS, TABLES, plots
from bench.people import Played
from bench.plot import HEIGHT, WIDTH, Series, label, svg, tick

SVG = "{http://www.w3.org/2000/svg}"


def test_a_plot_has_its_points_within_its_frame() -> None:
    lines = [Series("ours", [(2, 0.3), (10, 0.55)]), Series("theirs & co", [(2, 0.3), (10, 0.56)])]
    root = ElementTree.fromstring(svg("Costs", "seats", "dollars", lines))
    points = root.findall(f"{SVG}circle")
    assert len(points) == 4
    assert all(0 < float(one.attrib["cx"]) < WIDTH for one in points)
    assert all(0 < float(one.attrib["cy"]) < HEIGHT for one in points)
    names = [one for one in root.findall(f"{SVG}text") if one.text in ("ours", "theirs & co")]
    first, second = sorted(float(one.attrib["y"]) for one in names)
    assert second - first >= 15


@pytest.mark.parametrize(
    ("most", "step"), [(0.55, 0.2), (1.0, 0.2), (2.5, 0.5), (7, 2), (12_000, 5_000), (50, 10)]
)
def test_a_scale_has_round_steps(most: float, step: float) -> None:
    assert tick(most) == pytest.approx(step)


def test_labels_have_the_places_of_their_step() -> None:
    assert [label(0.4, 0.2), label(2.0, 0.5), label(6, 2), label(12_000, 5_000)] == [
        "0.4", "2.0", "6", "12,000",
    ]  # fmt: skip


def test_there_is_a_plot_of_each_growth(played: Played) -> None:
    asked: list[dict[str, int]] = []

    def play(hands: int, **more: int) -> Played:
        asked.append(more)
        return played

    drawn = plots(play)
    assert len(asked) == len(SEATS) + len(SPECTATORS) + len(TABLES)
    assert len({one.file for one in drawn}) == len(drawn) == 4
    for one in drawn:
        ElementTree.fromstring(one.text)
