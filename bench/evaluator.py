"""How fast the engine's evaluator is beside treys and eval7, all on the same hands in one run.

treys is Python, as ours is; eval7 is C, and shows what there would be to gain.

Run it as ``python bench/evaluator.py``; another script calls ``measure`` and ``report``.
"""

import random
from collections.abc import Callable
from statistics import median
from time import perf_counter

import eval7
import treys

from bench.figures import Figure
from poker_engine.cards import text
from poker_engine.evaluator import evaluate

AIM = 3
HANDS = 4_000
ROUNDS = 25
SEED = 7462


def measure() -> tuple[float, float, float]:
    """Seven-card hands a second of this evaluator, of treys and of eval7: medians over short
    rounds.

    They take turns round by round, so that what else the machine does slows all. Each gets
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
    in_c = [[eval7.Card(text(card)) for card in deal] for deal in deals]
    referee = treys.Evaluator()

    def round_of_ours(start: int, end: int) -> None:
        for hole, board in ours[start:end]:
            evaluate(hole + board)

    def round_of_treys(start: int, end: int) -> None:
        for hole, board in theirs[start:end]:
            referee.evaluate(hole, board)

    def round_of_eval7(start: int, end: int) -> None:
        for cards in in_c[start:end]:
            eval7.evaluate(cards)

    our_speeds: list[float] = []
    eval7_speeds: list[float] = []
    treys_speeds: list[float] = []
    share = HANDS // ROUNDS
    for start in range(0, HANDS, share):
        our_speeds.append(_speed(round_of_ours, start, start + share, repeats=20))
        treys_speeds.append(_speed(round_of_treys, start, start + share, repeats=1))
        eval7_speeds.append(_speed(round_of_eval7, start, start + share, repeats=20))
    return median(our_speeds), median(treys_speeds), median(eval7_speeds)


def _speed(run: Callable[[int, int], None], start: int, end: int, *, repeats: int) -> float:
    """Hands a second; the faster side repeats its hands to be timed over a like span."""
    began = perf_counter()
    for _ in range(repeats):
        run(start, end)
    return repeats * (end - start) / (perf_counter() - began)


def figures(speeds: tuple[float, float, float]) -> list[Figure]:
    """What ``measure`` found."""
    ours, by_treys, by_eval7 = speeds
    return [
        Figure("evaluator: seven-card hands", ours, "a second"),
        Figure("evaluator: times treys", ours / by_treys, "", AIM, at_least=True),
        Figure("evaluator: times eval7, which is C", ours / by_eval7),
    ]


if __name__ == "__main__":
    for figure in figures(measure()):
        print("  ".join(figure.cells))
