"""How fast the engine's evaluator is beside treys, both on the same hands in one run.

Run it as ``python bench/evaluator.py``; another script calls ``measure`` and ``report``.
"""

import random
from collections.abc import Callable
from statistics import median
from time import perf_counter

import treys

from poker_engine.cards import text
from poker_engine.evaluator import evaluate

AIM = 3
HANDS = 4_000
ROUNDS = 25
SEED = 7462


def measure() -> tuple[float, float]:
    """Seven-card hands a second of this evaluator and of treys: medians over short rounds.

    The two take turns round by round, so that what else the machine does slows both. Each gets
    two hole cards and five board cards, already in its own form of cards.
    """
    chosen = random.Random(SEED)
    deals = [chosen.sample(range(52), 7) for _ in range(HANDS)]
    ours = [(tuple(deal[:2]), tuple(deal[2:])) for deal in deals]
    theirs = [
        ([treys.Card.new(text(card)) for card in deal[:2]],
         [treys.Card.new(text(card)) for card in deal[2:]])
        for deal in deals
    ]  # fmt: skip
    referee = treys.Evaluator()

    def round_of_ours(start: int, end: int) -> None:
        for hole, board in ours[start:end]:
            evaluate(hole + board)

    def round_of_treys(start: int, end: int) -> None:
        for hole, board in theirs[start:end]:
            referee.evaluate(hole, board)

    our_speeds: list[float] = []
    treys_speeds: list[float] = []
    share = HANDS // ROUNDS
    for start in range(0, HANDS, share):
        our_speeds.append(_speed(round_of_ours, start, start + share, repeats=20))
        treys_speeds.append(_speed(round_of_treys, start, start + share, repeats=1))
    return median(our_speeds), median(treys_speeds)


def _speed(run: Callable[[int, int], None], start: int, end: int, *, repeats: int) -> float:
    """Hands a second; the faster side repeats its hands to be timed over a like span."""
    began = perf_counter()
    for _ in range(repeats):
        run(start, end)
    return repeats * (end - start) / (perf_counter() - began)


def report(speeds: tuple[float, float]) -> str:
    """What ``measure`` found, in one line."""
    ours, theirs = speeds
    return f"evaluator: {ours:,.0f}/s, treys {theirs:,.0f}/s, ratio {ours / theirs:.1f} (aim {AIM})"


if __name__ == "__main__":
    print(report(measure()))
