"""What a seed plays: tables, players with their money and habits, guests.

Seeds differ: most rooms are small, some are crowded. Breadth comes from many seeds.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from poker_engine.stakes import (
    PHP_STAKES,
    Settings,
    Stakes,
    fixed_limit,
    no_limit,
    table_settings,
)

STAKES: Final = (
    *PHP_STAKES,
    no_limit("USD", 100),
    no_limit("USD", 500),
    fixed_limit("USD", 600),
    fixed_limit("USD", 2000),
)
NAMES: Final = ("ana", "ben", "cyd", "dov", "eve", "flo", "gus", "hal", "ivy", "jon", "kim", "lea")
MORE: Final = ("mia", "ned", "ola", "pia", "quy", "ray", "sol", "tam")
"""In a room of ten tables."""
TEN: Final = 50
"""Of a hundred seeds this one has ten tables, which one stream tells of."""
RICH: Final = 100
"""Least buy-ins in a wallet; the poor have a few."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A table to begin with; `most` of its stake open by themselves (see Meta)."""

    table: str
    settings: Settings
    most: int


@dataclass(frozen=True, slots=True)
class Habits:
    """What one is like who plays, or looks on."""

    player: str
    tables: tuple[str, ...]
    """That he watches at first."""
    stakes: tuple[str, ...] = ()
    """Structures at which he wants a seat."""
    thinks_ms: int = 4_000
    """On a turn, on average."""
    many: float = 0.0
    """How much he likes a second seat at a stake."""
    curious: float = 1.0
    """How often he looks at the lobby, his account and his limits."""
    careful: bool = False
    """He limits a day's losses to little more than he sits down with, lets his seat buy chips by
    itself, and plays for all that he has.
    """
    quarrelsome: bool = False
    """He disputes hand after hand."""


@dataclass(frozen=True, slots=True)
class Plan:
    openings: tuple[Opening, ...]
    players: tuple[Habits, ...]
    guests: tuple[Habits, ...]
    money: dict[tuple[str, str], int] = field(default_factory=dict)
    """By player and currency."""


def plan_of(seed: int) -> Plan:
    dice = Random(f"plan/{seed}")
    if seed % 100 == TEN:
        return _ten_tables(dice)
    openings = _openings(dice)
    crowded = dice.random() < 0.38
    players: list[Habits] = []
    money: dict[tuple[str, str], int] = {}
    for name in NAMES[: _crowd(dice, openings, crowded=crowded)]:
        home = dice.choice(openings)
        wanted = {home.settings.stakes.structure: None}
        if dice.random() < 0.2:
            wanted[dice.choice(openings).settings.stakes.structure] = None
        players.append(
            Habits(
                name,
                (home.table,),
                tuple(wanted),
                thinks_ms=dice.choice((2_500, 4_000, 6_000)),
                many=0.1 if dice.random() < 0.1 else 0.0,
                curious=dice.choice((0.5, 1.0, 2.0)),
                careful=dice.random() < 0.15,
                quarrelsome=Random(f"quarrels/{seed}/{name}").random() < 0.15,
            )
        )
        for opening in openings:
            owner = (name, opening.settings.stakes.currency)
            buys = dice.randint(1, 5) if dice.random() < 0.15 else RICH
            money[owner] = max(money.get(owner, 0), buys * opening.settings.minimum)
    guests = tuple(
        Habits("", (dice.choice(openings).table,), curious=2.0)
        for _ in range(dice.choice((0, 0, 0, 1, 1, 2)))
    )
    return Plan(openings, tuple(players), guests, money)


def _ten_tables(dice: Random) -> Plan:
    """Each of a stake of its own, for two who play there."""
    openings = tuple(
        Opening(f"t{number}", table_settings(stakes, 2), 1) for number, stakes in enumerate(STAKES)
    )
    players: list[Habits] = []
    money: dict[tuple[str, str], int] = {}
    for number, name in enumerate((*NAMES, *MORE)):
        home = openings[number % len(openings)]
        structure = home.settings.stakes.structure
        thinks_ms = dice.choice((6_000, 9_000))
        players.append(Habits(name, (home.table,), (structure,), thinks_ms, curious=0.5))
        money[name, home.settings.stakes.currency] = RICH * home.settings.minimum
    return Plan(openings, tuple(players), (), money)


def _openings(dice: Random) -> tuple[Opening, ...]:
    found: list[Opening] = []
    stakes: list[Stakes] = []
    for number in range(dice.choices((1, 2, 3), (68, 28, 4))[0]):
        shared = stakes and dice.random() < 0.6
        one = dice.choice(stakes) if shared else dice.choice(STAKES)
        stakes.append(one)
        settings = table_settings(
            one,
            dice.choices((2, 3, 4, 6, 9), (35, 20, 15, 20, 10))[0],
            time_bank_ms=dice.choice((5_000, 15_000)) if dice.random() < 0.25 else 0,
            delay_s=dice.choice((5, 20)) if dice.random() < 0.25 else 0,
        )
        sit_out_ms = dice.choice((20_000, 60_000))
        settings = replace(settings, sit_out_ms=sit_out_ms, muck_losers=dice.random() < 0.2)
        found.append(Opening(f"t{number}", settings, dice.choice((1, 1, 2, 3))))
    return tuple(found)


def _crowd(dice: Random, openings: tuple[Opening, ...], *, crowded: bool) -> int:
    """How many players: where it is crowded more than there are seats."""
    seats = sum(opening.settings.seats for opening in openings)
    if crowded:
        return min(seats + dice.randint(1, 2), len(NAMES))
    return min(dice.choices((2, 3, 4, 5), (40, 35, 15, 10))[0], seats + 1)
