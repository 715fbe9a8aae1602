"""Where things stand on a page, and whether one hides another."""

from dataclasses import dataclass
from itertools import combinations

from playwright.async_api import Locator

from tests.e2e.browser.visitor import PHONE, Visitor

SLACK = 0.5
"""Pixels that two may share: edges are drawn at parts of a pixel."""


@dataclass(frozen=True)
class Box:
    name: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left + SLACK < other.right
            and other.left + SLACK < self.right
            and self.top + SLACK < other.bottom
            and other.top + SLACK < self.bottom
        )

    def inside(self, width: float, height: float) -> bool:
        return (
            self.left >= -SLACK
            and self.top >= -SLACK
            and self.right <= width + SLACK
            and self.bottom <= height + SLACK
        )


async def boxes(name: str, places: Locator) -> list[Box]:
    """Of all that are shown."""
    found = []
    for number, place in enumerate(await places.all()):
        if not await place.is_visible():
            continue
        box = await place.bounding_box()
        if box is not None and box["width"] and box["height"]:
            left, top = box["x"], box["y"]
            right, bottom = left + box["width"], top + box["height"]
            found.append(Box(f"{name} {number}", left, top, right, bottom))
    return found


async def seconds_and_button(visitor: Visitor) -> list[Box]:
    """Of the running turn, and of the dealer, at whose seat it may run."""
    button = visitor.felt.get_by_role("img", name="Dealer button")
    seconds = visitor.felt.get_by_role("timer")
    return [*await boxes("seconds", seconds), *await boxes("button", button)]


def overlaps(found: list[Box]) -> list[str]:
    return [f"{one} / {other}" for one, other in combinations(found, 2) if one.meets(other)]


def outside(found: list[Box]) -> list[str]:
    """What a phone's screen cuts off."""
    return [f"{one}" for one in found if not one.inside(PHONE["width"], PHONE["height"])]
