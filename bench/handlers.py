"""What the handlers take of a CPU, warm and without the network, in hands that are really played.

The same hands are played several times over. A seed fixes them, so that the n-th run of a handler
is the same work each time: of its times the least counts, as what else the machine does can only
add to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from bench.figures import Figure
from bench.metered import Invocation
from bench.people import Played, play

ACTION_MS = 1.5
"""DESIGN's budget."""


def measure(hands: int, rounds: int) -> Played:
    """The hands, each run of a handler with the least CPU that it took in any round."""
    several = [play(hands) for _ in range(rounds)]
    first = several[0]
    for other in several[1:]:
        if _work(other) != _work(first):
            raise RuntimeError("the same seed played other hands")
    runs = zip(*(one.counts.invocations for one in several), strict=True)
    counts = replace(first.counts, invocations=[_least(run) for run in runs])
    return replace(first, counts=counts)


def _work(played: Played) -> list[tuple[str, int]]:
    return [(one.kind, one.calls.total()) for one in played.counts.invocations]


def _least(runs: Sequence[Invocation]) -> Invocation:
    return min(runs, key=lambda one: one.cpu_ns)


def mean_ms(runs: Sequence[Invocation]) -> float:
    return fmean(one.cpu_ns for one in runs) / 10**6


def figures(played: Played) -> list[Figure]:
    counts = played.counts
    acts, pushes, snapshots = counts.of("act"), counts.of("broadcast"), counts.of("fanout")
    calls = fmean(one.calls.total() for one in acts)
    writes = fmean(
        one.calls["PutItem"] + one.calls["UpdateItem"] + one.calls["TransactWriteItems"]
        for one in acts
    )
    posts = sum(one.posts for one in snapshots)
    found = [
        Figure("an action: reads of STATE", fmean(one.state_reads for one in acts), "", 1),
        Figure("an action: writes", writes, "", 1),
        Figure("an action: calls in all, decks included", calls),
        Figure("an action: CPU of its handler", mean_ms(acts), "ms", ACTION_MS),
    ]
    others = {
        "a ping": counts.of("ping"),
        "a sync": counts.of("sync"),
        "a wake-up of the clock": counts.of("clock"),
        f"a broadcast to {played.seats} players": pushes,
    }
    found += [Figure(name, mean_ms(runs), "ms") for name, runs in others.items() if runs]
    if posts:
        each = sum(one.cpu_ns for one in snapshots) / posts / 10**6
        found.append(Figure("a post of the fan-out", each, "ms"))
    return found
