"""From where the bots of a room come: homes, a café, a carrier's address."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from cardroom.personal import Arrival
from tests.collusion.bots import Bot

DAYS: Final = 14
CAFE: Final = 30
"""Honest bots that often play from one café."""
CARRIER: Final = 60
"""Bots that often come over one carrier's address, whoever they are."""
OFTEN: Final = 0.4


def arrivals(seed: int, bots: Sequence[Bot], *, together: bool) -> Iterator[Arrival]:
    """Friends live together, and of each third pair of them both use one device. Where they are
    `together`, those who have agreed on something are at the same home on every other day.
    """
    dice = Random(f"places {seed}")
    honest = [bot.name for bot in bots if bot.partner is None]
    cafe = set(dice.sample(honest, CAFE))
    carrier = set(dice.sample([bot.name for bot in bots], CARRIER))
    houses = [(bot, bot.friend) for bot in bots if bot.friend and bot.name < bot.friend.name]
    home = {bot.name: bot.name for bot in bots}
    device = dict(home)
    for number, (one, other) in enumerate(houses):
        home[other.name] = one.name
        if number % 3 == 0:
            device[other.name] = one.name
    for day in range(DAYS):
        for bot in bots:
            name, at = bot.name, home[bot.name]
            partner = bot.partner
            if together and partner is not None and day % 2:
                at = min(name, partner.name)
            places = [at]
            for some, where in ((cafe, "the café"), (carrier, "the carrier")):
                if name in some and dice.random() < OFTEN:
                    places.append(where)
            for place in places:
                yield Arrival(name, day, _hash(day, place), _hash(day, f"device {device[name]}"))


def _hash(day: int, text: str) -> str:
    return f"{day:04x}{text.encode().hex()}"
