"""How cost and bytes grow with seats, spectators and tables: the hands are played for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Final

from bench import naive, prices
from bench.people import Played, play
from bench.plot import Series, svg
from bench.room import PLAYERS, quantile

SEATS: Final = (2, 4, 6, 8, 10)
SPECTATORS: Final = (0, 10, 50, 100, 200)
TABLES: Final = (1, 2, 4, 8)
HANDS: Final = 5

type Play = Callable[..., Played]

UNSIGNED: Final[Play] = partial(play, signed=False)
"""Without signatures: what a function computes is little of its cost."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture for the docs."""

    file: str
    text: str


def plots(play: Play = UNSIGNED) -> list[Plot]:
    by_seats = {n: play(HANDS, seats=n, spectators=10) for n in SEATS}
    by_spectators = {n: play(HANDS, seats=6, spectators=n) for n in SPECTATORS}
    by_tables = {n: play(HANDS, seats=6, spectators=10, tables=n) for n in TABLES}
    return [
        Plot(
            "cost-by-seats.svg",
            svg(
                "What 1,000 hands cost, by seats (10 spectators)",
                "players at the table",
                "US dollars for 1,000 hands",
                _costs(by_seats),
            ),
        ),
        Plot(
            "bytes-by-seats.svg",
            svg(
                "Sizes in a hand, by seats (10 spectators)",
                "players at the table",
                "bytes",
                _bytes(by_seats),
            ),
        ),
        Plot(
            "cost-by-spectators.svg",
            svg(
                "What 1,000 hands cost, by spectators (6 players)",
                "spectators of the table",
                "US dollars for 1,000 hands",
                _costs(by_spectators),
            ),
        ),
        Plot(
            "cost-by-tables.svg",
            svg(
                "What 1,000 hands cost, by tables in the room",
                "tables of 6 players and 10 spectators",
                "US dollars for 1,000 hands",
                [
                    Series("were they traced", _each(by_tables, _traced)),
                    Series("Cardroom", _each(by_tables, _dollars)),
                ],
            ),
        ),
    ]


def latency(measured: Mapping[int, Sequence[float]]) -> str:
    """Of the local room: by tables, milliseconds of actions, sorted."""
    several = sorted(measured.items())
    return svg(
        "From an action to every client of its table, on one machine",
        f"tables of {PLAYERS}",
        "milliseconds",
        [
            Series(name, [(float(tables), quantile(times, share)) for tables, times in several])
            for name, share in (("p50", 0.50), ("p95", 0.95), ("p99", 0.99))
        ],
    )


def _traced(one: Played) -> float:
    return prices.traced(one, prices.traces_alone(one))


def _costs(played: dict[int, Played]) -> list[Series]:
    def naively(one: Played) -> float:
        return prices.total(naive.bill(one))

    return [
        Series("naive design", _each(played, naively)),
        Series("Cardroom", _each(played, _dollars)),
    ]


def _dollars(one: Played) -> float:
    return prices.total(prices.bill(one))


def _bytes(played: dict[int, Played]) -> list[Series]:
    return [
        Series("STATE, most", _each(played, lambda one: max(one.counts.state_bytes))),
        Series("STATE, average", _each(played, lambda one: fmean(one.counts.state_bytes))),
        Series("snapshot, average", _each(played, lambda one: fmean(one.counts.snapshot_bytes))),
        Series("push, average", _each(played, lambda one: fmean(one.counts.push_bytes))),
    ]


def _each(played: dict[int, Played], value: Callable[[Played], float]) -> list[tuple[float, float]]:
    return [(float(number), value(one)) for number, one in played.items()]
