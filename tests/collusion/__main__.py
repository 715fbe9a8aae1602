"""Plays more rooms with planted pairs than `make test` does, and says how the search ranks them."""

import argparse
import time
from typing import Final

from cli.collusion.measures import ranked
from cli.collusion.report import why
from tests.collusion.bots import Bot, planted, played
from tests.collusion.places import arrivals
from tests.collusion.test_pairs import HANDS, places_of, tallied

RANKED: Final = (
    "by play alone",
    "by places too, where they share a home",
    "by places too, where only honest ones share a home",
)


def main() -> int:
    """0 where all planted pairs are the first ones of every seed, by play alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first one (1)")
    parser.add_argument("--seeds", type=int, default=20, help="how many (20)")
    parser.add_argument("--hands", type=int, default=HANDS, help=f"of each ({HANDS})")
    args = parser.parse_args()
    rooms = [one(seed, args.hands) for seed in range(args.seed, args.seed + args.seeds)]
    for what, right in zip(RANKED, zip(*rooms, strict=True), strict=True):
        print(f"{sum(right)} of {args.seeds} rooms: the planted pairs are the first ones, {what}")
    return 0 if all(right for right, *_ in rooms) else 1


def one(seed: int, hands: int) -> list[bool]:
    """As in `RANKED`."""
    began = time.process_time()
    bots, dealt = played(seed, hands)
    tallies = tallied(dealt)
    found = ranked(tallies)
    plants, by_name = planted(bots), {bot.name: bot for bot in bots}
    print(f"seed {seed}: {len(found)} pairs met, {time.process_time() - began:.1f} s")
    for place, pair in enumerate(found[:7], 1):
        first, second = (by_name[name] for name in pair.names)
        reasons = "; ".join(why(pair)) or "nothing"
        print(f"  {place} {_known(first, second):8} {pair.score:5.1f}  {reasons}")
    rankings = [found]
    for at_home in (True, False):
        shared = places_of(arrivals(seed, bots, together=at_home)).shared()
        rankings.append(ranked(tallies, shared))
    return [{pair.names for pair in one[: len(plants)]} == plants for one in rankings]


def _known(first: Bot, second: Bot) -> str:
    if first.partner is second and first.deal is not None:
        return first.deal.name.lower()
    return "friends" if first.friend is second else "-"


if __name__ == "__main__":
    raise SystemExit(main())
